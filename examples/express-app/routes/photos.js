/** /photos: uploads with multer, kept in memory, checked by size, by declared type and by their first bytes. */
import { Router } from 'express';
import multer from 'multer';
import { requireUser } from '../middleware/user.js';

const FILE_BYTES_MAX = 2 * 1024 * 1024;
const PHOTOS_MAX = 12;
const CAPTION_LENGTH_MAX = 120;

/** What a file of each allowed type starts with. */
const SIGNATURES = {
  'image/png': [0x89, 0x50, 0x4e, 0x47],
  'image/jpeg': [0xff, 0xd8, 0xff],
  'image/gif': [0x47, 0x49, 0x46, 0x38],
};

const refuse = (message) => Object.assign(new Error(message), { status: 415 });

export function createPhotosRouter() {
  const photos = Router();
  const kept = [];
  let nextId = 1;
  const upload = multer({
    storage: multer.memoryStorage(),
    limits: { fileSize: FILE_BYTES_MAX, files: 1, fields: 5 },
    fileFilter: (req, file, done) =>
      Object.hasOwn(SIGNATURES, file.mimetype) ? done(null, true) : done(refuse('A photo is a PNG, JPEG or GIF image')),
  });

  photos.get('/', (req, res) => res.render('photos', { page: 'Photos', photos: kept, limitMb: FILE_BYTES_MAX / 1024 / 1024 }));

  photos.post('/', requireUser, upload.single('photo'), (req, res) => {
    if (req.file === undefined) throw Object.assign(new Error('Choose a photo first'), { status: 400 });
    const { mimetype, buffer, size, originalname } = req.file;
    if (!SIGNATURES[mimetype].every((byte, index) => buffer[index] === byte)) throw refuse('The file is not what it says it is');
    const caption = String(req.body.caption ?? '').slice(0, CAPTION_LENGTH_MAX) || originalname;
    const photo = { id: nextId++, caption, mimetype, size, buffer, by: req.user.label };
    kept.unshift(photo);
    kept.length = Math.min(kept.length, PHOTOS_MAX);
    res.format({
      html: () => {
        req.session.notice = 'Your photo is up.';
        res.redirect(303, '/photos');
      },
      json: () => res.status(201).location(`/photos/${photo.id}`).json({ id: photo.id, caption, mimetype, size }),
    });
  });

  photos.get('/:id', (req, res, next) => {
    const photo = kept.find((candidate) => String(candidate.id) === req.params.id);
    if (photo === undefined) return next();
    res.set('Cache-Control', 'private, max-age=3600').type(photo.mimetype).send(photo.buffer);
  });
  return photos;
}
