/**
 * node:crypto: hashes and ciphers in every order of calls, in text of every encoding, as streams, and by
 * their constructors.
 */
import crypto from 'node:crypto';
import { finished } from 'node:stream/promises';
import { cases } from '../harness/cases.ts';

type Any = never;

const KEY = Buffer.alloc(32, 1);
const IV = Buffer.alloc(16, 2);
const NONCE = IV.subarray(0, 12);
const WRAP_IV = Buffer.from('a6a6a6a6a6a6a6a6', 'hex');
const TEXT = 'aééééééééééééééé€€€€€€€€€€€€€€€€𝄞𝄞𝄞';

function outcome(work: () => unknown): unknown {
  try {
    const result = work();
    return Buffer.isBuffer(result) ? `buffer ${result.toString('hex')}` : typeof result === 'object' ? result?.constructor.name : result;
  } catch (error) {
    const { name, code, message } = error as Error & { code?: string };
    // What is said of another object than a hash is each host's own.
    return code === undefined && name === 'TypeError' ? name : `${name} ${code} ${message}`;
  }
}

const all = (calls: Readonly<Record<string, () => unknown>>): unknown =>
  Object.entries(calls).map(([name, call]) => `${name}: ${String(outcome(call))}`);
const sha = (): crypto.Hash => crypto.createHash('sha256');
const hmac = (): crypto.Hmac => crypto.createHmac('md5', 'k');
const encrypting = (name: string, iv: Buffer | null = IV, options?: object): crypto.CipherGCM =>
  crypto.createCipheriv(name as Any, KEY, iv, options as Any) as never;
const decrypting = (options?: object): crypto.DecipherGCM => crypto.createDecipheriv('aes-256-gcm', KEY, NONCE, options as Any);

/** Everything after it has ended. */
function ended<T extends { digest(): Buffer }>(hash: T): T {
  hash.digest();
  return hash;
}

const members = {
  'found by random programs': [
    () =>
      all({
        'padding that nothing is said of': () => {
          const cipher = encrypting('aes-256-cbc');
          (cipher as unknown as { setAutoPadding(): void }).setAutoPadding();
          return cipher.update('abc', 'utf8', 'hex') + cipher.final('hex');
        },
        'a vector before a key': () => crypto.createCipheriv('chacha20-poly1305' as Any, KEY.subarray(1), NONCE.subarray(1)),
        'a tag before a key': () => crypto.createCipheriv('aes-256-gcm', KEY.subarray(1), NONCE, { authTagLength: 17 } as Any),
        'no bytes by PBKDF2': () => crypto.pbkdf2Sync('a', 'b', 1, 0, 'sha1'),
        'no bytes by PBKDF2 over SHAKE': () => crypto.pbkdf2Sync('a', 'b', 1, 0, 'shake128'),
        'no bytes by HKDF': () => crypto.hkdfSync('sha256', 'a', 'b', '', 0),
        'no such digest': () => crypto.hash('nope', 'a'),
        'an option before a digest': () => crypto.sign('nope', KEY, { key: 'none', dsaEncoding: 'other' } as Any),
      }),
    async () => {
      const key = await crypto.subtle.importKey('raw', KEY, 'AES-GCM', true, ['encrypt']);
      const told = ({ name, code, message }: NodeJS.ErrnoException): string => `${name} ${code} ${message}`;
      return Promise.all([
        crypto.subtle.exportKey('nope' as Any, key).catch(told),
        crypto.subtle.exportKey('nope' as Any, {} as Any).catch(told),
        crypto.subtle.importKey('nope' as Any, KEY, 'AES-GCM', true, ['encrypt']).catch(told),
      ]);
    },
  ],
  'keys that are copied or looked into': [
    async () => {
      const secret = crypto.createSecretKey(KEY);
      const { publicKey, privateKey } = crypto.generateKeyPairSync('ed25519');
      const web = await crypto.subtle.importKey('raw', KEY, 'AES-GCM', false, ['encrypt']);
      const copies = structuredClone({ secret, publicKey, privateKey, web, again: secret });
      const names = [secret, web].flatMap((key) => {
        const chain = [key, Object.getPrototypeOf(key), Object.getPrototypeOf(Object.getPrototypeOf(key))] as object[];
        // What an application finds by looking is no key's content.
        return chain.flatMap((one) =>
          Object.getOwnPropertySymbols(one).filter((symbol) => (key as never)[symbol]?.['bytes'] !== undefined),
        );
      });
      return [
        copies.secret !== secret && copies.secret === copies.again,
        copies.secret.equals(secret) && copies.secret.type,
        copies.publicKey.equals(publicKey),
        crypto.verify(null, KEY, publicKey, crypto.sign(null, KEY, copies.privateKey)),
        [copies.web !== web, copies.web.extractable, copies.web.algorithm.name, copies.web.usages],
        await crypto.subtle.exportKey('raw', copies.web).catch(({ name }: Error) => name),
        names,
        Symbol.for('fulmar.keyContent') in secret,
      ];
    },
  ],
  'text that lies across pieces': [
    () =>
      ['utf8', 'base64', 'base64url', 'hex', 'latin1', 'utf16le', 'ascii'].map((encoding) => {
        const cipher = encrypting('aes-256-cbc');
        const sealed = [cipher.update(TEXT, 'utf8', 'base64'), cipher.final('base64')];
        const decipher = crypto.createDecipheriv('aes-256-cbc', KEY, IV);
        const opened = [decipher.update(sealed.join(''), 'base64', encoding as BufferEncoding), decipher.final(encoding as BufferEncoding)];
        return [sealed, opened];
      }),
  ],
  'encodings that change or are none': [
    () =>
      all({
        'hex after base64': () => {
          const cipher = encrypting('aes-256-cbc');
          return cipher.update('abcdefghijklmnopqrstuv', 'utf8', 'base64') + cipher.final('hex');
        },
        'a buffer after base64': () => {
          const cipher = encrypting('aes-256-cbc');
          return cipher.update('abcdefghijklmnopqrstuv', 'utf8', 'base64') + cipher.final().toString('hex');
        },
        'latin1 after binary': () => {
          const cipher = encrypting('aes-256-cbc');
          return cipher.update('abcdefghijklmnopqrstuv', 'utf8', 'binary') + cipher.final('latin1');
        },
        'none of that name': () => encrypting('aes-256-ctr').update('a', 'utf8', 'nope' as Any),
        'none of that name at the end': () => encrypting('aes-256-ctr').final('nope' as Any),
        'a number': () => encrypting('aes-256-ctr').update('a', 'utf8', 5 as Any),
        'an empty one': () => encrypting('aes-256-ctr').update('a', 'utf8', '' as Any),
      }),
  ],
  'a hash in every order': [
    () =>
      all({
        'digest twice': () => ended(sha()).digest('hex'),
        'update after the digest': () => ended(sha()).update('a'),
        'no data after the digest': () => ended(sha()).update(5 as Any),
        'half a byte after the digest': () => ended(sha()).update('abc', 'hex'),
        'half a byte': () => sha().update('abc', 'hex'),
        'copy after the digest': () => ended(sha()).copy(),
        'no data': () => sha().update(undefined as Any),
        memory: () => sha().update(new ArrayBuffer(2) as Any),
        'an encoding that is an object': () =>
          sha()
            .update('616263', { toString: () => 'hex' } as Any)
            .digest('hex'),
        'a digest in ucs2': () =>
          sha()
            .update('abc')
            .digest('ucs2' as Any),
        'a digest in nothing': () =>
          sha()
            .update('abc')
            .digest('nope' as Any),
        'a digest in capitals': () =>
          sha()
            .update('abc')
            .digest('HEX' as Any),
        'a digest in null': () =>
          sha()
            .update('abc')
            .digest(null as Any),
        'another object': () => crypto.Hash.prototype.update.call({} as Any, 'a'),
        'of an hmac': () => crypto.Hash.prototype.update.call(hmac() as Any, 'a'),
        'hmac twice': () => ended(hmac()).digest('hex'),
        'hmac twice, bytes': () => ended(hmac()).digest(),
        'hmac after the digest': () => ended(hmac()).update('a'),
      }),
  ],
  'lengths of a digest': [
    () =>
      all({
        'a copy has its own': () => crypto.createHash('shake128', { outputLength: 5 }).update('a').copy().digest('hex'),
        'another copy': () => crypto.createHash('shake128', { outputLength: 5 }).copy({ outputLength: 9 }).digest('hex'),
        'a copy that has one': () => sha().copy({ outputLength: 9 }),
        'a copy with text': () => sha().copy({ outputLength: '9' as Any }),
        'a copy with null': () =>
          sha()
            .copy(null as Any)
            .digest('hex'),
        none: () => crypto.createHash('shake128', { outputLength: 0 }).digest('hex'),
        'below zero': () => crypto.createHash('shake128', { outputLength: -1 }),
        'its own': () => crypto.createHash('sha256', { outputLength: 32 }).digest('hex'),
        'options that are null': () => crypto.createHash('sha256', null as Any).digest('hex'),
      }),
  ],
  'constructors and prototypes': [
    () => {
      class Own extends (crypto.Hash as unknown as new (name: string) => crypto.Hash) {
        mark = 1;
        text(): string {
          return this.mark + this.update('a').digest('hex');
        }
      }
      return [
        outcome(() => new Own('sha1').text()),
        outcome(() => new Own('sha1').copy() instanceof Own),
        outcome(() => (crypto.Hash as Any as (name: string) => crypto.Hash)('sha1').update('a').digest('hex')),
        outcome(() => (crypto.Cipheriv as Any as typeof crypto.createCipheriv)('aes-256-cbc', KEY, IV).update('a')),
        [crypto.Hash, crypto.Hmac, crypto.Cipheriv, crypto.Decipheriv].map((one) => (one as Any as () => void).length),
        Object.keys(crypto.Hash.prototype).toSorted(),
        sha() instanceof crypto.Hash,
        Object.prototype.toString.call(sha()),
      ];
    },
  ],
  streams: [
    async () => {
      const seen: unknown[] = [];
      const late = sha();
      late.on('error', ({ code, message }: NodeJS.ErrnoException) => seen.push(code, message));
      late.digest();
      late.end('a');
      const asked = sha();
      asked.end('a');
      seen.push(asked.digest('hex'));
      const read = crypto.createHash('sha1', { encoding: 'hex' });
      read.end('abc');
      seen.push(read.read(), crypto.createHash('sha1', { highWaterMark: 5 }).readableHighWaterMark);
      const mixed = sha();
      mixed.write('abc');
      seen.push(mixed.update('d').digest('hex'));
      const cipher = crypto.createCipheriv('aes-256-cbc', KEY, IV, { encoding: 'base64' } as Any);
      cipher.on('data', (chunk) => seen.push(chunk));
      cipher.write(TEXT);
      cipher.end('end');
      await finished(cipher);
      await new Promise(setImmediate);
      return seen;
    },
  ],
  'a cipher in every order': [
    () => {
      const cipher = encrypting('aes-256-gcm', NONCE);
      const other = encrypting('aes-256-cbc');
      const wrapping = (): crypto.Cipheriv => crypto.createCipheriv('aes256-wrap' as Any, KEY, WRAP_IV);
      const wrapped = wrapping();
      return all({
        'tag before the end': () => cipher.getAuthTag(),
        aad: () => cipher.setAAD(Buffer.from('a')),
        'aad as memory': () => cipher.setAAD(new ArrayBuffer(3) as Any),
        data: () => cipher.update('abc', 'utf8', 'hex'),
        'aad after data': () => cipher.setAAD(Buffer.from('a')),
        end: () => cipher.final(),
        tag: () => cipher.getAuthTag(),
        'tag again': () => cipher.getAuthTag(),
        'end again': () => cipher.final(),
        'padding after the end': () => cipher.setAutoPadding(),
        'aad after the end': () => cipher.setAAD('a' as Any),
        'aad of nothing': () => cipher.setAAD(5 as Any),
        'data of nothing': () => cipher.update(5 as Any),
        'tag of a cipher without': () => other.getAuthTag(),
        'aad of a cipher without': () => other.setAAD(Buffer.alloc(1)),
        'tag for a cipher without': () => (crypto.createDecipheriv('aes-256-cbc', KEY, IV) as crypto.DecipherGCM).setAuthTag(KEY),
        wrap: () => wrapped.update(KEY, undefined, 'hex'),
        // What it says is what OpenSSL said of an earlier call.
        'wrap again': () => String(outcome(() => wrapped.update(KEY, undefined, 'hex'))).startsWith('Error'),
        'end of wrap': () => wrapped.final('hex'),
        'wrap of too little': () => wrapping().update(Buffer.alloc(9)),
        'unwrap of another': () => crypto.createDecipheriv('aes256-wrap' as Any, KEY, WRAP_IV).update(Buffer.alloc(24)),
        'no padding': () => encrypting('aes-256-cbc').setAutoPadding(false).final(),
        'no vector': () => crypto.createCipheriv('aes-256-gcm', 'k', null as Any),
      });
    },
  ],
  'a tag in every order': [
    () =>
      all({
        ...Object.fromEntries([0, 4, 17].map((length) => [`${length} bytes`, () => decrypting().setAuthTag(Buffer.alloc(length))])),
        'as long as asked for': () => decrypting({ authTagLength: 12 }).setAuthTag(Buffer.alloc(12)),
        twice: () => decrypting().setAuthTag(Buffer.alloc(16)).setAuthTag(Buffer.alloc(16)),
        'as text': () => decrypting().setAuthTag('a'.repeat(32) as Any, 'hex' as Any),
        'as memory': () => decrypting().setAuthTag(new ArrayBuffer(16) as Any),
        'as a number': () => decrypting().setAuthTag(5 as Any),
        'not at all': () => decrypting().final(),
        'after data': () => {
          const decipher = decrypting();
          decipher.update('abc');
          return decipher.setAuthTag(Buffer.alloc(16));
        },
        'after a failure': () => {
          const decipher = decrypting();
          outcome(() => decipher.final());
          return decipher.setAuthTag(Buffer.alloc(16));
        },
        'that does not fit': () => {
          const decipher = decrypting().setAuthTag(Buffer.alloc(16));
          decipher.update('abc');
          return decipher.final();
        },
      }),
  ],
};

export default cases('crypto-streams', members, { since: Object.fromEntries(Object.keys(members).map((name) => [name, 26])) });
