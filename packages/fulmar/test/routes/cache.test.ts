/** `config.cache` and `useCache()`: what is kept, for whom and for how long; what never is; what each request still runs. */
import assert from 'node:assert/strict';
import { describe, it, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { App } from '../../src/app/index.ts';
import { etag } from '../../src/app/middleware/index.ts';
import { createRoutes, createStore } from '../../src/routes/index.ts';
import { appOf, ask, type Files, folderWith } from './support.ts';

const OURS = JSON.stringify(fileURLToPath(new URL('../../src/routes/index.ts', import.meta.url)));
const HEAD = `import { createStore, useCache } from ${OURS};\nlet calls = 0;\n`;

const of = (text: string): Files => ({ 'a.mjs': HEAD + text });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function texts(app: App, ...asked: readonly (readonly [url: string, headers?: object] | string)[]): Promise<string[]> {
  const found: string[] = [];
  for (const one of asked) {
    const [url, headers = {}] = typeof one === 'string' ? [one] : one;
    found.push((await ask(app, 'GET', url, { headers })).text);
  }
  return found;
}

test('a reply is made once for a URL, and says whether it was', async (t) => {
  const app = await appOf(
    t,
    of('export const config = { cache: {} }; export const GET = (c) => ({ calls: (calls += 1), q: c.query.q ?? null });'),
  );
  assert.deepEqual(await texts(app, '/a', '/a', '/a?q=1', '/a?q=1', '/a'), [
    '{"calls":1,"q":null}',
    '{"calls":1,"q":null}',
    '{"calls":2,"q":"1"}',
    '{"calls":2,"q":"1"}',
    '{"calls":1,"q":null}',
  ]);
  const { headers } = await ask(app, 'GET', '/a?q=2');
  assert.equal(headers['x-cache'], 'MISS');
  assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  const second = await ask(app, 'GET', '/a?q=2');
  assert.equal(second.headers['x-cache'], 'HIT');
  assert.equal(second.headers['content-type'], 'application/json; charset=utf-8');
});

test('who asks at the same time waits for the one that is made', async (t) => {
  const app = await appOf(
    t,
    of(
      "export const config = { cache: {} }; export const GET = async () => { calls += 1; await new Promise(setImmediate); return 'made ' + calls; };",
    ),
  );
  const replies = await Promise.all(Array.from({ length: 20 }, () => ask(app, 'GET', '/a')));
  assert.deepEqual([...new Set(replies.map(({ text }) => text))], ['made 1']);
});

test('another host, another method and other fields that it varies by are other replies', async (t) => {
  const app = await appOf(
    t,
    of(
      "export const config = { cache: { vary: ['Accept-Language'] } }; export default (c) => c.header('Vary', 'accept-language').text(c.method + ' ' + (calls += 1));",
    ),
  );
  assert.deepEqual(
    await texts(
      app,
      '/a',
      ['/a', { 'accept-language': 'de' }],
      ['/a', { 'accept-language': 'de' }],
      ['/a', { host: 'other.example' }],
      '/a',
    ),
    ['GET 1', 'GET 2', 'GET 2', 'GET 3', 'GET 1'],
  );
  assert.equal((await ask(app, 'POST', '/a')).text, 'POST 4');
  assert.equal((await ask(app, 'POST', '/a')).text, 'POST 5');
  const head = await ask(app, 'HEAD', '/a');
  assert.deepEqual([head.status, head.text, head.headers['content-length'], head.headers['x-cache']], [200, '', '6', 'MISS']);
  assert.equal((await ask(app, 'HEAD', '/a')).headers['x-cache'], 'HIT');
});

test('a host that has the beginning of a path in it, as a proxy may hand it on, is given no reply and leaves none', async (t) => {
  const folder = folderWith(t, {
    '[...path].mjs': `${HEAD}export const config = { cache: {} }; export const GET = (c) => c.pathname + ' ' + (calls += 1);`,
  });
  const app = createRoutes({ dir: folder, trustProxy: true });
  assert.deepEqual(
    await texts(
      app,
      ['/b', { 'x-forwarded-host': 'a.example/x' }],
      ['/x/b', { host: 'a.example' }],
      ['/x/b', { host: 'a.example' }],
      ['/b', { 'x-forwarded-host': 'a.example/x' }],
    ),
    ['/b 1', '/x/b 2', '/x/b 2', '/b 3'],
  );
});

test('what is made for HEAD is given to no GET, whatever key there is', async (t) => {
  const app = await appOf(
    t,
    of("export const config = { cache: { key: () => 'one' } }; export default (c) => (c.method === 'HEAD' ? c.status(204) : 'all of it');"),
  );
  assert.equal((await ask(app, 'HEAD', '/a')).status, 204);
  assert.deepEqual(await texts(app, '/a', '/a'), ['all of it', 'all of it']);
  assert.equal((await ask(app, 'HEAD', '/a')).status, 204);
});

describe('never kept is', () => {
  const rows: readonly (readonly [what: string, handler: string, headers?: object])[] = [
    ['a reply that sets a cookie', "(c) => { c.cookie('a', 'b'); return 'x' + (calls += 1); }"],
    ['an error that is returned', "(c) => c.text('x' + (calls += 1), 500)"],
    ['an error that is thrown', "() => { throw Object.assign(new Error('x' + (calls += 1)), { status: 400, expose: true }); }"],
    ['what is not found', "(c) => c.text('x' + (calls += 1), 404)"],
    ['a redirect for now', "(c) => c.redirect('/b' + (calls += 1))"],
    ['a part', "(c) => c.text('x' + (calls += 1), 206)"],
    ['a stream', "(c) => c.stream((stream) => stream.write('x' + (calls += 1)))"],
    ['events', "(c) => c.sse([{ data: 'x' + (calls += 1) }])"],
    ['a Response', "() => new Response('x' + (calls += 1))"],
    ['a file', `(c) => { calls += 1; return c.header('X-Calls', String(calls)).file(${JSON.stringify(fileURLToPath(import.meta.url))}); }`],
    ['what says no-store', "(c) => c.header('Cache-Control', 'no-store').text('x' + (calls += 1))"],
    ['what is private', "(c) => c.header('Cache-Control', 'max-age=5, PRIVATE').text('x' + (calls += 1))"],
    ['what depends on another field', "(c) => c.header('Vary', 'x-user').text('x' + (calls += 1))"],
    ['what depends on everything', "(c) => c.header('Vary', '*').text('x' + (calls += 1))"],
    ['what is for a password', "() => 'x' + (calls += 1)", { authorization: 'Basic YTpi' }],
    ['what is for a session', "() => 'x' + (calls += 1)", { cookie: 'sid=1' }],
    ['what is for a key', "() => 'x' + (calls += 1)", { 'x-api-key': '1' }],
    ['what is asked with content', "() => 'x' + (calls += 1)", { 'content-length': '1' }],
  ];
  for (const [what, handler, headers = {}] of rows)
    it(what, async (t) => {
      const app = await appOf(t, {
        ...of(`export const config = { cache: {} }; export const GET = ${handler}; export const POST = () => calls;`),
      });
      const more = 'content-length' in headers ? { body: 'x' } : { headers };
      const first = await ask(app, 'GET', '/a', more);
      const second = await ask(app, 'GET', '/a', more);
      assert.equal((await ask(app, 'POST', '/a')).text, '2', first.text);
      assert.equal(first.status, second.status);
      assert.equal(second.headers['x-cache'], undefined);
    });
});

test('what is not kept is as it would be without', async (t) => {
  const handler = "(c) => { c.cookie('a', 'b'); c.header('X-Own', 'y'); return c.json({ ok: 1 }, 201); }";
  const app = await appOf(t, {
    'a.mjs': `export const config = { cache: {} }; export const GET = ${handler};`,
    'b.mjs': `export const GET = ${handler};`,
  });
  const [one, other] = [await ask(app, 'GET', '/a'), await ask(app, 'GET', '/b')];
  assert.deepEqual({ ...one.headers, date: 0 }, { ...other.headers, date: 0 });
  assert.deepEqual([one.status, one.text], [201, '{"ok":1}']);
});

describe('kept is as it was sent', () => {
  const rows: readonly (readonly [what: string, handler: string])[] = [
    ['text', "() => 'text'"],
    ['HTML', "(c) => c.html('<p>')"],
    ['an object', '() => ({ a: 1 })'],
    ['a list', '() => [1, 2]'],
    ['a number', '() => 5'],
    ['null', '() => null'],
    ['nothing', '() => undefined'],
    ['nothing with a status', '(c) => c.status(202)'],
    ['bytes', '() => new Uint8Array([1, 2, 3])'],
    ['JSON with a status', '(c) => c.json({ a: 1 }, 201)'],
    ['another type', "(c) => c.send('a,b', 'text/csv')"],
    [
      'fields',
      "(c) => c.header('X-A', 'b').header('Cache-Control', 'max-age=60').header('Link', '<a>').header('Link', '<b>', { append: true }).text('x')",
    ],
    ['a move for good', "(c) => c.redirect('/b', 301)"],
    ['a promise', "async () => 'later'"],
  ];
  for (const [what, handler] of rows)
    for (const response of ['', 'schema: { response: {} }, '])
      it(`${what}${response === '' ? '' : ' with a schema'}`, async (t) => {
        const app = await appOf(t, {
          'plain.mjs': `export const GET = ${handler};`,
          'kept.mjs': `export const config = { ${response}cache: {} }; export const GET = ${handler};`,
        });
        const plain = await ask(app, 'GET', '/plain');
        for (const word of ['MISS', 'HIT']) {
          const kept = await ask(app, 'GET', '/kept');
          const isBytes = what === 'bytes' && response !== '';
          assert.deepEqual(kept, {
            ...plain,
            headers: { ...plain.headers, ...(!isBytes && { 'x-cache': word }), date: kept.headers['date'] },
          });
        }
      });
});

test('a schema of replies sees what is kept each time', async (t) => {
  const app = await appOf(
    t,
    of(`export const config = { cache: {}, schema: { response: { type: 'object', properties: { calls: { type: 'number' } }, additionalProperties: false } } };
      export const GET = (c) => c.query.json ? c.json({ calls: (calls += 1), secret: 1 }) : { calls: (calls += 1), secret: 1 };`),
  );
  assert.deepEqual(await texts(app, '/a', '/a', '/a?json=1', '/a?json=1'), ['{"calls":1}', '{"calls":1}', '{"calls":2}', '{"calls":2}']);
});

test('middleware, schemas and hooks of the file run for each request', async (t) => {
  const app = await appOf(t, {
    '_middleware.mjs':
      "export default (c, next) => { c.header('X-Middleware', 'yes'); return c.query.who === 'no' ? c.text('who?', 401) : next(); };",
    ...of(`
      let seen = 0;
      export const config = { cache: { key: () => 'same' }, schema: { query: { type: 'object', required: ['who'] } } };
      export const page = { before: (c) => { if (c.query.who === 'banned') return 'banned'; }, after: (c, value) => ({ ...JSON.parse(value.value), seen: (seen += 1) }) };
      export const GET = () => ({ calls: (calls += 1) });`),
  });
  assert.deepEqual(await texts(app, '/a?who=1', '/a?who=2', '/a?who=banned', '/a?who=no'), [
    '{"calls":1,"seen":1}',
    '{"calls":1,"seen":2}',
    'banned',
    'who?',
  ]);
  assert.equal((await ask(app, 'GET', '/a')).status, 422);
  assert.equal((await ask(app, 'GET', '/a?who=3')).headers['x-middleware'], 'yes');
});

test('one that is over is given while another is made, and what fails behind it is logged', async (t) => {
  const errors: unknown[][] = [];
  const store = createStore();
  const kept = 'globalThis.fulmarTestStore';
  Object.assign(globalThis, { fulmarTestStore: store });
  t.after(() => Reflect.deleteProperty(globalThis, 'fulmarTestStore'));
  const app = await appOf(
    t,
    of(`export const config = { cache: { ttl: 1, stale: 60_000, store: ${kept} } };
      export const GET = async (c) => {
        calls += 1;
        c.header('X-Calls', calls);
        await new Promise(setImmediate);
        if (calls === 2) throw new Error('down');
        return 'x' + calls;
      };`),
    { logger: { error: (...given: unknown[]) => void errors.push(given) } },
  );
  assert.deepEqual(await texts(app, '/a'), ['x1']);
  const over = performance.now() + 2;
  while (performance.now() < over) await turn();
  const stale = await ask(app, 'GET', '/a');
  assert.deepEqual([stale.text, stale.headers['x-cache'], stale.headers['x-calls']], ['x1', 'STALE', '1']);
  while (errors.length === 0) await turn();
  assert.match(String(errors[0]?.[0]), /GET \/a: the reply that is kept could not be made anew/);
  assert.match(String(errors[0]?.[1]), /Error: down/);
  assert.equal((await ask(app, 'GET', '/a')).text, 'x1');
  let last = '';
  while (last !== 'x3') {
    await turn();
    last = (await ask(app, 'GET', '/a')).text;
  }
  store.invalidate((key) => key.startsWith('GET http://') && key.includes('/a'));
  assert.equal((await ask(app, 'GET', '/a')).headers['x-cache'], 'MISS');
});

test('shared and key say who shares what', async (t) => {
  const app = await appOf(t, {
    ...of("export const config = { cache: { shared: true } }; export const GET = () => 'x' + (calls += 1);"),
    'b.mjs': `${HEAD}export const config = { cache: { key: (c) => c.header('cookie') } }; export const GET = () => 'y' + (calls += 1);`,
  });
  assert.deepEqual(await texts(app, ['/a', { cookie: 'a=1' }], ['/a', { cookie: 'a=2' }], '/a'), ['x1', 'x1', 'x1']);
  assert.deepEqual(await texts(app, ['/b', { cookie: 'a=1' }], ['/b', { cookie: 'a=2' }], ['/b?q', { cookie: 'a=1' }], '/b', '/b'), [
    'y1',
    'y2',
    'y1',
    'y3',
    'y4',
  ]);
});

test('useCache() keeps replies of one handler, and those of two files apart', async (t) => {
  const text = `${HEAD}export const GET = useCache((c) => c.pathname + (calls += 1), { ttl: 5000, key: () => 'same' });`;
  const app = await appOf(t, { 'a.mjs': text, 'b.mjs': text });
  assert.deepEqual(await texts(app, '/a', '/b', '/a', '/b'), ['/a1', '/b1', '/a1', '/b1']);
});

test('the tag of what is kept is known, and 304', async (t) => {
  const folder = folderWith(t, of('export const config = { cache: {} }; export const GET = () => ({ calls: (calls += 1) });'));
  const app = createRoutes({ dir: folder });
  app.use(etag());
  const first = await ask(app, 'GET', '/a');
  const tag = first.headers['etag'] as string;
  const second = await ask(app, 'GET', '/a', { headers: { 'if-none-match': tag } });
  assert.deepEqual([second.status, second.text, second.headers['etag']], [304, '', tag]);
});

test('parameters of the rest of a path are there', async (t) => {
  const app = await appOf(t, { '[...rest].mjs': "export const config = { cache: {} }; export const GET = (c) => c.params['*'];" });
  assert.deepEqual(await texts(app, '/a/b%2Fc', '/a/b%2Fc', '/a/b'), ['["a","b/c"]', '["a","b/c"]', '["a","b"]']);
});

test('one whose client has left fails for nobody else', async (t) => {
  const app = await appOf(
    t,
    of(`export const config = { cache: {} };
      export const GET = (c) => new Promise((resolve, reject) => {
        calls += 1;
        if (calls > 1) return resolve('second');
        c.signal.addEventListener('abort', () => reject(new Error('left')));
        globalThis.fulmarTestAsked();
      });`),
  );
  const server = await app.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => app.close());
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/a`;
  const leaving = new AbortController();
  // The one that leaves is the one for which the reply is made: the other asks when it is there.
  const making = new Promise<void>((resolve) => Object.assign(globalThis, { fulmarTestAsked: resolve }));
  t.after(() => Reflect.deleteProperty(globalThis, 'fulmarTestAsked'));
  const first = fetch(url, { signal: leaving.signal }).catch(() => 'left');
  await making;
  const second = fetch(url);
  await turn();
  setImmediate(() => leaving.abort());
  assert.equal(await (await second).text(), 'second');
  await first;
});

describe('a cache that is none is told when the app is made ready', () => {
  const rejects = async (t: TestContext, text: string, message: RegExp): Promise<void> => {
    await assert.rejects(appOf(t, of(text)), message);
  };
  it('an option that there is not', (t) =>
    rejects(
      t,
      'export const config = { cache: { tll: 1 } }; export const GET = () => 1;',
      /a\.mjs: config\.cache has no option tll; did you mean ttl/,
    ));
  it('a time that is none', (t) =>
    rejects(t, "export const config = { cache: { ttl: '1' } }; export const GET = () => 1;", /a\.mjs: config\.cache: ttl is a number/));
  it('no options', (t) =>
    rejects(t, 'export const config = { cache: true }; export const GET = () => 1;', /a\.mjs: config\.cache takes an object/));
  it('a file without GET', (t) =>
    rejects(t, 'export const config = { cache: {} }; export const POST = () => 1;', /a\.mjs: has config\.cache.*answers no GET/));
  it('a handler of messages', (t) =>
    rejects(
      t,
      'export const config = { cache: {} }; export const GET = (req, res) => res.end();',
      /a\.mjs: has config\.cache.*\(req, res\)/,
    ));
  it('useCache() of messages', (t) =>
    rejects(t, 'export const GET = useCache((req, res) => res.end());', /useCache\(\) takes a handler \(c\).*\(req, res\)/));
});
