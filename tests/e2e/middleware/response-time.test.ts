/**
 * response-time on both sides: the header, its options, a function instead of it, and a header already set.
 */
import assert from 'node:assert/strict';
import { same } from '../support/compare.ts';
import type { Failure, Handler, Next, Request, Response } from '../support/express-types.ts';
import { load } from '../support/load.ts';

const responseTime = load<(options?: object | ((req: Request, res: Response, ms: number) => void)) => Handler>('response-time');

const MASKS = [{ pattern: /^\d+(\.\d+)?(ms)?$/g, by: '<ms>$2' }];

same('adds the time to replies of every kind', {
  build: ({ express }) => {
    const app = express();
    app.use(responseTime());
    app.get('/', (req, res) => res.send('x'));
    app.get('/stream', (req, res) => {
      res.write('x');
      res.end();
    });
    app.get('/head', (req, res) => void res.writeHead(202, 'Taken', { 'X-Own': '1' }).end());
    app.get('/own', (req, res) => res.set('X-Response-Time', 'mine').end());
    app.get('/throw', () => {
      throw Object.assign(new Error('short and stout'), { status: 418 });
    });
    app.use((error: Failure, req: Request, res: Response, _next: Next) => res.status(error.status ?? 500).send(error.message));
    return app;
  },
  talk: async ({ client }) => {
    for (const path of ['/', '/stream', '/head', '/own', '/throw', '/missing']) await client.get(path);
  },
  masks: MASKS,
  check: ([first]) => assert.ok(first?.fields.includes('X-Response-Time: <ms>ms'), first?.fields.join('\n') ?? ''),
});

same('takes digits, a header name and no suffix', {
  build: ({ express }) => {
    const app = express();
    app.use(responseTime({ digits: 0, header: 'X-Took', suffix: false }));
    app.get('/', (req, res) => res.json({}));
    return app;
  },
  talk: async ({ client }) => void (await client.get('/')),
  masks: MASKS,
});

same('calls a function when the head is written', {
  build: ({ express, note }) => {
    const app = express();
    app.use(
      responseTime((req, res, ms) => {
        note({ url: req.url, status: res.statusCode, isTime: Number.isFinite(ms) && ms >= 0, sent: res.headersSent });
        res.setHeader('X-Late', 'set');
      }),
    );
    app.get('/', (req, res) => res.status(201).send('x'));
    return app;
  },
  talk: async ({ client }) => {
    await client.get('/');
    await client.get('/missing');
  },
  check: (_replies, notes) => assert.equal(notes.length, 2),
});

same('refuses a bad option as upstream does', {
  build: ({ express, note }) => {
    try {
      express().use(responseTime({ digits: 'many' }), (req, res) => res.send('x'));
      note('accepted');
    } catch (error) {
      note(error);
    }
    return express();
  },
  talk: async ({ client }) => void (await client.get('/')),
});
