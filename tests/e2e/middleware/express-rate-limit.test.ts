/**
 * express-rate-limit on both sides: its header drafts, the refusal, keys, skips, handlers, and use behind a
 * proxy.
 */
import assert from 'node:assert/strict';
import { same } from '../support/compare.ts';
import type { Bench } from '../support/compare.ts';
import type { Application, Failure, Handler, Next, Request, Response } from '../support/express-types.ts';
import { load } from '../support/load.ts';

const { rateLimit } = load<{ rateLimit: (options: object) => Handler }>('express-rate-limit');

const MASKS = [
  { pattern: /\b(reset=|t=|X-RateLimit-Reset: |)(5\d|60)\b(?!\d)/g, by: '$1<s>' },
  { pattern: /\b1[789]\d{8}\b/g, by: '<epoch>' },
];

function limited(options: object): (bench: Bench) => Application {
  return ({ express }) => {
    const app = express();
    app.set('trust proxy', 1);
    app.use(rateLimit({ windowMs: 60_000, limit: 2, ...options }));
    app.get('/', (req, res) =>
      res.json(Reflect.get(req, 'rateLimit') === undefined ? {} : { used: (Reflect.get(req, 'rateLimit') as { used: number }).used }),
    );
    app.get('/fail', (req, res) => res.status(500).send('failed'));
    app.use((error: Failure, req: Request, res: Response, _next: Next) => res.status(500).send(`caught: ${error.message}`));
    return app;
  };
}

async function threeTimes({ client }: { client: { get(path: string): Promise<unknown> } }): Promise<void> {
  for (let count = 0; count < 3; count += 1) await client.get('/');
}

for (const draft of ['draft-6', 'draft-7', 'draft-8'] as const) {
  same(`counts, tells in the headers of ${draft}, and refuses with 429`, {
    build: limited({ standardHeaders: draft, legacyHeaders: draft === 'draft-6' }),
    talk: threeTimes,
    masks: MASKS,
    check: (replies) => assert.equal(replies[2]?.line, '429 Too Many Requests'),
  });
}

same('counts each key on its own', {
  build: limited({ keyGenerator: (req: Request) => String(req.get('X-Api-Key')), legacyHeaders: false }),
  talk: async ({ client }) => {
    for (const key of ['a', 'a', 'b', 'a', 'b']) await client.get('/', { 'X-Api-Key': key });
  },
});

same('counts by the address that the trusted proxy gives', {
  build: limited({ legacyHeaders: false }),
  talk: async ({ client }) => {
    for (const address of ['10.0.0.1', '10.0.0.1', '10.0.0.2', '10.0.0.1']) await client.get('/', { 'X-Forwarded-For': address });
  },
  check: (replies) => assert.equal(replies[3]?.line, '429 Too Many Requests'),
});

same('skips requests and forgives failures', {
  build: limited({ skip: (req: Request) => req.get('X-Internal') === '1', skipFailedRequests: true, legacyHeaders: false }),
  talk: async ({ client }) => {
    await client.get('/', { 'X-Internal': '1' });
    for (let count = 0; count < 3; count += 1) await client.get('/fail');
    await client.get('/');
  },
});

same('answers refusals with its own message, status or handler', {
  build: ({ express }) => {
    const app = express();
    const options = { windowMs: 60_000, limit: 1, legacyHeaders: false };
    app.get('/message', rateLimit({ ...options, message: { error: 'slow down' }, statusCode: 420 }), (req, res) => res.send('ok'));
    app.get('/handler', rateLimit({ ...options, handler: (_req: Request, res: Response) => res.status(503).send('later') }), (req, res) =>
      res.send('ok'),
    );
    app.get(
      '/store',
      rateLimit({
        ...options,
        validate: false,
        store: { increment: () => Promise.reject(new Error('store is down')), decrement: () => undefined, resetKey: () => undefined },
      }),
      (req, res) => res.send('ok'),
    );
    app.use((error: Failure, req: Request, res: Response, _next: Next) => res.status(500).send(`caught: ${error.message}`));
    return app;
  },
  talk: async ({ client }) => {
    for (const path of ['/message', '/message', '/handler', '/handler', '/store']) await client.get(path);
  },
  check: (replies) => assert.equal(replies[4]?.content, 'caught: store is down'),
});
