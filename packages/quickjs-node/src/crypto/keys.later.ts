/**
 * `KeyObject` and the functions that make keys of text, bytes and JWK.
 */
import ops from 'fulmar:ops';
import type { KeyInfo, KeyState } from './more-ops.ts';
import { coded, invalidArgType, invalidArgValue } from '../shared/errors.ts';
import { contentOf, isAnyBuffer, type KeyContent, secretBytes, setContent, viewOf, wrongKeyType } from './key-bytes.ts';
import { keyOps } from './key-ops.ts';
import { validateObject, validateOneOf } from '../shared/validators.ts';
import { exportKey, type ExportOptions } from './key-export.later.ts';
import { fromJwk } from './jwk.later.ts';
import { lazyWebCrypto } from './lazy-webcrypto.later.ts';

type Format = 'pem' | 'pkcs1' | 'pkcs8' | 'sec1' | 'spki';

export class KeyObject {
  constructor(type: string, content: KeyContent) {
    if (type !== 'secret' && type !== 'public' && type !== 'private') throw invalidArgValue('type', type);
    if (typeof content !== 'object' || content === null || !('type' in content)) throw invalidArgType('handle', 'object', content);
    setContent(this, content, () => keyObject(content));
  }

  static from(key: unknown): KeyObject {
    const content = key instanceof KeyObject ? undefined : contentOf(key);
    if (content === undefined) throw invalidArgType('key', 'CryptoKey', key);
    return keyObject(content);
  }

  get type(): 'secret' | 'public' | 'private' {
    return (contentOf(this) as KeyContent).type;
  }

  equals(other: unknown): boolean {
    if (!(other instanceof KeyObject)) throw invalidArgType('otherKeyObject', 'KeyObject', other);
    if (other.type !== this.type) return false;
    // In constant time: of a secret key, who compares may not know it.
    return ops.timingSafeEqual(identity(contentOf(this) as KeyContent), identity(contentOf(other) as KeyContent)) === true;
  }

  toCryptoKey(algorithm: unknown, extractable: boolean, usages: readonly string[]): unknown {
    return lazyWebCrypto().toCryptoKey(contentOf(this) as KeyContent, algorithm, extractable, usages);
  }

  get [Symbol.toStringTag](): string {
    return 'KeyObject';
  }
}

function identity(content: KeyContent): Uint8Array {
  if (content.type === 'secret') return content.bytes;
  return new Uint8Array(keyOps().keyWrite(content.state, content.type === 'public' ? 'spki' : 'pkcs8') ?? new ArrayBuffer(0));
}

class SecretKeyObject extends KeyObject {
  get symmetricKeySize(): number {
    return bytesOf(this).length;
  }

  export(options?: { readonly format?: string }): unknown {
    if (options !== undefined) {
      validateObject(options, 'options');
      validateOneOf(options.format, 'options.format', [undefined, 'buffer', 'jwk']);
      if (options.format === 'jwk') return { kty: 'oct', k: Buffer.from(bytesOf(this)).toString('base64url') };
    }
    return Buffer.from(bytesOf(this));
  }
}

function bytesOf(key: KeyObject): Uint8Array {
  const content = contentOf(key);
  return content?.type === 'secret' ? content.bytes : new Uint8Array(0);
}

export function stateOf(key: object): KeyState {
  const content = contentOf(key) as KeyContent;
  if (content.type === 'secret') throw wrongKeyType('secret', 'private or public');
  return content.state;
}

class AsymmetricKeyObject extends KeyObject {
  #info: KeyInfo | undefined;

  get #known(): KeyInfo {
    return (this.#info ??= keyOps().keyInfo(stateOf(this)));
  }

  get asymmetricKeyType(): string {
    return this.#known.kind;
  }

  get asymmetricKeyDetails(): Record<string, unknown> {
    const info = this.#known;
    if (info.kind === 'ec') return { namedCurve: info.curve };
    if (info.kind !== 'rsa' && info.kind !== 'rsa-pss') return {};
    const publicExponent = BigInt(`0x0${Buffer.from(info.exponent).toString('hex')}`);
    const details = { modulusLength: info.bits, publicExponent };
    if (info.hash === undefined) return details;
    return { ...details, hashAlgorithm: info.hash, mgf1HashAlgorithm: info.mgf, saltLength: info.salt };
  }

  export(options: ExportOptions): unknown {
    return exportKey(this.type as 'public' | 'private', stateOf(this), options);
  }
}

class PublicKeyObject extends AsymmetricKeyObject {}
class PrivateKeyObject extends AsymmetricKeyObject {}

export function keyObject(content: KeyContent): KeyObject {
  switch (content.type) {
    case 'secret':
      return new SecretKeyObject('secret', content);
    case 'public':
      return new PublicKeyObject('public', content);
    default:
      return new PrivateKeyObject('private', content);
  }
}

export function createSecretKey(key: unknown, encoding?: BufferEncoding): KeyObject {
  const bytes = secretBytes(key, encoding, 'key', true);
  return keyObject({ type: 'secret', bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes });
}

export function createPrivateKey(key: unknown): KeyObject {
  return keyObject({ type: 'private', state: read(key, 'private', false) });
}

export function createPublicKey(key: unknown): KeyObject {
  return keyObject({ type: 'public', state: read(key, 'create', true) });
}

/** The key that signs or decrypts. */
export function privateKeyOf(key: unknown): KeyState {
  return read(key, 'private', true);
}

/** The key that verifies or encrypts; a private one will do. */
export function publicKeyOf(key: unknown): KeyState {
  return read(key, 'public', true);
}

/** `create`: a private key gives its public one. */
type Want = 'private' | 'public' | 'create';

interface KeyOptions {
  readonly key?: unknown;
  readonly format?: string;
  readonly type?: string;
  readonly passphrase?: unknown;
  readonly encoding?: string;
}

const INPUTS = ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];

function read(key: unknown, want: Want, objects: boolean): KeyState {
  const content = contentOf(key);
  if (content !== undefined) return fromContent(content, want, key, objects);
  if (typeof key === 'string' || ArrayBuffer.isView(key) || isAnyBuffer(key)) return parse(key, 'pem', want, undefined);
  if (typeof key !== 'object' || key === null) throw invalidArgType('key', expected(want, objects), key);
  const options = key as KeyOptions;
  const inner = contentOf(options.key);
  if (inner !== undefined) return fromContent(inner, want, options.key, objects);
  if (options.format === 'jwk') {
    validateObject(options.key, 'key.key');
    return fromJwk(options.key as Record<string, unknown>, want === 'private');
  }
  const data = options.key;
  if (typeof data !== 'string' && !ArrayBuffer.isView(data) && !isAnyBuffer(data)) {
    throw invalidArgType('key.key', expected(want, objects), data);
  }
  const { passphrase } = options;
  if (passphrase !== undefined && passphrase !== null && typeof passphrase !== 'string' && !ArrayBuffer.isView(passphrase)) {
    throw invalidArgValue('options.passphrase', passphrase);
  }
  const bytes = typeof data === 'string' && options.encoding !== undefined ? Buffer.from(data, options.encoding as BufferEncoding) : data;
  return parse(bytes, formatOf(options, want), want, (passphrase ?? undefined) as string | Uint8Array | undefined);
}

function expected(want: Want, objects: boolean): readonly string[] {
  const inputs = want === 'private' && !objects ? INPUTS : [...INPUTS, 'KeyObject', 'CryptoKey'];
  return want === 'private' ? [...inputs, 'URL'] : inputs;
}

function fromContent(content: KeyContent, want: Want, key: unknown, objects: boolean): KeyState {
  if (!objects) throw invalidArgType('key', expected(want, objects), key);
  if (content.type === 'secret')
    throw wrongKeyType('secret', want === 'create' ? 'private' : want === 'private' ? 'private' : 'private or public');
  if (want === 'private' && content.type !== 'private') throw wrongKeyType(content.type, 'private');
  if (want === 'create' && content.type !== 'private') throw wrongKeyType(content.type, 'private');
  return want === 'create' ? keyOps().keyPublic(content.state) : content.state;
}

function formatOf(options: KeyOptions, want: Want): Format {
  const { format, type } = options;
  if (format === undefined || format === 'pem') return 'pem';
  if (format !== 'der') throw invalidArgValue('options.format', format);
  if (type === 'pkcs1' || type === 'spki' || type === 'pkcs8' || type === 'sec1') {
    if (want === 'private' && type === 'spki') throw invalidArgValue('options.type', type);
    return type;
  }
  throw invalidArgValue('options.type', type);
}

/** OpenSSL has no word for it, or one that depends on where it looks. */
function nothingToRead(secret: boolean, format: Format): Error {
  if (secret) return new Error('Failed to read private key');
  return coded(Error, format === 'spki' ? 'ERR_OSSL_ASN1_TOO_SMALL' : 'ERR_OSSL_UNSUPPORTED', 'Failed to read asymmetric key');
}

function parse(
  data: string | ArrayBuffer | ArrayBufferView,
  format: Format,
  want: Want,
  passphrase: string | Uint8Array | undefined,
): KeyState {
  const secret = want === 'private' || format === 'pkcs8' || format === 'sec1';
  if (format !== 'pem' && (typeof data === 'string' ? data : viewOf(data)).length === 0) throw nothingToRead(secret, format);
  const state = keyOps().keyRead(data, format, secret, passphrase);
  return want === 'private' ? state : keyOps().keyPublic(state);
}
