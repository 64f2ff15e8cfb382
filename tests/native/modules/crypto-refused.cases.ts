/**
 * node:crypto: what is refused, since what came of it would be no signature, no key or another one's; and how
 * much is worked on at once.
 */
import crypto from 'node:crypto';
import { readFileSync } from 'node:fs';
import { cases } from '../harness/cases.ts';
import { outcome, told } from './outcome.ts';
import { EC_PRIVATE, RSA_PRIVATE } from './crypto-keys.ts';

type Any = never;
const data = Buffer.from('data');

// DER, as much as an encrypted key needs.
function value(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(content.length < 128 ? [tag, content.length] : [tag, 0x81, content.length]), content]);
}
const object = (id: string): Buffer => value(6, Buffer.from(id, 'hex'));
const octets = (count: number): Buffer => value(4, Buffer.alloc(count));
function number(of: number): Buffer {
  const bytes = Buffer.alloc(5);
  bytes.writeUInt32BE(of, 1);
  const zeros = bytes.findIndex((byte, at) => at === 4 || byte !== 0);
  return value(2, bytes.subarray((bytes[zeros] as number) >= 0x80 ? zeros - 1 : zeros));
}

/** An `EncryptedPrivateKeyInfo` of nothing. */
function sealed(derivation: string, ...numbers: readonly number[]): Buffer {
  const given = value(0x30, octets(16), ...numbers.map(number));
  const scheme = value(0x30, object('60864801650304012a'), octets(16));
  const parameters = value(0x30, value(0x30, object(derivation), given), scheme);
  return value(0x30, value(0x30, object('2a864886f70d01050d'), parameters), octets(48));
}
const SCRYPT = '2b06010401da47040b';
const PBKDF2 = '2a864886f70d01050c';
const opened = (key: Buffer, passphrase?: string): unknown =>
  outcome(() => crypto.createPrivateKey({ key, format: 'der', type: 'pkcs8', ...(passphrase === undefined ? {} : { passphrase }) }));

/** Signs or verifies, and once more. */
function twice(key: string, again: (signer: crypto.Sign) => unknown): unknown {
  const signer = crypto.createSign('sha256').update(data);
  const { length } = signer.sign(key);
  return [length > 0, outcome(() => again(signer))];
}

const programs = {
  'keys that say what it costs to read them': [
    () => [opened(sealed(SCRYPT, 2 ** 31, 8, 1)), opened(sealed(PBKDF2, 2 ** 31))],
    () =>
      [
        [2 ** 31, 8, 1],
        [2 ** 15, 8, 1],
        [2, 1, 2 ** 29],
        [3, 8, 1],
        [16, 8, 1],
      ].map((numbers) => opened(sealed(SCRYPT, ...numbers), 'x')),
    () => [opened(sealed(PBKDF2, 0), 'x'), opened(sealed(PBKDF2, 1), 'x'), opened(sealed('2a864886f70d010503', 1))],
  ],
  'a second signature': [
    () => [RSA_PRIVATE, EC_PRIVATE].map((key) => twice(key, (signer) => signer.sign(key).length)),
    () => [twice(EC_PRIVATE, (signer) => signer.update(data)), twice(EC_PRIVATE, (signer) => signer.write(data))],
    () => {
      const signature = crypto.sign('sha256', data, RSA_PRIVATE);
      const verify = crypto.createVerify('sha256').update(data);
      return [verify.verify(RSA_PRIVATE, signature), outcome(() => verify.verify(RSA_PRIVATE, signature))];
    },
    () => {
      const signature = crypto.sign('sha256', data, RSA_PRIVATE);
      const verify = crypto.createVerify('sha256').update(data);
      const wrong = outcome(() => verify.verify({ key: RSA_PRIVATE, padding: 'none' as Any }, signature));
      return [wrong, verify.verify(RSA_PRIVATE, signature)];
    },
  ],
  'hash functions without a length': [
    () => ['shake128', 'SHAKE256'].map((name) => outcome(() => crypto.createHmac(name, 'key'))),
    () => ['shake128', 'shake256'].map((name) => outcome(() => crypto.pbkdf2Sync('a', 'b', 1, 8, name))),
    () => ['shake128', 'shake256'].map((name) => outcome(() => crypto.hkdfSync(name, 'a', 'b', '', 8))),
    () => new Promise((resolve) => crypto.pbkdf2('a', 'b', 1, 8, 'shake128', (error) => resolve(told(error)))),
    () => new Promise((resolve) => crypto.hkdf('shake128', 'a', 'b', '', 8, (error) => resolve(told(error)))),
    () => outcome(() => crypto.publicEncrypt({ key: RSA_PRIVATE, oaepHash: 'shake128' }, data)),
    () => outcome(() => crypto.privateDecrypt({ key: RSA_PRIVATE, oaepHash: 'shake128' }, Buffer.alloc(256))),
    () => outcome(() => crypto.publicEncrypt({ key: RSA_PRIVATE, oaepHash: 'none' }, data)),
  ],
  'crypto.hash of a length': [
    () => [0, 4, 16, 100].map((outputLength) => crypto.hash('shake128', 'a', { outputLength } as Any)),
    () => [31, 32, -1, '4', null, undefined].map((outputLength) => outcome(() => crypto.hash('sha256', 'a', { outputLength } as Any))),
    () => [null, 5].map((options) => outcome(() => crypto.hash('sha256', 'a', options as Any))),
  ],
  'secrets between keys of two curves': [
    () => {
      const pair = (namedCurve: string) => crypto.generateKeyPairSync('ec', { namedCurve });
      return outcome(() => crypto.diffieHellman({ privateKey: pair('P-256').privateKey, publicKey: pair('P-384').publicKey }));
    },
  ],
  'ECDH with numbers that have zeros in front': [
    () =>
      [1, 32, 33, 66, 128, 300].map((bytes) => {
        const ecdh = crypto.createECDH('prime256v1');
        const scalar = Buffer.alloc(bytes);
        scalar[bytes - 1] = 3;
        return outcome(() => [ecdh.setPrivateKey(scalar), ecdh.getPrivateKey('hex'), ecdh.getPublicKey('hex')].slice(1));
      }),
  ],
  'more to authenticate behind nothing': [
    () =>
      (['aes-256-gcm', 'chacha20-poly1305'] as const).map((name) => {
        const cipher = crypto.createCipheriv(name as 'aes-256-gcm', Buffer.alloc(32), Buffer.alloc(12));
        cipher.setAAD(Buffer.from('a'));
        const nothing = [cipher.update('').length, cipher.update(Buffer.alloc(0)).length];
        cipher.setAAD(Buffer.from('b'));
        const text = cipher.update('text', 'utf8', 'hex');
        const late = outcome(() => cipher.setAAD(Buffer.from('c')));
        return [nothing, text, late, cipher.final('hex'), cipher.getAuthTag().toString('hex')];
      }),
  ],
  'threads for many derived keys': [
    async () => {
      const all = Array.from({ length: 60 }, () => new Promise((resolve) => crypto.scrypt('a', 'b', 8, { N: 4096 }, resolve)));
      await new Promise((resolve) => setTimeout(resolve, 20));
      const threads = /^Threads:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
      await Promise.all(all);
      return Number(threads) < 30;
    },
  ],
};

export default cases('crypto', programs, { since: Object.fromEntries(Object.keys(programs).map((name) => [name, 26])) });
