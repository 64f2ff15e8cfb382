/**
 * prom-client on both sides: a histogram over all requests, the metrics page in both formats, default
 * metrics, failure.
 */
import assert from 'node:assert/strict';
import { same } from '../support/compare.ts';
import type { Bench } from '../support/compare.ts';
import type { Application, Failure, Next, Request, Response } from '../support/express-types.ts';
import { load } from '../support/load.ts';

interface Registry {
  readonly contentType: string;
  metrics(): Promise<string>;
  getMetricsAsJSON(): Promise<{ name: string }[]>;
  setContentType(type: string): void;
}
interface PromClient {
  Registry: { new (): Registry; readonly OPENMETRICS_CONTENT_TYPE: string };
  Counter: new (options: object) => { inc(labels?: object): void };
  Histogram: new (options: object) => { startTimer(labels?: object): (labels?: object) => number };
  Gauge: new (options: object) => { inc(): void; dec(): void };
  collectDefaultMetrics(options: object): void;
}
const prom = load<PromClient>('prom-client');

function measured({ express, note }: Bench): Application {
  const app = express();
  const register = new prom.Registry();
  const registers = [register];
  const served = new prom.Counter({ name: 'served_total', help: 'Requests served', labelNames: ['method', 'route', 'status'], registers });
  const open = new prom.Gauge({ name: 'open', help: 'Requests open', registers });
  const took = new prom.Histogram({ name: 'took_seconds', help: 'Time', labelNames: ['route'], buckets: [60, 120], registers });
  app.use((req, res, next) => {
    const stop = took.startTimer();
    open.inc();
    res.once('finish', () => {
      const route = (Reflect.get(req, 'route') as { path: string } | undefined)?.path ?? 'none';
      served.inc({ method: req.method, route: `${req.baseUrl}${route}`, status: res.statusCode });
      stop({ route });
    });
    res.once('close', () => open.dec());
    next();
  });
  app.get('/birds/:id', (req, res) => res.json({ id: req.params['id'] }));
  app.get('/fail', () => {
    throw new Error('failed');
  });
  app.get('/metrics', async (req, res) => {
    res.set('Content-Type', register.contentType);
    res.end(await register.metrics());
  });
  app.get('/names', async (req, res) => {
    const all = new prom.Registry();
    prom.collectDefaultMetrics({ register: all });
    res.json((await all.getMetricsAsJSON()).map(({ name }) => name));
  });
  app.get('/bad', () => new prom.Counter({ name: 'served_total', help: 'again', registers }));
  app.use((error: Failure, req: Request, res: Response, _next: Next) => {
    note(error.message);
    res.status(500).end();
  });
  return app;
}

same('counts and times requests by route, method and status', {
  build: measured,
  talk: async ({ client }) => {
    for (const path of ['/birds/1', '/birds/2', '/fail', '/missing']) await client.get(path);
    await client.send({ method: 'HEAD', path: '/birds/3' });
    await client.get('/metrics');
  },
  masks: [
    { pattern: /(took_seconds_sum\S*) \S+/g, by: '$1 <s>' },
    { pattern: /Content-Length: \d+/g, by: 'Content-Length: <n>' },
    { pattern: /^\d{3,4}$/g, by: '<n>' },
  ],
  check: (replies) => {
    assert.match(replies[5]?.content ?? '', /served_total\{method="GET",route="\/birds\/:id",status="200"\} 2/);
    assert.match(replies[5]?.content ?? '', /open 1/);
  },
});

same('offers the default metrics', {
  build: measured,
  talk: async ({ client }) => void (await client.get('/names')),
  check: ([reply]) => assert.match(reply?.content ?? '', /process_cpu_user_seconds_total/),
});

same('reports a metric declared twice', {
  build: measured,
  talk: async ({ client }) => void (await client.get('/bad')),
  check: (_replies, notes) => assert.match(JSON.stringify(notes), /already been registered/),
});
