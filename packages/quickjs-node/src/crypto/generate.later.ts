/**
 * `generateKeyPair`, `generateKey` and `createECDH`, `diffieHellman`.
 */
import ops from 'fulmar:ops';
import type { KeyState } from './more-ops.ts';
import { coded, invalidArgValue, unsupported } from '../shared/errors.ts';
import { inContext } from './background.ts';
import { given } from './encoding.ts';
import { invalidDigest } from './errors.ts';
import { callable } from './callable.ts';
import { hashNumber, hasNoLength } from './hash.ts';
import { checkBytes, viewOf } from './key-bytes.ts';
import { keyOps, toBytes } from './key-ops.ts';
import { randomBytes } from './random.ts';
import { validateFunction, validateInteger, validateObject, validateString, validateUint32 } from '../shared/validators.ts';
import { exportKey, type ExportOptions } from './key-export.later.ts';
import { KeyObject, keyObject, stateOf } from './keys.later.ts';

type Done = (error: Error | null, publicKey?: unknown, privateKey?: unknown) => void;

interface PairOptions {
  readonly modulusLength?: number;
  readonly publicExponent?: number;
  readonly namedCurve?: string;
  readonly hashAlgorithm?: string;
  readonly mgf1HashAlgorithm?: string;
  readonly saltLength?: number;
  readonly publicKeyEncoding?: ExportOptions;
  readonly privateKeyEncoding?: ExportOptions;
}

/** What the host is asked for. */
type Wish = readonly [kind: string, bits: number, exponent: number, limits: readonly number[]];

const EXPONENT = 0x1_00_01;
/** Bytes of a number below the order of the largest curve. */
const SCALAR_BYTES_MAX = 66;
/** OpenSSL's names of the curves by those and by NIST's. */
const CURVES: Readonly<Record<string, string>> = {
  'P-256': 'prime256v1',
  'P-384': 'secp384r1',
  'P-521': 'secp521r1',
  prime256v1: 'prime256v1',
  secp384r1: 'secp384r1',
  secp521r1: 'secp521r1',
};

export function getCurves(): string[] {
  return ['prime256v1', 'secp384r1', 'secp521r1'];
}

function invalidCurve(): Error {
  return coded(TypeError, 'ERR_CRYPTO_INVALID_CURVE', 'Invalid EC curve name');
}

function digest(name: unknown, option: string): number {
  validateString(name, option);
  const number = hashNumber(name);
  // RFC 4055 has no parameters for a function without a length; Node leaves such a name out.
  if (number < 0 || hasNoLength(number)) throw invalidDigest(name);
  return number;
}

function wish(type: unknown, options: PairOptions | undefined): Wish {
  validateString(type, 'type');
  switch (type) {
    case 'rsa':
    case 'rsa-pss':
      return rsaWish(type, options);
    case 'ec': {
      validateObject(options, 'options');
      validateString(options.namedCurve, 'options.namedCurve');
      const curve = CURVES[options.namedCurve];
      if (curve === undefined) throw invalidCurve();
      return [curve, 0, 0, []];
    }
    case 'ed25519':
    case 'x25519':
      return [type, 0, 0, []];
    case 'dsa':
    case 'dh':
    case 'ed448':
    case 'x448':
      throw unsupported(`Key type ${type}`);
    default:
      throw invalidArgValue('type', type, 'must be a supported key type');
  }
}

function rsaWish(type: 'rsa' | 'rsa-pss', options: PairOptions | undefined): Wish {
  validateObject(options, 'options');
  const { modulusLength, publicExponent = EXPONENT, hashAlgorithm, mgf1HashAlgorithm, saltLength } = options;
  validateUint32(modulusLength, 'options.modulusLength');
  validateUint32(publicExponent, 'options.publicExponent');
  const limits: number[] = [];
  if (type === 'rsa-pss' && (hashAlgorithm ?? mgf1HashAlgorithm ?? saltLength) !== undefined) {
    if (saltLength !== undefined) validateInteger(saltLength, 'options.saltLength', 0, 2_147_483_647);
    const hash = digest(hashAlgorithm ?? 'sha1', 'options.hashAlgorithm');
    limits.push(hash, digest(mgf1HashAlgorithm ?? hashAlgorithm ?? 'sha1', 'options.mgf1HashAlgorithm'), saltLength ?? ops.hashBytes(hash));
  }
  return [type, modulusLength, publicExponent, limits];
}

function checkEncoding(encoding: unknown, name: string): void {
  if (encoding !== undefined && (typeof encoding !== 'object' || encoding === null)) {
    throw invalidArgValue(`options.${name}`, encoding);
  }
}

function pair(state: KeyState, options: PairOptions | undefined): { publicKey: unknown; privateKey: unknown } {
  const key = keyOps().keyPublic(state);
  const { publicKeyEncoding, privateKeyEncoding } = options ?? {};
  return {
    publicKey:
      publicKeyEncoding === undefined
        ? keyObject({ type: 'public', state: key })
        : exportKey('public', key, publicKeyEncoding, 'options.publicKeyEncoding'),
    privateKey:
      privateKeyEncoding === undefined
        ? keyObject({ type: 'private', state })
        : exportKey('private', state, privateKeyEncoding, 'options.privateKeyEncoding'),
  };
}

export function generateKeyPairSync(type: string, options?: PairOptions): { publicKey: unknown; privateKey: unknown } {
  if (options !== undefined) validateObject(options, 'options');
  const asked = wish(type, options);
  checkEncoding(options?.publicKeyEncoding, 'publicKeyEncoding');
  checkEncoding(options?.privateKeyEncoding, 'privateKeyEncoding');
  return pair(keyOps().keyGenerate(...asked, undefined) as KeyState, options);
}

export function generateKeyPair(type: string, options: PairOptions | Done, callback?: Done): void {
  const done = typeof options === 'function' ? options : callback;
  const given = typeof options === 'function' ? undefined : options;
  validateFunction(done, 'callback');
  if (given !== undefined) validateObject(given, 'options');
  const asked = wish(type, given);
  checkEncoding(given?.publicKeyEncoding, 'publicKeyEncoding');
  checkEncoding(given?.privateKeyEncoding, 'privateKeyEncoding');
  const finished = inContext<KeyState>((error, state) => {
    if (error !== null) return done(error);
    const { publicKey, privateKey } = pair(state, given);
    return done(null, publicKey, privateKey);
  });
  keyOps().keyGenerate(...asked, finished);
}

Object.defineProperty(generateKeyPair, Symbol.for('nodejs.util.promisify.custom'), {
  value: (type: string, options: PairOptions) =>
    new Promise((resolve, reject) => {
      generateKeyPair(type, options, (error, publicKey, privateKey) =>
        error === null ? resolve({ publicKey, privateKey }) : reject(error),
      );
    }),
});

function keyBytes(type: unknown, options: unknown): number {
  validateString(type, 'type');
  validateObject(options, 'options');
  const { length } = options as { length?: unknown };
  if (type === 'hmac') {
    validateInteger(length, 'options.length', 8, 2_147_483_647);
    return length >> 3;
  }
  if (type !== 'aes') throw invalidArgValue('type', type, 'must be a supported key type');
  if (length !== 128 && length !== 192 && length !== 256) throw invalidArgValue('options.length', length, 'must be one of: 128, 192, 256');
  return length / 8;
}

export function generateKeySync(type: string, options: { readonly length: number }): KeyObject {
  return keyObject({ type: 'secret', bytes: randomBytes(keyBytes(type, options)) as Buffer });
}

export function generateKey(
  type: string,
  options: { readonly length: number },
  callback: (error: Error | null, key?: KeyObject) => void,
): void {
  validateFunction(callback, 'callback');
  const key = generateKeySync(type, options);
  setImmediate(callback, null, key);
}

function incompatible(a: string, b: string): Error {
  return coded(Error, 'ERR_CRYPTO_INCOMPATIBLE_KEY', `Incompatible key types for Diffie-Hellman: ${a} and ${b}`);
}

export function diffieHellman(
  options: { readonly privateKey: KeyObject; readonly publicKey: KeyObject },
  callback?: (error: Error | null, secret?: Buffer) => void,
): Buffer | undefined {
  validateObject(options, 'options');
  if (callback !== undefined) validateFunction(callback, 'callback');
  const { privateKey, publicKey } = options;
  if (!(privateKey instanceof KeyObject)) throw invalidArgValue('options.privateKey', privateKey);
  if (!(publicKey instanceof KeyObject)) throw invalidArgValue('options.publicKey', publicKey);
  if (privateKey.type !== 'private') throw wrongType(privateKey.type, 'private');
  if (publicKey.type === 'secret') throw wrongType(publicKey.type, 'private or public');
  const [a, b] = [keyOps().keyInfo(stateOf(privateKey)), keyOps().keyInfo(stateOf(publicKey))];
  if (a.kind !== b.kind || (a.kind !== 'ec' && a.kind !== 'x25519')) throw incompatible(a.kind, b.kind);
  const [own, other] = [stateOf(privateKey), stateOf(publicKey)];
  if (callback === undefined) return Buffer.from(keyOps().agree(own, other, undefined));
  const done = inContext<ArrayBuffer>((error, secret) => (error === null ? callback(null, Buffer.from(secret)) : callback(error)));
  keyOps().agree(own, other, done);
  return undefined;
}

function wrongType(found: string, expected: string): Error {
  return coded(TypeError, 'ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE', `Invalid key object type ${found}, expected ${expected}.`);
}

type Data = string | ArrayBuffer | ArrayBufferView;

function written(bytes: ArrayBuffer, encoding: string | undefined): string | Buffer {
  return given(bytes, encoding);
}

const POINT_FORMATS: ReadonlySet<unknown> = new Set([undefined, 'compressed', 'uncompressed', 'hybrid']);

class ECDH {
  readonly #curve: string;
  #private: KeyState | undefined;
  #public: ArrayBuffer | undefined;

  constructor(curve: string) {
    validateString(curve, 'curve');
    if (CURVES[curve] === undefined) throw invalidCurve();
    this.#curve = CURVES[curve];
  }

  static convertKey(key: Data, curve: string, inputEncoding?: string, outputEncoding?: string, format?: string): string | Buffer {
    validateString(curve, 'curve');
    checkBytes(key, 'key');
    const name = CURVES[curve];
    if (name === undefined) throw invalidCurve();
    // As Node: nothing gives nothing.
    if (isNothing(toBytes(key, inputEncoding))) return written(new ArrayBuffer(0), outputEncoding);
    return pointIn(name, toBytes(key, inputEncoding) as Data, format, outputEncoding);
  }

  generateKeys(encoding?: string, format?: string): string | Buffer {
    this.#take(keyOps().keyGenerate(this.#curve, 0, 0, [], undefined) as KeyState);
    return this.getPublicKey(encoding, format);
  }

  #take(state: KeyState): void {
    const [x, y] = keyOps().keyParts(state) as [ArrayBuffer, ArrayBuffer];
    this.#private = state;
    this.#public = new Uint8Array([4, ...new Uint8Array(x), ...new Uint8Array(y)]).buffer;
  }

  computeSecret(other: Data, inputEncoding?: string, outputEncoding?: string): string | Buffer {
    checkBytes(other, 'key');
    if (this.#private === undefined) throw coded(RangeError, 'ERR_CRYPTO_INVALID_KEYPAIR', 'Invalid key pair');
    const point = keyOps().pointConvert(this.#curve, toBytes(other, inputEncoding), false);
    const parts = point === null ? null : halves(point);
    const state = parts === null ? null : keyOps().keyOfParts(this.#curve, parts);
    if (state === null) {
      throw coded(Error, 'ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY', 'Public key is not valid for specified curve');
    }
    return written(keyOps().agree(this.#private, state, undefined), outputEncoding);
  }

  getPublicKey(encoding?: string, format?: string): string | Buffer {
    if (this.#public === undefined) throw coded(Error, 'ERR_CRYPTO_OPERATION_FAILED', 'Failed to get ECDH public key');
    return pointIn(this.#curve, this.#public, format, encoding);
  }

  getPrivateKey(encoding?: string): string | Buffer {
    if (this.#private === undefined) throw coded(Error, 'ERR_CRYPTO_OPERATION_FAILED', 'Failed to get ECDH private key');
    // As OpenSSL: the number alone.
    return written(withoutZeros(new Uint8Array(keyOps().keyParts(this.#private)[2] as ArrayBuffer)), encoding);
  }

  setPrivateKey(key: Data, encoding?: string): this {
    checkBytes(key, 'key');
    const bytes = toBytes(key, encoding);
    const scalar = withoutZeros(typeof bytes === 'string' ? Buffer.from(bytes) : viewOf(bytes));
    const state = scalar.byteLength > SCALAR_BYTES_MAX ? null : privateState(this.#curve, Buffer.from(scalar));
    if (state === null) throw coded(RangeError, 'ERR_CRYPTO_INVALID_KEYTYPE', 'Private key is not valid for specified curve.');
    this.#take(state);
    return this;
  }

  setPublicKey(key: Data, encoding?: string): this {
    checkBytes(key, 'key');
    const point = keyOps().pointConvert(this.#curve, toBytes(key, encoding), false);
    if (point === null) throw coded(Error, 'ERR_CRYPTO_OPERATION_FAILED', 'Failed to convert Buffer to EC_POINT');
    this.#public = point;
    return this;
  }
}

function isNothing(bytes: Data): boolean {
  return (typeof bytes === 'string' ? bytes : viewOf(bytes)).length === 0;
}

/** A copy without the zeros in front. */
function withoutZeros(bytes: Uint8Array): ArrayBuffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  return new Uint8Array(first === -1 ? [] : bytes.slice(first)).buffer;
}

function halves(point: ArrayBuffer): Uint8Array[] {
  const bytes = new Uint8Array(point, 1);
  return [bytes.slice(0, bytes.length / 2), bytes.slice(bytes.length / 2)];
}

/** The state of a scalar: as SEC 1, from which the host computes the point. */
function privateState(curve: string, scalar: Buffer): KeyState | null {
  const id = { prime256v1: '2a8648ce3d030107', secp384r1: '2b81040022', secp521r1: '2b81040023' }[curve] as string;
  const object = Buffer.concat([Buffer.from([6, id.length / 2]), Buffer.from(id, 'hex')]);
  const content = Buffer.concat([Buffer.from([2, 1, 1, 4, scalar.length]), scalar, Buffer.from([0xa0, object.length]), object]);
  try {
    return keyOps().keyRead(Buffer.concat([Buffer.from([0x30, content.length]), content]), 'sec1', true, undefined);
  } catch {
    return null;
  }
}

function pointIn(curve: string, point: Data, format: string | undefined, encoding: string | undefined): string | Buffer {
  if (!POINT_FORMATS.has(format)) {
    throw coded(TypeError, 'ERR_CRYPTO_ECDH_INVALID_FORMAT', `Invalid ECDH format: ${format}`);
  }
  const converted = keyOps().pointConvert(curve, point, format === 'compressed');
  if (converted === null) throw coded(Error, 'ERR_CRYPTO_OPERATION_FAILED', 'Failed to convert Buffer to EC_POINT');
  const bytes = new Uint8Array(converted);
  // The hybrid form says in its first byte whether y is odd.
  if (format === 'hybrid') bytes[0] = 6 | ((bytes[bytes.length - 1] as number) & 1);
  return written(converted, encoding);
}

const CallableECDH = callable(ECDH);
export { CallableECDH as ECDH };

export function createECDH(curve: string): ECDH {
  return new CallableECDH(curve);
}
