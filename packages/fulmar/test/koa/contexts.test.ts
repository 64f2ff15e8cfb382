/**
 * What makes contexts cheap, which upstream's behaviour does not show: nothing is made that nobody asks for.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, createApp, inspect, serve, type KoaContext } from './support.ts';

interface Peek {
  readonly _socket: unknown;
  readonly _headers: unknown;
}

test('a reply puts no listener on its response and makes no socket object', async () => {
  const app = createApp();
  const contexts: KoaContext[] = [];
  app.use((ctx) => {
    contexts.push(ctx);
    ctx.body = { a: 1 };
  });
  const served = await serve(app);
  await ask(served.port);
  const [ctx] = contexts;
  assert.ok(ctx !== undefined);
  assert.deepEqual(ctx.res.eventNames(), []);
  assert.deepEqual(ctx.req.eventNames(), []);
  assert.equal((ctx.req as unknown as Peek)._socket, null);
  assert.equal((ctx.req as unknown as Peek)._headers, null, 'the head is not read');
  await served.close();
});

test('the protocol is known without a socket object, unless the socket was replaced', async () => {
  const seen = await inspect((ctx) => {
    const before = [ctx.request.protocol, ctx.request.secure, (ctx.req as unknown as Peek)._socket];
    (ctx.req as { socket: unknown }).socket = { encrypted: true, writable: true, remoteAddress: '::1' };
    return [...before, ctx.request.protocol, ctx.request.secure];
  });
  assert.deepEqual(seen, ['http', false, null, 'https', true]);
});

test('all contexts of an application have the prototypes it has at that time', async () => {
  const app = createApp();
  Object.assign(app.context, { color: 'grey' });
  const seen = await inspect((ctx) => {
    const { color } = ctx as unknown as { color: string };
    const owners = [ctx, ctx.request, ctx.response].map((one) => Object.getPrototypeOf(one) as object);
    return { color, fits: owners[0] === app.context && owners[1] === app.request && owners[2] === app.response };
  }, app);
  assert.deepEqual(seen, { color: 'grey', fits: true });
});

test('a context prototype that is replaced is used from the next request on', async () => {
  const app = createApp();
  app.use((ctx) => {
    ctx.body = String((ctx as unknown as { color?: string }).color);
  });
  const served = await serve(app);
  assert.match(await ask(served.port), /undefined$/);
  app.context = Object.create(app.context, { color: { value: 'white' } }) as object;
  assert.match(await ask(served.port), /white$/);
  await served.close();
});

test('the application shows no property that upstream does not have', () => {
  const app = createApp();
  void app.callback();
  app.createContext({ url: '/' } as never, {} as never);
  const keys = ['_events', '_eventsCount', '_maxListeners', 'compose', 'context', 'env', 'maxIpsCount', 'middleware'];
  assert.deepEqual(Object.keys(app).sort(), [...keys, 'proxy', 'proxyIpHeader', 'request', 'response', 'subdomainOffset']);
});

test('a replaced ctx.onerror is told of the end of each reply, as on-finished tells it', async () => {
  const app = createApp();
  const told = new Promise((resolve) => Object.assign(app.context, { onerror: resolve }));
  app.use((ctx) => {
    ctx.body = 'ok';
  });
  const served = await serve(app);
  await ask(served.port);
  assert.equal(await told, null);
  await served.close();
});
