/**
 * Where a cookie that middleware sets goes to: the attributes that may be given, what holds without them, and
 * who reads and sets it. What they say of its time is each middleware's own.
 */
import { cookieLine, type CookieOptions } from '../cookies.ts';
import { type Check, isFieldText } from '../checked-options.ts';

/** Attributes beside those of time. */
export interface CookieScope {
  /** Subdomains get it too. Default: none, the host alone. */
  readonly domain?: string;
  /** Default: `/`. */
  readonly path?: string;
  /** Scripts of a page do not see it. Default: true. */
  readonly httpOnly?: boolean;
  /** Over https alone, and on localhost. Default: true. */
  readonly secure?: boolean;
  /** Default: `lax`. */
  readonly sameSite?: 'lax' | 'strict' | 'none';
  readonly priority?: 'low' | 'medium' | 'high';
  readonly partitioned?: boolean;
}

/** What of a context reads and sets cookies, whatever the schemas of its route. */
export interface CookieContext {
  header(name: string): string | undefined;
  cookie(name: string, value: string | null, options?: CookieOptions): unknown;
}

const ATTRIBUTES: Readonly<Record<keyof CookieScope, (value: unknown) => boolean>> = {
  domain: (value) => isFieldText(value) && value !== '',
  path: (value) => isFieldText(value) && (value as string).startsWith('/'),
  httpOnly: (value) => typeof value === 'boolean',
  secure: (value) => typeof value === 'boolean',
  sameSite: (value) => value === 'lax' || value === 'strict' || value === 'none',
  priority: (value) => value === 'low' || value === 'medium' || value === 'high',
  partitioned: (value) => typeof value === 'boolean',
};

function isScope(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(
    ([name, given]) => Object.hasOwn(ATTRIBUTES, name) && (given === undefined || ATTRIBUTES[name as keyof CookieScope](given)),
  );
}

export const COOKIE_SCOPE: Check = [
  isScope,
  "an object of domain, path (from / on), httpOnly, secure, sameSite ('lax', 'strict' or 'none'), priority ('low', 'medium' or 'high') and partitioned",
];

/** A cookie's name is a token (RFC 6265, 4.1.1). */
export const COOKIE_NAME: Check = [
  (value) => typeof value === 'string' && /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(value),
  "the name of a cookie: letters, digits and !#$%&'*+-.^_`|~",
];

/** With what holds for attributes that are not given. @throws TypeError for what browsers would not keep under that name */
export function toScope(name: string, given: CookieScope = {}): CookieScope {
  const defined = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as CookieScope;
  const scope: CookieScope = { path: '/', httpOnly: true, secure: true, sameSite: 'lax', ...defined };
  cookieLine(name, '', scope);
  return scope;
}
