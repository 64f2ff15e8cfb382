/**
 * Static files, ranges and paths: never a byte from outside the root, no amplification, one path for all.
 * Items 13 and 22 to 24.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdirSync, mkdtempSync, openSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connect, pool, send, until, type Exchanged } from './harness/client.ts';
import { startRecorder, type Recorder } from './harness/recorder.ts';
import { field } from './harness/reply.ts';
import { loadExpress, type ExpressApp, type ExpressHandler, type ExpressRequest } from './harness/target.ts';
import { bytes } from './harness/verdict.ts';

const SECRET = 'never to be served';
const FILE = 'the content of a file, 0123456789';
const express = loadExpress();

let home = '';
let recorder: Recorder;
const seen: { layer: string; path: string; url: string; params?: unknown }[] = [];

/** A root with a file, a directory, a dotfile, a symlink out, a FIFO, and a secret beside it. */
function makeFiles(): string {
  const dir = mkdtempSync(join(tmpdir(), 'wire-static-'));
  const root = join(dir, 'root');
  mkdirSync(join(root, 'sub'), { recursive: true });
  writeFileSync(join(dir, 'secret.txt'), SECRET);
  mkdirSync(join(dir, 'root-beside'));
  writeFileSync(join(dir, 'root-beside', 'secret.txt'), SECRET);
  writeFileSync(join(root, 'file.txt'), FILE);
  writeFileSync(join(root, '100%.txt'), FILE);
  writeFileSync(join(root, '.hidden'), SECRET);
  writeFileSync(join(root, 'sub', 'inner.txt'), FILE);
  writeFileSync(join(root, 'large.bin'), Buffer.alloc(8 * 1024 * 1024, 'x'));
  symlinkSync(join(root, 'file.txt'), join(root, 'link-inside'));
  execFileSync('mkfifo', [join(root, 'fifo')]);
  return dir;
}

function makeApp(root: string): ExpressApp {
  const app = express();
  app.set('env', 'test');
  const note = (layer: string) => (req: ExpressRequest, _res: unknown, next: () => void) => {
    seen.push({ layer, path: req.path, url: req.originalUrl, params: req.params });
    next();
  };
  app.use(note('middleware'));
  const guard: ExpressHandler = (_req, res) => res.status(403).send('no');
  app.use('/private', guard);
  app.use('/files', express.static(root));
  app.get('/route/:name', note('route'), (req, res) => res.json(req.params));
  app.get('/wild/*rest', note('wild'), (req, res) => res.json(req.params));
  app.get('/query', (req, res) => res.json(req.query));
  app.get('/send/:name', (req, res) => res.sendFile(String(req.params['name']), { root }));
  app.get('/slow/:a/:b/:c/end', (_req, res) => res.send('end'));
  return app;
}

before(async () => {
  home = makeFiles();
  const app = makeApp(join(home, 'root'));
  recorder = await startRecorder({
    collect: false,
    handler: (req, res) => app(req, res),
  });
});
after(async () => {
  // Whoever still waits for a writer of the FIFO wakes up.
  closeSync(openSync(join(home, 'root', 'fifo'), constants.O_RDWR | constants.O_NONBLOCK));
  await recorder.close();
  rmSync(home, { recursive: true });
});

async function get(target: string, fields = ''): Promise<Exchanged> {
  return send(recorder.port, [bytes(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${fields}\r\n`)]);
}

function only(got: Exchanged): Exchanged['replies'][number] {
  assert.equal(got.replies.length, 1);
  return got.replies[0] ?? assert.fail('no reply');
}

describe('paths out of the root', () => {
  const ups = ['..', '%2e%2e', '.%2e', '%2E.', '%252e%252e', '..%00', '%c0%ae%c0%ae', '..;', '%2e%2e%2f..', '..%5c..', '...', '....//'];
  const slashes = ['/', '%2f', '%5c', '\\', '//', '/./', '%2F', '%252f', '%255c'];
  const targets = [
    ...ups.flatMap((up) => slashes.map((slash) => `/files/${up}${slash}secret.txt`)),
    ...ups.flatMap((up) => slashes.map((slash) => `/files/sub/${up}${slash}${up}${slash}secret.txt`)),
    '/files/../root-beside/secret.txt',
    '/files/%2e%2e/root-beside/secret.txt',
    '/files/..%2froot-beside%2fsecret.txt',
    '/files/..%2Froot-beside/secret.txt',
    '/files-beside/secret.txt',
    '/files/%2e%2e%2fsecret.txt%00.txt',
    '/files/file.txt%00',
    '/files/%00',
    '/files/file.txt%00/../../secret.txt',
    '/files//etc/passwd',
    '/files/%2fetc%2fpasswd',
    '//etc/passwd',
    '/files/C:/secret.txt',
    '/files/C:%5csecret.txt',
    '/files/%5c%5chost%5cshare',
    '/files/.hidden',
    '/files/%2ehidden',
    '/files/sub/../.hidden',
    '/files/%',
    '/files/%zz',
    '/files/%e0%a4%a',
    '/send/..%2fsecret.txt',
    '/send/%2e%2e%2fsecret.txt',
    '/send/..%5csecret.txt',
    '/send/.hidden',
    '/send/%00',
    `/send/${encodeURIComponent('../root-beside/secret.txt')}`,
  ];
  test(`${targets.length} of them get 4xx and no byte of a secret`, async () => {
    await pool(
      targets.map((target) => async () => {
        const reply = only(await get(target));
        assert(reply.status >= 400 && reply.status < 500, `${target} got ${reply.status}`);
        assert(!reply.body.includes(SECRET), target);
        assert(!reply.body.includes('root:'), target);
      }),
    );
    await recorder.probe.check();
  });
  test('what is inside is served', async () => {
    for (const [target, status] of [
      ['/files/file.txt', 200],
      ['/files/%66ile.txt', 200],
      ['/files/sub/inner.txt', 200],
      ['/files/100%25.txt', 200],
      ['/files/link-inside', 200],
      ['/files/sub', 301],
      ['/files/sub/', 404],
      ['/send/file.txt', 200],
    ] as const) {
      const reply = only(await get(target));
      assert.equal(reply.status, status, target);
      if (status === 200) assert.equal(reply.body.toString(), FILE, target);
    }
  });
  test('a redirect for a directory stays on this host', async () => {
    for (const target of ['/files//sub', '//files/sub', '/files/sub/..//sub', '/files/%2f%2fevil.example/%2e%2e']) {
      const reply = only(await get(target));
      const location = field(reply, 'location');
      assert(location === undefined || /^\/(?![/\\])/.test(location), `${target} redirects to ${location}`);
    }
  });
  test('a FIFO does not hang the server or the request', async () => {
    const reply = only(await get('/files/fifo'));
    assert(reply.status >= 400 || reply.body.length === 0, `${reply.status}`);
    await recorder.probe.check();
  });
});

test('a file truncated while it is sent: the connection is aborted, not padded', async () => {
  const file = join(home, 'root', 'shrinking.bin');
  writeFileSync(file, Buffer.alloc(24 * 1024 * 1024, 'x'));
  const socket = await connect(recorder.port);
  socket.write('GET /files/shrinking.bin HTTP/1.1\r\nHost: a\r\n\r\n');
  let read = 0;
  let over = false;
  await new Promise((resolve) => socket.once('readable', resolve));
  truncateSync(file, 1024);
  socket.on('data', (chunk: Buffer) => {
    read += chunk.length;
  });
  for (const event of ['end', 'close']) socket.once(event, () => (over = true));
  await until(() => over, 'the connection ends');
  socket.destroy();
  assert(read < 24 * 1024 * 1024, `${read} bytes came`);
  await recorder.probe.check();
});

describe('Range', () => {
  const size = FILE.length;
  const rows: readonly (readonly [range: string, statuses: readonly number[]])[] = [
    ['bytes=0-4', [206]],
    ['bytes=-5', [206]],
    ['bytes=5-', [206]],
    ['bytes=-0', [416, 200]],
    ['bytes=9-5', [416, 200]],
    [`bytes=${size}-`, [416, 200]],
    ['bytes=99999999999999999999-', [416, 200]],
    ['bytes=9223372036854775808-9223372036854775809', [416, 200]],
    ['bytes=0-99999999999999999999', [206, 200, 416]],
    ['bytes=-99999999999999999999', [206, 200, 416]],
    ['bytes=a-b', [416, 200]],
    ['bytes=', [416, 200]],
    ['bytes', [416, 200]],
    ['bytes=--1', [416, 200]],
    ['bytes=0x0-4', [416, 200]],
    ['bytes=1e0-4', [416, 200, 206]],
    ['lines=0-4', [200, 416]],
    [`bytes=${Array.from({ length: 1_000 }, () => '0-').join(',')}`, [200, 206, 416]],
    [`bytes=${Array.from({ length: 1_000 }, (_, i) => `${i % 30}-${(i % 30) + 1}`).join(',')}`, [200, 206, 416]],
    [`bytes=${'0-0,'.repeat(1_000)}`, [200, 206, 416]],
  ];
  for (const [range, statuses] of rows) {
    test(`${range.slice(0, 60)}: ${statuses.join(' or ')}, no more than the file`, async () => {
      const reply = only(await get('/files/file.txt', `Range: ${range}\r\n`));
      assert(statuses.includes(reply.status), `got ${reply.status}`);
      if (reply.status < 400) assert(reply.body.length <= size, `${reply.body.length} bytes for a file of ${size}`);
      if (reply.status === 206) assert(FILE.includes(reply.body.toString()));
    });
  }
  test('two Range fields are no way around', async () => {
    const reply = only(await get('/files/file.txt', 'Range: bytes=0-4\r\nRange: bytes=0-\r\n'));
    assert(reply.body.length <= size);
  });
});

describe('one path for all', () => {
  const paths = [
    '/route/a%2fb',
    '/route/a%252fb',
    '/route/%61',
    '/route/..%2f',
    '/route/a;b',
    '/wild/a//b',
    '/wild/a/../b',
    '/route/a%20b',
    '/wild/%2e%2e/x',
  ];
  for (const target of paths) {
    test(`${target} is the same to middleware and route, decoded once`, async () => {
      seen.length = 0;
      const reply = only(await get(target));
      assert.equal(reply.status, 200);
      assert.equal(seen.length, 2);
      for (const one of seen) {
        assert.equal(one.path, target);
        assert.equal(one.url, target);
      }
      const name = (JSON.parse(reply.body.toString()) as { name?: string }).name;
      if (name !== undefined) assert.equal(name, decodeURIComponent(target.slice('/route/'.length)));
    });
  }
  test('a guard by prefix cannot be walked around', async () => {
    for (const target of ['/private', '/private/', '/private/x', '/PRIVATE/x', '/private?x', '/private/../private/x']) {
      assert.equal(only(await get(target)).status, 403, target);
    }
    for (const target of [
      '/x/../private/x',
      '/%70rivate/x',
      '//private/x',
      '/./private',
      '/private%2fx',
      '/private;x',
      '/files/../private/x',
    ]) {
      const reply = only(await get(target));
      assert(reply.status >= 400, `${target} got ${reply.status}`);
    }
  });
  test('a path that cannot be decoded is 400, for parameters too', async () => {
    for (const target of ['/route/%', '/route/%zz', '/route/%c0%ae', '/route/%ff']) {
      assert.equal(only(await get(target)).status, 400, target);
    }
  });
  test('route patterns cannot be made slow by a path', async () => {
    const from = performance.now();
    for (const target of [
      `/slow/${'a/'.repeat(3_900)}`,
      `/slow/${'a'.repeat(7_900)}`,
      `/slow/${'-'.repeat(7_900)}/`,
      `/wild/${'/'.repeat(7_900)}`,
      `/route/${'%61'.repeat(2_600)}x`,
    ]) {
      only(await get(target));
    }
    assert(performance.now() - from < 15_000);
    await recorder.probe.check();
  });
});

describe('names that mean something to JavaScript', () => {
  test('are plain data in the query', async () => {
    for (const query of [
      '__proto__[evil]=1',
      '__proto__=1',
      'constructor[prototype][evil]=1',
      'hasOwnProperty=1',
      'toString=1',
      '__proto__.evil=1',
    ]) {
      const reply = only(await get(`/query?${query}&a=b`));
      assert.equal(reply.status, 200, query);
      assert.equal((JSON.parse(reply.body.toString()) as { a: string }).a, 'b');
      assert.equal(({} as Record<string, unknown>)['evil'], undefined, query);
    }
  });
  test('are plain data in parameters', async () => {
    for (const name of ['__proto__', 'constructor', 'hasOwnProperty']) {
      const reply = only(await get(`/route/${name}`));
      assert.deepEqual(JSON.parse(reply.body.toString()), { name });
    }
  });
});
