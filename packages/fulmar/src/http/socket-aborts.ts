/**
 * What a lost connection is told to its socket and its messages, in Node's order: `end` or `error` of the
 * socket, then the requests, then `close` of the socket, then the replies. Only for connections whose socket
 * somebody has asked for; never makes one.
 */
import type { FulmarSocket } from './socket.ts';

/** A pair of messages whose connection is gone, waiting for its socket to say so first. */
export interface Aborting {
  abortRequest(): void;
  abortReply(): void;
}

/**
 * The first request that knows its socket: replies are told by a listener of `close`, before those the
 * handler adds.
 */
export function follow(socket: FulmarSocket): void {
  if (socket._aborting !== null) return;
  socket._aborting = [];
  socket.on('close', abortReplies);
}

/** `close` is about to be emitted. */
export function abortRequests(socket: FulmarSocket): void {
  for (const pair of socket._aborting ?? []) pair.abortRequest();
}

function abortReplies(this: FulmarSocket): void {
  const aborting = this._aborting ?? [];
  this._aborting = [];
  for (const pair of aborting) pair.abortReply();
}

/**
 * Word of a broken connection comes to the exchange first; on Node the socket has `end` or `error` before its
 * messages are aborted. True: the pair is told when the socket closes. The notice of that is in the same
 * batch; if it is not, nothing is to be waited for.
 */
export function abortWith(socket: FulmarSocket, pair: Aborting): boolean {
  const isRaw = socket._raw && !socket._isRefused;
  // What the application has destroyed closes as soon as the engine's notice of it comes.
  const isGone = socket.destroyed && socket._closeHolds === 0;
  if (socket._aborting === null || isRaw || socket._closeEmitted || isGone) return false;
  socket._aborting.push(pair);
  // A batch may be handed over in parts, with ticks between them. What was refused closes when its answer is
  // out, or its time is up.
  if (socket._aborting.length === 1 && !socket._isRefused) setImmediate(abortUnlessClosing, socket);
  return true;
}

/** A pair that has come to its end after all. */
export function forgetAbort(socket: FulmarSocket, pair: Aborting): void {
  socket._aborting = socket._aborting?.filter((other) => other !== pair) ?? null;
}

function abortUnlessClosing(socket: FulmarSocket): void {
  if (socket._closeSeen) return;
  abortRequests(socket);
  abortReplies.call(socket);
}
