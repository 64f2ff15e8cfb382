/** express-session on both sides: creation, saving, rolling, regeneration, destruction, store failures. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { same } from '../support/compare.ts';
import type { Bench } from '../support/compare.ts';
import type { Application, Failure, Handler, Next, Request, Response } from '../support/express-types.ts';
import { load } from '../support/load.ts';

interface ExpressSession {
  (options: object): Handler;
  MemoryStore: new () => EventEmitter & { sessions: Record<string, string> };
}
const session = load<ExpressSession>('express-session');

function counted(options: object): (bench: Bench) => Application {
  return ({ express }) => {
    const app = express();
    let id = 0;
    app.use(session({ secret: 's3cret', resave: false, saveUninitialized: false, genid: () => `id-${(id += 1)}`, ...options }));
    app.get('/', (req, res) => {
      req.session.views = (req.session.views ?? 0) + 1;
      res.json({ views: req.session.views, id: req.sessionID });
    });
    app.get('/peek', (req, res) => res.json({ views: req.session.views ?? null }));
    app.get('/in', (req, res, next) => {
      req.session.regenerate((error) => {
        if (error) return next(error);
        req.session['user'] = 'ada';
        req.session.save((failed) => (failed ? next(failed) : res.redirect('/peek')));
      });
    });
    app.get('/out', (req, res, next) => req.session.destroy((error) => (error ? next(error) : res.send('bye'))));
    app.get('/stream', (req, res) => {
      req.session['streamed'] = true;
      res.set('Content-Length', '6');
      res.write('abc');
      res.end('def');
    });
    app.get('/chunked', (req, res) => {
      req.session['chunked'] = true;
      res.write('abc');
      res.end();
    });
    app.use((error: Failure, req: Request, res: Response, _next: Next) => res.status(500).send(`caught: ${error.message}`));
    return app;
  };
}

async function visit({ client }: { client: { get(path: string): Promise<unknown> } }): Promise<void> {
  for (const path of ['/peek', '/', '/', '/peek', '/stream', '/chunked', '/in', '/', '/out', '/peek']) await client.get(path);
}

same('keeps a session over requests and sets its cookie only when needed', {
  build: counted({}),
  talk: visit,
  check: ([untouched, first, second]) => {
    assert.ok(!untouched?.fields.some((line) => line.startsWith('Set-Cookie')));
    assert.ok(first?.fields.some((line) => line.startsWith('Set-Cookie: connect.sid=s%3Aid-')));
    assert.match(second?.content ?? '', /"views":2/);
  },
});

same('rolls the cookie and saves new sessions when told so', {
  build: counted({
    rolling: true,
    saveUninitialized: true,
    resave: true,
    name: 'sid',
    cookie: { maxAge: 60_000, sameSite: 'strict', path: '/' },
  }),
  talk: visit,
});

same('destroys a session that is unset', {
  build: (bench) => {
    const app = counted({ unset: 'destroy' })(bench);
    app.get('/unset', (req, res) => {
      Reflect.set(req, 'session', null);
      res.send('unset');
    });
    return app;
  },
  talk: async ({ client }) => {
    for (const path of ['/', '/unset', '/peek']) await client.get(path);
  },
});

same('sends secure cookies only over a trusted encrypted proxy', {
  build: ({ express }) => {
    const app = express();
    app.set('trust proxy', 1);
    app.use(
      session({ secret: 'x', resave: false, saveUninitialized: true, genid: () => 'fixed', cookie: { secure: 'auto' }, proxy: true }),
    );
    app.get('/', (req, res) => res.send(req.protocol));
    return app;
  },
  talk: async ({ client }) => {
    await client.get('/', { 'X-Forwarded-Proto': 'https' });
    await client.get('/', { Cookie: 'none=1' });
  },
});

same('ignores a cookie with a wrong signature', {
  build: counted({}),
  talk: async ({ client }) => {
    await client.get('/');
    await client.send({ path: '/peek', headers: { Cookie: 'connect.sid=s%3Aid-1.forged' } });
  },
});

same('reports a store that fails to read, and serves without a session while it is disconnected', {
  build: (bench) => {
    class Broken extends EventEmitter {
      get(_id: string, done: (error: Error) => void): void {
        process.nextTick(done, new Error('store is down'));
      }
      set(_id: string, _data: unknown, done?: (error: Error) => void): void {
        if (done !== undefined) process.nextTick(done, new Error('store is full'));
      }
      createSession(_req: Request, data: unknown): unknown {
        return data;
      }
      generate = session.MemoryStore.prototype['generate' as never];
    }
    const store = new Broken();
    const app = counted({ store })(bench);
    app.get('/drop', (req, res) => {
      store.emit('disconnect');
      res.send('dropped');
    });
    app.get('/has', (req, res) => res.json({ has: req.session !== undefined }));
    return app;
  },
  talk: async ({ client }) => {
    await client.send({ path: '/peek', headers: { Cookie: 'connect.sid=s%3Aid-1.G1trKnzu3n8BUw3a4WmzlKvUVTGuqgXXzvkxGpU1x4E' } });
    await client.get('/drop');
    await client.get('/has');
  },
  masks: [],
});
