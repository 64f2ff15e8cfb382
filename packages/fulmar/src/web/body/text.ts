/** Content as a string. */
import type { BodyParser } from './json.ts';
import { type BodyOptions, normalizeOptions } from './options.ts';
import { type ReadOptions, readBody } from './read.ts';

export function createTextParser(options?: BodyOptions): BodyParser {
  const readOptions: ReadOptions = { ...normalizeOptions(options, 'text/plain'), parse: (body: string) => body };
  return function textParser(req, res, next) {
    readBody(req, res, next, readOptions);
  };
}
