/**
 * What each way of unpacking makes of the same bytes: at once, with a callback, and as a stream in pieces.
 */
import zlib from 'node:zlib';

type Named = Record<string, (...args: unknown[]) => unknown>;
const all = zlib as unknown as Named;

/** Lengths of the pieces that a stream gets. */
const PIECES: readonly number[] = [1, 7, Number.POSITIVE_INFINITY];

const shown = (bytes: Uint8Array): unknown => [bytes.length, zlib.crc32(bytes)];
const wrong = (error: unknown): unknown => {
  const { name, code, errno, message } = error as NodeJS.ErrnoException;
  return [name, code, errno, message];
};

function atOnce(name: string, bytes: Uint8Array, options: object | undefined): unknown {
  try {
    return shown((all[`${name}Sync`] as Named[string])(bytes, options) as Buffer);
  } catch (error) {
    return wrong(error);
  }
}

const later = (name: string, bytes: Uint8Array, options: object | undefined): Promise<unknown> =>
  new Promise((resolve) => {
    const done = (error: unknown, result: unknown): void => resolve(error ? wrong(error) : shown(result as Buffer));
    (all[name] as Named[string])(bytes, options ?? {}, done);
  });

/**
 * What a stream gives until it is closed; and how much it took, which is the same only for the same bytes.
 */
function inPieces(Class: string, bytes: Uint8Array, length: number, options: object | undefined): Promise<unknown> {
  return new Promise((resolve) => {
    const stream = (all[`create${Class}`] as Named[string])(options) as zlib.Gunzip;
    const parts: Buffer[] = [];
    let end: unknown = 'closed without an end';
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('error', (error) => (end = wrong(error)));
    stream.on('end', () => (end = 'end'));
    stream.on('close', () => resolve([end, shown(Buffer.concat(parts))]));
    for (let at = 0; at < bytes.length; at += length) stream.write(bytes.subarray(at, at + length));
    stream.end();
  });
}

/** `Class`: of the streams, as `Gunzip`. */
export async function unpacked(Class: string, bytes: Uint8Array, options?: object): Promise<unknown> {
  const name = `${Class[0]?.toLowerCase()}${Class.slice(1)}`;
  const streams = await Promise.all(PIECES.map((length) => inPieces(Class, bytes, length, options)));
  return [atOnce(name, bytes, options), await later(name, bytes, options), ...streams];
}
