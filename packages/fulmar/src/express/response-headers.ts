/** Members of `express.response` that set the status or headers. Each is a few steps around `setHeader`. */
import path from 'node:path';
import { create as createDisposition } from 'content-disposition';
import encodeUrl from 'encodeurl';
import varyOn from 'vary';
import { cookieText, type CookieOptions } from '../web/cookie.ts';
import { completeType, typeOfName } from '../web/media-types.ts';
import type { ExpressResponse } from './message-types.ts';

type SetHeader = (this: ExpressResponse, field: unknown, value?: unknown) => ExpressResponse;

const STATUS_MIN = 100;
const STATUS_MAX = 999;

function status(this: ExpressResponse, code: number): ExpressResponse {
  if (!Number.isInteger(code)) {
    throw new TypeError(`Invalid status code: ${JSON.stringify(code)}. Status code must be an integer.`);
  }
  if (code < STATUS_MIN || code > STATUS_MAX) {
    throw new RangeError(`Invalid status code: ${JSON.stringify(code)}. Status code must be greater than 99 and less than 1000.`);
  }
  this.statusCode = code;
  return this;
}

function links(this: ExpressResponse, relations: Record<string, string | string[]>): ExpressResponse {
  let link = (this.get('Link') as string) || '';
  if (link) link += ', ';
  const added = Object.keys(relations).map((rel) => {
    const target = relations[rel] as string | string[];
    if (Array.isArray(target)) return target.map((single) => `<${single}>; rel="${rel}"`).join(', ');
    return `<${target}>; rel="${rel}"`;
  });
  return this.set('Link', link + added.join(', '));
}

/** Makes `res.set` of a version: `complete` gives a content type the charset it has by default. */
export function createSet(complete: (type: string) => string | false): SetHeader {
  // Names of parameters that are not what they should be are part of the engine's message, so `field` is
  // upstream's name.
  return function header(this: ExpressResponse, field: unknown, value?: unknown): ExpressResponse {
    if (arguments.length === 2) return setField(this, field as string, value);
    const fields = field as Record<string, unknown>;
    for (const key in fields) this.set(key, fields[key]);
    return this;
  };

  function setField(res: ExpressResponse, field: string, value: unknown): ExpressResponse {
    let text: string | string[] = Array.isArray(value) ? value.map(String) : String(value);
    if (field.toLowerCase() === 'content-type') {
      if (Array.isArray(text)) throw new TypeError('Content-Type cannot be set to an Array');
      text = complete(text) as string;
    }
    res.setHeader(field, text);
    return res;
  }
}

const header = createSet(completeType);

function get(this: ExpressResponse, field: string): number | string | string[] | undefined {
  return this.getHeader(field);
}

function append(this: ExpressResponse, field: string, value: string | string[]): ExpressResponse {
  const previous = this.get(field) as string | string[] | undefined;
  let all = value;
  if (previous) {
    if (Array.isArray(previous)) all = previous.concat(value);
    else all = Array.isArray(value) ? [previous].concat(value) : [previous, value];
  }
  return this.set(field, all);
}

function contentType(this: ExpressResponse, type: string): ExpressResponse {
  return this.set('Content-Type', type.indexOf('/') === -1 ? typeOfName(type) : type);
}

function attachment(this: ExpressResponse, filename?: string): ExpressResponse {
  const name = filename === undefined ? undefined : path.basename(filename);
  if (name) this.type(path.extname(name));
  this.set('Content-Disposition', createDisposition(name));
  return this;
}

function clearCookie(this: ExpressResponse, name: string, options?: CookieOptions): ExpressResponse {
  // A time in the past makes the client forget it; a maxAge would win over that.
  const expired: CookieOptions = { path: '/', ...options, expires: new Date(1) };
  delete expired.maxAge;
  return this.cookie(name, '', expired);
}

function cookie(this: ExpressResponse, name: string, value: unknown, given?: CookieOptions): ExpressResponse {
  const options: CookieOptions = { ...given };
  const { secret } = this.req;
  if (options.signed && !secret) throw new Error('cookieParser("secret") required for signed cookies');
  this.append('Set-Cookie', cookieText(name, value, options, secret as string | undefined));
  return this;
}

function location(this: ExpressResponse, url: string): ExpressResponse {
  return this.set('Location', encodeUrl(url));
}

function vary(this: ExpressResponse, field: string | string[]): ExpressResponse {
  varyOn(this, field);
  return this;
}

export const headerMembers = {
  status,
  links,
  contentType,
  type: contentType,
  attachment,
  append,
  set: header,
  header,
  get,
  clearCookie,
  cookie,
  location,
  vary,
};
