/**
 * What `SubtleCrypto` does with keys: signs, encrypts, derives, wraps.
 */
import ops from 'fulmar:ops';
import { MEMORY } from '../crypto/encoding.ts';
import { type CipherState, type KeyState, MODES, type SignOptions } from '../crypto/more-ops.ts';
import { promised } from '../crypto/background.ts';
import { keyOps } from '../crypto/key-ops.ts';
import {
  AES_BITS,
  type Algorithm,
  argument,
  BLOCK_BITS,
  bytes,
  checkUse,
  type CryptoKey,
  DIGEST_BYTES,
  digestNumber,
  enforced,
  failure,
  hashName,
  member,
  normal,
  notSupported,
  numberIn,
  required,
  secretOf,
  SHORT_MAX,
  type Slots,
  slotsOf,
  type Usage,
} from './algorithm.ts';
import { exportKey, importKey } from './keys.ts';

const PKCS1 = 1;
const OAEP = 4;
const PSS = 6;
/** Bytes of the vectors that Node takes for AES-GCM here; shorter ones repeat too soon. */
const GCM_IV_MIN = 12;
const GCM_IV_MAX = 128;
const WRAP_BYTES = 8;
const TAG_BITS: ReadonlySet<number> = new Set([32, 64, 96, 104, 112, 120, 128]);

function operationFailed(): DOMException {
  return failure('OperationError', 'The operation failed for an operation-specific reason');
}

function stateOf({ content }: Slots): KeyState {
  if (content.type === 'secret') throw failure('InvalidAccessError', 'Unable to use this key with this algorithm');
  return content.state;
}

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch {
    throw operationFailed();
  }
}

function hashOf(key: Slots): unknown {
  return key.algorithm['hash'];
}

/** Salt that no signature has room for is refused by the host; what it takes no number for is, too. */
function saltOf(algorithm: Algorithm): number {
  return Math.min(numberIn(algorithm, 'saltLength', 'RsaPssParams'), 0x7fff_ffff);
}

/** The options of the host's `sign`. */
function signOptions(algorithm: Algorithm, key: Slots): SignOptions {
  switch (algorithm.name) {
    case 'RSASSA-PKCS1-v1_5':
      return [digestNumber(hashOf(key)), PKCS1, 0, 0];
    case 'RSA-PSS':
      return [digestNumber(hashOf(key)), PSS, saltOf(algorithm), 0];
    case 'ECDSA':
      return [digestNumber(required(algorithm, 'hash', 'EcdsaParams')), 0, 0, 1];
    case 'Ed25519':
      return [-1, 0, 0, 0];
    default:
      throw notSupported();
  }
}

function mac(key: Slots, data: Uint8Array): ArrayBuffer {
  return ops.hmacOnce(digestNumber(hashOf(key)), secretOf(key), data, 0) as ArrayBuffer;
}

export async function sign(given: unknown, cryptoKey: unknown, data: unknown): Promise<ArrayBuffer> {
  const key = slotsOf(cryptoKey, argument('sign', '2nd'));
  const algorithm = normal(given);
  const message = bytes(data, argument('sign', '3rd'), 'empty');
  checkUse(key, algorithm, 'sign');
  if (algorithm.name === 'HMAC') return mac(key, message);
  if (key.content.type !== 'private') throw failure('InvalidAccessError', 'Key must be a private key');
  return promised<ArrayBuffer>((done) => keyOps().sign(stateOf(key), message, signOptions(algorithm, key), done), operationFailed);
}

export async function verify(given: unknown, cryptoKey: unknown, signature: unknown, data: unknown): Promise<boolean> {
  const key = slotsOf(cryptoKey, argument('verify', '2nd'));
  const algorithm = normal(given);
  const [expected, message] = [bytes(signature, argument('verify', '3rd'), 'empty'), bytes(data, argument('verify', '4th'), 'empty')];
  checkUse(key, algorithm, 'verify');
  if (algorithm.name === 'HMAC') {
    const computed = mac(key, message);
    return ops.timingSafeEqual(computed, expected) === true;
  }
  if (key.content.type !== 'public') throw failure('InvalidAccessError', 'Key must be a public key');
  return promised<boolean>((done) => keyOps().verify(stateOf(key), message, expected, signOptions(algorithm, key), done), operationFailed);
}

export async function digest(given: unknown, data: unknown): Promise<ArrayBuffer> {
  return ops.hashOnce(digestNumber(given), bytes(data, argument('digest', '2nd')), 0) as ArrayBuffer;
}

function vector(algorithm: Algorithm, name: 'iv' | 'counter'): Uint8Array {
  const iv = bytes(algorithm[name], member(name));
  if (algorithm.name === 'AES-GCM') {
    if (iv.length < GCM_IV_MIN || iv.length > GCM_IV_MAX) throw operationFailed();
  } else if (iv.length !== 16) {
    throw failure('OperationError', `algorithm.${name} must contain exactly 16 bytes`);
  }
  return iv;
}

/** The largest of the standard's `octet`. */
const OCTET_MAX = 255;

/** AES in the given mode over everything. */
function aes(algorithm: Algorithm, key: Slots, data: Uint8Array, decrypts: boolean): ArrayBuffer {
  const mode = algorithm.name.slice('AES-'.length).toLowerCase();
  const iv = vector(algorithm, mode === 'ctr' ? 'counter' : 'iv');
  if (mode === 'ctr') {
    const bits = numberIn(algorithm, 'length', 'AesCtrParams', OCTET_MAX);
    if (bits < 1 || bits > 128) throw failure('OperationError', 'AES-CTR algorithm.length must be between 1 and 128');
    return guarded(() => keyOps().webCtr(secretOf(key), iv, bits, data));
  }
  const bits = mode === 'gcm' && algorithm['tagLength'] !== undefined ? numberIn(algorithm, 'tagLength', 'AesGcmParams', OCTET_MAX) : 128;
  if (!TAG_BITS.has(bits)) throw failure('OperationError', `${bits} is not a valid AES-GCM tag length`);
  const size = bits / 8;
  const state = keyOps().cipherStart(MODES[mode] as number, decrypts, secretOf(key), iv, mode === 'gcm' ? size : 0, undefined, PLAIN);
  if (state === null) throw operationFailed();
  if (mode !== 'gcm') return joined([updated(state, data), guarded(() => finished(state))]);
  if (algorithm['additionalData'] !== undefined)
    keyOps().cipherAdd(state, bytes(algorithm['additionalData'], member('additionalData'), 'an error'));
  if (!decrypts) {
    const text = updated(state, data);
    finished(state);
    return joined([text, (keyOps().cipherTag(state) as Buffer).buffer as ArrayBuffer]);
  }
  if (data.length < size) throw operationFailed();
  keyOps().cipherSetTag(state, data.subarray(data.length - size));
  const text = updated(state, data.subarray(0, data.length - size));
  guarded(() => finished(state));
  return text;
}

/** What the host's ciphers are made with, that nobody sees. */
const PLAIN = Object.create(null) as object;
const updated = (state: CipherState, data: Uint8Array): ArrayBuffer => keyOps().cipherUpdate(state, data, MEMORY) as ArrayBuffer;
const finished = (state: CipherState): ArrayBuffer => keyOps().cipherFinish(state, MEMORY) as ArrayBuffer;

function joined(parts: readonly (ArrayBuffer | undefined)[]): ArrayBuffer {
  const all = Buffer.concat(parts.map((part) => Buffer.from(part ?? new ArrayBuffer(0))));
  return all.buffer.slice(all.byteOffset, all.byteOffset + all.length) as ArrayBuffer;
}

async function crypt(algorithm: Algorithm, key: Slots, data: Uint8Array, decrypts: boolean): Promise<ArrayBuffer> {
  if (algorithm.name === 'RSA-OAEP') {
    if (key.content.type !== (decrypts ? 'private' : 'public')) {
      throw failure('InvalidAccessError', 'The requested operation is not valid for the provided key');
    }
    const label = algorithm['label'] === undefined ? new Uint8Array(0) : bytes(algorithm['label'], member('label'), 'an error');
    const what = decrypts ? 'privateDecrypt' : 'publicEncrypt';
    return promised<ArrayBuffer>(
      (done) => keyOps().rsaCrypt(what, stateOf(key), data, [OAEP, digestNumber(hashOf(key))], label, done),
      operationFailed,
    );
  }
  if (/^AES-(?:CBC|CTR|GCM)$/.test(algorithm.name)) return aes(algorithm, key, data, decrypts);
  throw notSupported();
}

export async function encrypt(given: unknown, cryptoKey: unknown, data: unknown): Promise<ArrayBuffer> {
  const key = slotsOf(cryptoKey, argument('encrypt', '2nd'));
  const algorithm = normal(given);
  const text = bytes(data, argument('encrypt', '3rd'));
  checkUse(key, algorithm, 'encrypt');
  return crypt(algorithm, key, text, false);
}

export async function decrypt(given: unknown, cryptoKey: unknown, data: unknown): Promise<ArrayBuffer> {
  const key = slotsOf(cryptoKey, argument('decrypt', '2nd'));
  const algorithm = normal(given);
  const text = bytes(data, argument('decrypt', '3rd'));
  checkUse(key, algorithm, 'decrypt');
  return crypt(algorithm, key, text, true);
}

export async function deriveBits(given: unknown, cryptoKey: unknown, length: unknown = null): Promise<ArrayBuffer> {
  const key = slotsOf(cryptoKey, argument('deriveBits', '2nd'));
  const bits = length === null ? null : enforced(length, argument('deriveBits', '3rd'));
  const algorithm = normal(given);
  checkUse(key, algorithm, 'deriveBits');
  return derived(algorithm, key, bits);
}

async function derived(algorithm: Algorithm, key: Slots, length: number | null): Promise<ArrayBuffer> {
  if (algorithm.name === 'ECDH' || algorithm.name === 'X25519') return agreed(algorithm, key, length);
  if (length === null) throw failure('OperationError', 'length cannot be null');
  if (length % 8 !== 0) throw failure('OperationError', 'length must be a multiple of 8');
  const salt = bytes(algorithm['salt'], member('salt'), 'an error');
  const hash = digestNumber(algorithm['hash']);
  if (algorithm.name === 'PBKDF2') {
    const rounds = numberIn(algorithm, 'iterations', 'Pbkdf2Params');
    if (rounds === 0) throw failure('OperationError', 'iterations cannot be zero');
    return promised<ArrayBuffer>((done) => keyOps().pbkdf2(hash, secretOf(key), salt, [rounds, length / 8], done), operationFailed);
  }
  if (algorithm.name !== 'HKDF') throw notSupported();
  const most = 255 * (DIGEST_BYTES[hashName(algorithm['hash'])] as number);
  if (length / 8 > most) throw failure('OperationError', 'length exceeds the maximum derived bit length');
  const info = bytes(algorithm['info'], member('info'), 'an error');
  return promised<ArrayBuffer>((done) => keyOps().hkdf(hash, secretOf(key), salt, info, length / 8, done), operationFailed);
}

async function agreed(algorithm: Algorithm, key: Slots, length: number | null): Promise<ArrayBuffer> {
  const other = slotsOf(algorithm['public'], member('public'));
  const isPair = key.content.type === 'private' && other.content.type === 'public';
  if (!isPair) throw failure('InvalidAccessError', 'algorithm.public must be a public key');
  if (other.algorithm.name !== algorithm.name) throw failure('InvalidAccessError', `algorithm.public must be an ${algorithm.name} key`);
  if (other.algorithm['namedCurve'] !== key.algorithm['namedCurve']) throw failure('InvalidAccessError', 'Named curve mismatch');
  const [own, theirs] = [stateOf(key), stateOf(other)];
  const secret = await promised<ArrayBuffer>((done) => keyOps().agree(own, theirs, done), operationFailed);
  if (length === null) return secret;
  const size = Math.ceil(length / 8);
  if (secret.byteLength < size) throw failure('OperationError', 'derived bit length is too small');
  const part = new Uint8Array(secret.slice(0, size));
  if (length % 8 !== 0) part[size - 1] = (part[size - 1] as number) & (0xff << (8 - (length % 8)));
  return part.buffer;
}

/** How many bits a derived key needs; null: all there are. */
function keyLength(algorithm: Algorithm): number | null {
  if (algorithm.name.startsWith('AES-')) {
    const length = numberIn(algorithm, 'length', 'AesDerivedKeyParams', SHORT_MAX);
    if (!AES_BITS.has(length)) throw failure('OperationError', 'AES key length must be 128, 192, or 256 bits');
    return length;
  }
  if (algorithm.name === 'HMAC') {
    if (algorithm['length'] !== undefined) {
      const length = numberIn(algorithm, 'length', 'HmacImportParams');
      if (length === 0) throw failure('DataError', 'HmacImportParams.length cannot be 0');
      return length;
    }
    return BLOCK_BITS[hashName(algorithm['hash'])] as number;
  }
  if (algorithm.name === 'HKDF' || algorithm.name === 'PBKDF2') return null;
  throw notSupported();
}

export async function deriveKey(
  given: unknown,
  cryptoKey: unknown,
  type: unknown,
  extractable: boolean,
  usages: Iterable<Usage>,
): Promise<CryptoKey> {
  const key = slotsOf(cryptoKey, argument('deriveKey', '2nd'));
  const algorithm = normal(given);
  const wanted = normal(type);
  checkUse(key, algorithm, 'deriveKey');
  const bits = await derived(algorithm, key, keyLength(wanted));
  return importKey('raw', bits, wanted, extractable, usages);
}

/** AES-KW takes whole blocks only, and spaces mean nothing to JSON. */
function textOf(jwk: unknown, { name }: Algorithm): string {
  const text = JSON.stringify(jwk);
  return name === 'AES-KW' ? text.padEnd(Math.ceil(text.length / WRAP_BYTES) * WRAP_BYTES) : text;
}

export async function wrapKey(format: string, key: unknown, wrappingKey: unknown, given: unknown): Promise<ArrayBuffer> {
  const wrapping = slotsOf(wrappingKey, argument('wrapKey', '3rd'));
  const algorithm = normal(given);
  checkUse(wrapping, algorithm, 'wrapKey');
  const exported = await exportKey(format, key);
  const data = format === 'jwk' ? new TextEncoder().encode(textOf(exported, algorithm)) : new Uint8Array(exported as ArrayBuffer);
  if (algorithm.name !== 'AES-KW') return crypt(algorithm, wrapping, data, false);
  const wrapped = keyOps().keyWrap(false, secretOf(wrapping), data);
  if (wrapped === null) throw operationFailed();
  return wrapped;
}

/** As OpenSSL: nothing is nothing wrapped, which no key is. */
function unwrapped(key: Uint8Array, data: Uint8Array): ArrayBuffer | null {
  return data.length === 0 ? new ArrayBuffer(0) : keyOps().keyWrap(true, key, data);
}

// oxlint-disable-next-line max-params -- the standard's own
export async function unwrapKey(
  format: string,
  wrapped: unknown,
  unwrappingKey: unknown,
  given: unknown,
  keyAlgorithm: unknown,
  extractable: boolean,
  usages: Iterable<Usage>,
): Promise<CryptoKey> {
  const unwrapping = slotsOf(unwrappingKey, argument('unwrapKey', '3rd'));
  const algorithm = normal(given);
  checkUse(unwrapping, algorithm, 'unwrapKey');
  const data = bytes(wrapped, argument('unwrapKey', '2nd'));
  const clear = algorithm.name === 'AES-KW' ? unwrapped(secretOf(unwrapping), data) : await crypt(algorithm, unwrapping, data, true);
  if (clear === null) throw operationFailed();
  const material: unknown = format === 'jwk' ? JSON.parse(new TextDecoder().decode(clear)) : clear;
  return importKey(format, material, keyAlgorithm, extractable, usages);
}
