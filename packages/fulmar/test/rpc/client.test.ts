/** The client against a real server: what comes back, what is told, what becomes of requests that go wrong. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type ClientError, type ClientOptions, createClient } from '../../../client/src/index.ts';
import { createApp } from '../../src/app/index.ts';
import { mutation, query, rpc, rpcError, scoped } from '../../src/rpc/index.ts';
import { serverOf } from '../app/server.ts';

const number = { type: 'number' } as const;
const text = { type: 'string' } as const;
const seen: { method: string; url: string }[] = [];
const logged: unknown[] = [];
const ended: string[] = [];
let whenAborted: (() => void) | undefined;

const admin = scoped(
  async (call, next) => {
    if (call.values['auth'] !== 'secret') return rpcError({ type: 'who-are-you', status: 401 });
    return next();
  },
  { wipe: mutation({ params: [] }, () => 'wiped') },
);

const api = rpc(
  {
    echo: mutation({ validateParams: false }, (_c, value: unknown) => value),
    add: query({ params: [number, number] }, (_c, a, b) => a + b),
    list: query({ validateParams: false }, (_c, birds: { name: string; eggs: { day: number }[] }[]) => birds),
    birds: {
      find: query({ params: [text] }, (_c, name) =>
        name === 'dodo' ? rpcError({ type: 'extinct', data: { since: new Date(0) } }) : { name, tags: [name] },
      ),
      watch: query({ params: [number] }, async function* (_c, count) {
        try {
          for (let at = 0; at < count; at += 1) yield { at, seen: new Date(at) };
          if (count === 3) throw new Error('of the camera');
        } finally {
          ended.push(`after ${count}`);
        }
      }),
      // oxlint-disable-next-line require-yield -- it waits for its end
      silent: query({ params: [] }, async function* (c): AsyncGenerator<number> {
        await new Promise((resolve) => c.signal.addEventListener('abort', resolve));
        yield 0;
      }),
      wait: query({ params: [] }, (c) => new Promise<never>(() => c.signal.addEventListener('abort', () => whenAborted?.()))),
    },
    crash: mutation({ params: [] }, () => {
      throw new Error('secret of the database');
    }),
    wrong: query({ params: [], returns: number }, () => 'text' as unknown as number),
    admin,
  },
  {
    middleware: async (call, next) => {
      if (call.path === 'birds.find' && call.args[0] === 'auk') throw new Error('before');
      return next();
    },
  },
);

describe('the client', () => {
  const app = createApp({ logger: { error: (...what) => logged.push(...what) }, bodyLimit: 4096 });
  app.onRequest((c) => void seen.push({ method: c.method, url: c.url }));
  app.mount('/api', api);
  let url = '';
  const make = (options?: ClientOptions) => createClient<typeof api>(url, options);
  before(async () => {
    const { port } = (await serverOf(app)).address() as AddressInfo;
    url = `http://127.0.0.1:${port}/api`;
  });
  after(() => app.close());

  it('asks queries by GET and mutations by POST', async () => {
    seen.length = 0;
    const client = make();
    assert.deepEqual(await client.query.add(1, 2), [3, undefined]);
    assert.deepEqual(await client.mutate.echo('x'), ['x', undefined]);
    assert.deepEqual(
      seen.map(({ method }) => method),
      ['GET', 'POST'],
    );
  });

  it('asks a query that is too long for a URL by POST', async () => {
    seen.length = 0;
    const long = 'é'.repeat(900);
    const [bird] = await make().query.birds.find(long);
    assert.equal(bird?.name, long);
    assert.equal(seen[0]?.method, 'POST');
  });

  const values: readonly [string, unknown][] = [
    ['dates', new Date(5)],
    ['maps and sets', new Map([['a', new Set([1n])]])],
    ['bytes', new Uint8Array([1, 2, 3])],
    ['what is no number', [NaN, Infinity, -Infinity, -1]],
    ['Unicode', '🐦\u2028\u0000'],
    ['a URL', new URL('https://birds.example/?a')],
    ['an empty object', {}],
    ['nothing in a list', [undefined, null]],
    ['an object that looks like a hint', { '*': 1, ref: ['ref', 0] }],
  ];
  for (const [name, value] of values) {
    it(`brings ${name} there and back`, async () => assert.deepEqual(await make().mutate.echo(value), [value, undefined]));
  }

  it('gives errors that are expected with their data', async () => {
    const [value, error] = await make().query.birds.find('dodo');
    assert.equal(value, undefined);
    assert.equal(error?.type, 'extinct');
    assert.equal(error.status, 400);
    assert.deepEqual(error.data, { since: new Date(0) });
  });

  it('throws them where that is wanted', async () => {
    await assert.rejects(make().orThrow.query.birds.find('dodo'), { name: 'ClientError', type: 'extinct' });
    assert.equal(await make().orThrow.query.add(2, 2), 4);
  });

  it('tells what of the parameters does not fit', async () => {
    const [, error] = await make().query.add(1, 'two' as never);
    assert.equal(error?.type, 'invalid-params');
    assert.deepEqual(
      error.issues.map(({ path, expected }) => [path, expected]),
      [[[1], 'number']],
    );
  });

  it('hides what is thrown behind an id that the log has', async () => {
    logged.length = 0;
    const [, error] = await make().mutate.crash();
    assert.equal(error?.type, 'internal');
    assert.equal(error.message, 'Internal Server Error');
    assert.equal(logged[0], `${error.id} crash`);
    assert.match(String(logged[1]), /secret of the database/);
  });

  it('hides results that do not fit, and what middleware throws', async () => {
    assert.equal((await make().query.wrong())[1]?.type, 'internal');
    assert.equal((await make().query.birds.find('auk'))[1]?.type, 'internal');
  });

  it('tells what cannot be sent without asking', async () => {
    seen.length = 0;
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    for (const value of [circle, () => 1, Symbol('x')]) assert.equal((await make().mutate.echo(value))[1]?.type, 'invalid-params');
    assert.deepEqual(seen, []);
  });

  it('tells what is too large', async () => {
    const [, error] = await make().mutate.echo('x'.repeat(5000));
    assert.equal(error?.type, 'too-large');
    assert.equal(error.status, 413);
  });

  it('sends values with every call until they are removed', async () => {
    const client = make();
    assert.equal((await client.mutate.admin.wipe())[1]?.type, 'who-are-you');
    client.set('auth', 'secret');
    assert.deepEqual(await client.mutate.admin.wipe(), ['wiped', undefined]);
    seen.length = 0;
    await client.query.add(1, 1);
    assert.equal(seen[0]?.method, 'POST', 'a secret does not stand in a URL');
    client.set('auth', undefined);
    assert.equal((await client.mutate.admin.wipe())[1]?.status, 401);
  });

  it('gives what comes item by item', async () => {
    const [birds, error] = await make().query.birds.watch(2);
    assert.equal(error, undefined);
    const items: unknown[] = [];
    for await (const item of birds) items.push(item);
    assert.deepEqual(items, [
      { at: 0, seen: new Date(0) },
      { at: 1, seen: new Date(1) },
    ]);
  });

  it('has a stream before its first item is there', async () => {
    const controller = new AbortController();
    const never = await make({ signal: controller.signal }).orThrow.query.birds.silent();
    const first = never[Symbol.asyncIterator]().next();
    controller.abort();
    await assert.rejects(first, { type: 'aborted' });
  });

  it('throws in the middle of a stream what happens there', async () => {
    const birds = await make().orThrow.query.birds.watch(3);
    const items: unknown[] = [];
    await assert.rejects(
      async () => {
        for await (const item of birds) items.push(item);
      },
      { type: 'internal' },
    );
    assert.equal(items.length, 3);
  });

  it('gives each of two who ask for one stream their own', async () => {
    const client = make();
    const streams = await Promise.all([client.orThrow.query.birds.watch(2), client.orThrow.query.birds.watch(2)]);
    for (const stream of streams) {
      let count = 0;
      for await (const _ of stream) count += 1;
      assert.equal(count, 2);
    }
  });

  it('ends the source of a stream that nobody reads on', async () => {
    ended.length = 0;
    for await (const { at } of await make().orThrow.query.birds.watch(1e9)) if (at === 2) break;
    while (ended.length === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(ended, ['after 1000000000']);
  });

  it('tells a stream that was aborted from one that was broken off, and gives it all the time it takes', async () => {
    const controller = new AbortController();
    const stream = await make({ signal: controller.signal, timeout: 60_000 }).orThrow.query.birds.watch(1e9);
    await assert.rejects(
      async () => {
        for await (const { at } of stream) if (at === 1) controller.abort();
      },
      { type: 'aborted' },
    );
  });

  it('asks once for what is asked twice at the same time', async () => {
    seen.length = 0;
    const client = make();
    const all = await Promise.all([client.query.add(1, 2), client.query.add(1, 2), client.query.add(1, 3)]);
    assert.deepEqual(
      all.map(([value]) => value),
      [3, 3, 4],
    );
    assert.equal(seen.length, 2);
    await client.query.add(1, 2);
    assert.equal(seen.length, 3);
  });

  it('aborts a call, and the handler is told', async () => {
    const aborted = new Promise<void>((resolve) => (whenAborted = resolve));
    const controller = new AbortController();
    const call = make().with({ signal: controller.signal }).query.birds.wait();
    while (!seen.at(-1)?.url.includes('wait')) await new Promise((resolve) => setImmediate(resolve));
    controller.abort(new Error('enough'));
    assert.equal((await call)[1]?.type, 'aborted');
    await aborted;
  });

  it('asks nothing when it is aborted already', async () => {
    seen.length = 0;
    assert.equal((await make({ signal: AbortSignal.abort() }).query.add(1, 1))[1]?.type, 'aborted');
    assert.deepEqual(seen, []);
  });

  it('gives up after its time, and the handler is told', async () => {
    const aborted = new Promise<void>((resolve) => (whenAborted = resolve));
    assert.equal((await make({ timeout: 30 }).query.birds.wait())[1]?.type, 'timeout');
    await aborted;
  });

  it('waits for whole milliseconds, however many, and takes nothing else for a time', async () => {
    for (const timeout of [59_999.5, 2 ** 40, Infinity, 0]) assert.deepEqual(await make({ timeout }).query.add(1, 2), [3, undefined]);
    for (const timeout of [-1, NaN, '5' as unknown as number])
      assert.throws(() => make().with({ timeout }), {
        name: 'TypeError',
        message: /^timeout is milliseconds, not /,
      });
  });

  it('sends several calls in one request, one given a part of another', async () => {
    seen.length = 0;
    const [bird, sum, again, gone] = await make().batch((plan) => {
      const first = plan.birds.find('petrel');
      return [first, plan.add(1, 2), plan.birds.find(first.tags[0]!), plan.birds.find('dodo')];
    });
    assert.equal(seen.length, 1);
    assert.deepEqual(bird, [{ name: 'petrel', tags: ['petrel'] }, undefined]);
    assert.deepEqual(sum, [3, undefined]);
    assert.deepEqual(again, bird);
    assert.equal(gone[1]?.type, 'extinct');
  });

  it('pipes results into calls, and brings back the last alone', async () => {
    let reply = '';
    const client = make({
      interceptors: [
        async (outgoing, next) => {
          const response = await next(outgoing);
          reply = await response.clone().text();
          return response;
        },
      ],
    });
    seen.length = 0;
    const outcome = await client.pipe(
      (plan) => plan.birds.find('petrel'),
      (bird, plan) => plan.birds.find(bird.tags[0]!),
      (bird, plan) => plan.echo({ name: bird.name, more: [bird.tags], at: new Date(1) }),
    );
    assert.deepEqual(outcome, [{ name: 'petrel', more: [['petrel']], at: new Date(1) }, undefined]);
    assert.equal(seen.length, 1);
    assert.match(reply, /^\{"rpc":1,"results":\[\{\},\{\},\{"value"/);
    assert.equal(await client.orThrow.pipe((plan) => plan.add(1, 2)), 3);
  });

  it('names parts of the items of a list', async () => {
    const birds = [
      { name: 'auk', eggs: [{ day: 1 }, { day: 2 }] },
      { name: 'tern', eggs: [] },
    ];
    const [found, error] = await make().pipe(
      (plan) => plan.list(birds),
      (all, plan) => plan.echo({ names: all.map((one) => one.name), days: all.map((one) => one.eggs.map((egg) => egg.day)) }),
    );
    assert.deepEqual([found, error], [{ names: ['auk', 'tern'], days: [[1, 2], []] }, undefined]);
  });

  it('tells of a pipe what failed first', async () => {
    const [value, error] = await make().pipe(
      (plan) => plan.birds.find('dodo'),
      (bird, plan) => plan.birds.find(bird.name),
      (bird, plan) => plan.birds.find(bird.name),
    );
    assert.equal(value, undefined);
    assert.deepEqual(error?.type === 'extinct' && error.data, { since: new Date(0) });
    await assert.rejects(
      make().orThrow.pipe((plan) => plan.birds.find('dodo')),
      { type: 'extinct' },
    );
    assert.equal((await make({ signal: AbortSignal.abort() }).pipe((plan) => plan.add(1, 2)))[1]?.type, 'aborted');
  });

  it('refuses what is no plan', async () => {
    const strange = make() as never as { pipe(...steps: ((...given: never[]) => unknown)[]): Promise<unknown> };
    await assert.rejects(
      strange.pipe(() => 1),
      /pipe\(\) takes calls/,
    );
    await assert.rejects(strange.pipe(), /pipe\(\) takes calls/);
    await assert.rejects(
      strange.pipe((plan: { list(): { sort(): unknown } }) => plan.list().sort()),
      /names a part/,
    );
    const counting = (plan: { list(): { map(each: () => number): unknown } }): unknown => plan.list().map(() => 1);
    await assert.rejects(strange.pipe(counting), /names a part/);
  });

  it('lets interceptors see and change what goes out', async () => {
    const order: string[] = [];
    const client = make({
      headers: () => ({ 'X-First': '1' }),
      interceptors: [
        async (outgoing, next) => {
          order.push('outer');
          return next({ ...outgoing, init: { ...outgoing.init, headers: { ...outgoing.init.headers, 'X-More': '2' } } });
        },
        async (outgoing, next) => {
          order.push(`inner ${outgoing.init.headers['X-More']}`);
          return next(outgoing);
        },
      ],
      fetch: (at, init) => {
        order.push(JSON.stringify(init.headers));
        return fetch(at, init);
      },
    });
    assert.deepEqual(await client.query.add(1, 2), [3, undefined]);
    assert.deepEqual(order, ['outer', 'inner 2', '{"X-First":"1","X-More":"2"}']);
  });
});

describe('a client whose server is not as it should be', () => {
  let answer: (req: IncomingMessage, res: ServerResponse) => void = () => {};
  let count = 0;
  const server = createServer((req, res) => {
    count += 1;
    answer(req, res);
  });
  let client = createClient<typeof api>('http://nobody.invalid');
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = createClient<typeof api>(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { retryDelay: 1 });
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const asked = async (how: typeof answer, call: () => Promise<readonly [unknown, ClientError | undefined]>) => {
    answer = how;
    count = 0;
    const [value, error] = await call();
    return { value, type: error?.type, status: error?.status, count };
  };
  const reply =
    (status: number, content: string, type = 'application/json') =>
    (_: IncomingMessage, res: ServerResponse) => {
      res.writeHead(status, { 'Content-Type': type }).end(content);
    };

  it('asks a query again, and a mutation never', async () => {
    const away = reply(503, 'away');
    assert.deepEqual(await asked(away, () => client.query.add(1, 2)), { value: undefined, type: 'http', status: 503, count: 3 });
    assert.deepEqual(await asked(away, () => client.mutate.echo(1)), { value: undefined, type: 'http', status: 503, count: 1 });
  });

  it('has the answer of the second time', async () => {
    const second = (req: IncomingMessage, res: ServerResponse): void =>
      count === 1 ? void req.socket.destroy() : reply(200, '{"rpc":1,"value":3}')(req, res);
    assert.deepEqual(await asked(second, () => client.query.add(1, 2)), { value: 3, type: undefined, status: undefined, count: 2 });
  });

  it('tells that nobody is there', async () => {
    const broken = (req: IncomingMessage): void => void req.socket.destroy();
    assert.deepEqual(await asked(broken, () => client.mutate.echo(1)), { value: undefined, type: 'network', status: 0, count: 1 });
  });

  const strange: readonly [string, number, string, string][] = [
    ['a page', 200, '<html>', 'protocol'],
    ['a page of an error', 404, '<html>', 'http'],
    ['another version', 200, '{"rpc":2,"value":1}', 'protocol'],
    ['a list', 200, '[1]', 'protocol'],
    ['null', 200, 'null', 'protocol'],
    ['a hint that does not fit', 200, '{"rpc":1,"value":1,"as":"date"}', 'protocol'],
    ['an error that is none', 200, '{"rpc":1,"error":3}', 'protocol'],
  ];
  for (const [name, status, content, type] of strange) {
    it(`tells that ${name} is no answer`, async () =>
      assert.equal((await asked(reply(status, content), () => client.mutate.echo(1))).type, type));
  }

  it('is not changed by an answer of a hostile server', async () => {
    const hostile = '{"rpc":1,"value":{"__proto__":{"admin":true}},"as":{"__proto__":{"admin":"nan"},"length":"nan"}}';
    await asked(reply(200, hostile), () => client.mutate.echo(1));
    assert.equal(({} as { admin?: unknown }).admin, undefined);
  });

  it('tells of a batch that was answered in part', async () => {
    answer = reply(200, '{"rpc":1,"results":[{"value":1}]}');
    const [first, second] = await client.batch((plan) => [plan.add(1, 2), plan.add(3, 4)]);
    assert.deepEqual(first, [1, undefined]);
    assert.equal(second[1]?.type, 'protocol');
  });

  it('throws for a stream that ends without saying so', async () => {
    answer = reply(200, '{"value":1}\n', 'application/x-ndjson');
    const items: unknown[] = [];
    const stream = await client.orThrow.query.birds.watch(1);
    await assert.rejects(
      async () => {
        for await (const item of stream) items.push(item);
      },
      { type: 'network' },
    );
    assert.deepEqual(items, [1]);
  });
});

it('takes no URL that is none', () => {
  assert.throws(() => createClient(undefined as never), /createClient\(\) takes the URL of an API, and this is undefined/);
});
