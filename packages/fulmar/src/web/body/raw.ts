/** Content as a Buffer. */
import type { BodyParser } from './json.ts';
import { type BodyOptions, normalizeOptions } from './options.ts';
import { type ReadOptions, readBody } from './read.ts';

export function createRawParser(options?: BodyOptions): BodyParser {
  const readOptions: ReadOptions = {
    ...normalizeOptions(options, 'application/octet-stream'),
    parse: (body: Buffer) => body,
    skipCharset: true,
  };
  return function rawParser(req, res, next) {
    readBody(req, res, next, readOptions);
  };
}
