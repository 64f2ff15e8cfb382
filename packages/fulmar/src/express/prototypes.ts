/**
 * Gives requests and responses the members of the application that handles them. On our own server they are
 * created with the right prototype and nothing happens here; others get their prototype replaced, as upstream
 * does it. Node's HTTP/2 messages could not work without their own prototype: they get a bridge, which stands
 * on it.
 */
import { IncomingMessage } from '../http/index.ts';
import type { Application } from './application-types.ts';
import { bridge } from './http2-bridge.ts';

const { getPrototypeOf } = Object;

/** Makes a request and its response the application's. */
export function adopt(app: Application, req: object, res: object): void {
  const isOwn = getPrototypeOf(req) === app.request;
  if (!isOwn && isHttp2(req)) {
    bridge(app, req, res);
    return;
  }
  if (!isOwn) Object.setPrototypeOf(req, app.request);
  if (getPrototypeOf(res) !== app.response) Object.setPrototypeOf(res, app.response);
}

function isHttp2(req: object): boolean {
  return (req as { httpVersionMajor?: unknown }).httpVersionMajor === 2 && !(req instanceof IncomingMessage);
}
