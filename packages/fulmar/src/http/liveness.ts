/**
 * What the frameworks above ask about a message of ours without making its socket or its observers: whether a
 * reply can still be written, and word of a connection that breaks. Each function says so when the message is
 * not ours.
 */
import type { IncomingState } from './incoming-state.ts';
import { lifeOf } from './lifecycle.ts';
import type { ResponseState } from './response-state.ts';

/**
 * The request came over a connection of the engine, which is never encrypted, and nobody has put another
 * socket in place.
 */
export function isPlainHttp(request: object): boolean {
  const req = request as IncomingState;
  return req._exchange !== undefined && req._socket === null;
}

/**
 * Whether the reply has no end yet and its connection still takes one; undefined for a response that is not
 * ours.
 */
export function isReplyWritable(response: object): boolean | undefined {
  const res = response as ResponseState;
  if (res._exchange === undefined) return undefined;
  if (res.finished) return false;
  const socket = res.req._socket;
  if (socket !== null) return socket.writable;
  return !res._destroyed && !res._closed && (res._life === null || !res._life.over);
}

/**
 * Nothing of the reply is given yet: neither head nor content nor trailers, waiting or on their way, and it
 * is not given up.
 */
export function isUnbegun(res: ResponseState): boolean {
  return res._block === null && !res.finished && !res._started && !res._destroyed && res._held === null && res._trailer === '';
}

/**
 * Calls back if the connection breaks with an error before the reply is given, where Node's socket would emit
 * `error`. False: the response is not ours, or is over already.
 */
export function onConnectionError(response: object, callback: (error: Error) => void): boolean {
  const res = response as ResponseState;
  if (res._exchange === undefined || res.finished || !res._exchange.open) return false;
  lifeOf(res, res._exchange).broken = callback;
  return true;
}
