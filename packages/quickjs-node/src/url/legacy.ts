/**
 * `url.parse()` and its kin: URLs as Node took them apart before the web's `URL`, quirks included.
 */
import ops from 'fulmar:ops';
import { coded, invalidArgValue } from '../shared/errors.ts';
import { validateString } from '../shared/validators.ts';
import { escapedAuth, HOSTLESS, isBracketed, SLASHED } from './legacy-parts.ts';
import { resolvedObject } from './legacy-resolve.ts';
import querystring from '../querystring/index.ts';

export interface Url {
  protocol: string | null;
  slashes: boolean | null;
  auth: string | null;
  host: string | null;
  port: string | null;
  hostname: string | null;
  hash: string | null;
  search: string | null;
  query: string | object | null;
  pathname: string | null;
  path: string | null;
  href: string | null;
  parse(url: unknown, parseQueryString?: boolean, slashesDenoteHost?: boolean): Url;
  format(): string;
  resolve(relative: unknown): string;
  resolveObject(relative: unknown): Url;
  parseHost(): void;
}

interface UrlClass {
  new (): Url;
  (this: Url): void;
  prototype: Url;
}

const PROTOCOL = /^[a-z0-9.+-]+:/i;
const WITH_HOST = /^\/\/[^@/]+@[^@/]+/;
const SIMPLE_PATH = /^(\/\/?(?!\/)[^?\s]*)(\?[^\s]*)?$/;
// oxlint-disable-next-line no-control-regex -- control characters end up in hosts through IDNA
const FORBIDDEN = /[\0\t\n\r #%/:<>?@[\\\]^|]/;
// oxlint-disable-next-line no-control-regex -- as above
const FORBIDDEN_IPV6 = /[\0\t\n\r #%/<>?@\\^|]/;
const ESCAPED = /[\t\n\r "'<>\\^`{|}]/g;
/** Characters that never stand in a host. */
const NOT_IN_HOST = new Set(' "%\';<>\\^`{|}');
const NOT_ASCII = /[^\u0000-\u007f]/;
const HOSTNAME_MAX = 255;
/** What `url.parse` trims: control characters and spaces. */
// oxlint-disable-next-line no-control-regex -- as above
const TRIMMED = /^[\u0000-\u0020\u00a0\ufeff]+|[\u0000-\u0020\u00a0\ufeff]+$/g;

function construct(this: Url): void {
  this.protocol = null;
  this.slashes = null;
  this.auth = null;
  this.host = null;
  this.port = null;
  this.hostname = null;
  this.hash = null;
  this.search = null;
  this.query = null;
  this.pathname = null;
  this.path = null;
  this.href = null;
}
Object.defineProperty(construct, 'name', { value: 'Url' });
export const Url = construct as unknown as UrlClass;

function invalid(url: string): Error {
  return Object.assign(coded(TypeError, 'ERR_INVALID_URL', 'Invalid URL'), { input: url });
}

/** Trimmed, with slashes for the backslashes before the query. */
function cleaned(url: string): string {
  const text = url.replace(TRIMMED, '');
  const end = text.search(/[?#]/);
  return end === -1 ? text.replaceAll('\\', '/') : text.slice(0, end).replaceAll('\\', '/') + text.slice(end);
}

/** A path and nothing else, which is what servers parse; false when it is more. */
function takeSimplePath(url: Url, rest: string, parseQueryString: boolean): boolean {
  const simple = SIMPLE_PATH.exec(rest);
  if (simple === null) return false;
  const search = simple[2];
  url.path = rest;
  url.href = rest;
  url.pathname = simple[1] ?? '';
  if (search !== undefined && search !== '') {
    url.search = search;
    url.query = parseQueryString ? querystring.parse(search.slice(1)) : search.slice(1);
  } else if (parseQueryString) {
    url.search = null;
    url.query = Object.create(null) as object;
  }
  return true;
}

interface Authority {
  auth: string | undefined;
  host: string;
  rest: string;
}

/** The host ends at the first `/`, `?` or `#`; what is before the last `@` is not part of it. */
function authorityOf(given: string): Authority {
  const end = given.search(/[/?#]/);
  const text = (end === -1 ? given : given.slice(0, end)).replace(/[\t\n\r]/g, '');
  const after = end === -1 ? '' : given.slice(end);
  const at = text.lastIndexOf('@');
  let stop = at + 1;
  while (stop < text.length && !NOT_IN_HOST.has(text.charAt(stop))) stop += 1;
  return { auth: at === -1 ? undefined : text.slice(0, at), host: text.slice(at + 1, stop), rest: text.slice(stop) + after };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new URIError('URI malformed');
  }
}

/** Checks the host name and gives what follows it. */
function takeHost(url: Url, given: string, source: string): string {
  const authority = authorityOf(given);
  let { rest } = authority;
  if (authority.auth !== undefined) url.auth = decoded(authority.auth);
  url.host = authority.host;
  url.parseHost();
  let hostname = url.hostname ?? '';
  const ipv6 = isBracketed(hostname);
  if (!ipv6) {
    const wrong = hostname.search(/[/\\#?:]/);
    if (wrong !== -1 && hostname.charAt(wrong) === ':') throw invalidArgValue('url', 'Invalid port in url', source);
    if (wrong !== -1) {
      rest = `/${hostname.slice(wrong)}${rest}`;
      hostname = hostname.slice(0, wrong);
    }
  }
  hostname = hostname.length > HOSTNAME_MAX ? '' : hostname.toLowerCase();
  if (hostname !== '') {
    if (!ipv6 && NOT_ASCII.test(hostname)) hostname = ops.domainToAscii(hostname);
    if (hostname === '' || (ipv6 ? FORBIDDEN_IPV6 : FORBIDDEN).test(hostname)) throw invalid(source);
  }
  url.host = `${hostname}${url.port === null || url.port === '' ? '' : `:${url.port}`}`;
  url.hostname = ipv6 ? hostname.slice(1, -1) : hostname;
  return ipv6 && !rest.startsWith('/') ? `/${rest}` : rest;
}

/** Path, query and fragment. */
function takeRest(url: Url, rest: string, parseQueryString: boolean): void {
  const hash = rest.indexOf('#');
  const before = hash === -1 ? rest : rest.slice(0, hash);
  if (hash !== -1) url.hash = rest.slice(hash);
  const question = before.indexOf('?');
  if (question !== -1) {
    url.search = before.slice(question);
    const query = before.slice(question + 1);
    url.query = parseQueryString ? querystring.parse(query) : query;
  } else if (parseQueryString) {
    url.search = null;
    url.query = Object.create(null) as object;
  }
  const path = question === -1 ? before : before.slice(0, question);
  if (path !== '') url.pathname = path;
}

const parse = function parse(this: Url, given: unknown, parseQueryString = false, slashesDenoteHost = false): Url {
  validateString(given, 'url');
  let rest = cleaned(given);
  const hasAt = /^[^?#]*@/.test(given);
  if (!slashesDenoteHost && !given.includes('#') && !hasAt && takeSimplePath(this, rest, parseQueryString)) return this;
  const scheme = PROTOCOL.exec(rest)?.[0];
  const protocol = scheme?.toLowerCase();
  if (scheme !== undefined && protocol !== undefined) {
    this.protocol = protocol;
    rest = rest.slice(scheme.length);
  }
  const hostless = protocol !== undefined && HOSTLESS.has(protocol);
  let slashes = false;
  if (slashesDenoteHost || scheme !== undefined || WITH_HOST.test(rest)) {
    slashes = rest.startsWith('//');
    if (slashes && !hostless) {
      rest = rest.slice(2);
      this.slashes = true;
    }
  }
  if (!hostless && (slashes || (scheme !== undefined && !SLASHED.has(scheme)))) rest = takeHost(this, rest, given);
  if (protocol === undefined || !HOSTLESS.has(protocol)) rest = rest.replace(ESCAPED, escapedCharacter);
  takeRest(this, rest, parseQueryString);
  if (protocol !== undefined && SLASHED.has(protocol) && this.hostname && !this.pathname) this.pathname = '/';
  if (this.pathname || this.search) this.path = `${this.pathname ?? ''}${this.search ?? ''}`;
  this.href = this.format();
  return this;
};

function escapedCharacter(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function hostText(url: Url): string {
  const auth = url.auth ? `${escapedAuth(url.auth)}@` : '';
  if (url.host) return auth + url.host;
  if (!url.hostname) return '';
  const name = url.hostname.includes(':') && !isBracketed(url.hostname) ? `[${url.hostname}]` : url.hostname;
  return `${auth}${name}${url.port ? `:${url.port}` : ''}`;
}

const format = function format(this: Url): string {
  let protocol = this.protocol || '';
  if (protocol !== '' && !protocol.endsWith(':')) protocol += ':';
  let host = hostText(this);
  let pathname = (this.pathname || '').replace(/[#?]/g, (char) => (char === '#' ? '%23' : '%3F'));
  const query = this.query !== null && typeof this.query === 'object' ? querystring.stringify(this.query) : '';
  let search = this.search || (query === '' ? '' : `?${query}`);
  if (this.slashes || SLASHED.has(protocol)) {
    if (this.slashes || host !== '') {
      if (pathname !== '' && !pathname.startsWith('/')) pathname = `/${pathname}`;
      host = `//${host}`;
    } else if (protocol.startsWith('file')) {
      host = '//';
    }
  }
  search = search.replaceAll('#', '%23');
  let hash = this.hash || '';
  if (hash !== '' && !hash.startsWith('#')) hash = `#${hash}`;
  if (search !== '' && !search.startsWith('?')) search = `?${search}`;
  return protocol + host + pathname + search + hash;
};

Object.assign(Url.prototype, {
  parse,
  format,
  resolve(this: Url, relative: unknown): string {
    return this.resolveObject(parsed(relative, false, true)).format();
  },
  resolveObject(this: Url, relative: unknown): Url {
    const target = typeof relative === 'string' ? new Url().parse(relative, false, true) : (relative as Url);
    return resolvedObject(this, target, new Url());
  },
  parseHost(this: Url): void {
    let host = this.host ?? '';
    const port = /:[0-9]*$/.exec(host)?.[0];
    if (port !== undefined) {
      if (port !== ':') this.port = port.slice(1);
      host = host.slice(0, -port.length);
    }
    if (host !== '') this.hostname = host;
  },
});

export function parsed(url: unknown, parseQueryString?: boolean, slashesDenoteHost?: boolean): Url {
  return url instanceof Url ? url : new Url().parse(url, parseQueryString, slashesDenoteHost);
}
