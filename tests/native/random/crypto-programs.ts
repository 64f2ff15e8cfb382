/**
 * Random programs for `node:crypto`: an object is made and called, in any order, with data that fits more
 * often than not.
 */
import crypto from 'node:crypto';
import { EC_PRIVATE, ED25519_PRIVATE, PSS_PRIVATE, RSA_PRIVATE, X_PRIVATE } from '../modules/crypto-keys.ts';
import { alive, bytes, type Bytes, type Call, fewer, type Kind, shown, someBytes, thrown } from './kind.ts';
import type { Random } from './random.ts';

export interface CryptoProgram {
  readonly kind: 'crypto';
  /**
   * A function of `crypto` that makes an object, with its arguments; the calls are of that object, or of
   * `crypto` itself without one.
   */
  readonly start: Call | null;
  readonly calls: readonly Call[];
}

type Any = never;

const HASHES = ['md5', 'sha1', 'sha256', 'SHA512', 'sha3-256', 'shake128', 'RSA-SHA256', 'ripemd160', 'sha512-256', 'nope'] as const;
const ENCODINGS = [null, null, null, 'hex', 'base64', 'base64url', 'latin1', 'utf8', 'buffer', 'ucs2', 'nope'] as const;
const KINDS = ['Uint8Array', 'ArrayBuffer', 'DataView'] as const;
const KEYS = { rsa: RSA_PRIVATE, pss: PSS_PRIVATE, ec: EC_PRIVATE, ed25519: ED25519_PRIVATE, x25519: X_PRIVATE } as const;
const KEY_NAMES = ['rsa', 'rsa', 'ec', 'ec', 'ed25519', 'pss', 'x25519'] as const;

/** Data for an `update`: bytes of some kind, or text with an encoding. */
function data(random: Random, content: Buffer): readonly unknown[] {
  if (random.chance(3)) {
    const encoding = random.pick(['hex', 'base64', 'latin1'] as const);
    return [content.toString(encoding), encoding];
  }
  if (random.chance(12)) return [random.pick([null, 5, '', 'text with ünïcöde', true])];
  return [bytes(content, random.chance(5) ? random.pick(KINDS) : undefined)];
}

function hashing(random: Random): CryptoProgram {
  const name = random.pick(HASHES);
  const options = random.chance(6) ? { outputLength: random.pick([0, 1, 16, 20, 32, 64, -1, 1.5]) } : null;
  const start: Call = random.chance(3) ? ['createHmac', name, bytes(someBytes(random))] : ['createHash', name, options];
  const calls = Array.from({ length: 1 + random.below(5) }, (): Call => {
    if (random.chance(2)) return ['update', ...data(random, someBytes(random))];
    if (random.chance(6)) return ['copy', random.chance(3) ? { outputLength: random.below(40) } : null];
    return ['digest', random.pick(ENCODINGS)];
  });
  return { kind: 'crypto', start, calls };
}

const CIPHERS = ['aes-128-gcm', 'aes-256-gcm', 'chacha20-poly1305', 'aes-256-cbc', 'aes-192-cbc', 'aes-256-ctr', 'aes-128-ecb'] as const;

function keyBytes(name: string): number {
  return Number(/\d{3}/.exec(name.replace('1305', ''))?.[0] ?? 256) / 8;
}

function vectorBytes(random: Random, name: string): number {
  if (random.chance(12)) return random.pick([0, 1, 8, 11, 13, 16, 128, 129]);
  if (name.endsWith('ecb')) return 0;
  return name.endsWith('gcm') || name.startsWith('chacha') ? 12 : 16;
}

/** What is encrypted, and its tag; of a cipher that cannot be made, nothing. */
function sealed(name: string, key: Buffer, iv: Buffer, text: Buffer, added: Buffer): readonly [Buffer, Buffer] {
  try {
    const cipher = crypto.createCipheriv(name as Any, key, iv, { authTagLength: 16 } as Any) as unknown as crypto.CipherGCM;
    if (added.length > 0) cipher.setAAD(added);
    const out = Buffer.concat([cipher.update(text), cipher.final()]);
    return [out, /gcm|poly/.test(name) ? cipher.getAuthTag() : Buffer.alloc(16)];
  } catch {
    return [text, Buffer.alloc(16)];
  }
}

function shuffledABit<T>(random: Random, list: T[]): T[] {
  if (!random.chance(4)) return list;
  const [one, other] = [random.below(list.length), random.below(list.length)];
  return list.map((_, index) => list[index === one ? other : index === other ? one : index] as T);
}

function ciphering(random: Random): CryptoProgram {
  const name = random.pick(CIPHERS);
  const key = someBytes(random, [random.chance(20) ? random.pick([0, 15, 33]) : keyBytes(name)]);
  const iv = someBytes(random, [vectorBytes(random, name)]);
  const text = random.chance(3) ? Buffer.from('aé€𝄞 '.repeat(random.below(20))) : someBytes(random);
  const added = random.chance(2) ? someBytes(random) : Buffer.alloc(0);
  const options = random.chance(3) ? { authTagLength: random.pick([16, 16, 12, 4, 8, 15, 1, 0, 17, 5, -1, 1.5]) } : null;
  const decrypts = random.chance(2);
  const encoding = random.pick(ENCODINGS);
  const [content, tag] = decrypts ? sealed(name, key, iv, text, added) : [text, Buffer.alloc(0)];
  const given = random.chance(4) ? random.spoiled(content) : content;
  const calls: Call[] = [];
  if (random.chance(8)) calls.push(['setAutoPadding', random.chance(2)]);
  if (added.length > 0) calls.push(['setAAD', bytes(added)]);
  if (decrypts && !random.chance(6)) calls.push(['setAuthTag', bytes(random.chance(6) ? random.spoiled(tag) : tag)]);
  for (const part of random.pieces(given, 3)) {
    const [what, inputEncoding] = data(random, part);
    calls.push(['update', what, inputEncoding ?? null, encoding]);
  }
  calls.push(['final', random.chance(10) ? random.pick(ENCODINGS) : encoding]);
  if (!decrypts || random.chance(8)) calls.push(['getAuthTag']);
  if (random.chance(6)) calls.push(random.pick<Call>([['final'], ['update', 'x'], ['setAAD', 'x'], ['setAutoPadding'], ['getAuthTag']]));
  const start: Call = [
    decrypts ? 'createDecipheriv' : 'createCipheriv',
    random.chance(6) ? name.toUpperCase() : name,
    bytes(key),
    bytes(iv),
    options,
  ];
  return { kind: 'crypto', start, calls: shuffledABit(random, calls) };
}

function signatureOptions(random: Random): Record<string, unknown> {
  return {
    ...(random.chance(2) ? { padding: random.pick([1, 1, 6, 6, 4, 3, 0, 2]) } : {}),
    ...(random.chance(3) ? { saltLength: random.pick([0, 1, 20, 32, 64, 200, 500, -1, -2, -3]) } : {}),
    ...(random.chance(4) ? { dsaEncoding: random.pick(['der', 'ieee-p1363', 'other']) } : {}),
  };
}

/** Signatures that may be another each time show that they fit. */
function signing(random: Random): CryptoProgram {
  const key = random.pick(KEY_NAMES);
  const hash = random.chance(3) ? null : random.pick(HASHES);
  const options = signatureOptions(random);
  const other = random.chance(3) ? signatureOptions(random) : options;
  const message = bytes(someBytes(random));
  const calls: Call[] = [['signed', key, hash, message, options]];
  calls.push([
    'verified',
    random.chance(6) ? random.pick(KEY_NAMES) : key,
    hash,
    message,
    other,
    random.chance(3) ? random.below(600) : null,
  ]);
  if (random.chance(2)) calls.push(['streamed', key, hash ?? 'sha256', message, options, random.below(3)]);
  return { kind: 'crypto', start: null, calls };
}

function deriving(random: Random): CryptoProgram {
  const [secret, salt] = [bytes(someBytes(random)), bytes(someBytes(random))];
  const length = random.pick([0, 1, 16, 32, 33, 64, 100]);
  const calls: Call[] = [
    ['pbkdf2Sync', secret, salt, 1 + random.below(20), length, random.pick(HASHES)],
    ['hkdfSync', random.pick(HASHES), secret, salt, bytes(someBytes(random)), random.chance(8) ? 20_000 : length],
    [
      'scryptSync',
      secret,
      salt,
      length,
      { N: random.pick([2, 4, 16, 64, 3, 1, 0]), r: random.pick([1, 2, 8, 0]), p: random.pick([1, 2, 0]) },
    ],
    ['hash', random.pick(HASHES), secret, random.pick(['hex', 'buffer', 'base64', 'nope'])],
    ['timingSafeEqual', secret, random.chance(2) ? secret : salt],
  ];
  return { kind: 'crypto', start: null, calls: [random.pick(calls)] };
}

const makers = [hashing, ciphering, ciphering, signing, deriving];

interface Signer {
  update(data: unknown): Signer;
  sign(key: unknown): Buffer;
  verify(key: unknown, signature: unknown): boolean;
}

const privateKey = (name: string): crypto.KeyObject => crypto.createPrivateKey(KEYS[name as keyof typeof KEYS]);
const publicKey = (name: string): crypto.KeyObject => crypto.createPublicKey(KEYS[name as keyof typeof KEYS]);

/** Length of a signature, and whether it fits; DER has some. */
function signed(name: string, hash: Any, message: Any, options: object): unknown {
  const signature = crypto.sign(hash, message, { key: privateKey(name), ...options } as Any) as unknown as Buffer;
  const isDer = name === 'ec' && (options as { dsaEncoding?: string }).dsaEncoding !== 'ieee-p1363';
  return `${isDer ? 'DER' : signature.length} ${crypto.verify(hash, message, { key: publicKey(name), ...options } as Any, signature)}`;
}

/** Does a signature with the usual options fit, with one bit changed where `spoiled` says so? */
function verified(name: string, hash: Any, message: Any, options: object, spoiled?: number): unknown {
  const signature = crypto.sign(hash, message, privateKey(name)) as unknown as Buffer;
  if (spoiled !== undefined && signature.length > 0) (signature[spoiled % signature.length] as number) ^= 1;
  return crypto.verify(hash, message, { key: publicKey(name), ...options } as Any, signature);
}

/** The same by `Sign` and `Verify`, some pieces at a time. */
function streamed(name: string, hash: string, message: Buffer, options: object, more: number): unknown {
  const fed = (signer: Signer): Signer => {
    for (let count = 0; count < more; count += 1) signer.update(message);
    return signer.update(message);
  };
  const signature = fed(crypto.createSign(hash) as unknown as Signer).sign({ key: privateKey(name), ...options });
  return fed(crypto.createVerify(hash) as unknown as Signer).verify({ key: publicKey(name), ...options }, signature);
}

const OURS: Readonly<Record<string, (...args: never[]) => unknown>> = { signed, verified, streamed };

function outcome(work: () => unknown): { readonly value?: unknown; readonly shown: unknown } {
  try {
    const value = work();
    return { value, shown: shown(value) };
  } catch (error) {
    return { shown: thrown(error) };
  }
}

function run({ start, calls }: CryptoProgram): unknown {
  let object: unknown = crypto;
  const seen: unknown[] = [];
  if (start !== null) {
    const [name, ...args] = start;
    const made = outcome(() => (crypto as unknown as Record<string, (...args: unknown[]) => unknown>)[name]?.(...args.map(alive)));
    if (made.value === undefined) return made.shown;
    object = made.value;
  }
  // What was never authenticated Node gives of ChaCha20-Poly1305 all the same; the QuickJS host does not.
  let isUnsure = start !== null && start[0] === 'createDecipheriv' && /chacha/i.test(String(start[1]));
  for (const [name, ...args] of calls) {
    const own = start === null ? OURS[name] : undefined;
    const method = own ?? (object as Record<string, (...args: unknown[]) => unknown>)[name];
    const done = outcome(() => (method as (...args: unknown[]) => unknown).apply(object, args.map(alive)));
    if (name === 'copy' && done.value !== undefined) object = done.value;
    if (name === 'setAuthTag' && done.value !== undefined) isUnsure = false;
    seen.push([name, name === 'final' && isUnsure ? 'not authenticated' : done.shown]);
  }
  return seen;
}

function* smallerArguments(call: Call): Generator<Call> {
  for (const [index, argument] of call.entries()) {
    const hex = (argument as Partial<Bytes> | null)?.hex;
    if (hex === undefined || hex.length === 0) continue;
    const half = Math.ceil(hex.length / 4) * 2;
    for (const less of ['', hex.slice(0, half), hex.slice(2)]) {
      if (less.length < hex.length)
        yield call.map((other, at) => (at === index ? { ...(other as Bytes), hex: less } : other)) as unknown as Call;
    }
  }
}

function* smaller(program: CryptoProgram): Generator<CryptoProgram> {
  for (const calls of fewer(program.calls)) yield { ...program, calls };
  for (const [index, call] of program.calls.entries()) {
    for (const less of smallerArguments(call)) yield { ...program, calls: program.calls.map((other, at) => (at === index ? less : other)) };
  }
}

export const cryptoKind: Kind<CryptoProgram> = {
  make: (random) => random.pick(makers)(random),
  answer: (program) => Promise.resolve(run(program)),
  smaller,
};
