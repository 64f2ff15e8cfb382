/**
 * Cookies, by the `cookie` package.
 */
import { parse, serialize } from 'cookie';

export interface CookieOptions {
  readonly domain?: string;
  readonly path?: string;
  readonly expires?: Date;
  /** In seconds. */
  readonly maxAge?: number;
  readonly httpOnly?: boolean;
  readonly secure?: boolean;
  readonly sameSite?: boolean | 'lax' | 'strict' | 'none';
  readonly partitioned?: boolean;
}

const NONE: Readonly<Record<string, string>> = Object.freeze(Object.create(null) as Record<string, string>);

export function parseCookies(header: string | undefined): Readonly<Record<string, string>> {
  return header === undefined ? NONE : (Object.assign(Object.create(null) as object, parse(header)) as Record<string, string>);
}

/** The value of a `Set-Cookie` line. `null` ends the cookie. The path is `/` unless another is given. */
export function cookieLine(name: string, value: string | null, options: CookieOptions = {}): string {
  const given = { path: '/', ...options };
  return serialize(name, value ?? '', value === null ? { ...given, maxAge: 0, expires: new Date(0) } : given);
}
