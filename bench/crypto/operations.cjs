/**
 * What is measured, in the process that is measured: plain `node:crypto`, the same file on Node and on the
 * QuickJS host. Takes the name of an operation a line from standard input, runs it for a while and says how
 * long one took and what it gave. Never chooses, never judges.
 */
'use strict';
const crypto = require('node:crypto');

const SIZES = { '1 KB': 1024, '64 KB': 64 * 1024 };
const WINDOW_MS = Number(process.env.CRYPTO_WINDOW_MS ?? 60);
/** Repeated calls between two looks at the clock take about this long. */
const SLICE_MS = 5;

const key = Buffer.alloc(32, 7);
const nonce = Buffer.alloc(12, 8);
const iv = Buffer.alloc(16, 9);
const short = (bytes) => crypto.createHash('sha256').update(bytes).digest('hex').slice(0, 16);

function seal(name, vector, options) {
  return (data) => {
    const cipher = crypto.createCipheriv(name, key, vector, options);
    const sealed = cipher.update(data);
    const last = cipher.final();
    return options === undefined ? [sealed, last] : [sealed, last, cipher.getAuthTag()];
  };
}

function open(name, vector, options) {
  return (data) => {
    const [sealed, last, tag] = seal(name, vector, options)(data);
    const all = Buffer.concat([sealed, last]);
    return () => {
      const decipher = crypto.createDecipheriv(name, key, vector, options);
      if (tag !== undefined) decipher.setAuthTag(tag);
      return [decipher.update(all), decipher.final()];
    };
  };
}

const hash = (name) => (data) => () => crypto.createHash(name).update(data).digest();
const ready = (work) => (data) => () => work(data);

/** Keys come from the parent, the same for every process. */
function signing(name, hashName, options = {}) {
  const keys = JSON.parse(process.env.CRYPTO_KEYS);
  const secret = () => ({ key: crypto.createPrivateKey(keys[name].privateKey), ...options });
  const open = () => ({ key: crypto.createPublicKey(keys[name].publicKey), ...options });
  const hashed = hashName ?? null;
  return {
    sign: (data) => {
      const [by, of] = [secret(), open()];
      // A signature may be another each time: that it fits is what is compared.
      const make = () => crypto.sign(hashed, data, by);
      make.shown = () => crypto.verify(hashed, data, of, make());
      return make;
    },
    verify: (data) => {
      const of = open();
      const signature = crypto.sign(hashed, data, secret());
      return () => crypto.verify(hashed, data, of, signature);
    },
  };
}

/** As much of the data as a block has room for. */
const decrypting = (padding) => (data) => {
  const { rsa } = JSON.parse(process.env.CRYPTO_KEYS);
  const sealed = crypto.publicEncrypt({ key: rsa.publicKey, padding }, data.subarray(0, 100));
  const key = crypto.createPrivateKey(rsa.privateKey);
  return () => crypto.privateDecrypt({ key, padding }, sealed);
};

const PSS = { padding: crypto.constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
const AEAD = { authTagLength: 16 };
const pairs = (name, { sign, verify }) => [
  [`${name} sign`, sign],
  [`${name} verify`, verify],
];

const makers = [
  ...['sha256', 'sha512', 'md5', 'sha3-256'].map((name) => [name, hash(name)]),
  ['HMAC sha256', (data) => () => crypto.createHmac('sha256', key).update(data).digest()],
  ['AES-256-GCM encrypt', ready(seal('aes-256-gcm', nonce, AEAD))],
  ['AES-256-GCM decrypt', open('aes-256-gcm', nonce, AEAD)],
  ['AES-256-CBC encrypt', ready(seal('aes-256-cbc', iv))],
  ['AES-256-CBC decrypt', open('aes-256-cbc', iv)],
  ['chacha20-poly1305 encrypt', ready(seal('chacha20-poly1305', nonce, AEAD))],
  ['chacha20-poly1305 decrypt', open('chacha20-poly1305', nonce, AEAD)],
  ...pairs('Ed25519', signing('ed25519')),
  ...pairs('ECDSA P-256', signing('ec', 'sha256')),
  ...pairs('RSA-2048 PKCS1', signing('rsa', 'sha256')),
  ...pairs('RSA-2048 PSS', signing('rsa', 'sha256', PSS)),
  ['RSA-2048 PSS sign (longest salt)', signing('rsa', 'sha256', { padding: crypto.constants.RSA_PKCS1_PSS_PADDING }).sign],
  ['RSA-2048 OAEP decrypt (100 bytes)', decrypting(crypto.constants.RSA_PKCS1_OAEP_PADDING)],
  ['RSA-2048 PKCS1 decrypt (100 bytes)', decrypting(crypto.constants.RSA_PKCS1_PADDING)],
];

const operations = new Map(
  makers.flatMap(([name, maker]) =>
    Object.entries(SIZES).map(([size, bytes]) => [`${name}, ${size}`, () => maker(Buffer.alloc(bytes, 'fulmar'))]),
  ),
);

const shown = (value) => (Array.isArray(value) ? short(Buffer.concat(value)) : Buffer.isBuffer(value) ? short(value) : value);

/** Microseconds of one call, over a window. */
function measured(work) {
  let calls = 1;
  for (;;) {
    const start = process.hrtime.bigint();
    for (let call = 0; call < calls; call += 1) work();
    if (Number(process.hrtime.bigint() - start) > SLICE_MS * 1e6) break;
    calls *= 2;
  }
  const start = process.hrtime.bigint();
  let [done, elapsed] = [0, 0];
  while (elapsed < WINDOW_MS * 1e6) {
    for (let call = 0; call < calls; call += 1) work();
    done += calls;
    elapsed = Number(process.hrtime.bigint() - start);
  }
  return elapsed / done / 1000;
}

const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
function answer(name) {
  const work = operations.get(name)();
  say({ name, shown: shown((work.shown ?? work)()), us: measured(work) });
}

let text = '';
process.stdin.setEncoding('utf8').on('data', (part) => {
  const lines = (text + part).split('\n');
  text = lines.pop();
  lines.forEach(answer);
});
say({ names: [...operations.keys()] });
