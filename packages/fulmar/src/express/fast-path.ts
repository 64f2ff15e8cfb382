/**
 * The one place where this layer hands finished replies to the http layer: the packed way for responses of
 * our engine that nobody has patched, node:http's public methods for everything else. It never decides what
 * is sent, only how.
 */
import { endTagged, type HeaderName, isUnconditional, lengthText, putTrusted, trustedName } from '../http/index.ts';
import { weakTextEtag } from '../web/etag.ts';
import type { ExpressRequest, ExpressResponse } from './message-types.ts';

const POWERED_BY = trustedName('X-Powered-By');
const CONTENT_TYPE = trustedName('Content-Type');
const CONTENT_LENGTH = trustedName('Content-Length');

function put(res: ExpressResponse, name: HeaderName, value: string): void {
  if (!putTrusted(res, name, value)) res.setHeader(name.name, value);
}

/** `X-Powered-By: Express`, the first header of most replies. */
export function setPoweredBy(res: ExpressResponse): void {
  put(res, POWERED_BY, 'Express');
}

/** Sets a content type that is known to be well-formed. */
export function setKnownType(res: ExpressResponse, type: string): void {
  put(res, CONTENT_TYPE, type);
}

export function setLength(res: ExpressResponse, bytes: number): void {
  put(res, CONTENT_LENGTH, lengthText(bytes));
}

/** Whether the request could be answered with 304 at all. */
export function isConditional(req: ExpressRequest): boolean {
  if (isUnconditional(req)) return false;
  const { headers } = req;
  return headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined;
}

/** Ends a reply of `bytes` UTF-8 bytes with a weak ETag; its other headers are set. */
export function sendComplete(res: ExpressResponse, body: string, bytes: number): void {
  if (endTagged(res, body, bytes)) return;
  res.setHeader('ETag', weakTextEtag(body, bytes));
  sendWhole(res, body);
}

/** Sets the ETag ahead of a look at the request's conditions. */
export function setTextEtag(res: ExpressResponse, body: string, bytes: number): void {
  res.setHeader('ETag', weakTextEtag(body, bytes));
}

/**
 * Ends a reply whose headers, the ETag among them, are set. As bytes: beside text, Node sends the header as
 * UTF-8 too.
 */
export function sendWhole(res: ExpressResponse, body: string): void {
  res.end(Buffer.from(body));
}
