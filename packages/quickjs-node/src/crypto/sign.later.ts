/**
 * `Sign`, `Verify`, `sign` and `verify`; encryption with RSA.
 */
import { Writable, type WritableOptions } from 'node:stream';
import ops, { type HashState } from 'fulmar:ops';
import { coded, invalidArgType, invalidArgValue } from '../shared/errors.ts';
import { inContext } from './background.ts';
import { given } from './encoding.ts';
import { invalidDigest, openssl, unnamed } from './errors.ts';
import { callable } from './callable.ts';
import { hashNumber, hasNoLength } from './hash.ts';
import { checkBytes } from './key-bytes.ts';
import { keyOps, toBytes } from './key-ops.ts';
import { validateFunction, validateString } from '../shared/validators.ts';
import { privateKeyOf, publicKeyOf } from './keys.later.ts';

type Data = string | ArrayBuffer | ArrayBufferView;
type Done<T> = (error: Error | null, result?: T) => void;

const PKCS1 = 1;
const OAEP = 4;
/** For the host: no length of a salt is named. */
const NO_SALT = -2_147_483_648;

function asRecord(key: unknown): Readonly<Record<string, unknown>> {
  return typeof key === 'object' && key !== null ? (key as Record<string, unknown>) : {};
}

/** What a key's options say about the signature. */
function signOptions(key: unknown): readonly [padding: number, salt: number, plain: number] {
  const options = asRecord(key);
  const { padding, saltLength, dsaEncoding = 'der' } = options;
  if (padding !== undefined && (typeof padding !== 'number' || padding !== padding >> 0)) throw invalidArgValue('options.padding', padding);
  if (saltLength !== undefined && (typeof saltLength !== 'number' || saltLength !== saltLength >> 0)) {
    throw invalidArgValue('options.saltLength', saltLength);
  }
  if (dsaEncoding !== 'der' && dsaEncoding !== 'ieee-p1363') throw invalidArgValue('options.dsaEncoding', dsaEncoding);
  const scheme = padding === undefined ? 0 : padding === 0 ? -1 : padding;
  return [scheme, saltLength ?? NO_SALT, dsaEncoding === 'ieee-p1363' ? 1 : 0];
}

const TAKEN = 0;

/** Of OpenSSL's side of Node, whose errors do not show their code in their text. */
function plain(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

function notInitialised(): Error {
  return plain('ERR_CRYPTO_INVALID_STATE', 'Not initialised');
}

/** Signs or verifies once: behind that there is no digest, and that of nothing must not be taken for one. */
class Signer extends Writable {
  readonly #number: number;
  readonly #state: HashState;

  constructor(algorithm: string, options?: WritableOptions) {
    super(options);
    validateString(algorithm, 'algorithm');
    this.#number = hashNumber(algorithm);
    if (this.#number < 0) throw coded(TypeError, 'ERR_CRYPTO_INVALID_DIGEST', 'Invalid digest');
    this.#state = ops.messageStart(this.#number);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    if (ops.hashUpdate(this.#state, chunk) !== TAKEN) throw notInitialised();
    callback();
  }

  update(data: string | ArrayBufferView, encoding?: string): this {
    if (typeof data !== 'string' && !ArrayBuffer.isView(data)) {
      throw invalidArgType('data', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
    }
    const taken = ops.hashUpdate(this.#state, toBytes(data, encoding) as string | ArrayBufferView);
    if (taken !== TAKEN) throw notInitialised();
    return this;
  }

  /** What the host takes the message's digest from, and the message itself, where it is short. */
  protected get state(): HashState {
    return this.#state;
  }

  protected get number(): number {
    return this.#number;
  }
}

class Sign extends Signer {
  sign(key: unknown, encoding?: string): string | Buffer {
    if (!key) throw coded(Error, 'ERR_CRYPTO_SIGN_KEY_REQUIRED', 'No key provided to sign');
    const state = privateKeyOf(key);
    return given(keyOps().sign(state, this.state, [this.number, ...signOptions(key)], undefined), encoding);
  }
}

class Verify extends Signer {
  verify(key: unknown, signature: string | ArrayBufferView, encoding?: string): boolean {
    const state = publicKeyOf(key);
    checkBytes(signature, 'signature');
    return keyOps().verify(state, this.state, toBytes(signature, encoding), [this.number, ...signOptions(key)], undefined);
  }
}

const CallableSign = callable(Sign);
const CallableVerify = callable(Verify);
export { CallableSign as Sign, CallableVerify as Verify };

export function createSign(algorithm: string, options?: WritableOptions): Sign {
  return new CallableSign(algorithm, options);
}

export function createVerify(algorithm: string, options?: WritableOptions): Verify {
  return new CallableVerify(algorithm, options);
}

/** Whether there is such a hash function is looked at last. */
function digestNumber(algorithm: unknown): number {
  if (algorithm === null || algorithm === undefined) return -1;
  const number = hashNumber(algorithm as string);
  if (number < 0) throw invalidDigest(algorithm);
  return number;
}

function checkName(algorithm: unknown): void {
  if (algorithm !== null && algorithm !== undefined) validateString(algorithm, 'algorithm');
}

export function sign(algorithm: string | null | undefined, data: Data, key: unknown, callback?: Done<Buffer>): Buffer | undefined {
  if (callback !== undefined) validateFunction(callback, 'callback');
  checkName(algorithm);
  checkBytes(data, 'data');
  if (!key) throw coded(Error, 'ERR_CRYPTO_SIGN_KEY_REQUIRED', 'No key provided to sign');
  const how = signOptions(key);
  const state = privateKeyOf(key);
  const options = [digestNumber(algorithm), ...how] as const;
  if (callback === undefined) return Buffer.from(keyOps().sign(state, data, options, undefined));
  const done = inContext<ArrayBuffer>((error, signature) => (error === null ? callback(null, Buffer.from(signature)) : callback(error)));
  keyOps().sign(state, data, options, done);
  return undefined;
}

export function verify(
  algorithm: string | null | undefined,
  data: Data,
  key: unknown,
  signature: Data,
  callback?: Done<boolean>,
): boolean | undefined {
  if (callback !== undefined) validateFunction(callback, 'callback');
  checkName(algorithm);
  checkBytes(data, 'data');
  const how = signOptions(key);
  checkBytes(signature, 'signature');
  const state = publicKeyOf(key);
  const options = [digestNumber(algorithm), ...how] as const;
  if (callback === undefined) return keyOps().verify(state, data, signature, options, undefined);
  const done = inContext<boolean>((error, fits) => (error === null ? callback(null, fits) : callback(error)));
  keyOps().verify(state, data, signature, options, done);
  return undefined;
}

function crypt(what: string, key: unknown, buffer: Data, usual: number): Buffer {
  const secret = what.startsWith('private');
  const state = secret ? privateKeyOf(key) : publicKeyOf(key);
  const options = asRecord(key);
  const { padding = usual, oaepHash = 'sha1', oaepLabel = '' } = options;
  validateString(oaepHash, 'key.oaepHash');
  checkBytes(oaepLabel, 'key.oaepLabel');
  checkBytes(buffer, 'buffer');
  const number = hashNumber(oaepHash);
  if (number < 0) throw plain('ERR_OSSL_EVP_INVALID_DIGEST', 'Invalid digest used');
  if ((padding || usual) === OAEP && hasNoLength(number)) {
    // As OpenSSL, which hears of it late when it decrypts.
    if (secret) throw unnamed();
    throw openssl('020000B5', 'rsa routines', 'invalid length', 'ERR_OSSL_RSA_INVALID_LENGTH');
  }
  const data = toBytes(buffer, options['encoding'] as string | undefined);
  return Buffer.from(keyOps().rsaCrypt(what, state, data, [(padding || usual) as number, number], oaepLabel, undefined));
}

export function publicEncrypt(key: unknown, buffer: Data): Buffer {
  return crypt('publicEncrypt', key, buffer, OAEP);
}
export function privateDecrypt(key: unknown, buffer: Data): Buffer {
  return crypt('privateDecrypt', key, buffer, OAEP);
}
export function privateEncrypt(key: unknown, buffer: Data): Buffer {
  return crypt('privateEncrypt', key, buffer, PKCS1);
}
export function publicDecrypt(key: unknown, buffer: Data): Buffer {
  return crypt('publicDecrypt', key, buffer, PKCS1);
}
