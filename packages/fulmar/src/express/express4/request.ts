/**
 * `express.request` of version 4: version 5's members, then what differs (Q… in docs/internals/express4.md).
 */
import depd from 'depd';
import fresh from 'fresh4';
import parseRange from 'range-parser4';
import { IncomingMessage } from '../../http/index.ts';
import { isConditional } from '../fast-path.ts';
import { mayBeFresh } from '../../web/freshness.ts';
import { firstValue, withoutPort } from '../../web/hosts.ts';
import { accepts4, typeIs4 } from '../../web/lazy.ts';
import type { TrustFunction } from '../../web/trust.ts';
import type { ExpressRequest } from '../message-types.ts';
import { request as request5 } from '../request.ts';
import { copyMembers } from './copy-members.ts';

type Members = Record<string, unknown>;
type Values = Readonly<Record<string, unknown>>;

const deprecate = depd('express');

export const request: Members = copyMembers(request5, IncomingMessage.prototype);

// Q1: a property of each request instead, see query.ts.
delete request.query;

// Q7: accepts 1.3 and type-is 1.6, here and in `is`.
request.accepts = function (this: ExpressRequest, ...types: string[]) {
  return accepts4()(this).types(...types);
};

function acceptsEncodings(this: ExpressRequest, ...encodings: string[]): string | string[] | false {
  return accepts4()(this).encodings(...encodings);
}

function acceptsCharsets(this: ExpressRequest, ...charsets: string[]): string | string[] | false {
  return accepts4()(this).charsets(...charsets);
}

function acceptsLanguages(this: ExpressRequest, ...languages: string[]): string | string[] | false {
  return accepts4()(this).languages(...languages);
}

// Q4: the names in the singular.
request.acceptsEncodings = acceptsEncodings;
request.acceptsEncoding = deprecate.function(acceptsEncodings, 'req.acceptsEncoding: Use acceptsEncodings instead');
request.acceptsCharsets = acceptsCharsets;
request.acceptsCharset = deprecate.function(acceptsCharsets, 'req.acceptsCharset: Use acceptsCharsets instead');
request.acceptsLanguages = acceptsLanguages;
request.acceptsLanguage = deprecate.function(acceptsLanguages, 'req.acceptsLanguage: Use acceptsLanguages instead');

// Q9: range-parser 1.2.
request.range = function range(this: ExpressRequest, size: number, options?: { combine?: boolean }) {
  const header = this.get('Range');
  return header ? parseRange(size, header, options) : undefined;
};

request.is = function is(this: ExpressRequest, types: unknown, ...more: unknown[]) {
  if (Array.isArray(types)) return typeIs4()(this, types as string[]);
  return typeIs4()(this, (arguments.length === 0 ? [] : [types, ...more]) as string[]);
};

// Q3
request.param = function param(this: ExpressRequest, name: string, defaultValue?: unknown): unknown {
  const params: Values = this.params || {};
  const body = (this.body || {}) as Values;
  const query: Values = this.query || {};
  const args = arguments.length === 1 ? 'name' : 'name, default';
  deprecate(`req.param(${args}): Use req.params, req.body, or req.query instead`);
  // oxlint-disable-next-line no-prototype-builtins -- upstream's call: it fails for parameters without that method
  if (params[name] != null && params.hasOwnProperty(name)) return params[name];
  if (body[name] != null) return body[name];
  if (query[name] != null) return query[name];
  return defaultValue;
};

/** Q6: Node's old name for the socket, which is what version 4 reads. */
function connectionOf(req: ExpressRequest): ExpressRequest['socket'] & { encrypted?: boolean } {
  return (req as unknown as { connection: ExpressRequest['socket'] }).connection;
}

function isProxyTrusted(req: ExpressRequest): boolean {
  return (req.app.get('trust proxy fn') as TrustFunction)(connectionOf(req).remoteAddress, 0);
}

defineGetter('protocol', function protocol() {
  const own = connectionOf(this).encrypted ? 'https' : 'http';
  if (!isProxyTrusted(this)) return own;
  return firstValue(this.get('X-Forwarded-Proto') || own).trim();
});

defineGetter('hostname', function hostname() {
  let host = this.get('X-Forwarded-Host');
  if (!host || !isProxyTrusted(this)) host = this.get('Host');
  else if (host.includes(',')) host = firstValue(host).trimEnd();
  return host ? withoutPort(host) : undefined;
});

// Q5: without the port.
function hostOf(this: ExpressRequest): string | undefined {
  return this.hostname;
}

defineGetter('host', deprecate.function(hostOf, 'req.host: Use req.hostname instead'));

// Q8: fresh 0.5.
defineGetter('fresh', function () {
  if (!isConditional(this)) return false;
  const { res } = this;
  return (
    mayBeFresh(this.method, res.statusCode) && fresh(this.headers, { etag: res.get('ETag'), 'last-modified': res.get('Last-Modified') })
  );
});

function defineGetter(name: string, get: (this: ExpressRequest) => unknown): void {
  Object.defineProperty(request, name, { configurable: true, enumerable: true, get });
}
