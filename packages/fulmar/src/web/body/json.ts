/**
 * Content as JSON. Errors are those of `JSON.parse`, in strict mode also for values that are neither
 * object nor array.
 */
import type { WebRequest, WebResponse, Next } from '../message-types.ts';
import { type BodyOptions, normalizeOptions } from './options.ts';
import { type ReadOptions, readBody } from './read.ts';

export interface JsonOptions extends BodyOptions {
  readonly reviver?: (this: unknown, key: string, value: unknown) => unknown;
  readonly strict?: boolean;
}

export type BodyParser = (req: WebRequest, res: WebResponse, next: Next) => void;

const FIRST_NON_WHITESPACE = /^[\x20\x09\x0a\x0d]*([^\x20\x09\x0a\x0d]|$)/;
/** Stands in for what strict mode does not look at, in the text the error message is made from. */
const PLACEHOLDER = '#';
const PLACEHOLDERS = /#+/g;

export function createJsonParser(options?: JsonOptions): BodyParser {
  const readOptions: ReadOptions = {
    ...normalizeOptions(options, 'application/json'),
    parse: createParse(options),
    isValidCharset: (charset) => charset.startsWith('utf-'),
  };
  return function jsonParser(req, res, next) {
    readBody(req, res, next, readOptions);
  };
}

export function createParse(options: JsonOptions | undefined): (body: string) => unknown {
  const reviver = options?.reviver as Parameters<typeof JSON.parse>[1];
  const isStrict = options?.strict !== false;
  return (body) => {
    // An empty body is a common mistake of clients.
    if (body.length === 0) return {};
    if (isStrict && body[0] !== '{' && body[0] !== '[') requireObject(body);
    try {
      return reviver === undefined ? (JSON.parse(body) as unknown) : (JSON.parse(body, reviver) as unknown);
    } catch (err) {
      const { message, stack } = err as Error;
      throw normalizeSyntaxError(err as Error, message, stack as string);
    }
  };
}

function requireObject(body: string): void {
  const first = FIRST_NON_WHITESPACE.exec(body)?.[1] || undefined;
  if (first !== '{' && first !== '[') throw createStrictError(body, first);
}

/** The error `JSON.parse` gives when everything from the first wrong character on is unreadable. */
function createStrictError(body: string, first: string | undefined): Error {
  const index = body.indexOf(first as string);
  const partial = index === -1 ? '' : body.slice(0, index) + PLACEHOLDER.repeat(body.length - index);
  try {
    JSON.parse(partial);
  } catch (err) {
    const { message, stack } = err as Error;
    const shown = message.replace(PLACEHOLDERS, (placeholder) => body.substring(index, index + placeholder.length));
    return normalizeSyntaxError(err as Error, shown, stack as string);
  }
  return new SyntaxError('strict violation');
}

function normalizeSyntaxError(error: Error, message: string, stack: string): Error {
  for (const key of Object.getOwnPropertyNames(error)) {
    if (key !== 'stack' && key !== 'message') delete (error as unknown as Record<string, unknown>)[key];
  }
  error.stack = stack.replace(error.message, message);
  error.message = message;
  return error;
}
