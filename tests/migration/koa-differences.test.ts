/**
 * Every difference of `fulmar/koa` and `fulmar/koa2` that docs/migration/from-koa.md lists: the same program
 * on npm's Koa with `node:http` and on ours with `fulmar/http`. A test's name begins with the entry's id.
 */
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { dist, fetchText, start, writeProject } from '../e2e/cli/support.ts';
import type { App, Ctx, KoaModule } from '../parity/koa/api.ts';
import { close, listen, observe, sides } from './support.ts';

type Side = 'stock' | 'ours';

const require = createRequire(import.meta.url);
const root = join(dist, '..', '..', '..');
const names = { 3: { stock: 'koa', ours: 'fulmar/koa' }, 2: { stock: 'koa2', ours: 'fulmar/koa2' } } as const;
const versions = [3, 2] as const;
const koaOf = (version: 2 | 3, side: Side): KoaModule => require(names[version][side]) as KoaModule;
const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

/** What `expected` says of each side, in each version. */
async function eachSide<T>(expected: Readonly<Record<Side, T>>, look: (version: 2 | 3, side: Side) => Promise<T>): Promise<void> {
  for (const version of versions)
    for (const side of ['stock', 'ours'] as const) assert.deepEqual(await look(version, side), expected[side], `Koa ${version}, ${side}`);
}

test('K1: what is added to modules beneath Koa is not seen, what is added to app.context is', async () => {
  const folder = writeProject({
    'app.cjs': `
      const Koa = require('koa');
      require('koa/lib/context').deep = () => 'deep';
      const app = new Koa();
      app.context.own = () => 'own';
      app.use((ctx) => { ctx.body = typeof ctx.deep + ' ' + typeof ctx.own; });
      app.listen(0, '127.0.0.1', function () { console.log('PORT ' + this.address().port); });
    `,
  });
  for (const [plain, expected] of [
    [true, 'function function'],
    [false, 'undefined function'],
  ] as const) {
    const file = join(folder, 'app.cjs');
    const child = start(join(root, 'tests'), plain ? [file] : ['run', file], { plain, env: { NODE_PATH: join(root, 'node_modules') } });
    assert.equal(await fetchText(await child.port()), expected);
    child.kill('SIGTERM');
    await child.ended;
  }
});

test('K2: an error of ctx.throw is known by isHttpError of the application’s http-errors, not by its class', async () => {
  // In processes of their own: npm's Koa changes what `instanceof` says of the http-errors that it loads.
  // That copy stands for the application's.
  const folder = writeProject({
    'app.cjs': `
      const { createRequire } = require('node:module');
      const [ours, stock] = process.argv.slice(2);
      const Koa = require(ours);
      const httpErrors = createRequire(require.resolve(stock))('http-errors');
      const app = new Koa().use((ctx) => {
        try {
          ctx.throw(404);
        } catch (error) {
          ctx.body = [error instanceof httpErrors.HttpError, httpErrors.isHttpError(error), error instanceof Koa.HttpError];
        }
      });
      app.listen(0, '127.0.0.1', function () { console.log('PORT ' + this.address().port); });
    `,
  });
  await eachSide({ stock: '[true,true,true]', ours: '[false,true,true]' }, async (version, side) => {
    const env = { NODE_PATH: join(root, 'node_modules') };
    const child = start(folder, ['app.cjs', names[version][side], names[version].stock], { plain: true, env });
    const text = await fetchText(await child.port());
    child.kill('SIGTERM');
    await child.ended;
    return text;
  });
});

test('K3: the report of a broken connection does not run in storages of the application’s own', { timeout: 60_000 }, async () => {
  await eachSide(
    { stock: { code: 'ECONNRESET', store: 'outer', current: true }, ours: { code: 'ECONNRESET', store: undefined, current: true } },
    breakOff,
  );
});

/** What the application's error listener finds when a peer goes away while its request waits. */
async function breakOff(version: 2 | 3, side: Side): Promise<object> {
  const storage = new AsyncLocalStorage<string>();
  const app: App = new (koaOf(version, side))({ asyncLocalStorage: true });
  let goAway = (): void => {};
  app.use(async (ctx: Ctx) => {
    goAway();
    await new Promise((ended) => ctx.req.once('close', ended));
  });
  const told = new Promise<object>((resolve) => {
    app.on('error', (error: NodeJS.ErrnoException, ctx: unknown) =>
      resolve({ code: error.code, store: storage.getStore(), current: app.currentContext === ctx }),
    );
  });
  const callback = app.callback();
  const server = sides[side].createServer((req, res) => void storage.run('outer', () => callback(req, res)));
  const socket = connect(await listen(server), '127.0.0.1', () => socket.write(GET));
  socket.on('error', () => {});
  goAway = () => void socket.resetAndDestroy();
  try {
    return await told;
  } finally {
    await close(server);
  }
}

test('K4: content that comes with the head may end before the reply is finished', async () => {
  const look = async (version: 2 | 3, side: Side): Promise<string[]> => {
    const events: string[] = [];
    const app = new (koaOf(version, side))().use((ctx) => {
      ctx.req.once('end', () => events.push('end')).resume();
      ctx.res.once('finish', () => events.push('finish'));
      ctx.body = 'ok';
    });
    const request = 'POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\nab';
    await observe(sides[side], { handler: app.callback(), send: [request] });
    return events;
  };
  await eachSide({ stock: ['finish', 'end'], ours: ['end', 'finish'] }, look);
});

test('K5: stack traces name files of Fulmar, and the message stays', async () => {
  const look = async (version: 2 | 3, side: Side): Promise<boolean[]> => {
    let stack = '';
    const app = new (koaOf(version, side))().use((ctx) => {
      stack = new Error('no such thing').stack ?? '';
      ctx.body = 'ok';
    });
    await observe(sides[side], { handler: app.callback(), send: [GET], until: /ok$/ });
    return [/^Error: no such thing\n/, /node_modules\/koa/, /fulmar\/dist\//].map((pattern) => pattern.test(stack));
  };
  await eachSide({ stock: [true, true, false], ours: [true, false, true] }, look);
});
