/**
 * Text of paths: the value of a parameter as handlers get it, and a pattern without the slashes at its end.
 */

const TRAILING_SLASHES = /\/+$/;

/** Decodes a parameter; a malformed one becomes the 400 that routing reports. */
export function decodeParam(value: string): string;
export function decodeParam(value: string | undefined): string | undefined;
export function decodeParam(value: string | undefined): string | undefined {
  if (typeof value !== 'string' || value.length === 0 || !value.includes('%')) return value;
  try {
    return decodeURIComponent(value);
  } catch (err) {
    if (err instanceof URIError) {
      err.message = `Failed to decode param '${value}'`;
      const failure = err as URIError & { status: number; statusCode: number };
      failure.status = failure.statusCode = 400;
    }
    throw err;
  }
}

/** Unless a router is strict, a slash at a path's end makes no difference. */
export function loosen(path: string): string;
export function loosen(path: unknown): unknown;
export function loosen(path: unknown): unknown {
  if (path instanceof RegExp || path === '/') return path;
  if (Array.isArray(path)) return path.map((item) => loosen(item));
  return String(path).replace(TRAILING_SLASHES, '');
}
