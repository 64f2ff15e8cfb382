/**
 * `session()`: what a client's requests have in common, in a store and in the cookie itself.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import cookieSignature from 'cookie-signature';
import { type App, createApp, HttpError } from '../../../src/app/index.ts';
import { memorySessions, session, type Session, type SessionOptions, type SessionStore } from '../../../src/app/middleware/index.ts';
import { type AppCase, defineCases } from '../case.ts';
import { defineFlows, type Flow, Jar } from '../flow.ts';
import { defineRefusals } from './refused.ts';

const { sign } = cookieSignature;
const SECRET = 'a secret of more than thirty-two characters';
const OLD_SECRET = 'the secret of before, of more than thirty-two';
const DAY_S = 86_400;

/** What an application does with a session, each at an address of its own. */
function routes(app: App, options: Partial<SessionOptions> = {}): void {
  const sessions = session({ secret: SECRET, ...options });
  app.use(sessions);
  app.onError((error) => ({ failed: (error as Error).message }));
  app.get('/nothing', () => 'nothing');
  app.get('/read', async (c) => ({ ...(await sessions.of(c)).data }));
  app.get('/new', async (c) => (await sessions.of(c)).isNew);
  app.get('/id', async (c) => (await sessions.of(c)).id);
  app.get('/same', async (c) => (await sessions.of(c)) === (await sessions.of(c)));
  app.get('/count', async (c) => {
    const { data } = await sessions.of(c);
    data['count'] = Number(data['count'] ?? 0) + 1;
    return data['count'];
  });
  app.get('/deep', async (c) => {
    const { data } = await sessions.of(c);
    const cart = (data['cart'] ??= { birds: [] }) as { birds: string[] };
    cart.birds.push('fulmar');
    return cart.birds.length;
  });
  app.get('/replace', async (c) => {
    (await sessions.of(c)).data = { replaced: true };
  });
  app.get('/clear', async (c) => {
    const visit = await sessions.of(c);
    for (const name of Object.keys(visit.data)) delete visit.data[name];
  });
  app.get('/login', async (c) => {
    const visit = await sessions.of(c);
    await visit.regenerate();
    visit.data['user'] = 'ada';
  });
  app.get('/unawaited', async (c) => {
    const visit = await sessions.of(c);
    void visit.regenerate();
    visit.data['user'] = 'ada';
  });
  app.get('/fresh', async (c) => (await sessions.of(c)).regenerate({ keep: false }));
  app.get('/logout', async (c) => (await sessions.of(c)).destroy());
  app.get('/again', async (c) => {
    const visit = await sessions.of(c);
    await visit.destroy();
    await visit.regenerate();
    visit.data['again'] = true;
  });
  app.get('/after-destroy', async (c) => {
    const visit = await sessions.of(c);
    await visit.destroy();
    visit.data['lost'] = true;
  });
  app.get('/say', async (c) => (await sessions.of(c)).flash('note', 'saved'));
  app.get('/hear', async (c) => (await sessions.of(c)).flash('note'));
  app.get('/throw', async (c) => {
    (await sessions.of(c)).data['tries'] = 1;
    throw new HttpError(401, 'wrong');
  });
  app.get('/redirect', async (c) => {
    (await sessions.of(c)).data['seen'] = true;
    return c.redirect('/read');
  });
  app.get('/stream', async (c) => {
    (await sessions.of(c)).data['streamed'] = true;
    return (async function* () {
      yield 'a';
      await Promise.resolve();
      yield 'b';
    })();
  });
  app.get('/response', async (c) => {
    (await sessions.of(c)).data['response'] = true;
    return new Response('web', { headers: { 'Set-Cookie': 'other=1' } });
  });
  app.get('/twice', async (c) => {
    const visit = await sessions.of(c);
    visit.data['twice'] = 1;
    await visit.save();
    await visit.regenerate();
    visit.data['twice'] = 2;
  });
  app.get('/head', async (c) => {
    (await sessions.of(c)).data['head'] = true;
    return 'head';
  });
  app.get('/bigint', async (c) => {
    (await sessions.of(c)).data['big'] = 1n;
  });
  app.get('/taken', async (c) => {
    (await sessions.of(c)).data['cookie'] = 'oats';
  });
  app.get('/large', async (c) => {
    (await sessions.of(c)).data['large'] = 'x'.repeat(70_000);
  });
  app.get('/array', async (c) => {
    (await sessions.of(c)).data = [] as never;
  });
  app.get('/proto', async (c) => {
    const { data } = await sessions.of(c);
    Object.defineProperty(data, '__proto__', { value: { admin: true }, enumerable: true, configurable: true, writable: true });
    data['set'] = true;
  });
  app.get('/polluted', async (c) => {
    const { data } = await sessions.of(c);
    const merged = Object.assign({}, data) as { admin?: boolean };
    return [merged.admin ?? null, data['constructor'] ?? null, Object.keys(data)];
  });
}

const flow = (name: string, steps: Flow['steps'], options?: Partial<SessionOptions>): Flow => ({
  name,
  app: (app) => routes(app, options),
  steps,
});

const flowsOf = (options: Partial<SessionOptions>): Flow[] => [
  flow(
    'begins with the first change',
    [
      { ask: '/new', expect: { json: true, headers: { 'set-cookie': undefined, vary: 'Cookie' } } },
      { ask: '/count', expect: { json: 1 } },
      { ask: '/count', expect: { json: 2 } },
      { ask: '/new', expect: { json: false } },
      { ask: '/read', expect: { json: { count: 2 } } },
    ],
    options,
  ),
  flow(
    'sees changes within',
    [
      { ask: '/deep', expect: { json: 1 } },
      { ask: '/deep', expect: { json: 2 } },
      { ask: '/read', expect: { json: { cart: { birds: ['fulmar', 'fulmar'] } } } },
    ],
    options,
  ),
  flow(
    'takes other data',
    [
      { ask: '/count', expect: { json: 1 } },
      { ask: '/replace', expect: { status: 204 } },
      { ask: '/read', expect: { json: { replaced: true } } },
    ],
    options,
  ),
  flow(
    'can be empty',
    [
      { ask: '/count', expect: { json: 1 } },
      { ask: '/clear', expect: { status: 204 } },
      { ask: '/read', expect: { json: {} } },
      { ask: '/new', expect: { json: false } },
    ],
    options,
  ),
  flow(
    'keeps its data with a new id',
    [
      { ask: '/count', expect: { json: 1 } },
      { ask: '/login', expect: { status: 204 } },
      { ask: '/read', expect: { json: { count: 1, user: 'ada' } } },
    ],
    options,
  ),
  flow(
    'begins anew',
    [
      { ask: '/count', expect: { json: 1 } },
      { ask: '/fresh', expect: { status: 204 } },
      { ask: '/read', expect: { json: {} } },
    ],
    options,
  ),
  flow(
    'ends',
    [
      { ask: '/count', expect: { json: 1 } },
      { ask: '/logout', expect: { status: 204, headers: {} } },
      { ask: '/new', expect: { json: true } },
    ],
    options,
  ),
  flow(
    'ends and another begins',
    [
      { ask: '/count', expect: { json: 1 } },
      { ask: '/again', expect: { status: 204 } },
      { ask: '/read', expect: { json: { again: true } } },
    ],
    options,
  ),
  flow(
    'cannot be changed when it is over',
    [
      { ask: '/count', expect: { json: 1 } },
      { ask: '/after-destroy', expect: { status: 500, text: /has been ended by destroy/ } },
      { ask: '/new', expect: { json: true } },
    ],
    options,
  ),
  flow(
    'hands a message to a later request, once',
    [
      { ask: '/say', expect: { status: 204 } },
      { ask: '/say', expect: { status: 204 } },
      { ask: '/nothing', expect: { text: 'nothing' } },
      { ask: '/hear', expect: { json: ['saved', 'saved'] } },
      { ask: '/hear', expect: { json: [] } },
      { ask: '/read', expect: { json: {} } },
    ],
    options,
  ),
  flow(
    'is kept when the handler throws',
    [
      { ask: '/throw', expect: { status: 500, json: { failed: 'wrong' } } },
      { ask: '/read', expect: { json: { tries: 1 } } },
    ],
    options,
  ),
  flow(
    'is kept with a redirect',
    [
      { ask: '/redirect', expect: { status: 302, headers: { location: '/read' } } },
      { ask: '/read', expect: { json: { seen: true } } },
    ],
    options,
  ),
  flow(
    'is kept before a stream begins',
    [
      { ask: '/stream', expect: { text: 'ab' } },
      { ask: '/read', expect: { json: { streamed: true } } },
    ],
    options,
  ),
  flow(
    'is kept with a Response that has cookies of its own',
    [
      { ask: '/response', expect: { text: 'web' } },
      { ask: '/read', expect: { json: { response: true } } },
    ],
    options,
  ),
  flow(
    'is kept with HEAD',
    [
      { ask: { url: '/head', method: 'HEAD' }, expect: { text: '' } },
      { ask: '/read', expect: { json: { head: true } } },
    ],
    options,
  ),
  flow(
    'sets its cookie once, whatever is done',
    [
      { ask: '/twice', expect: { status: 204 } },
      { ask: '/read', expect: { json: { twice: 2 } } },
    ],
    options,
  ),
  flow('is one object within a request', [{ ask: '/same', expect: { json: true } }], options),
  flow(
    'refuses what JSON cannot say',
    [
      { ask: '/bigint', expect: { status: 500, text: /\$\.big is one/, headers: { 'set-cookie': undefined } } },
      { ask: '/new', expect: { json: true } },
    ],
    options,
  ),
  flow('refuses a name that is taken', [{ ask: '/taken', expect: { status: 500, text: /no member cookie/ } }], options),
  flow('refuses what is too large', [{ ask: '/large', expect: { status: 500, text: /65536 bytes at most|cookie of \d+ bytes/ } }], options),
  flow('refuses data that is no object', [{ ask: '/array', expect: { status: 500, text: /is an object/ } }], options),
  flow(
    'drops __proto__ and has no names of every object',
    [
      { ask: '/proto', expect: { status: 204 } },
      { ask: '/polluted', expect: { json: [null, null, ['set']] } },
    ],
    options,
  ),
  flow(
    'costs nothing where nobody asks',
    [{ ask: '/nothing', expect: { text: 'nothing', headers: { 'set-cookie': undefined, vary: undefined } } }],
    options,
  ),
];

defineFlows('sessions in memory', flowsOf({}));
defineFlows('sessions in the cookie', flowsOf({ store: 'cookie' }));

const changed = (jar: Map<string, string>, change: (value: string) => string): void => {
  for (const [name, value] of jar) jar.set(name, change(value));
};
defineFlows('a new id that nobody waits for', [
  {
    name: 'is there when the reply leaves',
    app: (app) => {
      const records = memorySessions();
      /** As over a network: the answer comes later. */
      const late: SessionStore = {
        ...bound(records),
        delete: (id) => new Promise((resolve) => setImmediate(() => resolve(records.delete(id)))),
      };
      routes(app, { store: late });
    },
    steps: [
      { ask: '/count', expect: { json: 1 } },
      { ask: '/unawaited', expect: { status: 204 } },
      { ask: '/read', expect: { json: { count: 1, user: 'ada' } } },
    ],
  },
  {
    name: 'is 503 when the store fails',
    app: (app) => routes(app, { store: { ...bound(memorySessions()), delete: () => Promise.reject(new Error('of the store')) } }),
    steps: [
      { ask: '/count', expect: { json: 1 } },
      { ask: '/unawaited', expect: { status: 500, json: { failed: 'The store of sessions does not answer.' } } },
    ],
  },
]);

/** The functions of a store, which can be taken apart. */
function bound(store: SessionStore): SessionStore {
  return {
    get: (id) => store.get(id),
    set: (id, record, ttlMs, mustExist) => store.set(id, record, ttlMs, mustExist),
    delete: (id) => store.delete(id),
    touch: (id, ttlMs) => store.touch(id, ttlMs),
  };
}

const tampering = (options: Partial<SessionOptions>): Flow[] =>
  (
    [
      ['another end', (value: string) => `${value.slice(0, -2)}${value.endsWith('AA') ? 'BB' : 'AA'}`],
      [
        'another begin',
        (value: string) => value.replace(/^(s%3A)?./, (first) => `${first.slice(0, -1)}${first.endsWith('A') ? 'B' : 'A'}`),
      ],
      ['a part', (value: string) => value.slice(0, value.length / 2)],
      ['nothing', () => ''],
      ['something else', () => 's%3Ax.y'],
      ['what is no base64', () => '%%%%'],
      ['very much', () => 'A'.repeat(8000)],
    ] as const
  ).map(([what, change]) =>
    flow(
      `is not believed a cookie of ${what}`,
      [
        { ask: '/count', expect: { json: 1 } },
        { ask: '/new', before: (jar) => changed(jar, change), expect: { json: true } },
      ],
      options,
    ),
  );
defineFlows('a session in memory', tampering({}));
defineFlows('a session in the cookie', tampering({ store: 'cookie' }));

/** A store with records as they would be there. */
function storeOf(records: Readonly<Record<string, string>>): SessionStore {
  const store = memorySessions();
  for (const [id, record] of Object.entries(records)) void store.set(id, record, DAY_S * 1000, false);
  return store;
}
const ask = (url: string, id: string, secret = SECRET, name = '__Host-sid'): AppCase['ask'] => ({
  url,
  headers: { Cookie: `${name}=${encodeURIComponent(`s:${sign(id, secret)}`)}` },
});
const EXPRESS = '{"cookie":{"originalMaxAge":null,"expires":null,"httpOnly":true,"path":"/"},"user":"ada"}';

const stored = (name: string, record: string, expect: AppCase['expect'], options: Partial<SessionOptions> = {}): AppCase => ({
  name,
  app: (app) => routes(app, { store: storeOf({ known: record }), rolling: false, ...options }),
  ask: ask('/read', 'known'),
  expect,
});

defineCases('records of sessions', [
  stored('of Express', EXPRESS, { json: { user: 'ada' } }),
  stored('without a cookie', '{"a":1}', { json: { a: 1 } }),
  stored('that are no JSON', '{', { json: {} }),
  stored('that are a list', '[1]', { json: {} }),
  stored('that are null', 'null', { json: {} }),
  stored('that are text', '"x"', { json: {} }),
  stored('with __proto__ within', '{"a":{"__proto__":{"x":1},"b":2}}', { json: { a: { b: 2 } } }),
  stored('with a cookie that is none', '{"cookie":7,"a":1}', { json: { a: 1 } }),
  stored('with other letters', '{"name":"grüße 🐦"}', { json: { name: 'grüße 🐦' } }),
  stored('that began too long ago', `{"_createdAt":${Date.now() - 40 * DAY_S * 1000},"a":1}`, { json: {} }),
  stored(
    'that began within the time',
    `{"_createdAt":${Date.now() - 40 * DAY_S * 1000},"a":1}`,
    { json: { a: 1 } },
    { absoluteTimeoutMs: 50 * DAY_S * 1000 },
  ),
  {
    name: 'by an id of an old secret',
    app: (app) => routes(app, { secret: [SECRET, OLD_SECRET], store: storeOf({ known: EXPRESS }) }),
    ask: ask('/read', 'known', OLD_SECRET),
    expect: { json: { user: 'ada' } },
  },
  {
    name: 'by an id that another secret signed',
    app: (app) => routes(app, { store: storeOf({ known: EXPRESS }) }),
    ask: ask('/read', 'known', OLD_SECRET),
    expect: { json: {}, headers: { 'set-cookie': undefined } },
  },
  {
    name: 'by an id without a signature',
    app: (app) => routes(app, { store: storeOf({ known: EXPRESS }) }),
    ask: { url: '/read', headers: { Cookie: '__Host-sid=known' } },
    expect: { json: {} },
  },
  {
    name: 'under another name of the cookie',
    app: (app) => routes(app, { name: 'connect.sid', store: storeOf({ known: EXPRESS }) }),
    ask: ask('/read', 'known', SECRET, 'connect.sid'),
    expect: { json: { user: 'ada' } },
  },
  {
    name: 'are not taken over by an id that is unknown',
    app: (app) => {
      const sessions = session({ secret: SECRET });
      app.use(sessions);
      app.get('/', async (c) => {
        const visit = await sessions.of(c);
        visit.data['a'] = 1;
        return visit.id === 'chosen';
      });
    },
    ask: ask('/', 'chosen'),
    expect: { json: false },
  },
  {
    name: 'by an empty id',
    app: (app) => routes(app, { store: storeOf({ '': EXPRESS }) }),
    ask: ask('/read', ''),
    expect: { json: {} },
  },
  {
    name: 'by a very long id',
    app: (app) => routes(app, { store: storeOf({ ['x'.repeat(300)]: EXPRESS }) }),
    ask: ask('/read', 'x'.repeat(300)),
    expect: { json: {} },
  },
  {
    name: 'beside a schema of cookies',
    app: (app) => {
      const sessions = session({ secret: SECRET, store: storeOf({ known: EXPRESS }) });
      const schema = { '~standard': { version: 1 as const, vendor: 'x', validate: () => ({ value: null }) } };
      app.use(sessions);
      app.get('/', { cookies: schema }, async (c) => ({ ...(await sessions.of(c)).data }));
    },
    ask: ask('/', 'known'),
    expect: { json: { user: 'ada' } },
  },
]);

const down: SessionStore = {
  get: () => Promise.reject(new Error('of the store')),
  set: () => Promise.reject(new Error('of the store')),
  delete: () => Promise.reject(new Error('of the store')),
  touch: () => Promise.reject(new Error('of the store')),
};
const plain = (app: App, options: Partial<SessionOptions>): void => {
  const sessions = session({ secret: SECRET, ...options });
  app.use(sessions);
  app.get('/read', async (c) => ({ ...(await sessions.of(c)).data }));
  app.get('/write', async (c) => {
    (await sessions.of(c)).data['a'] = 1;
    return 'written';
  });
  app.get('/out', async (c) => (await sessions.of(c)).destroy());
  app.get('/in', async (c) => (await sessions.of(c)).regenerate());
  app.get('/forgotten/:what', async (c) => {
    const visit = await sessions.of(c);
    void (c.params.what === 'destroy' ? visit.destroy() : visit.regenerate());
    // Longer than a rejection may stay without a handler.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    return 'done';
  });
};
const onlyRead: SessionStore = { ...down, get: () => Promise.resolve('{"a":1}') };
const noText: SessionStore = { ...down, get: () => ({ a: 1 }) as never };

defineCases('a store that fails', [
  ...['destroy', 'regenerate'].map((what): AppCase => ({
    name: `at a ${what}() that nobody waits for is 503`,
    app: (app) => plain(app, { store: onlyRead }),
    ask: ask(`/forgotten/${what}`, 'x'),
    expect: { status: 503 },
  })),
  { name: 'at load is 503', app: (app) => plain(app, { store: down }), ask: ask('/read', 'x'), expect: { status: 503 } },
  { name: 'is not asked without a cookie', app: (app) => plain(app, { store: down }), ask: '/read', expect: { json: {} } },
  {
    name: 'when it is to keep is 503',
    app: (app) => plain(app, { store: down }),
    ask: '/write',
    expect: { status: 503, headers: { 'set-cookie': undefined } },
  },
  { name: 'with what is no text is 503', app: (app) => plain(app, { store: noText }), ask: ask('/read', 'x'), expect: { status: 503 } },
  {
    name: 'at load, and the application goes on without',
    app: (app) => plain(app, { store: down, onStoreFailure: 'anonymous' }),
    ask: ask('/read', 'x'),
    expect: { json: {}, headers: { 'set-cookie': undefined } },
  },
  {
    name: 'when it is to keep, and the application goes on without',
    app: (app) => plain(app, { store: down, onStoreFailure: 'anonymous' }),
    ask: '/write',
    expect: { text: 'written', headers: { 'set-cookie': undefined } },
  },
  {
    name: 'at load, and nothing is overwritten later',
    app: (app) => plain(app, { store: { ...down, set: () => assert.fail('overwritten') }, onStoreFailure: 'anonymous' }),
    ask: ask('/write', 'x'),
    expect: { text: 'written', headers: { 'set-cookie': undefined } },
  },
  {
    name: 'when a session is to end is 503',
    app: (app) => plain(app, { store: { ...down, get: () => EXPRESS } }),
    ask: ask('/out', 'x'),
    expect: { status: 503 },
  },
  {
    name: 'when a session gets another id is 503',
    app: (app) => plain(app, { store: { ...down, get: () => EXPRESS } }),
    ask: ask('/in', 'x'),
    expect: { status: 503 },
  },
]);

/** The attributes of the cookie that a first change sets. */
const attributes = (name: string, options: Partial<SessionOptions>, expected: RegExp): void =>
  void it(name, async () => {
    const app = createApp();
    plain(app, options);
    assert.match(String((await app.inject('/write')).headers['set-cookie']), expected);
  });

describe('the cookie of a session', () => {
  attributes(
    'is for its host, https and no script',
    {},
    /^__Host-sid=s%3A[\w-]{32}\.[^;]+; Max-Age=86400; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  attributes(
    'is named otherwise where that name is not allowed',
    { cookie: { secure: false } },
    /^sid=[^;]+; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  attributes(
    'of a domain',
    { cookie: { domain: 'birds.example' } },
    /^sid=[^;]+; Max-Age=86400; Domain=birds\.example; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  attributes('ends with the browser', { persistent: false }, /^__Host-sid=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  attributes('lasts as long as the session', { idleTimeoutMs: 60_000 }, /; Max-Age=60;/);
  attributes('lasts no longer than the session may', { absoluteTimeoutMs: 60_000 }, /; Max-Age=60;/);
  attributes('has a priority', { cookie: { priority: 'high', sameSite: 'strict' } }, /SameSite=Strict/);
});

interface Asked {
  readonly name: string;
  readonly args: readonly unknown[];
}
/** A store in memory that tells what it is asked. */
function watched(): { store: SessionStore; asked: Asked[] } {
  const inner = memorySessions() as unknown as Record<string, (...args: unknown[]) => unknown>;
  const asked: Asked[] = [];
  const store = Object.fromEntries(
    ['get', 'set', 'delete', 'touch'].map((name) => [
      name,
      (...args: unknown[]) => {
        asked.push({ name, args });
        return inner[name]?.(...args);
      },
    ]),
  ) as unknown as SessionStore;
  return { store, asked };
}

/** Asks by `inject`, with the cookies that came before. */
function clientOf(app: App): (url: string) => Promise<{ status: number; text: string; cookies: string[] }> {
  const jar = new Jar();
  return async (url) => {
    const { status, text, headers } = await app.inject({ url, headers: jar.header() });
    const cookies = [headers['set-cookie'] ?? []].flat();
    for (const line of cookies) jar.take(line);
    return { status, text, cookies };
  };
}

describe('a store of sessions', () => {
  const namesOf = (asked: Asked[]): string[] => asked.splice(0).map(({ name }) => name);
  it('is asked for what is needed and no more', async () => {
    const { store, asked } = watched();
    const app = createApp();
    routes(app, { store });
    const client = clientOf(app);
    await client('/nothing');
    await client('/read');
    assert.deepEqual(namesOf(asked), []);
    await client('/count');
    assert.deepEqual(namesOf(asked), ['set']);
    await client('/nothing');
    assert.deepEqual(namesOf(asked), []);
    await client('/read');
    assert.deepEqual(namesOf(asked), ['get', 'touch']);
    await client('/count');
    assert.deepEqual(namesOf(asked), ['get', 'set']);
    await client('/login');
    assert.deepEqual(namesOf(asked), ['get', 'delete', 'set']);
    await client('/logout');
    assert.deepEqual(namesOf(asked), ['get', 'delete']);
  });
  it('is not told of use where rolling is off', async () => {
    const { store, asked } = watched();
    const app = createApp();
    routes(app, { store, rolling: false });
    const client = clientOf(app);
    await client('/count');
    namesOf(asked);
    assert.deepEqual((await client('/read')).cookies, []);
    assert.deepEqual(namesOf(asked), ['get']);
  });
  it('is told of use by touch()', async () => {
    const { store, asked } = watched();
    const app = createApp();
    const sessions = session({ secret: SECRET, store, rolling: false });
    app.use(sessions);
    app.get('/count', async (c) => {
      (await sessions.of(c)).data['a'] = 1;
    });
    app.get('/touch', async (c) => (await sessions.of(c)).touch());
    const client = clientOf(app);
    await client('/count');
    namesOf(asked);
    assert.equal((await client('/touch')).cookies.length, 1);
    assert.deepEqual(namesOf(asked), ['get', 'touch']);
  });
  it('gets records of Express, with the time that is left', async () => {
    const { store, asked } = watched();
    const app = createApp();
    routes(app, { store, idleTimeoutMs: 60_000, cookie: { secure: false } });
    await clientOf(app)('/count');
    const [id, record, ttlMs, mustExist] = (asked[0] as Asked).args as [string, string, number, boolean];
    const { cookie, count, _createdAt, ...rest } = JSON.parse(record) as Record<string, unknown>;
    assert.match(id, /^[\w-]{32}$/);
    assert.deepEqual([count, rest, ttlMs, mustExist], [1, {}, 60_000, false]);
    assert.ok(Math.abs(Number(_createdAt) - Date.now()) < 10_000);
    const { expires, ...others } = cookie as Record<string, unknown>;
    assert.deepEqual(others, { originalMaxAge: 60_000, path: '/', httpOnly: true, secure: false, sameSite: 'lax' });
    assert.ok(Date.parse(String(expires)) > Date.now());
  });
});

describe('requests at the same time', () => {
  /** An app whose `/slow` has loaded its session and waits. */
  function slowApp(options: Partial<SessionOptions> = {}): { app: App; loaded: Promise<void>; goOn: () => void } {
    const app = createApp({ logger: { error: () => {} } });
    const sessions = session({ secret: SECRET, ...options });
    let goOn = (): void => {};
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    let tell = (): void => {};
    const loaded = new Promise<void>((resolve) => (tell = resolve));
    app.use(sessions);
    app.get('/write', async (c) => {
      (await sessions.of(c)).data['a'] = 1;
    });
    app.get('/more', async (c) => {
      (await sessions.of(c)).data['more'] = true;
    });
    app.get('/slow/:what', async (c) => {
      const visit = await sessions.of(c);
      tell();
      await gate;
      if (c.params.what === 'write') visit.data['slow'] = true;
    });
    app.get('/login', async (c) => (await sessions.of(c)).regenerate());
    app.get('/logout', async (c) => (await sessions.of(c)).destroy());
    app.get('/read', async (c) => ({ ...(await sessions.of(c)).data }));
    return { app, loaded, goOn };
  }
  for (const what of ['write', 'read'] as const) {
    for (const end of ['/login', '/logout']) {
      it(`a ${what} does not bring back what ${end} has ended`, async () => {
        const { app, loaded, goOn } = slowApp();
        const first = String([(await app.inject('/write')).headers['set-cookie']].flat()[0]).split(';')[0] as string;
        const slow = app.inject({ url: `/slow/${what}`, headers: { cookie: first } });
        await loaded;
        await app.inject({ url: end, headers: { cookie: first } });
        goOn();
        // And the cookie of the new session is not overwritten.
        assert.equal((await slow).headers['set-cookie'], undefined);
        assert.equal((await app.inject({ url: '/read', headers: { cookie: first } })).text, '{}');
      });
    }
  }
  it('a reader does not write over what another one has written', async () => {
    const { app, loaded, goOn } = slowApp();
    const cookie = String([(await app.inject('/write')).headers['set-cookie']].flat()[0]).split(';')[0] as string;
    const slow = app.inject({ url: '/slow/read', headers: { cookie } });
    await loaded;
    await app.inject({ url: '/more', headers: { cookie } });
    goOn();
    await slow;
    assert.equal((await app.inject({ url: '/read', headers: { cookie } })).text, '{"a":1,"more":true}');
  });
});

describe('the time of a session', () => {
  /** Runs at times of its own: `performance.now()` and `Date.now()` go on when they are told to. */
  async function atTimes(
    options: Partial<SessionOptions>,
    run: (client: ReturnType<typeof clientOf>, pass: (ms: number) => void) => Promise<void>,
  ): Promise<void> {
    const { now } = performance;
    const { now: dateNow } = Date;
    let passed = 0;
    performance.now = () => now.call(performance) + passed;
    Date.now = () => dateNow.call(Date) + passed;
    try {
      const app = createApp();
      routes(app, options);
      await run(clientOf(app), (ms) => (passed += ms));
    } finally {
      performance.now = now;
      Date.now = dateNow;
    }
  }
  for (const store of [undefined, 'cookie'] as const) {
    const kind = store === undefined ? 'in memory' : 'in the cookie';
    const options = { ...(store === undefined ? {} : { store }), idleTimeoutMs: 60_000, absoluteTimeoutMs: 150_000 };
    it(`${kind}: is over when nobody uses it`, () =>
      atTimes(options, async (client, pass) => {
        await client('/count');
        pass(61_000);
        assert.equal((await client('/new')).text, 'true');
      }));
    it(`${kind}: is extended by use`, () =>
      atTimes(options, async (client, pass) => {
        await client('/count');
        for (let times = 0; times < 2; times += 1) {
          pass(50_000);
          assert.equal((await client('/new')).text, 'false');
        }
      }));
    it(`${kind}: is not extended by use where rolling is off`, () =>
      atTimes({ ...options, rolling: false }, async (client, pass) => {
        await client('/count');
        pass(50_000);
        assert.equal((await client('/new')).text, 'false');
        pass(50_000);
        assert.equal((await client('/new')).text, 'true');
      }));
    it(`${kind}: is over in the end, however it is used`, () =>
      atTimes(options, async (client, pass) => {
        await client('/count');
        for (let times = 0; times < 2; times += 1) {
          pass(50_000);
          assert.equal((await client('/count')).text, String(times + 2));
        }
        pass(49_000);
        assert.match(String((await client('/count')).cookies), /Max-Age=1;/);
        pass(2000);
        assert.equal((await client('/count')).text, '1');
      }));
    it(`${kind}: counts anew from a login on`, () =>
      atTimes(options, async (client, pass) => {
        await client('/count');
        pass(50_000);
        await client('/login');
        for (let times = 0; times < 2; times += 1) {
          pass(50_000);
          await client('/read');
        }
        assert.equal((await client('/read')).text, '{"count":1,"user":"ada"}');
      }));
  }
});

describe('sessions in memory', () => {
  it('are as many as were said, and the one used longest ago goes', () => {
    const store = memorySessions({ sessionsMax: 2 });
    void store.set('a', '1', 1000, false);
    void store.set('b', '2', 1000, false);
    void store.touch('a', 1000);
    void store.set('c', '3', 1000, false);
    assert.deepEqual([store.get('a'), store.get('b'), store.get('c')], ['1', undefined, '3']);
  });
  it('keep their record when they are extended', () => {
    const store = memorySessions();
    void store.set('a', '1', 1000, false);
    assert.equal(store.touch('a', 5000), true);
    assert.equal(store.get('a'), '1');
    assert.equal(store.touch('b', 5000), false);
  });
  it('are not made by a change of what is not there', () => {
    const store = memorySessions();
    assert.equal(store.set('a', '1', 1000, true), false);
    assert.equal(store.get('a'), undefined);
  });
});

describe('a session in the cookie', () => {
  const cookieOf = async (options: SessionOptions): Promise<string> => {
    const app = createApp();
    plain(app, options);
    return String([(await app.inject('/write')).headers['set-cookie']].flat()[0]).split(';')[0] as string;
  };
  const readBy = async (options: SessionOptions, cookie: string): Promise<string> => {
    const app = createApp();
    plain(app, options);
    return (await app.inject({ url: '/read', headers: { cookie } })).text;
  };
  it('is read with an old secret, and not with another', async () => {
    const cookie = await cookieOf({ secret: OLD_SECRET, store: 'cookie' });
    assert.equal(await readBy({ secret: [SECRET, OLD_SECRET], store: 'cookie' }, cookie), '{"a":1}');
    assert.equal(await readBy({ secret: SECRET, store: 'cookie' }, cookie), '{}');
  });
  it('is bound to its name', async () => {
    const cookie = await cookieOf({ secret: SECRET, store: 'cookie', name: 'one' });
    assert.equal(await readBy({ secret: SECRET, store: 'cookie', name: 'two' }, cookie.replace(/^one/, 'two')), '{}');
  });
  it('tells nothing', async () => {
    const cookie = await cookieOf({ secret: SECRET, store: 'cookie' });
    const content = Buffer.from(cookie.slice(cookie.indexOf('=') + 1), 'base64url').toString('latin1');
    assert.doesNotMatch(content, /created|data/);
  });
});

describe('a session that is used where it is not', () => {
  it('is an error that says what is missing', async () => {
    const sessions = session({ secret: SECRET });
    const app = createApp();
    app.get('/', async (c) => sessions.of(c).catch((error: Error) => error.message));
    assert.match((await app.inject('/')).text, /has no session: app\.use\(\)/);
  });
  it('can be saved behind the head, where its cookie is known', async () => {
    const store = memorySessions();
    const app = createApp({ logger: { error: () => {} } });
    const sessions = session({ secret: SECRET, store });
    let visit: Session | undefined;
    app.use(sessions);
    app.get('/write', async (c) => {
      (await sessions.of(c)).data['a'] = 1;
    });
    app.get('/stream', async (c) => {
      visit = await sessions.of(c);
      return (async function* () {
        yield 'a';
        if (visit !== undefined) visit.data['late'] = true;
        yield await visit?.save().then(
          () => 'saved',
          (error: Error) => error.message,
        );
        yield await visit?.regenerate().catch((error: Error) => error.message);
      })();
    });
    app.get('/read', async (c) => ({ ...(await sessions.of(c)).data }));
    const client = clientOf(app);
    assert.match(
      (await client('/stream')).text,
      /^aThe session cannot be kept: its cookie stands in the head, .*regenerate\(\) comes too late/,
    );
    await client('/write');
    assert.match((await client('/stream')).text, /^asavedregenerate/);
    assert.equal((await client('/read')).text, '{"a":1,"late":true}');
  });
  /** An app with what a stream does to a session, and a store that tells of each change. */
  function streaming(): { app: App; logged: string[]; changed: () => Promise<void> } {
    const logged: string[] = [];
    let tell = (): void => {};
    const inner = memorySessions();
    const store: SessionStore = {
      ...bound(inner),
      set: (...args) => {
        setImmediate(() => tell());
        return inner.set(...args);
      },
    };
    const app = createApp({
      logger: {
        error: (line, error) => {
          logged.push(`${String(line)}: ${(error as Error).message}`);
          tell();
        },
      },
    });
    const sessions = session({ secret: SECRET, store });
    app.use(sessions);
    app.get('/begin', async (c) => {
      (await sessions.of(c)).data['a'] = 1;
    });
    app.get('/loaded', async (c) => {
      const { data } = await sessions.of(c);
      return (async function* () {
        yield 'a';
        data['late'] = true;
      })();
    });
    app.get('/generator', async function* (c) {
      const { data } = await sessions.of(c);
      data['late'] = true;
      yield 'a';
    });
    app.get('/saved', async function* (c) {
      const visit = await sessions.of(c);
      visit.data['late'] = true;
      yield await visit.save().then(
        () => 'saved',
        (error: Error) => error.message,
      );
    });
    app.get('/before', async (c) => {
      const visit = await sessions.of(c);
      visit.data['early'] = true;
      return (async function* () {
        visit.data['late'] = true;
        yield 'a';
      })();
    });
    app.get('/events', (c) =>
      c.sse(async ({ send }) => {
        await send({ data: 'a' });
        (await sessions.of(c)).data['late'] = true;
      }),
    );
    app.get('/read', async (c) => ({ ...(await sessions.of(c)).data }));
    return { app, logged, changed: () => new Promise((resolve) => (tell = resolve)) };
  }
  for (const url of ['/loaded', '/generator', '/events']) {
    it(`is kept at the end of a stream: ${url}`, async () => {
      const { app, logged, changed: changing } = streaming();
      const client = clientOf(app);
      await client('/begin');
      const change = changing();
      await client(url);
      await change;
      assert.deepEqual(logged, []);
      assert.equal((await client('/read')).text, '{"a":1,"late":true}');
    });
    it(`cannot begin at the end of a stream, and the log says so: ${url}`, async () => {
      const { app, logged, changed: changing } = streaming();
      const change = changing();
      await clientOf(app)(url);
      await change;
      assert.match(logged.join(), /the session is not kept: .* made before a stream begins/);
    });
  }
  it('cannot begin in a generator, whose head is made before it runs', async () => {
    const { app } = streaming();
    assert.match((await clientOf(app)('/saved')).text, /its cookie stands in the head, which is made before a stream begins/);
  });
  it('is kept again at the end of the stream of the handler that began it', async () => {
    const { app, logged, changed: changing } = streaming();
    const client = clientOf(app);
    const change = changing();
    await client('/before');
    await change;
    assert.equal((await client('/read')).text, '{"early":true,"late":true}');
    assert.deepEqual(logged, []);
  });
  it('can be saved by the handler of errors', async () => {
    const app = createApp();
    const sessions = session({ secret: SECRET });
    app.use(sessions);
    app.get('/', () => {
      throw new Error('failed');
    });
    app.get('/read', async (c) => ({ ...(await sessions.of(c)).data }));
    app.onError(async (_error, c) => {
      const visit = await sessions.of(c);
      visit.data['failed'] = true;
      await visit.save();
      return 'sorry';
    });
    const client = clientOf(app);
    await client('/');
    assert.equal((await client('/read')).text, '{"failed":true}');
  });
});

defineRefusals('session', [
  ['no secret', () => session({} as never), /session\(\) needs secret/],
  ['an empty secret', () => session({ secret: ['x', ''] }), /secret is a text, or a list/],
  ['a short secret for what is to be hidden', () => session({ secret: 'short', store: 'cookie' }), /32 characters at least/],
  ['a short old secret', () => session({ secret: [SECRET, 'short'], store: 'cookie' }), /32 characters at least/],
  [
    'a store that is none',
    () => session({ secret: 'x', store: {} as never }),
    /store is 'cookie' or an object with get, set, delete and touch/,
  ],
  ['another word for the cookie', () => session({ secret: 'x', store: 'memory' as never }), /store is 'cookie'/],
  ['the options of express-session', () => session({ secret: 'x', resave: false } as never), /no option resave/],
  ['a time of the cookie', () => session({ secret: 'x', cookie: { maxAge: 1 } as never }), /cookie is an object of domain, path/],
  ['a name that is none', () => session({ secret: 'x', name: 'a b' }), /name is the name of a cookie/],
  [
    'a name that promises what is not',
    () => session({ secret: 'x', name: '__Host-a', cookie: { secure: false } }),
    /keep no cookie __Host-a/,
  ],
  [
    'seconds for milliseconds',
    () => session({ secret: 'x', idleTimeoutMs: 60 }),
    /idleTimeoutMs is a number of milliseconds, at least 1000/,
  ],
  ['no time', () => session({ secret: 'x', absoluteTimeoutMs: Infinity }), /absoluteTimeoutMs is a number/],
  [
    'another word for failures',
    () => session({ secret: 'x', onStoreFailure: 'ignore' as never }),
    /onStoreFailure is 'error' or 'anonymous'/,
  ],
]);
defineRefusals('memorySessions', [['no sessions', () => memorySessions({ sessionsMax: 0 }), /sessionsMax is a number of sessions/]]);
