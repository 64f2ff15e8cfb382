'use strict';

const { createHash } = require('node:crypto');
const { BadRequest } = require('@feathersjs/errors');
const multer = require('multer');

const upload = multer({ storage: multer.memoryStorage(), limits: { fileSize: 100_000, files: 2 } });

/** Files of a multipart form become part of the parameters of the service. */
function takeFiles(req, res, next) {
  upload.array('photos')(req, res, (error) => {
    if (error !== undefined && error !== null) {
      next(new BadRequest(error.message, { code: error.code, field: error.field }));
      return;
    }
    req.feathers = { ...req.feathers, files: req.files ?? [] };
    next();
  });
}

const photos = {
  async create(data, { files }) {
    return {
      fields: data,
      photos: files.map(({ originalname, mimetype, size, buffer }) => ({
        name: originalname,
        type: mimetype,
        size,
        sha256: createHash('sha256').update(buffer).digest('hex'),
      })),
    };
  },
};

module.exports = function configurePhotos(app) {
  app.use('photos', takeFiles, photos, (req, res, next) => {
    res.set('X-Photos', String(res.data?.photos.length ?? 0));
    next();
  });
};
