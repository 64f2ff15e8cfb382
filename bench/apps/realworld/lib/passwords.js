// Salted scrypt hashes that name their own cost: `scrypt$N$r$p$salt$hash`.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(scrypt);
const hashBytes = 32;

/** Node's own default cost. */
export const fullCost = { N: 16384, r: 8, p: 1 };

export async function hashPassword(password, { N, r, p } = fullCost, salt = randomBytes(16)) {
  const hash = await derive(password, salt, hashBytes, { N, r, p });
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

export async function isPassword(password, stored) {
  const [, N, r, p, salt, hash] = stored.split('$');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const found = await derive(password, Buffer.from(salt, 'base64url'), hashBytes, cost);
  return timingSafeEqual(found, Buffer.from(hash, 'base64url'));
}
