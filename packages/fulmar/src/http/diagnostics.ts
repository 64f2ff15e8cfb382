/**
 * Node's diagnostics channels for servers, published only when somebody subscribes: whoever publishes asks
 * `hasSubscribers` before.
 */
import { channel } from 'node:diagnostics_channel';
import type { IncomingState } from './incoming-state.ts';
import type { ResponseState } from './response-state.ts';

export const requestStart = channel('http.server.request.start');
export const responseCreated = channel('http.server.response.created');
/** Subscribers to this one make every response observed. */
export const responseFinish = channel('http.server.response.finish');

export function publishStart(request: IncomingState, response: unknown): void {
  requestStart.publish({ request, response, socket: request.socket, server: request._server });
}

export function publishFinish(request: IncomingState, response: ResponseState): void {
  responseFinish.publish({ request, response, socket: request.socket, server: request._server });
}
