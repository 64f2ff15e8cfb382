/**
 * Cases of `node:crypto`. What is random is compared by its properties: lengths, and that what was signed or
 * encrypted here is accepted here.
 */
import crypto from 'node:crypto';
import { once } from 'node:events';
import { cases } from '../harness/cases.ts';
import { EC_PRIVATE, ED25519_PRIVATE, RSA_PRIVATE } from './crypto-keys.ts';

type Any = never;

const data = Buffer.from('some text to work on');
const key16 = Buffer.alloc(16, 1);
const key32 = Buffer.alloc(32, 2);
const iv16 = Buffer.alloc(16, 3);
const iv12 = Buffer.alloc(12, 4);

const rsa = () => crypto.createPrivateKey(RSA_PRIVATE);
const ec = () => crypto.createPrivateKey(EC_PRIVATE);
const ed = () => crypto.createPrivateKey(ED25519_PRIVATE);

function encrypted(name: string, key: Buffer, iv: Buffer | null): string {
  const cipher = crypto.createCipheriv(name, key, iv);
  return cipher.update('some text to encrypt', 'utf8', 'hex') + cipher.final('hex');
}

function authenticated(name: 'aes-256-gcm' | 'chacha20-poly1305', extra: string): string[] {
  const options = { authTagLength: 16 };
  const cipher = crypto.createCipheriv(name as 'aes-256-gcm', key32, iv12, options);
  cipher.setAAD(Buffer.from(extra));
  const text = cipher.update('first ', 'utf8', 'hex') + cipher.update('second', 'utf8', 'hex') + cipher.final('hex');
  const tag = cipher.getAuthTag();
  const decipher = crypto.createDecipheriv(name as 'aes-256-gcm', key32, iv12, options);
  decipher.setAAD(Buffer.from(extra));
  const clear = decipher.update(text, 'hex', 'utf8');
  decipher.setAuthTag(tag);
  return [text, tag.toString('hex'), clear + decipher.final('utf8')];
}

const promised = <T>(start: (done: (error: Error | null, result: T) => void) => void): Promise<T> =>
  new Promise((resolve, reject) => {
    start((error, result) => (error === null || error === undefined ? resolve(result) : reject(error)));
  });

export default cases(
  'crypto',
  {
    createHash: [
      () =>
        ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'RSA-SHA256'].map((name) =>
          crypto.createHash(name).update(data).digest('hex'),
        ),
      () =>
        ['sha512-256', 'sha512-224', 'sha3-256', 'sha3-512', 'ripemd160'].map((name) =>
          crypto.createHash(name).update(data).digest('base64'),
        ),
      () => crypto.createHash('SHA256').update('').digest('base64url'),
      () => crypto.createHash('no such hash'),
      () => (crypto.createHash as (name?: unknown) => unknown)(),
      () => crypto.createHash('shake128', { outputLength: 40 }).update('a').digest('hex'),
      () => crypto.createHash('sha256', { outputLength: 5 }),
    ],
    Hash: [() => (crypto.Hash as unknown as (name: string) => crypto.Hash)('md5').update('a').digest('hex')],
    'Hash#update': [
      () =>
        crypto
          .createHash('sha1')
          .update('a')
          .update(Buffer.from('b'))
          .update('ü')
          .update(new Uint16Array([1, 2]))
          .digest('hex'),
      () => crypto.createHash('sha1').update('6162', 'hex').digest('hex'),
      () => crypto.createHash('sha1').update('abc', 'hex'),
      () => crypto.createHash('sha1').update('ÿ', 'latin1').digest('hex'),
      () => crypto.createHash('sha1').update('\ud800 lone').digest('hex'),
      () => crypto.createHash('sha1').update(5 as Any),
      () => {
        const hash = crypto.createHash('sha1');
        hash.digest();
        hash.update('late');
      },
      () => {
        const bytes = Buffer.from('abc');
        const hash = crypto.createHash('sha1').update(bytes);
        bytes.fill(0);
        return hash.digest('hex');
      },
    ],
    'Hash#digest': [
      () =>
        ['hex', 'base64', 'base64url', 'latin1', 'binary', 'ucs2'].map((encoding) =>
          crypto
            .createHash('md5')
            .update('a')
            .digest(encoding as 'hex'),
        ),
      () => crypto.createHash('md5').update('a').digest(),
      () =>
        crypto
          .createHash('md5')
          .update('a')
          .digest('no such encoding' as 'hex'),
      () => {
        const hash = crypto.createHash('md5');
        hash.digest();
        hash.digest();
      },
    ],
    'Hash#copy': [
      () => {
        const hash = crypto.createHash('sha256').update('a');
        const copy = hash.copy().update('b');
        return [hash.update('c').digest('hex'), copy.digest('hex')];
      },
      () => {
        const hash = crypto.createHash('sha256');
        hash.digest();
        hash.copy();
      },
    ],
    'a hash as a stream': [
      async () => {
        const hash = crypto.createHash('sha1');
        hash.write('first');
        hash.end('second');
        await once(hash, 'readable');
        return (hash.read() as Buffer).toString('hex');
      },
      async () => {
        const hash = crypto.createHash('sha1').setEncoding('hex');
        const parts: string[] = [];
        hash.on('data', (part: string) => parts.push(part));
        hash.end('all');
        await once(hash, 'end');
        return parts;
      },
    ],
    hash: [
      () => [crypto.hash('sha1', 'a'), crypto.hash('sha256', data, 'base64'), crypto.hash('md5', 'x', 'buffer')],
      () => crypto.hash('sha1', 'a', 'nope' as 'hex'),
      () => crypto.hash('sha1', 5 as Any),
    ],
    createHmac: [
      () => ['md5', 'sha1', 'sha256', 'sha384', 'sha512'].map((name) => crypto.createHmac(name, 'key').update(data).digest('base64')),
      () => crypto.createHmac('sha256', Buffer.alloc(200, 7)).update('long key').digest('hex'),
      () => crypto.createHmac('sha256', crypto.createSecretKey(key16)).update('a').digest('hex'),
      () => crypto.createHmac('no such hash', 'a'),
      () => crypto.createHmac('sha1', undefined as Any),
      () => crypto.createHmac('sha1', rsa()),
    ],
    Hmac: [() => (crypto.Hmac as unknown as (name: string, key: string) => crypto.Hmac)('md5', 'k').update('a').digest('hex')],
    'Hmac#update': [() => crypto.createHmac('sha1', '').update('a').update('b').digest('hex')],
    'Hmac#digest': [
      () => {
        const hmac = crypto.createHmac('sha1', 'k');
        hmac.digest();
        return [hmac.digest(), hmac.digest('hex')];
      },
    ],
    getHashes: [() => ['sha1', 'sha256', 'sha512', 'md5', 'RSA-SHA256'].every((name) => crypto.getHashes().includes(name))],
    getCiphers: [
      () => ['aes-128-cbc', 'aes-256-gcm', 'aes-192-ctr', 'chacha20-poly1305'].every((name) => crypto.getCiphers().includes(name)),
    ],
    getCurves: [() => ['prime256v1', 'secp384r1', 'secp521r1'].every((name) => crypto.getCurves().includes(name))],
    randomBytes: [
      () => [crypto.randomBytes(0).length, crypto.randomBytes(33).length, Buffer.isBuffer(crypto.randomBytes(1))],
      async () => (await promised<Buffer>((done) => crypto.randomBytes(5, done))).length,
      () => crypto.randomBytes(-1),
      () => crypto.randomBytes('a' as Any),
      () => crypto.randomBytes(1, 5 as Any),
      () => crypto.randomBytes(16).equals(crypto.randomBytes(16)),
    ],
    randomFillSync: [
      () => crypto.randomFillSync(Buffer.alloc(32)).some((byte) => byte !== 0),
      () => [...crypto.randomFillSync(Buffer.alloc(4), 4)],
      () => crypto.randomFillSync(Buffer.alloc(4), 5),
      () => crypto.randomFillSync(Buffer.alloc(4), 1, 5),
      () => crypto.randomFillSync('a' as Any),
      () => crypto.randomFillSync(new Uint32Array(8)).length,
    ],
    randomFill: [
      async () => (await promised<Buffer>((done) => crypto.randomFill(Buffer.alloc(32), done))).some((byte) => byte !== 0),
      () => crypto.randomFill(Buffer.alloc(1), 0, 1, undefined as Any),
    ],
    randomInt: [
      () => Array.from({ length: 50 }, () => crypto.randomInt(3)).every((value) => value >= 0 && value < 3),
      () => Array.from({ length: 50 }, () => crypto.randomInt(-5, -3)).every((value) => value === -5 || value === -4),
      async () => promised<number>((done) => crypto.randomInt(1, done as Any)),
      () => crypto.randomInt(5, 5),
      () => crypto.randomInt(0, 2 ** 50),
      () => crypto.randomInt(1.5),
    ],
    randomUUID: [
      () => /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(crypto.randomUUID()),
      () => crypto.randomUUID({ disableEntropyCache: true }).length,
      () => crypto.randomUUID({ disableEntropyCache: 1 as Any }),
    ],
    getRandomValues: [() => crypto.getRandomValues(new Uint8Array(8)).length, () => crypto.getRandomValues(new Float32Array(1) as Any)],
    timingSafeEqual: [
      () => [crypto.timingSafeEqual(key16, Buffer.alloc(16, 1)), crypto.timingSafeEqual(key16, iv16)],
      () => crypto.timingSafeEqual(key16, key32),
      () => crypto.timingSafeEqual('a' as Any, key16),
    ],
    pbkdf2Sync: [
      () =>
        ['sha1', 'sha256', 'sha512', 'md5', 'sha224'].map((digest) =>
          crypto.pbkdf2Sync('password', 'salt', 100, 40, digest).toString('hex'),
        ),
      () => crypto.pbkdf2Sync('a', 'b', 0, 10, 'sha1'),
      () => crypto.pbkdf2Sync('a', 'b', 1, 10, 'nope'),
      () => crypto.pbkdf2Sync('a', 'b', 1, -1, 'sha1'),
    ],
    pbkdf2: [
      async () => (await promised<Buffer>((done) => crypto.pbkdf2('p', 's', 1000, 20, 'sha256', done))).toString('hex'),
      () => crypto.pbkdf2('p', 's', 1, 20, undefined as Any, () => {}),
      () => crypto.pbkdf2('p', 's', 1, 20, 'sha1', undefined as Any),
    ],
    scryptSync: [
      () => crypto.scryptSync('password', 'salt', 32).toString('hex'),
      () => crypto.scryptSync('password', 'salt', 16, { N: 1024, r: 4, p: 2 }).toString('hex'),
      () => crypto.scryptSync('a', 'b', 10, { N: 3 }),
      () => crypto.scryptSync('a', 'b', 10, { N: 2 ** 20 }),
    ],
    'scrypt with both names of an option': [() => crypto.scryptSync('a', 'b', 10, { N: 2, cost: 2 })],
    scrypt: [async () => (await promised<Buffer>((done) => crypto.scrypt('p', 's', 20, { cost: 256 }, done))).toString('hex')],
    hkdfSync: [
      () => Buffer.from(crypto.hkdfSync('sha256', 'key', 'salt', 'info', 70)).toString('hex'),
      () => crypto.hkdfSync('nope', 'a', 'b', 'c', 1),
      () => crypto.hkdfSync('sha1', 'a', 'b', 'c', 6000),
    ],
    hkdf: [async () => Buffer.from(await promised<ArrayBuffer>((done) => crypto.hkdf('sha512', 'k', 's', 'i', 9, done))).toString('hex')],
    createCipheriv: [
      () => encrypted('aes-128-cbc', key16, iv16),
      () => encrypted('AES-256-CBC', key32, iv16),
      () => encrypted('aes-192-cbc', Buffer.alloc(24, 1), iv16),
      () => encrypted('aes-128-ctr', key16, iv16),
      () => encrypted('aes-256-ctr', key32, Buffer.alloc(16, 255)),
      () => encrypted('aes-128-ecb', key16, null),
      () => encrypted('aes-256-gcm', key32, iv16),
      () => crypto.createCipheriv('no such cipher', 'a', 'b'),
      () => crypto.createCipheriv('aes-128-cbc', key16, 'short'),
      () => crypto.createCipheriv('aes-128-cbc', key32, iv16),
      () => crypto.createCipheriv('aes-128-cbc', key16, 5 as Any),
      () => crypto.createCipheriv('aes-128-gcm', key16, ''),
    ],
    createDecipheriv: [
      () => authenticated('aes-256-gcm', 'more'),
      () => authenticated('chacha20-poly1305', ''),
      () => {
        const decipher = crypto.createDecipheriv('aes-128-cbc', key16, iv16);
        return decipher.update(encrypted('aes-128-cbc', key16, iv16), 'hex', 'utf8') + decipher.final('utf8');
      },
    ],
    "OpenSSL's errors": [
      () => {
        const decipher = crypto.createDecipheriv('aes-128-cbc', key16, iv16);
        decipher.update(Buffer.alloc(16));
        decipher.final();
      },
      () => crypto.createPrivateKey('not a key'),
      () => crypto.createPublicKey('not a key'),
      () => crypto.createSign('sha256').update('a').sign('not a key'),
      () => crypto.createDecipheriv('aes-128-cbc', key16, iv16).final(),
      () => {
        const cipher = crypto.createCipheriv('aes-128-cbc', key16, iv16).setAutoPadding(false);
        cipher.update('a');
        cipher.final();
      },
    ],
    Cipheriv: [() => typeof crypto.Cipheriv],
    Decipheriv: [() => typeof crypto.Decipheriv],
    'Cipheriv#update': [
      () => crypto.createCipheriv('aes-128-cbc', key16, iv16).update(5 as Any),
      () => {
        const cipher = crypto.createCipheriv('aes-128-cbc', key16, iv16);
        cipher.final();
        cipher.update('a');
      },
    ],
    'Cipheriv#final': [
      () => {
        const cipher = crypto.createCipheriv('aes-128-cbc', key16, iv16);
        cipher.final();
        cipher.final();
      },
    ],
    'Cipheriv#setAutoPadding': [
      () => {
        const cipher = crypto.createCipheriv('aes-128-cbc', key16, iv16).setAutoPadding(false);
        return cipher.update(Buffer.alloc(32), undefined, 'hex') + cipher.final('hex');
      },
    ],
    'Cipheriv#getAuthTag': [() => crypto.createCipheriv('aes-128-gcm', key16, iv12).getAuthTag()],
    'Decipheriv#setAuthTag': [
      () => crypto.createDecipheriv('aes-128-gcm', key16, iv12).setAuthTag(Buffer.alloc(3)),
      () => {
        const decipher = crypto.createDecipheriv('aes-128-gcm', key16, iv12);
        decipher.setAuthTag(Buffer.alloc(16));
        decipher.update('some');
        decipher.final();
      },
    ],
    getCipherInfo: [
      () => crypto.getCipherInfo('aes-128-cbc'),
      () => crypto.getCipherInfo('aes-256-gcm', { ivLength: 20 }),
      () => crypto.getCipherInfo('nope'),
      () => crypto.getCipherInfo('aes-192-ctr'),
    ],
    createSecretKey: [
      () => {
        const key = crypto.createSecretKey('secret', 'utf8');
        return [key.type, key.symmetricKeySize, key.export().toString(), key.export({ format: 'jwk' })];
      },
      () => crypto.createSecretKey(5 as Any),
    ],
    createPrivateKey: [
      () => [rsa(), ec(), ed()].map((key) => [key.type, key.asymmetricKeyType, Object.keys(key.asymmetricKeyDetails ?? {})]),
      () => rsa().asymmetricKeyDetails,
      () => ec().asymmetricKeyDetails,
    ],
    createPublicKey: [
      () => [rsa(), ec(), ed()].map((key) => crypto.createPublicKey(key).export({ type: 'spki', format: 'pem' })),
      () => crypto.createPublicKey(EC_PRIVATE).export({ format: 'jwk' }),
      () => crypto.createPublicKey(crypto.createSecretKey(key16)),
    ],
    KeyObject: [() => new (crypto.KeyObject as unknown as new (type: string) => unknown)('nope')],
    'KeyObject.from': [() => crypto.KeyObject.from(5 as Any)],
    'KeyObject#type': [() => [rsa().type, crypto.createPublicKey(rsa()).type]],
    'KeyObject#equals': [() => [rsa().equals(rsa()), crypto.createSecretKey(key16).equals(crypto.createSecretKey(key16))]],
    'exported keys': [
      () => rsa().export({ type: 'pkcs8', format: 'der' }).length,
      () => rsa().export({ type: 'pkcs1', format: 'pem' }),
      () => ec().export({ type: 'sec1', format: 'pem' }),
      () => ed().export({ type: 'pkcs8', format: 'pem' }),
      () => [rsa(), ec(), ed()].map((key) => Object.entries(key.export({ format: 'jwk' })).toSorted(([a], [b]) => (a < b ? -1 : 1))),
      () => {
        const hidden = ec().export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' });
        return crypto.createPrivateKey({ key: hidden, passphrase: 'secret' }).equals(ec());
      },
      () => crypto.createPrivateKey({ key: rsa().export({ format: 'jwk' }), format: 'jwk' }).equals(rsa()),
      () => rsa().export({ format: 'pem' } as Any),
      () => crypto.createPublicKey(ec()).export({ type: 'pkcs1', format: 'pem' }),
    ],
    sign: [
      () => crypto.sign('sha256', data, rsa()).toString('base64'),
      () => crypto.sign(null, data, ed()).toString('base64'),
      () => crypto.verify('sha256', data, ec(), crypto.sign('sha256', data, ec())),
      () => crypto.sign('sha384', data, { key: ec(), dsaEncoding: 'ieee-p1363' }).length,
      () => crypto.sign('nope', data, rsa()),
      () => crypto.sign('sha256', data, crypto.createPublicKey(rsa())),
      () => crypto.sign('sha256', data, undefined as Any),
      async () => (await promised<Buffer>((done) => crypto.sign('sha1', data, rsa(), done))).toString('hex'),
    ],
    verify: [
      () => {
        const options = { key: rsa(), padding: crypto.constants.RSA_PKCS1_PSS_PADDING, saltLength: 20 };
        const signature = crypto.sign('sha512', data, options);
        return [
          crypto.verify('sha512', data, options, signature),
          crypto.verify('sha512', data, { ...options, saltLength: 21 }, signature),
        ];
      },
      () => crypto.verify('sha256', data, rsa(), Buffer.from('nothing')),
    ],
    createSign: [
      () => crypto.createSign('RSA-SHA512').update('a').update('b').sign(RSA_PRIVATE, 'hex'),
      () => crypto.createSign('nope'),
      () =>
        crypto
          .createSign('sha256')
          .update('a')
          .sign(undefined as Any),
    ],
    createVerify: [
      () => crypto.createVerify('sha256').update('ab').verify(RSA_PRIVATE, crypto.createSign('sha256').update('ab').sign(RSA_PRIVATE)),
      () => crypto.createVerify('sha256').update('ab').verify(crypto.createPublicKey(EC_PRIVATE), 'AAAA', 'base64'),
    ],
    Sign: [() => typeof crypto.Sign],
    Verify: [() => typeof crypto.Verify],
    publicEncrypt: [
      () => crypto.privateDecrypt(rsa(), crypto.publicEncrypt(rsa(), data)).toString(),
      () => {
        const options = { oaepHash: 'sha256', oaepLabel: Buffer.from('label') };
        return crypto.privateDecrypt({ key: rsa(), ...options }, crypto.publicEncrypt({ key: rsa(), ...options }, data)).toString();
      },
      () => crypto.publicEncrypt(rsa(), Buffer.alloc(1000)),
    ],
    privateDecrypt: [() => crypto.privateDecrypt(rsa(), Buffer.alloc(10))],
    privateEncrypt: [() => crypto.privateEncrypt(rsa(), data).toString('hex')],
    publicDecrypt: [() => crypto.publicDecrypt(rsa(), crypto.privateEncrypt(rsa(), data)).toString()],
    generateKeyPairSync: [
      () => {
        const { publicKey, privateKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'P-384' });
        return [publicKey.asymmetricKeyDetails, crypto.createPublicKey(privateKey).equals(publicKey)];
      },
      () => Object.values(crypto.generateKeyPairSync('ed25519')).map((key) => key.asymmetricKeyType),
      () => {
        const pair = crypto.generateKeyPairSync('rsa', {
          modulusLength: 1024,
          publicKeyEncoding: { type: 'spki', format: 'pem' },
          privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
        });
        return [pair.publicKey.split('\n')[0], pair.privateKey.split('\n')[0]];
      },
      () => crypto.generateKeyPairSync('nope' as Any),
      () => crypto.generateKeyPairSync('ec', { namedCurve: 'nope' }),
      () => crypto.generateKeyPairSync('rsa', {} as Any),
    ],
    generateKeyPair: [
      async () => (await promised<crypto.KeyObject>((done) => crypto.generateKeyPair('x25519', {}, done as Any))).asymmetricKeyType,
    ],
    generateKeySync: [
      () => crypto.generateKeySync('aes', { length: 256 }).symmetricKeySize,
      () => crypto.generateKeySync('aes', { length: 5 as Any }),
    ],
    generateKey: [
      async () => (await promised<crypto.KeyObject>((done) => crypto.generateKey('hmac', { length: 64 }, done as Any))).symmetricKeySize,
    ],
    createECDH: [
      () => {
        const [a, b] = [crypto.createECDH('prime256v1'), crypto.createECDH('prime256v1')];
        a.generateKeys();
        b.generateKeys();
        return a.computeSecret(b.getPublicKey(null, 'compressed')).equals(b.computeSecret(a.getPublicKey()));
      },
      () => crypto.createECDH('nope'),
      () => crypto.createECDH('prime256v1').getPublicKey(),
    ],
    ECDH: [() => typeof crypto.ECDH],
    'ECDH#setPrivateKey': [
      () => {
        const ecdh = crypto.createECDH('secp384r1');
        ecdh.setPrivateKey('0102030405', 'hex');
        return [ecdh.getPublicKey('hex'), ecdh.getPublicKey('hex', 'compressed'), ecdh.getPublicKey('hex', 'hybrid')];
      },
    ],
    'ECDH.convertKey': [
      () => {
        const ecdh = crypto.createECDH('prime256v1');
        ecdh.setPrivateKey('01', 'hex');
        return crypto.ECDH.convertKey(ecdh.getPublicKey('hex', 'compressed') as string, 'prime256v1', 'hex', 'hex', 'uncompressed');
      },
    ],
    diffieHellman: [
      () => {
        const [a, b] = [crypto.generateKeyPairSync('x25519'), crypto.generateKeyPairSync('x25519')];
        const secret = crypto.diffieHellman({ privateKey: a.privateKey, publicKey: b.publicKey });
        return secret.equals(crypto.diffieHellman({ privateKey: b.privateKey, publicKey: a.publicKey }));
      },
      () => crypto.diffieHellman({ privateKey: ec(), publicKey: crypto.createPublicKey(rsa()) }),
    ],
    constants: [() => [crypto.constants.RSA_PKCS1_PSS_PADDING, crypto.constants.RSA_PSS_SALTLEN_DIGEST, crypto.constants.TLS1_2_VERSION]],
    getFips: [() => crypto.getFips()],
    setFips: [() => crypto.setFips(false)],
    secureHeapUsed: [() => Object.keys(crypto.secureHeapUsed()).toSorted()],
    webcrypto: [() => crypto.webcrypto === globalThis.crypto],
    subtle: [() => crypto.subtle === globalThis.crypto.subtle],
  },
  {
    missing: Object.fromEntries([
      ['X509Certificate', 'certificates are not taken apart; `createPublicKey` reads the key of one'],
      ['Certificate', 'SPKAC is out of use'],
      ['argon2', 'use `scrypt`'],
      ['argon2Sync', 'use `scryptSync`'],
      ['checkPrime', 'no arithmetic on primes'],
      ['checkPrimeSync', 'no arithmetic on primes'],
      ['generatePrime', 'no arithmetic on primes'],
      ['generatePrimeSync', 'no arithmetic on primes'],
      ['createDiffieHellman', 'finite-field groups are out of use: `createECDH`, or `diffieHellman` with X25519'],
      ['createDiffieHellmanGroup', 'as `createDiffieHellman`'],
      ['getDiffieHellman', 'as `createDiffieHellman`'],
      ['DiffieHellman', 'as `createDiffieHellman`'],
      ['DiffieHellmanGroup', 'as `createDiffieHellman`'],
      ['setEngine', 'there is no OpenSSL to have engines'],
      ['createMac', 'use `createHmac`'],
      ['getMacs', 'as `createMac`'],
      ['encapsulate', 'no post-quantum algorithms yet'],
      ['decapsulate', 'no post-quantum algorithms yet'],
      ['parsePKCS12', 'use PEM'],
      ['randomUUIDv7', 'use `randomUUID`'],
    ] as const),
    since: { hash: 24, getCipherInfo: 26, "OpenSSL's errors": 26, 'scrypt with both names of an option': 24 },
  },
);
