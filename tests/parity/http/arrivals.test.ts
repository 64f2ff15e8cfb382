// Requests that arrive together, on connections of their own: each has its turn, with its ticks and microtasks, before the next begins.
import { setTimeout as sleep } from 'node:timers/promises';
import type { CaseContext, ClientContext, ParityCase } from '../harness/case.ts';
import { defineSuite } from '../harness/suite.ts';

const CLIENTS = 5;
/** Lets the server see all connections before anything is sent, in ms. */
const SETTLE_MS = 50;

/** Sends one request on each of several connections, at once. */
async function together(client: ClientContext): Promise<void> {
  const connections = [];
  for (let i = 0; i < CLIENTS; i++) connections.push(await client.connect());
  await sleep(SETTLE_MS);
  connections.forEach((connection, i) => connection.write(`GET /${i} HTTP/1.1\r\nHost: together\r\n\r\n`));
  for (const connection of connections) client.record((await connection.read()).statusLine);
}

const noteTurn = (ctx: CaseContext, url: string | undefined): void => {
  ctx.record('begins', url);
  process.nextTick(() => ctx.record('tick', url));
  queueMicrotask(() => ctx.record('microtask', url));
};

const cases: ParityCase[] = [
  {
    name: 'ticks and microtasks of a request run before the next request begins',
    server: (http, ctx) =>
      http.createServer((req, res) => {
        noteTurn(ctx, req.url);
        res.end();
      }),
    client: together,
  },
  {
    name: 'who looks and then writes in one asynchronous function is not overtaken',
    server: (http, ctx) => {
      const taken = new Set<string>();
      return http.createServer(async (req, res) => {
        noteTurn(ctx, req.url);
        const isTaken = await Promise.resolve(taken.has('name'));
        await Promise.resolve();
        if (!isTaken) taken.add('name');
        res.statusCode = isTaken ? 409 : 201;
        res.end();
      });
    },
    client: together,
  },
  {
    name: 'the same in Express',
    app: (express, ctx) => {
      const taken = new Set<string>();
      const app = express();
      app.use((req, _res, next) => {
        noteTurn(ctx, req.url);
        queueMicrotask(next);
      });
      app.get('/:name', async (_req, res) => {
        const isTaken = await Promise.resolve(taken.has('name'));
        if (!isTaken) taken.add('name');
        res.status(isTaken ? 409 : 201).send('done');
      });
      return app;
    },
    client: together,
  },
  {
    name: 'an error in the tick of one request does not touch the others',
    server: (http, ctx) =>
      http.createServer((req, res) => {
        noteTurn(ctx, req.url);
        if (req.url === '/2')
          process.nextTick(() =>
            ctx.attempt('thrown', () => {
              throw new Error('in a tick');
            }),
          );
        process.nextTick(() => res.end());
      }),
    client: together,
  },
];

defineSuite(cases);
