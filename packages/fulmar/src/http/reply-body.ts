/**
 * The content of a reply: `write`, `end`, cork, drain. The common case, `end(content)` with nothing written
 * before, is one `exchange.reply()`. Never decides header fields; it asks `writeHead` through the response,
 * so that middleware can patch it.
 */
import { isUint8Array } from 'node:util/types';
import { DIGEST_CHARS, DIGEST_PLACE_SHIFT, ReplyFlag } from '../exchange/format.ts';
import { bytesIn, firstBytes } from '../exchange/node-buffer.ts';
import type { Exchange } from '../exchange/types.ts';
import { responseFinish } from './diagnostics.ts';
import { queueEndCallback } from './end-callback.ts';
import { bodyNotAllowed, contentLengthMismatch, streamDestroyed, throwInvalidChunk, unknownEncoding, writeAfterEnd } from './errors.ts';
import { tagResolver } from './headers-out.ts';
import { beforeEnd, finishLeft, lifeOf, watchSent } from './lifecycle.ts';
import type { Lifecycle } from './lifecycle.ts';
import { reasonOf, toUtf8Block } from './reply-head.ts';
import { promised } from './reply-length.ts';
import type { DoneCallback, HeldChunk, ResponseState } from './response-state.ts';

type Chunk = string | Uint8Array;

/** A tag whose digest the engine fills in is the block's last field: the digest, a quote and CRLF. */
const TAG_AT_END = ReplyFlag.digest | ((DIGEST_CHARS + '"\r\n'.length) << DIGEST_PLACE_SHIFT);

const nop = (): void => undefined;

const sizeOf = (chunk: Chunk, encoding: BufferEncoding | undefined): number =>
  typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : bytesIn(chunk);

const isUtf8 = (encoding: string | null | undefined): boolean =>
  encoding === undefined || encoding === null || encoding === 'utf8' || encoding === 'utf-8';

/**
 * A string in an encoding the engine does not know becomes bytes; throws ERR_UNKNOWN_ENCODING as Node does.
 */
function toWire(chunk: Chunk, encoding: BufferEncoding | null | undefined): Chunk {
  if (typeof chunk !== 'string' || isUtf8(encoding) || encoding === 'latin1') return chunk;
  return Buffer.from(chunk, encoding as BufferEncoding);
}

function failLater(res: ResponseState, error: Error, callback: DoneCallback): void {
  if (res._destroyed) process.nextTick(callback, error);
  else process.nextTick(emitFailure, res, error, callback);
}

function emitFailure(res: ResponseState, error: Error, callback: DoneCallback): void {
  callback(error);
  if (!res._destroyed) res.emit('error', error);
}

const isStrict = (res: ResponseState): boolean =>
  res._contentLength !== null && res._hasBody && !res._removedContLen && !res.chunkedEncoding && !res.hasHeader('transfer-encoding');

export function startReply(res: ResponseState, exchange: Exchange, utf8: boolean): void {
  const flags = res._flags;
  // The engine counts against the length, whoever wrote the field, and ends the connection after a reply that
  // stays below it.
  const length = flags & ReplyFlag.contentLength ? (res._contentLength ?? 0) : promised(res);
  const block = res._block as string;
  lifeOf(res, exchange);
  exchange.start(res.statusCode, reasonOf(res), utf8 ? toUtf8Block(block) : block, flags, length);
  res._started = true;
}

/** Cuts a chunk to what the promised length still allows. */
function withinPromise(res: ResponseState, chunk: Chunk, encoding: BufferEncoding | undefined): Chunk {
  const limit = promised(res);
  if (limit < 0) return chunk;
  const size = sizeOf(chunk, encoding);
  const before = res._bytes;
  res._bytes = before + size;
  if (before + size <= limit) return chunk;
  const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
  return firstBytes(bytes, Math.max(0, limit - before));
}

function sendChunk(res: ResponseState, exchange: Exchange, chunk: Chunk, encoding: BufferEncoding | undefined): boolean {
  const data = toWire(chunk, encoding);
  if (!res._started) startReply(res, exchange, typeof data === 'string' && isUtf8(encoding) && !res.chunkedEncoding);
  const content = res.strictContentLength ? data : withinPromise(res, data, encoding);
  if (content.length === 0) return true;
  return exchange.write(content, typeof content === 'string' && encoding === 'latin1' ? 'latin1' : 'utf8');
}

function settleWrite(res: ResponseState, accepted: boolean, callback: DoneCallback | null): void {
  if (callback === null) return;
  if (accepted) process.nextTick(callback, null);
  else (res._drainCallbacks ??= []).push(callback);
}

/** Counts the content of a response with `strictContentLength`. */
function checkStrict(res: ResponseState, chunk: Chunk, encoding: BufferEncoding | undefined, last: boolean): void {
  const size = sizeOf(chunk, encoding);
  const total = res._bytes + size;
  if (isStrict(res)) {
    const declared = res._contentLength as number;
    if (last ? total !== declared : total > declared) throw contentLengthMismatch(total, declared);
  }
  res._bytes = total;
}

/** `write` of a response that answers an exchange. */
export function writeContent(
  res: ResponseState,
  chunk: unknown,
  encoding: BufferEncoding | undefined,
  callback: DoneCallback | null,
): boolean {
  if (chunk === null || (typeof chunk !== 'string' && !isUint8Array(chunk))) throwInvalidChunk(chunk);
  if (res.finished || isGone(res)) {
    failLater(res, res.finished ? writeAfterEnd() : streamDestroyed('write'), callback ?? nop);
    return false;
  }
  if (res.strictContentLength) checkStrict(res, chunk, encoding, false);
  if (res._block === null) res._implicitHeader();
  if (!res._hasBody) {
    if (res._rejectBodyWrites) throw bodyNotAllowed();
    process.nextTick(callback ?? nop);
    return true;
  }
  if (res.chunkedEncoding && typeof chunk === 'string' && encoding && !Buffer.isEncoding(encoding)) throw unknownEncoding(encoding);
  if (res._corked === 0) {
    // As Node: what is written in one tick leaves together, and is lost with a connection destroyed in that
    // tick.
    res._corked = 1;
    process.nextTick(uncorkTick, res);
  }
  return holdChunk(res, chunk, encoding, callback);
}

function uncorkTick(res: ResponseState): void {
  if (res._corked > 0 && --res._corked === 0) releaseHeld(res);
}

/** The response cannot be written: destroyed by the application, or its connection is gone. */
const isGone = (res: ResponseState): boolean => res._destroyed;

/** Whether held chunks have nowhere to go any more. */
const isLost = (res: ResponseState): boolean => res._destroyed || (res.req._socket !== null && res.req._socket.destroyed);

function holdChunk(res: ResponseState, data: Chunk, encoding: BufferEncoding | undefined, callback: DoneCallback | null): boolean {
  const held = (res._held ??= []);
  const length = (held.at(-1)?.length ?? 0) + (typeof data === 'string' ? data.length : bytesIn(data));
  held.push({ data, encoding, callback, length });
  return length < res.req._server.highWaterMark;
}

/**
 * Sends what `cork()` held back, as one piece. A reply whose bytes the application has given away meanwhile
 * cannot be completed.
 */
export function releaseHeld(res: ResponseState): void {
  const held = res._held;
  if (held === null || held.length === 0) return;
  res._held = null;
  const data = isLost(res) ? null : dataOf(held);
  if (data === null) {
    if (!isLost(res)) res.destroy();
    for (const { callback } of held) if (callback !== null) process.nextTick(callback, res._errored ?? streamDestroyed('write'));
    return;
  }
  const accepted = sendChunk(res, res._exchange as Exchange, data, held.length === 1 ? held[0]?.encoding : undefined);
  for (const { callback } of held) settleWrite(res, accepted, callback);
  if (!accepted) res._needDrain = true;
  else if (res._needDrain && !res.finished) process.nextTick(drainNow, res);
}

/** What is held, as one piece; null when some of it was transferred or made shorter since it was written. */
function dataOf(held: readonly HeldChunk[]): Chunk | null {
  let before = 0;
  for (const { data, length } of held) {
    if (typeof data !== 'string' && bytesIn(data) < length - before) return null;
    before = length;
  }
  if (held.length === 1) return (held[0] as HeldChunk).data;
  const pieces = held.map(({ data, encoding }) => (typeof data === 'string' ? Buffer.from(data, encoding ?? 'utf8') : data));
  try {
    // What was given away before it was written is empty, as in Node, and `concat` does not take it.
    return Buffer.concat(pieces.filter((piece) => bytesIn(piece) > 0));
  } catch {
    return null;
  }
}

function drainNow(res: ResponseState): void {
  if (!res._needDrain || res.finished || res._destroyed) return;
  res._needDrain = false;
  res.emit('drain');
}

/** Writes content whose head is decided; nothing is checked. */
export function writeWhole(res: ResponseState, chunk: Chunk, encoding: BufferEncoding | undefined, callback: DoneCallback | null): boolean {
  if (res._corked > 0) return holdChunk(res, chunk, encoding, callback);
  const accepted = sendChunk(res, res._exchange as Exchange, chunk, encoding);
  settleWrite(res, accepted, callback);
  return accepted;
}

/**
 * The application ends a reply that the engine sends from a file: as of a stream that is still read, the rest
 * does not come.
 */
function cutFile(life: Lifecycle, exchange: Exchange): void {
  if (exchange.cutFile()) life.fileSent = null;
}

/** Ends a reply that has already begun, or that has trailers. */
function endStarted(res: ResponseState, exchange: Exchange, chunk: Chunk | null, encoding: BufferEncoding | undefined): void {
  res._corked = 0;
  releaseHeld(res);
  if (res._destroyed) return;
  if (res._life !== null && res._life.fileSent !== null) return cutFile(res._life, exchange);
  if (chunk !== null && !res._started) res._contentLength ??= sizeOf(chunk, encoding);
  if (chunk !== null && res._hasBody) sendChunk(res, exchange, chunk, encoding);
  finishStarted(res, exchange);
}

/** Ends a reply whose content is written, but for what is held back. */
export function finishStarted(res: ResponseState, exchange: Exchange): void {
  if (!res._started) startReply(res, exchange, false);
  exchange.end(res.chunkedEncoding && res._trailer !== '' ? res._trailer : undefined);
}

/** The whole reply in one call. */
function replyOnce(res: ResponseState, exchange: Exchange, chunk: Chunk | null, encoding: BufferEncoding | undefined): void {
  // The head may have found a status without content: then the engine sees no bytes to tag.
  if (res._tagged !== null && (!res._hasBody || !tagResolver.isLast(res._block as string))) tagResolver.resolve(res);
  let flags = res._tagged === null ? res._flags : res._flags | TAG_AT_END;
  let body = chunk;
  let block = res._block as string;
  if (!res._hasBody) body = null;
  else if (typeof body === 'string') {
    // A tagged body stands for its bytes: beside bytes the head stays as it is.
    if (!isUtf8(encoding)) body = toWire(body, encoding);
    else if (res._tagged === null && !res.chunkedEncoding) block = toUtf8Block(block);
  }
  if (res._contentLength !== null && !res.strictContentLength) {
    const length = promised(res);
    if (length >= 0 && (body === null ? 0 : sizeOf(body, encoding)) !== length) {
      body = body === null ? null : withinPromise(res, body, encoding);
      if (res._bytes < length) flags |= ReplyFlag.closeAfter;
    }
  }
  const digest = exchange.reply(res.statusCode, reasonOf(res), block, flags, body, encoding === 'latin1' ? 'latin1' : 'utf8');
  res._started = true; // Not before: who catches what was thrown here can still answer.
  if (digest !== null) tagResolver.fill(res, digest);
}

/** `end` of a response that answers an exchange and is not finished yet. */
export function endContent(
  res: ResponseState,
  chunk: Chunk | null,
  encoding: BufferEncoding | undefined,
  callback: DoneCallback | null,
): void {
  const exchange = res._exchange as Exchange;
  if (chunk !== null && res.strictContentLength) checkStrict(res, chunk, encoding, true);
  if (res._block === null) {
    if (chunk === null) res._contentLength = 0;
    else if (res.strictContentLength) res._contentLength ??= sizeOf(chunk, encoding);
    else res._endLength = true;
    res._implicitHeader();
  }
  if (chunk !== null && !res._hasBody && res._rejectBodyWrites) throw bodyNotAllowed();
  if (callback !== null) queueEndCallback(res, callback);
  if (res.strictContentLength && isStrict(res) && res._bytes !== res._contentLength)
    throw contentLengthMismatch(res._bytes, res._contentLength as number);
  // Asked before the reply is complete, so that the engine reports it at its place among the connection's
  // replies.
  if (responseFinish.hasSubscribers) watchSent(res, exchange);
  else beforeEnd(res, exchange);
  if (!res._destroyed) {
    if (res._started || res._held !== null || res._trailer !== '') endStarted(res, exchange, chunk, encoding);
    else replyOnce(res, exchange, chunk, encoding);
  }
  res.finished = true;
  if (res._life !== null && res._life.isLeft) process.nextTick(finishLeft, res._life);
  if (res._listened !== 0) res._finish();
}

/** Sends the head alone. */
export function flushHead(res: ResponseState): void {
  if (!res._started && !res._destroyed) startReply(res, res._exchange as Exchange, false);
}

export { failLater };
