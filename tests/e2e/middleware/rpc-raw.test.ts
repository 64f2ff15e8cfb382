/** Middleware of Express's kind around an API and around routes of the app: real packages, on a real port. */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createApp } from 'fulmar';
import { nodeMiddleware } from 'fulmar/middleware';
import { createClient } from 'fulmar/client';
import { query, rpc, rpcError } from 'fulmar/rpc';
import { load } from '../support/load.ts';

const none = { params: [] } as const;
type Raw = Parameters<typeof nodeMiddleware>[number];

const compression = load<() => Raw>('compression');
const cookieSession = load<(options: object) => Raw>('cookie-session');
const cors = load<(options?: object) => Raw>('cors');
const helmet = load<() => Raw>('helmet');
const morgan = load<(format: string, options: { stream: { write(line: string): void } }) => Raw>('morgan');

const makeApi = (raw: readonly unknown[]) =>
  rpc(
    {
      small: query(none, () => 'x'),
      large: query(none, () => 'x'.repeat(10_000)),
      bad: query(none, () => rpcError({ type: 'bad', status: 409 })),
      all: query(none, async function* () {
        yield 1;
        yield 2;
      }),
      add: query({ params: [{ type: 'number' }, { type: 'number' }] }, (_c, a, b) => a + b),
    },
    { raw: raw as readonly Raw[] },
  );

async function served(raw: readonly unknown[], run: (url: string) => Promise<void>): Promise<void> {
  const app = createApp({ logger: { error: () => {} } });
  app.mount('/api', makeApi(raw));
  const server = await app.listen({ port: 0, host: '127.0.0.1' });
  try {
    await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api`);
  } finally {
    await app.close();
  }
}

test('helmet and cors set their fields on results, errors and refusals, and answer a preflight', () =>
  served([helmet(), cors({ origin: 'https://birds.example' })], async (url) => {
    for (const [path, status] of [
      ['small', 200],
      ['bad', 409],
      ['none', 404],
    ] as const) {
      const reply = await fetch(`${url}/${path}`);
      assert.equal(reply.status, status);
      assert.equal(reply.headers.get('x-frame-options'), 'SAMEORIGIN');
      assert.equal(reply.headers.get('access-control-allow-origin'), 'https://birds.example');
      assert.equal(((await reply.json()) as { rpc: number }).rpc, 1);
    }
    const preflight = await fetch(`${url}/small`, { method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'POST' } });
    assert.deepEqual([preflight.status, preflight.headers.get('access-control-allow-methods')], [204, 'GET,HEAD,PUT,PATCH,POST,DELETE']);
  }));

test('compression, morgan and sessions, which put themselves around the response, see the reply', async () => {
  const lines: string[] = [];
  const log = morgan(':method :url :status', { stream: { write: (line) => void lines.push(line.trim()) } });
  const visits = (req: { session: { count?: number } }, _res: unknown, next: () => void): void => {
    req.session.count = (req.session.count ?? 0) + 1;
    next();
  };
  await served([log, compression(), cookieSession({ name: 'visits', keys: ['secret'] }), visits], async (url) => {
    const large = await fetch(`${url}/large`, { headers: { 'Accept-Encoding': 'gzip' } });
    assert.equal(large.headers.get('content-encoding'), 'gzip');
    assert.match(String(large.headers.get('set-cookie')), /^visits=/);
    assert.equal(((await large.json()) as { value: string }).value.length, 10_000);
    const client = createClient<ReturnType<typeof makeApi>>(url);
    assert.deepEqual(await client.batch((plan) => [plan.add(1, 2)]), [[3, undefined]]);
    const items: number[] = [];
    for await (const item of await client.orThrow.query.all()) items.push(item);
    assert.deepEqual(items, [1, 2]);
  });
  assert.deepEqual(lines, ['GET /api/large 200', 'POST /api/~batch 200', 'GET /api/all?rpc=1&params=%5B%5D 200']);
});

test('a query is not changed within them either', () =>
  served([helmet()], async (url) => {
    const tag = (await fetch(`${url}/small`)).headers.get('etag') ?? '';
    const again = await fetch(`${url}/small`, { headers: { 'If-None-Match': tag } });
    assert.deepEqual([again.status, await again.text()], [304, '']);
  }));

test('a client that leaves is told to the procedure', async () => {
  let left: (() => void) | undefined;
  const gone = new Promise<void>((resolve) => (left = resolve));
  const controller = new AbortController();
  const wait = query(none, (c) => {
    c.signal.addEventListener('abort', () => left?.());
    controller.abort();
    return new Promise<never>(() => {});
  });
  const app = createApp({ logger: { error: () => {} } });
  app.mount('/api', rpc({ wait }, { raw: helmet() }));
  const server = await app.listen({ port: 0, host: '127.0.0.1' });
  await assert.rejects(fetch(`${server.url}/api/wait`, { signal: controller.signal }));
  await gone;
  await app.close();
});

test('one that answers, one that fails and one that throws are told as such', async () => {
  const answers = (_req: unknown, res: { writeHead(status: number): { end(text: string): void } }): void => res.writeHead(418).end('tea');
  await served([answers], async (url) => assert.equal((await fetch(`${url}/small`)).status, 418));
  const failures = [
    (_req: unknown, _res: unknown, next: (error: Error) => void): void => next(new Error('secret')),
    (): void => {
      throw new Error('secret');
    },
    () => Promise.reject(new Error('secret')),
  ];
  for (const failing of failures) {
    await served([helmet(), failing], async (url) => {
      const reply = await fetch(`${url}/small`);
      const { error } = (await reply.json()) as { error: { type: string } };
      assert.deepEqual([reply.status, error.type, reply.headers.get('x-frame-options')], [500, 'internal', 'SAMEORIGIN']);
    });
  }
});

test('they stand around routes of the app too, with its content and its fields', async () => {
  const app = createApp();
  app.use((c, next) => (c.header('X-Before', '1'), next()));
  app.use(nodeMiddleware(helmet()));
  app.post('/echo', async (c) =>
    c
      .status(201)
      .header('X-After', '2')
      .json(await c.body.json()),
  );
  const reply = await app.inject({ url: '/echo', body: { a: 1 } });
  assert.deepEqual([reply.status, reply.json()], [201, { a: 1 }]);
  assert.deepEqual([reply.headers['x-before'], reply.headers['x-after'], reply.headers['x-frame-options']], ['1', '2', 'SAMEORIGIN']);
});

test('what is no function is refused', () => {
  assert.throws(() => nodeMiddleware(), /takes functions \(req, res, next\), and this is none/);
  assert.throws(() => nodeMiddleware({} as never), /takes functions \(req, res, next\)/);
  assert.throws(() => rpc({ a: query(none, () => 1) }, { raw: {} as never }), /raw is a function \(req, res, next\)/);
});
