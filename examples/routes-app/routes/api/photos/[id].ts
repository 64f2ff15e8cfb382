/** A photo. */
import { HttpError } from 'fulmar';
import type { RouteContext } from 'fulmar/routes';
import { findPhoto } from '../../../lib/photos.ts';

export function GET(c: RouteContext<'/api/photos/[id]'>) {
  const photo = findPhoto(c.params.id);
  if (photo === undefined) throw new HttpError(404, 'There is no such photo.');
  c.header('Cache-Control', 'public, max-age=31536000, immutable').header('X-Content-Type-Options', 'nosniff');
  return c.send(photo.bytes, photo.type);
}
