// `express.json()` and the other body parsers. What they make is loaded when they are first called.
import { type BodyParser, createJsonParser, type JsonOptions } from './body/json.ts';
import type { BodyOptions } from './body/options.ts';
import { createRawParser } from './body/raw.ts';
import { createTextParser } from './body/text.ts';
import { createUrlencodedParser, type UrlencodedOptions } from './body/urlencoded.ts';

export function json(options?: JsonOptions): BodyParser {
  return createJsonParser(options);
}

export function raw(options?: BodyOptions): BodyParser {
  return createRawParser(options);
}

export function text(options?: BodyOptions): BodyParser {
  return createTextParser(options);
}

export function urlencoded(options?: UrlencodedOptions): BodyParser {
  return createUrlencodedParser(options);
}
