/**
 * `ctx.body` is `ctx.response.body`, `ctx.path` is `ctx.request.path`: members of the context that stand for
 * one of the request or the response. Written out, because a function for each lets V8 specialise it for the
 * one member it reads.
 */

/** Any method of the request or the response. */
export type AnyMethod = (...args: unknown[]) => unknown;

interface Both {
  readonly request: Record<string, unknown>;
  readonly response: Record<string, unknown>;
}

type Callable = Both & { readonly request: Record<string, AnyMethod>; readonly response: Record<string, AnyMethod> };

/** A member that cannot be assigned stays without a setter, as upstream's. */
const both = (context: unknown): Both => context as Both;
const callable = (context: unknown): Callable => context as Callable;

/** Members that are the response's. */
export const responseDelegates = {
  attachment(...args: unknown[]): unknown {
    return callable(this).response.attachment!(...args);
  },
  redirect(...args: unknown[]): unknown {
    return callable(this).response.redirect!(...args);
  },
  remove(...args: unknown[]): unknown {
    return callable(this).response.remove!(...args);
  },
  vary(...args: unknown[]): unknown {
    return callable(this).response.vary!(...args);
  },
  has(...args: unknown[]): unknown {
    return callable(this).response.has!(...args);
  },
  set(...args: unknown[]): unknown {
    return callable(this).response.set!(...args);
  },
  append(...args: unknown[]): unknown {
    return callable(this).response.append!(...args);
  },
  flushHeaders(...args: unknown[]): unknown {
    return callable(this).response.flushHeaders!(...args);
  },
  get status(): unknown {
    return both(this).response.status;
  },
  set status(value: unknown) {
    both(this).response.status = value;
  },
  get message(): unknown {
    return both(this).response.message;
  },
  set message(value: unknown) {
    both(this).response.message = value;
  },
  get body(): unknown {
    return both(this).response.body;
  },
  set body(value: unknown) {
    both(this).response.body = value;
  },
  get length(): unknown {
    return both(this).response.length;
  },
  set length(value: unknown) {
    both(this).response.length = value;
  },
  get type(): unknown {
    return both(this).response.type;
  },
  set type(value: unknown) {
    both(this).response.type = value;
  },
  get lastModified(): unknown {
    return both(this).response.lastModified;
  },
  set lastModified(value: unknown) {
    both(this).response.lastModified = value;
  },
  get etag(): unknown {
    return both(this).response.etag;
  },
  set etag(value: unknown) {
    both(this).response.etag = value;
  },
  get headerSent(): unknown {
    return both(this).response.headerSent;
  },
  get writable(): unknown {
    return both(this).response.writable;
  },
};

/** `ctx.back()`, since Koa 3. */
export const backDelegate = {
  back(...args: unknown[]): unknown {
    return callable(this).response.back!(...args);
  },
};

/** Members that are the request's. */
export const requestDelegates = {
  acceptsLanguages(...args: unknown[]): unknown {
    return callable(this).request.acceptsLanguages!(...args);
  },
  acceptsEncodings(...args: unknown[]): unknown {
    return callable(this).request.acceptsEncodings!(...args);
  },
  acceptsCharsets(...args: unknown[]): unknown {
    return callable(this).request.acceptsCharsets!(...args);
  },
  accepts(...args: unknown[]): unknown {
    return callable(this).request.accepts!(...args);
  },
  get(...args: unknown[]): unknown {
    return callable(this).request.get!(...args);
  },
  is(...args: unknown[]): unknown {
    return callable(this).request.is!(...args);
  },
  get querystring(): unknown {
    return both(this).request.querystring;
  },
  set querystring(value: unknown) {
    both(this).request.querystring = value;
  },
  get idempotent(): unknown {
    return both(this).request.idempotent;
  },
  set idempotent(value: unknown) {
    both(this).request.idempotent = value;
  },
  get socket(): unknown {
    return both(this).request.socket;
  },
  set socket(value: unknown) {
    both(this).request.socket = value;
  },
  get search(): unknown {
    return both(this).request.search;
  },
  set search(value: unknown) {
    both(this).request.search = value;
  },
  get method(): unknown {
    return both(this).request.method;
  },
  set method(value: unknown) {
    both(this).request.method = value;
  },
  get query(): unknown {
    return both(this).request.query;
  },
  set query(value: unknown) {
    both(this).request.query = value;
  },
  get path(): unknown {
    return both(this).request.path;
  },
  set path(value: unknown) {
    both(this).request.path = value;
  },
  get url(): unknown {
    return both(this).request.url;
  },
  set url(value: unknown) {
    both(this).request.url = value;
  },
  get accept(): unknown {
    return both(this).request.accept;
  },
  set accept(value: unknown) {
    both(this).request.accept = value;
  },
  get origin(): unknown {
    return both(this).request.origin;
  },
  get href(): unknown {
    return both(this).request.href;
  },
  get subdomains(): unknown {
    return both(this).request.subdomains;
  },
  get protocol(): unknown {
    return both(this).request.protocol;
  },
  get host(): unknown {
    return both(this).request.host;
  },
  get hostname(): unknown {
    return both(this).request.hostname;
  },
  get URL(): unknown {
    return both(this).request.URL;
  },
  get header(): unknown {
    return both(this).request.header;
  },
  get headers(): unknown {
    return both(this).request.headers;
  },
  get secure(): unknown {
    return both(this).request.secure;
  },
  get stale(): unknown {
    return both(this).request.stale;
  },
  get fresh(): unknown {
    return both(this).request.fresh;
  },
  get ips(): unknown {
    return both(this).request.ips;
  },
  get ip(): unknown {
    return both(this).request.ip;
  },
};
