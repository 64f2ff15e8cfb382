/**
 * `bearerAuth()`: a token with every request (RFC 6750). Without a right one 401, and the handler is not
 * reached.
 */
import type { Next } from '../chain.ts';
import type { AnyContext } from '../context.ts';
import { admit, credentialsOf, quoted, REALM, unauthorized, type UserMiddleware } from './credentials.ts';
import { keepByContext } from './of-context.ts';
import type { OfContext } from './session/session-types.ts';
import { named } from './named.ts';
import { checkOptions, type Checks, isFunction, isListOf } from '../checked-options.ts';
import { isOneOfSecrets } from './same-secret.ts';

export interface BearerAuthOptions {
  readonly tokens?: readonly string[];
  /** What counts as false keeps out, `true` lets in; any other value lets in and is `c.state.user`. */
  readonly verify?: (token: string, c: AnyContext) => unknown;
  /** Default: `Protected`. */
  readonly realm?: string;
}

/** What a token may look like on the wire (`b64token`). */
const TOKEN = /^[\w\-.~+/]+=*$/;
const isToken = (value: unknown): boolean => typeof value === 'string' && TOKEN.test(value);

const CHECKS: Checks<BearerAuthOptions> = {
  tokens: [(value) => isListOf(isToken, value) && value.length > 0, 'a list of tokens of letters, digits and -._~+/=', 'secret'],
  verify: isFunction('(token, c)'),
  realm: REALM,
};

export function bearerAuth<User = unknown>(options: BearerAuthOptions): UserMiddleware<User> {
  checkOptions('bearerAuth', options, CHECKS);
  const { tokens, verify, realm = 'Protected' } = options;
  if ((tokens === undefined) === (verify === undefined))
    throw new TypeError('bearerAuth() needs one of tokens, a list, and verify(token, c).');
  const check = verify ?? ((token: string) => isOneOfSecrets(token, tokens as readonly string[]));
  const challenge = `Bearer realm=${quoted(realm)}`;
  const kept = keepByContext<unknown>('bearerAuth');
  const around = named(
    'bearerAuth',
    async (c: AnyContext, next: Next): Promise<unknown> => {
      const token = credentialsOf(c, 'bearer');
      // Who has shown no token is told of no error (RFC 6750, 3.1).
      if (token === undefined) throw unauthorized(challenge);
      if (!isToken(token) || !admit(c, kept, await check(token, c))) throw unauthorized(`${challenge}, error="invalid_token"`);
      return next();
    },
    { bearerAuth: { type: 'http', scheme: 'bearer' } },
  );
  return Object.assign(around, { of: kept.of as (c: OfContext) => User });
}
