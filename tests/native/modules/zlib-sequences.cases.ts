/** node:zlib: what follows a compressed stream: further members and frames, cut ones, and what is none. */
import zlib from 'node:zlib';
import { cases } from '../harness/cases.ts';
import { unpacked } from './zlib-unpacked.ts';

const FORMATS = [
  ['gzip', 'Gunzip'],
  ['gzip', 'Unzip'],
  ['deflate', 'Inflate'],
  ['deflateRaw', 'InflateRaw'],
  ['brotliCompress', 'BrotliDecompress'],
  ['zstdCompress', 'ZstdDecompress'],
] as const;

const pack = (name: string, data: string | Uint8Array): Buffer =>
  (zlib as unknown as Record<string, (data: unknown) => Buffer>)[`${name}Sync`]?.(data) as Buffer;

/** What comes behind `hello `. */
const BEHIND: readonly ((name: string) => Uint8Array)[] = [
  (name) => pack(name, 'world'),
  (name) => Buffer.concat([pack(name, ''), pack(name, 'world')]),
  (name) => pack(name, 'world').subarray(0, -2),
  (name) => pack(name, 'world').subarray(0, 3),
  (name) => pack(name, 'world').subarray(0, 1),
  () => Buffer.alloc(10),
  () => Buffer.from('rubbish'),
  (name) => Buffer.concat([Buffer.alloc(3), pack(name, 'world')]),
  () => Buffer.from([0x1f, 0x8b]),
];

const sequences = (options?: object) =>
  FORMATS.flatMap(([there, Back]) =>
    BEHIND.map((behind) => () => unpacked(Back, Buffer.concat([pack(there, 'hello '), behind(there)]), options)),
  );

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
const SKIPPED = [0x5f, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4];

/** Zstandard's frames behind a first one of `bytes` bytes. */
const frames =
  (behind: readonly number[] | (() => Uint8Array), options?: object, first: string | Uint8Array = 'hello ') =>
  (): unknown => {
    const rest = typeof behind === 'function' ? behind() : Buffer.from(behind);
    return unpacked('ZstdDecompress', Buffer.concat([zlib.zstdCompressSync(first), rest]), options);
  };

const FULL = Buffer.alloc(64, 'x');

const members = {
  'what follows a compressed stream': sequences(),
  'what follows a compressed stream, with rejectGarbageAfterEnd': [
    ...sequences({ rejectGarbageAfterEnd: true }),
    () => zlib.gunzipSync(zlib.gzipSync('x'), { rejectGarbageAfterEnd: 1 } as never),
  ],
  'the beginning of a frame': [2, 3, 4].flatMap((count) => [frames(MAGIC.slice(0, count)), frames(SKIPPED.slice(0, count))]),
  'frames to be skipped': [
    frames(SKIPPED),
    frames(SKIPPED.slice(0, 10)),
    frames([...SKIPPED, ...Buffer.from('rubbish')]),
    () => unpacked('ZstdDecompress', Buffer.concat([Buffer.from(SKIPPED), zlib.zstdCompressSync('hello')])),
  ],
  'what is almost a frame': [
    frames([...MAGIC.slice(0, 2), 1, 2, 3, 4, 5, 6]),
    frames(() => Buffer.from([...MAGIC.slice(0, 2), ...zlib.zstdCompressSync('hello')])),
    frames([...MAGIC, 255, 255, 255, 255, 255, 255, 255, 255]),
    frames(MAGIC.slice(0, 3), { rejectGarbageAfterEnd: true }),
    frames([...MAGIC.slice(0, 2), 1, 2], { rejectGarbageAfterEnd: true }),
  ],
  'output that a frame fills': [
    frames(() => zlib.zstdCompressSync(FULL), { chunkSize: 64 }, FULL),
    frames(MAGIC.slice(0, 2), { chunkSize: 64 }, FULL),
    frames([...MAGIC, ...Buffer.alloc(12, 'z')], { chunkSize: 64 }, FULL),
    frames([1, 2, 3], { chunkSize: 64 }, FULL),
  ],
};

export default cases('zlib-sequences', members, {
  // Older versions of Node have no zstd, or read one frame only, and know no `rejectGarbageAfterEnd`.
  since: Object.fromEntries(Object.keys(members).map((name) => [name, 26])),
});
