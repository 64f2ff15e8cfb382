/**
 * The user that PostgreSQL runs as: initdb and postgres refuse root, so root starts them as another user.
 * Stands between `startDatabase` and `spawn`. Never creates users, never changes a folder that the suite did
 * not make.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';

/** Users taken when we are root, the first that exists. */
const candidates = ['postgres', 'nobody'];

/**
 * `{ name, uid, gid }` for `spawn` and `chown`; undefined when this process is not root and can run
 * PostgreSQL itself.
 */
export function findOwner(passwd = '/etc/passwd') {
  if (process.getuid?.() !== 0) return undefined;
  const users = new Map(readFileSync(passwd, 'utf8').split('\n').map(toUser));
  const name = candidates.find((candidate) => users.has(candidate));
  if (name === undefined) throw new Error(`PostgreSQL refuses root: expected a user ${candidates.join(' or ')} in ${passwd}.`);
  return { name, ...users.get(name) };
}

function toUser(line) {
  const [name, , uid, gid] = line.split(':');
  return [name, { uid: Number(uid), gid: Number(gid) }];
}
