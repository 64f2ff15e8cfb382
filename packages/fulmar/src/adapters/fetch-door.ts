/**
 * Platforms that call with a `Request` and take a `Response`: what all of them share. It uses nothing of
 * Node's unless the application is a listener of messages.
 */
import { type FetchFrom, fetchThrough } from '../app/fetch.ts';
import type { Answering } from './application-types.ts';

/** `more`: further arguments for an application that is a fetch function. */
export type FetchDoor = (request: Request, from: FetchFrom, more: readonly unknown[]) => Promise<Response>;

export function toFetchDoor({ answer, fetch, ready }: Answering): FetchDoor {
  if (fetch !== null) return async (request, _from, more) => (fetch as (...given: unknown[]) => Promise<Response>)(request, ...more);
  return async (request, from) => {
    const waiting = ready();
    if (waiting !== null) await waiting;
    return new Promise<Response>((resolve, reject) => {
      fetchThrough((exchange) => answer(exchange, reject), request, from).then(resolve, reject);
    });
  };
}
