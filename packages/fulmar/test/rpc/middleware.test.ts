/** Middleware of procedures: what it declares is judged, what it adds is told, and in which order all of it stands. */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createClient } from '../../../client/src/index.ts';
import { createApp, HttpError } from '../../src/app/index.ts';
import { middleware, mutation, procedures, query, rpc, rpcError, scoped } from '../../src/rpc/index.ts';
import { serverOf } from '../app/server.ts';

const none = { params: [] } as const;
const text = { type: 'string' } as const;
const count = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] } as const;
const token = { type: 'object', properties: { token: text }, required: ['token'] } as const;

const json = async (reply: Promise<{ json(): unknown }>) => (await reply).json();

test('gives middleware the values that it declares, and refuses those that do not fit', async () => {
  const signedIn = middleware({ values: token }, (call, next) =>
    call.values.token === 'x' ? next() : rpcError({ type: 'who', status: 401 }),
  );
  const api = rpc({ free: query(none, () => 1), admin: scoped(signedIn, { wipe: mutation(none, () => 2) }) });
  const ask = (values: object) => api.inject({ url: '/admin/wipe', body: { values } });
  assert.deepEqual(await json(ask({ token: 'x', other: 1 })), { rpc: 1, value: 2 });
  assert.equal((await ask({ token: 'y' })).status, 401);
  const { error } = (await json(ask({ token: 5 }))) as { error: { type: string; status: number; issues: { path: unknown }[] } };
  assert.deepEqual([error.type, error.status, error.issues[0]?.path], ['invalid-values', 422, ['token']]);
  assert.equal((await ask({})).status, 422);
  assert.deepEqual(await json(api.inject({ url: '/free', body: { values: { token: 5 } } })), { rpc: 1, value: 1 });
});

test('makes of fields what their schema says', async () => {
  const paged = middleware(
    { headers: { type: 'object', properties: { 'X-Page': { type: 'integer' }, 'x-since': { type: 'string' } }, required: ['X-Page'] } },
    (call, next) => next({ page: call.headers['X-Page'] + 1, since: call.headers['x-since'] }),
  );
  const paging = procedures().use(paged);
  const api = rpc({ list: paging.query(none, (c) => [c.page, c.since, c.method]) });
  const ask = (headers: Readonly<Record<string, string>>) => api.inject({ url: '/list', headers });
  assert.deepEqual(await json(ask({ 'x-page': '4', 'X-Since': 'a' })), { rpc: 1, value: [5, 'a', 'GET'] });
  assert.equal((await ask({ 'X-Page': '1' })).headers['vary'], 'X-Page, x-since, Accept', 'caches are told');
  for (const headers of [{}, { 'x-page': 'four' }]) {
    const { error } = (await json(ask(headers as Record<string, string>))) as { error: { type: string; issues: { path: unknown }[] } };
    assert.deepEqual([error.type, error.issues[0]?.path], ['invalid-headers', ['X-Page']]);
  }
});

test('sets fields of the reply that fit, and hides what does not', async () => {
  const limited = (left: unknown) =>
    middleware({ replyHeaders: count }, (call, next) => {
      call.setHeaders({ count: left as number });
      return next();
    });
  const api = rpc({ a: scoped(limited(3), { b: query(none, () => 1) }), c: scoped(limited('x'), { d: query(none, () => 1) }) });
  assert.equal((await api.inject('/a/b')).headers['count'], '3');
  const app = createApp({ logger: { error: () => {} } });
  app.mount('/', api);
  const wrong = await app.inject('/c/d');
  assert.equal(wrong.status, 500);
  assert.equal(wrong.headers['count'], undefined);
});

test('tells the client what middleware adds, beside results and errors, in batches too', async () => {
  const quota = middleware({ values: token, results: { ...count, additionalProperties: false } }, (call, next) => {
    call.addResults({ count: call.values.token.length });
    return next();
  });
  const api = rpc(
    {
      fine: query(none, () => 1),
      bad: query(none, () => rpcError({ type: 'bad' })),
      sum: query({ params: [{ type: 'number' }] }, (_c, a) => a + 1),
    },
    { middleware: quota },
  );
  const app = createApp({ logger: { error: () => {} } });
  app.mount('/api', api);
  const { port } = (await serverOf(app)).address() as AddressInfo;
  const client = createClient<typeof api>(`http://127.0.0.1:${port}/api`);
  client.set('token', 'abc');
  assert.deepEqual(await client.query.fine(), [1, undefined, { count: 3 }]);
  const [, error, added] = await client.query.bad();
  assert.deepEqual([error?.type, added], ['bad', { count: 3 }]);
  assert.equal(await client.orThrow.query.fine(), 1);
  const batch = await client.batch((plan) => {
    const first = plan.fine();
    return [first, plan.sum(first)];
  });
  assert.deepEqual(batch, [
    [1, undefined, { count: 3 }],
    [2, undefined, { count: 3 }],
  ]);
  await app.close();
});

test('hides results that do not fit, however long the procedure takes behind them', async () => {
  const logged: unknown[] = [];
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  const quota = middleware({ results: count }, (call, next) => {
    call.addResults({ count: 'three' as never });
    return next();
  });
  const app = createApp({ logger: { error: (...what) => logged.push(what[1]) } });
  // Rejections that nobody handles are told behind the ticks of a turn.
  const slow = query(none, () => new Promise<number>((resolve) => void setImmediate(() => setImmediate(resolve, 1))));
  app.mount('/', rpc({ slow }, { middleware: quota }));
  assert.equal((await app.inject('/slow')).status, 500);
  assert.match(String(logged[0]), /the result of addResults\(\) does not fit its schema/);
  process.off('unhandledRejection', note);
  assert.deepEqual(unhandled, []);
});

test('tells nothing beside a stream, which has no place for it, and ends that', async () => {
  const ended: string[] = [];
  const logged: unknown[] = [];
  const quota = middleware({ results: count }, (call, next) => {
    call.addResults({ count: 1 });
    return next();
  });
  const source = {
    [Symbol.asyncIterator]: () => ({
      next: () => Promise.resolve({ done: false, value: 1 }),
      return: () => (ended.push('ended'), Promise.resolve({ done: true, value: 1 })),
    }),
  };
  const app = createApp({ logger: { error: (...what) => logged.push(what[1]) } });
  app.mount('/', rpc({ all: query(none, () => source as AsyncIterable<number>) }, { middleware: quota }));
  assert.equal((await app.inject('/all')).status, 500);
  assert.deepEqual(ended, ['ended']);
  assert.match(String(logged[0]), /this one is a stream/);
});

test('brings values there as what they were', async () => {
  let seen: unknown;
  const api = rpc({ a: query(none, () => 1) }, { middleware: (call, next) => ((seen = call.values), next()) });
  const app = createApp();
  app.mount('/api', api);
  const { port } = (await serverOf(app)).address() as AddressInfo;
  const client = createClient<typeof api>(`http://127.0.0.1:${port}/api`);
  client.set('since', new Date(5));
  await client.batch((plan) => [plan.a(), plan.a()]);
  assert.deepEqual(seen, { since: new Date(5) });
  await app.close();
});

test('adds to the context of what stands behind it, and of no other call of a request', async () => {
  let at = 0;
  const numbered = middleware({}, (_call, next) => next({ number: (at += 1) }));
  const named = middleware({}, (call, next) => next({ name: `${(call.context as { number: number }).number} of ${call.path}` }));
  const counting = procedures<{ readonly user: string }>().use(numbered).use(named);
  const api = rpc({ a: counting.query(none, (c) => c), b: counting.query(none, (c) => c.name) }, { context: () => ({ user: 'ada' }) });
  const reply = await api.inject({ url: '/~batch', body: { calls: [{ path: 'a' }, { path: 'b' }] } });
  const user = { user: 'ada', number: 1, name: '1 of a' };
  assert.deepEqual(reply.json(), { rpc: 1, results: [{ value: user }, { value: '2 of b' }] });
});

test("adds to the app's own context, which goes on working", async () => {
  const named = procedures().use((_call, next) => next({ name: 'ada' }));
  const api = rpc({
    hello: named.mutation(none, (c) => {
      c.header('X-Name', c.name).status(200);
      return `${c.name} ${c.method} ${'name' in c} ${c.header('x-from')}`;
    }),
  });
  const reply = await api.inject({ method: 'POST', url: '/hello', headers: { 'X-From': 'here' }, body: {} });
  assert.deepEqual([reply.json(), reply.headers['x-name']], [{ rpc: 1, value: 'ada POST true here' }, 'ada']);
});

test('stands in the order of the API, its parts, the procedure; what always runs around all of that', async () => {
  const order: string[] = [];
  const noted = (name: string, alwaysRun = false) =>
    middleware({ alwaysRun }, async (_call, next) => {
      order.push(name);
      try {
        return await next();
      } finally {
        order.push(`${name} end`);
      }
    });
  const own = procedures().use(noted('procedure')).use(noted('procedure always', true));
  const api = rpc(
    {
      a: scoped(noted('part'), {
        b: scoped([noted('inner'), noted('inner always', true)], { run: own.mutation(none, () => order.push('run')) }),
      }),
    },
    { middleware: [noted('all'), noted('all always', true)] },
  );
  await api.inject({ url: '/a/b/run', body: {} });
  const always = ['all always', 'inner always', 'procedure always'];
  const others = ['all', 'part', 'inner', 'procedure'];
  const ends = [...always, ...others].toReversed().map((name) => `${name} end`);
  assert.deepEqual(order, [...always, ...others, 'run', ...ends]);
});

test('tells what always runs everything that fails, and lets it answer', async () => {
  const seen: string[] = [];
  const watch = middleware({ alwaysRun: true }, async (call, next) => {
    try {
      const result: unknown = await next();
      seen.push(`${call.path} ${JSON.stringify(result)}`);
    } catch (error) {
      seen.push(`${call.path} ${JSON.stringify(call.args)} ${(error as Error).message}`);
      if (call.path === 'saved') return 'saved';
      throw error;
    }
    return undefined;
  });
  const numbers = { params: [{ type: 'number' }], returns: { type: 'number' } } as const;
  const app = createApp({ logger: { error: () => {} } });
  app.mount(
    '/',
    rpc(
      {
        fine: mutation(numbers, (_c, a) => a),
        saved: mutation({ params: [{ type: 'number' }] }, () => Promise.reject(new Error('of the database'))),
        wrong: mutation(numbers, () => 'text' as unknown as number),
        late: mutation({ params: [], timeout: 1 }, () => new Promise<never>(() => {})),
        returned: mutation(none, () => rpcError({ type: 'no' })),
      },
      { middleware: [watch, middleware({ values: { type: 'object', properties: { lang: text } } }, (_call, next) => next())] },
    ),
  );
  const statuses: number[] = [];
  for (const [url, params, values] of [
    ['/fine', [1]],
    ['/fine', ['x']],
    ['/fine', [1], { lang: 5 }],
    ['/saved', [1]],
    ['/wrong', [1]],
    ['/late', []],
    ['/returned', []],
  ] as const)
    statuses.push((await app.inject({ url, body: { params, values } })).status);
  assert.deepEqual(statuses, [200, 422, 422, 200, 500, 504, 400]);
  assert.equal(seen[0], 'fine 1');
  assert.equal(seen[1], 'fine ["x"] The parameters are not valid.');
  assert.equal(seen[2], 'fine [1] What the client sends with every call is not valid.');
  assert.equal(seen[3], 'saved [1] of the database');
  assert.match(String(seen[4]), /^wrong \[1\] the result of wrong does not fit its schema/);
  assert.equal(seen[5], 'late [] No result within 1 ms.');
  assert.match(String(seen[6]), /^returned .*"type":"no"/);
});

test('adds to the context by what always runs, too', async () => {
  const named = middleware({ alwaysRun: true }, (_call, next) => next({ name: 'ada' }));
  const own = procedures<{ readonly db: string }>().use(named);
  const api = rpc(
    { me: own.use((call, next) => next({ twice: call.context.name.repeat(2) })).query(none, (c) => c) },
    { context: () => ({ db: 'birds' }) },
  );
  assert.deepEqual((await api.inject('/me')).json(), { rpc: 1, value: { db: 'birds', name: 'ada', twice: 'adaada' } });
});

for (const [how, context] of [
  ['rejects', () => Promise.reject<{ user: string }>(new HttpError(401, 'no user'))],
  [
    'throws',
    (): { user: string } => {
      throw new HttpError(401, 'no user');
    },
  ],
] as const) {
  test(`tells what always runs of a context that cannot be made, as it ${how}`, async () => {
    const seen: unknown[] = [];
    const watch = middleware(
      { alwaysRun: true },
      (call, next) => (seen.push(call.context), next().catch((error: unknown) => (seen.push((error as Error).message), 'saved'))),
    );
    const own = procedures<{ readonly user: string }>();
    const api = rpc({ me: own.query(none, (c) => c.user) }, { context, middleware: watch as never });
    assert.deepEqual((await api.inject('/me')).json(), { rpc: 1, value: 'saved' });
    assert.deepEqual(seen, [undefined, 'no user']);
  });

  test(`runs no call of a batch whose context ${how}`, async () => {
    let count = 0;
    const own = procedures<{ readonly user: string }>();
    const api = rpc({ count: own.mutation(none, () => (count += 1)) }, { context });
    const reply = await api.inject({ url: '/~batch', body: { calls: [{ path: 'count' }, { path: 'count' }] } });
    const error = { type: 'unauthorized', status: 401, message: 'no user' };
    assert.deepEqual([reply.json(), count], [{ rpc: 1, results: [{ error }, { error }] }, 0]);
  });
}

const refused: readonly [string, () => unknown, RegExp][] = [
  [
    'middleware that nothing is known of',
    () => middleware((_call, next) => next()),
    /nothing is known of what this function declares\. Install fulmar-compiler .*start with `fulmar run`.*Or give schemas/,
  ],
  ['middleware without a function', () => (middleware as (one: object) => unknown)({}), /middleware\(\) takes a function/],
  [
    'an option that is none',
    () => middleware({ valuez: token } as never, () => 1),
    /middleware\(\) has no option valuez; did you mean values/,
  ],
  ['values that are no schema', () => middleware({ values: { type: 'objct' } }, () => 1), /values of middleware\(\) is no schema/],
  [
    'headers that name none',
    () => middleware({ headers: { type: 'object' } }, () => 1),
    /headers is an object with a member for each field/,
  ],
  ['what use() does not take', () => procedures().use(3 as never), /use\(\) takes what middleware\(\) makes/],
];
for (const [name, make, message] of refused) test(`refuses ${name}`, () => assert.throws(make, message));

test('refuses results and fields that are not declared', async () => {
  const logged: unknown[] = [];
  const app = createApp({ logger: { error: (...what) => logged.push(what[1]) } });
  const add = middleware({}, (call, next) => (call.addResults({}), next()));
  const set = middleware({}, (call, next) => (call.setHeaders({}), next()));
  const extend = middleware({}, (_call, next) => next(3 as never));
  const a = query(none, () => 1);
  app.mount('/', rpc({ add: scoped(add, { a }), set: scoped(set, { a }), extend: scoped(extend, { a }) }));
  for (const url of ['/add/a', '/set/a', '/extend/a']) assert.equal((await app.inject(url)).status, 500);
  for (const [at, message] of [/declares no results/, /declares no replyHeaders/, /next\(\) takes an object/].entries())
    assert.match(String(logged[at]), message);
});
