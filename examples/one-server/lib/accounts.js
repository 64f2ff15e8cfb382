/** Two demonstration accounts, with passwords kept as scrypt hashes. Knows nothing of HTTP. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(scrypt);
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const PASSWORD_LENGTH_MAX = 200;

const accounts = new Map([
  ['ada', seal('kittiwake')],
  ['noor', seal('razorbill')],
]);
// An unknown name costs as much time as a wrong password.
const nobody = seal(randomBytes(KEY_BYTES).toString('hex'));

/** The account's name, or `undefined` when name or password are wrong. */
export async function verify(name, password) {
  if (typeof name !== 'string' || typeof password !== 'string' || password.length > PASSWORD_LENGTH_MAX) return undefined;
  const known = name.trim().toLowerCase();
  const { salt, key } = await (accounts.get(known) ?? nobody);
  const given = await derive(password, salt, KEY_BYTES);
  return timingSafeEqual(given, key) && accounts.has(known) ? known : undefined;
}

async function seal(password) {
  const salt = randomBytes(SALT_BYTES);
  return { salt, key: await derive(password, salt, KEY_BYTES) };
}
