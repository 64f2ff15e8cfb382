/**
 * `node:crypto`. Hashes, HMACs and random bytes are here; keys, ciphers, signatures and the rest are loaded
 * when they are first used.
 */
import later, { type LateFile } from 'fulmar:later';
import { unsupported } from '../shared/errors.ts';
import { createHash, createHmac, getHashes, Hash, hash, Hmac } from './hash.ts';
import { getRandomValues, randomBytes, randomFill, randomFillSync, randomInt, randomUUID, timingSafeEqual } from './random.ts';

/** Parts of the module by their file, with the members each of them has. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  [later.file<typeof import('./keys.later.ts')>()]: ['createPrivateKey', 'createPublicKey', 'createSecretKey', 'KeyObject'],
  [later.file<typeof import('./sign.later.ts')>()]: [
    'createSign',
    'createVerify',
    'privateDecrypt',
    'privateEncrypt',
    'publicDecrypt',
    'publicEncrypt',
    'Sign',
    'sign',
    'Verify',
    'verify',
  ],
  [later.file<typeof import('./derive.later.ts')>()]: ['hkdf', 'hkdfSync', 'pbkdf2', 'pbkdf2Sync', 'scrypt', 'scryptSync'],
  [later.file<typeof import('./cipher.later.ts')>()]: [
    'Cipheriv',
    'createCipheriv',
    'createDecipheriv',
    'Decipheriv',
    'getCipherInfo',
    'getCiphers',
  ],
  [later.file<typeof import('./generate.later.ts')>()]: [
    'createECDH',
    'diffieHellman',
    'ECDH',
    'generateKey',
    'generateKeyPair',
    'generateKeyPairSync',
    'generateKeySync',
    'getCurves',
  ],
  [later.file<typeof import('./webcrypto.later.ts')>()]: ['subtle', 'webcrypto'],
  [later.file<typeof import('./constants.later.ts')>()]: ['constants'],
  [later.file<typeof import('./unavailable.later.ts')>()]: [
    'argon2',
    'argon2Sync',
    'Certificate',
    'checkPrime',
    'checkPrimeSync',
    'createDiffieHellman',
    'createDiffieHellmanGroup',
    'createMac',
    'decapsulate',
    'DiffieHellman',
    'DiffieHellmanGroup',
    'encapsulate',
    'generatePrime',
    'generatePrimeSync',
    'getDiffieHellman',
    'getMacs',
    'parsePKCS12',
    'randomUUIDv7',
    'setEngine',
    'X509Certificate',
  ],
};

const crypto: Record<string, unknown> = {
  createHash,
  createHmac,
  getHashes,
  getRandomValues,
  Hash,
  hash,
  Hmac,
  prng: randomBytes,
  pseudoRandomBytes: randomBytes,
  randomBytes,
  randomFill,
  randomFillSync,
  randomInt,
  randomUUID,
  rng: randomBytes,
  timingSafeEqual,
  getFips: () => 0,
  setFips(on: boolean | number): void {
    if (on) throw unsupported('crypto.setFips');
  },
  secureHeapUsed: () => ({ total: 0, used: 0, utilization: 0, min: 0 }),
};

for (const name of ['prng', 'pseudoRandomBytes', 'rng']) Object.defineProperty(crypto, name, { enumerable: false });
for (const part in PARTS) for (const name of PARTS[part] as readonly string[]) defineLazy(part, name);

function defineLazy(part: string, name: string): void {
  const settle = (value: unknown): unknown => {
    Object.defineProperty(crypto, name, { value, writable: true, enumerable: true, configurable: true });
    return value;
  };
  Object.defineProperty(crypto, name, {
    configurable: true,
    enumerable: true,
    get: () => settle(later(part as LateFile<Record<string, unknown>>)[name]),
    set: settle,
  });
}

export default crypto;
