/**
 * Members of `node:crypto` that the QuickJS host does not have: each says so when it is used.
 */
import { unsupported } from '../shared/errors.ts';

function unavailable(name: string, instead?: string): (...args: never[]) => never {
  const refuse = function (): never {
    throw unsupported(`crypto.${name}`, instead);
  };
  Object.defineProperty(refuse, 'name', { value: name });
  return refuse;
}

const GROUPS = 'use createECDH, or diffieHellman with x25519';

export const X509Certificate = unavailable('X509Certificate', 'createPublicKey reads the key of a certificate');
export const Certificate = unavailable('Certificate');
export const createDiffieHellman = unavailable('createDiffieHellman', GROUPS);
export const createDiffieHellmanGroup = unavailable('createDiffieHellmanGroup', GROUPS);
export const getDiffieHellman = unavailable('getDiffieHellman', GROUPS);
export const DiffieHellman = unavailable('DiffieHellman', GROUPS);
export const DiffieHellmanGroup = unavailable('DiffieHellmanGroup', GROUPS);
export const checkPrime = unavailable('checkPrime');
export const checkPrimeSync = unavailable('checkPrimeSync');
export const generatePrime = unavailable('generatePrime');
export const generatePrimeSync = unavailable('generatePrimeSync');
export const setEngine = unavailable('setEngine');
export const argon2 = unavailable('argon2', 'use scrypt');
export const argon2Sync = unavailable('argon2Sync', 'use scryptSync');
export const encapsulate = unavailable('encapsulate');
export const decapsulate = unavailable('decapsulate');
export const createMac = unavailable('createMac', 'use createHmac');
export const getMacs = unavailable('getMacs');
export const parsePKCS12 = unavailable('parsePKCS12');
export const randomUUIDv7 = unavailable('randomUUIDv7', 'use randomUUID');
