/**
 * Reads a request's content and gives it to a parser: charset, content coding, limit and verification as
 * upstream's body-parser. Content that arrived with the head is parsed without a stream, at the time when a
 * stream would end; everything else goes through `raw-body`.
 */
import { parse as parseContentType } from 'content-type';
import createError from 'http-errors';
import onFinished from 'on-finished';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { closeTaken, isUnread, takeInlineContent, takeInlineText } from '../../http/index.ts';
import { iconv, rawBody, zlib } from '../lazy.ts';
import type { WebRequest, WebResponse, Next } from '../message-types.ts';
import type { CommonOptions } from './options.ts';

export type Parse = (body: never, encoding: string | null) => unknown;

export interface ReadOptions extends CommonOptions {
  readonly parse: Parse;
  /** The parser wants the bytes as they are. */
  readonly skipCharset?: boolean;
  readonly isValidCharset?: (charset: string) => boolean;
  /** Which charsets can be decoded, when it is not all that the library knows. */
  readonly isKnownCharset?: (charset: string) => boolean;
  /** Content codings beside `identity`, when it is not all that Node knows. */
  readonly codings?: readonly string[];
}

/** Stands for a charset that the library knows and the version of Express does not. */
const UNKNOWN_CHARSET = 'unknown';

type BodyError = Error & { type?: string };

export interface Reading {
  readonly req: WebRequest;
  readonly res: WebResponse;
  readonly next: Next;
  readonly options: ReadOptions;
  readonly encoding: string | null;
}

export function readBody(req: WebRequest, res: WebResponse, next: Next, options: ReadOptions): void {
  if (!isUnread(req) && onFinished.isFinished(req)) {
    next();
    return;
  }
  if (!('body' in req)) (req as WebRequest).body = undefined;
  const { headers } = req;
  if (!declaresBody(headers) || !options.shouldParse(req)) {
    next();
    return;
  }
  let encoding: string | null = null;
  if (options.skipCharset !== true) {
    encoding = charsetOf(headers['content-type']) || options.defaultCharset;
    if (encoding !== 'utf-8' && options.isValidCharset && !options.isValidCharset(encoding)) {
      next(unsupportedCharset(encoding, encoding));
      return;
    }
  }
  readContent({ req, res, next, options, encoding });
}

/** Whether content is declared, as `type-is` has it. */
export function hasBody(req: WebRequest): boolean {
  return declaresBody(req.headers);
}

function declaresBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || !Number.isNaN(Number(headers['content-length']));
}

function charsetOf(header: string | undefined): string | undefined {
  if (!header || !header.includes(';')) return undefined;
  return (parseContentType(header).parameters as Record<string, string | undefined>).charset?.toLowerCase();
}

function isKnown(encoding: string, options: ReadOptions): boolean {
  if (encoding === 'utf-8') return true;
  return iconv().encodingExists(encoding) && (options.isKnownCharset === undefined || options.isKnownCharset(encoding));
}

export function unsupportedCharset(encoding: string, charset: string): Error {
  return createError(415, `unsupported charset "${encoding.toUpperCase()}"`, { charset, type: 'charset.unsupported' });
}

/** Reads, verifies and parses content that is wanted. */
export function readContent(reading: Reading): void {
  const { req, options, encoding, next } = reading;
  if (options.verify && encoding !== null && !isKnown(encoding, options)) {
    next(unsupportedCharset(encoding, encoding.toLowerCase()));
    return;
  }
  let stream: Readable = req;
  let length: string | undefined;
  try {
    const coding = req.headers['content-encoding']?.toLowerCase() || 'identity';
    if (options.inflate === false && coding !== 'identity') {
      throw createError(415, 'content encoding unsupported', { encoding: coding, type: 'encoding.unsupported' });
    }
    if (coding === 'identity') {
      const inline = takeInline(reading);
      if (inline !== null) {
        useBodySoon(reading, inline);
        return;
      }
      length = req.headers['content-length'];
    } else {
      stream = createDecoder(coding, options.codings);
      req.pipe(stream as Transform);
    }
  } catch (err) {
    next(err);
    return;
  }
  const rawOptions = { length, encoding: options.verify ? null : decodable(encoding, options), limit: options.limit };
  rawBody()(stream, rawOptions, (error, body) => {
    if (error) fail(reading, stream, error);
    else {
      if (stream !== req) detach(req, stream);
      useBody(reading, body);
    }
  });
}

/**
 * The content when it came with the head: as text, unless somebody wants the bytes. Middleware may have
 * changed the length that is declared; what does not fit is for the reader to refuse.
 */
function takeInline({ req, options, encoding }: Reading): Buffer | string | null {
  const bounds = { max: options.limit, declared: declaredLength(req.headers['content-length']) };
  if (encoding === 'utf-8' && options.verify === false) {
    const text = takeInlineText(req, bounds);
    return text === null ? null : withoutMark(text);
  }
  return encoding === null || isKnown(encoding, options) ? takeInlineContent(req, bounds) : null;
}

/** The length as the reader understands it; `undefined` when it expects none. */
function declaredLength(header: string | undefined): number | undefined {
  return header === undefined || Number.isNaN(Number(header)) ? undefined : Number.parseInt(header, 10);
}

/** The charset as the reader shall see it: what the version does not know is unknown. */
function decodable(encoding: string | null, options: ReadOptions): string | null {
  if (encoding === null || options.isKnownCharset === undefined) return encoding;
  return options.isKnownCharset(encoding) ? encoding : UNKNOWN_CHARSET;
}

function fail({ req, next, encoding }: Reading, stream: Readable, error: BodyError): void {
  const failure =
    error.type === 'encoding.unsupported'
      ? unsupportedCharset(encoding as string, (encoding as string).toLowerCase())
      : createError(400, error);
  if (stream !== req) {
    req.unpipe();
    stream.destroy();
  }
  const report = (): void => next(createError(400, failure));
  // The rest is read off, so that the connection can be used again.
  if (onFinished.isFinished(req)) {
    report();
    return;
  }
  onFinished(req, report);
  req.resume();
}

/** Leaves the decoder behind; errors after the end of the content are nobody's. */
function detach(req: WebRequest, stream: Readable): void {
  req.unpipe(stream as Transform);
  stream.on('error', () => undefined);
  stream.destroy();
  req.resume();
}

const settled = Promise.resolve();

/**
 * Where a stream of Node's ends: a round of ticks and promises later. What callers do after their `next()`,
 * and their promises, come before the handler; nothing that waits for input does.
 */
function useBodySoon(reading: Reading, body: Buffer | string): void {
  void settled.then(() => process.nextTick(useTaken, reading, body));
}

function useTaken(reading: Reading, body: Buffer | string): void {
  useBody(reading, body);
  closeTaken(reading.req);
}

/** Verifies, decodes and parses. */
function useBody({ req, res, next, options, encoding }: Reading, body: Buffer | string): void {
  const { verify } = options;
  if (verify) {
    try {
      verify(req, res, body as Buffer, encoding);
    } catch (err) {
      next(createError(403, err as Error, { body, type: (err as BodyError).type || 'entity.verify.failed' }));
      return;
    }
  }
  let text: Buffer | string = body;
  try {
    if (typeof body !== 'string' && encoding !== null) text = decode(body, encoding);
    req.body = options.parse(text as never, encoding);
  } catch (err) {
    next(createError(400, err as Error, { body: text, type: (err as BodyError).type || 'entity.parse.failed' }));
    return;
  }
  next();
}

const BOM = 0xfeff;

function decode(body: Buffer, encoding: string): string {
  if (encoding !== 'utf-8') return iconv().decode(body, encoding);
  return withoutMark(body.toString('utf8'));
}

/** A byte order mark is no content; the library drops it too. */
function withoutMark(text: string): string {
  return text.charCodeAt(0) === BOM ? text.slice(1) : text;
}

/** @param codings the codings that are supported; `undefined` for all */
function createDecoder(coding: string, codings: readonly string[] | undefined): Transform {
  switch (codings === undefined || codings.includes(coding) ? coding : undefined) {
    case 'deflate':
      return zlib().createInflate();
    case 'gzip':
      return zlib().createGunzip();
    case 'br':
      return zlib().createBrotliDecompress();
    case 'zstd':
      if ('createZstdDecompress' in zlib()) return zlib().createZstdDecompress();
      break;
    default:
  }
  throw createError(415, `unsupported content encoding "${coding}"`, { encoding: coding, type: 'encoding.unsupported' });
}
