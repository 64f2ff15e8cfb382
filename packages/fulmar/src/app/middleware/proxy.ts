/**
 * `proxy()`: requests answered by another server. What of the path stands for the upstream follows from where
 * it is used, as for `staticFiles()`. Content flows both ways as fast as it is taken; who leaves on one side
 * ends the other. Never passes on what is of one connection.
 */
import { kBound, type Next } from '../chain.ts';
import type { AnyContext } from '../context.ts';
import { HttpError } from '../http-error.ts';
import { sendByNode } from '../lazy.ts';
import { hasNode } from '../needs-node.ts';
import { Fields, isOfConnection, passedOn } from '../proxy/fields.ts';
import { type ForwardedStyle, sayForwarded, sayVia } from '../proxy/forwarded.ts';
import { clientCookie, clientLocation, type CookieRules, type Places, upstreamUrl } from '../proxy/paths.ts';
import type { Send, UpstreamReply } from '../proxy/proxy-types.ts';
import { type Fetch, sendByFetch } from '../proxy/send-by-fetch.ts';
import { toUpstreamValue } from '../proxy/upstream-content.ts';
import { UpstreamError } from '../proxy/upstream-error.ts';
import { type HealthRules, type Upstream, Upstreams } from '../proxy/upstreams.ts';
import {
  checkOptions,
  type Checks,
  isBoolean,
  isCount,
  isMs,
  isFieldText,
  isFunction,
  isListOf,
  isToken,
  shown,
} from '../checked-options.ts';

/** Fields by name; null takes one out. */
export type ProxyFields = Readonly<Record<string, string | null>>;

export interface ProxyOptions {
  /** The upstream: its origin, and a path that goes before all paths. */
  readonly target?: string | URL;
  /** Several that answer alike, each in turn, instead of one. */
  readonly upstreams?: readonly (string | URL)[];
  /** When an upstream that cannot be asked rests: `{ failures: 3, restMs: 10_000 }`. */
  readonly health?: HealthRules;
  /** The path and query that is asked for, of what is left behind the place where this is used. */
  readonly rewrite?: (path: string, c: AnyContext) => string;
  /** Fields for the upstream, or a function that gives them. */
  readonly headers?: ProxyFields | ((c: AnyContext) => ProxyFields);
  /** Fields for the client, or a function that gives them. */
  readonly replyHeaders?: ProxyFields | ((c: AnyContext) => ProxyFields);
  /** The `Host` that the upstream gets: its own, the client's, or another. Default: upstream. */
  readonly host?: 'upstream' | 'client' | (string & {});
  /** How the upstream is told who asks. Default: x, `X-Forwarded-For`, `-Host` and `-Proto`; standard: `Forwarded`. */
  readonly forwarded?: ForwardedStyle;
  /** The name in `Via`; false: none. Default: fulmar. */
  readonly via?: string | false;
  /** Redirects to the upstream lead here. Default: true. */
  readonly redirects?: boolean;
  readonly cookies?: CookieRules;
  /** Until the reply begins, from the last piece of content on, in ms; 0: without end. Default: 60 s. */
  readonly timeoutMs?: number;
  /** Until there is a connection, in ms. Default: 10 s. */
  readonly connectTimeoutMs?: number;
  /** How often a request that has not left is tried again, with other upstreams first. Default: 1. */
  readonly retries?: number;
  /** Connections to an upstream; further requests wait. Default: 256. */
  readonly connections?: number;
  /** Asks instead of Node's client. Without one: the web's, where there is no Node. */
  readonly fetch?: Fetch;
}

/** A handler, and middleware too: it answers everything. */
export type Proxy = (c: AnyContext, next?: Next) => Promise<unknown>;

const TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;
const CONNECTIONS_MAX = 256;
const STATUS_MIN = 200;
const STATUS_MAX = 599;

const isUpstream = (value: unknown): boolean => {
  if (!(value instanceof URL) && (typeof value !== 'string' || !URL.canParse(value))) return false;
  const { protocol, search, hash, username } = new URL(value);
  return (protocol === 'http:' || protocol === 'https:') && search === '' && hash === '' && username === '';
};
const isFieldSet = (value: unknown): boolean =>
  typeof value === 'function' ||
  (typeof value === 'object' &&
    value !== null &&
    Object.entries(value).every(([name, text]) => isToken(name) && !isOfConnection(name) && (text === null || isFieldText(text))));
const isRecordOf = (value: unknown, checks: Readonly<Record<string, (one: unknown) => boolean>>): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).every(([name, one]) => Object.hasOwn(checks, name) && checks[name]?.(one) === true);

const UPSTREAM = "the origin of a server and maybe a path, such as 'http://127.0.0.1:4000/v1'";
const FIELDS = 'fields by name that are not of the connection, or a function (c) that gives them';
const CHECKS: Checks<ProxyOptions> = {
  target: [isUpstream, UPSTREAM],
  upstreams: [(value) => isListOf(isUpstream, value) && value.length > 0, `a list, each ${UPSTREAM}`],
  health: [
    (value) => isRecordOf(value, { failures: (one) => isCount(1, one), restMs: (one) => isMs(0, one) }),
    'an object { failures, restMs }',
  ],
  rewrite: isFunction('(path, c)'),
  headers: [isFieldSet, FIELDS],
  replyHeaders: [isFieldSet, FIELDS],
  host: [(value) => isFieldText(value) && value !== '', "'upstream', 'client' or a host"],
  forwarded: [(value) => value === false || value === 'x' || value === 'standard' || value === 'both', "'x', 'standard', 'both' or false"],
  via: [(value) => value === false || isToken(value), 'a name or false'],
  redirects: isBoolean,
  cookies: [
    (value) =>
      isRecordOf(value, {
        domain: (one) => one === false || /^[\w.-]+$/.test(String(one)),
        path: (one) => typeof one === 'string' && /^\/[^;]*$/.test(one) && isFieldText(one),
      }),
    'an object { domain, path }',
  ],
  timeoutMs: [(value) => isMs(0, value), 'a time in ms'],
  connectTimeoutMs: [(value) => isMs(0, value), 'a time in ms'],
  retries: [(value) => isCount(0, value), 'a number'],
  connections: [(value) => isCount(1, value), 'a number'],
  fetch: isFunction('(request)'),
};

interface Rules extends Required<Omit<ProxyOptions, 'target' | 'upstreams' | 'health' | 'rewrite' | 'fetch' | 'headers' | 'replyHeaders'>> {
  readonly pool: Upstreams;
  readonly rewrite: ((path: string, c: AnyContext) => string) | undefined;
  readonly headersOf: (c: AnyContext) => ProxyFields;
  readonly replyHeadersOf: (c: AnyContext) => ProxyFields;
  readonly send: () => Send;
}

/** @throws TypeError for options that are none */
export function proxy(given: string | URL | ProxyOptions): Proxy {
  const options: ProxyOptions = typeof given === 'string' || given instanceof URL ? { target: given } : given;
  checkOptions('proxy', options, CHECKS);
  if ((options.target === undefined) === (options.upstreams === undefined))
    throw new TypeError(`proxy() needs one of target and upstreams: ${UPSTREAM}; this is ${shown(given)}.`);
  const rules = toRules(options);
  const at =
    (segments: (c: AnyContext) => number): Proxy =>
    (c) =>
      answer(c, rules, segments(c));
  const handler = at((c) => (/\/\*[^/]*$/.test(c.route) ? segmentsIn(c.route) - 1 : 0));
  const bind = (prefix: string): Proxy => {
    const segments = segmentsIn(prefix);
    return at(() => segments);
  };
  return Object.assign<Proxy, object>(handler, { [kBound]: bind });
}

const segmentsIn = (path: string): number => path.split('/').filter((segment) => segment !== '').length;

function toRules(options: ProxyOptions): Rules {
  const { target, upstreams = [target as string | URL], health, headers = {}, replyHeaders = {}, fetch: given } = options;
  const byFetch = given !== undefined || !hasNode() ? sendByFetch(given) : null;
  return {
    pool: new Upstreams(
      upstreams.map((one) => new URL(one)),
      health,
    ),
    rewrite: options.rewrite,
    headersOf: typeof headers === 'function' ? headers : () => headers,
    replyHeadersOf: typeof replyHeaders === 'function' ? replyHeaders : () => replyHeaders,
    host: options.host ?? 'upstream',
    forwarded: options.forwarded ?? 'x',
    via: options.via ?? 'fulmar',
    redirects: options.redirects ?? true,
    cookies: options.cookies ?? {},
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    connectTimeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    retries: options.retries ?? 1,
    connections: options.connections ?? CONNECTIONS_MAX,
    send: () => byFetch ?? sendByNode(),
  };
}

async function answer(c: AnyContext, rules: Rules, segments: number): Promise<unknown> {
  const base = segments === 0 ? '' : c.pathname.split('/', segments + 1).join('/');
  const query = c.url.indexOf('?');
  const rest = c.pathname.slice(base.length) + (query < 0 ? '' : c.url.slice(query));
  const path = rules.rewrite === undefined ? rest : rules.rewrite(rest, c);
  if (typeof path !== 'string') throw new TypeError(`proxy(): rewrite gives a path, and this is ${shown(path)}.`);
  const tried = new Set<Upstream>();
  for (let left = rules.retries; ; left -= 1) {
    const upstream = rules.pool.pick(tried);
    tried.add(upstream);
    const places = { base, target: upstream.target };
    try {
      const reply = await rules.send()(toAsked(c, rules, upstreamUrl(places, path)));
      if (reply.status < STATUS_MIN || reply.status > STATUS_MAX) throw new UpstreamError(`The status ${reply.status} is none of a reply.`);
      rules.pool.worked(upstream);
      return toValue(c, rules, { reply, places: rules.rewrite === undefined ? places : { ...places, base: '' } });
    } catch (error) {
      // A client that has left is no fault of the upstream's.
      if (!(error instanceof UpstreamError) || !c.exchange.open) throw error;
      rules.pool.failed(upstream);
      if (left <= 0 || !mayRepeat(c, error)) throw toHttpError(error, upstream);
    }
  }
}

const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/** Nothing has left; or the same twice is as once (RFC 9110, 9.2.2), and no time was waited for it. */
function mayRepeat(c: AnyContext, { isUnsent, isLate }: UpstreamError): boolean {
  return isUnsent || (!isLate && REPEATABLE.has(c.method) && c.exchange.contentState !== 'streamed');
}

function toHttpError(error: UpstreamError, { target }: Upstream): HttpError {
  return error.isLate
    ? new HttpError(504, `${target.origin}: ${error.message}`, { cause: error })
    : new HttpError(502, `${target.origin}: ${error.message}`, { cause: error });
}

function toAsked(c: AnyContext, rules: Rules, url: URL): Parameters<Send>[0] {
  const fields = passedOn(c.exchange.rawHeaders());
  sayForwarded(c, fields, rules.forwarded);
  if (rules.via !== false) sayVia(fields, { version: `1.${c.exchange.httpVersionMinor}`, name: rules.via });
  const host = rules.host === 'upstream' ? url.host : rules.host === 'client' ? (c.header('host') ?? url.host) : rules.host;
  for (const [name, value] of Object.entries(rules.headersOf(c))) {
    if (isOfConnection(name)) throw new TypeError(`proxy(): ${name} is of the connection, and not for headers to say.`);
    fields.put(name, value);
  }
  const headers = new Fields([['host', ['Host', [host]]], ...fields]);
  return { c, url, headers, timeoutMs: rules.timeoutMs, connectTimeoutMs: rules.connectTimeoutMs, connectionsMax: rules.connections };
}

function toValue(c: AnyContext, rules: Rules, { reply, places }: { reply: UpstreamReply; places: Places }): unknown {
  const fields = passedOn(reply.rawHeaders);
  // The server says its own.
  fields.delete('date');
  const location = fields.text('location');
  if (rules.redirects && location !== undefined) fields.put('Location', clientLocation(location, places));
  for (const [name, [, values]] of fields)
    for (const [index, value] of values.entries())
      c.header(fields.get(name)?.[0] as string, name === 'set-cookie' ? clientCookie(value, rules.cookies) : value, {
        append: index > 0 || name === 'set-cookie' || name === 'vary',
      });
  for (const [name, value] of Object.entries(rules.replyHeadersOf(c))) {
    if (value === null) c.lines?.delete(name);
    else c.header(name, value);
  }
  c.status(reply.status);
  return toUpstreamValue(c, reply);
}
