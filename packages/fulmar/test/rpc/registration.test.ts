/** What `rpc()` and its parts refuse before the first request, and in which words. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApp } from '../../src/app/index.ts';
import { mutation, procedures, query, rpc, rpcError, scoped } from '../../src/rpc/index.ts';

const none = { params: [] } as const;
const fine = query(none, () => 1);

const refused: readonly [string, () => unknown, RegExp][] = [
  [
    'a procedure that nothing is known of',
    () => rpc({ users: { get: query((_c, id: number) => id) } }),
    /nothing is known of the parameters of users\.get\. Install fulmar-compiler .*start with `fulmar run`.*Or give schemas/,
  ],
  ['a function alone that nothing is known of', () => rpc({ go: () => 1 }), /nothing is known of the parameters of go\./],
  ['an API of nothing', () => rpc({}), /this has none/],
  ['an API that is none', () => rpc(null as never), /takes an object of procedures, and this is of type object/],
  [
    'a value that is no procedure',
    () => rpc({ a: { b: 3 as never } }),
    /a\.b is a procedure or an object of procedures, and this is of type number/,
  ],
  [
    'a scoped part that is spread',
    () => rpc({ admin: { ...scoped((_call, next) => next(), { fine }) } }),
    /A part that scoped\(\) has made loses its middleware where it is spread/,
  ],
  [
    'a scoped part that is spread into another',
    () => scoped((_call, next) => next(), { ...scoped((_call, next) => next(), { fine }) }),
    /loses its middleware where it is spread/,
  ],
  ['a list', () => rpc({ a: [fine] as never }), /a is a procedure or an object of procedures/],
  ['a name that makes promises of clients', () => rpc({ then: fine }), /then cannot be a name/],
  ['a name of all objects', () => rpc({ constructor: fine } as never), /constructor cannot be a name/],
  ['a name __proto__', () => rpc(JSON.parse('{"__proto__":{}}') as never), /__proto__ cannot be a name/],
  ['a name with a slash', () => rpc({ 'a/b': fine }), /a\/b cannot be a name/],
  ['two procedures of one path', () => rpc({ a: fine, b: fine }, { pathTransform: () => 'same' }), /a and b have one path, \/same/],
  ['a path that is none', () => rpc({ a: fine }, { pathTransform: () => ':id' }), /pathTransform gives a path/],
  ['an option that is none', () => rpc({ a: fine }, { sufix: '.json' } as never), /has no option sufix; did you mean suffix/],
  ['a base path that ends with a slash', () => rpc({ a: fine }, { basePath: '/v1/' }), /basePath is a path without a slash at its end/],
  ['too large a batch', () => rpc({ a: fine }, { batchMax: 1e6 }), /batchMax is a number of calls, 0 to 1000/],
  ['middleware that is none', () => rpc({ a: fine }, { middleware: [3 as never] }), /middleware is a function/],
  [
    'middleware of Express',
    () => scoped(function helmet(_req: unknown, _res: unknown, _next: unknown) {} as never, { a: fine }),
    /helmet has 3 parameters, as \(req, res, next\) of Express: the option raw of rpc\(\) takes it/,
  ],
  ['no middleware', () => scoped([], { a: fine }), /scoped\(\) takes functions/],
  ['a schema that is none', () => rpc({ a: query({ params: [{ type: 'integr' }] }, () => 1) }), /params\[0\] of a is no schema/],
  [
    'schemas that are no list',
    () => query({ params: { type: 'string' } as never }, () => 1),
    /query\(\): params is a list with a schema for each parameter/,
  ],
  ['a function that is missing', () => (mutation as (one: unknown) => unknown)(none), /mutation\(\) takes a function/],
  ['an option of procedures that is none', () => query({ params: [], cache: 1 } as never, () => 1), /query\(\) has no option cache/],
  ['a mutation that is cached', () => mutation({ params: [], cacheControl: 'max-age=1' }, () => 1), /a mutation is never cached/],
  ['a time that no timer has', () => query({ params: [], timeout: 2 ** 31 }, () => 1), /timeout is milliseconds/],
  [
    'strictTypes beside schemas',
    () => rpc({ a: query({ params: [], strictTypes: true }, () => 1) }),
    /strictTypes of a is for types that the compiler reads, and its parameters are given as schemas/,
  ],
  [
    'strictTypes of what is not validated',
    () => rpc({ a: query({ validateParams: false, strictTypes: true }, () => 1) }),
    /strictTypes of a is for types that the compiler reads, and its parameters are not validated/,
  ],
  ['a serializer that is none', () => query({ serializer: 'binary' as never }, () => 1), /serializer is 'declared', 'whole' or a function/],
  [
    'a serializer of all that is none',
    () => rpc({ a: fine }, { serializer: 3 as never }),
    /serializer is 'declared', 'whole' or a function/,
  ],
  ['an error of no type', () => rpcError({ type: '' }), /letters, digits and hyphens/],
  ['an error that is none', () => rpcError({ type: 'fine', status: 200 }), /400 to 599, and this is 200/],
];

for (const [name, make, message] of refused) test(`refuses ${name}`, () => assert.throws(make, message));

test('puts paths together as its options say', () => {
  const api = rpc({ users: { get: fine, list: fine } }, { basePath: '/v1', suffix: '.json', pathTransform: (names) => names.join('-') });
  const paths = new Set([...api.routes()].map(({ path }) => path));
  for (const path of ['/v1/users-get.json', '/v1/users-list.json', '/v1/~batch']) assert.ok(paths.has(path), path);
});

test('makes a context once for all calls of a request', async () => {
  let made = 0;
  const own = procedures<{ readonly user: string }>();
  const api = rpc({ me: own.query(none, (c) => c.user) }, { context: async (c) => ({ user: `${c.header('x-user')} ${(made += 1)}` }) });
  const calls = [{ path: 'me' }, { path: 'me' }];
  const reply = await api.inject({ url: '/~batch', headers: { 'X-User': 'ada' }, body: { calls } });
  assert.deepEqual(reply.json(), { rpc: 1, results: [{ value: 'ada 1' }, { value: 'ada 1' }] });
});

test('tells little of a version that is none', async () => {
  const reply = await rpc({ fine }).inject({ method: 'POST', url: '/fine', body: { rpc: '\0'.repeat(100_000) } });
  assert.equal(reply.status, 400);
  assert.match(reply.text, /unsupported-version.*Update the older/);
  assert.ok(reply.text.length < 1000, `${reply.text.length} characters`);
});

test('refuses hints of a batch that are many as those that do not fit', async () => {
  const call = { path: 'fine', params: [], as: Array(400_000).fill(0) };
  const reply = await rpc({ fine }).inject({ method: 'POST', url: '/~batch', body: { calls: [call] } });
  assert.equal((reply.json() as { results: { error: { type: string } }[] }).results[0]?.error.type, 'bad-request');
});

test('bounds what references to results give, however often one stands in a call', async () => {
  const begun: string[] = [];
  const same = query({ validateParams: false }, (c, list: readonly unknown[]) => {
    begun.push(`${list.length}`);
    return list;
  });
  const api = rpc({ same });
  const times = (count: number, at: number) => ({ path: 'same', params: [Array(count).fill(null)], as: { 0: { '*': ['ref', at] } } });
  const asked = async (...calls: readonly object[]) => {
    const reply = await api.inject({ method: 'POST', url: '/~batch', body: { calls, want: [] } });
    return (reply.json() as { results: { error?: { status: number; message: string } }[] }).results.map(({ error }) => error);
  };
  const list = { path: 'same', params: [Array(1000).fill(1)] };
  assert.deepEqual(await asked(list, times(900, 0)), [undefined, undefined]);
  const [, , third] = await asked(list, times(900, 0), times(900, 1));
  assert.deepEqual([third?.status, third?.message.slice(0, 50)], [413, 'References to results give 1000000 values in one r']);
  const [, long] = await asked({ path: 'same', params: ['x'.repeat(100_000)] }, times(200, 0));
  assert.equal(long?.status, 413);
  assert.deepEqual(begun, ['1000', '900', '1000', '900', '100000']);
});

test('tells a context that cannot be made as an error with an id', async () => {
  const logged: unknown[] = [];
  const app = createApp({ logger: { error: (...what) => logged.push(what[1]) } });
  app.mount('/', rpc({ me: fine }, { context: () => Promise.reject(new Error('no database')) }));
  const reply = await app.inject('/me');
  assert.equal(reply.status, 500);
  assert.doesNotMatch(reply.text, /database/);
  assert.match(String(logged[0]), /no database/);
});

test('goes through middleware from the outside in, also after an error, and lets it answer', async () => {
  const order: string[] = [];
  const noted = (name: string) => async (_call: unknown, next: () => Promise<unknown>) => {
    order.push(name);
    try {
      return await next();
    } catch {
      order.push(`${name} after an error`);
      return `saved by ${name}`;
    }
  };
  const crash = query(none, () => {
    throw new Error('x');
  });
  const api = rpc({ a: scoped([noted('part'), noted('inner')], { crash }), fine }, { middleware: noted('all') });
  assert.deepEqual((await api.inject('/a/crash')).json(), { rpc: 1, value: 'saved by inner' });
  assert.deepEqual(order, ['all', 'part', 'inner', 'inner after an error']);
  order.length = 0;
  assert.deepEqual((await api.inject('/fine')).json(), { rpc: 1, value: 1 });
  assert.deepEqual(order, ['all']);
});

test('tells lists of routes what a procedure is for', () => {
  const api = rpc({ a: query({ params: [], description: 'All birds.' }, () => 1), b: fine });
  const told = [...api.routes()].map(({ method, path, options }) => [method, path, options?.description]);
  assert.deepEqual(told.slice(0, 3), [
    ['POST', '/a', 'All birds.'],
    ['GET', '/a', 'All birds.'],
    ['HEAD', '/a', 'All birds.'],
  ]);
  assert.deepEqual(
    told.find(([, path]) => path === '/b'),
    ['POST', '/b', undefined],
  );
});

test('takes parameters and results as they come where that is said, of all or of one', async () => {
  const wrong = { params: [{ type: 'string' }], returns: { type: 'string' } } as const;
  const run = (_c: unknown, one: unknown): unknown => one;
  const statuses = async (api: ReturnType<typeof rpc>): Promise<number[]> => {
    const app = createApp({ logger: { error: () => {} } });
    app.mount('/', api);
    const replies = await Promise.all(['/strict', '/open', '/loose'].map((url) => app.inject({ url, body: { params: [5] } })));
    return replies.map(({ status }) => status);
  };
  const make = (options: object) =>
    rpc(
      {
        strict: mutation({ ...wrong, validateParams: true }, run as never),
        open: mutation({ ...wrong, validateParams: false, validateReturn: true }, run as never),
        loose: mutation({ ...wrong, validateParams: false, validateReturn: false }, run as never),
      },
      options,
    );
  assert.deepEqual(await statuses(make({})), [422, 500, 200]);
  assert.deepEqual(await statuses(make({ validateParams: false, validateReturn: false })), [422, 500, 200]);
  const all = { ...wrong, validateParams: true };
  const unsaid = (options: object) =>
    rpc({ strict: mutation(all, run as never), open: mutation(wrong, run as never), loose: mutation(wrong, run as never) }, options);
  assert.deepEqual(await statuses(unsaid({ validateParams: false })), [422, 500, 500]);
  assert.deepEqual(await statuses(unsaid({ validateParams: false, validateReturn: false })), [422, 200, 200]);
});

test('waits as long as a procedure says, else as long as all may take', async () => {
  const never = () => new Promise<never>(() => {});
  const quick = () => new Promise<number>((resolve) => void setImmediate(resolve, 1));
  const api = rpc({ short: query(none, never), long: query({ params: [], timeout: 60_000 }, quick) }, { timeout: 5 });
  const late = (await api.inject('/short')).json() as { error: { message: string } };
  assert.equal(late.error.message, 'No result within 5 ms.');
  assert.equal((await api.inject('/long')).status, 200);
});

test('writes a result as a serializer says, and hides one that gives no text', async () => {
  const given = { name: 'ada', since: new Date(0) };
  const logged: unknown[] = [];
  const app = createApp({ logger: { error: (...what) => logged.push(what[1]) } });
  const text = (value: unknown): string => JSON.stringify({ own: (value as { name: string }).name });
  app.mount(
    '/',
    rpc(
      {
        own: query(none, () => given),
        whole: query({ params: [], serializer: 'whole' }, () => given),
        none: query({ params: [], serializer: () => undefined as never }, () => given),
        nothing: query(none, () => undefined),
        typed: query({ params: [], returns: { type: 'object', properties: { name: { type: 'string' } } } }, () => given),
      },
      { serializer: text },
    ),
  );
  const got = async (url: string) => (await app.inject(url)).json();
  assert.deepEqual(await got('/own'), { rpc: 1, value: { own: 'ada' } });
  assert.deepEqual(await got('/typed'), { rpc: 1, value: { own: 'ada' } });
  assert.deepEqual(await got('/whole'), { rpc: 1, value: { name: 'ada', since: '1970-01-01T00:00:00.000Z' }, as: { since: 'date' } });
  assert.deepEqual(await got('/nothing'), { rpc: 1 });
  assert.equal((await app.inject('/none')).status, 500);
  assert.match(String(logged[0]), /the serializer of none gives JSON text/);
});

test('says of a query that nothing has changed', async () => {
  const api = rpc({ a: query({ params: [], cacheControl: 'max-age=60' }, () => 1) });
  const first = await api.inject('/a');
  assert.equal(first.headers['cache-control'], 'max-age=60');
  const second = await api.inject({ url: '/a', headers: { 'If-None-Match': String(first.headers['etag']) } });
  assert.equal(second.status, 304);
  assert.equal(second.text, '');
});

test('refuses what is nested too deep before it is parsed', async () => {
  const api = rpc({ a: mutation({ validateParams: false }, () => 1) });
  const text = `{"params":[${'['.repeat(100_000)}${']'.repeat(100_000)}]}`;
  const reply = await api.inject({ url: '/a', headers: { 'Content-Type': 'application/json' }, body: text });
  assert.equal(reply.status, 400);
  assert.match(reply.text, /nested deeper than 128 levels/);
  const brackets = JSON.stringify({ params: ['['.repeat(500) + '"\\'] });
  assert.equal((await api.inject({ url: '/a', headers: { 'Content-Type': 'application/json' }, body: brackets })).status, 200);
});

test('the time of one call of a batch is not that of the others, the time of the client is that of all', async () => {
  const fired: string[] = [];
  const told = (name: string, ms: number) => (c: { readonly signal: AbortSignal }) =>
    new Promise<string>((resolve) => {
      const timer = setTimeout(() => resolve(name), ms);
      c.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        fired.push(name);
      });
    });
  const api = rpc({ short: mutation({ params: [], timeout: 20 }, told('short', 500)), long: mutation(none, told('long', 150)) });
  const ask = async (timeout: number): Promise<unknown[]> => {
    const calls = [{ path: 'short' }, { path: 'long' }];
    const reply = await api.inject({ method: 'POST', url: '/~batch', body: { rpc: 1, calls, timeout } });
    const { results } = reply.json() as { results: { value?: unknown; error?: { type: string } }[] };
    return results.map(({ value, error }) => error?.type ?? value);
  };
  assert.deepEqual(await ask(0), ['timeout', 'long']);
  assert.deepEqual(fired, []);
  assert.deepEqual(await ask(10), ['timeout', 'timeout']);
  assert.deepEqual(fired.sort(), ['long', 'short']);
});
