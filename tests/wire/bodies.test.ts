/**
 * Content parsers: hostile JSON, forms and compressed content cost little and never end the process. Items 17
 * and 18.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { send, type Exchanged } from './harness/client.ts';
import { startRecorder, type Recorder } from './harness/recorder.ts';
import { loadExpress } from './harness/target.ts';
import { bytes } from './harness/verdict.ts';

const MIB = 1024 * 1024;
/** Hostile content is answered within this time, in ms. */
const QUICK_MS = 2_500;

const express = loadExpress();
let recorder: Recorder;

before(async () => {
  const app = express();
  app.set('env', 'test');
  const shape = (body: unknown): string => {
    if (body === null || typeof body !== 'object') return typeof body;
    return Array.isArray(body) ? 'array' : 'object';
  };
  app.post('/json', express.json(), (req, res) => res.send(shape(req.body)));
  app.post('/json-big', express.json({ limit: '12mb' }), (req, res) => res.send(shape(req.body)));
  app.post('/json-loose', express.json({ strict: false }), (req, res) => res.send(shape(req.body)));
  app.post('/form', express.urlencoded({ extended: true }), (req, res) => res.json(req.body));
  app.post('/form-big', express.urlencoded({ extended: true, limit: '12mb' }), (req, res) => res.send(shape(req.body)));
  app.post('/form-flat', express.urlencoded({ extended: false, limit: '12mb' }), (req, res) => res.json(req.body));
  app.post('/text', express.text(), (req, res) => res.send(String((req.body as string).length)));
  app.post('/raw', express.raw(), (req, res) => res.send(String((req.body as Buffer).length)));
  app.post('/twice', express.json(), express.json(), (req, res) => res.json(req.body));
  app.use(
    (
      error: { status?: number; type?: string },
      _req: unknown,
      res: { status(code: number): { send(text: string): void } },
      _next: unknown,
    ) => {
      res.status(error.status ?? 599).send(error.type ?? 'untyped');
    },
  );
  recorder = await startRecorder({ collect: false, handler: (req, res) => app(req, res) });
});
after(() => recorder.close());

interface Post {
  readonly type?: string;
  readonly fields?: string;
  /** Chunked instead of Content-Length. */
  readonly chunked?: boolean;
}

/** Sends the content; asserts that it was answered quickly and others are served. */
async function post(path: string, content: string | Buffer, options: Post = {}): Promise<{ status: number; body: string }> {
  const body = typeof content === 'string' ? Buffer.from(content) : content;
  const type = `Content-Type: ${options.type ?? 'application/json'}\r\n`;
  const framing = options.chunked ? 'Transfer-Encoding: chunked\r\n' : `Content-Length: ${body.length}\r\n`;
  const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${type}${options.fields ?? ''}${framing}\r\n`;
  const pieces = options.chunked
    ? [bytes(head), bytes(`${body.length.toString(16)}\r\n`), body, bytes('\r\n0\r\n\r\n')]
    : [bytes(head), body];
  const got: Exchanged = await send(recorder.port, pieces);
  await recorder.probe.check();
  const [reply, ...more] = got.replies;
  assert(reply, `a reply (the connection closed by ${got.closed})`);
  assert.equal(more.length, 0);
  assert(got.tookMs < QUICK_MS, `answered in ${got.tookMs.toFixed(0)} ms`);
  return { status: reply.status, body: reply.body.toString() };
}

const FORM: Post = { type: 'application/x-www-form-urlencoded' };

describe('JSON', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  const rows: readonly (readonly [name: string, path: string, content: string, statuses: readonly number[]])[] = [
    ['100,000 levels deep, beyond the limit', '/json', deep, [413]],
    ['45,000 levels deep, within the limit', '/json', '['.repeat(45_000) + ']'.repeat(45_000), [200, 400]],
    ['100,000 levels deep, never closed', '/json-big', '['.repeat(100_000), [400]],
    ['100,000 levels deep with a larger limit', '/json-big', deep, [200, 400]],
    ['2 MB of array-index keys, beyond the limit', '/json', indexKeys(2 * MIB), [413]],
    ['2 MB of array-index keys', '/json-big', indexKeys(2 * MIB), [200, 400]],
    ['one 10 MB string, beyond the limit', '/json', JSON.stringify({ a: 'x'.repeat(10 * MIB) }), [413]],
    ['one 10 MB string', '/json-big', JSON.stringify({ a: 'x'.repeat(10 * MIB) }), [200]],
    ['a broken end', '/json', '{"a":1', [400]],
    ['two values', '/json', '{}{}', [400]],
    ['a number where an object must be', '/json', '1', [400]],
    ['a NUL', '/json', '{"a":"\0"}', [400]],
    ['a byte order mark alone', '/json', '\ufeff', [200, 400]],
    ['invalid UTF-8 text', '/json', '{"a":"\xff"}', [200, 400]],
    ['1e400', '/json', '{"a":1e400}', [200, 400]],
    ['no content', '/json', '', [200, 400]],
  ];
  for (const [name, path, content, statuses] of rows) {
    for (const chunked of [false, true]) {
      test(`${name}${chunked ? ', chunked' : ''}: ${statuses.join(' or ')}`, async () => {
        const { status } = await post(path, content, { chunked });
        assert(statuses.includes(status), `got ${status}`);
      });
    }
  }
  test('names that mean something to JavaScript are plain data', async () => {
    for (const content of ['{"__proto__":{"evil":1}}', '{"constructor":{"prototype":{"evil":1}}}', '{"hasOwnProperty":1}']) {
      const { status, body } = await post('/twice', content);
      assert.equal(status, 200);
      assert.deepEqual(body, JSON.stringify(JSON.parse(content)));
      assert.equal(({} as Record<string, unknown>)['evil'], undefined);
    }
  });
  test('a charset that does not exist is 415', async () => {
    for (const charset of ['nope', '', 'utf-7', '__proto__', 'x'.repeat(500)]) {
      const { status } = await post('/json', '{}', { type: `application/json; charset=${charset}` });
      assert([200, 400, 415].includes(status), `${charset}: ${status}`);
    }
  });
  test('a content type that is none is not parsed', async () => {
    for (const type of [
      'application/json;',
      'application/json; charset',
      'application/json; =',
      ';',
      '/',
      'a/b/c',
      'application/json, application/json',
      `application/json;${' a=b;'.repeat(1_000)}`,
    ]) {
      const { status } = await post('/json', '{}', { type });
      assert(status < 599, `${type}: ${status}`);
    }
  });
});

function indexKeys(length: number): string {
  const parts: string[] = [];
  let total = 0;
  for (let key = 0; total < length; key += 7_919) {
    const part = `"${(key * 104_729) % 4_294_967_295}":0`;
    parts.push(part);
    total += part.length + 1;
  }
  return `{${parts.join(',')}}`;
}

describe('forms', () => {
  const fields = (count: number): string => Array.from({ length: count }, (_, at) => `f${at}=1`).join('&');
  test('100,000 fields: 413', async () => {
    assert.equal((await post('/form-big', fields(100_000), FORM)).status, 413);
    assert.equal((await post('/form-flat', fields(100_000), FORM)).status, 413);
    assert.equal((await post('/form', fields(100_000), FORM)).status, 413);
  });
  test('nesting 1,000 deep: 400, or cut short', async () => {
    for (const content of [
      `a${'[]'.repeat(1_000)}=1`,
      `a${'[b]'.repeat(1_000)}=1`,
      `a${'[0]'.repeat(1_000)}=1`,
      'a['.repeat(1_000),
      `a${'['.repeat(5_000)}`,
    ]) {
      const { status } = await post('/form', content, FORM);
      assert([200, 400].includes(status), `${content.slice(0, 20)}: ${status}`);
    }
  });
  test('a huge index makes no huge array', async () => {
    const { status, body } = await post('/form', 'a[999999999]=1', FORM);
    assert.equal(status, 200);
    assert(body.length < 100, body.slice(0, 200));
    assert.equal((await post('/form', 'a[-1]=1&a[4294967295]=2&a[1e9]=3', FORM)).status, 200);
  });
  test('names that mean something to JavaScript are plain data', async () => {
    for (const content of [
      '__proto__[evil]=1',
      'constructor[prototype][evil]=1',
      '__proto__=1&__proto__[evil]=2',
      'a[__proto__][evil]=1',
      'a[constructor][prototype][evil]=1',
      'toString=1',
      'hasOwnProperty=1',
    ]) {
      for (const path of ['/form', '/form-flat']) {
        assert.equal((await post(path, content, FORM)).status, 200, content);
        assert.equal(({} as Record<string, unknown>)['evil'], undefined, content);
      }
    }
  });
  test('broken escapes are no error of the server', async () => {
    for (const content of ['a=%', 'a=%zz', '%=1', 'a=%c0%ae', '%00=%00', '&&&&', '====', '=&=', '%ff']) {
      const { status } = await post('/form', content, FORM);
      assert([200, 400].includes(status), `${content}: ${status}`);
    }
  });
});

describe('compressed content', () => {
  const encoded = (coding: string): Post => ({ fields: `Content-Encoding: ${coding}\r\n` });
  const json = JSON.stringify({ a: 'x'.repeat(1_000) });
  test('gzip, deflate and br are read', async () => {
    assert.equal((await post('/json', gzipSync(json), encoded('gzip'))).status, 200);
    assert.equal((await post('/json', deflateSync(json), encoded('deflate'))).status, 200);
    assert.equal((await post('/json', brotliCompressSync(json), encoded('br'))).status, 200);
    assert.equal((await post('/json', gzipSync(json), { ...encoded('GZip'), chunked: true })).status, 200);
  });
  test('the limit is counted on what comes out', async () => {
    const bomb = Buffer.from(JSON.stringify({ a: 'x'.repeat(40 * MIB) }));
    for (const [coding, content] of [
      ['gzip', gzipSync(bomb)],
      ['deflate', deflateSync(bomb)],
      ['br', brotliCompressSync(bomb)],
    ] as const) {
      const before = process.memoryUsage().rss;
      for (const chunked of [false, true]) {
        assert.equal((await post('/json', content, { ...encoded(coding), chunked })).status, 413, coding);
      }
      assert(process.memoryUsage().rss - before < 32 * MIB, `${coding} is not inflated in memory`);
    }
  });
  test('two codings, or one that is unknown: 415', async () => {
    for (const coding of ['gzip, gzip', 'gzip,deflate', 'identity, gzip', 'zstd-x', 'compress', '__proto__', 'x'.repeat(2_000)]) {
      assert.equal((await post('/json', gzipSync(gzipSync(json)), encoded(coding))).status, 415, coding);
    }
    const two = { fields: 'Content-Encoding: gzip\r\nContent-Encoding: gzip\r\n' };
    assert.equal((await post('/json', gzipSync(gzipSync(json)), two)).status, 415);
  });
  test('broken, cut and padded streams are 400', async () => {
    const whole = gzipSync(json);
    const broken = Buffer.from(whole);
    broken[12] = (broken[12] ?? 0) ^ 0xff;
    for (const content of [broken, whole.subarray(0, whole.length - 9), Buffer.from('not gzip'), whole.subarray(0, 5)]) {
      assert.equal((await post('/json', content, encoded('gzip'))).status, 400);
    }
  });
});

describe('text and raw', () => {
  test('beyond 100 KB: 413', async () => {
    assert.equal((await post('/text', 'x'.repeat(101 * 1024), { type: 'text/plain' })).status, 413);
    assert.equal((await post('/raw', 'x'.repeat(101 * 1024), { type: 'application/octet-stream', chunked: true })).status, 413);
    assert.equal((await post('/text', 'x'.repeat(100 * 1024), { type: 'text/plain' })).body, String(100 * 1024));
  });
});
