/**
 * Errors of `node:crypto`, with the codes and messages of Node and OpenSSL.
 */
import { coded } from '../errors.ts';

/** An error of OpenSSL's: number, library and reason. */
export function openssl(number: string, library: string, reason: string, code: string): Error {
  return Object.assign(new Error(`error:${number}:${library}::${reason}`), { library, reason, code });
}

export function invalidDigest(name: unknown): Error {
  return coded(TypeError, 'ERR_CRYPTO_INVALID_DIGEST', `Invalid digest: ${String(name)}`);
}

export function operationFailed(message: string): Error {
  return coded(Error, 'ERR_CRYPTO_OPERATION_FAILED', message);
}

export function invalidState(method: string): Error {
  return coded(Error, 'ERR_CRYPTO_INVALID_STATE', `Invalid state for operation ${method}`);
}
