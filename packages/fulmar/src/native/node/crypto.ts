/**
 * `node:crypto`. Hashes, HMACs and random bytes are here; keys, ciphers, signatures and the rest are loaded when they are first used.
 */
import internal from 'fulmar:internal';
import type { InternalByName } from '../internal-modules.ts';
import { unsupported } from '../errors.ts';
import { createHash, createHmac, getHashes, Hash, hash, Hmac } from '../crypto/hash.ts';
import { getRandomValues, randomBytes, randomFill, randomFillSync, randomInt, randomUUID, timingSafeEqual } from '../crypto/random.ts';

/** Parts of the module by their file in `lazy/crypto`, with the members each of them has. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  keys: ['createPrivateKey', 'createPublicKey', 'createSecretKey', 'KeyObject'],
  sign: [
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
  derive: ['hkdf', 'hkdfSync', 'pbkdf2', 'pbkdf2Sync', 'scrypt', 'scryptSync'],
  cipher: ['Cipheriv', 'createCipheriv', 'createDecipheriv', 'Decipheriv', 'getCipherInfo', 'getCiphers'],
  generate: [
    'createECDH',
    'diffieHellman',
    'ECDH',
    'generateKey',
    'generateKeyPair',
    'generateKeyPairSync',
    'generateKeySync',
    'getCurves',
  ],
  webcrypto: ['subtle', 'webcrypto'],
  constants: ['constants'],
  unavailable: [
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
    get: () => settle(((internal as InternalByName)(`lazy/crypto/${part}.cjs`) as Record<string, unknown>)[name]),
    set: settle,
  });
}

export default crypto;
