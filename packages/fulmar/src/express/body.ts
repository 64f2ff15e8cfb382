/** `express.json()` and the other body parsers. What they make is loaded when they are first called. */
import { type BodyParser, createJsonParser, type JsonOptions } from '../web/body/json.ts';
import type { BodyOptions } from '../web/body/options.ts';
import { createRawParser } from '../web/body/raw.ts';
import { createTextParser } from '../web/body/text.ts';
import { createUrlencodedParser, type UrlencodedOptions } from '../web/body/urlencoded.ts';

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
