/**
 * `res.send` and what ends in it: `json`, `jsonp`, `sendStatus`. Text that nobody has touched is one step
 * (`plain-reply.ts`); with fields of its own, or conditions, it is `sendTyped`; everything else, and whatever
 * somebody has replaced, takes the long way, `finish`. Order of headers is upstream's.
 */
import statuses from 'statuses';
import { weakEtag } from '../web/etag.ts';
import { hasNodeEnd } from '../web/reply.ts';
import { isConditional, sendComplete, sendWhole, setKnownType, setLength, setTextEtag } from './fast-path.ts';
import { HTML, JSON_TYPE } from '../web/known-types.ts';
import { withUtf8 } from '../web/media-types.ts';
import type { ExpressRequest, ExpressResponse } from './message-types.ts';
import { stringify } from './json-text.ts';
import { sendJsonp } from './jsonp.ts';
import { headerMembers } from './response-headers.ts';
import { isWithoutContent, sendPlain } from './plain-reply.ts';
import type { EtagFunction } from './settings.ts';

type Body = string | Buffer | undefined;

/** Bodies shorter than this are measured rather than copied when no ETag is wanted. */
const MEASURED_CHARS_MAX = 1000;

/** Where the versions of Express part ways. */
export interface SendRules {
  /** The version's `res.set`; middleware may have put its own in front, which is called then. */
  readonly set: unknown;
  /** `Content-Length` is set even if the reply has a `Transfer-Encoding`. */
  readonly measuresChunked: boolean;
  /** Gives text its content type, or the type it has its charset. */
  readonly setTextType: (res: ExpressResponse) => void;
  readonly setNotModified: (res: ExpressResponse) => void;
}

const rules: SendRules = {
  set: headerMembers.set,
  measuresChunked: false,
  setTextType(res) {
    const type = res.get('Content-Type');
    if (typeof type === 'string') res.set('Content-Type', withUtf8(type));
    else res.type('html');
  },
  setNotModified: (res) => void res.status(304),
};

function send(this: ExpressResponse, body?: unknown): ExpressResponse {
  switch (typeof body) {
    case 'string':
      if (this.type === headerMembers.type && sendPlain(this, HTML, body, rules)) return this;
      rules.setTextType(this);
      return sendTyped(this, body, rules);
    case 'boolean':
    case 'number':
      return this.json(body);
    case 'object':
      if (body === null) return finish(this, '', undefined, rules);
      if (!ArrayBuffer.isView(body)) return this.json(body);
      if (!this.get('Content-Type')) this.type('bin');
      return finish(this, body as Buffer, undefined, rules);
    default:
      return finish(this, body as Body, undefined, rules);
  }
}

/** Sends text whose content type is set, with its charset. */
export function sendTyped(res: ExpressResponse, body: string, versionRules: SendRules): ExpressResponse {
  const { statusCode, req } = res;
  if (
    res.app.settings['etag fn'] !== weakEtag ||
    isWithoutContent(statusCode) ||
    req.method === 'HEAD' ||
    !hasNodeEnd(res) ||
    res.set !== versionRules.set ||
    res.getHeader('Transfer-Encoding') ||
    res.getHeader('ETag')
  ) {
    return finish(res, body, 'utf8', versionRules);
  }
  const bytes = Buffer.byteLength(body);
  setLength(res, bytes);
  if (!isConditional(req) && !req.fresh) {
    sendComplete(res, body, bytes);
    return res;
  }
  setTextEtag(res, body, bytes);
  if (req.fresh) return finishNotModified(res, versionRules);
  sendWhole(res, body);
  return res;
}

function finishNotModified(res: ExpressResponse, versionRules: SendRules): ExpressResponse {
  versionRules.setNotModified(res);
  stripContent(res);
  res.end('');
  return res;
}

/** The way every reply can take: measure, tag, check freshness, strip what the status forbids, end. */
export function finish(res: ExpressResponse, body: Body, given: BufferEncoding | undefined, versionRules: SendRules): ExpressResponse {
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
    if (versionRules.measuresChunked || !res.get('Transfer-Encoding')) res.set('Content-Length', bytes);
  }
  if (wantsEtag && bytes !== undefined) {
    const etag = (etagFn as EtagFunction)(chunk as Buffer, encoding);
    if (etag) res.set('ETag', etag);
  }
  if (req.fresh) versionRules.setNotModified(res);
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
  return sendJson(this, value, send, rules);
}

/** @param ownSend the version's `res.send`; middleware may have put its own in front */
export function sendJson(res: ExpressResponse, value: unknown, ownSend: unknown, versionRules: SendRules): ExpressResponse {
  const body = stringify(res, value);
  const isText = typeof body === 'string' && res.send === ownSend;
  if (isText && sendPlain(res, JSON_TYPE, body, versionRules)) return res;
  let isTyped = false;
  const type = res.get('Content-Type');
  if (type === undefined && res.set === versionRules.set) {
    setKnownType(res, JSON_TYPE);
    isTyped = true;
  } else if (!type) {
    res.set('Content-Type', 'application/json');
  }
  if (isTyped && isText) return sendTyped(res, body, versionRules);
  return res.send(body);
}

function jsonp(this: ExpressResponse, value?: unknown): ExpressResponse {
  return sendJsonp(this, value);
}

function sendStatus(this: ExpressResponse, statusCode: number): ExpressResponse {
  const body = statuses.message[statusCode] || String(statusCode);
  this.status(statusCode);
  this.type('txt');
  return this.send(body);
}

// The body parser has the same name, and a bundler renames one of the two.
Object.defineProperty(json, 'name', { value: 'json', configurable: true });

export const sendMembers = { send, json, jsonp, sendStatus };
