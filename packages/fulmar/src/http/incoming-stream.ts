/**
 * A request's content as a `stream.Readable`: the stream's state is made on first use, the content flows only
 * when asked for, and an unread request ends with its reply. Never parses; the exchange delivers dechunked
 * content.
 */
import { Readable } from 'node:stream';
import type { Exchange } from '../exchange/types.ts';
import { finishContent, RequestSink, settleIncoming, settleUnheard } from './incoming-end.ts';
import { ContentPhase } from './incoming-state.ts';
import type { IncomingState, ReadableStateLike } from './incoming-state.ts';
import { lifeOf, watchSent } from './lifecycle.ts';

interface ReadableClass {
  readonly ReadableState: new (options: { highWaterMark: number }, stream: object, isDuplex: boolean) => ReadableStateLike;
}

/**
 * Makes the stream state. Late: after the exchange it starts as ended, as a dumped request of Node's does.
 */
export function makeStream(req: IncomingState): ReadableStateLike {
  const { ReadableState } = Readable as unknown as ReadableClass;
  settleLeft(req);
  const state = new ReadableState({ highWaterMark: req._server.highWaterMark }, req, false);
  state.readingMore = true;
  req._stream = state;
  if (req._phase === ContentPhase.settled) closeState(state, !req.aborted);
  else if (req._phase === ContentPhase.taken) finishState(state);
  const { _response: res } = req;
  // The stream ends with a reply that is given but not out; nobody has asked for news of it yet.
  if (res?.finished === true && req._phase < ContentPhase.reading) watchSent(res, req._exchange as Exchange);
  return state;
}

/** As after the last chunk was read and `end` was emitted. */
function finishState(state: ReadableStateLike): void {
  state.readingMore = false;
  state.flowing = true;
  state.dataEmitted = true;
  state.ended = true;
  state.endEmitted = true;
}

/** What a reader expects of a request's content, in bytes. */
export interface ContentBounds {
  readonly max: number;
  /** `undefined`: any length. */
  readonly declared: number | undefined;
}

/**
 * Takes the whole content of a request when it arrived with the head, is what is expected, and nobody has
 * looked at the stream or put methods of their own on the request: as if the stream had been read to its end.
 * Null: read the stream.
 */
export function takeInlineContent(request: object, bounds: ContentBounds): Buffer | null {
  const exchange = takeInline(request as IncomingState, bounds);
  return exchange === null ? null : exchange.inlineContent();
}

/** The same as text, decoded from UTF-8. */
export function takeInlineText(request: object, bounds: ContentBounds): string | null {
  const exchange = takeInline(request as IncomingState, bounds);
  return exchange === null ? null : exchange.inlineText();
}

const { emit, push, read, resume, removeListener } = Readable.prototype;
/** Members of ours that reading calls; `incoming-message.ts` puts them here. */
export const readerMembers: { on: unknown; _read: unknown } = { on: undefined, _read: undefined };

/** Nobody watches how the request is read: what reading would call is as it was made. */
function isUnpatched(req: IncomingState): boolean {
  return (
    req.on === readerMembers.on &&
    req._read === readerMembers._read &&
    req.emit === emit &&
    req.push === push &&
    req.read === read &&
    req.resume === resume &&
    req.removeListener === removeListener
  );
}

function takeInline(req: IncomingState, { max, declared }: ContentBounds): Exchange | null {
  const exchange = req._exchange;
  if (exchange === undefined || exchange.contentState !== 'inline' || exchange.inlineBytes > max) return null;
  if (declared !== undefined && declared !== exchange.inlineBytes) return null;
  if (req._stream !== null || req._listened !== 0 || req._isRead || req._phase > ContentPhase.idle) return null;
  if (!isUnpatched(req)) return null;
  req._isRead = true;
  req._complete = true;
  req._phase = ContentPhase.taken;
  return exchange;
}

/**
 * Who has taken the content goes on as after `end`: a stream of Node's then closes, which those hear of who
 * listen by now.
 */
export function closeTaken(request: object): void {
  const req = request as IncomingState;
  if (req._exchange === undefined || req._phase !== ContentPhase.taken || req._listened === 0) return;
  if (req.listenerCount('close') > 0) req.destroy();
}

/** Nobody has touched the content of this request: it is certainly not finished. */
export function isUnread(request: object): boolean {
  const req = request as IncomingState;
  return req._exchange !== undefined && req._exchange.open && req._stream === null && !req._isRead && req._phase <= ContentPhase.idle;
}

/** The head has no condition and nobody can have added one. */
export function isUnconditional(request: object): boolean {
  const req = request as IncomingState;
  return req._exchange !== undefined && req._headers === null && !req._exchange.conditional;
}

function closeState(state: ReadableStateLike, ended: boolean): void {
  if (ended) {
    state.ended = true;
    state.endEmitted = true;
  }
  state.destroyed = true;
  state.closed = true;
  state.closeEmitted = true;
}

/** `_read`: remembers the wish while the handler runs, else lets content flow. */
export function readContent(req: IncomingState): void {
  if (!req._isRead) {
    (req._stream ?? makeStream(req)).readingMore = false;
    req._isRead = true;
  }
  if (req._phase === ContentPhase.handling) req._phase = ContentPhase.wanted;
  else if (req._phase === ContentPhase.idle) deliver(req);
  else if (req._phase === ContentPhase.reading && req._paused) resumeReading(req, req._exchange as Exchange);
}

function resumeReading(req: IncomingState, exchange: Exchange): void {
  req._paused = false;
  exchange.readContent(new RequestSink(req));
}

/**
 * Moves the content that is there into the stream and asks for the rest. `endsLater`: the ticks and promises
 * of those who get it run before it ends, as where Node's parser calls for each piece.
 */
function deliver(req: IncomingState, endsLater = false): void {
  const exchange = req._exchange as Exchange;
  const state = exchange.contentState;
  req._phase = ContentPhase.reading;
  if (state === 'none') {
    finishContent(req, []);
    return;
  }
  const inline = exchange.inlineContent();
  const room = inline.length === 0 || req.push(inline);
  if (state === 'inline') {
    if (endsLater && inline.length > 0) queueMicrotask(() => process.nextTick(finishInline, req));
    else finishContent(req, []);
  } else if (room) exchange.readContent(new RequestSink(req));
  else req._paused = true;
}

function finishInline(req: IncomingState): void {
  if (req._phase === ContentPhase.reading && !req.destroyed) finishContent(req, []);
}

/** The handler has returned: from now on content may be delivered. */
export function releaseContent(req: IncomingState): void {
  if (req._phase > ContentPhase.idle) return;
  const isRead = req._phase === ContentPhase.wanted || req._stream?.flowing === true;
  req._phase = ContentPhase.idle;
  if (isRead) deliver(req, true);
}

/**
 * Somebody looks at the request: if its reply has left, which nobody had waited for, so have its content and
 * its end.
 */
export function settleLeft(req: IncomingState): void {
  if (req._phase !== ContentPhase.idle || req._listened !== 0 || req._isRead || req._stream !== null) return;
  if (req._response?.finished === true && req._response.destroyed && !settleIncoming(req)) settleUnheard(req);
}

const isWhole = (req: IncomingState): boolean => req.readableEnded && req.complete;

/** `_destroy`: an unfinished request takes its connection along, as Node's does. */
export function destroyIncoming(req: IncomingState, error: Error | null, done: (error?: Error | null) => void): void {
  const exchange = req._exchange as Exchange;
  if (!isWhole(req)) {
    req.aborted = true;
    req.emit('aborted');
    req._abort?.abort();
    endConnection(req, exchange);
  }
  process.nextTick(reportError, req, error, done);
}

/**
 * A request that is given up takes its connection along. Not when its socket was taken from it: so does
 * `stream.pipeline` when what reads the request fails, that its callback can still answer.
 */
function endConnection(req: IncomingState, exchange: Exchange): void {
  if (Object.hasOwn(req, 'socket') && req.socket === null) {
    if (exchange.isStreamed) exchange.discardContent();
  } else if (exchange.open) {
    if (req._response !== null) lifeOf(req._response, exchange).leave(exchange);
  } else {
    exchange.connection.destroy();
  }
}

/** An error is passed on only to those who listen, as in Node. */
function reportError(req: IncomingState, error: Error | null, done: (error?: Error | null) => void): void {
  if (req.listenerCount('error') === 0) done();
  else done(error);
}
