/**
 * Version 4's members of `express.response` that set the status or headers, and the redirect that is made of
 * them (S… in docs/internals/express4.md).
 */
import depd from 'depd';
import encodeUrl from 'encodeurl';
import escapeHtml from 'escape-html';
import varyOn from 'vary';
import type { ExpressResponse } from '../message-types.ts';
import { createFormat, endWith, redirectBody } from '../response-negotiation.ts';
import { createSet, headerMembers as headerMembers5 } from '../response-headers.ts';
import { completeType, lookupType, normalizeType } from './media-types.ts';
import { merge } from './merge.ts';

interface CookieOptions {
  readonly maxAge?: number | null;
  readonly expires?: Date;
}

// All callers of this are in one file: `depd` prints the first caller outside it, which is the application.
const deprecate = depd('express');

const MAX_AGE_OF_CLEARED =
  'In v5.0.0 of Express, this option will be ignored, as res.clearCookie will automatically set cookies to expire ' +
  'immediately. Please update your code to omit this option.';

// S5: takes anything.
function status(this: ExpressResponse, code: number): ExpressResponse {
  if ((typeof code === 'string' || Math.floor(code) !== code) && code > 99 && code < 1000) {
    deprecate(`res.status(${JSON.stringify(code)}): use res.status(${Math.floor(code)}) instead`);
  }
  this.statusCode = code;
  return this;
}

// S10: a list of targets is one text.
function links(this: ExpressResponse, relations: Record<string, string>): ExpressResponse {
  let link = (this.get('Link') as string) || '';
  if (link) link += ', ';
  const added = Object.keys(relations).map((rel) => `<${relations[rel]}>; rel="${rel}"`);
  return this.set('Link', link + added.join(', '));
}

const header = createSet(completeType);

function contentType(this: ExpressResponse, type: string): ExpressResponse {
  return this.set('Content-Type', type.indexOf('/') === -1 ? lookupType(type) : type);
}

// S9: options stay, and inherited ones count.
function clearCookie(this: ExpressResponse, name: string, options?: CookieOptions): ExpressResponse {
  if (options?.maxAge) deprecate(`res.clearCookie: Passing "options.maxAge" is deprecated. ${MAX_AGE_OF_CLEARED}`);
  if (options?.expires) deprecate(`res.clearCookie: Passing "options.expires" is deprecated. ${MAX_AGE_OF_CLEARED}`);
  return this.cookie(name, '', merge({ expires: new Date(1), path: '/' }, options));
}

function cookie(this: ExpressResponse, name: string, value: unknown, options?: object): ExpressResponse {
  return headerMembers5.cookie.call(this, name, value, merge({}, options));
}

// S7: `'back'`, here and so in `redirect`; what is no text is made text.
function location(this: ExpressResponse, url: unknown): ExpressResponse {
  let target = String(url);
  if (url === 'back') {
    deprecate(
      'res.location("back"): use res.location(req.get("Referrer") || "/") and refer to https://dub.sh/security-redirect for best practices',
    );
    target = this.req.get('Referrer') || '/';
  }
  return this.set('Location', encodeUrl(target));
}

// S8: no field is deprecated, not an error.
function vary(this: ExpressResponse, field?: string | string[]): ExpressResponse {
  if (!field || (Array.isArray(field) && !field.length)) {
    deprecate('res.vary(): Provide a field name');
    return this;
  }
  varyOn(this, field);
  return this;
}

// S12: parameters of types as they are split.
const format = createFormat(normalizeType);

// S7: the status may stand behind the address; the page is one `<p>`.
function redirect(this: ExpressResponse, url: unknown): void {
  let target = url;
  let code: unknown = 302;
  if (arguments.length === 2) {
    const second: unknown = arguments[1];
    if (typeof url === 'number') {
      code = url;
      target = second;
    } else {
      deprecate('res.redirect(url, status): Use res.redirect(status, url) instead');
      code = second;
    }
  }
  const address = this.location(target as string).get('Location') as string;
  const body = redirectBody(this, address, code, (message) => `<p>${message}. Redirecting to ${escapeHtml(address)}</p>`);
  this.statusCode = code as number;
  endWith(this, body);
}

export const headerMembers = {
  status,
  links,
  set: header,
  header,
  contentType,
  type: contentType,
  clearCookie,
  cookie,
  location,
  vary,
  format,
  redirect,
};
