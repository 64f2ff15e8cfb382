/**
 * Large files: sent by the engine past JavaScript when nobody looks, through a stream when somebody does;
 * what happens to those that are cut, replaced, very long or not wanted any more; no descriptor is left
 * behind.
 */
import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import fs, {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connect, send, until, type Exchanged } from './harness/client.ts';
import { startRecorder, type Recorder } from './harness/recorder.ts';
import { field } from './harness/reply.ts';
import { isNode, loadExpress, type ExpressApp, type ExpressRequest, type ExpressResponse } from './harness/target.ts';
import { bytes } from './harness/verdict.ts';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
/** More than systems buffer for a connection. */
const HUGE = 32 * MIB;
const PATTERN = 'one part of the file after the other, ';
const express = loadExpress();

let home = '';
let recorder: Recorder;
/** What a test does to a response before the file is sent. */
let prepare: (res: ExpressResponse) => object | undefined = () => undefined;
/** What `sendFile` called back with. */
let callbacks: (string | undefined)[] = [];
/** Requests to libuv's file system. A stream needs one for each piece. */
let fileRequests = 0;
const hook = createHook({
  init(_id, type) {
    if (type === 'FSREQCALLBACK') fileRequests += 1;
  },
});

interface FileResponse extends ExpressResponse {
  sendFile(path: string, options?: object, done?: (error?: NodeJS.ErrnoException) => void): void;
  download(path: string): void;
}

function makeApp(): ExpressApp {
  const app = express();
  app.set('env', 'test');
  app.use('/static', express.static(home));
  app.get('/send/:name', (req, res) => {
    const options = prepare(res) ?? {};
    (res as FileResponse).sendFile(join(home, String(req.params['name'])), options, (error) => callbacks.push(error?.code));
  });
  app.get('/download/:name', (req, res) => (res as FileResponse).download(join(home, String(req.params['name']))));
  return app;
}

const content = (length: number): Buffer => Buffer.alloc(length, PATTERN);

before(async () => {
  home = mkdtempSync(join(tmpdir(), 'wire-large-'));
  writeFileSync(join(home, 'large.bin'), content(MIB));
  const app = makeApp();
  recorder = await startRecorder({ collect: false, handler: (req, res) => app(req, res) });
  hook.enable();
});
after(async () => {
  hook.disable();
  await recorder.close();
  rmSync(home, { recursive: true });
});

function head(target: string, fields = '', version = '1.1'): Buffer {
  return bytes(`GET ${target} HTTP/${version}\r\nHost: a\r\n${fields}\r\n`);
}

async function get(target: string, fields = ''): Promise<Exchanged['replies'][number]> {
  const got = await send(recorder.port, [head(target, `Connection: close\r\n${fields}`)]);
  assert.equal(got.replies.length, 1);
  return got.replies[0] ?? assert.fail('no reply');
}

/** How many descriptors of this process refer to this file. */
function descriptorsOf(name: string): number {
  const path = join(home, name);
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(path);
    } catch {
      return false; // The descriptor of the folder that was read.
    }
  }).length;
}

/** Asks for a file, reads its first bytes and no more until `resume`. */
async function begin(target: string): Promise<{ received: () => number; resume: () => Promise<Buffer>; leave: () => void }> {
  const socket = await connect(recorder.port);
  const chunks: Buffer[] = [];
  const received = (): number => chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const began = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      if (chunks.push(chunk) > 1) return;
      socket.pause();
      resolve();
    });
  });
  socket.write(head(target, 'Connection: close\r\n'));
  await began;
  const over = new Promise<Buffer>((resolve) => {
    for (const event of ['end', 'close']) socket.once(event, () => resolve(Buffer.concat(chunks)));
  });
  const resume = async (): Promise<Buffer> => {
    socket.resume();
    const all = await over;
    socket.destroy();
    return all;
  };
  return { received, resume, leave: () => socket.destroy() };
}

const contentOf = (raw: Buffer): Buffer => raw.subarray(raw.indexOf('\r\n\r\n') + 4);

describe('the way to the client', { skip: isNode ? 'upstream has one way' : false }, () => {
  const requestsFor = async (target: string, fields = ''): Promise<number> => {
    const start = fileRequests;
    const reply = await get(target, fields);
    assert(reply.status === 200 || reply.status === 206, String(reply.status));
    return fileRequests - start;
  };
  for (const target of ['/send/large.bin', '/download/large.bin', '/static/large.bin']) {
    test(`${target} is sent past JavaScript, whole and in part`, async () => {
      await get(target);
      assert.equal(await requestsFor(target), 0);
      assert.equal(await requestsFor(target, 'Range: bytes=100-600000\r\n'), 0);
    });
  }
  const lookers: Record<string, (res: ExpressResponse) => object | undefined> = {
    'a listener for pipe': (res) => void res.on('pipe', () => undefined),
    'a listener for unpipe': (res) => void res.on('unpipe', () => undefined),
    'a listener for drain': (res) => void res.on('drain', () => undefined),
    'options of the stream': () => ({ highWaterMark: 32 * 1024 }),
    ...Object.fromEntries(
      (
        [
          'write',
          'end',
          'writeHead',
          '_implicitHeader',
          'setHeader',
          'getHeader',
          'emit',
          'on',
          'once',
          'destroy',
          'removeListener',
        ] as const
      ).map((name) => [
        `a replaced ${name}`,
        (res: ExpressResponse): undefined => {
          const target = res as unknown as Record<string, (...args: unknown[]) => unknown>;
          const own = target[name] as (...args: unknown[]) => unknown;
          target[name] = function replaced(this: unknown, ...args: unknown[]): unknown {
            return Reflect.apply(own, this, args);
          };
        },
      ]),
    ),
  };
  for (const [label, looker] of Object.entries(lookers)) {
    test(`${label} meets a stream`, async (t) => {
      prepare = looker;
      t.after(() => void (prepare = () => undefined));
      assert((await requestsFor('/send/large.bin')) > 3);
    });
  }
  for (const name of ['createReadStream', 'ReadStream', 'open', 'read', 'close'] as const) {
    test(`a replaced fs.${name} meets a stream, and no longer once it is taken back`, async (t) => {
      const own = fs[name] as (...args: never[]) => unknown;
      const restore = (): void => void Object.assign(fs, { [name]: own });
      t.after(restore);
      const replaced = function replaced(this: unknown, ...args: never[]): unknown {
        return new.target === undefined ? Reflect.apply(own, this, args) : Reflect.construct(own, args);
      };
      Object.assign(fs, { [name]: replaced });
      assert((await requestsFor('/send/large.bin')) > 3);
      restore();
      assert.equal(await requestsFor('/send/large.bin'), 0);
    });
  }
  test('a file system that is not the system’s is read by its own functions', async (t) => {
    const own = fs.statSync;
    t.after(() => void (fs.statSync = own));
    const moved = (path: string, options: object): unknown => Object.assign(own(path, options as never) ?? {}, { ino: 1, dev: 2 });
    fs.statSync = moved as typeof fs.statSync;
    assert((await requestsFor('/send/large.bin')) > 3);
  });
});

describe('files that change', () => {
  test(
    'a file that is cut while it is sent ends the connection, and nothing is sent in place of what is missing',
    { skip: isNode ? 'Node waits for ever' : false },
    async () => {
      writeFileSync(join(home, 'cut.bin'), content(HUGE));
      callbacks = [];
      const { resume } = await begin('/send/cut.bin');
      truncateSync(join(home, 'cut.bin'), 12 * MIB);
      const sent = contentOf(await resume());
      assert(sent.length <= 12 * MIB, String(sent.length));
      assert(sent.equals(content(HUGE).subarray(0, sent.length)));
      await until(() => callbacks.length === 1, 'the callback');
      assert.deepEqual(callbacks, ['EIO']);
      await until(() => descriptorsOf('cut.bin') === 0, 'the descriptor is closed');
    },
  );
  test('a file that is replaced, removed or lengthened while it is sent is sent as it was', async () => {
    const path = join(home, 'old.bin');
    writeFileSync(path, content(HUGE));
    const whole = content(HUGE);
    for (const change of [
      (): void => {
        writeFileSync(join(home, 'new.bin'), 'new');
        renameSync(join(home, 'new.bin'), path);
      },
      (): void => unlinkSync(path),
      (): void => truncateSync(path, HUGE + MIB),
    ]) {
      writeFileSync(path, whole);
      const { resume } = await begin('/send/old.bin');
      change();
      assert(contentOf(await resume()).equals(whole));
    }
  });
  test('a file that is out of reach when it is asked for again is an error of that request', async () => {
    const path = join(home, 'again.bin');
    writeFileSync(path, content(MIB));
    for (let i = 0; i < 2; i++) assert.equal((await get('/static/again.bin')).body.length, MIB);
    unlinkSync(path);
    symlinkSync(path, path);
    assert.equal((await get('/static/again.bin')).status, 500);
    unlinkSync(path);
    assert.equal((await get('/static/again.bin')).status, 404);
    writeFileSync(path, content(2 * MIB));
    assert.equal((await get('/static/again.bin')).body.length, 2 * MIB);
  });
  test('a range beyond 4 GiB is sent from where it is', async () => {
    const path = join(home, 'sparse.bin');
    const fd = openSync(path, 'w');
    fs.ftruncateSync(fd, 6 * GIB);
    writeSync(fd, 'beyond', 5 * GIB);
    closeSync(fd);
    const reply = await get('/send/sparse.bin', `Range: bytes=${5 * GIB}-${5 * GIB + 5}\r\n`);
    assert.equal(reply.status, 206);
    assert.equal(reply.body.toString('latin1'), 'beyond');
    assert.equal(field(reply, 'content-range'), `bytes ${5 * GIB}-${5 * GIB + 5}/${6 * GIB}`);
    unlinkSync(path);
  });
});

describe('clients that do not take what they asked for', () => {
  before(() => writeFileSync(join(home, 'huge.bin'), content(HUGE)));

  for (const target of ['/send/huge.bin', '/static/huge.bin']) {
    test(`${target}: who leaves in the middle leaves no descriptor behind`, async () => {
      callbacks = [];
      const { leave } = await begin(target);
      assert.equal(descriptorsOf('huge.bin'), 1);
      leave();
      await until(() => descriptorsOf('huge.bin') === 0, 'the descriptor is closed');
      if (target.startsWith('/send')) {
        await until(() => callbacks.length > 0, 'the callback');
        assert.deepEqual(callbacks, ['ECONNABORTED']);
      }
    });
  }
  test('who reads slowly gets all of it, and the memory of the process does not hold it', async () => {
    const { received, resume } = await begin('/send/huge.bin');
    assert(received() < HUGE);
    assert(process.memoryUsage().arrayBuffers < HUGE * 4);
    assert(contentOf(await resume()).equals(content(HUGE)));
    await until(() => descriptorsOf('huge.bin') === 0, 'the descriptor is closed');
  });
  test('who reads nothing is cut off after writeTimeout', { skip: isNode ? 'node:http has no such limit' : false }, async () => {
    const app = makeApp();
    const strict = await startRecorder({ collect: false, writeTimeout: 300, handler: (req, res) => app(req as ExpressRequest, res) });
    callbacks = [];
    const socket = await connect(strict.port);
    socket.pause();
    socket.write(head('/send/huge.bin'));
    await until(() => callbacks.length === 1, 'the callback');
    assert.deepEqual(callbacks, ['ECONNABORTED']);
    assert.equal(descriptorsOf('huge.bin'), 0);
    socket.destroy();
    await strict.close();
  });
  test('pipelined files come in order, each in full, on a connection that stays', async () => {
    const got = await send(recorder.port, [
      Buffer.concat([
        head('/send/large.bin'),
        head('/static/large.bin', 'Range: bytes=5-9\r\n'),
        head('/send/huge.bin', 'Connection: close\r\n'),
      ]),
    ]);
    assert.deepEqual(
      got.replies.map((reply) => [reply.status, reply.body.length]),
      [
        [200, MIB],
        [206, 5],
        [200, HUGE],
      ],
    );
    assert.equal(got.replies[1]?.body.toString('latin1'), PATTERN.slice(5, 10));
  });
});
