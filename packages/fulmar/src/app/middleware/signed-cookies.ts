/**
 * `signedCookies()`: cookies that a client can read and not change, in the format of Express (`s:` before the
 * value, its signature behind it). Not for what nobody is to read, nor bound to a name: what one cookie was
 * signed with is right in another.
 */
import { parseCookies } from '../cookies.ts';
import { COOKIE_NAME, COOKIE_SCOPE, type CookieContext, type CookieScope, toScope } from './cookie-options.ts';
import { checkOptions, type Checks, isCount, shown } from '../checked-options.ts';
import { SECRET, Signer } from './signature.ts';

export interface SignedCookiesOptions extends CookieScope {
  /** Of a list the first signs and all are accepted. */
  readonly secret: string | readonly string[];
}

export interface SignedCookieOptions extends CookieScope {
  /** In seconds. Default: until the browser is closed. */
  readonly maxAge?: number;
}

export interface SignedCookies {
  /** Undefined where there is none, and where none of the secrets has signed it. */
  get(c: CookieContext, name: string): Promise<string | undefined>;
  /** `null` ends the cookie. */
  set(c: CookieContext, name: string, value: string | null, options?: SignedCookieOptions): Promise<void>;
}

const scopeChecks: Checks<CookieScope> = {
  domain: memberCheck('domain', 'a domain'),
  path: memberCheck('path', 'a path from / on'),
  httpOnly: memberCheck('httpOnly', 'true or false'),
  secure: memberCheck('secure', 'true or false'),
  sameSite: memberCheck('sameSite', "'lax', 'strict' or 'none'"),
  priority: memberCheck('priority', "'low', 'medium' or 'high'"),
  partitioned: memberCheck('partitioned', 'true or false'),
};
const CHECKS: Checks<SignedCookiesOptions> = { secret: SECRET, ...scopeChecks };
const SET_CHECKS: Checks<SignedCookieOptions> = { maxAge: [(value) => isCount(0, value), 'a number of seconds'], ...scopeChecks };

function memberCheck(name: keyof CookieScope, what: string): readonly [(value: unknown) => boolean, string] {
  return [(value) => COOKIE_SCOPE[0]({ [name]: value }), what];
}

export function signedCookies(options: SignedCookiesOptions): SignedCookies {
  checkOptions('signedCookies', options, CHECKS);
  const { secret, ...scope } = options;
  if (secret === undefined) throw new TypeError('signedCookies() needs secret, a text that nobody else knows, or a list of them.');
  toScope('a', scope);
  const signer = new Signer(secret);
  return {
    async get(c, name) {
      const value = parseCookies(c.header('cookie'))[name];
      return value?.startsWith('s:') === true ? signer.unsign(value.slice(2)) : undefined;
    },
    async set(c, name, value, given = {}) {
      checkOptions('signedCookies().set', given, SET_CHECKS);
      if (!COOKIE_NAME[0](name)) throw new TypeError(`signedCookies().set() takes ${COOKIE_NAME[1]}, and this is ${shown(name)}.`);
      if (value !== null && typeof value !== 'string')
        throw new TypeError(`signedCookies().set() takes a text or null, and this is ${shown(value)}.`);
      const { maxAge, ...own } = given;
      const attributes = { ...toScope(name, { ...scope, ...own }), ...(maxAge === undefined ? {} : { maxAge }) };
      c.cookie(name, value === null ? null : `s:${await signer.sign(value)}`, attributes);
    },
  };
}
