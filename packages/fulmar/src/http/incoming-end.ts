/**
 * The content of a request where nobody has made a stream of it yet, and its end: what arrives, what is left
 * when the reply is out or the connection gone. Beneath `lifecycle.ts`, which calls it, and
 * `incoming-stream.ts`.
 */
import type { ContentSink, Exchange } from '../exchange/types.ts';
import { toHeaders } from './headers-in.ts';
import { ContentPhase } from './incoming-state.ts';
import type { IncomingState } from './incoming-state.ts';

/** Takes streamed content for one request. */
export class RequestSink implements ContentSink {
  readonly #req: IncomingState;

  constructor(req: IncomingState) {
    this.#req = req;
  }

  onContent(chunk: Buffer): void {
    const req = this.#req;
    if (req._dumped && req.listenerCount('data') === 0) return;
    if (req.push(chunk)) return;
    req._paused = true;
    req._exchange?.pauseContent();
  }

  onContentEnd(rawTrailers: string[]): void {
    finishContent(this.#req, rawTrailers);
  }
}

/**
 * Who has asked for the trailers before they came has the object that they belong in; as in Node, not that of
 * `trailersDistinct`.
 */
function addTrailers(req: IncomingState, rawTrailers: string[]): void {
  req._rawTrailers = rawTrailers;
  if (req._trailers !== null) Object.assign(req._trailers, toHeaders(rawTrailers, req.joinDuplicateHeaders));
}

export function finishContent(req: IncomingState, rawTrailers: string[]): void {
  req._phase = ContentPhase.ended;
  req._complete = true;
  if (rawTrailers.length > 0) addTrailers(req, rawTrailers);
  req.push(null);
}

/**
 * Somebody waits for the end of the content, which the reply may come before: it is not thrown away with it.
 */
export function keepContent(req: IncomingState, exchange: Exchange): void {
  // Nobody has asked for it, and the client waits to be told: it need not come.
  if (req._phase >= ContentPhase.reading || (exchange.expectContinue && !req._isRead)) return;
  if (req._stream !== null || req._listened !== 0) exchange.keepContent(new RequestSink(req));
}

const isUnheard = (req: IncomingState): boolean => req._stream === null && req._listened === 0;

/**
 * The reply is out. Content nobody reads is thrown away; listeners still learn of its end. False: nobody
 * listens, and `settleUnheard` is to be called when those of `finish` have been.
 */
export function settleIncoming(req: IncomingState): boolean {
  if (req._isRead || (req._stream !== null && req._stream.resumeScheduled)) return true;
  req._dumped = true;
  if (isUnheard(req)) return false;
  req.removeAllListeners('data');
  discard(req);
  return true;
}

export function settleUnheard(req: IncomingState): void {
  if (req._isRead || req._phase > ContentPhase.idle) return;
  const exchange = req._exchange as Exchange;
  if (exchange.isStreamed) exchange.discardContent();
  else if (!isUnheard(req)) return discard(req); // Of content that is still under way the end is not waited for.
  req._phase = ContentPhase.settled;
}

function discard(req: IncomingState): void {
  if (req._phase < ContentPhase.idle) req._phase = ContentPhase.idle;
  req.resume();
}

/** The connection is gone. */
export function abortIncoming(req: IncomingState, error: Error): void {
  if (req._stream === null && req._listened === 0) {
    if (req._phase >= ContentPhase.reading) return;
    req.aborted = true;
    req._phase = ContentPhase.settled;
    req._abort?.abort();
    return;
  }
  req.destroy(error);
}
