/**
 * `bodyLimit()`, `timeout()` and `rateLimit()`: what a client may ask for.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { type App, createApp, HttpError } from '../../../src/app/index.ts';
import { bodyLimit, memoryStore, rateLimit, type RateLimitOptions, timeout } from '../../../src/app/middleware/index.ts';
import { defineCases } from '../case.ts';
import { defineRefusals } from './refused.ts';

const QUIET = { logger: { error: () => {} } };
const MINUTE_MS = 60_000;

const withBodies = (app: App): void => {
  app.post('/small', bodyLimit(4), (c) => c.body.text());
  app.post('/unread', bodyLimit(4), () => 'unread');
  app.post('/pieces', bodyLimit(4), async (c) => {
    let length = 0;
    for await (const piece of c.body) length += piece.byteLength;
    return { length };
  });
  app.post('/web', bodyLimit(4), (c) => c.request.text());
  app.post('/large', bodyLimit(64), (c) => c.body.text());
  app.post('/usual', (c) => c.body.text());
};

defineCases('bodyLimit', [
  { name: 'content up to it', app: withBodies, ask: { url: '/small', body: '1234' }, expect: { text: '1234' } },
  {
    name: 'content beyond it is 413, and says how much may be',
    app: withBodies,
    ask: { url: '/small', body: '12345' },
    expect: {
      status: 413,
      json: { title: 'Content Too Large', status: 413, detail: 'Content of 4 bytes is accepted at most.', limit: 4 },
    },
  },
  {
    name: 'content that nobody reads is 413 where its length is known',
    app: withBodies,
    ask: { url: '/unread', body: '12345' },
    expect: { status: 413 },
    not: { fetch: 'a Request does not tell its length' },
  },
  { name: 'content read piece by piece', app: withBodies, ask: { url: '/pieces', body: '12345' }, expect: { status: 413 } },
  { name: 'content read piece by piece up to it', app: withBodies, ask: { url: '/pieces', body: '1234' }, expect: { json: { length: 4 } } },
  { name: 'content read from the web’s request', app: withBodies, ask: { url: '/web', body: '12345' }, expect: { status: 413 } },
  {
    name: 'more than the app’s limit',
    options: { bodyLimit: 8 },
    app: withBodies,
    ask: { url: '/large', body: '1'.repeat(64) },
    expect: { text: '1'.repeat(64) },
  },
  {
    name: 'is for its route alone',
    options: { bodyLimit: 8 },
    app: withBodies,
    ask: { url: '/usual', body: '1'.repeat(9) },
    expect: { status: 413 },
  },
]);

defineCases('timeout', [
  {
    name: 'answers 503 for who does not',
    app: (app) => app.get('/', timeout(5), () => new Promise(() => {})),
    ask: '/',
    expect: { status: 503, headers: { 'content-type': 'application/problem+json; charset=utf-8' } },
  },
  {
    name: 'leaves alone who does',
    app: (app) => app.get('/', timeout(MINUTE_MS), () => Promise.resolve('x')),
    ask: '/',
    expect: { text: 'x' },
  },
  {
    name: 'leaves errors alone',
    app: (app) => app.get('/', timeout(MINUTE_MS), () => Promise.reject(new HttpError(409))),
    ask: '/',
    expect: { status: 409 },
  },
  {
    name: 'fires the signal, and ignores what comes then',
    app: (app) =>
      app.get('/', timeout(5), async (c) => {
        await once(c.signal, 'abort');
        c.status(200);
        return 'late';
      }),
    ask: '/',
    expect: { status: 503 },
  },
  {
    name: 'ignores an error that comes later',
    app: (app) =>
      app.get('/', timeout(5), async (c) => {
        await once(c.signal, 'abort');
        throw new Error('late');
      }),
    ask: '/',
    expect: { status: 503 },
  },
  {
    name: 'ignores what a mounted application says later',
    app: (app) => {
      app.use(timeout(5));
      app.mount('/', (_req: never, res: { end(text: string): void }) => void setTimeout(() => res.end('late'), 200));
    },
    ask: '/',
    expect: { status: 503 },
  },
  {
    name: 'is an error that the app answers in its way',
    app: (app) => {
      app.onError((error, c) => c.status(504).text((error as HttpError).message));
      app.get('/', timeout(5), () => new Promise(() => {}));
    },
    ask: '/',
    expect: { status: 504, text: 'No reply within 5 ms.' },
  },
]);

describe('timeout and its signal', () => {
  it('has fired for who asks for it later', async () => {
    const app = createApp(QUIET);
    let tell: (isAborted: boolean) => void = () => {};
    const told = new Promise<boolean>((resolve) => (tell = resolve));
    let go: () => void = () => {};
    const gone = new Promise<void>((resolve) => (go = resolve));
    app.get('/', timeout(5), async (c) => {
      await gone;
      tell(c.signal.aborted);
    });
    assert.equal((await app.inject('/')).status, 503);
    go();
    assert.equal(await told, true);
  });
});

const withRate =
  (options: RateLimitOptions) =>
  (app: App): void => {
    app.use(rateLimit(options));
    app.get('/', () => 'x');
  };

defineCases('rateLimit', [
  {
    name: 'says what is left',
    app: withRate({
      max: 10,
      windowMs: 30_000,
      key: (c) => String(c.header('x-way')),
      store: { hit: () => ({ count: 4, resetMs: 1500 }) },
    }),
    ask: '/',
    expect: {
      text: 'x',
      headers: { 'ratelimit-limit': '10', 'ratelimit-remaining': '6', 'ratelimit-reset': '2', 'ratelimit-policy': '10;w=30' },
    },
  },
  {
    name: 'answers 429 and says when to come again',
    app: withRate({ max: 0 }),
    ask: '/',
    expect: { status: 429, headers: { 'retry-after': '60', 'ratelimit-remaining': '0' } },
  },
  {
    name: 'asks a store that takes its time',
    app: withRate({ max: 1, store: { hit: () => Promise.resolve({ count: 2, resetMs: 10 }) } }),
    ask: '/',
    expect: { status: 429, headers: { 'retry-after': '1' } },
  },
  {
    name: 'a store that fails is an error',
    app: withRate({ max: 1, store: { hit: () => Promise.reject(new Error('of the store')) } }),
    ask: '/',
    expect: { status: 500 },
  },
  {
    name: 'does not count who has no key',
    app: withRate({ max: 0, key: () => undefined }),
    ask: '/',
    expect: { text: 'x', headers: { 'ratelimit-limit': undefined } },
  },
]);

describe('rateLimit counts', () => {
  const statuses = async (options: RateLimitOptions, addresses: readonly string[]): Promise<number[]> => {
    const app = createApp(QUIET);
    withRate(options)(app);
    const found: number[] = [];
    for (const remoteAddress of addresses) found.push((await app.inject({ url: '/', remoteAddress })).status);
    return found;
  };

  it('each address by itself', async () => {
    assert.deepEqual(await statuses({ max: 2 }, ['10.0.0.1', '10.0.0.1', '10.0.0.2', '10.0.0.1', '10.0.0.2']), [200, 200, 200, 429, 200]);
  });
  it('a network of IPv6 as one', async () => {
    assert.deepEqual(await statuses({ max: 1 }, ['2001:db8::1', '2001:DB8:0:0:ffff::2', '2001:db8:0:1::1']), [200, 429, 200]);
  });
  it('an IPv4 address within IPv6 as what it is', async () => {
    assert.deepEqual(await statuses({ max: 1 }, ['::ffff:10.0.0.1', '10.0.0.1', '::ffff:10.0.0.2']), [200, 429, 200]);
  });
  it('long keys by a hash of one length, each by itself', async () => {
    const asked: string[] = [];
    const counts = memoryStore();
    const store = { hit: (key: string, windowMs: number) => (asked.push(key), counts.hit(key, windowMs)) };
    const key = (c: { ip: string }) => `${'x'.repeat(14_000)}${c.ip}`;
    assert.deepEqual(await statuses({ max: 1, store, key }, ['10.0.0.1', '10.0.0.2', '10.0.0.1']), [200, 200, 429]);
    assert.deepEqual(
      asked.map(({ length }) => length),
      [44, 44, 44],
    );
  });
  it('what a store is shared by together', async () => {
    const store = memoryStore();
    assert.deepEqual(await statuses({ max: 1, store }, ['10.0.0.1']), [200]);
    assert.deepEqual(await statuses({ max: 1, store }, ['10.0.0.1']), [429]);
  });
});

describe('the memory store', () => {
  const KEYS = 50;

  it('forgets the oldest beyond its keys', () => {
    const store = memoryStore({ keysMax: 2 });
    const counts = ['a', 'b', 'a', 'c', 'b', 'a'].map((key) => (store.hit(key, MINUTE_MS) as { count: number }).count);
    // `a` is forgotten for `c`, and `b` for the new `a`.
    assert.deepEqual(counts, [1, 1, 2, 1, 2, 1]);
  });
  it('begins anew when a window is over', (t) => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const store = memoryStore();
    assert.deepEqual(store.hit('a', 100), { count: 1, resetMs: 100 });
    now = 99;
    assert.deepEqual(store.hit('a', 100), { count: 2, resetMs: 1 });
    now = 100;
    assert.deepEqual(store.hit('a', 100), { count: 1, resetMs: 100 });
  });
  it('frees keys whose windows are over before others', (t) => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const store = memoryStore({ keysMax: KEYS });
    for (let at = 0; at < KEYS; at += 1) void store.hit(`old ${at}`, 10);
    now = 10;
    for (let at = 0; at < KEYS; at += 1) void store.hit(`new ${at}`, 10);
    assert.equal((store.hit('new 0', 10) as { count: number }).count, 2);
  });
});

defineRefusals('bodyLimit', [
  ['a size in words', () => bodyLimit('1mb' as never), /takes a number of bytes, and this is "1mb"/],
  ['a negative one', () => bodyLimit(-1), /this is -1/],
]);

defineRefusals('timeout', [
  ['none', () => timeout(0), /takes milliseconds, 1 to 2147483647, and this is 0/],
  ['a time in words', () => timeout('5s' as never), /this is "5s"/],
  ['more than a timer can', () => timeout(2 ** 31), /this is 2147483648/],
]);

defineRefusals('rateLimit', [
  ['no number', () => rateLimit({} as never), /needs max/],
  ['a number that is none', () => rateLimit({ max: NaN }), /max is a number of requests/],
  ['express-rate-limit’s name', () => rateLimit({ max: 1, keyGenerator: () => '' } as never), /no option keyGenerator; it has max/],
  ['a store that is none', () => rateLimit({ max: 1, store: new Map() as never }), /store is an object with hit\(key, windowMs\)/],
  ['no keys', () => memoryStore({ keysMax: 0 }), /keysMax is a number of keys, at least 1/],
]);
