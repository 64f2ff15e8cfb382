/**
 * The host's functions for keys, signatures and ciphers (`crates/quickjs-node/src/ops/crypto/*_ops.rs`).
 * Those for hashes and random bytes are in `ops.d.ts`.
 */
import type { HashState } from 'fulmar:ops';

export type Bytes = string | ArrayBuffer | ArrayBufferView;

/** An asymmetric key. */
export interface KeyState {
  readonly __keyState: never;
}

/** A cipher that runs; `Cipheriv` and `Decipheriv` themselves. */
export interface CipherState {
  readonly __cipherState: never;
}

/** The host's numbers of the modes. */
export const MODES: Readonly<Record<string, number>> = { ecb: 0, cbc: 1, ctr: 2, gcm: 3, 'chacha20-poly1305': 4, wrap: 5 };

export interface KeyInfo {
  readonly kind: 'rsa' | 'rsa-pss' | 'ec' | 'ed25519' | 'x25519';
  readonly private: boolean;
  /** RSA. */
  readonly bits: number;
  readonly exponent: ArrayBuffer;
  /** RSASSA-PSS with limits. */
  readonly hash?: string;
  readonly mgf?: string;
  readonly salt?: number;
  /** Elliptic curves; OpenSSL's name. */
  readonly curve: string;
}

export type Done<T> = (error: Error | null, result: T) => void;
export type Format = 'pem' | 'pkcs1' | 'pkcs8' | 'sec1' | 'spki';
/**
 * Hash function (-1: none named), RSA's padding (0: none named, -1: 0 was), salt bytes (-2³¹: none named), r
 * and s as they are.
 */
export type SignOptions = readonly [number, number, number, number];

/** `ops/crypto/*_ops.rs` */
export interface MoreCryptoOps {
  keyRead(data: Bytes, format: Format, secret: boolean, passphrase: Bytes | undefined): KeyState;
  /** DER; null when the format does not fit the key. */
  keyWrite(key: KeyState, format: Format): ArrayBuffer | null;
  /** PKCS #8 under a passphrase, by AES-CBC with a key of so many bytes. */
  keyEncrypt(pkcs8: ArrayBuffer, passphrase: Bytes, keyBytes: number): ArrayBuffer;
  keyPublic(key: KeyState): KeyState;
  keyInfo(key: KeyState): KeyInfo;
  /** RSA: n, e, d, p, q, dp, dq, qi; curves: x, y, d; the others: x, d. */
  keyParts(key: KeyState): ArrayBuffer[];
  keyOfParts(kind: string, parts: readonly ArrayBufferView[]): KeyState | null;
  /** `limits`: hash functions and salt of RSASSA-PSS; without `done` the key is returned. */
  keyGenerate(
    kind: string,
    bits: number,
    exponent: number,
    limits: readonly number[],
    done: Done<KeyState> | undefined,
  ): KeyState | undefined;
  /** These, too, without `done` give their result at once. A state of `messageStart` is taken away. */
  sign(key: KeyState, data: Bytes | HashState, options: SignOptions, done: Done<ArrayBuffer> | undefined): ArrayBuffer;
  verify(key: KeyState, data: Bytes | HashState, signature: Bytes, options: SignOptions, done: Done<boolean> | undefined): boolean;
  /** `[padding, hash function]` */
  rsaCrypt(
    what: string,
    key: KeyState,
    data: Bytes,
    numbers: readonly [number, number],
    label: Bytes,
    done: Done<ArrayBuffer> | undefined,
  ): ArrayBuffer;
  agree(own: KeyState, other: KeyState, done: Done<ArrayBuffer> | undefined): ArrayBuffer;
  /** The point in the other form; null when it is none. */
  pointConvert(curve: string, point: Bytes, compressed: boolean): ArrayBuffer | null;
  /** `[rounds, bytes]` */
  pbkdf2(
    algorithm: number,
    password: Bytes,
    salt: Bytes,
    numbers: readonly [number, number],
    done: Done<ArrayBuffer> | undefined,
  ): ArrayBuffer;
  /** `[N, r, p, bytes]` */
  scrypt(password: Bytes, salt: Bytes, numbers: readonly number[], done: Done<ArrayBuffer> | undefined): ArrayBuffer;
  hkdf(algorithm: number, secret: Bytes, salt: Bytes, info: Bytes, bytes: number, done: Done<ArrayBuffer> | undefined): ArrayBuffer;
  /**
   * `tagBytes`: of the authenticated ciphers, 0 for the others; `keyBytes`: where the key may have one length
   * only; null: the lengths do not fit.
   */
  cipherStart(
    mode: number,
    decrypts: boolean,
    key: Bytes,
    iv: Bytes,
    tagBytes: number,
    keyBytes: number | undefined,
    prototype: object,
  ): CipherState | null;
  /** AES-CTR where only the counter's last `bits` bits count. */
  webCtr(key: Bytes, counter: Bytes, bits: number, data: Bytes): ArrayBuffer;
  /**
   * These give a number where there is no result: 0: taken, 1: at the wrong time, 2: no bytes. Encodings are
   * those of `ops.d.ts`; views and strings are data.
   */
  cipherUpdate(state: CipherState, data: string | ArrayBufferView, encoding: number): ArrayBuffer | Buffer | string | 1 | 2;
  cipherAdd(state: CipherState, data: Bytes): 0 | 1;
  cipherPadding(state: CipherState, on: boolean): 0 | 1;
  cipherFinish(state: CipherState, encoding: number): ArrayBuffer | Buffer | string | 1;
  /** Below zero: -1 less the length that does not fit. */
  cipherSetTag(state: CipherState, tag: Bytes): number;
  cipherTag(state: CipherState): Buffer | null;
  keyWrap(unwraps: boolean, key: Bytes, data: Bytes): ArrayBuffer | null;
}
