/** Photos: a form that is read while it comes, and pictures as they were sent. Only what browsers show as pictures is taken. */
import { type App, HttpError } from 'fulmar';
import { nameOf } from './accounts.ts';
import { bodyLimit } from 'fulmar/middleware';
import type { Store } from './store.ts';

const PHOTO_BYTES_MAX = 5 * 1024 * 1024;
/** What a form is beside its file. */
const FORM_BYTES_MAX = 4096;
const TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp']);

export function addPhotos(app: App, store: Store): void {
  app.post('/photos', bodyLimit(PHOTO_BYTES_MAX + FORM_BYTES_MAX), async (c) => {
    if (nameOf(c.header('authorization')?.replace(/^Bearer /, '')) === undefined) throw new HttpError(401, 'Sign in first.');
    for await (const part of c.body.multipart({ limits: { files: 1, fileSize: PHOTO_BYTES_MAX } })) {
      if (part.kind !== 'file') continue;
      if (!TYPES.has(part.type)) throw new HttpError(415, `A photo is one of ${[...TYPES].join(', ')}, and this is ${part.type}.`);
      const bytes = await part.bytes();
      return c.status(201).json({ id: store.addPhoto({ type: part.type, bytes }), bytes: bytes.length });
    }
    throw new HttpError(400, 'A form with a file is expected, and there is none in it.');
  });
  app.get('/photos/:id', (c) => {
    const photo = store.photo(c.params.id);
    if (photo === undefined) throw new HttpError(404, 'There is no such photo.');
    c.header('Cache-Control', 'private, max-age=31536000, immutable');
    return c.send(photo.bytes, photo.type);
  });
}
