import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { cases } from '../harness/cases.ts';

const text = 'the quick brown fox jumps over the lazy dog. '.repeat(200);
const incompressible = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (Math.imul(index, 2654435761) >>> 13) & 255));
type Fn = (...args: unknown[]) => unknown;
const all = zlib as unknown as Record<string, Fn>;
const call = (name: string, ...args: unknown[]): Buffer => (all[name] as Fn)(...args) as Buffer;

/** What comes back, and whether it became smaller: the bytes between may differ. */
const roundTrip =
  (there: string, back: string, data: string | Uint8Array = text, options?: object) =>
  (): unknown => {
    const packed = all[there]?.(data, options) as Buffer;
    return [packed.length < data.length, call(back, packed).equals(Buffer.from(data as string))];
  };

const laterTrip =
  (there: string, back: string, data: string | Uint8Array = text) =>
  async (): Promise<unknown> => {
    const packed = (await promisify(all[there] as never)(data as never)) as Buffer;
    const unpacked = (await promisify(all[back] as never)(packed as never)) as Buffer;
    return [packed.length < data.length, unpacked.equals(Buffer.from(data as string))];
  };

function streamed(make: () => NodeJS.ReadWriteStream, chunks: (string | Uint8Array)[]): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const stream = make();
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('error', reject);
    stream.on('end', () => resolve(Buffer.concat(parts)));
    for (const chunk of chunks) stream.write(chunk);
    stream.end();
  });
}

const streamTrip = (there: string, back: string) => async (): Promise<unknown> => {
  const packed = await streamed(() => all[`create${there}`]?.() as never, [text, incompressible, '', text]);
  const unpacked = await streamed(() => all[`create${back}`]?.() as never, [packed.subarray(0, 100), packed.subarray(100)]);
  return unpacked.equals(Buffer.concat([Buffer.from(text), incompressible, Buffer.from(text)]));
};

const pairs = [
  ['Deflate', 'Inflate', 'deflate', 'inflate'],
  ['Gzip', 'Gunzip', 'gzip', 'gunzip'],
  ['DeflateRaw', 'InflateRaw', 'deflateRaw', 'inflateRaw'],
  ['BrotliCompress', 'BrotliDecompress', 'brotliCompress', 'brotliDecompress'],
  ['ZstdCompress', 'ZstdDecompress', 'zstdCompress', 'zstdDecompress'],
] as const;

const members: Record<string, (() => unknown)[]> = {};
for (const [Class, Back, there, back] of pairs) {
  members[there] = [
    laterTrip(there, back),
    laterTrip(there, back, incompressible),
    () => all[there]?.('x'),
    () => all[there]?.(5, () => {}),
  ];
  members[`${there}Sync`] = [
    roundTrip(`${there}Sync`, `${back}Sync`),
    roundTrip(`${there}Sync`, `${back}Sync`, incompressible),
    () => all[`${there}Sync`]?.(5),
    roundTrip(`${there}Sync`, `${back}Sync`, ''),
  ];
  members[back] = [
    () => promisify(all[back] as never)('not compressed at all' as never),
    async () => promisify(all[back] as never)(call(`${there}Sync`, text).subarray(0, 20) as never),
    async () => ((await promisify(all[back] as never)(all[`${there}Sync`]?.(new Uint16Array([1, 2, 3])) as never)) as Buffer).length,
  ];
  members[`${back}Sync`] = [
    () => all[`${back}Sync`]?.('not compressed at all'),
    () => all[`${back}Sync`]?.(call(`${there}Sync`, text).subarray(0, 20)),
    () => all[`${back}Sync`]?.(all[`${there}Sync`]?.(text), { maxOutputLength: 100 }),
    () => all[`${back}Sync`]?.({}),
  ];
  members[`create${Class}`] = [streamTrip(Class, Back), () => all[`create${Class}`]?.({ chunkSize: 10 })];
  members[`create${Back}`] = [async () => streamed(() => all[`create${Back}`]?.() as never, ['rubbish', 'and more rubbish'])];
  members[Class] = [
    () => {
      const made = new (all[Class] as unknown as new () => { constructor: Fn; bytesWritten: number })();
      return [made.constructor.name, made.bytesWritten];
    },
  ];
  members[Back] = [() => typeof all[Back]];
}

const gunzipped = (data: Uint8Array): string => zlib.gunzipSync(data).toString();

export default cases(
  'zlib',
  {
    ...members,
    unzip: [
      async () => [
        (await promisify(zlib.unzip)(zlib.gzipSync('g'))).toString(),
        (await promisify(zlib.unzip)(zlib.deflateSync('d'))).toString(),
      ],
    ],
    unzipSync: [
      () => [zlib.unzipSync(zlib.gzipSync('g')).toString(), zlib.unzipSync(zlib.deflateSync('d')).toString()],
      () => zlib.unzipSync('zz'),
    ],
    createUnzip: [async () => (await streamed(() => zlib.createUnzip(), [zlib.gzipSync(text)])).length],
    Unzip: [() => typeof (zlib as unknown as Record<string, unknown>)['Unzip']],
    crc32: [
      () => [all['crc32']?.('hello'), all['crc32']?.(Buffer.from('lo'), all['crc32']?.('hel') as number), all['crc32']?.('')],
      () => all['crc32']?.(5),
      () => all['crc32']?.('x', -1),
    ],
    constants: [
      () =>
        Object.keys(zlib.constants)
          .filter((name) => !name.startsWith('ZSTD') && name !== 'ZLIB_VERNUM')
          .map((name) => [name, (zlib.constants as Record<string, number>)[name]]),
    ],
    codes: [() => (zlib as unknown as { codes: object }).codes],
    options: [
      () => [0, 1, 9].map((level) => gunzipped(zlib.gzipSync(text, { level })) === text),
      () => zlib.gzipSync('x', { level: 99 }),
      () => zlib.gzipSync('x', { level: 'x' as never }),
      () => zlib.gzipSync('x', { windowBits: 7 }),
      () => zlib.deflateSync('x', { memLevel: 0 }),
      () => zlib.deflateSync('x', { strategy: 9 }),
      () => zlib.gzipSync('x', { chunkSize: 1 }),
      () => zlib.gzipSync('x', { flush: 77 }),
      () => zlib.deflateSync('x', { dictionary: 5 as never }),
      () => zlib.inflateSync(zlib.deflateSync(text, { windowBits: 9, memLevel: 1, strategy: zlib.constants.Z_RLE })).toString() === text,
      () => {
        const dictionary = Buffer.from('quick brown fox');
        const packed = zlib.deflateSync(text, { dictionary });
        return [zlib.inflateSync(packed, { dictionary }).toString() === text];
      },
      () => zlib.inflateSync(zlib.deflateSync(text, { dictionary: Buffer.from('quick') })),
      () => zlib.inflateSync(zlib.deflateSync(text, { dictionary: Buffer.from('quick') }), { dictionary: Buffer.from('slow') }),
      () =>
        zlib
          .brotliDecompressSync(
            zlib.brotliCompressSync(text, {
              params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1, [zlib.constants.BROTLI_PARAM_LGWIN]: 12 },
            }),
          )
          .toString() === text,
      () => zlib.brotliCompressSync('x', { params: { 99: 1 } }),
      () => zlib.brotliCompressSync('x', { params: { 1: 'x' as never } }),
      () => zlib.brotliCompressSync('x', { params: { 1: 99 } }),
    ],
    'members of a gzip file': [
      () => gunzipped(Buffer.concat([zlib.gzipSync('a'), zlib.gzipSync('b')])),
      () => gunzipped(Buffer.concat([zlib.gzipSync('a'), Buffer.alloc(9)])),
      () => gunzipped(Buffer.concat([zlib.gzipSync('a'), Buffer.from('junk')])),
    ],
    'a flushed stream': [
      async () => {
        const packer = zlib.createGzip();
        const unpacker = zlib.createGunzip();
        packer.pipe(unpacker);
        const seen = new Promise((resolve) => unpacker.once('data', (part: Buffer) => resolve(part.toString())));
        packer.write('early');
        packer.flush();
        const early = await seen;
        packer.end();
        return early;
      },
      async () => {
        const stream = zlib.createDeflate({ level: 0 });
        stream.write(text);
        await promisify(stream.params.bind(stream))(9, 0);
        stream.end(text);
        const parts = [];
        for await (const part of stream) parts.push(part);
        return zlib.inflateSync(Buffer.concat(parts as Buffer[])).length;
      },
      () => {
        const stream = zlib.createInflate();
        stream.reset();
        stream.close();
        return (stream as unknown as { _closed: boolean })._closed || stream.destroyed;
      },
      async () => {
        const stream = zlib.createGunzip();
        const error = new Promise((resolve) =>
          stream.on('error', (failed: NodeJS.ErrnoException) => resolve([failed.message, failed.code, failed.errno])),
        );
        stream.end('no gzip');
        return error;
      },
      () => {
        const { buffer, engine } = zlib.gzipSync('x', { info: true }) as unknown as {
          buffer: Buffer;
          engine: { constructor: Fn; bytesWritten: number };
        };
        return [Buffer.isBuffer(buffer), engine.constructor.name, engine.bytesWritten];
      },
    ],
  },
  {
    missing: {
      ZipEntry: 'archives of many files are new in Node 26',
      ZipFile: 'as ZipEntry',
      ZipBuffer: 'as ZipEntry',
      createZipArchive: 'as ZipEntry',
      createZipArchiveSync: 'as ZipEntry',
      zipFiles: 'as ZipEntry',
      getMaxZipContentSize: 'as ZipEntry',
      setMaxZipContentSize: 'as ZipEntry',
    },
    since: {
      crc32: 22,
      ...Object.fromEntries(
        Object.keys(members)
          .filter((name) => /zstd/i.test(name))
          .map((name) => [name, 24]),
      ),
    },
  },
);
