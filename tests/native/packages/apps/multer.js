import { readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import multer from 'multer';
import { serve } from './serve.js';
const folder = mkdtempSync(join(tmpdir(), 'fulmar-multer-'));
process.on('exit', () =>
  rmSync(folder, {
    recursive: true,
    force: true,
  }),
);
serve((app) => {
  const memory = multer({
    limits: {
      fileSize: 1e3,
      files: 2,
    },
  });
  app.post('/memory', memory.array('file'), (req, res) => {
    const files = req.files.map(({ fieldname, originalname, encoding, mimetype, size, buffer }) => ({
      fieldname,
      originalname,
      encoding,
      mimetype,
      size,
      text: buffer.toString(),
    }));
    res.json({
      body: req.body,
      files,
    });
  });
  app.post('/disk', multer({ dest: folder }).single('file'), (req, res) => {
    res.json({
      size: req.file?.size,
      text: req.file === undefined ? null : readFileSync(req.file.path, 'utf8'),
    });
  });
  app.use(
    (error, _req, res, _next) =>
      void res.status(400).json({
        name: error.name,
        code: error.code,
        message: error.message,
      }),
  );
});
