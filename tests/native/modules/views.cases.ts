/**
 * What Node's functions do with views whose memory is gone, shorter or of another kind than they look. Where
 * the table of `tests/native/views` says what may be touched, this says what comes back.
 */
import { Buffer, isAscii, isUtf8 } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import zlib from 'node:zlib';
import { cases, type Program } from '../harness/cases.ts';

type Bytes = Uint8Array<ArrayBuffer>;
const TEXT = 'sixteen bytes !!';
const fresh = (): Bytes => Uint8Array.from(TEXT, (character) => character.charCodeAt(0));

function gone(bytes: number): Bytes {
  const memory = new (ArrayBuffer as unknown as new (bytes: number, options: object) => ArrayBuffer)(32, { maxByteLength: 64 });
  const view = new Uint8Array(memory, 8, 16).fill(0x41);
  (memory as unknown as { resize(bytes: number): void }).resize(bytes);
  return view;
}
function detached<T extends ArrayBufferView>(view: T): T {
  structuredClone(view.buffer, { transfer: [view.buffer as ArrayBuffer] });
  return view;
}
function following(bytes: number): Bytes {
  const memory = new (ArrayBuffer as unknown as new (bytes: number, options: object) => ArrayBuffer)(24, { maxByteLength: 64 });
  const view = new Uint8Array(memory, 8);
  (memory as unknown as { resize(bytes: number): void }).resize(bytes);
  return view.fill(0x41);
}
/** Claims to be shorter than it is: Node ends the process for most of those that claim to be longer. */
const lying = (): Bytes => Object.defineProperty(fresh(), 'byteLength', { value: 4 });
const shared = (): Uint8Array => {
  const view = new Uint8Array(new SharedArrayBuffer(16));
  view.set(fresh());
  return view;
};

const absent: readonly (() => Uint8Array)[] = [() => detached(fresh()), () => gone(20), () => gone(4)];
const present: readonly (() => Uint8Array)[] = [
  () => following(16),
  () => following(64),
  shared,
  () => new Uint16Array(fresh().buffer) as unknown as Uint8Array,
  () => new Float64Array(fresh().buffer) as unknown as Uint8Array,
  () => new DataView(fresh().buffer) as unknown as Uint8Array,
];
/** Of one that claims to be shorter, Node takes the claim in some places and the truth in others. */
const honest = [...absent, ...present];
const kinds = [...honest, lying];
const looksLikeOne = (): Uint8Array => ({ buffer: new ArrayBuffer(8), byteOffset: 0, byteLength: 8, length: 8 }) as unknown as Uint8Array;
/** Each kind of view in turn. */
const each = (
  work: (view: Uint8Array) => unknown,
  more: readonly (() => Uint8Array)[] = [looksLikeOne],
  all: readonly (() => Uint8Array)[] = kinds,
): Program[] => [...all, ...more].map((make) => () => work(make()));

const file = path.join(os.tmpdir(), `fulmar-views-${process.pid}`);
function written(write: (fd: number) => unknown): unknown {
  const fd = fs.openSync(file, 'w+');
  try {
    return [write(fd), fs.readFileSync(file, 'latin1')];
  } finally {
    fs.closeSync(fd);
    fs.rmSync(file);
  }
}
const streamed = (view: Uint8Array): Promise<string> =>
  new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const stream = new PassThrough();
    stream.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
    stream.on('end', () => resolve(Buffer.concat(parts).toString('latin1')));
    stream.end(view);
  });

export default cases(
  'views of all kinds',
  {
    'hash of a view': each((view) => crypto.createHash('sha256').update(view).digest('hex')),
    'HMAC of a view': each((view) => crypto.createHmac('sha256', 'key').update(view).digest('hex')),
    'HMAC with a view as its key': each((view) => crypto.createHmac('sha256', view).update('text').digest('hex'), [], honest),
    'random bytes for a view': each((view) => crypto.randomFillSync(view).byteLength),
    'comparison in constant time': each((view) => crypto.timingSafeEqual(view, fresh())),
    'a derived key of a view': each((view) => crypto.pbkdf2Sync(view, 'salt', 1, 8, 'sha256').toString('hex'), []),
    'a cipher fed with a view': each((view) => crypto.createCipheriv('aes-128-ctr', fresh(), fresh()).update(view).toString('hex')),
    'deflate and inflate of a view': each((view) => zlib.inflateSync(zlib.deflateSync(view)).toString('latin1')),
    'a checksum of a view': each((view) => zlib.crc32(view)),
    'fs.writeFileSync of a view': each((view) => written((fd) => fs.writeFileSync(fd, view))),
    'fs.writeSync of a view': each((view) => written((fd) => fs.writeSync(fd, view))),
    'input of a child': each((view) => spawnSync('/bin/cat', { input: view }).stdout.toString('latin1'), [], honest),
    'Buffer.compare with a view': each((view) => Buffer.compare(view, fresh())),
    'a Buffer copied to a view': each(
      (view) => [Buffer.from('abcdefghijklmnopqrstuvwxyz').copy(view), view.byteLength],
      [],
      [...absent, ...present],
    ),
    'Buffer#indexOf of a view': each((view) => Buffer.from(`..${TEXT}`).indexOf(view)),
    'Buffer#equals of a view': each((view) => Buffer.from(TEXT).equals(view)),
    'text of a view': each((view) =>
      ['latin1Slice', 'utf8Slice', 'hexSlice', 'base64Slice', 'ucs2Slice'].map((name) =>
        (Buffer.prototype as unknown as Record<string, (start: number, end: number) => string>)[name]?.call(view, 0, 4),
      ),
    ),
    'text of a buffer': [() => new ArrayBuffer(4), () => new SharedArrayBuffer(4)].map(
      (make) => () => (Buffer.prototype as unknown as { latin1Slice(): string }).latin1Slice.call(make()),
    ),
    'text written to a view': each(
      (view) =>
        (Buffer.prototype as unknown as { latin1Write(text: string, at: number, bytes: number): number }).latin1Write.call(
          view,
          'abcd',
          0,
          2,
        ),
      [looksLikeOne],
      present,
    ),
    'isUtf8 and isAscii of a view': each((view) => [isUtf8(view), isAscii(view)], []),
    'StringDecoder of a view': each((view) => new StringDecoder('latin1').end(view as Buffer), []),
    'TextDecoder of a view': each((view) => new TextDecoder().decode(view), []),
    'a stream given a view': each((view) => streamed(view), [], present),
    'a list with a view that is detached': [() => Buffer.concat([fresh(), detached(fresh())]), () => Buffer.concat([gone(4)])],
    'compression of a shared buffer': [() => zlib.inflateSync(zlib.deflateSync(shared().buffer as ArrayBuffer)).toString('latin1')],
    'fs.read into memory that goes meanwhile': [
      () =>
        new Promise((resolve, reject) => {
          fs.writeFileSync(file, TEXT);
          const fd = fs.openSync(file, 'r');
          const target = new Uint8Array(4096);
          fs.read(fd, target, 0, 16, 0, (error, count) => {
            fs.closeSync(fd);
            fs.rmSync(file);
            if (error !== null) reject(error);
            else resolve([count, target.length]);
          });
          detached(target);
        }),
    ],
    'compression of a chunk whose memory goes meanwhile': [20, 20_000].map(
      (size) => () =>
        new Promise((resolve, reject) => {
          const chunk = new Uint8Array(size).fill(0x41);
          const parts: Buffer[] = [];
          const stream = zlib.createDeflate();
          stream.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
          stream.on('end', () => resolve([zlib.inflateSync(Buffer.concat(parts)).equals(Buffer.alloc(size, 0x41)), stream.bytesWritten]));
          stream.end(chunk);
          detached(chunk);
        }),
    ),
  },
  {
    // V8's words for a view that lies outside its buffer came later; so did copying to views of all kinds.
    since: { 'a list with a view that is detached': 26, 'a Buffer copied to a view': 26 },
  },
);
