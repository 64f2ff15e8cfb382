/**
 * `Hash` and `Hmac`. A string given in one `update` waits for `digest`, so that most hashes are one call of the runtime.
 */
import type { TransformCallback, TransformOptions } from 'node:stream';
import ops, { type HashState } from 'fulmar:ops';
import { coded, invalidArgType, invalidArgValue } from '../errors.ts';
import { validateObject, validateString, validateUint32 } from '../validators.ts';
import { encodingNumber, given } from './encoding.ts';
import { invalidDigest, openssl, unnamed } from './errors.ts';
import { type KeyInput, secretBytes } from './key-bytes.ts';
import { LazyTransform } from './lazy-transform.ts';

export interface HashOptions extends TransformOptions {
  readonly outputLength?: number;
}

const numbers = new Map<string, number>();

/** The runtime's number of a hash function; -1 when there is none of this name. */
export function hashNumber(name: string): number {
  let number = numbers.get(name);
  if (number === undefined) {
    number = ops.hashNumber(name);
    if (number >= 0) numbers.set(name, number);
  }
  return number;
}

/** Does it give digests of any length (SHAKE)? HMAC, and what is made of it, is not defined for those, nor is OAEP. */
export function hasNoLength(number: number): boolean {
  return ops.hashBytes(number) < 0;
}

function finalized(): Error {
  return coded(Error, 'ERR_CRYPTO_HASH_FINALIZED', 'Digest already called');
}

function notSupported(): Error {
  return new Error('Digest method not supported');
}

function outputLength(number: number, asked: number | undefined): number | undefined {
  if (asked === undefined) return undefined;
  const usual = ops.hashBytes(number);
  if (usual < 0 || asked === usual) return asked;
  throw openssl('030000B2', 'digital envelope routines', 'not XOF or invalid length', 'ERR_OSSL_EVP_NOT_XOF_OR_INVALID_LENGTH');
}

function checkData(data: unknown, encoding: unknown): void {
  if (typeof data === 'string') checkEncoding(data, encoding);
  else if (!ArrayBuffer.isView(data)) throw invalidArgType('data', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
}

function checkEncoding(data: string, encoding: unknown): void {
  if (typeof encoding === 'string' && encoding.toLowerCase() === 'hex' && data.length % 2 !== 0) {
    throw invalidArgValue('encoding', encoding, `is invalid for data of length ${data.length}`);
  }
}

function isUtf8(encoding: unknown): boolean {
  return encoding === undefined || encoding === 'utf8' || encoding === 'utf-8' || !Buffer.isEncoding(encoding as string);
}

/** What `Hash` and `Hmac` have in common. */
abstract class Digest extends LazyTransform {
  /** A string that the state has not got yet. */
  #waiting: string | undefined;
  #state: HashState | undefined;
  #done = false;

  /** A running state, fed with `data` where there is some. */
  protected abstract begin(data?: ArrayBufferView): HashState;
  /** Everything in one call. */
  protected abstract atOnce(data: string, encoding: number): string | ArrayBuffer;

  protected get isDone(): boolean {
    return this.#done;
  }

  protected continueFrom(other: Digest): void {
    this.#waiting = other.#waiting;
    if (other.#state !== undefined) this.#state = ops.hashCopy(other.#state);
  }

  #running(): HashState {
    const state = (this.#state ??= this.begin());
    if (this.#waiting !== undefined) {
      ops.hashUpdate(state, this.#waiting);
      this.#waiting = undefined;
    }
    return state;
  }

  override _transform(chunk: string | Buffer, encoding: BufferEncoding, callback: TransformCallback): void {
    this.#feed(chunk, encoding);
    callback();
  }

  override _flush(callback: TransformCallback): void {
    this.push(this.result('buffer'));
    callback();
  }

  #feed(data: string | ArrayBufferView, encoding: unknown): void {
    if (typeof data !== 'string') {
      if (this.#state === undefined && this.#waiting === undefined) this.#state = this.begin(data);
      else ops.hashUpdate(this.#running(), data);
    } else if (!isUtf8(encoding)) ops.hashUpdate(this.#running(), Buffer.from(data, encoding as BufferEncoding));
    else if (this.#state === undefined && this.#waiting === undefined) this.#waiting = data;
    else ops.hashUpdate(this.#running(), data);
  }

  protected result(encoding: string | undefined): string | Buffer {
    const number = encoding === undefined ? 0 : encodingNumber(encoding);
    const result = this.#state === undefined ? this.atOnce(this.#waiting ?? '', number) : ops.hashFinish(this.#running(), number);
    this.#done = true;
    this.#waiting = undefined;
    this.#state = undefined;
    return given(result, encoding);
  }

  update(data: string | ArrayBufferView, encoding?: string): this {
    if (this.#done) throw finalized();
    checkData(data, encoding);
    this.#feed(data, encoding);
    return this;
  }
}

class Hash extends Digest {
  readonly #number: number;
  readonly #length: number | undefined;

  constructor(algorithm: string | Hash, options?: HashOptions) {
    super(options);
    if (algorithm instanceof Hash) {
      this.#number = algorithm.#number;
      this.#length = outputLength(this.#number, options?.outputLength) ?? algorithm.#length;
      this.continueFrom(algorithm);
      return;
    }
    validateString(algorithm, 'algorithm');
    const length = typeof options === 'object' && options !== null ? options.outputLength : undefined;
    if (length !== undefined) validateUint32(length, 'options.outputLength');
    this.#number = hashNumber(algorithm);
    if (this.#number < 0) throw notSupported();
    this.#length = outputLength(this.#number, length);
  }

  protected begin(data?: ArrayBufferView): HashState {
    return ops.hashStart(this.#number, this.#length, data);
  }

  protected atOnce(data: string, encoding: number): string | ArrayBuffer {
    return ops.hashOnce(this.#number, data, encoding, this.#length);
  }

  copy(options?: HashOptions): Hash {
    if (this.isDone) throw finalized();
    return new Hash(this, options);
  }

  digest(encoding?: string): string | Buffer {
    if (this.isDone) throw finalized();
    return this.result(encoding ? `${encoding}` : undefined);
  }
}

class Hmac extends Digest {
  readonly #number: number;
  readonly #key: string | Uint8Array;

  constructor(algorithm: string, key: KeyInput, options?: TransformOptions) {
    super(options);
    validateString(algorithm, 'hmac');
    this.#key = secretBytes(key, options?.encoding);
    this.#number = hashNumber(algorithm);
    if (this.#number < 0) {
      throw invalidDigest(algorithm);
    }
    if (hasNoLength(this.#number)) throw unnamed();
  }

  protected begin(data?: ArrayBufferView): HashState {
    const state = ops.hmacStart(this.#number, this.#key);
    if (data !== undefined) ops.hashUpdate(state, data);
    return state;
  }

  protected atOnce(data: string, encoding: number): string | ArrayBuffer {
    return ops.hmacOnce(this.#number, this.#key, data, encoding);
  }

  digest(encoding?: string): string | Buffer {
    const name = encoding ? `${encoding}` : undefined;
    if (!this.isDone) return this.result(name);
    // As Node: the second digest of an Hmac is empty.
    return name === undefined || name === 'buffer' ? Buffer.alloc(0) : '';
  }
}

/** A class that can be called without `new`, as Node's constructors of functions. */
export function callable<T extends new (...args: never[]) => object>(Class: T): T {
  function construct(...args: ConstructorParameters<T>): object {
    return Reflect.construct(Class, args, new.target === undefined ? construct : new.target) as object;
  }
  Object.defineProperty(construct, 'name', { value: Class.name });
  Object.setPrototypeOf(construct, Object.getPrototypeOf(Class) as object);
  construct.prototype = Class.prototype as object;
  for (const [member, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(Class))) {
    if (!Object.hasOwn(construct, member)) Object.defineProperty(construct, member, descriptor);
  }
  Object.defineProperty(Class.prototype, 'constructor', { value: construct, writable: true, configurable: true });
  return construct as unknown as T;
}

const CallableHash = callable(Hash);
const CallableHmac = callable(Hmac);

export { CallableHash as Hash, CallableHmac as Hmac };

export function createHash(algorithm: string, options?: HashOptions): Hash {
  // Not through the function that may be called without `new`, which costs as much as a short digest.
  return new Hash(algorithm, options);
}

export function createHmac(algorithm: string, key: KeyInput, options?: TransformOptions): Hmac {
  return new Hmac(algorithm, key, options);
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
  if (number < 0) throw notSupported();
  if (length !== undefined && !hasNoLength(number) && length !== ops.hashBytes(number)) {
    throw new Error(`Output length ${length} is invalid for ${algorithm}, which does not support XOF`);
  }
  const name = encoding.toLowerCase();
  return given(ops.hashOnce(number, input, encodingNumber(name), length), name);
}

export function getHashes(): string[] {
  return ops.hashNames();
}
