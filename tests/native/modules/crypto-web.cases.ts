/**
 * The Web Cryptography API: what a key is and is for, whatever an application makes of its object, and
 * numbers that are none.
 */
import crypto from 'node:crypto';
import { cases } from '../harness/cases.ts';
import { EC_PRIVATE, ED25519_PRIVATE, RSA_PRIVATE, X_PRIVATE } from './crypto-keys.ts';
import { told } from './outcome.ts';

type Any = never;
const { subtle } = crypto;
const data = Buffer.from('data');

/** What each of them comes to, one after the other. */
async function outcomes(all: readonly (() => Promise<unknown>)[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const work of all) found.push(await work().catch(told));
  return found;
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' };
const hmacKey = (over: object = {}, extractable = true): Promise<crypto.webcrypto.CryptoKey> =>
  subtle.importKey('raw', data, { ...HMAC, ...over }, extractable, ['sign', 'verify']);
const K = Buffer.alloc(16, 1).toString('base64url');
const described = ({ type, extractable, usages, algorithm }: crypto.webcrypto.CryptoKey): unknown => [
  type,
  extractable,
  usages,
  algorithm.name,
];
const webKey = async (jwk: object, algorithm: unknown = HMAC, usages: readonly string[] = ['sign'], extractable = true): Promise<unknown> =>
  described(await subtle.importKey('jwk', jwk as Any, algorithm as Any, extractable, usages as Any));
const secret = (over: object, algorithm?: unknown, usages?: readonly string[], extractable?: boolean) => () =>
  webKey({ kty: 'oct', k: K, ...over }, algorithm, usages, extractable);
const jwkOf = (key: string): object => crypto.createPrivateKey(key).export({ format: 'jwk' });
const NUMBERS = [undefined, null, '8', 1.5, Number.NaN, Number.POSITIVE_INFINITY, -1, -8, 0, 1, 8, 9, 128, 2 ** 32, 2 ** 32 + 8];

const programs = {
  'CryptoKey changed by an application': [
    async () => {
      const key = await hmacKey({}, false);
      Object.defineProperty(key, 'extractable', { value: true });
      return subtle.exportKey('raw', key).catch(told);
    },
    async () => {
      const key = await subtle.importKey('raw', data, HMAC, false, ['verify']);
      Object.defineProperty(key, 'usages', { value: ['sign'] });
      return subtle.sign('HMAC', key, data).catch(told);
    },
    async () => {
      const key = await hmacKey();
      key.usages.push('encrypt');
      (key.algorithm as unknown as { hash: { name: string } }).hash.name = 'SHA-1';
      const signature = await subtle.sign('HMAC', key, data);
      return [signature.byteLength, key.algorithm === key.algorithm, key.usages === key.usages, (await subtle.exportKey('jwk', key)).alg];
    },
    async () => outcomes([undefined, null, {}, 'key'].map((key) => () => subtle.exportKey('raw', key as Any))),
    async () => outcomes([undefined, {}].map((key) => () => subtle.sign('HMAC', key as Any, data))),
  ],
  'numbers of the Web Cryptography API': [
    async () =>
      outcomes(
        NUMBERS.map((length) => async () => {
          const key = await subtle.generateKey({ ...HMAC, length } as Any, true, ['sign']);
          const { byteLength } = (await subtle.exportKey('raw', key as Any)) as ArrayBuffer;
          return [(key as unknown as crypto.webcrypto.CryptoKey).algorithm, byteLength];
        }),
      ),
    async () =>
      outcomes(
        [23, 24, 25, 31, 32, 33, 0, -8].map((length) => async () => {
          const key = await hmacKey({ length });
          return [(key.algorithm as { length?: number }).length, await subtle.exportKey('raw', key)];
        }),
      ),
    async () => {
      const keys = await Promise.all(['PBKDF2', 'HKDF'].map((name) => subtle.importKey('raw', data, name, false, ['deriveBits'])));
      const algorithm = { salt: data, info: data, hash: 'SHA-256', iterations: 1 };
      return outcomes(
        keys.flatMap((key) =>
          NUMBERS.map((bits) => () => subtle.deriveBits({ ...algorithm, name: key.algorithm.name } as Any, key, bits as Any)),
        ),
      );
    },
    async () => {
      const key = await subtle.importKey('raw', data, 'PBKDF2', false, ['deriveBits']);
      return outcomes(
        NUMBERS.map((iterations) => () => subtle.deriveBits({ name: 'PBKDF2', salt: data, hash: 'SHA-256', iterations } as Any, key, 64)),
      );
    },
    async () => {
      const pair = (await subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, false, [
        'deriveBits',
      ])) as crypto.webcrypto.CryptoKeyPair;
      return outcomes(
        [...NUMBERS, 256, 257].map(
          (bits) => async () =>
            (await subtle.deriveBits({ name: 'ECDH', public: pair.publicKey }, pair.privateKey, bits as Any)).byteLength,
        ),
      );
    },
    async () => {
      const der = crypto.createPrivateKey(RSA_PRIVATE).export({ format: 'der', type: 'pkcs8' });
      const key = await subtle.importKey('pkcs8', der, { name: 'RSA-PSS', hash: 'SHA-256' }, false, ['sign']);
      const salts = [...NUMBERS, 222, 223];
      return outcomes(
        salts.map((saltLength) => async () => (await subtle.sign({ name: 'RSA-PSS', saltLength } as Any, key, data)).byteLength),
      );
    },
    async () =>
      outcomes(
        ['128', 128.9, 2 ** 16 + 128, undefined, 100, Number.NaN].map(
          (length) => async () => described((await subtle.generateKey({ name: 'AES-GCM', length } as Any, true, ['encrypt'])) as Any),
        ),
      ),
    async () =>
      outcomes(
        [-1, Number.NaN, undefined, 0, 256, 2 ** 33].map(
          (modulusLength) => async () =>
            subtle.generateKey({ name: 'RSA-OAEP', hash: 'SHA-1', publicExponent: new Uint8Array([3]), modulusLength } as Any, true, [
              'encrypt',
              'decrypt',
            ]),
        ),
      ),
    async () =>
      outcomes(
        [undefined, [1, 0, 1], 'a', new Uint8Array(0), new Uint8Array([1]), new Uint8Array([1, 0, 0, 0, 1])].map(
          (publicExponent) => async () =>
            subtle.generateKey({ name: 'RSA-OAEP', hash: 'SHA-1', modulusLength: 1024, publicExponent } as Any, true, [
              'encrypt',
              'decrypt',
            ]),
        ),
      ),
    async () => {
      const key = await subtle.importKey('raw', data, 'PBKDF2', false, ['deriveKey']);
      const derive = (wanted: object, usage: string) => async () =>
        described(
          await subtle.deriveKey({ name: 'PBKDF2', salt: data, iterations: 1, hash: 'SHA-1' }, key, wanted as Any, true, [usage] as Any),
        );
      const lengths = [0, 7, 16, '128', undefined];
      return outcomes(lengths.flatMap((length) => [derive({ ...HMAC, length }, 'sign'), derive({ name: 'AES-GCM', length }, 'encrypt')]));
    },
  ],
  'JSON Web Keys for something else': [
    async () =>
      outcomes(
        [{ alg: 'HS256' }, { alg: 'HS512' }, { alg: 5 }, { use: 'sig' }, { use: 'enc' }, { ext: false }, { kty: 'RSA' }].map((over) =>
          secret(over),
        ),
      ),
    async () => outcomes([secret({ ext: false }, HMAC, ['sign'], false)]),
    async () =>
      outcomes(
        [['verify'], ['sign', 'sign'], ['sign', 'verify'], [], ['sign', 'other'], 'sign', 5].map((list) => secret({ key_ops: list })),
      ),
    async () =>
      outcomes(
        ['A128GCM', 'A256GCM', 'A128CBC', 'A128KW'].flatMap((alg) =>
          ['AES-GCM', 'AES-CBC', 'AES-CTR'].map((name) => secret({ alg }, name, ['encrypt'])),
        ),
      ),
    async () => {
      const [rsa, ec, ed, x] = [RSA_PRIVATE, EC_PRIVATE, ED25519_PRIVATE, X_PRIVATE].map(jwkOf) as [object, object, object, object];
      const [P256, P384] = ['P-256', 'P-384'].map((namedCurve) => ({ name: 'ECDSA', namedCurve }));
      const pkcs1 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
      const oaep = { name: 'RSA-OAEP', hash: 'SHA-256' };
      const of =
        (jwk: object, algorithm: unknown, usage = 'sign') =>
        () =>
          webKey(jwk, algorithm, [usage]);
      return outcomes([
        of({ ...rsa, alg: 'RS256' }, pkcs1),
        of({ ...rsa, alg: 'RS512' }, pkcs1),
        of({ ...rsa, alg: 'PS256' }, pkcs1),
        of({ ...rsa, use: 'enc' }, pkcs1),
        of({ ...rsa, use: 'sig' }, oaep, 'decrypt'),
        of({ ...rsa, alg: 'RSA-OAEP' }, oaep, 'decrypt'),
        of({ ...rsa, alg: 'RSA-OAEP-256' }, oaep, 'decrypt'),
        of(ec, pkcs1),
        of({ ...ec, alg: 'ES256' }, P256),
        of({ ...ec, alg: 'ES384' }, P256),
        of(ec, P384),
        of({ ...ec, use: 'enc' }, P256),
        of({ ...ec, use: 'sig' }, { name: 'ECDH', namedCurve: 'P-256' }, 'deriveBits'),
        of({ ...ec, alg: 'other' }, { name: 'ECDH', namedCurve: 'P-256' }, 'deriveBits'),
        of(rsa, P256),
        of({ ...ed, alg: 'EdDSA' }, 'Ed25519'),
        of({ ...ed, alg: 'ES256' }, 'Ed25519'),
        of({ ...ed, use: 'enc' }, 'Ed25519'),
        of(x, 'Ed25519'),
        of(ec, 'Ed25519'),
        of({ ...x, alg: 'other' }, 'X25519', 'deriveBits'),
      ]);
    },
    async () => {
      const wrapping = (await subtle.generateKey({ name: 'AES-KW', length: 128 }, true, [
        'wrapKey',
        'unwrapKey',
      ])) as crypto.webcrypto.CryptoKey;
      const lengths = [1, 2, 3, 4, 5, 6, 7, 8].map(async (bytes) => {
        const key = await subtle.importKey('raw', Buffer.alloc(bytes, 7), HMAC, true, ['sign']);
        const wrapped = await subtle.wrapKey('jwk', key, wrapping, 'AES-KW');
        return [
          wrapped.byteLength,
          await subtle.exportKey('raw', await subtle.unwrapKey('jwk', wrapped, wrapping, 'AES-KW', HMAC, true, ['sign'])),
        ];
      });
      return Promise.all(lengths);
    },
  ],
};

export default cases('crypto', programs, { since: Object.fromEntries(Object.keys(programs).map((name) => [name, 26])) });
