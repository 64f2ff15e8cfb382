// h3 in the style of h3.dev: one application, set up for the scenario that the harness names in `SCENARIO`.
// It stands between the harness, which starts and asks it, and the framework; it never logs and never loads
// what its scenario does not use.
import { getQuery, getRouterParam, H3, readBody, readValidatedBody, serve, serveStatic } from 'h3';

const app = new H3();

const scenarios = {
  'hello-text'() {
    app.get('/', () => 'Hello, World!');
  },

  'hello-json'() {
    app.get('/', () => ({ message: 'Hello, World!' }));
  },

  'path-query'() {
    app.get('/users/:id', (event) => {
      const { page, sort } = getQuery(event);
      return { id: getRouterParam(event, 'id'), page, sort };
    });
  },

  'post-json'() {
    app.post('/users', async (event) => {
      const { name, email, age } = await readBody(event);
      event.res.status = 201;
      return { name, email, age };
    });
  },

  'chain-3'() {
    app.use((event) => {
      event.context.visited = 1;
    });
    app.use((event) => {
      event.context.visited += 1;
    });
    app.use((event) => {
      event.context.visited += 1;
    });
    app.get('/', (event) => ({ visited: event.context.visited }));
  },

  async 'chain-5'() {
    const { chain } = await import('./chain.mjs');
    chain(app);
  },

  routes() {
    const count = Number(process.env.ROUTES ?? 1000);
    for (let route = 0; route < count; route += 1) {
      app.get(`/route${route}/:name`, (event) => ({ route, name: getRouterParam(event, 'name') }));
    }
  },

  urlencoded() {
    app.post('/form', async (event) => {
      const { name, email, age } = await readBody(event);
      return { name, email, age };
    });
  },

  'static-10k': serveFiles,
  'static-1m': serveFiles,

  'update-user-light': () => updateUser('light'),
  'update-user-heavy': () => updateUser('heavy'),

  'list-10'() {
    const users = Array.from({ length: 10 }, (_, index) => {
      const id = index + 1;
      return { id, firstName: `First${id}`, lastName: `Last${id}`, createdAt: new Date(Date.UTC(2024, 0, id)) };
    });
    app.get('/users', () => users.map(({ id, firstName, lastName, createdAt }) => ({ id, name: `${firstName} ${lastName}`, createdAt })));
  },

  async 'db-read'() {
    const items = await import('./items.mjs');
    app.get('/items', (event) => items.list(Number(getQuery(event).category)));
  },

  async 'db-insert'() {
    const items = await import('./items.mjs');
    app.post('/items', async (event) => {
      event.res.status = 201;
      return items.insert(await readBody(event));
    });
  },
};

async function serveFiles() {
  const { readFile, stat } = await import('node:fs/promises');
  const { join } = await import('node:path');
  const directory = process.env.STATIC_DIR;
  app.use('/**', (event) =>
    serveStatic(event, {
      getContents: (id) => readFile(join(directory, id)),
      getMeta: async (id) => {
        const stats = await stat(join(directory, id)).catch(() => {});
        return stats?.isFile() ? { size: stats.size, mtime: stats.mtimeMs } : undefined;
      },
    }),
  );
}

async function updateUser(kind) {
  const { describe, [kind]: schema } = await import('./users.mjs');
  app.post('/updateUser', async (event) => describe(await readValidatedBody(event, schema)));
}

await scenarios[process.env.SCENARIO ?? 'hello-text']();
// Without the graceful shutdown, which waits for connections and keeps an idle pool of the database alive for
// ever: SIGTERM must end it.
serve(app, { port: Number(process.env.PORT), hostname: '127.0.0.1', silent: true, gracefulShutdown: false });
