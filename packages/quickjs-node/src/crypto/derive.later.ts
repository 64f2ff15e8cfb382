/**
 * `pbkdf2`, `scrypt` and `hkdf`.
 */
import { coded, invalidArgType } from '../shared/errors.ts';
import { inContext } from './background.ts';
import { invalidDigest } from './errors.ts';
import { hashNumber, hasNoLength } from './hash.ts';
import { checkBytes, contentOf, isAnyBuffer, secretBytes } from './key-bytes.ts';
import { keyOps } from './key-ops.ts';
import { validateFunction, validateInteger, validateString, validateUint32 } from '../shared/validators.ts';
import ops from 'fulmar:ops';

type Data = string | ArrayBuffer | ArrayBufferView;
type Done<T> = (error: Error | null, result?: T) => void;

const INT_MAX = 2_147_483_647;
/** HKDF gives this many digests at most. */
const HKDF_BLOCKS_MAX = 255;
/** HKDF's `info`, in bytes. */
const INFO_BYTES_MAX = 1024;
const HKDF_BYTES = ['string', 'ArrayBuffer', 'TypedArray', 'DataView', 'Buffer'];
const SCRYPT = { N: 16_384, r: 8, p: 1, maxmem: 32 * 1024 * 1024 };

function digestNumber(digest: unknown): number {
  validateString(digest, 'digest');
  const number = hashNumber(digest);
  if (number < 0) throw invalidDigest(digest);
  return number;
}

function refused(error: Error, callback: (error: Error) => void): void {
  setImmediate(callback, error);
}

/** Why OpenSSL derives nothing: what HMAC is not defined over, and, since Node 26, a key of no bytes. */
function pbkdf2Refusal(algorithm: number, keylen: number): Error | undefined {
  if (keylen === 0) return new Error('PBKDF2 derivation failed');
  if (!hasNoLength(algorithm)) return undefined;
  const [library, reason] = ['Provider routines', 'xof digests not allowed'];
  const made = Object.assign(new Error('PBKDF2 derivation failed'), { opensslErrorStack: [`error:1C8000B7:${library}::${reason}`] });
  return Object.assign(made, { library, reason, code: 'ERR_OSSL_XOF_DIGESTS_NOT_ALLOWED' });
}

const hkdfRefusal = (algorithm: number, length: number): Error | undefined =>
  hasNoLength(algorithm) || length === 0 ? new Error('HKDF derivation failed') : undefined;

/** The host's callback for Node's: `(error, Buffer)`. */
function toBuffer(callback: Done<Buffer>): (error: Error | null, result: ArrayBuffer) => void {
  return inContext((error, result) => (error === null ? callback(null, Buffer.from(result)) : callback(error)));
}

function pbkdf2Arguments(password: Data, salt: Data, iterations: number, keylen: number, digest: string): number {
  checkBytes(password, 'password');
  checkBytes(salt, 'salt');
  validateInteger(iterations, 'iterations', 1, INT_MAX);
  validateInteger(keylen, 'keylen', 0, INT_MAX);
  return digestNumber(digest);
}

// oxlint-disable-next-line max-params -- Node's own
export function pbkdf2(password: Data, salt: Data, iterations: number, keylen: number, digest: string, callback: Done<Buffer>): void {
  const done = typeof digest === 'function' ? (digest as Done<Buffer>) : callback;
  validateString(typeof digest === 'function' ? undefined : digest, 'digest');
  const number = pbkdf2Arguments(password, salt, iterations, keylen, digest);
  validateFunction(done, 'callback');
  const refusal = pbkdf2Refusal(number, keylen);
  if (refusal !== undefined) return refused(refusal, done);
  keyOps().pbkdf2(number, password, salt, [iterations, keylen], toBuffer(done));
}

export function pbkdf2Sync(password: Data, salt: Data, iterations: number, keylen: number, digest: string): Buffer {
  validateString(digest, 'digest');
  const number = pbkdf2Arguments(password, salt, iterations, keylen, digest);
  const refusal = pbkdf2Refusal(number, keylen);
  if (refusal !== undefined) throw refusal;
  return Buffer.from(keyOps().pbkdf2(number, password, salt, [iterations, keylen], undefined));
}

interface ScryptOptions {
  readonly N?: number;
  readonly cost?: number;
  readonly r?: number;
  readonly blockSize?: number;
  readonly p?: number;
  readonly parallelization?: number;
  readonly maxmem?: number;
}

function invalidScrypt(more = ''): Error {
  return coded(RangeError, 'ERR_CRYPTO_INVALID_SCRYPT_PARAMS', `Invalid scrypt params${more}`);
}

function chosen(options: ScryptOptions, short: 'N' | 'r' | 'p', long: 'cost' | 'blockSize' | 'parallelization'): number {
  const [a, b] = [options[short], options[long]];
  if (a !== undefined) validateUint32(a, short);
  if (b !== undefined) {
    if (a !== undefined) {
      throw coded(TypeError, 'ERR_INCOMPATIBLE_OPTION_PAIR', `Option "${short}" cannot be used in combination with option "${long}"`);
    }
    validateUint32(b, long);
  }
  return a || b || SCRYPT[short];
}

function scryptNumbers(password: Data, salt: Data, keylen: number, options: ScryptOptions | undefined): number[] {
  checkBytes(password, 'password');
  checkBytes(salt, 'salt');
  validateInteger(keylen, 'keylen', 0, INT_MAX);
  const given = options ?? {};
  const [n, r, p] = [chosen(given, 'N', 'cost'), chosen(given, 'r', 'blockSize'), chosen(given, 'p', 'parallelization')];
  if (given.maxmem !== undefined) validateInteger(given.maxmem, 'maxmem', 0);
  const most = given.maxmem || SCRYPT.maxmem;
  if (n < 2 || (n & (n - 1)) !== 0 || p > (2 ** 30 - 1) / r) throw invalidScrypt();
  // As OpenSSL counts: the blocks, the table and the scratch.
  const blocks = 128 * r * p;
  if (blocks > INT_MAX || (r < 4 && n >= 2 ** (16 * r)) || blocks + 32 * r * (n + 2) * 4 > most) {
    throw invalidScrypt(': error:030000AC:digital envelope routines::memory limit exceeded');
  }
  return [n, r, p, keylen];
}

export function scrypt(password: Data, salt: Data, keylen: number, options: ScryptOptions | Done<Buffer>, callback?: Done<Buffer>): void {
  const done = typeof options === 'function' ? options : callback;
  const numbers = scryptNumbers(password, salt, keylen, typeof options === 'function' ? undefined : options);
  validateFunction(done, 'callback');
  keyOps().scrypt(password, salt, numbers, toBuffer(done));
}

export function scryptSync(password: Data, salt: Data, keylen: number, options?: ScryptOptions): Buffer {
  const numbers = scryptNumbers(password, salt, keylen, options);
  return Buffer.from(keyOps().scrypt(password, salt, numbers, undefined));
}

function hkdfArguments(digest: string, key: unknown, salt: Data, info: Data, length: number): [number, Data] {
  validateString(digest, 'digest');
  if (contentOf(key) === undefined) checkKey(key);
  const secret = secretBytes(key, undefined, 'ikm');
  checkBytes(salt, 'salt', HKDF_BYTES);
  checkBytes(info, 'info', HKDF_BYTES);
  validateInteger(length, 'length', 0, INT_MAX);
  const infoBytes = typeof info === 'string' ? Buffer.byteLength(info) : info.byteLength;
  if (infoBytes > INFO_BYTES_MAX) {
    throw coded(
      RangeError,
      'ERR_OUT_OF_RANGE',
      `The value of "info" is out of range. It must be must not contain more than 1024 bytes. Received ${infoBytes}`,
    );
  }
  const number = digestNumber(digest);
  if (length > Math.abs(ops.hashBytes(number)) * HKDF_BLOCKS_MAX) {
    throw coded(RangeError, 'ERR_CRYPTO_INVALID_KEYLEN', 'Invalid key length');
  }
  return [number, secret];
}

function checkKey(key: unknown): void {
  if (typeof key === 'string' || ArrayBuffer.isView(key) || isAnyBuffer(key)) return;
  throw invalidArgType('ikm', ['string', 'SecretKeyObject', 'ArrayBuffer', 'TypedArray', 'DataView', 'Buffer'], key);
}

// oxlint-disable-next-line max-params -- Node's own
export function hkdf(digest: string, key: unknown, salt: Data, info: Data, length: number, callback: Done<ArrayBuffer>): void {
  const [number, secret] = hkdfArguments(digest, key, salt, info, length);
  validateFunction(callback, 'callback');
  const refusal = hkdfRefusal(number, length);
  if (refusal !== undefined) return refused(refusal, callback as (error: Error) => void);
  keyOps().hkdf(number, secret, salt, info, length, inContext(callback));
}

export function hkdfSync(digest: string, key: unknown, salt: Data, info: Data, length: number): ArrayBuffer {
  const [number, secret] = hkdfArguments(digest, key, salt, info, length);
  const refusal = hkdfRefusal(number, length);
  if (refusal !== undefined) throw refusal;
  return keyOps().hkdf(number, secret, salt, info, length, undefined);
}
