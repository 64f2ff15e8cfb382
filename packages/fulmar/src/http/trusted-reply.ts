/**
 * A short way for the frameworks above: fields whose names and values they made themselves need no check, and
 * the entity tag of a complete reply is filled in by the engine over the bytes it sends. Each function
 * refuses (false) when middleware has patched what it would go around, or when the response is not ours; the
 * caller then takes the public way.
 */
import { DIGEST_CHARS } from '../exchange/format.ts';
import { sha1Base64 } from '../exchange/index.ts';
import type { HeaderName } from './header-name.ts';
import { headerName } from './header-name.ts';
import { headerMembers, peekHeader, putHeader, tagResolver } from './headers-out.ts';
import { isUnbegun } from './liveness.ts';
import { endContent } from './reply-body.ts';
import { headMembers } from './reply-head.ts';
import type { ResponseState } from './response-state.ts';

/** Stands where the engine writes the digest. */
const PLACEHOLDER = 'A'.repeat(DIGEST_CHARS);
/** How a header block ends whose digest the engine fills in. */
const TAG_END = `${PLACEHOLDER}"\r\n`;
const ETAG = headerName('ETag');
const CONTENT_TYPE = headerName('Content-Type');
const CONTENT_LENGTH = headerName('Content-Length');
/** Fields that say what the content is: none may be there when `endTyped` adds its own. */
const contentFields: ReadonlySet<string> = new Set(['content-type', 'content-length', 'transfer-encoding', 'etag']);

/** A field name to be used with `putTrusted`. */
export function trustedName(name: string): HeaderName {
  return headerName(name);
}

/** Sets a well-formed field. False: nothing was done, call `res.setHeader`. */
export function putTrusted(response: object, name: HeaderName, value: string): boolean {
  const res = response as ResponseState;
  if (res._exchange === undefined || res._block !== null || (res.setHeader as unknown) !== headerMembers.setHeader) return false;
  putHeader(res, name, value);
  return true;
}

/**
 * Ends the reply with `body` (UTF-8, `bytes` long) and a weak ETag over it, as its last field. False: nothing
 * was done. The tag is known to the engine only; `resolveTag` computes it should somebody read it afterwards.
 */
export function endTagged(response: object, body: string, bytes: number): boolean {
  const res = response as ResponseState;
  // Without content (HEAD, whatever `req.method` says by now) the engine has nothing to tag.
  if (res._exchange === undefined || bytes === 0 || !res._hasBody) return false;
  if (!isUntouched(res) || peekHeader(res, 'etag') !== undefined) return false;
  putHeader(res, ETAG, tagFor(bytes));
  endWithTag(res, body);
  return true;
}

/**
 * Ends a reply that says nothing of its content yet with `body`: with its type, its length and a weak ETag,
 * in this order. False: nothing was done.
 */
export function endTyped(response: object, type: string, body: string): boolean {
  const res = response as ResponseState;
  if (res._exchange === undefined || body.length === 0 || !res._hasBody) return false;
  if (!isUntouched(res) || (res.getHeader as unknown) !== headerMembers.getHeader) return false;
  const list = res._out;
  if (list !== null) {
    for (let i = 0; i < list.length; i += 2) if (contentFields.has((list[i] as HeaderName).lower)) return false;
  }
  const bytes = Buffer.byteLength(body);
  if (list === null) res._out = [CONTENT_TYPE, type, CONTENT_LENGTH, lengthText(bytes), ETAG, tagFor(bytes)];
  else list.push(CONTENT_TYPE, type, CONTENT_LENGTH, lengthText(bytes), ETAG, tagFor(bytes));
  endWithTag(res, body);
  return true;
}

/** Of replies up to this long, texts that depend on their length alone are kept. */
const KEPT_BYTES_MAX = 1024;
const lengths: string[] = [];
const tags: string[] = [];

/** The value of `Content-Length`. */
export function lengthText(bytes: number): string {
  if (bytes > KEPT_BYTES_MAX) return String(bytes);
  return (lengths[bytes] ??= String(bytes));
}

function tagFor(bytes: number): string {
  if (bytes > KEPT_BYTES_MAX) return makeTag(bytes);
  return (tags[bytes] ??= makeTag(bytes));
}

const makeTag = (bytes: number): string => `W/"${bytes.toString(16)}-${PLACEHOLDER}"`;

function endWithTag(res: ResponseState, body: string): void {
  res._tagged = body;
  try {
    endContent(res, body, 'utf8', null);
  } catch (error) {
    // The reply is still to be made, with another body perhaps; the field stays that of this one.
    resolveTag(res);
    throw error;
  }
}

function isUntouched(res: ResponseState): boolean {
  return (
    isUnbegun(res) &&
    (res.writeHead as unknown) === headMembers.writeHead &&
    (res._implicitHeader as unknown) === headMembers._implicitHeader &&
    (res.setHeader as unknown) === headerMembers.setHeader
  );
}

/** Puts the real tag where the placeholder stands, for whoever reads the fields of a reply that is given. */
function resolveTag(res: ResponseState): void {
  const body = res._tagged;
  if (body !== null && res._out !== null) fillTag(res, sha1Base64(Buffer.from(body, 'utf8')));
}

/**
 * The text is let go: a response whose handler has waited is in V8's old generation by now, and what hangs on
 * it is kept until the next large collection, long after it was sent.
 */
function fillTag(res: ResponseState, digest: string): void {
  if (res._tagged === null || res._out === null) return;
  res._tagged = null;
  const value = peekHeader(res, ETAG.lower);
  // Whoever changed it while the head was made keeps that.
  if (typeof value === 'string') putHeader(res, ETAG, withDigest(value, digest));
  if (res._block !== null) res._block = withDigest(res._block, digest);
}

const call = Function.prototype.call;
const placeIn = call.bind(String.prototype.lastIndexOf as never) as (text: string, part: string) => number;
const partOf = call.bind(String.prototype.slice as never) as (text: string, from: number, to?: number) => string;

function withDigest(text: string, digest: string): string {
  const at = placeIn(text, PLACEHOLDER);
  return at < 0 ? text : partOf(text, 0, at) + digest + partOf(text, at + DIGEST_CHARS);
}

/**
 * Does the block end with the tag to be filled in, where the engine writes the digest? Not if somebody has
 * set a field while the head was made.
 */
const endsWithTag = (block: string): boolean => block.endsWith(TAG_END);

tagResolver.resolve = resolveTag;
tagResolver.fill = fillTag;
tagResolver.isLast = endsWithTag;
