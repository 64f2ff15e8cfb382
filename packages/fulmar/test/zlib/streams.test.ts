/**
 * Streams that compress in the engine, beside Node's own: the same events and the same content, whatever is
 * done to them.
 */
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import stock from 'node:zlib';
import { createServer } from '../../src/http/index.ts';
import ours from '../../src/zlib/index.ts';
import { setFirstChunkBytesMax } from '../../src/zlib/limits.ts';

type Kind = 'createGzip' | 'createDeflate';
type Stream = stock.Gzip & stock.ZlibParams & stock.ZlibReset & { _handle: { write: unknown } | null; _closed: boolean; _level: number };
interface Sides {
  readonly make: (options?: stock.ZlibOptions) => Stream;
  readonly note: (value: unknown) => void;
}

const { Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_PARTIAL_FLUSH, Z_BLOCK, Z_FINISH, Z_NO_FLUSH } = stock.constants;
const kinds: readonly Kind[] = ['createGzip', 'createDeflate'];
const inflate = (bytes: Buffer): Buffer => stock.unzipSync(bytes, { finishFlush: Z_SYNC_FLUSH });
/** A thread that Node compresses in needs less for a few bytes. */
const CALLBACK_MS = 20;
const text = 'northern fulmar, '.repeat(400);

/** Has Node been kept from compressing it? */
function isOurs(stream: Stream): Stream {
  assert.ok(stream._handle);
  stream._handle.write = () => assert.fail('Node compresses');
  return stream;
}

async function read(stream: Stream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Plays a scene with Node's streams and with ours, and compares what it noted. */
async function alike(kind: Kind, play: (sides: Sides) => Promise<void>): Promise<void> {
  const notes = await Promise.all(
    [stock, ours].map(async (zlib) => {
      const noted: unknown[] = [];
      await play({ make: (options) => zlib[kind](options) as unknown as Stream, note: (value) => noted.push(value) });
      return noted;
    }),
  );
  assert.ok(notes[0]?.length);
  assert.deepEqual(notes[1], notes[0]);
}

/** The same numbers for the same seed. */
function random(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function randomOptions(pick: (below: number) => number): stock.ZlibOptions {
  return {
    level: pick(11) - 1,
    windowBits: 9 + pick(7),
    memLevel: 1 + pick(9),
    strategy: pick(5),
    chunkSize: 64 << pick(10),
    ...(pick(4) === 0 && { flush: Z_SYNC_FLUSH }),
    ...(pick(6) === 0 && { finishFlush: Z_SYNC_FLUSH }),
  };
}

const noise = (length: number, pick: (below: number) => number): Buffer => Buffer.from(Array.from({ length }, () => pick(256)));

function randomChunk(pick: (below: number) => number): Buffer {
  const length = pick(3) === 0 ? pick(60_000) : pick(500);
  return pick(2) === 0 ? Buffer.from(text.slice(0, length)) : noise(length, pick);
}

describe('streams that compress in the engine', () => {
  const server = createServer();
  before(() => {
    setFirstChunkBytesMax(128 * 1_024); // As on a machine of two cores, whatever this one is.
    return once(server.listen(0, '127.0.0.1'), 'listening');
  });
  after(() => {
    setFirstChunkBytesMax(undefined);
    return once(server.close(), 'close');
  });

  it('leave a first chunk above the limit to Node, for their whole life', async () => {
    setFirstChunkBytesMax(1_000);
    try {
      const stream = ours.createGzip() as unknown as Stream;
      const { _handle: handle } = stream as unknown as { _handle: { write: (...args: unknown[]) => unknown } };
      let calls = 0;
      const { write } = handle;
      handle.write = (...args) => (calls++, write.apply(handle, args));
      const content = read(stream);
      stream.write(Buffer.alloc(1_001, 'a'));
      stream.end('b');
      assert.equal(inflate(await content).toString(), `${'a'.repeat(1_001)}b`);
      assert.ok(calls >= 2);
    } finally {
      setFirstChunkBytesMax(128 * 1_024);
    }
  });

  for (const kind of kinds) {
    it(`${kind}: calls back in the context in which the stream was made`, () =>
      alike(kind, async ({ make, note }) => {
        const storage = new AsyncLocalStorage<string>();
        const stream = storage.run('made', () => make());
        const see = (name: string) => () => note([name, storage.getStore()]);
        storage.run('listens', () => stream.on('data', see('data')).on('end', see('end')));
        await storage.run('writes', async () => {
          await new Promise<void>((resolve) => stream.write(text, () => (see('written')(), resolve())));
          stream.end();
          await once(stream, 'close');
        });
      }));
  }

  for (const [title, take] of [
    ['transferred', (chunk: Buffer) => void structuredClone(chunk.buffer, { transfer: [chunk.buffer as ArrayBuffer] })],
    ['said to be longer than it is', (chunk: Buffer) => void Object.defineProperty(chunk, 'length', { value: 1e12 })],
  ] as const)
    it(`end, well or with an error, when what was written is ${title} before it is compressed`, async () => {
      for (const length of [1_000, 500_000]) {
        const stream = ours.createGzip() as unknown as Stream;
        stream.write('head');
        const chunk = Buffer.from(new ArrayBuffer(length)).fill('abc ');
        stream.on('error', () => undefined);
        stream.resume();
        stream.end(chunk);
        const closed = once(stream, 'close');
        await new Promise(process.nextTick);
        take(chunk);
        await closed;
      }
    });

  it('have all names of the module as their own, for who copies it', () => {
    const copy = { ...ours };
    assert.deepEqual(Object.keys(copy).toSorted(), Object.keys(stock).toSorted());
    assert.equal(copy.constants, stock.constants);
    assert.equal(copy.createBrotliCompress, stock.createBrotliCompress);
  });

  for (const kind of kinds) {
    it(`${kind}: inflates to what was written, in any sequence of writes and flushes`, async () => {
      for (let seed = 1; seed <= 150; seed += 1) {
        const pick = random(seed);
        const options = randomOptions(pick);
        const stream = isOurs(ours[kind](options) as unknown as Stream);
        const written: Buffer[] = [];
        const flushed: number[] = [];
        const result = read(stream);
        for (let step = pick(20); step > 0; step -= 1) {
          if (pick(3) === 0)
            stream.flush([Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_PARTIAL_FLUSH, Z_BLOCK, Z_NO_FLUSH][pick(5)], () => flushed.push(step));
          const chunk = randomChunk(pick);
          written.push(chunk);
          if (pick(3) === 0) await new Promise((resolve) => stream.write(chunk, resolve));
          else stream.write(chunk);
        }
        stream.end();
        const content = Buffer.concat(written);
        assert.ok(inflate(await result).equals(content), `seed ${seed}: ${JSON.stringify(options)}`);
        assert.deepEqual(
          flushed,
          flushed.toSorted((a, b) => b - a),
        );
        assert.equal(stream.bytesWritten, content.length);
      }
    });

    it(`${kind}: emits the same events`, () =>
      alike(kind, async ({ make, note }) => {
        const stream = make({ chunkSize: 128 });
        for (const name of ['finish', 'end', 'close', 'drain', 'error']) stream.on(name, () => note(name));
        note(stream.write(text.slice(0, 100)));
        await new Promise<void>((resolve) => stream.flush(() => resolve()));
        note(inflate(stream.read() as Buffer).toString());
        note(stream.write(Buffer.alloc(100_000)));
        const done = once(stream, 'close');
        stream.on('data', (chunk: Buffer) => note(chunk.length <= 128));
        await once(stream, 'drain');
        stream.end('the end');
        await done;
        note([stream.bytesWritten, stream._closed, stream.destroyed, stream.readableEnded]);
      }).catch((error: unknown) => {
        // How many chunks there are depends on the bytes.
        const { actual, expected } = error as { actual: unknown[]; expected: unknown[] };
        const plain = (notes: unknown[]): unknown[] => notes.filter((note) => note !== true);
        assert.deepEqual(plain(actual), plain(expected));
      }));

    it(`${kind}: is an instance of Node's class, and has its name`, () => {
      const stream = ours[kind]();
      assert.ok(stream instanceof (Reflect.get(stock, kind.slice(6)) as typeof Object));
      assert.equal(stream.constructor.name, kind.slice(6));
      stream.destroy();
    });
  }

  it('compresses as well as zlib, within a few per cent', async () => {
    const json = Buffer.from(
      JSON.stringify(Array.from({ length: 800 }, (_, id) => ({ id, name: `Item ${(id * 7919) % 1000}`, price: (id * 31) % 97 }))),
    );
    for (let level = 1; level <= 9; level += 1) {
      const stream = isOurs(ours.createGzip({ level }) as unknown as Stream);
      stream.end(json);
      const [found, expected] = [(await read(stream)).length, stock.gzipSync(json, { level }).length];
      assert.ok(found < expected * 1.08, `level ${level}: ${found} bytes, ${expected} with zlib`);
    }
  });

  const refused: [title: string, options: unknown][] = [
    ['a level out of range', { level: 10 }],
    ['a level that is no number', { level: '6' }],
    ['a window out of range', { windowBits: 16 }],
    ['a strategy out of range', { strategy: 5 }],
    ['a chunk size that is too small', { chunkSize: 63 }],
    ['a dictionary that is no buffer', { dictionary: 'words' }],
  ];
  for (const [title, options] of refused) {
    it(`refuses ${title} as Node does`, () => {
      const codeOf = (make: () => unknown): unknown => {
        try {
          make();
        } catch (error) {
          return [(error as NodeJS.ErrnoException).code, (error as Error).message];
        }
        return undefined;
      };
      const expected = codeOf(() => stock.createGzip(options as stock.ZlibOptions));
      assert.ok(expected);
      assert.deepEqual(
        codeOf(() => ours.createGzip(options as stock.ZlibOptions)),
        expected,
      );
    });
  }

  const foreign: [title: string, options: stock.ZlibOptions & { objectMode?: boolean }, chunk: Buffer][] = [
    ['a dictionary', { dictionary: Buffer.from(text) }, Buffer.from(text)],
    ['objects for chunks', { objectMode: true }, Buffer.from(text)],
    ['a window of 256 bytes', { windowBits: 8 }, Buffer.from(text)],
    ['a large first chunk', {}, Buffer.alloc(2_000_000, text)],
  ];
  for (const [title, options, chunk] of foreign) {
    it(`leaves a stream with ${title} to Node`, async () => {
      const stream = ours.createDeflate(options) as unknown as Stream;
      assert.ok(stream._handle);
      let calls = 0;
      const { write } = stream._handle as { write: (...values: unknown[]) => unknown };
      stream._handle.write = function count(...values: unknown[]) {
        calls += 1;
        return Reflect.apply(write, this, values);
      };
      stream.end(chunk);
      const { dictionary } = options;
      assert.ok(stock.inflateSync(await read(stream), dictionary && { dictionary }).equals(chunk));
      assert.ok(calls > 0);
    });
  }

  it('leaves a stream to whoever has replaced the function of Node', () => {
    const { createGzip } = stock;
    const own = stock.createGzip();
    // It is read-only.
    const replace = (value: unknown): unknown => Object.defineProperty(stock, 'createGzip', { value });
    replace(() => own);
    try {
      assert.equal(ours.createGzip(), own);
    } finally {
      replace(createGzip);
      own.destroy();
    }
  });

  it('fails as zlib does when more comes after the flush that ends it', () =>
    alike('createGzip', async ({ make, note }) => {
      const stream = make();
      stream.on('data', () => undefined);
      stream.write('abc');
      await new Promise<void>((resolve) => stream.flush(Z_FINISH, resolve));
      const failed = once(stream, 'error');
      stream.write('def');
      const [error] = (await failed) as [NodeJS.ErrnoException];
      note([error.code, error.errno, error.message, stream.destroyed]);
    }));

  it('fails a write after the end, and calls back for what a destroyed stream had not done', () =>
    alike('createGzip', async ({ make, note }) => {
      const ended = make();
      ended.end('abc');
      ended.write('def', (error) => note((error as NodeJS.ErrnoException | undefined)?.code));
      const [error] = (await once(ended, 'error')) as [NodeJS.ErrnoException];
      note(error.code);
      const gone = make();
      gone.on('data', () => note('data'));
      gone.write('abc', (failure) => note((failure as NodeJS.ErrnoException | undefined)?.code ?? 'written'));
      gone.destroy();
      await once(gone, 'close');
      note('close');
      await setTimeout(CALLBACK_MS);
      note([gone._closed, gone.bytesWritten]);
    }));

  it('closes with a callback, with work under way and without', () =>
    alike('createDeflate', async ({ make, note }) => {
      for (const chunk of ['', 'abc', 'x'.repeat(50_000)]) {
        const stream = make();
        if (chunk !== '') stream.write(chunk);
        await new Promise<void>((resolve) => stream.close(() => resolve()));
        note([stream._closed, stream.destroyed]);
      }
    }));

  it('takes another level and strategy on its way, and begins anew after reset', async () => {
    const stream = isOurs(ours.createGzip({ level: 1 }) as unknown as Stream);
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.write(text);
    await new Promise<void>((resolve) => stream.flush(() => resolve()));
    await new Promise<void>((resolve) => stream.params(9, stock.constants.Z_RLE, () => resolve()));
    assert.equal(stream._level, 9);
    stream.write(text);
    await new Promise<void>((resolve) => stream.flush(() => resolve()));
    assert.equal(inflate(Buffer.concat(chunks.splice(0))).toString(), text + text);
    stream.reset();
    stream.end('anew');
    await once(stream, 'end');
    assert.equal(inflate(Buffer.concat(chunks)).toString(), 'anew');
  });

  it('waits for a reader', async () => {
    const large = noise(3_000_000, random(1));
    const stream = isOurs(ours.createGzip() as unknown as Stream);
    stream.write('first');
    stream.end(large);
    const chunks: Buffer[] = [];
    let most = 0;
    while (!stream.readableEnded) {
      await new Promise(setImmediate);
      most = Math.max(most, stream.readableLength);
      const chunk = stream.read(10_000) as Buffer | null;
      if (chunk !== null) chunks.push(chunk);
      else if (stream.writableFinished && stream.readableLength > 0) chunks.push(stream.read() as Buffer);
    }
    assert.ok(most < 300_000, `${most} bytes waited`);
    assert.ok(inflate(Buffer.concat(chunks)).equals(Buffer.concat([Buffer.from('first'), large])));
  });

  it('lets others have their turn while it compresses much', async () => {
    const stream = isOurs(ours.createGzip() as unknown as Stream);
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    const count = (): void => {
      turns += 1;
      if (!stream.readableEnded) setImmediate(count);
    };
    setImmediate(count);
    stream.write('first');
    stream.end(Buffer.alloc(8_000_000, text));
    await read(stream);
    clearInterval(timer);
    assert.ok(turns > 30, `${turns} turns`);
  });

  it('compresses shared memory, and survives a chunk whose memory goes meanwhile', async () => {
    const shared = Buffer.from(new SharedArrayBuffer(10_000)).fill(text);
    const stream = isOurs(ours.createGzip() as unknown as Stream);
    stream.end(shared);
    assert.ok(inflate(await read(stream)).equals(Buffer.from(shared)));
    const lost = isOurs(ours.createGzip() as unknown as Stream);
    const memory = new ArrayBuffer(10_000);
    lost.write(Buffer.from(memory));
    structuredClone(memory, { transfer: [memory] });
    lost.end('after');
    assert.match(inflate(await read(lost)).toString(), /^\0*after$/);
  });
});
