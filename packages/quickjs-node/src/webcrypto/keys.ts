/**
 * Keys of the Web Cryptography API: generated, imported, exported.
 */
import type { KeyState } from '../crypto/more-ops.ts';
import type { KeyContent } from '../crypto/key-bytes.ts';
import { keyOps } from '../crypto/key-ops.ts';
import { randomFillSync } from '../crypto/random.ts';
import { fromJwk, toJwk, webCurve } from '../crypto/jwk.later.ts';
import {
  AES_BITS,
  type Algorithm,
  argument,
  BLOCK_BITS,
  bytes,
  cryptoKey,
  type CryptoKey,
  failure,
  hashName,
  idlError,
  member,
  normal,
  notSupported,
  numberIn,
  required,
  SHORT_MAX,
  type Slots,
  slotsOf,
  sortedUsages,
  type Usage,
} from './algorithm.ts';

type KeyType = 'secret' | 'public' | 'private';

/** What keys of an algorithm may be used for. */
const USES: Readonly<Record<string, Readonly<Partial<Record<KeyType, readonly Usage[]>>>>> = {
  HMAC: { secret: ['sign', 'verify'] },
  'AES-CBC': { secret: ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'] },
  'AES-CTR': { secret: ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'] },
  'AES-GCM': { secret: ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'] },
  'AES-KW': { secret: ['wrapKey', 'unwrapKey'] },
  HKDF: { secret: ['deriveKey', 'deriveBits'] },
  PBKDF2: { secret: ['deriveKey', 'deriveBits'] },
  'RSASSA-PKCS1-v1_5': { public: ['verify'], private: ['sign'] },
  'RSA-PSS': { public: ['verify'], private: ['sign'] },
  'RSA-OAEP': { public: ['encrypt', 'wrapKey'], private: ['decrypt', 'unwrapKey'] },
  ECDSA: { public: ['verify'], private: ['sign'] },
  ECDH: { public: [], private: ['deriveKey', 'deriveBits'] },
  Ed25519: { public: ['verify'], private: ['sign'] },
  X25519: { public: [], private: ['deriveKey', 'deriveBits'] },
};

const CURVES: ReadonlySet<unknown> = new Set(['P-256', 'P-384', 'P-521']);

/** The public exponents that keys are generated with, and bits of the smallest modulus: Node's. */
const EXPONENT_MIN = 3;
const EXPONENT_MAX = 0xffff_ffff;
const MODULUS_MIN = 512;

function isRsa(name: string): boolean {
  return name.startsWith('RSA');
}

function checkUses(name: string, usages: readonly Usage[], types: readonly KeyType[]): void {
  const allowed = types.flatMap((type) => USES[name]?.[type] ?? []);
  if (usages.some((usage) => !allowed.includes(usage))) throw failure('SyntaxError', `Unsupported key usage for ${name} key`);
}

function uses(name: string, usages: readonly Usage[], type: KeyType): Usage[] {
  return usages.filter((usage) => USES[name]?.[type]?.includes(usage) === true);
}

function curveOf(algorithm: Algorithm): string {
  const { namedCurve } = algorithm;
  if (!CURVES.has(namedCurve)) throw notSupported('Unrecognized namedCurve');
  return namedCurve as string;
}

export interface KeyPair {
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
}

function generated(kind: string, bits: number, exponent: number): Promise<KeyState> {
  return new Promise((resolve, reject) => {
    keyOps().keyGenerate(kind, bits, exponent, [], (error, state) => {
      if (error === null) resolve(state);
      else reject(failure('OperationError', 'The operation failed for an operation-specific reason'));
    });
  });
}

export async function generateKey(given: unknown, extractable: boolean, keyUsages: Iterable<unknown>): Promise<CryptoKey | KeyPair> {
  const algorithm = normal(given);
  const usages = sortedUsages(keyUsages);
  const { name } = algorithm;
  if (name === 'HKDF' || name === 'PBKDF2' || name.startsWith('SHA-')) throw notSupported();
  const isSecret = USES[name]?.secret !== undefined;
  checkUses(name, usages, isSecret ? ['secret'] : ['public', 'private']);
  if (isSecret) {
    if (usages.length === 0) throw failure('SyntaxError', 'Usages cannot be empty when creating a key.');
    const described = newSecret(algorithm);
    const length = described['length'] as number;
    const content = { type: 'secret', bytes: firstBits(randomFillSync(new Uint8Array(Math.ceil(length / 8))), length) } as const;
    return cryptoKey(content, described, extractable, usages);
  }
  const privateUses = uses(name, usages, 'private');
  if (privateUses.length === 0) throw failure('SyntaxError', 'Usages cannot be empty when creating a key.');
  const [state, described] = await pairOf(algorithm);
  return {
    publicKey: cryptoKey({ type: 'public', state: keyOps().keyPublic(state) }, described, true, uses(name, usages, 'public')),
    privateKey: cryptoKey({ type: 'private', state }, described, extractable, privateUses),
  };
}

async function pairOf(algorithm: Algorithm): Promise<[KeyState, Algorithm]> {
  const { name } = algorithm;
  if (isRsa(name)) {
    const publicExponent = required(algorithm, 'publicExponent', 'RsaHashedKeyGenParams');
    if (!(publicExponent instanceof Uint8Array)) {
      throw idlError('ERR_INVALID_ARG_TYPE', `${member('publicExponent')} is not an Uint8Array object.`);
    }
    const modulusLength = numberIn(algorithm, 'modulusLength', 'RsaHashedKeyGenParams');
    if (modulusLength < MODULUS_MIN) throw failure('OperationError', `algorithm.modulusLength must be at least ${MODULUS_MIN}`);
    const exponent = publicExponent.reduce((sum, byte) => sum * 256 + byte, 0);
    if (exponent > EXPONENT_MAX) throw failure('OperationError', 'algorithm.publicExponent must fit in an unsigned 32-bit integer');
    if (exponent < EXPONENT_MIN) throw failure('OperationError', `algorithm.publicExponent must be at least ${EXPONENT_MIN}`);
    const state = await generated('rsa', modulusLength, exponent);
    const exponentBytes = new Uint8Array(publicExponent);
    return [state, { name, modulusLength, publicExponent: exponentBytes, hash: { name: hashName(algorithm['hash']) } }];
  }
  if (name === 'ECDSA' || name === 'ECDH') {
    const namedCurve = curveOf(algorithm);
    return [await generated(namedCurve, 0, 0), { name, namedCurve }];
  }
  return [await generated(name.toLowerCase(), 0, 0), { name }];
}

/** The algorithm of a key that is made, as the key describes it. */
function newSecret(algorithm: Algorithm): Algorithm {
  const { name } = algorithm;
  if (name !== 'HMAC') {
    const length = numberIn(algorithm, 'length', 'AesKeyGenParams', SHORT_MAX);
    if (!AES_BITS.has(length)) throw failure('OperationError', 'AES key length must be 128, 192, or 256 bits');
    return { name, length };
  }
  const hash = hashName(algorithm['hash']);
  const length = algorithm['length'] === undefined ? (BLOCK_BITS[hash] as number) : numberIn(algorithm, 'length', 'HmacKeyGenParams');
  if (length === 0) throw failure('OperationError', 'HmacKeyGenParams.length cannot be 0');
  return { name, length, hash: { name: hash } };
}

/** The algorithm of a key of so many bits that is there; HMAC may take up to seven bits less. */
function givenSecret(algorithm: Algorithm, bits: number): Algorithm {
  const { name } = algorithm;
  if (name !== 'HMAC') {
    if (!AES_BITS.has(bits)) throw failure('DataError', 'Invalid key length');
    return { name, length: bits };
  }
  const hash = hashName(algorithm['hash']);
  const length = algorithm['length'] === undefined ? bits : numberIn(algorithm, 'length', 'HmacImportParams');
  if (algorithm['length'] !== undefined && length === 0) throw failure('DataError', 'HmacImportParams.length cannot be 0');
  if (bits === 0) throw failure('DataError', 'Zero-length key is not supported');
  if (length > bits || length <= bits - 8) throw failure('DataError', 'Invalid key length');
  return { name, length, hash: { name: hash } };
}

/** The bytes without those bits of the last one that are beyond the length. */
function firstBits(data: Uint8Array, length: number): Uint8Array {
  const beyond = data.length * 8 - length;
  if (beyond === 0) return data;
  const out = data.slice();
  out[out.length - 1] = (out[out.length - 1] as number) & (0xff << beyond);
  return out;
}

export async function importKey(
  format: string,
  data: unknown,
  given: unknown,
  extractable: boolean,
  keyUsages: Iterable<unknown>,
): Promise<CryptoKey> {
  const algorithm = normal(given);
  const usages = sortedUsages(keyUsages);
  if (format === 'jwk') checkWebKey(data, algorithm, extractable, usages);
  const content = contentOf(format, data, algorithm);
  return keyOf(content, algorithm, extractable, usages);
}

/** A key of content that is there already. */
export function keyOf(content: KeyContent, algorithm: Algorithm, extractable: boolean, usages: readonly Usage[]): CryptoKey {
  const { name } = algorithm;
  checkUses(name, usages, [content.type]);
  if (content.type !== 'public' && usages.length === 0) {
    throw failure('SyntaxError', `Usages cannot be empty when importing a ${content.type} key.`);
  }
  if (content.type === 'secret') {
    if (name === 'HKDF' || name === 'PBKDF2') {
      if (extractable) throw failure('SyntaxError', `${name} keys are not extractable`);
      return cryptoKey(content, { name }, false, usages);
    }
    const described = givenSecret(algorithm, content.bytes.length * 8);
    const own = firstBits(content.bytes, described['length'] as number);
    return cryptoKey({ type: 'secret', bytes: own }, described, extractable, usages);
  }
  return cryptoKey(content, described(content.state, algorithm), extractable, usages);
}

function described(state: KeyState, algorithm: Algorithm): Algorithm {
  const { name } = algorithm;
  const info = keyOps().keyInfo(state);
  const wrong = (): DOMException => failure('DataError', 'Invalid key type');
  if (isRsa(name)) {
    if (info.kind !== 'rsa') throw wrong();
    const hash = { name: hashName(algorithm['hash']) };
    return { name, modulusLength: info.bits, publicExponent: new Uint8Array(info.exponent), hash };
  }
  if (name === 'ECDSA' || name === 'ECDH') {
    if (info.kind !== 'ec') throw wrong();
    if (webCurve(info.curve) !== curveOf(algorithm)) throw failure('DataError', 'Named curve mismatch');
    return { name, namedCurve: webCurve(info.curve) };
  }
  if (info.kind !== name.toLowerCase()) throw wrong();
  return { name };
}

function contentOf(format: string, data: unknown, algorithm: Algorithm): KeyContent {
  const isSecret = USES[algorithm.name]?.secret !== undefined;
  if (USES[algorithm.name] === undefined) throw notSupported();
  switch (format) {
    case 'raw':
      return isSecret
        ? { type: 'secret', bytes: bytes(data, argument('importKey', '2nd')) }
        : rawPublic(bytes(data, argument('importKey', '2nd')), algorithm);
    case 'spki':
    case 'pkcs8':
      if (isSecret) throw notSupported(`Unable to import ${algorithm.name} key using ${format} format`);
      return { type: format === 'spki' ? 'public' : 'private', state: readKey(bytes(data, argument('importKey', '2nd'), 'empty'), format) };
    case 'jwk':
      return fromWeb(data, isSecret);
    default:
      throw noFormat('importKey', format);
  }
}

const FORMATS: ReadonlySet<unknown> = new Set(['raw', 'spki', 'pkcs8', 'jwk', 'raw-public', 'raw-secret', 'raw-seed']);

function noFormat(method: string, format: string): Error {
  const described = `Failed to execute '${method}' on 'SubtleCrypto': 1st argument '${format}'`;
  return idlError('ERR_INVALID_ARG_VALUE', `${described} is not a valid enum value of type KeyFormat.`);
}

function readKey(data: Uint8Array, format: 'spki' | 'pkcs8'): KeyState {
  try {
    return keyOps().keyRead(data, format, format === 'pkcs8', undefined);
  } catch {
    throw failure('DataError', 'Invalid keyData');
  }
}

function rawPublic(data: Uint8Array, algorithm: Algorithm): KeyContent {
  const { name } = algorithm;
  let state: KeyState | null;
  if (name === 'ECDSA' || name === 'ECDH') {
    const curve = curveOf(algorithm);
    const point = keyOps().pointConvert(curve, data, false);
    const half = point === null ? 0 : (point.byteLength - 1) / 2;
    state = point === null ? null : keyOps().keyOfParts(curve, [new Uint8Array(point, 1, half), new Uint8Array(point, 1 + half)]);
  } else if (name === 'Ed25519' || name === 'X25519') {
    state = keyOps().keyOfParts(name.toLowerCase(), [data]);
  } else {
    throw notSupported(`Unable to import ${name} key using raw format`);
  }
  if (state === null) throw failure('DataError', 'Invalid keyData');
  return { type: 'public', state };
}

type WebKey = Readonly<Record<string, unknown>>;

const wrongData = (message = 'Invalid keyData'): DOMException => failure('DataError', message);

/**
 * What a JSON Web Key says of itself has to be what it is imported as: a key is for one algorithm, and its
 * maker may forbid to export it.
 */
function checkWebKey(data: unknown, algorithm: Algorithm, extractable: boolean, usages: readonly Usage[]): void {
  if (typeof data !== 'object' || data === null || ArrayBuffer.isView(data)) throw wrongData();
  const { name } = algorithm;
  const { kty, use, ext, crv, key_ops: operations, alg } = data as WebKey;
  const isSecret = USES[name]?.secret !== undefined;
  const isCurve = name === 'ECDSA' || name === 'ECDH';
  if (kty !== (isSecret ? 'oct' : isRsa(name) ? 'RSA' : isCurve ? 'EC' : 'OKP')) throw wrongData('Invalid JWK "kty" Parameter');
  if (ext === false && extractable) throw wrongData('JWK "ext" Parameter and extractable mismatch');
  const isForSignatures = USES[name]?.secret?.includes('sign') === true || USES[name]?.public?.includes('verify') === true;
  if (use !== undefined && usages.length > 0 && use !== (isForSignatures ? 'sig' : 'enc')) throw wrongData('Invalid JWK "use" Parameter');
  if (operations !== undefined) checkOperations(operations, usages);
  if (isCurve && crv !== curveOf(algorithm)) throw wrongData('JWK "crv" does not match the requested algorithm');
  if (!isSecret && !isCurve && !isRsa(name) && crv !== name) throw wrongData('JWK "crv" Parameter and algorithm name mismatch');
  if (alg !== undefined && !algsOf(algorithm, data as WebKey).includes(alg)) {
    throw wrongData('JWK "alg" does not match the requested algorithm');
  }
}

function checkOperations(given: unknown, usages: readonly Usage[]): void {
  if (typeof given !== 'object' || given === null || !(Symbol.iterator in given)) {
    const described = `${argument('importKey', '2nd').replace(': ', ': key_ops in ')} cannot be converted to sequence.`;
    throw idlError('ERR_INVALID_ARG_TYPE', described);
  }
  const operations = [...(given as Iterable<unknown>)];
  if (new Set(operations).size !== operations.length) throw wrongData('Duplicate key operation');
  if (!usages.every((usage) => operations.includes(usage))) throw wrongData('Key operations and usage mismatch');
}

const CURVE_ALGS: Readonly<Record<string, string>> = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' };

/** What `alg` may say. */
function algsOf(algorithm: Algorithm, jwk: WebKey): unknown[] {
  const { name } = algorithm;
  if (name === 'Ed25519') return ['Ed25519', 'EdDSA'];
  if (name === 'ECDSA') return [CURVE_ALGS[jwk['crv'] as string]];
  // Of what only agrees on a secret, nothing is looked at.
  if (name === 'ECDH' || name === 'X25519') return [jwk['alg']];
  const length = Buffer.from(String(jwk['k'] ?? ''), 'base64url').length * 8;
  return [
    jwkAlgorithm({ ...algorithm, length, hash: algorithm['hash'] === undefined ? undefined : { name: hashName(algorithm['hash']) } }),
  ];
}

function fromWeb(data: unknown, isSecret: boolean): KeyContent {
  const jwk = data as Record<string, unknown>;
  if (isSecret) {
    if (typeof jwk['k'] !== 'string') throw wrongData();
    return { type: 'secret', bytes: new Uint8Array(Buffer.from(jwk['k'], 'base64url')) };
  }
  const secret = jwk['d'] !== undefined;
  try {
    return { type: secret ? 'private' : 'public', state: fromJwk(jwk, secret) };
  } catch {
    throw wrongData();
  }
}

/** What JWK calls an algorithm's keys. */
function jwkAlgorithm(algorithm: Algorithm): string | undefined {
  const { name } = algorithm;
  const hash = (algorithm['hash'] as Algorithm | undefined)?.name ?? '';
  const bits = hash.slice('SHA-'.length);
  // As Node, of SHA-1: without a zero.
  if (name === 'HMAC') return `HS${bits}`;
  if (name === 'RSASSA-PKCS1-v1_5') return `RS${bits}`;
  if (name === 'RSA-PSS') return `PS${bits}`;
  if (name === 'RSA-OAEP') return hash === 'SHA-1' ? 'RSA-OAEP' : `RSA-OAEP-${bits}`;
  if (name === 'Ed25519') return name;
  if (name.startsWith('AES-')) return `A${String(algorithm['length'])}${name.slice('AES-'.length)}`;
  return undefined;
}

export async function exportKey(format: string, cryptoKey: unknown): Promise<unknown> {
  if (!FORMATS.has(format)) throw noFormat('exportKey', format);
  const key = slotsOf(cryptoKey, argument('exportKey', '2nd'));
  const { content } = key;
  if (!key.extractable) throw failure('InvalidAccessError', 'key is not extractable');
  if (format === 'jwk') return webKey(key, content);
  if (format === 'raw') {
    if (content.type === 'secret') return content.bytes.slice().buffer;
    return rawOf(content);
  }
  if (content.type === 'secret' || (format === 'spki') !== (content.type === 'public') || (format !== 'spki' && format !== 'pkcs8')) {
    throw notSupported(`Unable to export ${key.algorithm.name} ${content.type} key using ${format} format`);
  }
  return keyOps().keyWrite(content.state, format);
}

function rawOf(content: Exclude<KeyContent, { type: 'secret' }>): ArrayBuffer {
  const info = keyOps().keyInfo(content.state);
  if (content.type === 'private' || info.kind === 'rsa') throw failure('InvalidAccessError', 'Unable to export a raw key');
  const parts = keyOps().keyParts(content.state);
  if (info.kind !== 'ec') return parts[0] as ArrayBuffer;
  return new Uint8Array([4, ...parts.flatMap((part) => [...new Uint8Array(part)])]).buffer;
}

function webKey(key: Slots, content: KeyContent): Record<string, unknown> {
  const name = jwkAlgorithm(key.algorithm);
  const known = { key_ops: [...key.usages], ext: key.extractable, ...(name === undefined ? {} : { alg: name }) };
  if (content.type === 'secret') return { ...known, kty: 'oct', k: Buffer.from(content.bytes).toString('base64url') };
  const { d, ...parts } = toJwk(content.state);
  // In Node's order, which applications show: of the keys of one number, not that of `KeyObject#export`.
  const { kty, crv, x } = parts;
  if (kty === 'OKP') return { ...known, kty, crv, x, ...(d === undefined ? {} : { d }) };
  return { ...known, ...toJwk(content.state) };
}
