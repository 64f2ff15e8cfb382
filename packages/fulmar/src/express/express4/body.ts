/**
 * The body parsers of version 4 (B… in docs/internals/express4.md): every request gets a body, a parsed
 * request is marked with `_body` and left alone by the parsers that follow, forms are extended unless the
 * options say otherwise.
 */
import querystring from 'node:querystring';
import { parse as parseContentType } from 'content-type4';
import depd from 'depd';
import createError from 'http-errors';
import { type BodyParser, createParse as createJsonParse, type JsonOptions } from '../../web/body/json.ts';
import { type BodyOptions, type CommonOptions, normalizeOptions } from '../../web/body/options.ts';
import { hasBody, readContent, type ReadOptions, unsupportedCharset } from '../../web/body/read.ts';
import { countParameters, type UrlencodedOptions } from '../../web/body/urlencoded.ts';
import { qs4 } from '../lazy.ts';
import { typeIs4 } from '../../web/lazy.ts';
import type { WebRequest } from '../../web/message-types.ts';

const deprecate = depd('body-parser');

const DEFAULT_PARAMETERS_MAX = 1000;
const DEFAULT_DEPTH_MAX = 32;
/** Arrays of an extended body may have at least this many items. */
const ARRAY_ITEMS = 100;

/** B5: content codings beside `identity`. */
const CODINGS = ['deflate', 'gzip'];
/** B7: charsets that came into the library after the version that version 4 uses, in its canonical form. */
const LATER_CHARSETS = new Set(['utf32le', 'utf32be', 'utf32', 'ucs4le', 'ucs4be', 'ucs4', 'cp720', 'iso88598i', 'iso88598e']);

type Parse = ReadOptions['parse'];

function isKnownCharset(charset: string): boolean {
  return !LATER_CHARSETS.has(charset.replace(/:\d{4}$|[^0-9a-z]/g, ''));
}

function commonOptions(options: BodyOptions | undefined, defaultType: string): CommonOptions {
  const type = options?.type || defaultType;
  return { ...normalizeOptions(options, defaultType), shouldParse: typeof type === 'function' ? type : createTypeCheck(type, defaultType) };
}

function createTypeCheck(type: string | string[], defaultType: string): CommonOptions['shouldParse'] {
  return (req) => (type === defaultType && req.headers['content-type'] === type) || Boolean(typeIs4()(req, type));
}

/** Makes a parser's handler. Its name is upstream's, because `router.stack` shows it. */
function createParser(name: string, options: CommonOptions & Pick<ReadOptions, 'parse' | 'skipCharset' | 'isValidCharset'>): BodyParser {
  const readOptions: ReadOptions = { ...options, codings: CODINGS, isKnownCharset };
  const parser: BodyParser = (req, res, next) => {
    const message = req as WebRequest & { _body?: boolean };
    // B2: read once, whoever did it.
    if (message._body) {
      next();
      return;
    }
    message.body = message.body || {}; // B1
    if (!hasBody(req) || !options.shouldParse(req)) {
      next();
      return;
    }
    const encoding = options.skipCharset === true ? null : charsetOf(req) || options.defaultCharset;
    if (encoding !== null && options.isValidCharset?.(encoding) === false) {
      next(unsupportedCharset(encoding, encoding));
      return;
    }
    message._body = true;
    readContent({ req, res, next, options: readOptions, encoding });
  };
  return Object.defineProperty(parser, 'name', { value: name });
}

/** B6: a type that cannot be read has no charset. */
function charsetOf(req: WebRequest): string | undefined {
  const header = req.headers['content-type'];
  if (!header || !header.includes(';')) return undefined;
  try {
    return parseContentType(header).parameters.charset?.toLowerCase();
  } catch {
    return undefined;
  }
}

export function json(options?: JsonOptions): BodyParser {
  return createParser('jsonParser', {
    ...commonOptions(options, 'application/json'),
    defaultCharset: 'utf-8',
    parse: createJsonParse(options),
    isValidCharset: (charset) => charset.startsWith('utf-'),
  });
}

export function raw(options?: BodyOptions): BodyParser {
  return createParser('rawParser', {
    ...commonOptions(options, 'application/octet-stream'),
    parse: (body: Buffer) => body,
    skipCharset: true,
  });
}

export function text(options?: BodyOptions): BodyParser {
  return createParser('textParser', { ...commonOptions(options, 'text/plain'), parse: (body: string) => body });
}

/** B3: extended unless told otherwise. B4: in UTF-8 alone. */
export function urlencoded(options?: UrlencodedOptions): BodyParser {
  if (options?.extended === undefined) deprecate('undefined extended: provide extended option');
  const common = commonOptions(options, 'application/x-www-form-urlencoded');
  const parse = options?.extended === false ? createSimpleParse(options) : createExtendedParse(options);
  return createParser('urlencodedParser', {
    ...common,
    defaultCharset: 'utf-8',
    parse: (body: string) => (body.length ? parse(body as never, null) : {}),
    isValidCharset: (charset) => charset === 'utf-8',
  });
}

function parametersMax(options: UrlencodedOptions | undefined): number {
  const limit = options?.parameterLimit === undefined ? DEFAULT_PARAMETERS_MAX : options.parameterLimit;
  if (isNaN(limit) || limit < 1) throw new TypeError('option parameterLimit must be a positive number');
  return isFinite(limit) ? limit | 0 : limit;
}

function requireParameters(body: string, limit: number): number {
  const count = countParameters(body, limit);
  if (count === undefined) throw createError(413, 'too many parameters', { type: 'parameters.too.many' });
  return count;
}

function createSimpleParse(options: UrlencodedOptions): Parse {
  const maxKeys = parametersMax(options);
  return (body: string) => {
    requireParameters(body, maxKeys);
    return querystring.parse(body, undefined, undefined, { maxKeys });
  };
}

function createExtendedParse(options: UrlencodedOptions | undefined): Parse {
  const parameterLimit = parametersMax(options);
  const depth = options?.depth === undefined ? DEFAULT_DEPTH_MAX : options.depth;
  if (isNaN(depth) || depth < 0) throw new TypeError('option depth must be a zero or a positive number');
  return (body: string) => {
    const arrayLimit = Math.max(ARRAY_ITEMS, requireParameters(body, parameterLimit));
    try {
      return qs4().parse(body, { allowPrototypes: true, arrayLimit, depth, strictDepth: true, parameterLimit });
    } catch (err) {
      if (!(err instanceof RangeError)) throw err;
      throw createError(400, 'The input exceeded the depth', { type: 'querystring.parse.rangeError' });
    }
  };
}
