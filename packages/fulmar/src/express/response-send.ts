// `res.send` and what ends in it: `json`, `jsonp`, `sendStatus`. The hottest code of a reply; the common case (text with a
// weak ETag) takes a short way, everything else the long one. Order of headers is upstream's.
import statuses from 'statuses';
import { weakEtag } from './etag.ts';
import { hasNativeEnd, isConditional, sendComplete, sendWhole, setKnownType, setLength, setTextEtag } from './fast-path.ts';
import { JSON_TYPE, withUtf8 } from './media-types.ts';
import type { ExpressRequest, ExpressResponse } from './messages.ts';
import type { EtagFunction } from './settings.ts';

type Body = string | Buffer | undefined;
type Spaces = string | number | undefined;
type Replacer = ((key: string, value: unknown) => unknown) | undefined;

/** Bodies shorter than this are measured rather than copied when no ETag is wanted. */
const MEASURED_CHARS_MAX = 1000;

function send(this: ExpressResponse, body?: unknown): ExpressResponse {
  switch (typeof body) {
    case 'string':
      return sendText(this, body, false);
    case 'boolean':
    case 'number':
      return this.json(body);
    case 'object':
      if (body === null) return finish(this, '', undefined);
      if (!ArrayBuffer.isView(body)) return this.json(body);
      if (!this.get('Content-Type')) this.type('bin');
      return finish(this, body as Buffer, undefined);
    default:
      return finish(this, body as Body, undefined);
  }
}

/** @param isTyped the content type has just been set, with its charset */
function sendText(res: ExpressResponse, body: string, isTyped: boolean): ExpressResponse {
  if (!isTyped) setTextType(res);
  const { statusCode, req } = res;
  if (
    res.app.settings['etag fn'] !== weakEtag ||
    statusCode === 204 ||
    statusCode === 205 ||
    statusCode === 304 ||
    req.method === 'HEAD' ||
    !hasNativeEnd(res) ||
    res.getHeader('Transfer-Encoding') ||
    res.getHeader('ETag')
  ) {
    return finish(res, body, 'utf8');
  }
  const bytes = Buffer.byteLength(body);
  setLength(res, bytes);
  if (!isConditional(req)) {
    sendComplete(res, body, bytes);
    return res;
  }
  setTextEtag(res, body, bytes);
  if (req.fresh) return finishNotModified(res);
  sendWhole(res, body);
  return res;
}

function setTextType(res: ExpressResponse): void {
  const type = res.get('Content-Type');
  if (typeof type === 'string') res.set('Content-Type', withUtf8(type));
  else res.type('html');
}

function finishNotModified(res: ExpressResponse): ExpressResponse {
  res.status(304);
  stripContent(res);
  res.end('');
  return res;
}

/** The way every reply can take: measure, tag, check freshness, strip what the status forbids, end. */
function finish(res: ExpressResponse, body: Body, given: BufferEncoding | undefined): ExpressResponse {
  const { req } = res;
  let encoding = given;
  let chunk = body;
  const etagFn = res.app.get('etag fn') as EtagFunction | undefined;
  const wantsEtag = !res.get('ETag') && typeof etagFn === 'function';
  let bytes: number | undefined;
  if (chunk !== undefined) {
    if (Buffer.isBuffer(chunk)) {
      bytes = chunk.length;
    } else if (!wantsEtag && chunk.length < MEASURED_CHARS_MAX) {
      bytes = Buffer.byteLength(chunk, encoding);
    } else {
      chunk = Buffer.from(chunk, encoding);
      encoding = undefined;
      bytes = chunk.length;
    }
    if (!res.get('Transfer-Encoding')) res.set('Content-Length', bytes);
  }
  if (wantsEtag && bytes !== undefined) {
    const etag = (etagFn as EtagFunction)(chunk as Buffer, encoding);
    if (etag) res.set('ETag', etag);
  }
  if (isConditional(req) && req.fresh) res.status(304);
  if (res.statusCode === 204 || res.statusCode === 304) {
    stripContent(res);
    chunk = '';
  }
  if (res.statusCode === 205) {
    res.set('Content-Length', '0');
    res.removeHeader('Transfer-Encoding');
    chunk = '';
  }
  end(res, req, chunk, encoding);
  return res;
}

function stripContent(res: ExpressResponse): void {
  res.removeHeader('Content-Type');
  res.removeHeader('Content-Length');
  res.removeHeader('Transfer-Encoding');
}

function end(res: ExpressResponse, req: ExpressRequest, ...[chunk, encoding]: [Body, BufferEncoding | undefined]): void {
  if (req.method === 'HEAD') res.end();
  else res.end(chunk, encoding as BufferEncoding);
}

function json(this: ExpressResponse, value?: unknown): ExpressResponse {
  const body = stringify(this, value);
  let isTyped = false;
  const type = this.get('Content-Type');
  if (type === undefined) {
    setKnownType(this, JSON_TYPE);
    isTyped = true;
  } else if (!type) {
    this.set('Content-Type', 'application/json');
  }
  // Middleware may have put its own `send` in front.
  if (isTyped && typeof body === 'string' && this.send === send) return sendText(this, body, true);
  return this.send(body);
}

function jsonp(this: ExpressResponse, value?: unknown): ExpressResponse {
  let body = stringify(this, value);
  const { query } = this.req;
  let callback = query[this.app.get('jsonp callback name') as string];
  if (!this.get('Content-Type')) {
    this.set('X-Content-Type-Options', 'nosniff');
    this.set('Content-Type', 'application/json');
  }
  if (Array.isArray(callback)) callback = callback[0] as unknown;
  if (typeof callback === 'string' && callback.length !== 0) {
    this.set('X-Content-Type-Options', 'nosniff');
    this.set('Content-Type', 'text/javascript');
    body = wrapInCallback(callback, body);
  }
  return this.send(body);
}

function wrapInCallback(callback: string, body: string | undefined): string {
  const name = callback.replace(/[^[\]\w$.]/g, '');
  // Characters that JSON allows in strings and JavaScript did not.
  const text = body === undefined ? '' : body.replace(/\u2028/g, '\\u2028').replace(/\u2029/g, '\\u2029');
  // The comment guards against "Rosetta Flash" abuse; the typeof check keeps clients' error logs clean.
  return `/**/ typeof ${name} === 'function' && ${name}(${text});`;
}

function stringify(res: ExpressResponse, value: unknown): string | undefined {
  const { settings } = res.app;
  const replacer = settings['json replacer'] as Replacer;
  const spaces = settings['json spaces'] as Spaces;
  const text =
    replacer || spaces ? (JSON.stringify(value, replacer, spaces) as string | undefined) : (JSON.stringify(value) as string | undefined);
  return settings['json escape'] && typeof text === 'string' ? escapeHtmlCharacters(text) : text;
}

const ESCAPES: Record<string, string> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' };

function escapeHtmlCharacters(text: string): string {
  return text.replace(/[<>&]/g, (character) => ESCAPES[character] as string);
}

function sendStatus(this: ExpressResponse, statusCode: number): ExpressResponse {
  const body = statuses.message[statusCode] || String(statusCode);
  this.status(statusCode);
  this.type('txt');
  return this.send(body);
}

export const sendMembers = { send, json, jsonp, sendStatus };
