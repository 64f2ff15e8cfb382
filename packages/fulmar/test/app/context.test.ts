/**
 * What a context tells of who asks, and the replies that it makes of files, streams and views.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import ejs from 'ejs';
import { Eta } from 'eta';
import { type App, type AppOptions, createApp, type FileOptions, HttpError } from '../../src/app/index.ts';
import type { RawContext } from '../../src/app/context.ts';
import { type AppCase, defineCases } from './case.ts';
import { serverOf } from './server.ts';

const quiet = { logger: { error: () => {} } };
const above = mkdtempSync(join(tmpdir(), 'fulmar-context-'));
const root = join(above, '.data', 'public');
const MODIFIED = new Date('2024-05-06T07:08:09Z');
mkdirSync(join(root, 'views'), { recursive: true });
const files: Readonly<Record<string, string>> = {
  'a.txt': 'hello',
  'ä ö.txt': 'umlauts',
  'empty.txt': '',
  'large.txt': 'x'.repeat(3_000_000),
  '.hidden': 'dot',
  'views/bird.ejs': '<h1><%= name %></h1>',
};
for (const [name, content] of Object.entries(files)) {
  writeFileSync(join(root, name), content);
  utimesSync(join(root, name), MODIFIED, MODIFIED);
}
writeFileSync(join(above, 'secret.txt'), 'secret');
symlinkSync(join(root, 'a.txt'), join(root, 'link.txt'));
after(() => rmSync(above, { recursive: true, force: true }));

const TAG = `W/"5-${MODIFIED.getTime().toString(16)}"`;
const inRoot =
  (options: FileOptions = {}) =>
  (app: App) =>
    void app.get('/f/*path', (c) => c.file(c.params.path, { root, ...options }));
const file = (ask: AppCase['ask'], expect: AppCase['expect'], options?: FileOptions): Omit<AppCase, 'name'> => ({
  options: quiet,
  app: inRoot(options),
  ask,
  expect,
});
const get = (name: string, headers: Record<string, string>, method = 'GET') => ({ url: `/f/${name}`, headers, method });

defineCases('c.file', [
  {
    name: 'a file with its fields',
    ...file('/f/a.txt', {
      text: 'hello',
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        etag: TAG,
        'last-modified': MODIFIED.toUTCString(),
        'accept-ranges': 'bytes',
        'cache-control': 'public, max-age=0',
      },
    }),
  },
  { name: 'a large file', ...file('/f/large.txt', { text: files['large.txt'] as string }) },
  { name: 'an empty file', ...file('/f/empty.txt', { status: 200, text: '' }) },
  { name: 'a name that is escaped', ...file('/f/%C3%A4%20%C3%B6.txt', { text: 'umlauts' }) },
  { name: 'a link within', ...file('/f/link.txt', { text: 'hello' }) },
  { name: 'HEAD', ...file(get('a.txt', {}, 'HEAD'), { text: '', headers: { etag: TAG } }) },
  { name: 'who has it is told so', ...file(get('a.txt', { 'If-None-Match': TAG }), { status: 304, text: '' }) },
  { name: 'who has it since', ...file(get('a.txt', { 'If-Modified-Since': MODIFIED.toUTCString() }), { status: 304, text: '' }) },
  { name: 'who expects another', ...file(get('a.txt', { 'If-Match': '"other"' }), { status: 412 }) },
  {
    name: 'a part',
    ...file(get('a.txt', { Range: 'bytes=1-2' }), { status: 206, text: 'el', headers: { 'content-range': 'bytes 1-2/5' } }),
  },
  { name: 'the last part', ...file(get('a.txt', { Range: 'bytes=-2' }), { status: 206, text: 'lo' }) },
  {
    name: 'a part that is not there',
    ...file(get('a.txt', { Range: 'bytes=9-' }), { status: 416, headers: { 'content-range': 'bytes */5' } }),
  },
  { name: 'a part of what has changed', ...file(get('a.txt', { Range: 'bytes=1-2', 'If-Range': '"old"' }), { text: 'hello' }) },
  { name: 'nothing', ...file('/f/none.txt', { status: 404 }) },
  { name: 'a folder', ...file('/f/views', { status: 404 }) },
  { name: 'a way out', ...file('/f/..%2f..%2fsecret.txt', { status: 403 }) },
  { name: 'a way out with a backslash', ...file('/f/..%5c..%5csecret.txt', { status: 403 }) },
  { name: 'an escape that is escaped is a name', ...file('/f/%252e%252e%252fsecret.txt', { status: 404 }) },
  { name: 'NUL', ...file('/f/a.txt%00', { status: 400 }) },
  { name: 'a hidden file', ...file('/f/.hidden', { status: 404 }) },
  { name: 'a hidden file that is denied', ...file('/f/.hidden', { status: 403 }, { dotfiles: 'deny' }) },
  { name: 'a hidden file that is allowed', ...file('/f/.hidden', { text: 'dot' }, { dotfiles: 'allow' }) },
  {
    name: 'seconds to keep it',
    ...file('/f/a.txt', { headers: { 'cache-control': 'public, max-age=60, immutable' } }, { maxAge: 60, immutable: true }),
  },
  { name: 'a root that is a URL', ...file('/f/a.txt', { text: 'hello' }, { root: pathToFileURL(root) }) },
  {
    name: 'an absolute path, whatever the folders are called',
    app: (app) => void app.get('/', (c) => c.file(join(root, 'a.txt'))),
    ask: '/',
    expect: { text: 'hello' },
  },
  {
    name: 'a URL',
    app: (app) => void app.get('/', (c) => c.file(pathToFileURL(join(root, 'ä ö.txt')))),
    ask: '/',
    expect: { text: 'umlauts' },
  },
  {
    name: 'an absolute path that goes up',
    options: quiet,
    app: (app) => void app.get('/', (c) => c.file(`${root}/../../secret.txt`)),
    ask: '/',
    expect: { status: 403 },
  },
  {
    name: 'a relative path without a root is the program’s error',
    options: quiet,
    app: (app) => void app.get('/', (c) => c.file('a.txt')),
    ask: '/',
    expect: { status: 500 },
  },
  {
    name: 'a status of its own',
    options: quiet,
    app: (app) => void app.get('/', (c) => c.status(404).file('a.txt', { root })),
    ask: { url: '/', headers: { Range: 'bytes=0-1' } },
    expect: { status: 404, text: 'hello' },
  },
  {
    name: 'a type of its own',
    app: (app) => void app.get('/', (c) => c.header('Content-Type', 'text/x-own').file('a.txt', { root })),
    ask: '/',
    expect: { text: 'hello', headers: { 'content-type': 'text/x-own' } },
  },
  {
    name: 'an error handler has its error',
    options: quiet,
    app: (app) => void app.onError((error, c) => c.status(404).text((error as Error).name)).get('/', (c) => c.file('none', { root })),
    ask: '/',
    expect: { status: 404, text: 'HttpError' },
  },
  {
    name: 'a download',
    app: (app) => void app.get('/', (c) => c.download('ä ö.txt', undefined, { root })),
    ask: '/',
    expect: {
      text: 'umlauts',
      headers: { 'content-disposition': /* by RFC 6266 */ `attachment; filename="? ?.txt"; filename*=UTF-8''%C3%A4%20%C3%B6.txt` },
    },
  },
  {
    name: 'a download with a name',
    app: (app) => void app.get('/', (c) => c.download(join(root, 'a.txt'), 'b "c".txt')),
    ask: '/',
    expect: { text: 'hello', headers: { 'content-disposition': 'attachment; filename="b \\"c\\".txt"' } },
  },
  {
    name: 'a download that is not there says nothing of one',
    options: quiet,
    app: (app) => void app.get('/', (c) => c.download('none', 'x', { root })),
    ask: '/',
    expect: { status: 404, headers: { 'content-disposition': undefined } },
  },
]);

const asked = (app: App): void => void app.get('/', (c) => [c.ip, c.host, c.hostname, c.protocol, c.origin]);
const from = {
  Host: 'Shop.Example.:8080',
  'X-Forwarded-For': '10.9.9.9, 203.0.113.7',
  'X-Forwarded-Host': 'public.example, inner',
  'X-Forwarded-Proto': 'HTTPS, http',
};
const trusting = (name: string, trustProxy: AppOptions['trustProxy'], ip: string, isBelieved: boolean): AppCase => ({
  name,
  options: trustProxy === undefined ? {} : { trustProxy },
  app: asked,
  ask: { url: '/', headers: from },
  // Without a connection there is no address that could be trusted, or told.
  not: { fetch: 'it has no peer', ...(isBelieved ? {} : { lambda: 'its platform says the scheme in that field' }) },
  expect: {
    json: isBelieved
      ? [ip, 'public.example', 'public.example', 'https', 'https://public.example']
      : [ip, 'Shop.Example.:8080', 'shop.example', 'http', 'http://Shop.Example.:8080'],
  },
});

const claiming = (name: string, claimed: string, ip: string, trustProxy: AppOptions['trustProxy'] = true): AppCase => ({
  name,
  options: { trustProxy },
  app: (app) => void app.get('/', (c) => c.ip),
  ask: { url: '/', headers: { 'X-Forwarded-For': claimed } },
  not: { fetch: 'it has no peer' },
  expect: { text: ip },
});

defineCases('an address of a proxy', [
  claiming('that is none is that of the connection', 'x'.repeat(5000), '127.0.0.1'),
  claiming('that is none gives way to the next one', '<script>, 203.0.113.7', '203.0.113.7'),
  claiming('that is none, by a list', 'unknown', '127.0.0.1', 'loopback'),
  claiming('of four numbers beyond 255 is none', '1.2.3.999', '127.0.0.1'),
  claiming('with a port is told without', '203.0.113.7:4711', '203.0.113.7'),
  claiming('of IPv6 in brackets is told without', '[2001:db8::1]:4711', '2001:db8::1'),
  claiming('of IPv6 is told as it is', '2001:db8::1', '2001:db8::1'),
  claiming('of IPv6 with a zone is told as it is', 'fe80::1%eth0', 'fe80::1%eth0'),
]);

defineCases('whom a request is from', [
  trusting('nobody is believed', undefined, '127.0.0.1', false),
  trusting('nor by 0', 0, '127.0.0.1', false),
  trusting('nor by false', false, '127.0.0.1', false),
  trusting('all', true, '10.9.9.9', true),
  trusting('the nearest', 1, '203.0.113.7', true),
  trusting('two of them', 2, '10.9.9.9', true),
  trusting('by a name of subnets', 'loopback', '203.0.113.7', true),
  trusting('by subnets as text', 'loopback, 203.0.113.0/24', '10.9.9.9', true),
  trusting('by a list', ['127.0.0.0/8', '203.0.113.7', '10.0.0.0/8'], '10.9.9.9', true),
  trusting('another one only', '192.0.2.1', '127.0.0.1', false),
  trusting('by a function', (_address, hop) => hop === 0, '203.0.113.7', true),
  {
    name: 'without the fields of a proxy',
    options: { trustProxy: true },
    app: asked,
    ask: { url: '/', headers: { Host: '[::1]:80' } },
    not: { fetch: 'it has no peer' },
    expect: { json: ['127.0.0.1', '[::1]:80', '[::1]', 'http', 'http://[::1]:80'] },
  },
  {
    name: 'a target with its authority goes before Host',
    app: (app) => void app.get('/', (c) => c.host),
    ask: { url: 'http://real.example:81/', headers: { Host: 'other.example' } },
    not: { fetch: 'a Request has no such target', lambda: 'an event has no such path' },
    expect: { text: 'real.example:81' },
  },
  {
    name: 'accepts',
    app: (app) => void app.get('/', (c) => [c.accepts('json', 'html'), c.accepts('text/plain')]),
    ask: { url: '/', headers: { Accept: 'text/html;q=0.9, application/json;q=0.5' } },
    expect: { json: ['html', false] },
  },
  {
    name: 'accepts without the field',
    app: (app) => void app.get('/', (c) => c.accepts('json', 'html') as string),
    ask: '/',
    expect: { text: 'json' },
    not: { fetch: 'undici says */*' },
  },
  {
    name: 'is',
    app: (app) => void app.post('/', (c) => [c.is('json'), c.is('urlencoded', 'json'), c.is('text/*')]),
    ask: { url: '/', method: 'POST', headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: '{}' },
    expect: { json: ['json', 'json', false] },
  },
  { name: 'is without content', app: (app) => void app.get('/', (c) => [c.is('json')]), ask: '/', expect: { json: [null] } },
]);

it('of fetch the protocol is the URL’s', async () => {
  const app = createApp().get('/', (c) => [c.origin, c.request.url]);
  const reply = await app.fetch(new Request('https://shop.example/?a'));
  assert.deepEqual(await reply.json(), ['https://shop.example', 'https://shop.example/?a']);
});

const views = join(root, 'views');
const eta = new Eta();
defineCases('c.stream and c.render', [
  {
    name: 'an iterable with a type',
    app: (app) => void app.get('/', (c) => c.stream(['a', 'b'].values(), { type: 'text/plain' })),
    ask: '/',
    expect: { text: 'ab', headers: { 'content-type': 'text/plain' } },
  },
  {
    name: 'a generator',
    app: (app) =>
      void app.get('/', (c) =>
        c.stream(
          (async function* () {
            yield 'a';
            yield { n: 1 };
          })(),
        ),
      ),
    ask: '/',
    expect: { text: 'a{"n":1}' },
  },
  {
    name: 'a function that writes',
    app: (app) =>
      void app.get('/', (c) =>
        c.stream(async ({ write }) => {
          await write('a');
          await write(new Uint8Array([98]));
        }),
      ),
    ask: '/',
    expect: { text: 'ab' },
  },
  {
    name: 'a function that does not wait',
    app: (app) =>
      void app.get('/', (c) =>
        c.stream(({ write }) => {
          for (let n = 0; n < 1000; n += 1) void write('x');
        }),
      ),
    ask: '/',
    expect: { text: 'x'.repeat(1000) },
  },
  {
    name: 'a function that writes nothing',
    app: (app) => void app.get('/', (c) => c.stream(() => {})),
    ask: '/',
    expect: { status: 200, text: '' },
  },
  {
    name: 'a function that fails before it has written',
    options: quiet,
    app: (app) => void app.get('/', (c) => c.stream(() => Promise.reject(new Error('x')))),
    ask: '/',
    expect: { status: 500 },
  },
  {
    name: 'a view of ejs',
    options: { views: { engine: (path, data) => ejs.renderFile(path, data), folder: views, extension: 'ejs' } },
    app: (app) => void app.get('/', (c) => c.render('bird', { name: '<fulmar>' })),
    ask: '/',
    expect: { text: '<h1>&lt;fulmar&gt;</h1>', headers: { 'content-type': 'text/html; charset=utf-8' } },
  },
  {
    name: 'a view with its extension, of a folder that is a URL',
    options: { views: { engine: (path, data) => ejs.renderFile(path, data), folder: pathToFileURL(views) } },
    app: (app) => void app.get('/', (c) => c.status(201).render('bird.ejs', { name: 'a' })),
    ask: '/',
    expect: { status: 201, text: '<h1>a</h1>' },
  },
  {
    name: 'a view of eta, by a function',
    options: { views: (view, data) => eta.renderStringAsync(`<p><%= it.name %> of ${view}</p>`, data) },
    app: (app) => void app.get('/', (c) => c.render('list', { name: 'a' })),
    ask: '/',
    expect: { text: '<p>a of list</p>' },
  },
  {
    name: 'a view that leads out of the folder',
    options: { ...quiet, views: { engine: (path) => path, folder: views } },
    app: (app) => void app.get('/', (c) => c.render('../a.txt')),
    ask: '/',
    expect: { status: 500 },
  },
  {
    name: 'a view that fails',
    options: { ...quiet, views: { engine: (path, data) => ejs.renderFile(path, data), folder: views, extension: '.ejs' } },
    app: (app) => void app.get('/', (c) => c.render('none')),
    ask: '/',
    expect: { status: 500 },
  },
  {
    name: 'a view that is no text',
    options: { ...quiet, views: () => 7 as never },
    app: (app) => void app.get('/', (c) => c.render('a')),
    ask: '/',
    expect: { status: 500 },
  },
  { name: 'no views', options: quiet, app: (app) => void app.get('/', (c) => c.render('a')), ask: '/', expect: { status: 500 } },
]);

describe('a function that streams', () => {
  it('is told when its client leaves, and what it writes then is rejected', async () => {
    let told: (reason: unknown) => void = () => {};
    const seen = new Promise((resolve) => (told = resolve));
    const app = createApp(quiet).get('/', (c) =>
      c.stream(async ({ write, signal }) => {
        try {
          for (;;) await write('x'.repeat(65_536));
        } catch (error) {
          told([signal.aborted, error === signal.reason]);
        }
      }),
    );
    const { url } = await serverOf(app);
    const controller = new AbortController();
    const reply = await fetch(url, { signal: controller.signal });
    await (reply.body as ReadableStream<Uint8Array>).getReader().read();
    controller.abort();
    assert.deepEqual(await seen, [true, true]);
    await app.close();
  });

  it('is refused what it does not wait for without end', async () => {
    let refused = 0;
    const app = createApp(quiet).get('/', (c) =>
      c.stream(async ({ write }) => {
        const all = Array.from({ length: 20_000 }, () =>
          write('x').catch((error: unknown) => void (refused += error instanceof RangeError ? 1 : 0)),
        );
        await Promise.all(all);
      }),
    );
    const reply = await app.inject('/');
    assert.equal(reply.text.length + refused, 20_000);
    assert.ok(refused > 0);
  });

  it('that does not wait may lose its client: nothing comes of it', async (t) => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    t.after(() => process.off('unhandledRejection', note));
    let left: (() => void) | undefined;
    const gone = new Promise<void>((resolve) => (left = resolve));
    const app = createApp(quiet).get('/', (c) =>
      c.stream(async ({ write, signal }) => {
        const isOver = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        for (let n = 0; n < 100; n += 1) void write('x'.repeat(65_536));
        await isOver;
        void write('late');
        left?.();
      }),
    );
    t.after(() => app.close());
    const { url } = await serverOf(app);
    for (const ask of [(init: RequestInit) => fetch(url, init), (init: RequestInit) => app.fetch(new Request('http://a/', init))]) {
      const controller = new AbortController();
      const reply = await ask({ signal: controller.signal });
      const reader = (reply.body as ReadableStream<Uint8Array>).getReader();
      await reader.read();
      controller.abort();
      await reader.cancel().catch(() => {});
    }
    await gone;
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(unhandled, []);
  });

  it('is refused what waits where the stream ends for another reason', async () => {
    const refused: string[] = [];
    const app = createApp(quiet).get('/', (c) =>
      c.stream(async ({ write }) => {
        for (const piece of ['a', 5n as never, 'b']) await write(piece).catch((error: Error) => refused.push(error.message));
      }),
    );
    await app.inject('/').catch(() => {});
    assert.equal(refused.length, 2);
    assert.equal(refused[0], 'Nobody takes what is sent any more.');
  });

  it('ends a generator a piece of which cannot be sent', async () => {
    let isEnded = false;
    const app = createApp(quiet).get('/', async function* () {
      try {
        yield 'a';
        yield 5n;
      } finally {
        isEnded = true;
      }
    });
    await assert.rejects(app.inject('/'));
    assert.ok(isEnded);
  });

  it('of events leaves one listener, however many it sends', async () => {
    let most = 0;
    const app = createApp(quiet).get('/', (c) => {
      let listeners = 0;
      const { signal } = c;
      const { addEventListener, removeEventListener } = signal;
      signal.addEventListener = (...given: Parameters<typeof addEventListener>) => {
        most = Math.max(most, (listeners += 1));
        addEventListener.apply(signal, given);
      };
      signal.removeEventListener = (...given: Parameters<typeof removeEventListener>) => {
        listeners -= 1;
        removeEventListener.apply(signal, given);
      };
      return c.sse(async ({ send }) => {
        for (let n = 0; n < 100; n += 1) await send({ data: n });
      });
    });
    assert.equal((await app.inject('/')).text.split('\n\n').length, 101);
    assert.equal(most, 1);
  });
});

describe('what is wrong with an option is said', () => {
  const cases: readonly [string, () => unknown, RegExp][] = [
    [
      'trust of no address',
      () => createApp({ trustProxy: 'nowhere' }),
      /trustProxy is true, the number of proxies in front, their addresses/,
    ],
    ['trust of half a proxy', () => createApp({ trustProxy: 1.5 }), /trustProxy is true, the number/],
    ['trust of an empty list', () => createApp({ trustProxy: [] }), /trustProxy is true/],
    ['views without an engine', () => createApp({ views: { folder: 'x' } as never }), /views is a function \(view, data, c\)/],
    [
      'views with a member that is none',
      () => createApp({ views: { engine: () => '', folder: 'x', ext: 'a' } as never }),
      /views is a function/,
    ],
  ];
  for (const [name, run, message] of cases) it(name, () => assert.throws(run, message));
  it('an option of a file that is none', async () => {
    const told: string[] = [];
    const app = createApp({ logger: { error: (_line, error) => void told.push(String(error)) } }).get('/', (c) =>
      c.file('a', { root, maxage: 1 } as never),
    );
    assert.equal((await app.inject('/')).status, 500);
    assert.match(told.join(), /file\(\) has no option maxage; did you mean maxAge/);
  });
});

describe('the request of the web', () => {
  const app = createApp()
    .get('/*', (c) => c.request.url)
    .get('/caught', (c) => {
      try {
        return c.request.url;
      } catch (error) {
        return (error as HttpError).status;
      }
    });
  const wrong = ['a b', 'a/b', 'a@b', 'a?b', 'a#b', 'a\\b', 'a:99999', 'a:b', '[::1', '[1', 'a%', '<'];
  for (const host of wrong) {
    it(`is 400 for the host ${host}`, async () => {
      const { status, text } = await app.inject({ url: '/', headers: { host } });
      assert.equal(status, 400, text);
      assert.equal((await app.inject({ url: '/caught', headers: { host } })).text, '400');
    });
  }
  const right: readonly (readonly [host: string, url: string, expected: string])[] = [
    ['a', '/', 'http://a/'],
    ['a:81', '/b?c', 'http://a:81/b?c'],
    ['[::1]:81', '/', 'http://[::1]:81/'],
    ['', '/', 'http://localhost/'],
    ['a', '//evil/b', 'http://a//evil/b'],
    ['a', 'http://u:p@b/c', 'http://b/c'],
  ];
  for (const [host, url, expected] of right) {
    it(`has the URL ${expected} of ${url} at ${host}`, async () => {
      assert.equal((await app.inject({ url, headers: { host } })).text, expected);
    });
  }
  it('is 400 for a mounted fetch function whose host is none', async () => {
    const outer = createApp().mount('/m', { fetch: (request: Request) => new Response(request.url) });
    assert.equal((await outer.inject({ url: '/m', headers: { host: 'a b' } })).status, 400);
  });
});

describe('options of what contexts and errors do', () => {
  const app = (run: (c: RawContext) => unknown) =>
    createApp(quiet).get('/', (c) => {
      try {
        run(c);
        return 'taken';
      } catch (error) {
        return String(error);
      }
    });
  const wrong: readonly [name: string, (c: RawContext) => unknown, RegExp][] = [
    ['sse()', (c) => c.sse([], { heartbeat: 5 } as never), /TypeError: sse\(\) has no option heartbeat; did you mean heartbeatMs/],
    ['sse() that is no object', (c) => c.sse([], 5 as never), /TypeError: sse\(\) takes an object of options, and this is 5/],
    ['cookie()', (c) => c.cookie('a', 'b', { maxage: 5 } as never), /TypeError: cookie\(\) has no option maxage; did you mean maxAge/],
    [
      'a time of cookie()',
      (c) => c.cookie('a', 'b', { maxAge: 0.5 }),
      /TypeError: cookie\(\): maxAge is a number of seconds, and this is 0.5/,
    ],
    ['stream()', (c) => c.stream([], { typ: 'text/plain' } as never), /TypeError: stream\(\) has no option typ; did you mean type/],
    [
      'HttpError',
      () => new HttpError(400, 'x', { header: {} } as never),
      /TypeError: HttpError\(\) has no option header; did you mean headers/,
    ],
    [
      'multipart()',
      (c) => c.body.multipart({ names: 'latin9' as never }),
      /TypeError: multipart\(\): names is 'utf8' or 'latin1', and this is "latin9"/,
    ],
  ];
  for (const [name, run, text] of wrong) it(`are refused: ${name}`, async () => assert.match((await app(run).inject('/')).text, text));

  it('are refused: form()', async () => {
    const forms = createApp(quiet).post('/', async (c) => c.body.form({ names: 'latin9' as never }).catch(String));
    assert.match((await forms.inject({ method: 'POST', url: '/' })).text, /TypeError: form\(\): names is 'utf8' or 'latin1'/);
  });

  it('are refused: inject()', async () => {
    await assert.rejects(
      app(() => {}).inject({ metod: 'POST', url: '/' } as never),
      /TypeError: inject\(\) has no option metod; did you mean method/,
    );
    await assert.rejects(app(() => {}).inject({} as never), /TypeError: inject\(\) needs url, a path/);
  });
});
