/**
 * Who may sign in, and who is signed in: sessions in a cookie, passwords as scrypt keeps them.
 */
import { scryptSync, timingSafeEqual } from 'node:crypto';
import type { AnyContext } from 'fulmar';
import { session } from 'fulmar/middleware';

interface User {
  readonly name: string;
  readonly isAdmin: boolean;
  readonly salt: string;
  readonly key: Buffer;
}

const KEY_BYTES = 32;
const keyOf = (password: string, salt: string): Buffer => scryptSync(password, salt, KEY_BYTES);
const user = (name: string, password: string, isAdmin: boolean): [string, User] => [
  name,
  { name, isAdmin, salt: `salt of ${name}`, key: keyOf(password, `salt of ${name}`) },
];

const users = new Map([user('ada', 'kittiwake', true), user('noor', 'razorbill', false)]);

export const sessions = session<{ user?: string }>({
  secret: process.env['SESSION_SECRET'] ?? 'only for a first look at the example',
  name: 'logbook.sid',
});

export function check(name: string, password: string): User | undefined {
  const found = users.get(name);
  // As long as for somebody who is there.
  const key = keyOf(password, found?.salt ?? 'nobody');
  return found !== undefined && timingSafeEqual(key, found.key) ? found : undefined;
}

export async function signedIn(c: AnyContext): Promise<User | undefined> {
  const { data } = await sessions.of(c);
  return data.user === undefined ? undefined : users.get(data.user);
}
