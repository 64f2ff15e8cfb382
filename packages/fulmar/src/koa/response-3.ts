/** Members of the response in which Koa 3 differs from Koa 2: setting fields, and the body with its kinds. */
import assert from 'node:assert';
import destroy from 'destroy';
import onFinished from 'on-finished';
import { isWebBody } from '../web/web-bodies.ts';
import { bodyLengthMembers, setLeafBody } from './response-body.ts';
import { redirectTo, referrerOf } from './response.ts';
import type { Edition, FieldValue, KoaResponse } from './types.ts';
import { isStream } from '../web/streams.ts';

const self = (value: unknown): KoaResponse => value as KoaResponse;
const JSON_LIKE = /\bjson\b/i;

/** Content-Type and Content-Length have one value: an array must hold exactly that. */
function normalize(field: string, value: FieldValue): FieldValue {
  if (!Array.isArray(value)) return value;
  const name = field.toLowerCase();
  if (name !== 'content-type' && name !== 'content-length') return value;
  assert(value.length === 1, `${field} must contain exactly one value`);
  return value[0] as FieldValue;
}

const fieldMembers = {
  get(this: KoaResponse, field: string): unknown {
    return this.res.getHeader(field);
  },
  set(this: KoaResponse, field: string | object, value?: FieldValue): void {
    if (this.headerSent || !field) return;
    if (typeof field === 'string') {
      this.res.setHeader(field, normalize(field, value as FieldValue));
      return;
    }
    // All are checked before the first is set.
    const entries = Object.entries(field).map(([name, one]) => [name, normalize(name, one as FieldValue)] as const);
    for (const [name, one] of entries) this.res.setHeader(name, one);
  },
};

/** A stream that is replaced must not stay open, nor end the process with an error that nobody expects. */
function dropPrevious(previous: unknown, next: unknown): void {
  if (!previous || !isStream(previous)) return;
  const stream = previous as NodeJS.ReadableStream;
  stream.once('error', () => undefined);
  if (!isStream(next)) destroy(stream);
}

function setEmpty(response: KoaResponse, value: null | undefined, empty: Edition['statuses']['empty']): boolean {
  if (!empty[response.status]) {
    if (response.type === 'application/json') {
      response._body = 'null';
      return false;
    }
    response.status = 204;
  }
  if (value === null) response._explicitNullBody = true;
  response.remove('Content-Type');
  response.remove('Content-Length');
  response.remove('Transfer-Encoding');
  return true;
}

function setStream(response: KoaResponse, stream: NodeJS.ReadableStream, previous: unknown): void {
  onFinished(response.res, (error) => void destroy(stream, Boolean(error)));
  if (previous === stream) return;
  if (previous !== null && previous !== undefined) response.remove('Content-Length');
  dropPrevious(previous, stream);
}

function setWebBody(response: KoaResponse, value: object, setType: boolean): void {
  if (value instanceof ReadableStream) {
    if (setType) response.type = 'bin';
  } else if (value instanceof Blob) {
    if (setType) response.type = value.type || 'bin';
    response.length = value.size;
  } else {
    const { status, headers } = value as Response;
    response.status = status;
    if (setType) response.type = 'bin';
    for (const key of headers.keys()) response.set(key, headers.get(key));
  }
}

function setJson(response: KoaResponse): void {
  response.remove('Content-Length');
  const { type } = response;
  if (!type || !JSON_LIKE.test(type)) response.type = 'json';
}

/** A body that is something. */
function setContent(response: KoaResponse, value: unknown, previous: unknown): void {
  if (!response._explicitStatus) response.status = 200;
  const setType = !response.has('Content-Type');
  if (setLeafBody(response, value, setType)) dropPrevious(previous, value);
  else if (isStream(value)) {
    setStream(response, value as NodeJS.ReadableStream, previous);
    if (setType) response.type = 'bin';
  } else {
    if (isWebBody(value)) setWebBody(response, value as object, setType);
    else setJson(response);
    dropPrevious(previous, value);
  }
}

function bodyMembers({ statuses }: Edition): object {
  return {
    get body(): unknown {
      return self(this)._body;
    },
    set body(value: unknown) {
      const response = self(this);
      const previous = response._body;
      response._body = value;
      if (value !== null && value !== undefined) setContent(response, value, previous);
      else if (setEmpty(response, value, statuses.empty)) dropPrevious(previous, value);
    },
  };
}

function redirectMembers(edition: Edition): object {
  return {
    redirect(this: KoaResponse, url: string): void {
      redirectTo(this, edition, url);
    },
    back(this: KoaResponse, alt?: string): void {
      this.redirect(referrerOf(this) ?? (alt || '/'));
    },
  };
}

/** What `createResponsePrototype` adds for Koa 3. */
export function responseMembers3(edition: Edition): readonly object[] {
  return [fieldMembers, bodyMembers(edition), bodyLengthMembers(edition.isStream), redirectMembers(edition)];
}
