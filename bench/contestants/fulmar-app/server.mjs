// The app of Fulmar in the style of docs/guide/app.md: one application, set up for the scenario that the
// harness names in `SCENARIO`. It never logs and never loads what its scenario does not use.
import { createApp } from 'fulmar';

const scenarios = {
  'hello-text'(app) {
    app.get('/', () => 'Hello, World!');
  },

  'hello-json'(app) {
    app.get('/', () => ({ message: 'Hello, World!' }));
  },

  'path-query'(app) {
    app.get('/users/:id', (c) => ({ id: c.params.id, page: c.query.page, sort: c.query.sort }));
  },

  async 'post-json'(app) {
    const { person } = await import('./schemas.mjs');
    app.post('/users', { body: person, response: { 201: person } }, (c) => {
      const { name, email, age } = c.body;
      return c.status(201).json({ name, email, age });
    });
  },

  'chain-3'(app) {
    app.use((c, next) => {
      c.state.visited = 1;
      return next();
    });
    app.use((c, next) => {
      c.state.visited += 1;
      return next();
    });
    app.use((c, next) => {
      c.state.visited += 1;
      return next();
    });
    app.get('/', (c) => ({ visited: c.state.visited }));
  },

  async 'chain-5'(app) {
    const { chain } = await import('./chain.mjs');
    chain(app);
  },

  routes(app) {
    const count = Number(process.env.ROUTES ?? 1000);
    for (let route = 0; route < count; route += 1) {
      app.get(`/route${route}/:name`, (c) => ({ route, name: c.params.name }));
    }
  },

  urlencoded(app) {
    app.post('/form', async (c) => {
      const { name, email, age } = Object.fromEntries(await c.body.form());
      return { name, email, age };
    });
  },

  'static-10k': serveFiles,
  'static-1m': serveFiles,

  async 'compressed-58k'(app) {
    const { readFileSync } = await import('node:fs');
    const { compress } = await import('fulmar/middleware');
    const data = JSON.parse(readFileSync(process.env.DATA_FILE, 'utf8'));
    app.use(compress());
    app.get('/data', () => data);
  },

  'update-user-light': (app) => updateUser(app, 'light'),
  'update-user-heavy': (app) => updateUser(app, 'heavy'),
  'update-user-month': (app) => addMonth(app, 'month'),
  'update-user-union': (app) => addMonth(app, 'union'),

  async 'list-10'(app) {
    const { listed } = await import('./schemas.mjs');
    const users = Array.from({ length: 10 }, (_, index) => {
      const id = index + 1;
      return { id, firstName: `First${id}`, lastName: `Last${id}`, createdAt: new Date(Date.UTC(2024, 0, id)) };
    });
    app.get('/users', { response: listed }, () =>
      users.map(({ id, firstName, lastName, createdAt }) => ({ id, name: `${firstName} ${lastName}`, createdAt })),
    );
  },

  async 'db-read'(app) {
    const items = await import('./items.mjs');
    const { item, list } = await import('./schemas.mjs');
    app.get('/items', { response: list(item) }, (c) => items.list(Number(c.query.category)));
  },

  async 'db-insert'(app) {
    const items = await import('./items.mjs');
    const { inserted } = await import('./schemas.mjs');
    app.post('/items', { response: { 201: inserted } }, async (c) => c.status(201).json(await items.insert(await c.body.json())));
  },
};

async function serveFiles(app) {
  const { staticFiles } = await import('fulmar/middleware');
  app.use(staticFiles(process.env.STATIC_DIR));
}

async function updateUser(app, kind) {
  const users = await import('./users.mjs');
  app.post('/updateUser', users[kind], (c) => users.describe(users.revive(c.body)));
}

async function addMonth(app, kind) {
  const months = await import('./months.mjs');
  app.post('/updateUser', months[kind], (c) => months.addMonth(c.body));
}

// 400 for input that is not valid, as the scenarios ask; 422 is its default.
const app = createApp({ invalidInput: 400 });
await scenarios[process.env.SCENARIO ?? 'hello-text'](app);
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
