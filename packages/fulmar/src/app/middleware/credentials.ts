/**
 * What `basicAuth()` and `bearerAuth()` share: the credentials of a request, and the reply to those who have
 * none that are right.
 */
import type { Middleware } from '../chain.ts';
import type { AnyContext } from '../context.ts';
import { HttpError } from '../http-error.ts';
import type { KeptByContext } from './of-context.ts';
import type { OfContext } from './session/session-types.ts';
import { type Check, isFieldText } from '../checked-options.ts';

export const REALM: Check = [isFieldText, 'text of printable ASCII'];

/**
 * What stands behind the scheme, whose name is in lower case; undefined where the request names another one
 * or none.
 */
export function credentialsOf(c: AnyContext, scheme: string): string | undefined {
  const [, given, credentials] = /^([^ ]+) +(.+)$/.exec(c.header('authorization') ?? '') ?? [];
  return given?.toLowerCase() === scheme ? credentials : undefined;
}

export function unauthorized(challenge: string): HttpError {
  return new HttpError(401, undefined, { headers: { 'WWW-Authenticate': challenge } });
}

export const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

/** Middleware that knows who asks. */
export interface UserMiddleware<User> extends Middleware {
  /** What `c.state.user` is: what `verify` said, or the name; undefined where it only said yes and there is none. */
  of(c: OfContext): User;
}

/** Keeps what `verify` said for those behind: the user's name where it only said yes. */
export function admit(c: AnyContext, users: KeptByContext<unknown>, verdict: unknown, name?: string): boolean {
  if (!verdict) return false;
  const user = verdict === true ? name : verdict;
  users.set(c, user);
  if (user !== undefined) c.state['user'] = user;
  return true;
}
