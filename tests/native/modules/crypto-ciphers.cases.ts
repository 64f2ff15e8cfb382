/**
 * node:crypto and the Web Cryptography API: lengths of tags and vectors, tags that are not given, counters
 * that begin again.
 */
import crypto from 'node:crypto';
import { cases } from '../harness/cases.ts';
import { outcome } from './outcome.ts';

type Any = never;
type Options = { readonly authTagLength?: number } | undefined;

const KEY = Buffer.alloc(32, 1);
const IV = Buffer.alloc(12, 2);
const AUTHENTICATED = ['aes-256-gcm', 'chacha20-poly1305'] as const;
const LENGTHS = [0, 1, 3, 4, 5, 8, 11, 12, 13, 14, 15, 16, 17, 32];

async function settled(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    return String(error);
  }
}

function sealed(name: string, options: Options): { readonly data: Buffer; readonly tag: Buffer } {
  const cipher = crypto.createCipheriv(name as Any, KEY, IV, options as Any) as unknown as crypto.CipherGCM;
  const data = Buffer.concat([cipher.update('hello'), cipher.final()]);
  return { data, tag: cipher.getAuthTag() };
}

function opened(name: string, options: Options, data: Buffer, tag: Uint8Array, when: 'before' | 'after'): string {
  const decipher = crypto.createDecipheriv(name as Any, KEY, IV, options as Any) as unknown as crypto.DecipherGCM;
  if (when === 'before') decipher.setAuthTag(tag);
  const text = decipher.update(data);
  if (when === 'after') decipher.setAuthTag(tag);
  return Buffer.concat([text, decipher.final()]).toString();
}

const padded = (tag: Buffer, length: number): Buffer => Buffer.concat([tag, Buffer.alloc(16)]).subarray(0, length);

/** Every length of tag for every length that was asked for. */
const tags = (when: 'before' | 'after') => (): unknown =>
  AUTHENTICATED.flatMap((name) =>
    [undefined, ...LENGTHS].flatMap((asked) =>
      LENGTHS.map((length) => {
        const options = asked === undefined ? undefined : { authTagLength: asked };
        const { data, tag } = sealed(name, undefined);
        return [name, asked, length, outcome(() => opened(name, options, data, padded(tag, length), when))];
      }),
    ),
  );

async function webKey(name: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', KEY, name, false, ['encrypt', 'decrypt']);
}

const hex = (bytes: ArrayBuffer): string => Buffer.from(bytes).toString('hex');

async function counted(bits: unknown, first: number, bytes: number): Promise<unknown> {
  const key = await webKey('AES-CTR');
  const algorithm = { name: 'AES-CTR', counter: Buffer.alloc(16, first), length: bits as number };
  return settled(async () => {
    const text = await crypto.subtle.encrypt(algorithm, key, Buffer.alloc(bytes));
    return [
      crypto.createHash('sha256').update(Buffer.from(text)).digest('hex'),
      hex(await crypto.subtle.decrypt(algorithm, key, text)).length,
    ];
  });
}

export default cases(
  'crypto',
  {
    'lengths of authentication tags': [
      tags('before'),
      tags('after'),
      () =>
        AUTHENTICATED.flatMap((name) => LENGTHS.map((authTagLength) => [name, outcome(() => sealed(name, { authTagLength }).tag.length)])),
      () =>
        AUTHENTICATED.flatMap((name) =>
          [-1, 1.5, '16', null, NaN, 2 ** 32].map((authTagLength) => [
            name,
            outcome(() => sealed(name, { authTagLength } as Any).tag.length),
          ]),
        ),
      () => outcome(() => crypto.createCipheriv('aes-256-cbc', KEY, Buffer.alloc(16), { authTagLength: 'x' } as Any)),
    ],
    'authentication tags that do not fit': [
      () =>
        AUTHENTICATED.map((name) =>
          Array.from({ length: 16 }, (_, place) => {
            const { data, tag } = sealed(name, undefined);
            tag[place] = (tag[place] as number) ^ 1;
            return outcome(() => opened(name, undefined, data, tag, 'before'));
          }),
        ),
      // A tag that says of itself that it has another length.
      () => {
        const { data, tag } = sealed('aes-256-gcm', undefined);
        const short = Object.defineProperties(new Uint8Array(tag.subarray(0, 4)), { byteLength: { value: 16 }, length: { value: 16 } });
        return outcome(() => opened('aes-256-gcm', undefined, data, short, 'before'));
      },
      () => {
        const { data, tag } = sealed('chacha20-poly1305', undefined);
        return opened('chacha20-poly1305', undefined, data, new Uint16Array(new Uint8Array(tag).buffer) as unknown as Uint8Array, 'after');
      },
    ],
    'curves that are there': [
      () => crypto.getCurves(),
      () => crypto.generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey.asymmetricKeyDetails,
    ],
    'ciphers that are there': [
      () => crypto.getCiphers(),
      () => crypto.createCipheriv('des-ede3-cbc', Buffer.alloc(24, 1), Buffer.alloc(8)).final('hex'),
    ],
    'digests that are there': [() => crypto.getHashes(), () => crypto.createHash('blake2b512').update('').digest('hex')],
    'Decipheriv#final without a tag': [
      () => outcome(() => crypto.createDecipheriv('aes-256-gcm', KEY, IV).final()),
      () => {
        const decipher = crypto.createDecipheriv('chacha20-poly1305', KEY, IV);
        return outcome(() => Buffer.concat([decipher.update('forged'), decipher.final()]).length);
      },
    ],
    'lengths of initialisation vectors': [
      () =>
        [...AUTHENTICATED, 'aes-256-cbc', 'aes-256-ctr', 'aes-256-ecb'].flatMap((name) =>
          [0, 1, 7, 8, 11, 12, 13, 16, 17, 64, 128, 129].map((bytes) => [
            name,
            bytes,
            outcome(() => crypto.createCipheriv(name as Any, KEY, Buffer.alloc(bytes, 3)).update('0123456789abcdef', 'utf8', 'hex')),
            outcome(() => crypto.getCipherInfo(name, { ivLength: bytes })?.ivLength),
          ]),
        ),
    ],
    'AES-GCM of the web: lengths': [
      async () => {
        const key = await webKey('AES-GCM');
        const lengths = [undefined, 0, 4, 32, 33, 64, 96, 104, 112, 120, 127, 128, 136, 256, -8, 1.5];
        return Promise.all(
          lengths.flatMap((tagLength) => {
            const algorithm = { name: 'AES-GCM', iv: IV, ...(tagLength === undefined ? {} : { tagLength }) };
            return [
              settled(async () => hex(await crypto.subtle.encrypt(algorithm, key, KEY))),
              settled(async () => hex(await crypto.subtle.decrypt(algorithm, key, await crypto.subtle.encrypt(algorithm, key, KEY)))),
              settled(async () => hex(await crypto.subtle.decrypt(algorithm, key, Buffer.alloc(3)))),
              settled(async () => hex(await crypto.subtle.decrypt(algorithm, key, Buffer.alloc(40)))),
            ];
          }),
        );
      },
      async () => {
        const key = await webKey('AES-GCM');
        return Promise.all(
          [0, 1, 8, 9, 12, 16, 128, 129].map((bytes) =>
            settled(async () => hex(await crypto.subtle.encrypt({ name: 'AES-GCM', iv: Buffer.alloc(bytes) }, key, KEY))),
          ),
        );
      },
    ],
    'AES-CTR of the web: the length of the counter': [
      async () => {
        const found: unknown[] = [];
        for (const bits of [undefined, 0, 1, 2, 7, 8, 9, 31, 32, 33, 64, 127, 128, 129, -1, 256, 1.5]) {
          for (const first of [0, 0xf0, 0xff]) {
            for (const bytes of [0, 16, 17, 32, 64, 5000]) found.push([bits, first, bytes, await counted(bits, first, bytes)]);
          }
        }
        return found;
      },
    ],
  },
  {
    since: {
      'Decipheriv#final without a tag': 26,
      'lengths of authentication tags': 26,
      'authentication tags that do not fit': 26,
      'lengths of initialisation vectors': 26,
      'AES-GCM of the web: lengths': 26,
      'AES-CTR of the web: the length of the counter': 26,
    },
    differs: {
      'curves that are there': 'P-256, P-384 and P-521; Ed25519 and X25519. No secp256k1, no Brainpool curves, no 448',
      'ciphers that are there': 'AES in CBC, CTR, ECB and GCM, AES key wrap, ChaCha20-Poly1305. No CCM, OCB, CFB, OFB, no DES',
      'digests that are there': 'MD5, RIPEMD-160, SHA-1, SHA-2, SHA-3, SHAKE. No BLAKE2',
      'Decipheriv#final without a tag': 'throws for ChaCha20-Poly1305 as for GCM; Node takes what was never authenticated',
    },
  },
);
