/** Two demonstration accounts, with passwords kept as scrypt hashes. Knows nothing of HTTP. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(scrypt);
const KEY_BYTES = 32;
const PASSWORD_LENGTH_MAX = 200;

const DEMO = [
  { name: 'ada', label: 'Ada Hale', password: 'kittiwake' },
  { name: 'noor', label: 'Noor Vik', password: 'razorbill' },
];

export function createAccounts() {
  const accounts = new Map(DEMO.map(({ name, label, password }) => [name, { name, label, secret: seal(password) }]));
  // An unknown name costs as much time as a wrong password.
  const nobody = seal(randomBytes(KEY_BYTES).toString('hex'));
  return {
    find: (name) => accounts.get(name),
    /** The account, or `undefined` when name or password are wrong. */
    async verify(name, password) {
      if (typeof name !== 'string' || typeof password !== 'string' || password.length > PASSWORD_LENGTH_MAX) return undefined;
      const account = accounts.get(name.trim().toLowerCase());
      const { salt, key } = await (account?.secret ?? nobody);
      const given = await derive(password, salt, KEY_BYTES);
      return timingSafeEqual(given, key) ? account : undefined;
    },
  };
}

async function seal(password) {
  const salt = randomBytes(16);
  return { salt, key: await derive(password, salt, KEY_BYTES) };
}
