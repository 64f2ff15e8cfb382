/**
 * Uploads: a form that is read while it comes. Nothing is kept in memory or on disk but what is told of each file; a client that
 * is faster than that waits.
 */
import { createHash } from 'node:crypto';
import { type App, HttpError } from 'fulmar';
import { signedIn } from '../lib/sessions.ts';

const FILE_BYTES_MAX = 64 * 1024 * 1024;
const FILES_MAX = 5;

export function addUploads(app: App): void {
  app.post('/uploads', { summary: 'Takes files and tells their digests', tags: ['uploads'] }, signedIn, async (c) => {
    const files: { name: string; bytes: number; sha256: string }[] = [];
    for await (const part of c.body.multipart({ limits: { files: FILES_MAX, fileSize: FILE_BYTES_MAX } })) {
      if (part.kind !== 'file') continue;
      const hash = createHash('sha256');
      let bytes = 0;
      for await (const piece of part) {
        hash.update(piece);
        bytes += piece.length;
      }
      files.push({ name: part.filename, bytes, sha256: hash.digest('hex') });
    }
    if (files.length === 0) throw new HttpError(400, 'A form with a file is expected, and there is none in it.');
    return c.status(201).json({ files });
  });
}
