// Node's diagnostics channels for servers, published only when somebody subscribes.
import { channel } from 'node:diagnostics_channel';
import type { IncomingState } from './incoming-state.ts';
import type { ResponseState } from './response-state.ts';

const requestStart = channel('http.server.request.start');
const responseCreated = channel('http.server.response.created');
const responseFinish = channel('http.server.response.finish');

/** True when a request has to be published; subscribers to `finish` make every response observed. */
export const hasFinishSubscribers = (): boolean => responseFinish.hasSubscribers;

export function publishCreated(request: unknown, response: unknown): void {
  if (responseCreated.hasSubscribers) responseCreated.publish({ request, response });
}

export function publishStart(request: IncomingState, response: unknown): void {
  if (!requestStart.hasSubscribers) return;
  requestStart.publish({ request, response, socket: request.socket, server: request._server });
}

export function publishFinish(request: IncomingState, response: ResponseState): void {
  if (!responseFinish.hasSubscribers) return;
  responseFinish.publish({ request, response, socket: request.socket, server: request._server });
}
