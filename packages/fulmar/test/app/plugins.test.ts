/**
 * Plugins: what they add and where, their order, dependencies, failures, hooks by scope.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type App, createApp, definePlugin } from '../../src/app/index.ts';
import { defineCases } from './case.ts';
import { serverOf } from './server.ts';

const quiet = { logger: { error: () => {} } };
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Members that a type does not know of. */
const loose = (value: unknown): Record<string, unknown> => value as Record<string, unknown>;

const db = definePlugin({
  name: 'db',
  version: '1.2.0',
  encapsulate: false,
  decorators: { app: { db: { size: 3 } }, context: { user: (c) => c.header('x-user') ?? 'nobody' } },
  setup() {},
});

defineCases('the prefix of a plugin', [
  {
    name: 'puts its routes and its middleware there',
    app: (app) =>
      app
        .register((inner) => inner.use((c) => c.header('X-In', 'v1')).get('/a', (c) => c.route), { prefix: '/v1' })
        .get('/a', () => 'outside'),
    ask: '/v1/a',
    expect: { headers: { 'x-in': 'v1' }, text: '/v1/a' },
  },
  {
    name: 'leaves what is outside',
    app: (app) => void app.register((inner) => void inner.get('/a', () => 'a'), { prefix: '/v1' }),
    ask: '/a',
    expect: { status: 404 },
  },
  {
    name: 'is given to it as well, with its parameters in its routes',
    app: (app) =>
      void app.register(async (inner, { prefix }: { prefix?: string }) => void inner.get('/x', (c) => [prefix, c.params]), {
        prefix: '/:id',
      }),
    ask: '/7/x',
    expect: { json: ['/:id', { id: '7' }] },
  },
  {
    name: 'of one within another is behind that of the other',
    app: (app) =>
      void app.register((one) => void one.register((two) => void two.get('/c', (c) => c.route), { prefix: '/b' }), { prefix: '/a' }),
    ask: '/a/b/c',
    expect: { text: '/a/b/c' },
  },
  {
    name: 'that is empty is none',
    app: (app) => void app.register((inner) => void inner.get('/a', () => 'a'), { prefix: '' }),
    ask: '/a',
    expect: { text: 'a' },
  },
  {
    name: 'is an option as any other to one that keeps nothing to itself',
    app: (app) => {
      const shared = definePlugin({
        name: 'shared',
        encapsulate: false,
        setup: (inner, { prefix }: { prefix: string }) => void inner.get('/a', () => prefix),
      });
      app.register(shared, { prefix: 'keys:' });
    },
    ask: '/a',
    expect: { text: 'keys:' },
  },
]);

describe('a prefix of a plugin that is no path', () => {
  for (const prefix of ['v1', 5, null, {}]) {
    it(`is an error: ${JSON.stringify(prefix)}`, () => {
      assert.throws(
        () => createApp().register(function birds() {}, { prefix: prefix as string }),
        /prefix of plugin birds is the path that its routes lie under, which begins with a slash/,
      );
    });
  }
});

defineCases('plugins', [
  {
    name: 'routes of a function plugin are the app’s',
    app: (app) => void app.register((inner) => void inner.get('/a', () => 'a')),
    ask: '/a',
    expect: { text: 'a' },
  },
  {
    name: 'options are handed to the set-up',
    app: (app) => void app.register((inner, { said }: { said: string }) => void inner.get('/a', () => said), { said: 'hello' }),
    ask: '/a',
    expect: { text: 'hello' },
  },
  {
    name: 'an asynchronous set-up is waited for',
    app: (app) =>
      void app.register(async (inner) => {
        await turn();
        inner.get('/a', () => 'late');
      }),
    ask: '/a',
    expect: { text: 'late' },
  },
  {
    name: 'a module that is imported is its default export',
    app: (app) => void app.register(Promise.resolve({ default: (inner: App) => void inner.get('/a', () => 'imported') })),
    ask: '/a',
    expect: { text: 'imported' },
  },
  {
    name: 'middleware of an encapsulated plugin stays inside',
    app: (app) =>
      void app
        .register((inner) => void inner.use((c, next) => (c.header('x-in', '1'), next())).get('/in', () => 'in'))
        .get('/out', () => 'out'),
    ask: '/out',
    expect: { text: 'out', headers: { 'x-in': undefined } },
  },
  {
    name: 'middleware of an encapsulated plugin is around its own routes',
    app: (app) => void app.register((inner) => void inner.use((c, next) => (c.header('x-in', '1'), next())).get('/in', () => 'in')),
    ask: '/in',
    expect: { text: 'in', headers: { 'x-in': '1' } },
  },
  {
    name: 'middleware of a plugin that is not encapsulated is around what comes behind it',
    app: (app) =>
      void app
        .register(
          definePlugin({ name: 'p', encapsulate: false, setup: (inner) => void inner.use((c, next) => (c.header('x-in', '1'), next())) }),
        )
        .get('/out', () => 'out'),
    ask: '/out',
    expect: { text: 'out', headers: { 'x-in': '1' } },
  },
  {
    name: 'such middleware keeps its place when the set-up takes its time',
    app(app) {
      app.use((c, next) => (c.header('x-order', '1', { append: true }), next()));
      app.register(
        definePlugin({
          name: 'p',
          encapsulate: false,
          async setup(inner) {
            await turn();
            inner.use((c, next) => (c.header('x-order', '2', { append: true }), next()));
          },
        }),
      );
      app.use((c, next) => (c.header('x-order', '3', { append: true }), next()));
      app.get('/', () => 'x');
    },
    ask: '/',
    expect: { headers: { 'x-order': '1, 2, 3' } },
  },
  {
    name: 'such middleware is not around what came before it',
    app(app) {
      app.get('/', () => 'x');
      app.register(definePlugin({ name: 'p', encapsulate: false, setup: (inner) => void inner.use((c) => c.text('in the way')) }));
    },
    ask: '/',
    expect: { text: 'x' },
  },
  {
    name: 'such middleware of a plugin within a plugin reaches the app too',
    app(app) {
      const inmost = definePlugin({
        name: 'b',
        encapsulate: false,
        setup: (inner) => void inner.use((c, next) => (c.header('x-in', '1'), next())),
      });
      app.register(definePlugin({ name: 'a', encapsulate: false, setup: (inner) => void inner.register(inmost) }));
      app.get('/', () => 'x');
    },
    ask: '/',
    expect: { headers: { 'x-in': '1' } },
  },
  {
    name: 'such middleware is around requests without a route',
    options: { errors: 'simple' },
    app: (app) =>
      void app.register(
        definePlugin({ name: 'p', encapsulate: false, setup: (inner) => void inner.use((c, next) => (c.header('x-in', '1'), next())) }),
      ),
    ask: '/nothing',
    expect: { status: 404, headers: { 'x-in': '1' } },
  },
  {
    name: 'a plugin is within the middleware that was used before it',
    app: (app) => void app.use((c, next) => (c.header('x-out', '1'), next())).register((inner) => void inner.get('/', () => 'x')),
    ask: '/',
    expect: { headers: { 'x-out': '1' } },
  },
  {
    name: 'contexts have what a plugin adds, made by a function for each',
    app: (app) => void app.register(db).get('/', (c) => c.user),
    ask: { url: '/', headers: { 'X-User': 'ada' } },
    expect: { text: 'ada' },
  },
  {
    name: 'contexts of the apps within have it too',
    app: (app) => void app.register(db).group('/g', (inner) => void inner.get('/', (c) => c.user)),
    ask: '/g',
    expect: { text: 'nobody' },
  },
  {
    name: 'contexts outside of an encapsulated plugin do not have what it adds',
    app: (app) =>
      void app
        .register((inner) => void inner.decorateContext('secret', 'x').get('/in', (c) => c.secret))
        .get('/', (c) => [typeof loose(c)['secret']]),
    ask: '/',
    expect: { json: ['undefined'] },
  },
  {
    name: 'contexts within have it',
    app: (app) => void app.register((inner) => void inner.decorateContext('secret', 'x').get('/in', (c) => c.secret)),
    ask: '/in',
    expect: { text: 'x' },
  },
  {
    name: 'two plugins may add the same name, each for itself',
    app: (app) =>
      void app
        .register((inner) => void inner.decorateContext('who', 'one').get('/one', (c) => c.who))
        .register((inner) => void inner.decorateContext('who', () => 'two').get('/two', (c) => c.who)),
    ask: '/two',
    expect: { text: 'two' },
  },
  {
    name: 'what a context has may be set, for itself alone',
    app: (app) =>
      void app
        .decorateContext('n', 1)
        .use((c, next) => {
          c.n += 1;
          return next();
        })
        .get('/', (c) => [c.n]),
    ask: '/',
    expect: { json: [2] },
  },
  {
    name: 'a value is made once for each context',
    app(app) {
      let made = 0;
      app.decorateContext('id', () => (made += 1)).get('/', (c) => [c.id === c.id]);
    },
    ask: '/',
    expect: { json: [true] },
  },
  {
    name: 'an app that is put under a prefix brings what its contexts have',
    app: (app) =>
      void app.route(
        '/r',
        createApp()
          .decorateContext('of', 'inner')
          .get('/', (c) => c.of),
      ),
    ask: '/r',
    expect: { text: 'inner' },
  },
  {
    name: 'a function that throws is the request’s error',
    options: quiet,
    app: (app) =>
      void app
        .decorateContext('user', (): string => {
          throw new Error('none');
        })
        .get('/', (c) => c.user),
    ask: '/',
    expect: { status: 500 },
  },
  {
    name: 'onRequest of a group is for its routes',
    app: (app) =>
      void app.group('/g', (inner) => void inner.onRequest((c) => c.status(403).text('closed')).get('/', () => 'x')).get('/', () => 'open'),
    ask: '/g',
    expect: { status: 403, text: 'closed' },
  },
  {
    name: 'onRequest of a group leaves others alone',
    app: (app) =>
      void app.group('/g', (inner) => void inner.onRequest((c) => c.status(403).text('closed')).get('/', () => 'x')).get('/', () => 'open'),
    ask: '/',
    expect: { text: 'open' },
  },
  {
    name: 'onRequest runs from the outside in, before middleware, also what takes its time',
    app(app) {
      const say = (what: string) => (c: { header(name: string, value: string, options: object): unknown }) =>
        void c.header('x-order', what, { append: true });
      app.onRequest(async (c) => {
        await turn();
        say('1')(c);
      });
      app.group('/a', (outer) => {
        outer.use((c, next) => (say('4')(c), next()));
        outer.onRequest(say('2'));
        outer.group('/b', (inner) => void inner.get('/', () => 'x').onRequest(async (c) => say('3')(c)));
      });
    },
    ask: '/a/b',
    expect: { headers: { 'x-order': '1, 2, 3, 4' } },
  },
  {
    name: 'onRequest of a plugin that is not encapsulated is the app’s',
    app: (app) =>
      void app
        .get('/', () => 'x')
        .register(
          definePlugin({ name: 'p', encapsulate: false, setup: (inner) => void inner.onRequest((c) => void c.header('x-in', '1')) }),
        ),
    ask: '/',
    expect: { headers: { 'x-in': '1' } },
  },
  {
    name: 'onError of a plugin is for its routes',
    app: (app) =>
      void app.register((inner) =>
        inner
          .onError(() => 'inner')
          .get('/', () => {
            throw new Error('x');
          }),
      ),
    ask: '/',
    expect: { status: 500, text: 'inner' },
  },
  ...(
    [
      ['of a group is for what lies under it', '/g/none', 'group'],
      ['of a group within a group goes before', '/g/h/none', 'inner'],
      ['of a group leaves others alone', '/gg', 'app'],
      ['of the app goes before that of a plugin in its place', '/none', 'app'],
      ['of a group answers for one within that has none', '/g/i/none', 'group'],
    ] as const
  ).map(([name, ask, text]) => ({
    name: `notFound ${name}`,
    app(app: App): void {
      app.notFound(() => 'app');
      app.register((inner) => void inner.notFound(() => 'plugin'));
      app.group('/g', (outer) => {
        outer.notFound(() => 'group').get('/', () => 'x');
        outer.group('/h', (inner) => void inner.notFound(() => 'inner'));
        outer.group('/i', (inner) => void inner.get('/', () => 'x'));
      });
    },
    ask,
    expect: { status: 404, text },
  })),
  {
    name: 'notFound of a plugin is the app’s where that has none',
    app: (app) => void app.register((inner) => void inner.notFound(() => 'plugin')),
    ask: '/none',
    expect: { status: 404, text: 'plugin' },
  },
  {
    name: 'a dependency that was registered before is met',
    app: (app) =>
      void app
        .register(db)
        .register(definePlugin({ name: 'auth', dependencies: ['db'], setup: (inner) => void inner.get('/', () => 'met') })),
    ask: '/',
    expect: { text: 'met' },
  },
  {
    name: 'a dependency around is met',
    app: (app) =>
      void app.register(db).group('/g', (inner) => {
        inner.register(definePlugin({ name: 'auth', dependencies: ['db'], setup: (inmost) => void inmost.get('/', () => 'met') }));
      }),
    ask: '/g',
    expect: { text: 'met' },
  },
]);

describe('what is added to an app', () => {
  it('is there at once, and in the apps within', () => {
    const app = createApp()
      .register(db)
      .decorate('now', { getter: () => 7 });
    assert.equal(app.db.size, 3);
    assert.equal(app.now, 7);
    let within: unknown;
    app.group('/g', (inner) => (within = [inner.db.size, inner.now]));
    assert.deepEqual(within, [3, 7]);
  });

  it('reaches the apps that are within already', () => {
    let inner: App | undefined;
    const app = createApp().group('/g', (given) => (inner = given));
    app.decorate('late', 1);
    assert.equal(loose(inner)['late'], 1);
  });

  it('stays inside of an encapsulated plugin', () => {
    const app = createApp().register((inner) => void inner.decorate('secret', 1));
    assert.equal('secret' in app, false);
  });

  it('comes out of several plugins around', () => {
    const inmost = definePlugin({ name: 'b', encapsulate: false, setup: (inner) => void inner.decorate('deep', 1) });
    const app = createApp().register(definePlugin({ name: 'a', encapsulate: false, setup: (inner) => void inner.register(inmost) }));
    assert.equal(loose(app)['deep'], 1);
  });

  it('cannot be replaced', () => {
    assert.throws(() => (loose(createApp().decorate('a', 1))['a'] = 2), TypeError);
  });
});

describe('set-up', () => {
  it('is one after the other, in order', async () => {
    const log: string[] = [];
    const slow = (name: string, turns: number) => async () => {
      log.push(`${name} begins`);
      for (let n = 0; n < turns; n += 1) await turn();
      log.push(`${name} ends`);
    };
    await createApp()
      .register(slow('a', 5))
      .register(slow('b', 1))
      .register(() => void log.push('c'))
      .ready();
    assert.deepEqual(log, ['a begins', 'a ends', 'b begins', 'b ends', 'c']);
  });

  it('includes that of plugins within', async () => {
    const log: string[] = [];
    const app = createApp().register((outer) => {
      outer.register(async () => {
        await turn();
        log.push('inner');
      });
    });
    await app.register(() => void log.push('behind')).ready();
    assert.deepEqual(log, ['inner', 'behind']);
  });

  it('of a group, of an app under a prefix is waited for too', async () => {
    const late = async (inner: App): Promise<void> => {
      await turn();
      inner.get('/late', (c) => c.route);
    };
    const other = createApp().register(late);
    const app = createApp()
      .group('/g', (inner) => void inner.register(late))
      .route('/r', other);
    assert.deepEqual(await Promise.all(['/g/late', '/r/late'].map(async (url) => (await app.inject(url)).text)), ['/g/late', '/r/late']);
  });

  it('happens once, however many ask', async () => {
    let times = 0;
    const app = createApp().register(async () => {
      await turn();
      times += 1;
    });
    await Promise.all([app.ready(), app.inject('/'), app.fetch(new Request('http://a/')), serverOf(app)]);
    assert.equal(times, 1);
    await app.close();
  });

  it('that rejects is the error of whoever waits, with the plugin’s name', async () => {
    const cause = new Error('no connection');
    const app = createApp().register(definePlugin({ name: 'db', version: '2.0', setup: () => Promise.reject(cause) }));
    let ran = false;
    app.register(() => void (ran = true));
    const expected = (error: Error): boolean =>
      /^The set-up of plugin db@2\.0 failed: no connection$/.test(error.message) && error.cause === cause;
    await assert.rejects(serverOf(app), expected);
    await assert.rejects(app.inject('/'), expected);
    await assert.rejects(app.fetch(new Request('http://a/')), expected);
    await assert.rejects(app.ready(), expected);
    assert.equal(ran, false);
    await app.close();
  });

  it('that throws at once is an error there', () => {
    const broken = (): never => {
      throw new TypeError('bad options');
    };
    assert.throws(() => createApp().register(broken), /The set-up of plugin broken failed: bad options/);
  });

  it('that rejects within a plugin names both', async () => {
    const app = createApp().register(function outer(inner) {
      inner.register(async function inmost() {
        throw new Error('x');
      });
    });
    await assert.rejects(app.ready(), /plugin outer failed: The set-up of plugin inmost failed: x|plugin inmost failed: x/);
  });

  it('that never ends is an error when its time is over', async () => {
    const app = createApp({ pluginTimeoutMs: 20 }).register(function endless() {
      return new Promise<void>(() => {});
    });
    await assert.rejects(app.ready(), /plugin endless failed: it was not done within 20 ms/);
  });

  it('that waits for its own app is told', () => {
    assert.throws(
      () => createApp().register((inner) => inner.ready()),
      /ready\(\) is for the app that plugin  ?is registered in|ready\(\) is for the app/,
    );
  });

  it('of a plugin that comes later waits for those before it', async () => {
    const log: string[] = [];
    const app = createApp().register(async () => {
      await turn();
      log.push('a');
    });
    await app.ready();
    app.register(async () => {
      await turn();
      log.push('b');
    });
    await app.inject('/');
    assert.deepEqual(log, ['a', 'b']);
  });
});

describe('hooks by scope', () => {
  it('start from the outside in, stop the other way', async () => {
    const log: string[] = [];
    const hooked = (name: string) => (inner: App) =>
      void inner
        .onStart(() => void log.push(`start ${name}`))
        .onReady(async () => void log.push(`ready ${name}`))
        .onStop(() => void log.push(`stop ${name}`));
    const app = createApp();
    hooked('app')(app);
    app.group('/g', hooked('group')).register(hooked('plugin'));
    const other = createApp();
    hooked('other')(other);
    app.route('/r', other).route('/r2', other);
    await serverOf(app);
    await app.close();
    const names = ['app', 'group', 'plugin', 'other'];
    assert.deepEqual(log, [
      ...names.map((name) => `ready ${name}`),
      ...names.map((name) => `start ${name}`),
      ...names.toReversed().map((name) => `stop ${name}`),
    ]);
  });

  it('onReady runs once, also without a port', async () => {
    let times = 0;
    const app = createApp()
      .onReady(() => void (times += 1))
      .get('/', () => 'x');
    await app.inject('/');
    await app.inject('/');
    assert.equal(times, 1);
  });

  it('an onReady that fails is everybody’s error', async () => {
    const app = createApp().onReady(() => Promise.reject(new Error('not ready')));
    await assert.rejects(app.inject('/'), /not ready/);
    await assert.rejects(app.ready(), /not ready/);
  });

  it('every onStop runs, whatever one before it throws', async () => {
    const log: string[] = [];
    const app = createApp()
      .onStop(() => void log.push('a'))
      .onStop(() => Promise.reject(new Error('b')))
      .onStop(() => void log.push('c'));
    await assert.rejects(app.close(), /^Error: b$/);
    assert.deepEqual(log, ['c', 'a']);
  });

  it('onResponse of a group sees its own replies', async () => {
    const seen: string[] = [];
    const app = createApp()
      .group('/g', (inner) => void inner.get('/', () => 'x').onResponse((c) => void seen.push(c.path)))
      .get('/', () => 'x');
    await app.inject('/');
    await app.inject('/g');
    await turn();
    assert.deepEqual(seen, ['/g']);
  });

  it('a hook that comes when requests have been answered is heeded', async () => {
    let inner: App | undefined;
    const app = createApp().group('/g', (given) => (inner = given.get('/', () => 'x')));
    assert.equal((await app.inject('/g')).text, 'x');
    inner?.onRequest((c) => c.text('hooked'));
    assert.equal((await app.inject('/g')).text, 'hooked');
  });
});

describe('what is wrong with a plugin is said', () => {
  const auth = definePlugin({ name: 'auth', dependencies: ['db'], setup() {} });
  const own = definePlugin({ name: 'db', setup() {} });
  const many = definePlugin({ name: 'many', multiple: true, setup() {} });
  const cases: readonly [string, () => unknown, RegExp][] = [
    [
      'no plugin',
      () => createApp().register(7 as never),
      /register\(\) takes a function \(app, options\) or what definePlugin\(\) gives, and this is 7/,
    ],
    [
      'an object that was not defined',
      () => createApp().register({ name: 'a', setup() {} } as never),
      /when definePlugin\(\) has made a plugin/,
    ],
    ['a plugin without a name', () => definePlugin({ setup() {} } as never), /name is missing/],
    ['a plugin without a set-up', () => definePlugin({ name: 'a' } as never), /setup of a is missing/],
    [
      'a member that is none',
      () => definePlugin({ name: 'a', encapsulated: true, setup() {} } as never),
      /has no option encapsulated; did you mean encapsulate/,
    ],
    [
      'dependencies that are none',
      () => definePlugin({ name: 'a', dependencies: 'db' as never, setup() {} }),
      /dependencies is a list of names/,
    ],
    [
      'decorators that are none',
      () => definePlugin({ name: 'a', decorators: { apps: {} } as never, setup() {} }),
      /decorators is an object \{ app, context \}/,
    ],
    [
      'a dependency that is missing',
      () => createApp().register(auth),
      /Plugin auth depends on db, which is not registered before it; register db first/,
    ],
    ['a dependency that comes later', () => createApp().register(auth).register(db), /auth depends on db/],
    [
      'a dependency that keeps to itself',
      () => createApp().register(own).register(auth),
      /auth depends on db, which keeps to itself.*encapsulate: false/,
    ],
    ['the same twice', () => createApp().register(db).register(db), /Plugin db@1\.2\.0 is registered already/],
    [
      'the same within',
      () =>
        createApp()
          .register(db)
          .group('/g', (inner) => void inner.register(db)),
      /db@1\.2\.0 is registered already/,
    ],
    ['an added name that is taken', () => createApp().decorate('get', 1), /decorate\(\): an app has a member get already/],
    [
      'an added name that an app around has',
      () =>
        createApp()
          .decorate('a', 1)
          .group('/', (inner) => void inner.decorate('a', 2)),
      /has a member a already/,
    ],
    [
      'a context’s name that is taken',
      () => createApp().decorateContext('body', 1),
      /decorateContext\(\): a context has a member body already/,
    ],
    ['a context’s inner name', () => createApp().decorateContext('_state', 1), /has a member _state already/],
    ['a name of every object', () => createApp().decorateContext('__proto__', 1), /has a member __proto__ already/],
    ['the same name twice', () => createApp().decorateContext('a', 1).decorateContext('a', 2), /a context has a member a already/],
    ['a name that makes a promise of it', () => createApp().decorate('then', 1), /would be taken for a promise/],
    ['no name', () => createApp().decorate(7 as never, 1), /takes a name and a value, and the name is 7/],
    ['one array for all', () => createApp().decorateContext('a', []), /would be one array that all requests change; give a function/],
    ['one object for all', () => createApp().decorateContext('a', {}), /would be one object/],
    ['a hook that is none', () => createApp().onRequest(7 as never), /onRequest\(\) takes a function, and this is of type number/],
    ['a time that is none', () => createApp({ pluginTimeoutMs: -1 }), /pluginTimeoutMs is a number of milliseconds/],
  ];
  for (const [name, run, message] of cases) it(name, () => assert.throws(run, message));

  it('nothing, where several are allowed, in groups beside each other and for frozen values', () => {
    createApp()
      .register(many)
      .register(many)
      .group('/a', (inner) => void inner.register(db))
      .group('/b', (inner) => void inner.register(db))
      .decorateContext('flags', Object.freeze({ a: 1 }));
  });
});
