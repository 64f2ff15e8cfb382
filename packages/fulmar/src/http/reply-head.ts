/**
 * Turns status, reason and fields into the header block and flags of a reply, with the rules of Node's
 * `writeHead` and `_storeHeader`. Runs once per reply, before its first byte. Sends nothing.
 */
import { ReplyFlag } from '../exchange/format.ts';
import { invalidChar, invalidStatusCode, throwHeadersSent, throwInvalidHeaderArray, trailerInvalid } from './errors.ts';
import { FieldKind, headerName } from './header-name.ts';
import type { HeaderName } from './header-name.ts';
import { ordered, tagResolver } from './headers-out.ts';
import type { HeaderList } from './headers-out.ts';
import { keepBlock, keptBlock } from './kept-blocks.ts';
import { borrowed } from './borrowed-loader.ts';
import { nodeHttp, nodeMethod } from './node-http.ts';
import type { ResponseState } from './response-state.ts';
import { checkValue, hasInvalidChar, hasNonAscii } from './validate.ts';

const { STATUS_CODES } = nodeHttp;
const parent = nodeHttp.ServerResponse.prototype;
const foreignWriteHead = nodeMethod(parent, 'writeHead');
const foreignStoreHeader = nodeMethod(parent, '_storeHeader');

const RE_CLOSE = /(?:^|\W)close(?:$|\W)/i;
const RE_CHUNKED = /(?:^|\W)chunked(?:$|\W)/i;

const bitOf = (kind: number): number => 1 << kind;
const SAW_CONNECTION = bitOf(FieldKind.connection);
const SAW_TRANSFER_ENCODING = bitOf(FieldKind.transferEncoding);
const SAW_CONTENT_LENGTH = bitOf(FieldKind.contentLength);
const SAW_DATE = bitOf(FieldKind.date);
const SAW_TRAILER = bitOf(FieldKind.trailer);

/** Fields with a meaning for framing or the connection. */
function noteField(res: ResponseState, kind: number, value: unknown): void {
  res._kindsSeen |= bitOf(kind);
  if (kind === FieldKind.connection) {
    res._removedConnection = false;
    if (RE_CLOSE.test(String(value))) res._last = true;
    else res.shouldKeepAlive = true;
  } else if (kind === FieldKind.transferEncoding) {
    res._removedTE = false;
    if (RE_CHUNKED.test(String(value))) res.chunkedEncoding = true;
  } else if (kind === FieldKind.contentLength) {
    res._contentLength = Number(value);
    if (res._removedContLen) res._removedContLen = false;
  } else if (kind === FieldKind.keepAlive) res._defaultKeepAlive = false;
}

function lineOf(res: ResponseState, name: HeaderName, value: unknown): string {
  const line = `${name.prefix}${value as string}\r\n`;
  if (name.kind !== FieldKind.plain) noteField(res, name.kind, value);
  return line;
}

/**
 * Node reads latin1 as UTF-8 here so that a UTF-8 file name set as binary survives; kept because clients rely
 * on it.
 */
const rereadDisposition = (value: unknown): string => Buffer.from(String(value), 'latin1').toString();

/** The lines of one field. */
function linesOf(res: ResponseState, name: HeaderName, given: unknown): string {
  let value = given;
  if (name.kind === FieldKind.contentDisposition && (res._endLength || Boolean(res._contentLength))) {
    value = Array.isArray(value) ? value.map(rereadDisposition) : rereadDisposition(value);
  }
  if (!Array.isArray(value)) return lineOf(res, name, value);
  const joined = (value.length >= 2 && name.kind === FieldKind.cookie) || (res._unique !== null && res._unique.has(name.lower));
  if (joined) return lineOf(res, name, value.join('; '));
  let lines = '';
  for (const one of value) lines += lineOf(res, name, one);
  return lines;
}

/** A field given to `writeHead` directly: checked here, never stored. */
function givenLines(res: ResponseState, name: string, value: unknown): string {
  const interned = headerName(name);
  if (Array.isArray(value)) for (const one of value) checkValue(name, one);
  else checkValue(name, value);
  return linesOf(res, interned, value);
}

export function givenBlock(res: ResponseState, headers: object): string {
  let block = '';
  if (!Array.isArray(headers)) {
    for (const name of Object.keys(headers)) block += givenLines(res, name, (headers as Record<string, unknown>)[name]);
  } else if (Array.isArray(headers[0])) {
    for (const [name, value] of headers as [string, unknown][]) block += givenLines(res, name, value);
  } else {
    if (headers.length % 2 !== 0) throwInvalidHeaderArray(headers);
    for (let i = 0; i < headers.length; i += 2) block += givenLines(res, headers[i] as string, headers[i + 1]);
  }
  return block;
}

let duplicatesStay: boolean | undefined;

/**
 * Newer Nodes keep duplicates of a raw array after `setHeader`, older ones let the last one win. Asked once.
 */
function keepsDuplicates(): boolean {
  if (duplicatesStay === undefined) {
    const probe = new nodeHttp.ServerResponse(new nodeHttp.IncomingMessage(null as never));
    probe.setHeader('a', '1');
    probe.writeHead(200, ['b', '1', 'b', '2']);
    duplicatesStay = Array.isArray(probe.getHeader('b'));
  }
  return duplicatesStay;
}

function mergeArray(res: ResponseState, headers: readonly unknown[]): void {
  if (headers.length % 2 !== 0) throwInvalidHeaderArray(headers);
  const append = keepsDuplicates();
  if (append) for (let i = 0; i < headers.length; i += 2) res.removeHeader(headers[i] as string);
  for (let i = 0; i < headers.length; i += 2) {
    if (!headers[i]) continue;
    if (append) res.appendHeader(headers[i] as string, headers[i + 1] as string);
    else res.setHeader(headers[i] as string, headers[i + 1] as string);
  }
}

/** `writeHead` after `setHeader`: the given fields replace stored ones. */
function mergeFields(res: ResponseState, headers: object): void {
  if (Array.isArray(headers)) mergeArray(res, headers);
  else for (const name of Object.keys(headers)) if (name) res.setHeader(name, (headers as Record<string, string>)[name] as string);
}

function connectionFlags(res: ResponseState, seen: number): number {
  if (res._removedConnection) {
    if (!res.shouldKeepAlive) res._last = true;
    return 0;
  }
  if ((seen & SAW_CONNECTION) !== 0) return 0;
  if (!res.shouldKeepAlive || ((seen & SAW_CONTENT_LENGTH) === 0 && !res.useChunkedEncodingByDefault)) {
    res._last = true;
    return ReplyFlag.closeField;
  }
  if (res.maxRequestsOnConnectionReached) return ReplyFlag.closeField;
  return res._defaultKeepAlive ? ReplyFlag.keepAlive : ReplyFlag.keepAlive | ReplyFlag.noKeepAliveHint;
}

function framingFlags(res: ResponseState, seen: number): number {
  if ((seen & (SAW_CONTENT_LENGTH | SAW_TRANSFER_ENCODING)) !== 0) return res.chunkedEncoding ? ReplyFlag.chunked : 0;
  if (!res._hasBody) {
    if (res.chunkedEncoding) res.chunkedEncoding = false;
    return 0;
  }
  if (!res.useChunkedEncodingByDefault) {
    res._last = true;
    return 0;
  }
  if ((res._endLength || typeof res._contentLength === 'number') && (seen & SAW_TRAILER) === 0 && !res._removedContLen)
    return ReplyFlag.contentLength;
  if (!res._removedTE) {
    res.chunkedEncoding = true;
    return ReplyFlag.chunkedField;
  }
  res._last = true;
  return 0;
}

/** Node's `_storeHeader`: decides Date, Connection and framing, and freezes the block. */
export function storeHead(res: ResponseState, block: string): void {
  const seen = res._kindsSeen;
  let flags = res.sendDate && (seen & SAW_DATE) === 0 ? ReplyFlag.date : 0;
  if (res.chunkedEncoding && (res.statusCode === 204 || res.statusCode === 304)) {
    res.chunkedEncoding = false;
    res.shouldKeepAlive = false;
  }
  flags |= connectionFlags(res, seen) | framingFlags(res, seen);
  if ((seen & SAW_TRAILER) !== 0 && !res.chunkedEncoding) throw trailerInvalid();
  if (!res._hasBody) flags = (flags & ~ReplyFlag.chunked) | ReplyFlag.noContent;
  if (res._last || res.maxRequestsOnConnectionReached) flags |= ReplyFlag.closeAfter;
  res._flags = flags;
  res._block = block;
}

const isBodiless = (status: number): boolean => status === 204 || status === 304 || status <= 199;

/**
 * The header block of the stored fields; the common case is a run of plain string values, often the same as
 * those of a reply before.
 */
export function storedBlock(res: ResponseState, stored: HeaderList): string {
  if (res._unique !== null) return makeBlock(res, stored);
  const kept = keptBlock(stored);
  if (kept === undefined) return keepBlock(stored, makeBlock(res, stored));
  for (let i = kept.notedFrom; i < stored.length; i += 2) {
    const { kind } = stored[i] as HeaderName;
    if (kind !== FieldKind.plain) noteField(res, kind, stored[i + 1]);
  }
  return kept.block;
}

/** The same without the table. */
export function makeBlock(res: ResponseState, stored: HeaderList): string {
  const list = ordered(stored);
  let block = '';
  for (let i = 0; i < list.length; i += 2) {
    const name = list[i] as HeaderName;
    const value = list[i + 1];
    block += name.kind === FieldKind.plain && typeof value === 'string' ? name.prefix + value + '\r\n' : linesOf(res, name, value);
  }
  return block;
}

function setStatus(res: ResponseState, given: unknown, reason: unknown): void {
  const status = (given as number) | 0;
  if (status < 100 || status > 999) throw invalidStatusCode(given);
  if (typeof reason === 'string') res.statusMessage = reason;
  else if (!res.statusMessage) res.statusMessage = STATUS_CODES[status] ?? 'unknown';
  res.statusCode = status;
}

/** `writeHead` of a response that answers an exchange. */
function writeHead(res: ResponseState, given: unknown, reason: unknown, fields: unknown): void {
  if (res._block !== null) throwHeadersSent('writeHead');
  setStatus(res, given, reason);
  const headers = typeof reason === 'string' ? fields : (fields ?? reason);
  const isGiven = headers !== undefined && headers !== null;
  // A head that could not be made may be made again.
  if (res._kindsSeen !== 0) res._kindsSeen = 0;
  const stored = res._out !== null;
  if (stored && isGiven) mergeFields(res, headers as object);
  if (res.statusMessage !== STATUS_CODES[res.statusCode] && hasInvalidChar(res.statusMessage)) throw invalidChar('statusMessage');
  if (isBodiless(res.statusCode)) res._hasBody = false;
  if (res._expect_continue && !res._sent100) res.shouldKeepAlive = false;
  let block = '';
  if (stored) block = storedBlock(res, res._out as HeaderList);
  else if (isGiven) block = givenBlock(res, headers as object);
  storeHead(res, block);
}

/**
 * Node writes head and first string chunk as one UTF-8 string; bytes of the head above 0x7F then go out as
 * UTF-8. Clients see that, so it is kept: the block is turned into the latin1 spelling of those bytes.
 */
export function toUtf8Block(block: string): string {
  return hasNonAscii(block) ? Buffer.from(block, 'utf8').toString('latin1') : block;
}

/** The reason phrase for the engine: null stands for the standard phrase. */
export function reasonOf(res: ResponseState): string | null {
  const message = res.statusMessage;
  return message === undefined || message === STATUS_CODES[res.statusCode] ? null : message;
}

export const headMembers = {
  writeHead(this: ResponseState, status: number, reason?: unknown, headers?: unknown): unknown {
    if (this._exchange === undefined) return foreignWriteHead.call(this, status, reason, headers);
    writeHead(this, status, reason, headers);
    return this;
  },
  _storeHeader(this: ResponseState, firstLine: unknown, headers: unknown): void {
    if (this._exchange === undefined) foreignStoreHeader.call(this, firstLine, headers);
    else borrowed().storeHeader(this, firstLine, headers);
  },
  _implicitHeader(this: ResponseState): void {
    this.writeHead(this.statusCode);
  },
  /** The head as text once it is decided, as middleware looks at it; null before. */
  get _header(): string | null | undefined {
    const res = this as unknown as ResponseState;
    if (res._exchange === undefined) return null;
    if (res._block === null) return null;
    if (res._tagged !== null) tagResolver.resolve(res);
    return (res._headText ??= borrowed().headText(res));
  },
  set _header(value: string | null | undefined) {
    const res = this as unknown as ResponseState;
    if (res._exchange === undefined) Object.defineProperty(res, '_header', { value, writable: true, enumerable: true, configurable: true });
    else if (value === null || value === undefined) res._block = null;
    else if (res._block === null) borrowed().setHead(res, value);
    else res._headText = value;
  },
};

/**
 * What not every Node has: an old name, and a question that Node's own functions ask. Fields are checked
 * strictly, as heads are parsed.
 */
const someMembers: Record<string, unknown> = {
  writeHeader: headMembers.writeHead,
  _isLenientHeaderValidation(this: ResponseState): unknown {
    return this._exchange === undefined ? nodeMethod(parent, '_isLenientHeaderValidation').call(this) : false;
  },
};
for (const [name, member] of Object.entries(someMembers)) if (name in parent) Object.assign(headMembers, { [name]: member });
