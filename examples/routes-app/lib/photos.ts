/**
 * Photos in memory, so many and so large at most: the oldest make room.
 */
export interface Photo {
  readonly type: string;
  readonly bytes: Uint8Array;
}

const PHOTOS_MAX = 50;

const photos = new Map<string, Photo>();

export const findPhoto = (id: string): Photo | undefined => photos.get(id);

export function keepPhoto(photo: Photo): string {
  const id = crypto.randomUUID();
  photos.set(id, photo);
  const [oldest] = photos.keys();
  if (photos.size > PHOTOS_MAX && oldest !== undefined) photos.delete(oldest);
  return id;
}
