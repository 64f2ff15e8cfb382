/** The kinds of random programs, and those for `node:zlib` and `fetch`. */
import zlib from 'node:zlib';
import { answered, fetched } from '../modules/fetch-replies.ts';
import type { End } from '../modules/fetch-replies.ts';
import { unpacked } from '../modules/zlib-unpacked.ts';
import { type CryptoProgram, cryptoKind } from './crypto-programs.ts';
import type { Kind } from './kind.ts';
import type { Random } from './random.ts';
import { tlsKind, type TlsProgram } from './tls-programs.ts';
import { webCryptoKind, type WebCryptoProgram } from './web-crypto-programs.ts';

export interface Unpack {
  readonly kind: 'zlib';
  readonly Class: string;
  /** In hexadecimal. */
  readonly parts: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

export interface Fetch {
  readonly kind: 'fetch';
  /** In hexadecimal; sent one by one. */
  readonly parts: readonly string[];
  readonly end: End;
  readonly method: string;
}

export type Program = Unpack | Fetch | CryptoProgram | WebCryptoProgram | TlsProgram;

const FORMATS = [
  ['gzipSync', 'Gunzip'],
  ['gzipSync', 'Unzip'],
  ['deflateSync', 'Inflate'],
  ['deflateSync', 'Unzip'],
  ['deflateRawSync', 'InflateRaw'],
  ['brotliCompressSync', 'BrotliDecompress'],
  ['zstdCompressSync', 'ZstdDecompress'],
] as const;

function content(random: Random): Buffer {
  const text = random.pick(['', 'a', 'hello ', 'the quick brown fox ', '0123456789'.repeat(20)]);
  const bytes = Buffer.from(text.repeat(random.below(6)));
  return random.chance(4) ? Buffer.concat([bytes, Buffer.from(Array.from({ length: 40 }, () => random.below(256)))]) : bytes;
}

function unpack(random: Random): Unpack {
  const [pack, Class] = random.pick(FORMATS);
  const parts = Array.from({ length: 1 + random.below(3) }, () => {
    const packed = zlib[pack](content(random)) as Buffer;
    if (random.chance(3)) return random.spoiled(packed);
    return random.chance(8) ? Buffer.alloc(random.below(5)) : packed;
  });
  const options: Record<string, unknown> = {};
  if (random.chance(3)) options['chunkSize'] = 64 + random.below(3);
  if (random.chance(4)) options['rejectGarbageAfterEnd'] = random.chance(2);
  if (random.chance(6)) options['maxOutputLength'] = 1 + random.below(100);
  if (random.chance(5)) options['finishFlush'] = random.below(3);
  return { kind: 'zlib', Class, parts: parts.map((part) => part.toString('hex')), options };
}

const chunksOf = (random: Random, body: Buffer): Buffer =>
  Buffer.concat([
    ...random
      .pieces(body, 3)
      .flatMap((part) => (part.length === 0 ? [] : [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')])),
    Buffer.from('0\r\n\r\n'),
  ]);

function reply(random: Random): Buffer {
  const body = Buffer.from('body of the reply '.slice(0, random.below(18)));
  const status = random.pick([
    '200 OK',
    '200 OK',
    '200 OK',
    '404 Not Found',
    '204 No Content',
    '304 Not Modified',
    '500 ',
    '103 Early Hints',
  ]);
  const fields = [random.pick(['x: y', 'Set-Cookie: a=b', 'connection: close', 'connection: keep-alive'])];
  const framing = random.below(4);
  // undici takes chunks that break off for whole when the connection was to be closed anyway; here they never
  // are.
  if (framing === 0) fields.splice(0, 1, 'Transfer-Encoding: chunked');
  if (framing === 1 || framing === 2) fields.push(`content-length: ${body.length + (random.chance(5) ? random.below(5) : 0)}`);
  const version = framing !== 0 && random.chance(6) ? '1.0' : '1.1';
  const head = Buffer.from(`HTTP/${version} ${status}\r\n${fields.join('\r\n')}\r\n\r\n`);
  return Buffer.concat([head, framing === 0 ? chunksOf(random, body) : body]);
}

/** The QuickJS host's parser takes nothing but text behind a status; Node's takes any byte, and shows it. */
// oxlint-disable-next-line no-control-regex -- these are meant
const ODD_FIRST_LINE = /^[^\r\n]*[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u00ff]/;

/** A space behind a length is part of it for undici, which then finds content of another length. */
const ODD_LENGTH = /content-length: *\d+[ \t]/i;

function fetching(random: Random): Fetch {
  const right = reply(random);
  const spoiled = random.spoiled(right);
  const isOdd = ODD_FIRST_LINE.test(spoiled.toString('latin1')) || ODD_LENGTH.test(spoiled.toString('latin1'));
  const bytes = random.chance(3) || isOdd ? right : spoiled;
  const parts = random.pieces(bytes, 3).filter((part) => part.length > 0);
  const end = random.pick<End>(['ends', 'ends', 'ends', 'resets']);
  return {
    kind: 'fetch',
    // Before a reset what was sent must have been read.
    parts: [...parts, ...(end === 'resets' ? [Buffer.alloc(0)] : [])].map((part) => part.toString('hex')),
    end,
    method: random.pick(['GET', 'GET', 'POST', 'HEAD']),
  };
}

const bytesOf = (parts: readonly string[]): Buffer[] => parts.map((part) => Buffer.from(part, 'hex'));

/**
 * Without the cause of an error: of bytes with more than one mistake, or with one and an end, parsers name
 * either. What single mistakes lead to is compared whole in `modules/fetch-faults.cases.ts`.
 */
function withoutCause(shown: unknown): unknown {
  if (!Array.isArray(shown)) return shown;
  // undici forgets the words behind the status when they come in two pieces.
  const known: unknown[] = typeof shown[0] === 'number' ? shown.with(1, '') : shown;
  return known.map((part: unknown) => (Array.isArray(part) ? part.slice(0, 3) : part));
}

/** Programs that are a little less than `program`: without a part, or with less in one. */
function* fewerParts<T extends Unpack | Fetch>(program: T): Generator<T> {
  const { parts } = program;
  for (const index of parts.keys()) yield { ...program, parts: parts.filter((_, other) => other !== index) };
  for (const [index, part] of parts.entries()) {
    const half = Math.ceil(part.length / 4) * 2;
    for (const less of [part.slice(0, half), part.slice(half), part.slice(2), part.slice(0, -2)]) {
      if (less.length < part.length) yield { ...program, parts: parts.map((other, at) => (at === index ? less : other)) };
    }
  }
}

const zlibKind: Kind<Unpack> = {
  make: unpack,
  answer: ({ Class, parts, options }) => unpacked(Class, Buffer.concat(bytesOf(parts)), options),
  *smaller(program) {
    for (const name of Object.keys(program.options)) {
      const { [name]: _left, ...options } = program.options;
      yield { ...program, options };
    }
    yield* fewerParts(program);
  },
};

const fetchKind: Kind<Fetch> = {
  make: fetching,
  answer({ parts, end, method }) {
    const sent = bytesOf(parts).map((part) => part.toString('latin1'));
    return answered([sent, end], (url) => fetched(url, { method })).then(withoutCause);
  },
  *smaller(program) {
    if (program.method !== 'GET') yield { ...program, method: 'GET' };
    yield* fewerParts(program);
  },
};

export const KINDS = {
  zlib: zlibKind,
  fetch: fetchKind,
  crypto: cryptoKind,
  webcrypto: webCryptoKind,
  tls: tlsKind,
} as Readonly<Record<Program['kind'], Kind<Program>>>;

/** What a program shows. */
export function answer(program: Program): Promise<unknown> {
  return KINDS[program.kind].answer(program);
}
