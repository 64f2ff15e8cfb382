/**
 * `Cipheriv` and `Decipheriv`: AES in ECB, CBC, CTR and GCM, ChaCha20-Poly1305, key wrap.
 */
import type { TransformCallback, TransformOptions } from 'node:stream';
import type { CipherState } from '../../crypto/more-ops.ts';
import { coded, invalidArgType, invalidArgValue } from '../../errors.ts';
import { given } from '../../crypto/encoding.ts';
import { callable } from '../../crypto/hash.ts';
import { checkBytes, isAnyBuffer, type KeyInput, readyBytes, secretBytes, viewOf } from '../../crypto/key-bytes.ts';
import { LazyTransform } from '../../crypto/lazy-transform.ts';
import { more, toBytes } from '../../crypto/more.ts';
import { validateObject, validateString } from '../../validators.ts';

interface CipherInfo {
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
  const add = (info: CipherInfo, ...names: string[]): void => names.forEach((name) => CIPHERS.set(name, info));
  add({ mode: 'cbc', name: `aes-${bits}-cbc`, nid: nid('cbc'), blockSize: 16, ivLength: 16, keyLength }, `aes-${bits}-cbc`, `aes${bits}`);
  add({ mode: 'ctr', name: `aes-${bits}-ctr`, nid: nid('ctr'), ivLength: 16, keyLength }, `aes-${bits}-ctr`);
  add({ mode: 'ecb', name: `aes-${bits}-ecb`, nid: nid('ecb'), blockSize: 16, keyLength }, `aes-${bits}-ecb`);
  const gcm = { mode: 'gcm', name: `id-aes${bits}-GCM`, nid: nid('gcm'), ivLength: 12, keyLength };
  add(gcm, `aes-${bits}-gcm`, `id-aes${bits}-gcm`);
  const wrap = { mode: 'wrap', name: `id-aes${bits}-wrap`, nid: nid('wrap'), blockSize: 8, ivLength: 8, keyLength };
  add(wrap, `aes${bits}-wrap`, `id-aes${bits}-wrap`);
}
CIPHERS.set('chacha20-poly1305', { mode: 'stream', name: 'chacha20-poly1305', nid: 1018, ivLength: 12, keyLength: 32 });

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

function checkData(data: unknown, name: string): asserts data is string | ArrayBufferView {
  if (typeof data !== 'string' && !ArrayBuffer.isView(data))
    throw invalidArgType(name, ['string', 'Buffer', 'TypedArray', 'DataView'], data);
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
 * Bytes of the tag, 0 for ciphers without one. Sixteen where nothing else is asked for: a shorter tag that anybody may choose is one that
 * anybody can guess.
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
  const key = Buffer.from(bytes as Uint8Array);
  if (key.length !== info.keyLength) throw coded(RangeError, 'ERR_CRYPTO_INVALID_KEYLEN', 'Invalid key length');
  if (!ivFits(info, vector.length)) throw invalidIv();
  if (info.mode === 'wrap' && vector.toString('hex') !== WRAP_IV) {
    throw coded(Error, 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM', 'Only the default vector of RFC 3394 is available in the native runtime');
  }
  const tagBytes = tagBytesOf(info, asked);
  if (!tagFits(info, tagBytes)) throw invalidTag(tagBytes);
  return { info, key, vector, tagBytes };
}

const modeOf = (info: CipherInfo): string => (info.mode === 'stream' ? 'chacha20-poly1305' : info.mode);

function started({ info, key, vector, tagBytes }: Checked, decrypts: boolean): CipherState {
  const state = more().cipherStart(modeOf(info), decrypts, key, vector, tagBytes, info.keyLength);
  if (state === null) throw invalidIv();
  return state;
}

interface Begun {
  readonly state: CipherState;
  readonly tagBytes: number;
}

/** The usual case without copies: views that the runtime itself measures. Undefined where that does not do, or something is wrong. */
function begin(
  info: CipherInfo | undefined,
  decrypts: boolean,
  key: unknown,
  iv: unknown,
  options: Options | undefined,
): Begun | undefined {
  const bytes = readyBytes(key);
  if (bytes === undefined || !ArrayBuffer.isView(iv) || info === undefined || info.mode === 'wrap' || info.ivLength === undefined)
    return undefined;
  const tagBytes = tagBytesOf(info, askedTagBytes(options));
  if (!tagFits(info, tagBytes)) return undefined;
  const state = more().cipherStart(modeOf(info), decrypts, bytes, iv, tagBytes, info.keyLength);
  return state === null ? undefined : { state, tagBytes };
}

abstract class Cipher extends LazyTransform {
  readonly #info: CipherInfo;
  readonly #decrypts: boolean;
  /** For key wrap only, which takes everything at once. */
  readonly #key: Buffer | undefined;
  readonly #tagBytes: number;
  #state: CipherState | undefined;
  #wrapping: Buffer[] = [];
  #updated = false;
  #done = false;
  #tag: Buffer | undefined;

  constructor(decrypts: boolean, name: string, key: KeyInput, iv: unknown, options: Options | undefined) {
    super(options);
    validateString(name, 'cipher');
    const info = CIPHERS.get(name.toLowerCase());
    this.#decrypts = decrypts;
    const begun = begin(info, decrypts, key, iv, options);
    // Whatever is wrong is found below, in Node's order.
    if (info === undefined || begun === undefined) {
      const checked = check(info, key, iv, options);
      this.#info = checked.info;
      this.#tagBytes = checked.tagBytes;
      if (checked.info.mode === 'wrap') this.#key = checked.key;
      else this.#state = started(checked, decrypts);
      return;
    }
    this.#info = info;
    this.#tagBytes = begun.tagBytes;
    this.#state = begun.state;
  }

  get #authenticated(): boolean {
    return this.#info.mode === 'gcm' || this.#info.mode === 'stream';
  }

  override _transform(chunk: Buffer, encoding: BufferEncoding, callback: TransformCallback): void {
    this.push(this.update(chunk, encoding));
    callback();
  }

  override _flush(callback: TransformCallback): void {
    try {
      this.push(this.final());
    } catch (error) {
      callback(error as Error);
      return;
    }
    callback();
  }

  update(data: string | ArrayBufferView, inputEncoding?: string, outputEncoding?: string): string | Buffer {
    checkData(data, 'data');
    if (this.#done) throw new Error('Trying to add data in unsupported state');
    const bytes = toBytes(data, inputEncoding);
    // As OpenSSL, for which data begins with its first byte: until then, more may be authenticated.
    if (!this.#updated && this.#authenticated && isNothing(bytes)) return given(new ArrayBuffer(0), named(outputEncoding));
    this.#updated = true;
    if (this.#info.mode === 'wrap') {
      this.#wrapping.push(Buffer.from(bytes as Uint8Array));
      return this.#wrapped(outputEncoding);
    }
    return given(more().cipherUpdate(this.#state as CipherState, bytes), named(outputEncoding));
  }

  /** Key wrap takes everything in one `update`. */
  #wrapped(encoding: string | undefined): string | Buffer {
    const out = more().keyWrap(this.#decrypts, this.#key as Buffer, Buffer.concat(this.#wrapping));
    if (out === null) throw new Error('Trying to add data in unsupported state');
    this.#wrapping = [];
    return given(out, named(encoding));
  }

  final(outputEncoding?: string): string | Buffer {
    if (this.#done) throw coded(Error, 'ERR_CRYPTO_INVALID_STATE', 'Invalid state');
    this.#done = true;
    if (this.#info.mode === 'wrap') return given(new ArrayBuffer(0), named(outputEncoding));
    const [last, tag] = more().cipherFinish(this.#state as CipherState, this.#tag);
    this.#state = undefined;
    if (tag !== undefined) this.#tag = Buffer.from(tag);
    return given(last, named(outputEncoding));
  }

  setAutoPadding(on: boolean = true): this {
    if (this.#done) throw invalidState('setAutoPadding');
    if (this.#state !== undefined) more().cipherPadding(this.#state, Boolean(on));
    return this;
  }

  setAAD(data: string | ArrayBuffer | ArrayBufferView, options?: { readonly encoding?: string }): this {
    checkBytes(data, 'aadbuf');
    if (this.#done || this.#updated || !this.#authenticated) throw invalidState('setAAD');
    more().cipherAdd(this.#state as CipherState, toBytes(data, options?.encoding));
    return this;
  }

  protected takeTag(tag: unknown, encoding: string | undefined): void {
    const bytes = typeof tag === 'string' ? Buffer.from(tag, (encoding ?? 'utf8') as BufferEncoding) : tag;
    if (!ArrayBuffer.isView(bytes) && !isAnyBuffer(bytes)) {
      throw invalidArgType('buffer', ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], tag);
    }
    if (this.#done || !this.#authenticated || this.#tag !== undefined) throw invalidState('setAuthTag');
    // A copy first: its length is true, that of the view may be what an application says.
    const copy = Buffer.from(viewOf(bytes));
    if (copy.length !== this.#tagBytes) throw invalidTag(copy.length);
    this.#tag = copy;
  }

  protected giveTag(): Buffer {
    if (!this.#done || this.#tag === undefined || this.#decrypts) throw invalidState('getAuthTag');
    return Buffer.from(this.#tag);
  }
}

function isNothing(bytes: string | ArrayBuffer | ArrayBufferView): boolean {
  return (typeof bytes === 'string' ? bytes : viewOf(bytes)).length === 0;
}

function named(encoding: string | undefined): string | undefined {
  return encoding ? `${encoding}` : undefined;
}

class Cipheriv extends Cipher {
  constructor(cipher: string, key: KeyInput, iv: unknown, options?: Options) {
    super(false, cipher, key, iv, options);
  }
  getAuthTag(): Buffer {
    return this.giveTag();
  }
}

class Decipheriv extends Cipher {
  constructor(cipher: string, key: KeyInput, iv: unknown, options?: Options) {
    super(true, cipher, key, iv, options);
  }
  setAuthTag(tag: unknown, encoding?: string): this {
    this.takeTag(tag, encoding);
    return this;
  }
}

const CallableCipheriv = callable(Cipheriv);
const CallableDecipheriv = callable(Decipheriv);
export { CallableCipheriv as Cipheriv, CallableDecipheriv as Decipheriv };

// Without the function that may be called without `new`, which costs more than a short message.
export function createCipheriv(cipher: string, key: KeyInput, iv: unknown, options?: Options): Cipheriv {
  return new Cipheriv(cipher, key, iv, options);
}

export function createDecipheriv(cipher: string, key: KeyInput, iv: unknown, options?: Options): Decipheriv {
  return new Decipheriv(cipher, key, iv, options);
}
