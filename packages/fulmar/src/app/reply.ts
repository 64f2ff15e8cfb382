/**
 * A value becomes the reply: what a handler may return, and how each of it is sent.
 */
import { ReplyFlag } from '../exchange/format.ts';
import type { AnyContext } from './context.ts';
import { toJson } from './json.ts';
import { flagsOf } from './reply-flags.ts';
import { OwnReply, Reply } from './reply-value.ts';
import { isStreamed, streamInto, type StreamHead } from './stream-reply.ts';
import { isSizedSource } from '../web/sized-source.ts';

const JSON_LINE = 'Content-Type: application/json; charset=utf-8\r\n';
const TEXT_LINE = 'Content-Type: text/plain; charset=utf-8\r\n';
const BYTES_LINE = 'Content-Type: application/octet-stream\r\n';

const TYPE_LINES: ReadonlyMap<string, string> = new Map(
  ['application/json', 'text/plain', 'text/html'].map((type) => [`${type}; charset=utf-8`, `Content-Type: ${type}; charset=utf-8\r\n`]),
);

/** Replies of these have no content, whatever the handler gave. */
const isBare = (status: number): boolean => status === 204 || status === 205 || status === 304;

/**
 * Sends what the handler returned. A promise when that takes time: it settles when all of it is given.
 * @throws TypeError for what cannot be sent
 */
export function sendValue(c: AnyContext, value: unknown): void | Promise<void> {
  if (typeof value === 'string') return sendWhole(c, value, TEXT_LINE);
  if (value === undefined || value === null || value === c) return sendNothing(c);
  if (typeof value !== 'object') return sendWhole(c, toJson(value), JSON_LINE);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || Array.isArray(value)) return sendWhole(c, toJson(value), JSON_LINE);
  return sendObject(c, value);
}

function sendObject(c: AnyContext, value: object): void | Promise<void> {
  if (value instanceof Reply) return sendReply(c, value);
  if (value instanceof Uint8Array) return sendWhole(c, value, BYTES_LINE);
  if (ArrayBuffer.isView(value)) return sendWhole(c, new Uint8Array(value.buffer, value.byteOffset, value.byteLength), BYTES_LINE);
  if (value instanceof ArrayBuffer) return sendWhole(c, new Uint8Array(value), BYTES_LINE);
  if (value instanceof Response) return sendResponse(c, value);
  if (value instanceof Blob) return sendStream(c, value.stream(), { type: value.type === '' ? null : value.type, length: value.size });
  if (value instanceof URLSearchParams)
    return sendWhole(c, value.toString(), 'Content-Type: application/x-www-form-urlencoded; charset=utf-8\r\n');
  if (isStreamed(value)) return sendStream(c, value, {});
  if (value instanceof Error) throw value;
  if (value instanceof Map || value instanceof Set) throw new TypeError(unsendable(value));
  return sendWhole(c, toJson(value), JSON_LINE);
}

/** As JSON it would be `{}`, and nobody would be told. */
const unsendable = (value: object): string =>
  value instanceof Map ? 'A Map is no JSON: return Object.fromEntries(map) or [...map].' : 'A Set is no JSON: return [...set].';

function sendReply(c: AnyContext, reply: Reply): void | Promise<void> {
  if (reply instanceof OwnReply) return reply.give(c);
  for (const [name, value] of reply.lines) c.header(name, value);
  const { type, value } = reply;
  // Of those that the context gives; `fieldsOf` prefers one that was set.
  const typeLine = type === null || typeof value !== 'string' ? undefined : TYPE_LINES.get(type);
  if (typeLine !== undefined) return sendWhole(c, value as string, typeLine);
  if (type !== null && c.lines?.has('content-type') !== true) c.header('Content-Type', type);
  if (typeof value === 'object' && value !== null && isStreamed(value)) return sendStream(c, value, { isLive: reply.isLive });
  return sendValue(c, value);
}

/** 204, or what was set. */
function sendNothing(c: AnyContext): void {
  const status = c.statusCode === 0 ? 204 : c.statusCode;
  const { exchange } = c;
  const block = c.lines === null ? '' : fieldsOf(c.lines, '');
  const flags = flagsOf(exchange) | (isBare(status) ? ReplyFlag.noContent : ReplyFlag.contentLength);
  exchange.reply(status, null, block, flags | (exchange.method === 'HEAD' ? ReplyFlag.noContent : 0), null);
}

function sendWhole(c: AnyContext, content: string | Uint8Array, typeLine: string): void {
  const { exchange, lines } = c;
  const status = c.statusCode === 0 ? 200 : c.statusCode;
  const block = lines === null ? typeLine : fieldsOf(lines, typeLine);
  let flags = flagsOf(exchange) | ReplyFlag.contentLength;
  if (isBare(status))
    return void exchange.reply(status, null, lines === null ? '' : fieldsOf(lines, ''), flagsOf(exchange) | ReplyFlag.noContent, null);
  if (exchange.method === 'HEAD') flags |= ReplyFlag.noContent;
  exchange.reply(status, null, block, flags, content);
}

/** `Content-Type` first: the one that was set, or what follows from the value. */
function fieldsOf(lines: NonNullable<AnyContext['lines']>, typeLine: string): string {
  const type = lines.get('content-type');
  return (type === undefined ? typeLine : `Content-Type: ${type}\r\n`) + lines.block();
}

function sendResponse(c: AnyContext, response: Response): void | Promise<void> {
  // Both would be an empty reply of success.
  if (response.type === 'error') throw new TypeError('A Response of a network error is no reply.');
  if (response.bodyUsed || response.body?.locked === true) throw new TypeError('The content of the Response has been read already.');
  if (c.statusCode === 0) c.statusCode = response.status;
  for (const [name, value] of response.headers) {
    if (name === 'content-length' || name === 'transfer-encoding' || name === 'connection' || name === 'keep-alive') continue;
    // What middleware said that the reply depends on holds as well.
    c.header(name, value, { append: name === 'set-cookie' || name === 'vary' });
  }
  const { body } = response;
  if (body === null) return response.status === 204 || isBare(c.statusCode) ? sendNothing(c) : sendWhole(c, '', '');
  const length = response.headers.get('content-length');
  return sendStream(c, body, { type: null, ...(length === null ? {} : { length: Number(length) }) });
}

interface Streaming {
  /** Null: none unless one was set. */
  readonly type?: string | null;
  readonly length?: number;
  readonly isLive?: boolean;
}

function sendStream(c: AnyContext, source: object, { type, length, isLive = false }: Streaming): Promise<void> {
  // Content of a length is somebody's who has said its type, too.
  const given =
    type === undefined && !isSizedSource(source) ? BYTES_LINE : type === undefined || type === null ? '' : `Content-Type: ${type}\r\n`;
  const bytes = length ?? (isSizedSource(source) ? source.byteLength : -1);
  const head = (): StreamHead => {
    const status = c.statusCode === 0 ? 200 : c.statusCode;
    const block = c.lines === null ? given : fieldsOf(c.lines, given);
    return { status, block, length: bytes, bare: isBare(status) || c.exchange.method === 'HEAD' };
  };
  return streamInto(c, source, { head, isLive });
}
