/** Uploads: each part is read while it comes. */
import { HttpError } from 'fulmar';
import type { RouteContext } from 'fulmar/routes';
import { keepPhoto } from '../../../lib/photos.ts';
import { signedIn } from '../../../lib/users.ts';

const TYPES = new Set(['image/png', 'image/jpeg', 'image/webp']);
const LIMITS = { files: 4, fileSize: 1_000_000 };

export default async function upload(c: RouteContext<'/api/photos'>) {
  if ((await signedIn(c)) === undefined) throw new HttpError(401, 'Sign in to add photos.');
  const kept: { name: string; bytes: number; url: string }[] = [];
  for await (const part of c.body.multipart({ limits: LIMITS })) {
    if (part.kind !== 'file') continue;
    if (!TYPES.has(part.type)) throw new HttpError(415, `${part.filename} is ${part.type}; photos are PNG, JPEG or WebP.`);
    const bytes = await part.bytes();
    kept.push({ name: part.filename, bytes: bytes.length, url: `/api/photos/${keepPhoto({ type: part.type, bytes })}` });
  }
  return c.status(201).json(kept);
}
