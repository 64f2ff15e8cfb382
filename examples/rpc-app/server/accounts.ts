/** Who may sign in, and with which token they are known afterwards. A real one has a database and hashes its passwords. */
import { randomBytes, timingSafeEqual } from 'node:crypto';

const TOKEN_BYTES = 24;
const TOKENS_MAX = 1000;

const passwords: ReadonlyMap<string, string> = new Map([
  ['ada', 'kittiwake'],
  ['noor', 'razorbill'],
]);
const names = new Map<string, string>();

/** A token, or `undefined` for a wrong name or password. */
export function signIn(name: string, password: string): string | undefined {
  const expected = passwords.get(name);
  if (expected === undefined || !isSame(expected, password)) return undefined;
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  names.set(token, name);
  const [oldest] = names.keys();
  if (names.size > TOKENS_MAX && oldest !== undefined) names.delete(oldest);
  return token;
}

export const nameOf = (token: unknown): string | undefined => (typeof token === 'string' ? names.get(token) : undefined);

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
