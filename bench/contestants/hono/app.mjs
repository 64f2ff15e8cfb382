// Hono in the style of hono.dev: one application, set up for the scenario that the harness names in
// `SCENARIO`. `server.mjs` (Node) and `server.ts` (Bun) serve it and bring their runtime's `serveStatic`; it
// never logs and never loads what its scenario does not use.
import { Hono } from 'hono';

const scenarios = {
  'hello-text'(app) {
    app.get('/', (c) => c.text('Hello, World!'));
  },

  'hello-json'(app) {
    app.get('/', (c) => c.json({ message: 'Hello, World!' }));
  },

  'path-query'(app) {
    app.get('/users/:id', (c) => c.json({ id: c.req.param('id'), page: c.req.query('page'), sort: c.req.query('sort') }));
  },

  'post-json'(app) {
    app.post('/users', async (c) => {
      const { name, email, age } = await c.req.json();
      return c.json({ name, email, age }, 201);
    });
  },

  'chain-3'(app) {
    app.use(async (c, next) => {
      c.set('visited', 1);
      await next();
    });
    app.use(async (c, next) => {
      c.set('visited', c.get('visited') + 1);
      await next();
    });
    app.use(async (c, next) => {
      c.set('visited', c.get('visited') + 1);
      await next();
    });
    app.get('/', (c) => c.json({ visited: c.get('visited') }));
  },

  async 'chain-5'(app) {
    const { chain } = await import('./chain.mjs');
    chain(app);
  },

  routes(app) {
    const count = Number(process.env.ROUTES ?? 1000);
    for (let route = 0; route < count; route += 1) {
      app.get(`/route${route}/:name`, (c) => c.json({ route, name: c.req.param('name') }));
    }
  },

  urlencoded(app) {
    app.post('/form', async (c) => {
      const { name, email, age } = await c.req.parseBody();
      return c.json({ name, email, age });
    });
  },

  'static-10k': serveFiles,
  'static-1m': serveFiles,

  async 'compressed-58k'(app) {
    const { readFileSync } = await import('node:fs');
    const { compress } = await import('hono/compress');
    const data = JSON.parse(readFileSync(process.env.DATA_FILE, 'utf8'));
    app.use(compress());
    app.get('/data', (c) => c.json(data));
  },

  'update-user-light': (app) => updateUser(app, 'light'),
  'update-user-heavy': (app) => updateUser(app, 'heavy'),
  'update-user-month': (app) => addMonth(app, 'month'),
  'update-user-union': (app) => addMonth(app, 'union'),

  'list-10'(app) {
    const users = Array.from({ length: 10 }, (_, index) => {
      const id = index + 1;
      return { id, firstName: `First${id}`, lastName: `Last${id}`, createdAt: new Date(Date.UTC(2024, 0, id)) };
    });
    app.get('/users', (c) =>
      c.json(users.map(({ id, firstName, lastName, createdAt }) => ({ id, name: `${firstName} ${lastName}`, createdAt }))),
    );
  },

  async 'db-read'(app) {
    const items = await import('./items.mjs');
    app.get('/items', async (c) => c.json(await items.list(Number(c.req.query('category')))));
  },

  async 'db-insert'(app) {
    const items = await import('./items.mjs');
    app.post('/items', async (c) => c.json(await items.insert(await c.req.json()), 201));
  },
};

async function serveFiles(app, importServeStatic) {
  const { serveStatic } = await importServeStatic();
  app.use('/*', serveStatic({ root: process.env.STATIC_DIR }));
}

async function updateUser(app, kind) {
  const { zValidator } = await import('@hono/zod-validator');
  const users = await import('./users.mjs');
  app.post('/updateUser', zValidator('json', users[kind]), (c) => c.json(users.describe(c.req.valid('json'))));
}

async function addMonth(app, kind) {
  const { zValidator } = await import('@hono/zod-validator');
  const months = await import('./months.mjs');
  app.post('/updateUser', zValidator('json', months[kind]), (c) => c.json(months.addMonth(c.req.valid('json'))));
}

/** The application of `SCENARIO`; `importServeStatic` imports the module of the runtime's `serveStatic`. */
export async function createApp(importServeStatic) {
  const app = new Hono();
  await scenarios[process.env.SCENARIO ?? 'hello-text'](app, importServeStatic);
  return app;
}
