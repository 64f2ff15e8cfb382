/**
 * Parts of a request as a context tells them, made of its exchange when they are asked for.
 */
import { joined } from '../exchange/field-value.ts';
import type { Exchange } from '../exchange/types.ts';
import { accepts, typeIs } from '../web/lazy.ts';
import type { AnyContext } from './context.ts';
import { HttpError } from './http-error.ts';

/** The target's path; of an absolute-form target that behind its authority. */
export function pathOf(target: string): string {
  const end = target.indexOf('?');
  const path = end < 0 ? target : target.slice(0, end);
  if (path.charCodeAt(0) === 0x2f || path === '*') return path;
  const authority = path.indexOf('://');
  const slash = authority < 0 ? -1 : path.indexOf('/', authority + '://'.length);
  return slash < 0 ? '/' : path.slice(slash);
}

export function searchOf(target: string): string {
  const at = target.indexOf('?');
  return at < 0 ? '' : target.slice(at + 1);
}

export function headersOf(exchange: Exchange): Readonly<Record<string, string | undefined>> {
  const raw = exchange.rawHeaders();
  const headers = Object.create(null) as Record<string, string>;
  for (let at = 0; at < raw.length; at += 2) {
    const name = (raw[at] as string).toLowerCase();
    headers[name] = joined(name, headers[name], raw[at + 1] as string);
  }
  return headers;
}

/** What a location may have beside ASCII is escaped; what is escaped already stays. */
export function encodeLocation(location: string): string {
  return encodeURI(location).replaceAll(/%25(?=[0-9A-Fa-f]{2})/g, '%');
}

/** The first of `types` that the client likes best. */
export function acceptedOf(exchange: Exchange, types: readonly string[]): string | false {
  const found = accepts()({ headers: { accept: exchange.header('accept') } } as never).types(...types);
  return Array.isArray(found) ? (found[0] ?? false) : found;
}

/** Which of `types` the content is of; null where there is none. */
export function typeIsOf(exchange: Exchange, types: readonly string[]): string | false | null {
  if (exchange.contentState === 'none') return null;
  const type = exchange.header('content-type');
  return type === undefined ? false : typeIs().is(type, [...types]);
}

/** Of the web none may be made of them. */
const NO_METHODS: ReadonlySet<string> = new Set(['TRACE', 'TRACK', 'CONNECT']);

/** What an authority ends at, and what none has. */
const NO_HOST = /[\s/?#@\\]/;

/** A URL has no such segments: it would be another path than the one that middleware has seen. */
const DOT_SEGMENT = /(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\]|$)/i;
/** Of paths, URLs make a slash of it. */
const BACKSLASH = '\\';

/**
 * A target that begins with two slashes is a path. @throws HttpError 400 for a host that is none, and for a path that
 * no URL has
 */
function urlOf({ host, protocol, exchange: { target } }: AnyContext): URL {
  if (NO_HOST.test(host)) throw new HttpError(400, 'The Host field is not a host.');
  const path = pathOf(target);
  if (DOT_SEGMENT.test(path) || path.includes(BACKSLASH)) throw new HttpError(400, 'The path has segments that no URL has.');
  const origin = `${protocol}://${host === '' ? 'localhost' : host}`;
  try {
    const url = target.startsWith('/') ? new URL(origin + target) : new URL(target, origin);
    url.username = url.password = '';
    return url;
  } catch (cause) {
    throw new HttpError(400, 'The host or the target of the request is none.', { cause });
  }
}

export function toRequest(c: AnyContext): Request {
  const { exchange } = c;
  const headers = new Headers();
  const raw = exchange.rawHeaders();
  for (let at = 0; at < raw.length; at += 2) headers.append(raw[at] as string, raw[at + 1] as string);
  const hasContent = exchange.contentState !== 'none' && exchange.method !== 'GET' && exchange.method !== 'HEAD';
  if (NO_METHODS.has(exchange.method)) throw new HttpError(501, `${exchange.method} is no method of a Request.`);
  return new Request(urlOf(c), {
    method: exchange.method,
    headers,
    signal: c.signal,
    ...(hasContent ? { body: c.reader.stream(), duplex: 'half' } : {}),
  } as RequestInit);
}
