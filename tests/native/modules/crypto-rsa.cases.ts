/**
 * node:crypto: RSA keys that are none, keys with limits, and what decryption says of messages that are
 * broken. Ed25519 keys that fit everything.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import crypto from 'node:crypto';
import { promisify } from 'node:util';
import { cases } from '../harness/cases.ts';
import { outcome } from './outcome.ts';
import { RSA_PRIVATE, X_PRIVATE } from './crypto-keys.ts';

type Any = never;
const data = Buffer.from('data');

const url = (bytes: Uint8Array | readonly number[]): string => Buffer.from(bytes as Uint8Array).toString('base64url');
const ones = (bits: number): Buffer => Buffer.alloc(bits / 8, 0xff);
const publicKey = (n: readonly number[] | Uint8Array, e: readonly number[] | Uint8Array): crypto.KeyObject =>
  crypto.createPublicKey({ key: { kty: 'RSA', n: url(n), e: url(e) }, format: 'jwk' });
const jwk = (): crypto.webcrypto.JsonWebKey => crypto.createPrivateKey(RSA_PRIVATE).export({ format: 'jwk' });
const privateKey = (over: object): crypto.KeyObject => crypto.createPrivateKey({ key: { ...jwk(), ...over }, format: 'jwk' });

const E = [1, 0, 1];
const EXPONENTS: Readonly<Record<string, readonly [readonly number[] | Uint8Array, readonly number[] | Uint8Array]>> = {
  'even modulus': [[...ones(2040), 0xfe], E],
  'exponent of 1': [ones(2048), [1]],
  'exponent of 64 bits': [ones(2048), ones(64)],
  'exponent of 65 bits': [ones(2048), [1, ...ones(64)]],
  'exponent like the modulus': [ones(2048), ones(2048)],
  'exponent above the modulus': [ones(2048), ones(4096)],
  'large modulus, exponent of 64 bits': [ones(4096), ones(64)],
  'large modulus, exponent of 65 bits': [ones(4096), [1, ...ones(64)]],
  'largest modulus': [ones(16_384), E],
  'modulus above it': [ones(16_392), E],
  'small modulus': [ones(512), E],
};

const SALTS = [undefined, -5, -4, -3, -2, -1, 0, 10, 19, 20, 31, 32, 33, 62, 63, 94, 200];
const HASHES = [null, 'sha1', 'sha256', 'sha512', 'md5', 'sha3-256', 'shake128'];

/**
 * Every salt and hash with a key of these limits: how long the signature is, and with which salts it
 * verifies.
 */
function signatures(key: crypto.KeyObject, hash: string | null, padding: number | undefined): unknown {
  return SALTS.map((saltLength) => {
    const options = { key, ...(padding === undefined ? {} : { padding }), ...(saltLength === undefined ? {} : { saltLength }) };
    return outcome(() => {
      const signature = crypto.sign(hash as Any, data, options);
      const verified = [-1, -2, 20, 32].map((other) =>
        outcome(() => crypto.verify(hash as Any, data, { ...options, saltLength: other }, signature)),
      );
      return [signature.length, ...verified];
    });
  });
}

const limits = (options: object): crypto.KeyObject =>
  crypto.generateKeyPairSync('rsa-pss', { modulusLength: 1024, ...options } as Any).privateKey as unknown as crypto.KeyObject;
const LIMITS: readonly object[] = [
  {},
  { hashAlgorithm: 'sha256', mgf1HashAlgorithm: 'sha256', saltLength: 32 },
  { hashAlgorithm: 'sha256', mgf1HashAlgorithm: 'sha1', saltLength: 20 },
  { hashAlgorithm: 'sha512', saltLength: 10 },
  { hashAlgorithm: 'sha256', saltLength: 62 },
];

const CRYPT = ['publicEncrypt', 'privateEncrypt', 'privateDecrypt', 'publicDecrypt'] as const;

/** Points whose order divides eight: with such a key, a signature of zeros fits one message in eight. */
const SMALL_ORDER = [
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000080',
  '0000000000000000000000000000000000000000000000000000000000000000',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
];

/** What becomes of a signature with these options; of the right one where it is to be verified. */
function refused(key: crypto.KeyObject, hash: string, options: object, isHashed: boolean): unknown {
  const made = outcome(() =>
    isHashed
      ? crypto
          .createSign(hash)
          .update(data)
          .sign({ key, ...options })
      : crypto.sign(hash, data, { key, ...options }),
  );
  const signature = Buffer.alloc(128, 1);
  const checked = outcome(() =>
    isHashed
      ? crypto
          .createVerify(hash)
          .update(data)
          .verify({ key, ...options }, signature)
      : crypto.verify(hash, data, { key, ...options }, signature),
  );
  return [Buffer.isBuffer(made) ? 'signed' : made, checked];
}

const PADDINGS = [{}, ...[0, 1, 3, 4, 6].map((padding) => ({ padding })), { saltLength: 20 }];
const SALT_OPTIONS = [20, -1, -2, -3, -4, -5].map((saltLength) => ({ padding: 6, saltLength }));

const refusals = (key: crypto.KeyObject, isHashed: boolean): unknown =>
  ['sha256', 'sha512', 'sha1', 'shake128'].map((hash) =>
    [...PADDINGS, ...SALT_OPTIONS].map((options) => [hash, options, refused(key, hash, options, isHashed)]),
  );

/** Does a timer run while `work` is done? */
async function ticksDuring(work: () => Promise<unknown>): Promise<boolean> {
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 1);
  await work();
  clearInterval(timer);
  return ticks > 3;
}

const pbkdf2 = promisify(crypto.pbkdf2);
const scrypt = promisify(crypto.scrypt) as (
  password: string,
  salt: string,
  bytes: number,
  options: crypto.ScryptOptions,
) => Promise<Buffer>;

const agreed = (privateKey: crypto.KeyObject, publicKey: crypto.KeyObject): Promise<string> =>
  new Promise((resolve, reject) =>
    crypto.diffieHellman({ privateKey, publicKey }, (error, secret) => (error ? reject(error) : resolve(secret.toString('hex')))),
  );

const smallOrder = (): crypto.KeyObject =>
  crypto.createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: url(Buffer.alloc(32)) }, format: 'jwk' });

export default cases(
  'crypto',
  {
    'RSA keys that are none': [
      () => outcome(() => crypto.sign('sha256', data, { key: privateKey({ n: '' }), padding: 6 })),
      () =>
        [[], [0]].map((n) => outcome(() => crypto.verify('sha256', data, { key: publicKey(n, E), padding: 6 }, Buffer.alloc(n.length)))),
      () => [[], [0]].map((n) => [4, 1, 3].map((padding) => outcome(() => crypto.publicEncrypt({ key: publicKey(n, E), padding }, data)))),
      () =>
        Object.entries(EXPONENTS).map(([name, [n, e]]) => [
          name,
          outcome(() => publicKey(n, e).asymmetricKeyDetails),
          outcome(() => crypto.verify('sha256', data, publicKey(n, e), Buffer.alloc(n.length))),
          [4, 1, 3].map((padding) =>
            outcome(() => crypto.publicEncrypt({ key: publicKey(n, e), padding }, Buffer.alloc(padding === 3 ? n.length : 4, 1)).length),
          ),
        ]),
      () =>
        [
          { n: 'AA' },
          { n: 'AQ' },
          { n: url(ones(2048)) },
          { p: '' },
          { q: 'AA' },
          { p: jwk().q },
          { p: undefined },
          { qi: undefined },
          { d: undefined },
        ].map((over) => outcome(() => privateKey(over).type)),
    ],
    'RSA keys that are not generated': [
      () =>
        [0, 1, 2, 4, 65536].map((publicExponent) =>
          outcome(() => crypto.generateKeyPairSync('rsa', { modulusLength: 512, publicExponent })),
        ),
      () =>
        [3, 17, 65537].map((publicExponent) =>
          outcome(() => crypto.generateKeyPairSync('rsa', { modulusLength: 512, publicExponent }).privateKey.asymmetricKeyDetails),
        ),
      () => [0, 8, 256, 511].map((modulusLength) => outcome(() => crypto.generateKeyPairSync('rsa', { modulusLength }))),
      async () => {
        const algorithm = { name: 'RSA-PSS', modulusLength: 1024, publicExponent: Uint8Array.of(2), hash: 'SHA-256' };
        return crypto.subtle.generateKey(algorithm, false, ['sign']).catch((error: unknown) => (error as Error).name);
      },
    ],
    'RSA keys for RSASSA-PSS': [
      ...[
        { hashAlgorithm: 'sha512' },
        { mgf1HashAlgorithm: 'sha256' },
        { hashAlgorithm: 'sha512', mgf1HashAlgorithm: 'sha1' },
        { saltLength: 5 },
      ].map((options) => () => limits(options).asymmetricKeyDetails),
      ...LIMITS.map((options) => () => {
        const key = limits(options);
        return HASHES.map((hash) => [undefined, 6].map((padding) => [hash, padding, signatures(key, hash, padding)]));
      }),
      () => [0, 1, 2, 3, 4, 5].map((padding) => outcome(() => crypto.sign('sha256', data, { key: limits({}), padding }))),
      () =>
        CRYPT.map((name) => [1, 3, 4].map((padding) => outcome(() => crypto[name]({ key: limits({}), padding }, Buffer.alloc(128, 1))))),
      () => HASHES.map((hash) => [hash, signatures(crypto.createPrivateKey(RSA_PRIVATE), hash, 6)]),
    ],
    'Sign and Verify with what a key does not allow': [
      ...[{}, { hashAlgorithm: 'sha256' }].flatMap((options) => [true, false].map((isHashed) => () => refusals(limits(options), isHashed))),
      ...[true, false].map((isHashed) => () => refusals(crypto.createPrivateKey(RSA_PRIVATE), isHashed)),
      ...(['P-256', 'ed25519', 'x25519'] as const).map((name) => () => {
        const { privateKey } =
          name === 'P-256'
            ? crypto.generateKeyPairSync('ec', { namedCurve: name })
            : (crypto.generateKeyPairSync(name as Any) as unknown as { privateKey: crypto.KeyObject });
        return ['sha256', 'shake128', 'md5'].map((hash) => [true, false].map((isHashed) => refused(privateKey, hash, {}, isHashed)));
      }),
    ],
    'work on another thread': [
      () => ticksDuring(() => pbkdf2('password', 'salt', 300_000, 32, 'sha512')),
      () => ticksDuring(() => scrypt('password', 'salt', 32, { N: 32_768, r: 8, p: 2, maxmem: 2 ** 27 })),
      async () => {
        const key = await crypto.subtle.importKey('raw', data, 'PBKDF2', false, ['deriveBits']);
        const algorithm = { name: 'PBKDF2', salt: data, iterations: 300_000, hash: 'SHA-512' };
        return ticksDuring(() => crypto.subtle.deriveBits(algorithm, key, 256));
      },
      async () => {
        const { privateKey, publicKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'P-521' });
        const begin = performance.now();
        const all = Array.from({ length: 200 }, () => agreed(privateKey, publicKey));
        const called = performance.now() - begin;
        const secrets = new Set(await Promise.all(all));
        return [secrets.size, called < (performance.now() - begin) / 2];
      },
      () => agreed(crypto.createPrivateKey(X_PRIVATE), smallOrder()).catch((error: Error) => error.message),
    ],
    'RSA messages that are broken': [
      // What is no message gives the same bytes each time, and none that say why (implicit rejection).
      () =>
        Array.from({ length: 64 }, (_, byte) =>
          outcome(() => crypto.privateDecrypt({ key: RSA_PRIVATE, padding: 1 }, Buffer.alloc(64, byte)).toString('hex')),
        ),
      () => {
        const key = crypto.createPrivateKey(RSA_PRIVATE);
        const bytes = (key.asymmetricKeyDetails?.modulusLength ?? 0) / 8;
        return [0, 1, bytes - 1, bytes, bytes + 1].map((length) =>
          [1, 3, 4].map((padding) => outcome(() => crypto.privateDecrypt({ key, padding }, Buffer.alloc(length, 1)).toString('hex'))),
        );
      },
      () => {
        const key = crypto.createPrivateKey(RSA_PRIVATE);
        const sealed = crypto.publicEncrypt({ key, oaepHash: 'sha256', oaepLabel: data }, data);
        return [{}, { oaepHash: 'sha1' }, { oaepLabel: Buffer.from('other') }].map((over) =>
          outcome(() => crypto.privateDecrypt({ key, oaepHash: 'sha256', oaepLabel: data, ...over }, sealed).toString()),
        );
      },
      () =>
        [0, 1, 10, 1000].map((length) =>
          [1, 3].map((padding) => outcome(() => crypto.privateEncrypt({ key: RSA_PRIVATE, padding }, Buffer.alloc(length, 1)).length)),
        ),
    ],
    'callbacks and AsyncLocalStorage': [
      async () => {
        const storage = new AsyncLocalStorage<number>();
        const { privateKey } = crypto.generateKeyPairSync('ed25519');
        const seen = (start: (done: () => void) => unknown): Promise<unknown> =>
          new Promise((resolve) => {
            storage.run(7, () => start(() => resolve(storage.getStore())));
          });
        return [
          await seen((done) => crypto.sign(null, data, privateKey, done)),
          await seen((done) => crypto.verify(null, data, privateKey, Buffer.alloc(64), done)),
          await seen((done) => crypto.pbkdf2('a', 'b', 1, 8, 'sha1', done)),
          await seen((done) => crypto.scrypt('a', 'b', 8, done)),
          await seen((done) => crypto.hkdf('sha1', 'a', 'b', 'c', 8, done)),
          await seen((done) => crypto.generateKeyPair('ed25519', {} as Any, done as Any)),
        ];
      },
      async () =>
        new Promise((resolve) =>
          crypto.sign('sha1', data, limits({ hashAlgorithm: 'sha256' }), (error, signature) => resolve([error?.message, signature])),
        ),
    ],
    'forms of ECDSA signatures': [
      () => {
        const { privateKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
        const signature = crypto.sign('sha256', data, privateKey);
        const [length = 0, ...rest] = signature.subarray(1);
        const forms = [
          signature,
          [0x30, 0x81, length, ...rest],
          [...signature, 0],
          [0x30, length + 1, 2, (rest[1] as number) + 1, 0, ...rest.slice(2)],
        ];
        return forms.map((form) => crypto.verify('sha256', data, privateKey, Buffer.from(form as number[])));
      },
    ],
    'Ed25519 keys of small order': [
      async () => {
        const found: unknown[] = [];
        for (const point of SMALL_ORDER) {
          const key = crypto.createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: url(Buffer.from(point, 'hex')) }, format: 'jwk' });
          const web = await crypto.subtle.importKey('raw', Buffer.from(point, 'hex'), 'Ed25519', true, ['verify']);
          for (const other of SMALL_ORDER) {
            const signature = Buffer.concat([Buffer.from(other, 'hex'), Buffer.alloc(32)]);
            for (let message = 0; message < 8; message += 1) {
              const text = Buffer.from([message]);
              found.push(crypto.verify(null, text, key, signature), await crypto.subtle.verify('Ed25519', web, signature, text));
            }
          }
        }
        return found;
      },
    ],
  },
  {
    since: {
      'RSA keys that are none': 26,
      'RSA keys that are not generated': 26,
      'RSA keys for RSASSA-PSS': 26,
      'RSA messages that are broken': 26,
      'Sign and Verify with what a key does not allow': 26,
      'work on another thread': 26,
      'callbacks and AsyncLocalStorage': 26,
      'forms of ECDSA signatures': 26,
      'Ed25519 keys of small order': 26,
    },
  },
);
