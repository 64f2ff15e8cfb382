/**
 * The end of an exchange: learns from the engine that a reply went out or that the connection died, and turns
 * it into Node's events on request and response, in Node's order. Made only when somebody can notice.
 */
import type { Exchange, ExchangeObserver } from '../exchange/types.ts';
import { captureScope } from './context.ts';
import type { Scope } from './context.ts';
import { publishFinish, responseFinish } from './diagnostics.ts';
import { connReset, streamDestroyed } from './errors.ts';
import { abortIncoming, keepContent, settleIncoming, settleUnheard } from './incoming-end.ts';
import type { IncomingState } from './incoming-state.ts';
import { socket as socketParts } from './lazy.ts';
import { isWritten } from './reply-length.ts';
import type { DoneCallback, ResponseState } from './response-state.ts';
import type { FulmarSocket } from './socket.ts';

function emitClose(res: ResponseState): void {
  if (res._closed) return;
  res._destroyed = true;
  res._closed = true;
  res.emit('close');
}

/** Calls back everyone who waits for a write that will not happen any more, or that has happened. */
function releaseDrainCallbacks(res: ResponseState, error: Error | null): void {
  const callbacks = res._drainCallbacks;
  if (callbacks === null) return;
  res._drainCallbacks = null;
  for (const callback of callbacks) callback(error);
}

/** Observes one exchange for its request and response. */
export class Lifecycle implements ExchangeObserver {
  readonly req: IncomingState;
  readonly res: ResponseState;
  /** `end(callback)`: called before `finish`. */
  callbacks: DoneCallback[] | null;
  /** Told of an error of the connection, before anybody else. */
  broken: ((error: Error) => void) | null;
  /** The engine sends the content from a file: called when that is out, before the response's own events. */
  fileSent: (() => void) | null;
  scope: Scope | null;
  asked: boolean;
  over: boolean;
  /** The reply had left when somebody asked. */
  wasOut: boolean;
  leaving: boolean;
  /** Node's own `end` was called on the response: it tells of `finish`. */
  isTold: boolean;
  /** Why there will be no reply. */
  reason: Error | null;
  /** The client has left behind a reply that is all written, and `end()` can still finish it. */
  isLeft: boolean;

  constructor(res: ResponseState) {
    this.req = res.req;
    this.res = res;
    this.callbacks = null;
    this.broken = null;
    this.fileSent = null;
    this.scope = null;
    this.asked = false;
    this.over = false;
    this.wasOut = false;
    this.leaving = false;
    this.isTold = false;
    this.reason = null;
    this.isLeft = false;
  }

  onDrain(): void {
    const { res } = this;
    releaseDrainCallbacks(res, null);
    if (!res._needDrain || res.finished || res._destroyed) return;
    res._needDrain = false;
    res.emit('drain');
  }

  onSent(report?: (error: unknown) => void): void {
    if (this.over) return;
    this.over = true;
    if (this.scope === null) this.finish();
    else this.scope(this.finish, this, report);
  }

  finish(): void {
    if (this.fileSent !== null) return this.endFile(this.fileSent);
    const { req, res } = this;
    releaseDrainCallbacks(res, null);
    res._finishSeen = true;
    if (responseFinish.hasSubscribers) publishFinish(req, res);
    const isSettled = settleIncoming(req);
    detachFromSocket(res);
    process.nextTick(emitClose, res);
    try {
      this.flushCallbacks(null);
      if (!this.isTold) res.emit('finish');
    } finally {
      if (!isSettled) settleUnheard(req);
    }
  }

  /**
   * As with a stream that has been piped to its end: the response ends, who sent the file learns of it,
   * `finish` comes later.
   */
  endFile(sent: () => void): void {
    this.fileSent = null;
    this.res.end();
    process.nextTick(finishLater, this);
    sent();
  }

  onAbort(error: Error, connectionError: Error | null, isBroken: boolean): void {
    // Behind a reply nobody is told that its content breaks off; Node does not tell either.
    if (this.over || this.leaving) return;
    this.isLeft = connectionError === null && !isBroken && isWritten(this.res);
    this.abort(error, connectionError, isBroken);
  }

  abort(error: Error, connectionError: Error | null, isBroken: boolean): void {
    this.over = true;
    this.reason = error;
    const { broken } = this;
    this.broken = null;
    if (connectionError !== null) broken?.(connectionError);
    const socket = ownSocket(this);
    if (socket !== null && socketParts().abortWith(socket, this)) {
      if (this.isLeft) waitForEnd(this, socket);
      // Node destroys the socket for it, which closes after the current phase of the loop: what came before
      // is still read in it.
    } else if (isBroken) setImmediate(abortPair, this);
    else if (this.isLeft) waitForEnd(this, null);
    else abortPair(this);
  }

  /** The response closes without an end; the request, whose end would take the connection along, stays as it is. */
  onTaken(error: Error): void {
    if (this.over || this.leaving) return;
    this.over = true;
    this.reason = error;
    setImmediate(replyTaken, this);
  }

  abortRequest(): void {
    abortIncoming(this.req, connReset('aborted'));
  }

  abortReply(): void {
    const { res } = this;
    releaseDrainCallbacks(res, res._errored ?? this.reason);
    emitClose(res);
    this.flushCallbacks(res._errored ?? streamDestroyed('end'));
  }

  /**
   * The application gives the exchange up: the connection goes now, events follow later, as with Node's
   * sockets.
   */
  leave(exchange: Exchange): void {
    this.leaving = true;
    const socket = ownSocket(this);
    if (socket !== null) socket._closeHolds++;
    exchange.abort();
    // Node's sockets close after the current phase of the loop; listeners see the request end before the
    // response.
    setImmediate(abortLate, this);
  }

  flushCallbacks(error: Error | null): void {
    const { callbacks } = this;
    if (callbacks === null) return;
    this.callbacks = null;
    for (const callback of callbacks) callback(error);
  }
}

function abortLate(life: Lifecycle): void {
  life.leaving = false;
  const socket = ownSocket(life);
  try {
    if (!life.over) life.abort(connReset('aborted'), null, false);
  } finally {
    if (socket !== null) socketParts().releaseClose(socket);
  }
}

const ownSocket = ({ req: { _socket: socket } }: Lifecycle): FulmarSocket | null =>
  socket !== null && socketParts().isOurSocket(socket) ? socket : null;

/**
 * The reply is all written, and its client has ended its side: perhaps because it has the whole of it. Node
 * ends the other side first, and closes the socket a round of the loop later; an `end()` until then finishes
 * the reply.
 */
function waitForEnd(life: Lifecycle, socket: FulmarSocket | null): void {
  if (socket !== null) socket._closeHolds++;
  setImmediate(abortLeft, life, socket);
}

function abortLeft(life: Lifecycle, socket: FulmarSocket | null): void {
  const { isLeft } = life;
  life.isLeft = false;
  if (socket !== null) socketParts().releaseClose(socket);
  else if (isLeft) abortPair(life);
}

/** `end()` of a reply that was all written when its client left. */
export function finishLeft(life: Lifecycle): void {
  if (!life.isLeft) return;
  life.isLeft = false;
  const socket = ownSocket(life);
  if (socket !== null) socketParts().forgetAbort(socket, life);
  life.finish();
}

function abortPair(life: Lifecycle): void {
  life.abortRequest();
  life.abortReply();
}

function replyTaken(life: Lifecycle): void {
  life.abortReply();
}

function finishLater(life: Lifecycle): void {
  life.finish();
}

/** Clears `socket._httpMessage` when the socket object exists. */
function detachFromSocket(res: ResponseState): void {
  const socket = res.req._socket;
  if (socket !== null && socket !== undefined && socket._httpMessage === (res as unknown)) socket._httpMessage = null;
}

/** The observer of a response's exchange, made on first use. */
export function lifeOf(res: ResponseState, exchange: Exchange): Lifecycle {
  let life = res._life;
  if (life === null) {
    life = new Lifecycle(res);
    res._life = life;
    exchange.observer = life;
  }
  return life;
}

/**
 * Makes sure that `finish` and `close` will be emitted. Called when somebody listens and the reply is given.
 */
export function watchSent(res: ResponseState, exchange: Exchange): Lifecycle {
  const life = lifeOf(res, exchange);
  if (!life.asked && !life.over) {
    life.wasOut = res.finished && exchange.bufferedBytes === 0;
    life.asked = true;
    life.scope = captureScope();
    if (exchange.isStreamed) keepContent(res.req, exchange);
    exchange.notifySent();
  }
  return life;
}

/** Does somebody wait for what only an observer can tell: callbacks, drained writes? */
function isAwaited(res: ResponseState, life: Lifecycle): boolean {
  return life.callbacks !== null || res._drainCallbacks !== null || res._started || res._held !== null;
}

/** Somebody has looked at the stream of the content, which ends with the reply if it has not ended before. */
const isStreamOpen = ({ _stream: stream }: IncomingState): boolean => stream !== null && !stream.closed;

/** The reply is about to be complete: is there anyone who wants to know when it is out? */
export function beforeEnd(res: ResponseState, exchange: Exchange): void {
  const { req, _life: life } = res;
  if (res._listened !== 0 || req._listened !== 0 || (life !== null && isAwaited(res, life)) || exchange.isStreamed || isStreamOpen(req))
    watchSent(res, exchange);
  else if (req._socket !== null) detachFromSocket(res);
}
