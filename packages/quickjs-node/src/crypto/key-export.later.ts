/**
 * Keys as PEM, DER and JWK.
 */
import type { KeyState } from './more-ops.ts';
import { coded, invalidArgType, invalidArgValue } from '../shared/errors.ts';
import { keyOps } from './key-ops.ts';
import { validateObject } from '../shared/validators.ts';
import { toJwk } from './jwk.later.ts';

export interface ExportOptions {
  readonly format?: string;
  readonly type?: string;
  readonly cipher?: string;
  readonly passphrase?: string | ArrayBufferView;
}

type Format = 'pkcs1' | 'pkcs8' | 'sec1' | 'spki';

const LABELS: Readonly<Record<'public' | 'private', Readonly<Record<string, string>>>> = {
  public: { pkcs1: 'RSA PUBLIC KEY', spki: 'PUBLIC KEY' },
  private: { pkcs1: 'RSA PRIVATE KEY', pkcs8: 'PRIVATE KEY', sec1: 'EC PRIVATE KEY' },
};

/** Characters of a line of PEM. */
const LINE = 64;

export function pem(label: string, der: ArrayBuffer): string {
  const text = Buffer.from(der).toString('base64');
  const lines: string[] = [];
  for (let at = 0; at < text.length; at += LINE) lines.push(text.slice(at, at + LINE));
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

function incompatible(message: string): Error {
  return coded(Error, 'ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS', message);
}

function typeOf(kind: 'public' | 'private', options: ExportOptions, name: string): Format {
  const { type } = options;
  if (type === undefined || !Object.hasOwn(LABELS[kind], type)) throw invalidArgValue(`${name}.type`, type);
  return type as Format;
}

/** Bytes of the key of a cipher that can hide a private key. */
function cipherKeyBytes(cipher: unknown): number {
  const bits = typeof cipher === 'string' ? /^aes-?(128|192|256)-cbc$/i.exec(cipher)?.[1] : undefined;
  if (bits === undefined) throw coded(Error, 'ERR_CRYPTO_UNKNOWN_CIPHER', 'Unknown cipher');
  return Number(bits) / 8;
}

/** `KeyObject.export` and the encodings of `generateKeyPair`; `name` is what errors call the options. */
export function exportKey(kind: 'public' | 'private', key: KeyState, options: ExportOptions, name = 'options'): unknown {
  validateObject(options, name);
  const { format, cipher, passphrase } = options;
  if (format === 'jwk') {
    if (passphrase !== undefined) throw incompatible('The selected key encoding jwk does not support encryption.');
    return toJwk(key);
  }
  const type = typeOf(kind, options, name);
  if (format !== 'pem' && format !== 'der') throw invalidArgValue(`${name}.format`, format);
  const der = keyOps().keyWrite(key, type);
  if (der === null) {
    const only = type === 'sec1' ? 'EC' : 'RSA';
    throw incompatible(`The selected key encoding ${type} can only be used for ${only} keys.`);
  }
  if (kind === 'private' && cipher !== undefined && cipher !== null) return encrypted(type, format, der, options);
  if (passphrase !== undefined) throw invalidArgValue(`${name}.cipher`, cipher);
  return format === 'pem' ? pem(LABELS[kind][type] as string, der) : Buffer.from(der);
}

function encrypted(type: Format, format: 'pem' | 'der', der: ArrayBuffer, { cipher, passphrase }: ExportOptions): string | Buffer {
  if (typeof cipher !== 'string') throw invalidArgType('options.cipher', 'string', cipher);
  if (typeof passphrase !== 'string' && !ArrayBuffer.isView(passphrase)) throw invalidArgValue('options.passphrase', passphrase);
  if (type !== 'pkcs8') {
    if (format === 'der') throw incompatible(`The selected key encoding ${type} does not support encryption.`);
    throw coded(
      Error,
      'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM',
      `Encrypted keys in ${type} are not available in the native runtime: use type 'pkcs8'`,
    );
  }
  const hidden = keyOps().keyEncrypt(der, passphrase, cipherKeyBytes(cipher));
  return format === 'pem' ? pem('ENCRYPTED PRIVATE KEY', hidden) : Buffer.from(hidden);
}
