/**
 * `basicAuth()`: a name and a password with every request (RFC 7617). Without right ones 401, and the handler
 * is not reached.
 */
import type { Next } from '../chain.ts';
import type { AnyContext } from '../context.ts';
import { admit, credentialsOf, quoted, REALM, unauthorized, type UserMiddleware } from './credentials.ts';
import { keepByContext } from './of-context.ts';
import type { OfContext } from './session/session-types.ts';
import { named } from './named.ts';
import { checkOptions, type Checks, isFunction } from '../checked-options.ts';
import { isSameSecret } from './same-secret.ts';

export interface BasicAuthOptions {
  /** Passwords by name. */
  readonly users?: Readonly<Record<string, string>>;
  /** What counts as false keeps out, `true` lets in; any other value lets in and is `c.state.user`. */
  readonly verify?: (name: string, password: string, c: AnyContext) => unknown;
  /** Told to whoever is asked for a password. Default: `Protected`. */
  readonly realm?: string;
}

const CHECKS: Checks<BasicAuthOptions> = {
  users: [isUsers, 'an object of passwords by name, none of them empty, no colon in a name', 'secret'],
  verify: isFunction('(name, password, c)'),
  realm: REALM,
};

function isUsers(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const users = Object.entries(value);
  return users.length > 0 && users.every(([name, password]) => !name.includes(':') && typeof password === 'string' && password !== '');
}

export function basicAuth<User = string>(options: BasicAuthOptions): UserMiddleware<User> {
  checkOptions('basicAuth', options, CHECKS);
  const { users, verify, realm = 'Protected' } = options;
  if ((users === undefined) === (verify === undefined))
    throw new TypeError('basicAuth() needs one of users, passwords by name, and verify(name, password, c).');
  const check = verify ?? verifierOf(users as Readonly<Record<string, string>>);
  const challenge = `Basic realm=${quoted(realm)}, charset="UTF-8"`;
  const kept = keepByContext<unknown>('basicAuth');
  const around = named(
    'basicAuth',
    async (c: AnyContext, next: Next): Promise<unknown> => {
      const [name, password] = decoded(credentialsOf(c, 'basic')) ?? [];
      if (name === undefined || password === undefined || !admit(c, kept, await check(name, password, c), name))
        throw unauthorized(challenge);
      return next();
    },
    { basicAuth: { type: 'http', scheme: 'basic' } },
  );
  return Object.assign(around, { of: kept.of as (c: OfContext) => User });
}

function verifierOf(users: Readonly<Record<string, string>>): (name: string, password: string) => boolean {
  const passwords = new Map(Object.entries(users));
  return (name, password) => {
    const expected = passwords.get(name);
    // A name that nobody has takes as long.
    return isSameSecret(password, expected ?? 'nobody') && expected !== undefined;
  };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decoded(credentials: string | undefined): readonly [name: string, password: string] | undefined {
  if (credentials === undefined) return undefined;
  try {
    const text = utf8.decode(Uint8Array.from(atob(credentials), (character) => character.charCodeAt(0)));
    const colon = text.indexOf(':');
    return colon < 0 ? undefined : [text.slice(0, colon), text.slice(colon + 1)];
  } catch {
    return undefined;
  }
}
