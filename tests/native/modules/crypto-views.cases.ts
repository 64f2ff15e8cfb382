/**
 * Views of all kinds given to every function of `node:crypto` and `crypto.subtle` that takes bytes: what
 * comes back is what Node gives, or its error. That no byte beside a view is touched is what
 * `tests/native/views` looks at.
 */
import { Buffer } from 'node:buffer';
import crypto, { type KeyObject } from 'node:crypto';
import { cases, type Program } from '../harness/cases.ts';
import { EC_PRIVATE, ED25519_PRIVATE, RSA_PRIVATE } from './crypto-keys.ts';
import { type Kind, liars, others, views } from './crypto-views.ts';

type View = Uint8Array<ArrayBuffer>;
type Call = (view: View) => unknown;

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
const TEXT = ascii('sixteen bytes !!');
const KEY = ascii('thirty-two bytes for a cipher !!');
const IV = KEY.slice(0, 16) as View;
const NONCE = KEY.slice(0, 12) as View;
const hex = (value: unknown): string => Buffer.from(value as ArrayBuffer).toString('hex');

/** Each kind of view in turn; `content` is made when the first program runs, not when the file is read. */
function each(content: () => Uint8Array, call: Call, kinds: Readonly<Record<string, Kind>> = { ...views, ...liars, ...others }): Program[] {
  const bytes = content().length;
  const fits = Object.values(kinds).filter((make) => make(new Uint8Array(bytes)) !== undefined);
  return fits.map((make) => () => attempt(() => call(make(new Uint8Array(content())) as View)));
}

/**
 * An error by class, name, code and message; what the language itself throws has other words in each engine.
 */
function shown(error: unknown): object {
  const { name, code, message } = error as { name: string; code?: unknown; message: string };
  return { class: (error as object).constructor.name, name, ...(name === 'TypeError' && code === undefined ? {} : { code, message }) };
}

function attempt(call: () => unknown): unknown {
  try {
    const outcome = call();
    return outcome instanceof Promise ? outcome.catch(shown) : outcome;
  } catch (error) {
    return shown(error);
  }
}

const text = (call: Call, kinds?: Readonly<Record<string, Kind>>): Program[] => each(() => TEXT, call, kinds);
const key = (call: Call): Program[] => each(() => KEY, call);
const honest = { ...views, ...others };

const rsa = crypto.createPrivateKey(RSA_PRIVATE);
const ed = crypto.createPrivateKey(ED25519_PRIVATE);
const ec = crypto.createPrivateKey(EC_PRIVATE);
const der = (of: KeyObject, type: 'pkcs8' | 'spki'): Uint8Array => of.export({ format: 'der', type } as never) as unknown as Uint8Array;
const edSpki = der(crypto.createPublicKey(ed as never), 'spki');
const edSignature = new Uint8Array(crypto.sign(null, TEXT, ed));
const sealed = new Uint8Array(crypto.publicEncrypt(rsa, TEXT));

const cipher = (name: string, at: Uint8Array, options?: object): crypto.CipherGCM =>
  crypto.createCipheriv(name as 'aes-256-gcm', KEY as View, at as View, options as never);
const all = (running: crypto.Cipheriv | crypto.Decipheriv, data: Uint8Array): string =>
  hex(Buffer.concat([running.update(data as View), running.final()]));
const gcm = ((): { readonly content: View; readonly tag: View } => {
  const running = cipher('aes-256-gcm', NONCE);
  const content = new Uint8Array(Buffer.concat([running.update(TEXT as View), running.final()]));
  return { content, tag: new Uint8Array(running.getAuthTag()) };
})();
const decipher = (): crypto.DecipherGCM => crypto.createDecipheriv('aes-256-gcm', KEY as View, NONCE);

const ecdh = (): crypto.ECDH => {
  const made = crypto.createECDH('prime256v1');
  made.setPrivateKey(Buffer.from(KEY));
  return made;
};
const other = (): Uint8Array => {
  const made = crypto.createECDH('prime256v1');
  made.setPrivateKey(Buffer.alloc(32, 5));
  return new Uint8Array(made.getPublicKey());
};

const later =
  <T>(start: (done: (error: Error | null, value: T) => void) => void, show: (value: T) => unknown): (() => Promise<unknown>) =>
  () =>
    new Promise((resolve, reject) => start((error, value) => (error === null ? resolve(show(value)) : reject(error))));

const { subtle } = crypto.webcrypto;
const imported = (name: string, usages: string[], bytes: Uint8Array = KEY): Promise<crypto.webcrypto.CryptoKey> =>
  subtle.importKey('raw', bytes as View, name === 'HMAC' ? { name, hash: 'SHA-256' } : name, true, usages as never);
const used = async (name: string, usage: string, work: (key: never) => Promise<unknown>, bytes?: Uint8Array): Promise<string> =>
  hex(await work((await imported(name, [usage], bytes)) as never));
const edPrivate = (): Promise<crypto.webcrypto.CryptoKey> => subtle.importKey('pkcs8', der(ed, 'pkcs8') as View, 'Ed25519', true, ['sign']);
const edPublic = (): Promise<crypto.webcrypto.CryptoKey> => subtle.importKey('spki', edSpki as View, 'Ed25519', true, ['verify']);

const hashes: Readonly<Record<string, readonly Program[]>> = {
  'Hash#update of views': text((view) => crypto.createHash('sha256').update('x').update(view).digest('hex')),
  'Hash#update first of views': text((view) => crypto.createHash('sha512').update(view).digest('hex')),
  'hash of views': text((view) => crypto.hash('sha1', view)),
  'Hash#write of views': text((view) => {
    const stream = crypto.createHash('md5');
    stream.end(view);
    return hex(stream.read());
  }, views),
  'Hmac#update of views': text((view) => crypto.createHmac('sha256', 'key').update(view).digest('hex')),
  'createHmac keyed by views': key((view) => crypto.createHmac('sha256', view).update('text').digest('hex')),
  'createHmac keyed by views that change': key((view) => {
    const hmac = crypto.createHmac('sha256', view);
    if (ArrayBuffer.isView(view) && view.buffer instanceof ArrayBuffer && view.buffer.byteLength > 0) new Uint8Array(view.buffer).fill(0);
    return hmac.update('text').digest('hex');
  }),
  'timingSafeEqual first of views': text((view) => crypto.timingSafeEqual(view, TEXT)),
  'timingSafeEqual second of views': text((view) => crypto.timingSafeEqual(TEXT, view)),
};

const random: Readonly<Record<string, readonly Program[]>> = {
  'randomFillSync of views': text((view) => crypto.randomFillSync(view) === view),
  'randomFillSync of parts of views': text((view) => crypto.randomFillSync(view, 1, 2) === view, honest),
  'randomFillSync behind the end of views': text((view) => crypto.randomFillSync(view, 8, 100) === view, honest),
  'randomFill of views': text((view) =>
    later(
      (done) => crypto.randomFill(view, done),
      (value) => value === view,
    )(),
  ),
  'getRandomValues of views': text((view) => crypto.getRandomValues(view) === view),
};

const derived: Readonly<Record<string, readonly Program[]>> = {
  'pbkdf2Sync with views as passwords': text((view) => hex(crypto.pbkdf2Sync(view, 'salt', 1, 8, 'sha256'))),
  'pbkdf2Sync with views as salts': text((view) => hex(crypto.pbkdf2Sync('password', view, 1, 8, 'sha256'))),
  'pbkdf2 with views': text((view) => later((done) => crypto.pbkdf2(view, view, 1, 8, 'sha512', done), hex)()),
  'scryptSync with views as passwords': text((view) => hex(crypto.scryptSync(view, 'salt', 8, { N: 2 }))),
  'scryptSync with views as salts': text((view) => hex(crypto.scryptSync('password', view, 8, { N: 2 }))),
  'scrypt with views': text((view) => later<Buffer>((done) => crypto.scrypt(view, view, 8, { N: 2 }, done), hex)()),
  'hkdfSync with views as keys': text((view) => hex(crypto.hkdfSync('sha256', view, 'salt', 'info', 8))),
  'hkdfSync with views as salts': text((view) => hex(crypto.hkdfSync('sha256', 'key', view, 'info', 8))),
  'hkdfSync with views as info': text((view) => hex(crypto.hkdfSync('sha256', 'key', 'salt', view, 8))),
};

const ciphers: Readonly<Record<string, readonly Program[]>> = {
  'createCipheriv keyed by views': key((view) => all(crypto.createCipheriv('aes-256-cbc', view, IV), TEXT)),
  'createCipheriv begun by views': text((view) => all(cipher('aes-256-ctr', view), TEXT)),
  'createCipheriv of GCM begun by views': text((view) => all(cipher('aes-256-gcm', view), TEXT)),
  'createDecipheriv keyed by views': key((view) => all(crypto.createDecipheriv('aes-256-ctr', view, IV), TEXT)),
  'Cipheriv#update of views': text((view) => all(cipher('aes-256-cbc', IV), view)),
  'Cipheriv#update of views, ChaCha20': text((view) => all(cipher('chacha20-poly1305', NONCE, { authTagLength: 16 }), view)),
  'Cipheriv#setAAD of views': text((view) => {
    const running = cipher('aes-256-gcm', NONCE).setAAD(view);
    return [all(running, TEXT), hex((running as crypto.CipherGCM).getAuthTag())];
  }),
  'Decipheriv#update of views': each(
    () => gcm.content,
    (view) => all(decipher().setAuthTag(gcm.tag), view),
  ),
  'Decipheriv#setAuthTag of views': each(
    () => gcm.tag,
    (view) => all(decipher().setAuthTag(view), gcm.content),
  ),
};

const signatures: Readonly<Record<string, readonly Program[]>> = {
  'sign of views': text((view) => hex(crypto.sign(null, view, ed))),
  'sign of views with a callback': text((view) => later<Buffer>((done) => crypto.sign(null, view, ed, done), hex)()),
  'verify of views': text((view) => crypto.verify(null, view, ed, edSignature)),
  'verify with views as signatures': each(
    () => edSignature,
    (view) => crypto.verify(null, TEXT, ed, view),
  ),
  'Sign#update of views': text((view) => hex(crypto.createSign('sha256').update(view).sign(rsa))),
  'Verify#verify with views as signatures': each(
    () => new Uint8Array(crypto.createSign('sha256').update(TEXT).sign(rsa)),
    (view) => crypto.createVerify('sha256').update(TEXT).verify(rsa, view),
  ),
  'publicEncrypt of views': text((view) => hex(crypto.privateDecrypt(rsa, crypto.publicEncrypt(rsa, view)))),
  'privateDecrypt of views': each(
    () => sealed,
    (view) => hex(crypto.privateDecrypt(rsa, view)),
  ),
  'privateEncrypt of views': text((view) => hex(crypto.privateEncrypt(rsa, view))),
};

const keys: Readonly<Record<string, readonly Program[]>> = {
  'createSecretKey of views': key((view) => hex(crypto.createSecretKey(view).export())),
  'createPrivateKey of views in DER': each(
    () => der(ec, 'pkcs8'),
    (view) => crypto.createPrivateKey({ key: view as Buffer, format: 'der', type: 'pkcs8' }).asymmetricKeyType,
  ),
  'createPrivateKey of views in PEM': each(
    () => ascii(ED25519_PRIVATE),
    (view) => crypto.createPrivateKey({ key: view as Buffer, format: 'pem' }).asymmetricKeyType,
  ),
  'createPublicKey of views in DER': each(
    () => edSpki,
    (view) => crypto.createPublicKey({ key: view as Buffer, format: 'der', type: 'spki' }).asymmetricKeyType,
  ),
  'createPublicKey of views alone': each(
    () => ascii(EC_PRIVATE),
    (view) => crypto.createPublicKey(view as Buffer).asymmetricKeyType,
  ),
  'ECDH#setPrivateKey of views': key((view) => {
    const made = crypto.createECDH('prime256v1');
    made.setPrivateKey(view);
    return made.getPublicKey('hex');
  }),
  'ECDH#computeSecret of views': each(other, (view) => hex(ecdh().computeSecret(view))),
  'ECDH.convertKey of views': each(other, (view) => hex(crypto.ECDH.convertKey(view, 'prime256v1', undefined, undefined, 'compressed'))),
};

const web: Readonly<Record<string, readonly Program[]>> = {
  'subtle.digest of views': text(async (view) => hex(await subtle.digest('SHA-256', view))),
  'subtle.importKey of views': key(async (view) => hex(await subtle.exportKey('raw', await imported('AES-CBC', ['encrypt'], view)))),
  'subtle.importKey of views in PKCS #8': each(
    () => der(ed, 'pkcs8'),
    async (view) => (await subtle.importKey('pkcs8', view, 'Ed25519', true, ['sign'])).type,
  ),
  'subtle.encrypt of views': text((view) => used('AES-CBC', 'encrypt', (by) => subtle.encrypt({ name: 'AES-CBC', iv: IV }, by, view))),
  'subtle.encrypt begun by views': text((view) =>
    used('AES-CBC', 'encrypt', (by) => subtle.encrypt({ name: 'AES-CBC', iv: view }, by, TEXT as View)),
  ),
  'subtle.encrypt counting from views': text((view) =>
    used('AES-CTR', 'encrypt', (by) => subtle.encrypt({ name: 'AES-CTR', counter: view, length: 64 }, by, TEXT as View)),
  ),
  'subtle.encrypt with views beside': text((view) =>
    used('AES-GCM', 'encrypt', (by) => subtle.encrypt({ name: 'AES-GCM', iv: NONCE, additionalData: view }, by, TEXT as View)),
  ),
  'subtle.decrypt of views': each(
    () => Buffer.concat([gcm.content, gcm.tag]),
    (view) => used('AES-GCM', 'decrypt', (by) => subtle.decrypt({ name: 'AES-GCM', iv: NONCE }, by, view)),
  ),
  'subtle.sign of views': text((view) => used('HMAC', 'sign', (by) => subtle.sign('HMAC', by, view))),
  'subtle.sign of views by Ed25519': text(async (view) => hex(await subtle.sign('Ed25519', await edPrivate(), view))),
  'subtle.verify of views': text(async (view) => subtle.verify('Ed25519', await edPublic(), edSignature, view)),
  'subtle.verify with views as signatures': each(
    () => edSignature,
    async (view) => subtle.verify('Ed25519', await edPublic(), view, TEXT as View),
  ),
  'subtle.deriveBits with views as salts': text(async (view) =>
    hex(
      await subtle.deriveBits(
        { name: 'PBKDF2', hash: 'SHA-256', salt: view, iterations: 1 },
        await subtle.importKey('raw', KEY as View, 'PBKDF2', false, ['deriveBits']),
        64,
      ),
    ),
  ),
  'subtle.deriveBits with views as info': text(async (view) =>
    hex(
      await subtle.deriveBits(
        { name: 'HKDF', hash: 'SHA-256', salt: IV, info: view },
        await subtle.importKey('raw', KEY as View, 'HKDF', false, ['deriveBits']),
        64,
      ),
    ),
  ),
  'subtle.unwrapKey of views': each(
    () => {
      const running = crypto.createCipheriv('id-aes256-wrap', KEY as View, Buffer.alloc(8, 0xa6));
      return new Uint8Array(running.update(TEXT as View));
    },
    async (view) => {
      const by = await imported('AES-KW', ['unwrapKey']);
      return hex(await subtle.exportKey('raw', await subtle.unwrapKey('raw', view, by, 'AES-KW', 'AES-CBC', true, ['encrypt'])));
    },
  ),
  'subtle with a view that changes after the call': ['digest', 'sign'].map((name) => async () => {
    const by = await imported('HMAC', ['sign']);
    const view = TEXT.slice() as View;
    const pending = name === 'digest' ? subtle.digest('SHA-256', view) : subtle.sign('HMAC', by, view);
    view.fill(0);
    return hex(await pending);
  }),
};

const members = { ...hashes, ...random, ...derived, ...ciphers, ...signatures, ...keys, ...web };
/** Older versions take other views, with other errors. */
const JUDGE = 26;

export default cases('views given to crypto', members, { since: Object.fromEntries(Object.keys(members).map((name) => [name, JUDGE])) });
