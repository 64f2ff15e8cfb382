/**
 * Cookies, by the `cookie` package, and what browsers ask of one beyond its syntax: a line that they would
 * throw away is an error here.
 */
import { parse, serialize } from 'cookie';
import { checkOptions, type Checks, isBoolean } from './checked-options.ts';

export interface CookieOptions {
  readonly domain?: string;
  readonly path?: string;
  readonly expires?: Date;
  /** In seconds. */
  readonly maxAge?: number;
  readonly httpOnly?: boolean;
  /** Default: false; true where the name begins with `__Host-` or `__Secure-`. */
  readonly secure?: boolean;
  readonly sameSite?: boolean | 'lax' | 'strict' | 'none';
  readonly priority?: 'low' | 'medium' | 'high';
  readonly partitioned?: boolean;
}

const isOneOf = (value: unknown, names: readonly string[]): boolean => typeof value === 'string' && names.includes(value.toLowerCase());

const CHECKS: Checks<CookieOptions> = {
  domain: [(value) => typeof value === 'string', 'the name of a host'],
  path: [(value) => typeof value === 'string', 'a path'],
  expires: [(value) => value instanceof Date && !Number.isNaN(value.getTime()), 'a Date'],
  maxAge: [(value) => Number.isSafeInteger(value), 'a number of seconds'],
  httpOnly: isBoolean,
  secure: isBoolean,
  sameSite: [(value) => typeof value === 'boolean' || isOneOf(value, ['lax', 'strict', 'none']), "'lax', 'strict', 'none', true or false"],
  priority: [(value) => isOneOf(value, ['low', 'medium', 'high']), "'low', 'medium' or 'high'"],
  partitioned: isBoolean,
};

const NONE: Readonly<Record<string, string>> = Object.freeze(Object.create(null) as Record<string, string>);

/** By name; of one that comes more than once the first. */
export function parseCookies(header: string | undefined): Readonly<Record<string, string>> {
  return header === undefined ? NONE : (Object.assign(Object.create(null) as object, parse(header)) as Record<string, string>);
}

/**
 * The value of a `Set-Cookie` line. `null` ends the cookie. The path is `/` unless another is given.
 * @throws TypeError for what a browser would not keep
 */
export function cookieLine(name: string, value: string | null, options: CookieOptions = {}): string {
  checkOptions('cookie', options, CHECKS);
  const given = { ...options, path: options.path ?? '/', secure: options.secure ?? /^__(?:host|secure)-/i.test(name) };
  const wrong = refusedBecause(name, given);
  if (wrong !== undefined) throw new TypeError(`Browsers keep no cookie ${name} that ${wrong}.`);
  return serialize(name, value ?? '', value === null ? { ...given, maxAge: 0, expires: new Date(0) } : given);
}

/** By RFC 6265bis, 4.1.3 and 5.7. Prefixes count in any case. */
function refusedBecause(name: string, { secure, path, domain, sameSite, partitioned }: CookieOptions): string | undefined {
  if (secure !== true) {
    if (/^__(?:host|secure)-/i.test(name)) return 'is not secure: its name promises that';
    if (sameSite === 'none') return "has sameSite 'none' and is not secure";
    if (partitioned === true) return 'is partitioned and not secure';
  }
  if (!/^__host-/i.test(name)) return undefined;
  if (domain !== undefined) return 'has a domain: with its name it is for one host alone';
  return path === '/' ? undefined : `has the path ${String(path)}: with its name it is for all of a host`;
}
