/**
 * `Hash`, `Hmac` and `hash`.
 */
import type { TransformCallback, TransformOptions } from 'node:stream';
import ops, { type HashState } from 'fulmar:ops';
import { coded, invalidArgType, invalidArgValue } from '../shared/errors.ts';
import { validateObject, validateString, validateUint32 } from '../shared/validators.ts';
import { define } from '../shared/define.ts';
import { prototypeFor } from './callable.ts';
import { encodingNumber, given } from './encoding.ts';
import { invalidDigest, openssl, unnamed } from './errors.ts';
import { type KeyInput, readyBytes, secretBytes } from './key-bytes.ts';
import { LazyTransform } from './lazy-transform.ts';

export interface HashOptions extends TransformOptions {
  readonly outputLength?: number;
}

const numbers = new Map<string, number>();

/** The host's number of a hash function; -1 when there is none of this name. */
export function hashNumber(name: string): number {
  let number = numbers.get(name);
  if (number === undefined) {
    number = ops.hashNumber(name);
    if (number >= 0) numbers.set(name, number);
  }
  return number;
}

/**
 * Does it give digests of any length (SHAKE)? HMAC, and what is made of it, is not defined for those, nor is
 * OAEP.
 */
export function hasNoLength(number: number): boolean {
  return ops.hashBytes(number) < 0;
}

function finalized(): Error {
  return coded(Error, 'ERR_CRYPTO_HASH_FINALIZED', 'Digest already called');
}

function updateFailed(): Error {
  return coded(Error, 'ERR_CRYPTO_HASH_UPDATE_FAILED', 'Hash update failed');
}

function notSupported(): Error {
  return new Error('Digest method not supported');
}

function outputLength(number: number, asked: number | undefined): number | undefined {
  if (asked === undefined) return undefined;
  const usual = ops.hashBytes(number);
  if (usual < 0 || asked === usual) return asked;
  throw notExtendable();
}

function notExtendable(): Error {
  return openssl('030000B2', 'digital envelope routines', 'not XOF or invalid length', 'ERR_OSSL_EVP_NOT_XOF_OR_INVALID_LENGTH');
}

function checkEncoding(data: string, encoding: unknown): void {
  if (typeof encoding === 'string' && encoding.toLowerCase() === 'hex' && data.length % 2 !== 0) {
    throw invalidArgValue('encoding', encoding, `is invalid for data of length ${data.length}`);
  }
}

function isUtf8(encoding: unknown): boolean {
  return encoding === undefined || encoding === 'utf8' || encoding === 'utf-8' || !Buffer.isEncoding(encoding as string);
}

/** The host's object that `this` is. */
type Running = LazyTransform & HashState;

const TAKEN = 0;
const ENDED = 1;
/** A stream's end has taken the digest, which can still be asked for. */
const FLUSHED = 3;

/** Feeds a `Hash` or an `Hmac`. Whether it has ended is known before what the data is. */
function feed(state: Running, data: unknown, encoding: unknown): void {
  const isPlain = typeof data !== 'string' || isUtf8(encoding);
  let taken: number = ops.hashUpdate(state, isPlain ? (data as string) : '');
  if (taken === TAKEN && !isPlain) {
    checkEncoding(data, encoding);
    taken = ops.hashUpdate(state, Buffer.from(data, encoding as BufferEncoding));
  }
  if (taken === TAKEN) return;
  if (taken === ENDED) throw finalized();
  throw taken === FLUSHED ? updateFailed() : invalidArgType('data', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
}

/**
 * What `Hash` and `Hmac` have in common. The host makes them: they are its own objects, with prototypes from
 * here and without members, which would cost more than a short digest does.
 */
const shared = {
  _transform(this: Running, chunk: string | Buffer, encoding: BufferEncoding, callback: TransformCallback): void {
    const data = typeof chunk === 'string' && !isUtf8(encoding) ? Buffer.from(chunk, encoding) : chunk;
    if (ops.hashUpdate(this, data) === TAKEN) callback();
    else callback(updateFailed());
  },

  _flush(this: Running, callback: TransformCallback): void {
    this.push(ops.hashFlush(this));
    callback();
  },

  update(this: Running, data: string | ArrayBufferView, encoding?: string): unknown {
    feed(this, data, encoding);
    return this;
  },
};

/** Members of `shared` have the types that Node's declarations give them. */
interface Digest extends LazyTransform {
  update(data: string | ArrayBufferView, encoding?: string): this;
  digest(encoding?: string): string | Buffer;
}

export interface Hash extends Digest {
  copy(options?: HashOptions): Hash;
}

export type Hmac = Digest;

const ofHash = {
  copy(this: Running, options?: HashOptions): Hash {
    const length = lengthIn(options);
    const made = ops.hashCopy(this, length, Hash.prototype);
    if (typeof made === 'number') {
      if (made < 0) throw finalized();
      throw notExtendable();
    }
    return withOptions(made as unknown as Hash, options);
  },
  ...shared,
  digest(this: Running, encoding?: string): string | Buffer {
    const result = ops.hashFinish(this, encodingNumber(encoding));
    if (result === null) throw finalized();
    return given(result, encoding);
  },
};

const ofHmac = {
  ...shared,
  digest(this: Running, encoding?: string): string | Buffer {
    const result = ops.hashFinish(this, encodingNumber(encoding));
    if (result !== null) return given(result, encoding);
    // As Node: the second digest of an Hmac is empty.
    return !encoding || encoding === 'buffer' ? Buffer.alloc(0) : '';
  },
};

/** What the object is to be as a stream; most are none. */
function withOptions<T extends object>(made: T, options: TransformOptions | undefined): T {
  if (options !== undefined) (made as { _options?: TransformOptions })._options = options;
  return made;
}

function lengthIn(options: HashOptions | undefined): number | undefined {
  const length = typeof options === 'object' && options !== null ? options.outputLength : undefined;
  if (length !== undefined) validateUint32(length, 'options.outputLength');
  return length;
}

function startHash(algorithm: unknown, options: HashOptions | undefined, prototype: object): Hash {
  validateString(algorithm, 'algorithm');
  const length = options === undefined ? undefined : lengthIn(options);
  const number = hashNumber(algorithm);
  if (number < 0) throw notSupported();
  const made = ops.hashStart(number, outputLength(number, length), prototype) as unknown as Hash;
  return options === undefined ? made : withOptions(made, options);
}

function startHmac(algorithm: unknown, key: KeyInput, options: TransformOptions | undefined, prototype: object): Hmac {
  validateString(algorithm, 'hmac');
  const bytes = readyBytes(key) ?? secretBytes(key, options?.encoding);
  const number = hashNumber(algorithm);
  if (number < 0) throw invalidDigest(algorithm);
  if (hasNoLength(number)) throw unnamed();
  const made = ops.hmacStart(number, bytes, prototype) as unknown as Hmac;
  return options === undefined ? made : withOptions(made, options);
}

/** As Node's constructors: functions that can be called without `new`. */
export const Hash = function Hash(algorithm: unknown, options?: HashOptions): Hash {
  return startHash(algorithm, options, prototypeFor(Hash, new.target));
} as unknown as { new (algorithm: string, options?: HashOptions): Hash; readonly prototype: object };

export const Hmac = function Hmac(algorithm: unknown, key: KeyInput, options?: TransformOptions): Hmac {
  return startHmac(algorithm, key, options, prototypeFor(Hmac, new.target));
} as unknown as { new (algorithm: string, key: KeyInput, options?: TransformOptions): Hmac; readonly prototype: object };

define(Hash, LazyTransform, [ofHash]);
define(Hmac, LazyTransform, [ofHmac]);

export function createHash(algorithm: string, options?: HashOptions): Hash {
  return startHash(algorithm, options, Hash.prototype);
}

export function createHmac(algorithm: string, key: KeyInput, options?: TransformOptions): Hmac {
  return startHmac(algorithm, key, options, Hmac.prototype);
}

interface OnceOptions {
  readonly outputEncoding?: string;
  readonly outputLength?: number;
}

/** `crypto.hash`: a digest in one step. */
export function hash(algorithm: string, input: string | ArrayBufferView, options: string | OnceOptions = 'hex'): string | Buffer {
  validateString(algorithm, 'algorithm');
  if (typeof input !== 'string' && !ArrayBuffer.isView(input)) {
    throw invalidArgType('input', ['Buffer', 'TypedArray', 'DataView', 'string'], input);
  }
  if (typeof options !== 'string') validateObject(options, 'options');
  const { outputEncoding: encoding = 'hex', outputLength: length } = typeof options === 'string' ? { outputEncoding: options } : options;
  if (length !== undefined) validateUint32(length, 'outputLength');
  validateString(encoding, 'outputEncoding');
  if (encoding.toLowerCase() !== 'buffer' && !Buffer.isEncoding(encoding)) throw invalidArgValue('outputEncoding', encoding);
  const number = hashNumber(algorithm);
  if (number < 0) throw new Error(`Digest method ${algorithm} is not supported`);
  if (length !== undefined && !hasNoLength(number) && length !== ops.hashBytes(number)) {
    throw new Error(`Output length ${length} is invalid for ${algorithm}, which does not support XOF`);
  }
  const name = encoding.toLowerCase();
  return given(ops.hashOnce(number, input, encodingNumber(name), length), name);
}

export function getHashes(): string[] {
  return ops.hashNames();
}
