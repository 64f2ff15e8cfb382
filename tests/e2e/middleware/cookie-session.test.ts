/**
 * cookie-session on both sides: it sets its cookies with `http.OutgoingMessage.prototype.setHeader`, called
 * on the reply.
 */
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { same } from '../support/compare.ts';
import type { Handler } from '../support/express-types.ts';
import { load } from '../support/load.ts';

interface Context {
  req: IncomingMessage;
  body: unknown;
  readonly cookies: { get(name: string): string | undefined; set(name: string, value: string, options?: object): void };
}
interface KoaApplication {
  keys: string[];
  use(middleware: (ctx: Context, next: () => Promise<void>) => unknown): void;
  callback(): (req: IncomingMessage, res: ServerResponse) => void;
}

const cookieSession = load<(options: object) => Handler>('cookie-session');
const Koa = load<new () => KoaApplication>('koa');

interface Session {
  session: { views?: number; nothing?: string } | null;
}

same('keeps a session in signed cookies, and takes it away', {
  build: ({ express }) => {
    const app = express();
    app.use(cookieSession({ name: 'kept', keys: ['new', 'old'], maxAge: 60_000 }));
    app.get('/', (req, res) => {
      const { session } = req as unknown as { session: { views?: number } };
      session.views = (session.views ?? 0) + 1;
      res.json(session);
    });
    app.get('/out', (req, res) => {
      (req as unknown as Session).session = null;
      res.send('out');
    });
    app.get('/written', (req, res) => {
      (req as unknown as { session: Session['session'] }).session = { nothing: 'more' };
      res.setHeader('Set-Cookie', 'other=1');
      res.write('first');
      res.end('last');
    });
    return app;
  },
  talk: async ({ client }) => {
    for (const path of ['/', '/', '/written', '/out', '/']) await client.get(path);
  },
  check: ([first]) => assert.ok(first?.fields.some((field) => /^set-cookie: kept=/i.test(field))),
});

same('a Koa application that is mounted in Express sets cookies', {
  build: ({ express }) => {
    const app = express();
    const koa = new Koa();
    koa.keys = ['key'];
    koa.use((ctx) => {
      ctx.cookies.set('a', '1');
      ctx.cookies.set('b', '2', { signed: true });
      ctx.body = `koa ${ctx.req.url}`;
    });
    app.use('/koa', koa.callback() as never);
    return app;
  },
  talk: async ({ client }) => {
    await client.get('/koa/x');
    await client.get('/koa?y');
  },
  check: ([first]) => assert.ok(first?.fields.some((field) => /^set-cookie: b=2/i.test(field))),
});
