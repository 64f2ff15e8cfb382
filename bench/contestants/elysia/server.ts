// Elysia on Bun in the style of elysiajs.com: one application, set up for the scenario that the harness names
// in `SCENARIO`. It stands between the harness, which starts and asks it, and the framework; it never logs
// and never loads what its scenario does not use.
import { Elysia } from 'elysia';

const app = new Elysia();

const scenarios: Record<string, () => unknown> = {
  'hello-text': () => app.get('/', () => 'Hello, World!'),

  'hello-json': () => app.get('/', () => ({ message: 'Hello, World!' })),

  'path-query': () => app.get('/users/:id', ({ params: { id }, query: { page, sort } }) => ({ id, page, sort })),

  'post-json'() {
    interface User {
      name: string;
      email: string;
      age: number;
    }
    app.post('/users', ({ body, status }) => {
      const { name, email, age } = body as User;
      return status(201, { name, email, age });
    });
  },

  'chain-3'() {
    app
      .derive(() => ({ visited: 1 }))
      .derive(({ visited }) => ({ visited: visited + 1 }))
      .derive(({ visited }) => ({ visited: visited + 1 }))
      .get('/', ({ visited }) => ({ visited }));
  },

  async 'chain-5'() {
    const { chain } = await import('./chain.ts');
    app.use(chain);
  },

  routes() {
    const count = Number(process.env.ROUTES ?? 1000);
    for (let route = 0; route < count; route += 1) {
      app.get(`/route${route}/:name`, ({ params: { name } }) => ({ route, name }));
    }
  },

  urlencoded() {
    app.post('/form', ({ body }) => {
      const { name, email, age } = body as Record<string, string>;
      return { name, email, age };
    });
  },

  'static-10k': serveFiles,
  'static-1m': serveFiles,

  async 'compressed-58k'() {
    const { compression } = await import('./compression.ts');
    const data = await Bun.file(process.env.DATA_FILE!).json();
    app.use(compression).get('/data', () => data);
  },

  'update-user-light': () => updateUser('light'),
  'update-user-heavy': () => updateUser('heavy'),
  'update-user-month': () => addMonth('month'),
  'update-user-union': () => addMonth('union'),

  'list-10'() {
    const users = Array.from({ length: 10 }, (_, index) => {
      const id = index + 1;
      return { id, firstName: `First${id}`, lastName: `Last${id}`, createdAt: new Date(Date.UTC(2024, 0, id)) };
    });
    app.get('/users', () => users.map(({ id, firstName, lastName, createdAt }) => ({ id, name: `${firstName} ${lastName}`, createdAt })));
  },

  async 'db-read'() {
    const items = await import('./items.ts');
    app.get('/items', ({ query }) => items.list(Number(query.category)));
  },

  async 'db-insert'() {
    const items = await import('./items.ts');
    app.post('/items', async ({ body, status }) => status(201, await items.insert(body as Parameters<typeof items.insert>[0])));
  },
};

async function serveFiles() {
  const { staticPlugin } = await import('@elysiajs/static');
  app.use(await staticPlugin({ assets: process.env.STATIC_DIR, prefix: '/' }));
}

async function updateUser(kind: 'light' | 'heavy') {
  const users = await import('./users.ts');
  app
    .onError(({ code, status }) => (code === 'VALIDATION' ? status(400, { error: 'Bad Request' }) : undefined))
    .post('/updateUser', ({ body }) => users.describe(body), { body: users[kind] });
}

async function addMonth(kind: 'month' | 'union') {
  const months = await import('./months.ts');
  app
    .onError(({ code, status }) => (code === 'VALIDATION' ? status(400, { error: 'Bad Request' }) : undefined))
    .post('/updateUser', ({ body }) => months.addMonth(body), { body: months[kind] });
}

await scenarios[process.env.SCENARIO ?? 'hello-text']!();
app.listen({ port: Number(process.env.PORT), hostname: '127.0.0.1' });
