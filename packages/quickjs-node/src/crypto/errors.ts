/**
 * Errors of `node:crypto`, with the codes and messages of Node and OpenSSL.
 */
import { coded } from '../shared/errors.ts';

/** An error of OpenSSL's: number, library and reason. */
export function openssl(number: string, library: string, reason: string, code: string): Error {
  return Object.assign(new Error(`error:${number}:${library}::${reason}`), { library, reason, code });
}

/** What Node says where OpenSSL fails and says nothing. */
export function unnamed(): Error {
  return new Error('error:00000000:lib(0)::reason(0)');
}

export function invalidDigest(name: unknown): Error {
  return coded(TypeError, 'ERR_CRYPTO_INVALID_DIGEST', `Invalid digest: ${String(name)}`);
}
