/**
 * `health()`: what its routes say, checks that fail, hang or are asked for at once, and the end of the app.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createApp } from '../../../src/app/index.ts';
import { accessLog, health, type HealthOptions } from '../../../src/app/middleware/index.ts';
import { serverOf } from '../server.ts';
import { defineCases } from '../case.ts';
import { until } from '../websocket/peer.ts';

const TYPE = { 'content-type': 'application/health+json', 'cache-control': 'no-store' };
const broken = (): never => {
  throw new Error('password of the database');
};
const never = (): Promise<never> => new Promise(() => {});

interface HealthCase {
  readonly name: string;
  readonly options?: HealthOptions;
  readonly url?: string;
  readonly status?: number;
  readonly text: RegExp;
}

const cases: readonly HealthCase[] = [
  { name: 'alive', url: '/live', text: /^\{"status":"pass"\}$/ },
  { name: 'ready without checks', text: /^\{"status":"pass"\}$/ },
  { name: 'alive, whatever checks say', url: '/live', options: { checks: { db: broken } }, text: /^\{"status":"pass"\}$/ },
  { name: 'at other paths', url: '/healthz', options: { ready: '/healthz' }, text: /pass/ },
  { name: 'not at a path that is switched off', url: '/live', options: { live: false }, status: 404, text: /Nothing is at/ },
  {
    name: 'ready with a check',
    options: { checks: { db: () => {} } },
    text: /^\{"status":"pass","checks":\{"db":\[\{"status":"pass","time":"[^"]+","observedValue":\d+,"observedUnit":"ms"\}\]\}\}$/,
  },
  {
    name: 'not ready where one throws, without its text',
    options: { checks: { db: broken, ok: () => true } },
    status: 503,
    text: /^(?!.*password)\{"status":"fail",.*"db":\[\{"status":"fail".*"ok":\[\{"status":"pass"/,
  },
  {
    name: 'with its text where that is asked for',
    options: { checks: { db: broken }, errors: true },
    status: 503,
    text: /"output":"password of the database"/,
  },
  {
    name: 'not ready where one rejects with nothing',
    options: { checks: { db: () => Promise.reject() } },
    status: 503,
    text: /"status":"fail"/,
  },
  {
    name: 'not ready where one gives false',
    options: { checks: { db: () => Promise.resolve(false) } },
    status: 503,
    text: /"status":"fail"/,
  },
  {
    name: 'not ready where one hangs',
    options: { checks: { db: never }, timeoutMs: 20, errors: true },
    status: 503,
    text: /It took longer than 20 ms/,
  },
  {
    name: 'by a time of its own',
    options: { checks: { db: { check: never, timeoutMs: 10 } }, errors: true },
    status: 503,
    text: /It took longer than 10 ms/,
  },
  {
    name: 'with a warning where it is not critical',
    options: { checks: { cache: { check: broken, critical: false } } },
    text: /^\{"status":"warn",.*"cache":\[\{"status":"warn"/,
  },
  {
    name: 'a failure is more than a warning',
    options: { checks: { a: { check: broken, critical: false }, b: broken } },
    status: 503,
    text: /^\{"status":"fail"/,
  },
];

defineCases('health()', [
  ...cases.map(({ name, options, url = '/ready', status = 200, text }) => ({
    name,
    app: (app: ReturnType<typeof createApp>) => void app.register(health(options)),
    ask: url,
    expect: { status, text, headers: status === 404 ? {} : TYPE },
  })),
  {
    name: 'of HEAD',
    app: (app) => void app.register(health({ checks: { db: broken } })),
    ask: { method: 'HEAD', url: '/ready' },
    expect: { status: 503, text: '' },
  },
  { name: 'of another method', app: (app) => void app.register(health()), ask: { method: 'POST', url: '/ready' }, expect: { status: 405 } },
  {
    name: 'under a prefix',
    app: (app) => void app.group('/internal', (inner) => void inner.register(health())),
    ask: '/internal/ready',
    expect: { text: '{"status":"pass"}' },
  },
]);

describe('health() refuses', () => {
  const wrong: readonly [unknown, RegExp][] = [
    [{ liv: '/x' }, /health\(\) has no option liv; did you mean live/],
    [{ live: 'live' }, /live is a path such as \/live, or false, and this is "live"/],
    [{ checks: { db: 5 } }, /checks is an object of functions by name/],
    [{ checks: [] }, /checks is an object of functions by name/],
    [{ checks: { db: { check() {}, crtical: true } } }, /has no option crtical; did you mean critical/],
    [{ timeoutMs: 0 }, /timeoutMs is a number of milliseconds, at least 1/],
    [{ drainDelayMs: 2 ** 31 }, /drainDelayMs is a number of milliseconds/],
    [{ concurrency: 0 }, /concurrency is a number of checks, at least 1/],
    [5, /takes an object of options, and this is 5/],
  ];
  for (const [options, message] of wrong)
    it(JSON.stringify(options).slice(0, 40), () => assert.throws(() => health(options as never), message));
});

describe('checks', () => {
  it('are made once for all who ask at the same time, and told again while they are fresh', async () => {
    let made = 0;
    const check = async (): Promise<void> => void (made += 1);
    const app = createApp();
    app.register(health({ checks: { db: check }, cacheMs: 10_000 }));
    const replies = await Promise.all(Array.from({ length: 20 }, () => app.inject('/ready')));
    await app.inject('/ready');
    assert.ok(replies.every(({ status }) => status === 200));
    assert.equal(made, 1);
  });

  it('are made again without a cache', async () => {
    let made = 0;
    const app = createApp();
    app.register(health({ checks: { db: () => void (made += 1) }, cacheMs: 0 }));
    for (let times = 0; times < 3; times += 1) await app.inject('/ready');
    assert.equal(made, 3);
  });

  it('that hang are not begun again, get a signal, and recover', async () => {
    let begun = 0;
    let release: (() => void) | undefined;
    let isTold = false;
    const check = (signal: AbortSignal): Promise<void> | undefined => {
      begun += 1;
      signal.addEventListener('abort', () => (isTold = true));
      return begun === 1 ? new Promise<void>((resolve) => (release = resolve)) : undefined;
    };
    const app = createApp({ logger: { error: () => {} } });
    app.register(health({ checks: { db: check }, cacheMs: 0, timeoutMs: 10 }));
    for (let times = 0; times < 3; times += 1) assert.equal((await app.inject('/ready')).status, 503);
    assert.equal(begun, 1);
    assert.equal(isTold, true);
    release?.();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal((await app.inject('/ready')).status, 200);
  });

  it('are so many at once', async () => {
    let now = 0;
    let most = 0;
    const check = async (): Promise<void> => {
      most = Math.max(most, (now += 1));
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
    };
    const app = createApp();
    app.register(health({ checks: Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`c${at}`, check])), concurrency: 3 }));
    const { json, status } = await app.inject('/ready');
    assert.equal(status, 200);
    assert.equal(most, 3);
    assert.equal(Object.keys((json() as { checks: object }).checks).length, 20);
  });

  it('are for the log when they change, with why', async () => {
    const logged: unknown[][] = [];
    let fails = true;
    const app = createApp({ logger: { error: (...what) => logged.push(what) } });
    app.register(health({ checks: { db: () => (fails ? broken() : true) }, cacheMs: 0 }));
    await app.inject('/ready');
    await app.inject('/ready');
    fails = false;
    await app.inject('/ready');
    assert.deepEqual(
      logged.map(([line]) => line),
      ['health: db is fail, and was pass', 'health: db is pass, and was fail'],
    );
    assert.match(String(logged[0]?.[1]), /password/);
  });

  it('are not in the access log where they are registered before it', async () => {
    const lines: string[] = [];
    const app = createApp();
    app.register(health());
    app.use(accessLog({ write: (line) => lines.push(line) }));
    app.get('/', () => 'x');
    await app.inject('/ready');
    await app.inject('/');
    await until(() => lines.length > 0);
    assert.match(lines.join('\n'), /^GET \/ 200 [^\n]*$/);
  });
});

describe('the end of the app', () => {
  it('is told first: not ready, and answering, for so long', async () => {
    const app = createApp();
    app.register(health({ drainDelayMs: 300 }));
    app.get('/', () => 'as ever');
    const { url } = await serverOf(app);
    assert.equal((await fetch(`${url}/ready`)).status, 200);
    let isClosed = false;
    const began = performance.now();
    const closed = app.close().then(() => (isClosed = true));
    // One that is asked at once may still have been begun before.
    const statuses: number[] = [];
    for (const path of ['/ready', '/live', '/']) statuses.push((await fetch(url + path)).status);
    assert.deepEqual(statuses, [503, 200, 200]);
    assert.equal(isClosed, false);
    await closed;
    assert.ok(performance.now() - began >= 299);
    await assert.rejects(fetch(`${url}/ready`));
  });

  it('and a begin: it is ready again', async () => {
    const app = createApp();
    app.register(health());
    await serverOf(app);
    await app.close();
    const { url } = await serverOf(app);
    assert.equal((await fetch(`${url}/ready`)).status, 200);
    await app.close();
  });
});
