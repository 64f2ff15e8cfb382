/**
 * `end(callback)`: as the running Node has it. Older ones make the callback a listener of `finish`, called in
 * the order in which all listeners were added and never when the reply is lost; newer ones call back before
 * all listeners, also with the error.
 */
import { alreadyFinished, streamDestroyed } from './errors.ts';
import { lifeOf, watchSent } from './lifecycle.ts';
import { nodeHttp } from './node-http.ts';
import type { Exchange } from '../exchange/types.ts';
import type { DoneCallback, ResponseState } from './response-state.ts';

const nop = (): void => undefined;
let listens: boolean | undefined;

/** Ends a response of Node's own that nobody sends, and looks for the listener. */
function probe(): boolean {
  const res = new nodeHttp.ServerResponse({ method: 'GET', httpVersionMajor: 1, httpVersionMinor: 1 } as never);
  res.sendDate = false;
  res.end(nop);
  return res.listenerCount('finish') > 0;
}

/** Is the callback a listener of `finish`? Asked when the first one is given. */
const isListener = (): boolean => (listens ??= probe());

/** Takes the callback of an `end()`. */
export function queueEndCallback(res: ResponseState, callback: DoneCallback): void {
  if (res._finishSeen) callback(alreadyFinished('end'));
  else if (isListener()) {
    if (res.finished) res.on('finish', callback);
    else res.once('finish', callback);
  } else if (res._closed) process.nextTick(callback, res._errored ?? streamDestroyed('end'));
  else {
    const exchange = res._exchange as Exchange;
    const life = res.finished ? watchSent(res, exchange) : lifeOf(res, exchange);
    (life.callbacks ??= []).push(callback);
  }
}
