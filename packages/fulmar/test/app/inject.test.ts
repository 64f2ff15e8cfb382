/**
 * What `app.inject()` takes: content of every kind, queries, cookies, and what it refuses.
 */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { createApp } from '../../src/app/index.ts';

const app = createApp();
app.all('/echo', async (c) => ({
  method: c.method,
  type: c.header('content-type') ?? null,
  text: await c.body.text(),
  query: c.query,
  cookies: c.cookies,
}));

interface Echo {
  readonly method: string;
  readonly type: string | null;
  readonly text: string;
  readonly query: Record<string, unknown>;
  readonly cookies: Record<string, string>;
}

async function* pieces(): AsyncGenerator<string | Uint8Array> {
  yield 'grü';
  await Promise.resolve();
  yield new Uint8Array([0xc3, 0x9f]);
}

const webStream = new ReadableStream({
  start(controller) {
    controller.enqueue(new TextEncoder().encode('of the web'));
    controller.close();
  },
});

describe('the content of inject()', () => {
  const cases: readonly (readonly [name: string, body: unknown, type: string | null, text: string])[] = [
    ['a string', 'grüß', 'text/plain; charset=utf-8', 'grüß'],
    ['an empty string', '', 'text/plain; charset=utf-8', ''],
    ['bytes', new Uint8Array([97, 98]), 'application/octet-stream', 'ab'],
    ['an ArrayBuffer', new TextEncoder().encode('abc').buffer, 'application/octet-stream', 'abc'],
    ['a part of a buffer', new DataView(new TextEncoder().encode('abc').buffer, 1, 1), 'application/octet-stream', 'b'],
    ['URLSearchParams', new URLSearchParams({ a: '1 2', b: 'ü' }), 'application/x-www-form-urlencoded', 'a=1+2&b=%C3%BC'],
    ['a Blob with a type', new Blob(['a,b'], { type: 'text/csv' }), 'text/csv', 'a,b'],
    ['a Blob without a type', new Blob(['a']), null, 'a'],
    ['a web stream', webStream, 'application/octet-stream', 'of the web'],
    ['a Node stream', Readable.from(['a', 'b']), 'application/octet-stream', 'ab'],
    ['an async iterable', pieces(), 'application/octet-stream', 'grüß'],
    ['an object', { a: [1] }, 'application/json', '{"a":[1]}'],
    ['an array', [1, 2], 'application/json', '[1,2]'],
    ['false', false, 'application/json', 'false'],
    ['nothing', null, null, ''],
  ];
  for (const [name, body, type, text] of cases) {
    it(`is ${name}`, async () => {
      const echo = (await app.inject({ method: 'POST', url: '/echo', body })).json<Echo>();
      assert.deepEqual([echo.type, echo.text], [type, text]);
    });
  }

  it('is a form with fields and a file', async () => {
    const body = new FormData();
    body.set('name', 'fulmar');
    body.set('photo', new Blob(['grey'], { type: 'image/png' }), 'bird.png');
    const upload = createApp();
    upload.post('/', async (c) => {
      const form = await c.request.formData();
      return [form.get('name'), await (form.get('photo') as File).text(), (form.get('photo') as File).name];
    });
    assert.deepEqual((await upload.inject({ url: '/', body })).json(), ['fulmar', 'grey', 'bird.png']);
  });

  it('keeps a type that was given', async () => {
    const reply = await app.inject({ url: '/echo', headers: { 'content-type': 'text/x' }, body: new Blob(['a'], { type: 'text/csv' }) });
    assert.equal(reply.json<Echo>().type, 'text/x');
  });

  it('is not what JSON has no word for', async () => {
    await assert.rejects(app.inject({ url: '/echo', body: () => {} }), /body is function, which is neither content nor JSON/);
    await assert.rejects(app.inject({ url: '/echo', body: Readable.from([{ a: 1 }]) }), /has strings or bytes, and this piece is object/);
  });
});

describe('the query of inject()', () => {
  const cases: readonly (readonly [
    name: string,
    url: string,
    query: string | URLSearchParams | Record<string, never>,
    expected: object,
  ])[] = [
    ['an object', '/echo', { a: 1, b: 'ü &', c: true } as never, { a: '1', b: 'ü &', c: 'true' }],
    ['a list of values', '/echo', { a: ['1', '2'] } as never, { a: ['1', '2'] }],
    ['nothing for null and undefined', '/echo', { a: null, b: undefined, c: '' } as never, { c: '' }],
    ['URLSearchParams', '/echo', new URLSearchParams('a=1'), { a: '1' }],
    ['a text', '/echo', '?a=1', { a: '1' }],
    ['put behind that of the URL', '/echo?z=0', { a: 1 } as never, { z: '0', a: '1' }],
    ['empty', '/echo', {}, {}],
  ];
  for (const [name, url, query, expected] of cases) {
    it(`is ${name}`, async () => assert.deepEqual((await app.inject({ url, query })).json<Echo>().query, expected));
  }
});

describe('the cookies of inject()', () => {
  it('are sent in one field, encoded', async () => {
    const reply = await app.inject({ url: '/echo', cookies: { id: '7', name: 'ü; a' } });
    assert.deepEqual(reply.json<Echo>().cookies, { id: '7', name: 'ü; a' });
  });
  it('stand behind those of a field', async () => {
    const reply = await app.inject({ url: '/echo', headers: { cookie: 'a=1' }, cookies: { b: '2' } });
    assert.deepEqual(reply.json<Echo>().cookies, { a: '1', b: '2' });
  });
});

describe('an option that inject() does not have', () => {
  const cases: readonly (readonly [options: unknown, message: RegExp])[] = [
    [{ url: '/', payload: {} }, /has no option payload; here it is body/],
    [{ url: '/', json: {} }, /has no option json; here it is body/],
    [{ path: '/' }, /has no option path; here it is url/],
    [{ url: '/', header: {} }, /has no option header; did you mean headers/],
    [{ url: '/', methd: 'PUT' }, /did you mean method/],
    [{ method: 'GET' }, /needs url/],
    [{ url: 5 }, /url is a path, with its query, and this is 5/],
    [{ url: '/', headers: [['a', 'b']] }, /headers is an object of fields by name/],
    [{ url: '/', query: 5 }, /query is an object/],
    [undefined, /takes a URL or an object of options/],
  ];
  for (const [options, message] of cases) {
    it(`is an error: ${JSON.stringify(options)}`, () => assert.rejects(app.inject(options as never), { name: 'TypeError', message }));
  }
});

describe('the content of what fetch() gives', () => {
  const quiet = { logger: { error: () => {} } };

  it('has every piece that was given before it failed', async () => {
    const app = createApp(quiet).get('/', async function* () {
      yield 'one';
      yield 'two';
      throw new Error('of the source');
    });
    const reader = ((await app.fetch(new Request('http://a/'))).body as ReadableStream<Uint8Array>).getReader();
    // Nobody has read anything when it fails.
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const texts = [await reader.read(), await reader.read()].map(({ value }) => new TextDecoder().decode(value));
    assert.deepEqual(texts, ['one', 'two']);
    await assert.rejects(reader.read(), /broken off/);
  });

  it('is made as fast as it is read, and its source is ended when its reader leaves', async () => {
    let given = 0;
    let isEnded = false;
    const app = createApp(quiet).get('/', async function* () {
      try {
        for (; ; given += 1) yield 'x'.repeat(1024);
      } finally {
        isEnded = true;
      }
    });
    const reader = ((await app.fetch(new Request('http://a/'))).body as ReadableStream<Uint8Array>).getReader();
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const unread = given;
    assert.ok(unread < 40, `${unread} pieces that nobody has read`);
    for (let read = 0; read < 100; read += 1) assert.equal((await reader.read()).value?.byteLength, 1024);
    assert.ok(given >= 99);
    await reader.cancel();
    for (let turn = 0; turn < 50 && !isEnded; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isEnded, true);
  });
});
