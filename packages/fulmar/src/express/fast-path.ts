// The one place where this layer hands finished replies to the http layer. Everything here goes through node:http's
// public methods today; the packed replies of our engine take their place behind the same functions.
// It never decides what is sent, only how.
import { ServerResponse } from '../http/index.ts';
import type { ExpressRequest, ExpressResponse } from './messages.ts';

const nativeEnd = ServerResponse.prototype.end;

/** `X-Powered-By: Express`, the first header of most replies. */
export function setPoweredBy(res: ExpressResponse): void {
  res.setHeader('X-Powered-By', 'Express');
}

/** Sets a header whose value is known to be well-formed. */
export function setKnownHeader(res: ExpressResponse, name: string, value: string | number): void {
  res.setHeader(name, value);
}

/** Whether the request could be answered with 304 at all. */
export function isConditional(req: ExpressRequest): boolean {
  const { headers } = req;
  return headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined;
}

/** Whether `res.end` is still node's: middleware that replaced it gets the bytes upstream would give it. */
export function hasNativeEnd(res: ExpressResponse): boolean {
  return res.end === nativeEnd;
}

/** Ends a reply whose headers are set with a UTF-8 string. */
export function sendComplete(res: ExpressResponse, body: string): void {
  res.end(body, 'utf8');
}
