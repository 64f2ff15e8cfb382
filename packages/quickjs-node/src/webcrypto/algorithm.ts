/**
 * Algorithms of the Web Cryptography API: their names, the hash functions they name, and `CryptoKey`.
 */
import { coded, invalidThis } from '../shared/errors.ts';
import { type KeyContent, setContent, viewOf } from '../crypto/key-bytes.ts';
import { memoryOf, touchDataView } from '../shared/validators.ts';
import { hashNumber } from '../crypto/hash.ts';
import { exposed, inspectCustom, shown, type Inspect, type InspectOptions } from '../web/idl.later.ts';

export type Bytes = ArrayBuffer | ArrayBufferView;

/** What an application names; members beside `name` depend on the algorithm. */
export interface Algorithm {
  readonly name: string;
  readonly [member: string]: unknown;
}

export type Usage = 'encrypt' | 'decrypt' | 'sign' | 'verify' | 'deriveKey' | 'deriveBits' | 'wrapKey' | 'unwrapKey';

/** In the order in which a key lists them. */
const USAGES: readonly Usage[] = ['encrypt', 'decrypt', 'sign', 'verify', 'deriveKey', 'deriveBits', 'wrapKey', 'unwrapKey'];

const NAMES = [
  'SHA-1',
  'SHA-256',
  'SHA-384',
  'SHA-512',
  'HMAC',
  'AES-CBC',
  'AES-CTR',
  'AES-GCM',
  'AES-KW',
  'RSASSA-PKCS1-v1_5',
  'RSA-PSS',
  'RSA-OAEP',
  'ECDSA',
  'ECDH',
  'Ed25519',
  'X25519',
  'HKDF',
  'PBKDF2',
] as const;
const BY_NAME = new Map<string, string>(NAMES.map((name) => [name.toUpperCase(), name]));

export function failure(name: string, message: string): DOMException {
  return new DOMException(message, name);
}

export function notSupported(message = 'Unrecognized algorithm name'): DOMException {
  return failure('NotSupportedError', message);
}

/** The algorithm with its name as the standard writes it. */
export function normal(algorithm: unknown): Algorithm {
  const given = typeof algorithm === 'string' ? { name: algorithm } : algorithm;
  if (typeof given !== 'object' || given === null) throw notSupported();
  const { name } = given as { name?: unknown };
  if (name === undefined) throw new TypeError("Failed to normalize algorithm: passed algorithm: 'name' is required in 'Algorithm'.");
  const known = BY_NAME.get(`${name as string}`.toUpperCase());
  if (known === undefined) throw notSupported();
  return { ...given, name: known };
}

export function hashName(hash: unknown): string {
  const { name } = normal(hash);
  if (!name.startsWith('SHA-')) throw notSupported();
  return name;
}

/** The host's number of a hash function; 0 … for `SHA-1` … */
export function digestNumber(hash: unknown): number {
  return hashNumber(hashName(hash).replace('-', ''));
}

/** Bytes of a digest and of the block that HMAC works on. */
export const DIGEST_BYTES: Readonly<Record<string, number>> = { 'SHA-1': 20, 'SHA-256': 32, 'SHA-384': 48, 'SHA-512': 64 };
export const BLOCK_BITS: Readonly<Record<string, number>> = { 'SHA-1': 512, 'SHA-256': 512, 'SHA-384': 1024, 'SHA-512': 1024 };

/** The largest of the standard's `unsigned short`. */
export const SHORT_MAX = 65_535;
export const AES_BITS: ReadonlySet<number> = new Set([128, 192, 256]);

/** How Node names an argument of `SubtleCrypto`'s methods, and a member of an algorithm. */
export const argument = (method: string, place: '2nd' | '3rd' | '4th'): string =>
  `Failed to execute '${method}' on 'SubtleCrypto': ${place} argument`;
export const member = (name: string): string => `Failed to normalize algorithm: ${name} in passed algorithm`;

/**
 * What has no memory any more gives no bytes, or the language's own error: of Node, it depends on how a
 * function copies.
 */
type Gone = 'empty' | 'an error of a DataView' | 'an error';

/** A copy of the bytes, which cannot change any more. */
export function bytes(value: unknown, name: string, gone: Gone = 'an error of a DataView'): Uint8Array {
  const isView = ArrayBuffer.isView(value);
  if (!isView && !(value instanceof ArrayBuffer)) {
    throw coded(TypeError, 'ERR_INVALID_ARG_TYPE', `${name} is not instance of ArrayBuffer, Buffer, TypedArray, or DataView.`);
  }
  const memory = isView ? memoryOf(value) : value;
  if (!(memory instanceof ArrayBuffer)) {
    throw coded(TypeError, 'ERR_INVALID_ARG_TYPE', `${name} is a view on a SharedArrayBuffer, which is not allowed.`);
  }
  if (isView && gone !== 'empty') touchDataView(value);
  // An array is silent about memory that is gone; what is made of the memory is not.
  if (gone === 'an error') void new Uint8Array(memory);
  return viewOf(value).slice();
}

export function sortedUsages(usages: Iterable<unknown>): Usage[] {
  const given = new Set<unknown>(usages);
  for (const usage of given)
    if (!USAGES.includes(usage as Usage)) throw new TypeError(`'${String(usage)}' is not a valid enum value of type KeyUsage.`);
  return USAGES.filter((usage) => given.has(usage));
}

/** An error of Web IDL: Node's have a code that their text does not show. */
export function idlError(code: string, message: string): TypeError {
  return Object.assign(new TypeError(message), { code });
}

/** A number in the range that Web IDL enforces; `described` is what Node calls it. */
export function enforced(value: unknown, described: string, max = 0xffff_ffff): number {
  const number = Number(value);
  if (!Number.isFinite(number)) throw idlError('ERR_INVALID_ARG_TYPE', `${described} is not a finite number.`);
  const whole = Math.trunc(number);
  if (whole < 0 || whole > max) throw idlError('ERR_OUT_OF_RANGE', `${described} is outside the expected range of 0 to ${max}.`);
  return whole;
}

/** Throws when a member that has to be there is not. */
export function required(algorithm: Algorithm, name: string, dictionary: string): unknown {
  const value = algorithm[name];
  if (value !== undefined) return value;
  const message = `passed algorithm cannot be converted to '${dictionary}' because '${name}' is required in '${dictionary}'.`;
  throw idlError('ERR_MISSING_OPTION', `Failed to normalize algorithm: ${message}`);
}

/** A number that has to be there. */
export function numberIn(algorithm: Algorithm, name: string, dictionary: string, max?: number): number {
  return enforced(required(algorithm, name, dictionary), member(name), max);
}

const OURS = Symbol('ours');

/** What a key is: not what an application can see and change. */
export interface Slots {
  readonly content: KeyContent;
  readonly algorithm: Algorithm;
  readonly extractable: boolean;
  readonly usages: readonly Usage[];
}

let slotsIn: (value: object) => Slots | undefined;

export class CryptoKey {
  readonly #slots: Slots;
  /** What applications see, made once. */
  #algorithm: Algorithm | undefined;
  #usages: Usage[] | undefined;

  constructor(key?: unknown, slots?: Slots) {
    if (key !== OURS) throw coded(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');
    this.#slots = slots as Slots;
    setContent(this, this.#slots.content, () => new CryptoKey(OURS, slots));
  }

  static {
    slotsIn = (value) => (#slots in value ? value.#slots : undefined);
  }

  static #check(value: unknown): void {
    if (typeof value !== 'object' || value === null || !(#slots in value)) throw invalidThis('CryptoKey');
  }

  get type(): 'secret' | 'public' | 'private' {
    CryptoKey.#check(this);
    return this.#slots.content.type;
  }
  get extractable(): boolean {
    CryptoKey.#check(this);
    return this.#slots.extractable;
  }
  get algorithm(): Algorithm {
    CryptoKey.#check(this);
    return (this.#algorithm ??= copyOf(this.#slots.algorithm));
  }
  get usages(): Usage[] {
    CryptoKey.#check(this);
    return (this.#usages ??= [...this.#slots.usages]);
  }

  [inspectCustom](depth: number, options: InspectOptions, inspect: Inspect): string {
    const { type, extractable, algorithm, usages } = this;
    return shown(this, { type, extractable, algorithm, usages }, depth, options, inspect);
  }
}

exposed(CryptoKey);

function copyOf(algorithm: Algorithm): Algorithm {
  const { hash, publicExponent } = algorithm as { hash?: object; publicExponent?: Uint8Array };
  return {
    ...algorithm,
    ...(publicExponent === undefined ? {} : { publicExponent: publicExponent.slice() }),
    ...(hash === undefined ? {} : { hash: { ...hash } }),
  };
}

export function cryptoKey(content: KeyContent, algorithm: Algorithm, extractable: boolean, usages: readonly Usage[]): CryptoKey {
  return new CryptoKey(OURS, { content, algorithm, extractable: Boolean(extractable), usages });
}

/** What a key is; `described` is what Node calls the argument. */
export function slotsOf(key: unknown, described: string): Slots {
  const slots = typeof key === 'object' && key !== null ? slotsIn(key) : undefined;
  if (slots === undefined) throw idlError('ERR_INVALID_ARG_TYPE', `${described} is not of type CryptoKey.`);
  return slots;
}

/** The key's bytes, of a secret key. */
export function secretOf({ content }: Slots): Uint8Array {
  if (content.type !== 'secret') throw failure('InvalidAccessError', 'Unable to use this key with this algorithm');
  return content.bytes;
}

export function checkUse(key: Slots, algorithm: Algorithm, usage: Usage): void {
  if (key.algorithm.name !== algorithm.name) throw failure('InvalidAccessError', 'Key algorithm mismatch');
  if (!key.usages.includes(usage)) throw failure('InvalidAccessError', `Unable to use this key to ${usage}`);
}
