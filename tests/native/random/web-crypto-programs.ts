/**
 * Random programs for the Web Cryptography API: keys are imported, used and exported, with algorithms that
 * fit more often than not.
 */
import crypto from 'node:crypto';
import { EC_PRIVATE, ED25519_PRIVATE, RSA_PRIVATE, X_PRIVATE } from '../modules/crypto-keys.ts';
import { alive, bytes, type Call, fewer, type Kind, shown, someBytes } from './kind.ts';
import type { Random } from './random.ts';

export interface WebCryptoProgram {
  readonly kind: 'webcrypto';
  /** Keys by their place: arguments of `importKey`. */
  readonly keys: readonly (readonly unknown[])[];
  /** Methods of `subtle`; `{ key: 0 }` is the first key, `{ last: true }` what the call before gave. */
  readonly calls: readonly Call[];
}

const HASHES = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512', 'sha-256', 'MD5'] as const;
const USES = ['encrypt', 'decrypt', 'sign', 'verify', 'deriveKey', 'deriveBits', 'wrapKey', 'unwrapKey'] as const;
const AES = ['AES-GCM', 'AES-CBC', 'AES-CTR', 'AES-KW'] as const;

const der = (pem: string, type: 'pkcs8' | 'spki'): Buffer =>
  type === 'pkcs8'
    ? crypto.createPrivateKey(pem).export({ format: 'der', type })
    : crypto.createPublicKey(pem).export({ format: 'der', type });
const jwk = (pem: string): object => crypto.createPrivateKey(pem).export({ format: 'jwk' });

function uses(random: Random, usual: readonly string[]): string[] {
  if (!random.chance(6)) return [...usual];
  return Array.from({ length: random.below(3) }, () => random.pick(USES));
}

const hash = (random: Random): string => (random.chance(12) ? 'MD5' : random.pick(HASHES.slice(0, 5)));
const extractable = (random: Random): boolean => !random.chance(4);
const maybe = (random: Random, content: Buffer): Buffer => (random.chance(10) ? random.spoiled(content) : content);

function aesParameters(random: Random, name: string): Record<string, unknown> {
  const iv = bytes(someBytes(random, [random.chance(8) ? random.pick([0, 8, 11, 13, 17]) : name === 'AES-GCM' ? 12 : 16]));
  if (name === 'AES-CTR') return { name, counter: iv, length: random.pick([64, 128, 1, 8, 32, 0, 129]) };
  if (name === 'AES-KW') return { name };
  const more = {
    ...(random.chance(3) ? { additionalData: bytes(someBytes(random)) } : {}),
    ...(random.chance(3) ? { tagLength: random.pick([128, 96, 32, 0, 16, 127, 136]) } : {}),
  };
  return name === 'AES-GCM' ? { name, iv, ...more } : { name, iv };
}

function aes(random: Random): WebCryptoProgram {
  const name = random.pick(AES);
  const usual = name === 'AES-KW' ? ['wrapKey', 'unwrapKey'] : ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'];
  const size = random.chance(10) ? random.pick([0, 8, 33]) : random.pick([16, 24, 32]);
  const keys = [
    ['raw', bytes(someBytes(random, [size])), { name }, extractable(random), uses(random, usual)],
    ['raw', bytes(someBytes(random, [16, 32, 40])), { name: 'HMAC', hash: hash(random) }, extractable(random), ['sign']],
  ];
  const parameters = aesParameters(random, name);
  const other = random.chance(6) ? aesParameters(random, random.pick(AES)) : parameters;
  const calls: Call[] =
    name === 'AES-KW' || random.chance(4)
      ? [
          ['wrapKey', 'raw', { key: 1 }, { key: 0 }, parameters],
          ['unwrapKey', 'raw', { last: true }, { key: 0 }, other, { name: 'HMAC', hash: 'SHA-256' }, true, ['sign']],
        ]
      : [
          ['encrypt', parameters, { key: 0 }, bytes(someBytes(random), random.chance(4) ? 'ArrayBuffer' : undefined)],
          ['decrypt', other, { key: 0 }, random.chance(6) ? bytes(someBytes(random)) : { last: true }],
        ];
  return { kind: 'webcrypto', keys, calls };
}

function hmac(random: Random): WebCryptoProgram {
  const algorithm = { name: 'HMAC', hash: hash(random), ...(random.chance(5) ? { length: random.pick([0, 1, 8, 64, 512, 9]) } : {}) };
  const content = someBytes(random);
  const asJwk = { kty: 'oct', k: content.toString('base64url'), alg: random.pick(['HS256', 'HS512', 'HS1']), ext: random.chance(2) };
  const key = random.chance(3) ? ['jwk', asJwk] : ['raw', bytes(content)];
  const data = bytes(someBytes(random));
  return {
    kind: 'webcrypto',
    keys: [[...key, algorithm, extractable(random), uses(random, ['sign', 'verify'])]],
    calls: [
      ['sign', 'HMAC', { key: 0 }, data],
      ['verify', 'HMAC', { key: 0 }, { last: true }, random.chance(6) ? bytes(someBytes(random)) : data],
      ['exportKey', random.pick(['raw', 'jwk', 'spki', 'nope']), { key: 0 }],
    ],
  };
}

/** Import of a pair's halves, and signatures that show only whether they fit. */
function pairs(random: Random): WebCryptoProgram {
  const [pem, algorithm, sign] = random.pick([
    [RSA_PRIVATE, { name: 'RSASSA-PKCS1-v1_5', hash: hash(random) }, 'RSASSA-PKCS1-v1_5'],
    [RSA_PRIVATE, { name: 'RSA-PSS', hash: hash(random) }, { name: 'RSA-PSS', saltLength: random.pick([0, 20, 32, 300, -1]) }],
    [EC_PRIVATE, { name: 'ECDSA', namedCurve: random.pick(['P-256', 'P-256', 'P-384']) }, { name: 'ECDSA', hash: hash(random) }],
    [ED25519_PRIVATE, { name: 'Ed25519' }, { name: 'Ed25519' }],
    [X_PRIVATE, { name: 'X25519' }, { name: 'Ed25519' }],
  ] as const);
  const data = bytes(someBytes(random));
  // With a key of RSA whose numbers do not fit, Node computes something.
  const secret = der(pem, 'pkcs8');
  const priv = random.chance(3) ? ['jwk', jwk(pem)] : ['pkcs8', bytes(pem === RSA_PRIVATE ? secret : maybe(random, secret))];
  return {
    kind: 'webcrypto',
    keys: [
      [...priv, algorithm, extractable(random), uses(random, algorithm.name === 'X25519' ? ['deriveBits'] : ['sign'])],
      ['spki', bytes(maybe(random, der(pem, 'spki'))), algorithm, true, uses(random, algorithm.name === 'X25519' ? [] : ['verify'])],
    ],
    calls: [
      ['sign', sign, { key: 0 }, data],
      ['verify', sign, { key: 1 }, { last: true }, data],
      ['exportKey', random.pick(['spki', 'jwk', 'raw', 'pkcs8']), { key: random.below(2) }],
      ...(algorithm.name === 'X25519'
        ? [['deriveBits', { name: 'X25519', public: { key: 1 } }, { key: 0 }, random.pick([256, 128, 0, 8, 7, 264])] as const]
        : []),
    ],
  };
}

function derived(random: Random): WebCryptoProgram {
  const name = random.pick(['PBKDF2', 'HKDF']);
  const salt = bytes(someBytes(random));
  const parameters =
    name === 'PBKDF2'
      ? { name, salt, hash: hash(random), iterations: random.pick([1, 2, 100, 0]) }
      : { name, salt, hash: hash(random), info: bytes(someBytes(random)) };
  return {
    kind: 'webcrypto',
    keys: [
      ['raw', bytes(someBytes(random)), random.chance(2) ? name : { name }, random.chance(8), uses(random, ['deriveBits', 'deriveKey'])],
    ],
    calls: [
      ['deriveBits', parameters, { key: 0 }, random.pick([128, 256, 0, 7, 12, 512, 100_000])],
      [
        'deriveKey',
        parameters,
        { key: 0 },
        { name: random.pick(AES), length: random.pick([128, 192, 256, 100]) },
        true,
        uses(random, ['encrypt', 'wrapKey'].slice(random.below(2))),
      ],
      ['digest', random.chance(2) ? hash(random) : { name: hash(random) }, salt],
    ],
  };
}

const makers = [aes, aes, hmac, pairs, derived];

/** Of a signature that may be another each time, its length. */
const RANDOM = ['RSA-PSS', 'ECDSA'];

const isReference = (value: unknown): value is { key?: number; last?: true } =>
  typeof value === 'object' && value !== null && ('key' in value || 'last' in value);

function resolved(value: unknown, keys: readonly unknown[], last: unknown): unknown {
  if (isReference(value)) return value.last === true ? last : keys[value.key ?? 0];
  if (typeof value !== 'object' || value === null || Array.isArray(value) || 'hex' in value) return alive(value);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolved(member, keys, last)]));
}

/**
 * What for is not told: of arguments with two mistakes, either may be named. Single ones are compared whole
 * in `modules/crypto-web.cases.ts`.
 */
const refused = (): string => 'refused';

function told(method: string, args: readonly unknown[], value: unknown): unknown {
  const name = (args[0] as { name?: string } | undefined)?.name ?? '';
  if (method === 'sign' && RANDOM.includes(name)) return (value as ArrayBuffer).byteLength;
  if (value instanceof ArrayBuffer || typeof value !== 'object' || value === null) return shown(value);
  const { type, extractable: may, usages, algorithm } = value as CryptoKey;
  return type === undefined ? value : [type, may, usages, JSON.stringify(algorithm)];
}

async function run({ keys: given, calls }: WebCryptoProgram): Promise<unknown> {
  const { subtle } = crypto.webcrypto as unknown as { subtle: Record<string, (...args: unknown[]) => Promise<unknown>> };
  const seen: unknown[] = [];
  const call = async (method: string, args: readonly unknown[]): Promise<unknown> => {
    try {
      const value = await subtle[method]?.(...args);
      seen.push([method, told(method, args, value)]);
      return value;
    } catch {
      seen.push([method, refused()]);
      return undefined;
    }
  };
  const keys: unknown[] = [];
  for (const args of given) keys.push(await call('importKey', args.map(alive)));
  let last: unknown;
  for (const [method, ...args] of calls) {
    const made = args.map((one) => resolved(one, keys, last));
    // Who uses a key that was not imported hears of that and nothing else.
    last = (await call(method, made)) ?? new ArrayBuffer(0);
  }
  return seen;
}

function* smaller(program: WebCryptoProgram): Generator<WebCryptoProgram> {
  for (const calls of fewer(program.calls)) yield { ...program, calls };
}

export const webCryptoKind: Kind<WebCryptoProgram> = { make: (random) => random.pick(makers)(random), answer: run, smaller };
