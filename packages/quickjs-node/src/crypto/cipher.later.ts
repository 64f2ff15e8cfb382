/**
 * `Cipheriv` and `Decipheriv`: AES in ECB, CBC, CTR and GCM, ChaCha20-Poly1305, key wrap.
 */
import type { TransformCallback, TransformOptions } from 'node:stream';
import type { StringDecoder } from 'node:string_decoder';
import { prototypeFor } from './callable.ts';
import { BUFFER } from './encoding.ts';
import { type CipherState, MODES } from './more-ops.ts';
import { define } from '../shared/define.ts';
import { normalizeEncoding } from '../buffer/encodings.ts';
import { StringDecoder as Decoder } from '../string_decoder/decoder.ts';
import { coded, invalidArgType, invalidArgValue } from '../shared/errors.ts';
import { checkBytes, isAnyBuffer, type KeyInput, readyBytes, secretBytes, viewOf } from './key-bytes.ts';
import { LazyTransform } from './lazy-transform.ts';
import { keyOps, toBytes } from './key-ops.ts';
import { validateObject, validateString } from '../shared/validators.ts';

interface CipherInfo {
  /** The host's number of the mode. */
  readonly number: number;
  readonly name: string;
  readonly nid: number;
  readonly mode: string;
  readonly keyLength: number;
  readonly ivLength?: number;
  readonly blockSize?: number;
}

type Options = TransformOptions & { readonly authTagLength?: number };

/** OpenSSL's numbers of AES's modes, for 128, 192 and 256 bits. */
const NIDS: Readonly<Record<string, readonly number[]>> = {
  cbc: [419, 423, 427],
  ctr: [904, 905, 906],
  ecb: [418, 422, 426],
  gcm: [895, 898, 901],
  wrap: [788, 789, 790],
};

const CIPHERS = new Map<string, CipherInfo>();
for (const [place, bits] of [128, 192, 256].entries()) {
  const keyLength = bits / 8;
  const nid = (mode: string): number => NIDS[mode]?.[place] ?? 0;
  const add = (info: Omit<CipherInfo, 'number'>, ...names: string[]): void =>
    names.forEach((name) => CIPHERS.set(name, { ...info, number: MODES[info.mode] as number }));
  add({ mode: 'cbc', name: `aes-${bits}-cbc`, nid: nid('cbc'), blockSize: 16, ivLength: 16, keyLength }, `aes-${bits}-cbc`, `aes${bits}`);
  add({ mode: 'ctr', name: `aes-${bits}-ctr`, nid: nid('ctr'), ivLength: 16, keyLength }, `aes-${bits}-ctr`);
  add({ mode: 'ecb', name: `aes-${bits}-ecb`, nid: nid('ecb'), blockSize: 16, keyLength }, `aes-${bits}-ecb`);
  const gcm = { mode: 'gcm', name: `id-aes${bits}-GCM`, nid: nid('gcm'), ivLength: 12, keyLength };
  add(gcm, `aes-${bits}-gcm`, `id-aes${bits}-gcm`);
  const wrap = { mode: 'wrap', name: `id-aes${bits}-wrap`, nid: nid('wrap'), blockSize: 8, ivLength: 8, keyLength };
  add(wrap, `aes${bits}-wrap`, `id-aes${bits}-wrap`);
}
CIPHERS.set('chacha20-poly1305', {
  mode: 'stream',
  name: 'chacha20-poly1305',
  number: MODES['chacha20-poly1305'] as number,
  nid: 1018,
  ivLength: 12,
  keyLength: 32,
});

const GCM_TAGS: ReadonlySet<number> = new Set([4, 8, 12, 13, 14, 15, 16]);
const TAG_BYTES = 16;
const WRAP_IV = 'a6a6a6a6a6a6a6a6';

export function getCiphers(): string[] {
  return [...CIPHERS].map(([name, info]) => (name.startsWith('id-') ? info.name : name)).toSorted();
}

export function getCipherInfo(nameOrNid: unknown, options?: { keyLength?: number; ivLength?: number }): CipherInfo | undefined {
  if (typeof nameOrNid !== 'string' && typeof nameOrNid !== 'number') {
    throw invalidArgType('nameOrNid', ['string', 'number'], nameOrNid);
  }
  if (options !== undefined) validateObject(options, 'options');
  const found =
    typeof nameOrNid === 'string' ? CIPHERS.get(nameOrNid.toLowerCase()) : [...CIPHERS.values()].find((one) => one.nid === nameOrNid);
  if (found === undefined || (options?.keyLength ?? found.keyLength) !== found.keyLength) return undefined;
  const iv = options?.ivLength;
  if (iv === undefined) return described(found);
  const fits = found.mode === 'gcm' ? iv > 0 : iv === found.ivLength;
  return fits ? described({ ...found, ivLength: iv }) : undefined;
}

/** Bytes of the longest initialisation vector that OpenSSL takes for GCM. */
const GCM_IV_MAX = 128;

function ivFits(info: CipherInfo, bytes: number): boolean {
  return info.mode === 'gcm' ? bytes > 0 && bytes <= GCM_IV_MAX : bytes === (info.ivLength ?? 0);
}

/** As Node gives it: without a prototype, in this order. */
function described({ mode, name, nid, keyLength, blockSize, ivLength }: CipherInfo): CipherInfo {
  const size = mode === 'gcm' || mode === 'ctr' ? 1 : blockSize;
  const members = {
    mode,
    name: name.toLowerCase(),
    nid,
    keyLength,
    ...(size === undefined ? {} : { blockSize: size }),
    ...(ivLength === undefined ? {} : { ivLength }),
  };
  return Object.assign(Object.create(null) as object, members) as CipherInfo;
}

function invalidIv(): Error {
  return coded(TypeError, 'ERR_CRYPTO_INVALID_IV', 'Invalid initialization vector');
}

function invalidTag(length: number): Error {
  return coded(TypeError, 'ERR_CRYPTO_INVALID_AUTH_TAG', `Invalid authentication tag length: ${length}`);
}

function invalidState(method: string): Error {
  return coded(Error, 'ERR_CRYPTO_INVALID_STATE', `Invalid state for operation ${method}`);
}

function initialVector(iv: unknown): Buffer {
  if (iv === null) return Buffer.alloc(0);
  if (typeof iv === 'string') return Buffer.from(iv);
  if (isAnyBuffer(iv) || ArrayBuffer.isView(iv)) return Buffer.from(viewOf(iv));
  throw invalidArgType('iv', ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], iv);
}

/** Bytes of the tag that are asked for. */
function askedTagBytes(options: Options | undefined): number | undefined {
  const length: unknown = options?.authTagLength ?? undefined;
  if (length !== undefined && (typeof length !== 'number' || length >>> 0 !== length)) {
    throw invalidArgValue('options.authTagLength', length);
  }
  return length;
}

/**
 * Bytes of the tag, 0 for ciphers without one. Sixteen where nothing else is asked for: a shorter tag that
 * anybody may choose is one that anybody can guess.
 */
function tagBytesOf(info: CipherInfo, asked: number = TAG_BYTES): number {
  return info.mode === 'gcm' || info.mode === 'stream' ? asked : 0;
}

function tagFits(info: CipherInfo, length: number): boolean {
  if (info.mode === 'gcm') return GCM_TAGS.has(length);
  return info.mode !== 'stream' || (length >= 1 && length <= TAG_BYTES);
}

interface Checked {
  readonly info: CipherInfo;
  readonly key: Buffer;
  readonly vector: Buffer;
  readonly tagBytes: number;
}

/** Throws what is wrong with the arguments of a cipher. */
function check(info: CipherInfo | undefined, given: unknown, iv: unknown, options: Options | undefined): Checked {
  const bytes = secretBytes(given, options?.encoding ?? undefined);
  const vector = initialVector(iv);
  const asked = askedTagBytes(options);
  if (info === undefined) throw coded(Error, 'ERR_CRYPTO_UNKNOWN_CIPHER', 'Unknown cipher');
  if (iv === null && info.ivLength !== undefined) throw invalidIv();
  const key = Buffer.from(bytes as Uint8Array);
  if (!ivFits(info, vector.length)) throw invalidIv();
  if (info.mode === 'wrap' && vector.toString('hex') !== WRAP_IV) {
    throw coded(Error, 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM', 'Only the default vector of RFC 3394 is available in the native runtime');
  }
  const tagBytes = tagBytesOf(info, asked);
  if (!tagFits(info, tagBytes)) throw invalidTag(tagBytes);
  if (key.length !== info.keyLength) throw coded(RangeError, 'ERR_CRYPTO_INVALID_KEYLEN', 'Invalid key length');
  return { info, key, vector, tagBytes };
}

/**
 * The usual case without copies: views that the host itself measures. Null where that does not do, or
 * something is wrong.
 */
// oxlint-disable-next-line max-params -- a record of them would cost a cipher more than its start
function begin(
  info: CipherInfo,
  decrypts: boolean,
  key: unknown,
  iv: unknown,
  options: Options | undefined,
  prototype: object,
): CipherState | null {
  const bytes = readyBytes(key);
  if (bytes === undefined || !ArrayBuffer.isView(iv) || info.mode === 'wrap' || info.ivLength === undefined) return null;
  const tagBytes = tagBytesOf(info, options === undefined ? undefined : askedTagBytes(options));
  return tagFits(info, tagBytes) ? keyOps().cipherStart(info.number, decrypts, bytes, iv, tagBytes, info.keyLength, prototype) : null;
}

/** The host's object: it is a cipher's all, with a prototype from here. */
// oxlint-disable-next-line max-params -- as above
function start(decrypts: boolean, name: unknown, key: KeyInput, iv: unknown, options: Options | undefined, prototype: object): CipherState {
  validateString(name, 'cipher');
  const info = CIPHERS.get(name) ?? CIPHERS.get(name.toLowerCase());
  const begun = info === undefined ? null : begin(info, decrypts, key, iv, options, prototype);
  // Whatever is wrong is found below, in Node's order.
  const state = begun ?? startSlowly(check(info, key, iv, options), decrypts, prototype);
  if (options !== undefined) (state as Running)._options = options;
  return state;
}

function startSlowly({ info, key, vector, tagBytes }: Checked, decrypts: boolean, prototype: object): CipherState {
  const state = keyOps().cipherStart(info.number, decrypts, key, vector, tagBytes, info.keyLength, prototype);
  if (state === null) throw invalidIv();
  return state;
}

/** The host's object that `this` is. */
type Running = CipherState & LazyTransform & { _decoder?: StringDecoder & { readonly encoding: string } };

const TAKEN = 0;
const WRONG_STATE = 1;

/**
 * As Node: one decoder for all text that a cipher gives, so that characters and groups may lie across its
 * pieces.
 */
function decoderOf(state: Running, encoding: string): StringDecoder {
  const name = typeof encoding === 'string' ? normalizeEncoding(encoding) : undefined;
  if (name === undefined) throw coded(TypeError, 'ERR_UNKNOWN_ENCODING', `Unknown encoding: ${encoding}`);
  const decoder = (state._decoder ??= new Decoder(name as BufferEncoding));
  if (decoder.encoding === name) return decoder;
  throw invalidArgValue('outputEncoding', encoding, `cannot be changed from '${decoder.encoding}'`);
}

const isText = (encoding: unknown): encoding is string => Boolean(encoding) && encoding !== 'buffer';

const shared = {
  _transform(this: Running, chunk: Buffer, encoding: BufferEncoding, callback: TransformCallback): void {
    this.push(update.call(this, chunk, encoding));
    callback();
  },

  _flush(this: Running, callback: TransformCallback): void {
    try {
      this.push(final.call(this));
    } catch (error) {
      callback(error as Error);
      return;
    }
    callback();
  },

  update,
  final,

  /** As Node, for which no argument at all is none that says so. */
  setAutoPadding(this: Running, on?: boolean): unknown {
    if (keyOps().cipherPadding(this, Boolean(on)) !== TAKEN) throw invalidState('setAutoPadding');
    return this;
  },

  setAAD(this: Running, data: string | ArrayBuffer | ArrayBufferView, options?: { readonly encoding?: string }): unknown {
    checkBytes(data, 'aadbuf');
    if (keyOps().cipherAdd(this, toBytes(data, options?.encoding)) !== TAKEN) throw invalidState('setAAD');
    return this;
  },
};

function update(this: Running, data: string | ArrayBufferView, inputEncoding?: string, outputEncoding?: string): string | Buffer {
  const out = keyOps().cipherUpdate(this, typeof data === 'string' ? (toBytes(data, inputEncoding) as Buffer) : data, BUFFER);
  if (typeof out === 'number') throw refused(data);
  return isText(outputEncoding) ? decoderOf(this, outputEncoding).write(out as Buffer) : (out as Buffer);
}

/** Why `update` took nothing. */
function refused(data: unknown): Error {
  return typeof data === 'string' || ArrayBuffer.isView(data)
    ? new Error('Trying to add data in unsupported state')
    : invalidArgType('data', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
}

function final(this: Running, outputEncoding?: string): string | Buffer {
  const out = keyOps().cipherFinish(this, BUFFER);
  if (out === WRONG_STATE) throw coded(Error, 'ERR_CRYPTO_INVALID_STATE', 'Invalid state');
  return isText(outputEncoding) ? decoderOf(this, outputEncoding).end(out as Buffer) : (out as Buffer);
}

const ofCipher = {
  ...shared,
  getAuthTag(this: Running): Buffer {
    const tag = keyOps().cipherTag(this);
    if (tag === null) throw invalidState('getAuthTag');
    return tag;
  },
};

const ofDecipher = {
  ...shared,
  setAuthTag(this: Running, tag: unknown, encoding?: string): unknown {
    const bytes = typeof tag === 'string' ? Buffer.from(tag, (encoding ?? 'utf8') as BufferEncoding) : tag;
    if (!ArrayBuffer.isView(bytes) && !isAnyBuffer(bytes)) {
      throw invalidArgType('buffer', ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], tag);
    }
    const taken = keyOps().cipherSetTag(this, bytes);
    if (taken === WRONG_STATE) throw invalidState('setAuthTag');
    if (taken !== TAKEN) throw invalidTag(-1 - taken);
    return this;
  },
};

interface Cipher extends LazyTransform {
  update(data: string | ArrayBufferView, inputEncoding?: string, outputEncoding?: string): string | Buffer;
  final(outputEncoding?: string): string | Buffer;
}

type Constructor = { new (cipher: string, key: KeyInput, iv: unknown, options?: Options): Cipher; readonly prototype: object };

export const Cipheriv = function Cipheriv(cipher: unknown, key: KeyInput, iv: unknown, options?: Options): CipherState {
  return start(false, cipher, key, iv, options, prototypeFor(Cipheriv, new.target));
} as unknown as Constructor;

export const Decipheriv = function Decipheriv(cipher: unknown, key: KeyInput, iv: unknown, options?: Options): CipherState {
  return start(true, cipher, key, iv, options, prototypeFor(Decipheriv, new.target));
} as unknown as Constructor;

define(Cipheriv, LazyTransform, [ofCipher]);
define(Decipheriv, LazyTransform, [ofDecipher]);

export function createCipheriv(cipher: string, key: KeyInput, iv: unknown, options?: Options): Cipher {
  return start(false, cipher, key, iv, options, Cipheriv.prototype) as unknown as Cipher;
}

export function createDecipheriv(cipher: string, key: KeyInput, iv: unknown, options?: Options): Cipher {
  return start(true, cipher, key, iv, options, Decipheriv.prototype) as unknown as Cipher;
}
