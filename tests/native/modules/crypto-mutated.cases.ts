/**
 * node:crypto: keys in DER and PEM that were changed somewhere. What OpenSSL refuses is no key here either.
 */
import crypto from 'node:crypto';
import { cases, type Program } from '../harness/cases.ts';
import { EC_PRIVATE, ED25519_PRIVATE, PSS_PRIVATE, RSA_PRIVATE, X_PRIVATE } from './crypto-keys.ts';

type Any = never;
type Type = 'pkcs1' | 'pkcs8' | 'sec1' | 'spki';

/** Numbers that are the same on both sides. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return Math.floor((state / 0x8000_0000) * below);
  };
}

/** Where one value of the DER begins, of all that are nested in each other. */
function places(der: Uint8Array, from = 0, to = der.length): number[] {
  const found: number[] = [];
  for (let at = from; at + 1 < to;) {
    const first = der[at + 1] as number;
    const digits = first < 0x80 ? 0 : first - 0x80;
    if (digits > 3 || at + 2 + digits > to) return found;
    let length = digits === 0 ? first : 0;
    for (let digit = 0; digit < digits; digit += 1) length = length * 256 + (der[at + 2 + digit] as number);
    const start = at + 2 + digits;
    if (start + length > to) return found;
    found.push(at);
    const tag = der[at] as number;
    if ((tag & 0x20) !== 0 || tag === 4) found.push(...places(der, start, start + length));
    if (tag === 3) found.push(...places(der, start + 1, start + length));
    at = start + length;
  }
  return found;
}

const INTERESTING = [0, 1, 2, 3, 4, 5, 6, 0x0c, 0x10, 0x30, 0x31, 0x7f, 0x80, 0x81, 0x82, 0xa0, 0xa1, 0xff];

/** Where the names of algorithms are: OpenSSL knows more of them. */
function names(der: Uint8Array): ReadonlySet<number> {
  const inside = (place: number): number[] => Array.from({ length: der[place + 1] as number }, (_, at) => place + 2 + at);
  return new Set(places(der).flatMap((place) => (der[place] === 6 ? inside(place) : [])));
}

/** Changes at the heads of values, and anywhere. */
function* mutations(der: Uint8Array, seed: number): Generator<readonly [string, Uint8Array]> {
  const changed = (at: number, value: number): Uint8Array => Uint8Array.from(der, (byte, place) => (place === at ? value : byte));
  const named = names(der);
  for (const place of places(der)) {
    for (const at of [place, place + 1, place + 2]) {
      for (const value of INTERESTING) if (at < der.length && der[at] !== value) yield [`${at}=${value}`, changed(at, value)];
      yield [`${at}+1`, changed(at, ((der[at] ?? 0) + 1) & 255)];
      yield [`${at}-1`, changed(at, ((der[at] ?? 0) + 255) & 255)];
    }
    yield [`cut ${place}`, der.subarray(0, place)];
    yield [`without ${place}`, Uint8Array.from([...der.subarray(0, place), ...der.subarray(place + 1)])];
    yield [`two ${place}`, Uint8Array.from([...der.subarray(0, place), 0, ...der.subarray(place)])];
  }
  yield ['more', Uint8Array.from([...der, 0])];
  yield ['as it is', der];
  const next = numbers(seed);
  for (let count = 0; count < 200; count += 1) {
    const [at, value] = [next(der.length), next(256)];
    if (named.has(at)) continue;
    yield [`${at}:=${value}`, changed(at, value)];
  }
}

function isTaken(key: Uint8Array, type: Type, secret: boolean): boolean {
  try {
    const options = { key: Buffer.from(key), format: 'der', type } as Any;
    if (secret) crypto.createPrivateKey(options);
    else crypto.createPublicKey(options);
    return true;
  } catch {
    return false;
  }
}

/** Which mutations of a key are still one. */
const taken = (text: string, type: Type, secret: boolean): Program => {
  return () => {
    const key = secret ? crypto.createPrivateKey(text) : crypto.createPublicKey(text);
    const der = key.export({ format: 'der', type } as Any) as unknown as Buffer;
    const found: string[] = [];
    let count = 0;
    for (const [name, bytes] of mutations(new Uint8Array(der), der.length)) {
      count += 1;
      if (isTaken(bytes, type, secret)) found.push(name);
    }
    return { count, found };
  };
};

const CHARACTERS = [0, 9, 10, 13, 32, 33, 45, 58, 61, 65, 0x80, 0xff];
const PREAMBLES = [
  '\u00ff\u00fe binary\n',
  'text\n',
  'text',
  '\ufeff',
  ' ',
  '\n\n',
  '-----BEGIN X-----\n',
  '-----BEGIN X-----\nAAAA\n-----END X-----\n',
];

/** Another character, one more or one less, anywhere; and text in front of it. */
function* textMutations(text: Buffer): Generator<readonly [string, Buffer]> {
  for (let at = 0; at < text.length; at += 1) {
    const [before, after] = [text.subarray(0, at), text.subarray(at + 1)];
    for (const character of CHARACTERS) {
      yield [`${at}=${character}`, Buffer.concat([before, Buffer.from([character]), after])];
      yield [`${at}+${character}`, Buffer.concat([before, Buffer.from([character]), text.subarray(at)])];
    }
    yield [`cut ${at}`, before];
    yield [`without ${at}`, Buffer.concat([before, after])];
  }
  for (const preamble of PREAMBLES) {
    for (const encoding of ['latin1', 'utf8'] as const)
      yield [`${preamble} ${encoding}`, Buffer.concat([Buffer.from(preamble, encoding), text])];
  }
  yield ['lines of Windows', Buffer.from(text.toString().replaceAll('\n', '\r\n'))];
}

const takenText = (text: string, secret: boolean, isPublic = false): Program => {
  return () => {
    const pem = isPublic ? (crypto.createPublicKey(text).export({ format: 'pem', type: 'spki' }) as string) : text;
    const found: string[] = [];
    for (const [name, changed] of textMutations(Buffer.from(pem))) {
      try {
        if (secret) crypto.createPrivateKey(changed);
        else crypto.createPublicKey(changed);
        found.push(name);
      } catch {
        // Not taken.
      }
    }
    return found;
  };
};

/** A point in all its forms, and in forms that lie about it. */
function points(): unknown {
  const own = crypto.createECDH('prime256v1');
  own.setPrivateKey('01', 'hex');
  const others = (['uncompressed', 'compressed', 'hybrid'] as const).map(
    (format) => own.getPublicKey(null as Any, format) as unknown as Buffer,
  );
  return others.flatMap((point) =>
    [0, 1, 2, 3, 4, 5, 6, 7, 8].flatMap((first) =>
      [point, Buffer.concat([point, Buffer.alloc(1)]), point.subarray(1)].map((bytes) => {
        const changed = Buffer.concat([Buffer.from([first]), bytes.subarray(1)]);
        try {
          return [
            crypto.ECDH.convertKey(changed, 'prime256v1', undefined, 'hex', 'uncompressed'),
            own.computeSecret(changed).toString('hex'),
          ];
        } catch (error) {
          return (error as Error).message;
        }
      }),
    ),
  );
}

const CONTENTS = [
  '',
  '00',
  '0000',
  '0080',
  '0500',
  '0401aa',
  '30',
  '7f',
  '020100',
  '2a8001',
  'ff7f',
  'ff80',
  '41'.repeat(13),
  '41'.repeat(15),
];

/** Which values of any type stand where an algorithm has parameters that nobody looks at. */
function parametersOfAnyType(): string[] {
  const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
    const content = Buffer.concat(parts);
    return Buffer.concat([Buffer.from(content.length < 128 ? [tag, content.length] : [tag, 0x81, content.length]), content]);
  };
  const rsa = Buffer.from('06092a864886f70d010101', 'hex');
  const numbers = [Buffer.alloc(64, 0xc3), Buffer.from([1, 0, 1])].map((number) => der(2, Buffer.from([0]), number));
  const bits = der(3, Buffer.from([0]), der(0x30, ...numbers));
  const found: string[] = [];
  for (let tag = 0; tag < 256; tag += 1) {
    for (const content of CONTENTS) {
      const key = der(0x30, der(0x30, rsa, der(tag, Buffer.from(content, 'hex'))), bits);
      if (isTaken(key, 'spki', false)) found.push(`${tag.toString(16)} ${content}`);
    }
  }
  return found;
}

export default cases(
  'crypto',
  {
    'parameters of any type': [parametersOfAnyType],
    'mutated keys: PEM': [
      takenText(EC_PRIVATE, true),
      takenText(EC_PRIVATE, false),
      takenText(EC_PRIVATE, false, true),
      takenText(ED25519_PRIVATE, true),
    ],
    'forms of points': [points],
    'mutated keys: RSA': [
      taken(RSA_PRIVATE, 'pkcs1', true),
      taken(RSA_PRIVATE, 'pkcs8', true),
      taken(RSA_PRIVATE, 'pkcs1', false),
      taken(RSA_PRIVATE, 'spki', false),
    ],
    'mutated keys: RSASSA-PSS': [taken(PSS_PRIVATE, 'pkcs8', true), taken(PSS_PRIVATE, 'spki', false)],
    'mutated keys: elliptic curves': [taken(EC_PRIVATE, 'sec1', true), taken(EC_PRIVATE, 'pkcs8', true), taken(EC_PRIVATE, 'spki', false)],
    'mutated keys: Ed25519 and X25519': [
      taken(ED25519_PRIVATE, 'pkcs8', true),
      taken(ED25519_PRIVATE, 'spki', false),
      taken(X_PRIVATE, 'pkcs8', true),
      taken(X_PRIVATE, 'spki', false),
    ],
  },
  {
    since: {
      'parameters of any type': 26,
      'mutated keys: PEM': 26,
      'forms of points': 26,
      'mutated keys: RSA': 26,
      'mutated keys: RSASSA-PSS': 26,
      'mutated keys: elliptic curves': 26,
      'mutated keys: Ed25519 and X25519': 26,
    },
  },
);
