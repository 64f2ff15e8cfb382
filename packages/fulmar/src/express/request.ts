/**
 * `express.request`: what Express adds to requests. Everything is worked out when it is read, from the
 * headers and the target; nothing is kept on the request.
 */
import { isIP } from 'node:net';
import fresh from 'fresh';
import parseUrl from 'parseurl';
import parseRange from 'range-parser';
import { IncomingMessage } from '../http/index.ts';
import { isConditional } from './fast-path.ts';
import { accepts, typeIs } from '../web/lazy.ts';
import { mayBeFresh } from '../web/freshness.ts';
import { firstValue, subdomainsOf, withoutPort } from '../web/hosts.ts';
import { clientAddress, forwardedAddresses, type TrustFunction } from '../web/trust.ts';
import type { ExpressRequest } from './message-types.ts';
import { defineParsedUrl } from './parsed-url-field.ts';
import type { QueryParser } from './settings.ts';

type Members = Record<string, unknown>;
type Getter = (this: ExpressRequest) => unknown;

export const request = Object.create(IncomingMessage.prototype) as Members;

request.get = request.header = function header(this: ExpressRequest, name: unknown) {
  if (!name) throw new TypeError('name argument is required to req.get');
  if (typeof name !== 'string') throw new TypeError('name must be a string to req.get');
  const lower = name.toLowerCase();
  if (lower === 'referer' || lower === 'referrer') return this.headers.referrer || this.headers.referer;
  return this.headers[lower];
};

request.accepts = function (this: ExpressRequest, ...types: string[]) {
  return accepts()(this).types(...types);
};

request.acceptsEncodings = function (this: ExpressRequest, ...encodings: string[]) {
  return accepts()(this).encodings(...encodings);
};

request.acceptsCharsets = function (this: ExpressRequest, ...charsets: string[]) {
  return accepts()(this).charsets(...charsets);
};

request.acceptsLanguages = function (this: ExpressRequest, ...languages: string[]) {
  return accepts()(this).languages(...languages);
};

request.range = function range(this: ExpressRequest, size: number, options?: { combine?: boolean }) {
  const header = this.get('Range');
  return header ? parseRange(size, header, options) : undefined;
};

request.is = function is(this: ExpressRequest, ...types: unknown[]) {
  return typeIs()(this, (Array.isArray(types[0]) ? types[0] : types) as string[]);
};

function trustOf(req: ExpressRequest): TrustFunction {
  return req.app.get('trust proxy fn') as TrustFunction;
}

defineGetter('query', function query() {
  const parse = this.app.get('query parser fn') as QueryParser | undefined;
  return parse ? parse(parsedUrl(this).query as string | null) : Object.create(null);
});

defineParsedUrl(request);

defineGetter('protocol', function protocol() {
  const socket = this.socket as typeof this.socket & { encrypted?: boolean };
  const own = socket.encrypted ? 'https' : 'http';
  if (!trustOf(this)(socket.remoteAddress, 0)) return own;
  return firstValue(this.get('X-Forwarded-Proto') || own).trim();
});

defineGetter('secure', function secure() {
  return this.protocol === 'https';
});

defineGetter('ip', function ip() {
  return clientAddress(this, trustOf(this));
});

defineGetter('ips', function ips() {
  return forwardedAddresses(this, trustOf(this));
});

defineGetter('subdomains', function subdomains() {
  const { hostname } = this;
  if (!hostname) return [];
  const offset = this.app.get('subdomain offset') as number;
  return isIP(hostname) ? [hostname].slice(offset) : subdomainsOf(hostname, offset);
});

defineGetter('path', function path() {
  return parsedUrl(this).pathname;
});

defineGetter('host', function host() {
  const forwarded = this.get('X-Forwarded-Host');
  if (!forwarded || !trustOf(this)(this.socket.remoteAddress, 0)) return this.get('Host') || undefined;
  const first = firstValue(forwarded);
  return (first === forwarded ? forwarded : first.trimEnd()) || undefined;
});

defineGetter('hostname', function hostname() {
  const { host } = this;
  return host ? withoutPort(host) : undefined;
});

defineGetter('fresh', function () {
  if (!isConditional(this)) return false;
  const { res } = this;
  return (
    mayBeFresh(this.method, res.statusCode) && fresh(this.headers, { etag: res.get('ETag'), 'last-modified': res.get('Last-Modified') })
  );
});

defineGetter('stale', function stale() {
  return !this.fresh;
});

defineGetter('xhr', function xhr() {
  return (this.get('X-Requested-With') || '').toLowerCase() === 'xmlhttprequest';
});

function parsedUrl(req: ExpressRequest): { pathname: string | null; query: unknown } {
  return parseUrl(req) as { pathname: string | null; query: unknown };
}

function defineGetter(name: string, get: Getter): void {
  Object.defineProperty(request, name, { configurable: true, enumerable: true, get });
}
