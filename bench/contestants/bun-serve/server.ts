// Bun.serve in the style of bun.com/docs ("HTTP server", "Routing"): the `routes` of the scenario that the
// harness names in `SCENARIO`. Bun is the whole framework here; it never logs and never loads what its
// scenario does not use.
type Handler = (request: Bun.BunRequest) => Response | Promise<Response>;
type Routes = Record<string, Handler | { GET?: Handler; POST?: Handler }>;

const scenarios: Record<string, () => Routes | Promise<Routes>> = {
  'hello-text': () => ({ '/': () => new Response('Hello, World!') }),

  'hello-json': () => ({ '/': () => Response.json({ message: 'Hello, World!' }) }),

  'path-query': () => ({
    '/users/:id': (request) => {
      const { searchParams } = new URL(request.url);
      return Response.json({ id: request.params.id, page: searchParams.get('page'), sort: searchParams.get('sort') });
    },
  }),

  'post-json': () => ({
    '/users': {
      POST: async (request) => {
        const { name, email, age } = (await request.json()) as Record<string, unknown>;
        return Response.json({ name, email, age }, { status: 201 });
      },
    },
  }),

  'chain-3': async () => (await import('./chain.ts')).three,
  'chain-5': async () => (await import('./chain.ts')).five,

  routes() {
    const count = Number(process.env.ROUTES ?? 1000);
    const table: Routes = {};
    for (let route = 0; route < count; route += 1) {
      table[`/route${route}/:name`] = (request) => Response.json({ route, name: request.params.name });
    }
    return table;
  },

  urlencoded: () => ({
    '/form': {
      POST: async (request) => {
        const form = await request.formData();
        return Response.json({ name: form.get('name'), email: form.get('email'), age: form.get('age') });
      },
    },
  }),

  'static-10k': serveFiles,
  'static-1m': serveFiles,

  async 'compressed-58k'() {
    const data = await Bun.file(process.env.DATA_FILE!).json();
    return { '/data': (request) => compress(request, JSON.stringify(data)) };
  },

  'update-user-light': () => updateUser('light'),
  'update-user-heavy': () => updateUser('heavy'),

  'list-10'() {
    const users = Array.from({ length: 10 }, (_, index) => {
      const id = index + 1;
      return { id, firstName: `First${id}`, lastName: `Last${id}`, createdAt: new Date(Date.UTC(2024, 0, id)) };
    });
    const list = () => users.map(({ id, firstName, lastName, createdAt }) => ({ id, name: `${firstName} ${lastName}`, createdAt }));
    return { '/users': () => Response.json(list()) };
  },

  async 'db-read'() {
    const items = await import('./items.ts');
    return { '/items': async (request) => Response.json(await items.list(Number(new URL(request.url).searchParams.get('category')))) };
  },

  async 'db-insert'() {
    const items = await import('./items.ts');
    const insert: Handler = async (request) => {
      const body = (await request.json()) as Parameters<typeof items.insert>[0];
      return Response.json(await items.insert(body), { status: 201 });
    };
    return { '/items': { POST: insert } };
  },
};

/**
 * Files as the documentation of `routes` streams them: a new `Bun.file` for each request, by its name in the
 * folder.
 */
function serveFiles(): Routes {
  return {
    '/:file': async (request) => {
      const { file: name } = request.params as { file: string };
      const file = Bun.file(`${process.env.STATIC_DIR}/${name.replaceAll('/', '')}`);
      return (await file.exists()) ? new Response(file) : new Response('Not Found', { status: 404 });
    },
  };
}

/** Bun.serve compresses nothing itself; `Bun.gzipSync` is what its documentation has for it. */
function compress(request: Request, text: string): Response {
  const headers = { 'Content-Type': 'application/json; charset=utf-8', Vary: 'Accept-Encoding' };
  if (!request.headers.get('Accept-Encoding')?.includes('gzip')) return new Response(text, { headers });
  return new Response(Bun.gzipSync(Buffer.from(text)), { headers: { ...headers, 'Content-Encoding': 'gzip' } });
}

async function updateUser(kind: 'light' | 'heavy'): Promise<Routes> {
  const users = await import('./users.ts');
  const update: Handler = async (request) => {
    const user = users[kind].safeParse(await request.json());
    if (!user.success) return Response.json({ errors: user.error.issues }, { status: 400 });
    return Response.json(users.describe(user.data));
  };
  return { '/updateUser': { POST: update } };
}

const routes = await scenarios[process.env.SCENARIO ?? 'hello-text']!();

Bun.serve({ port: Number(process.env.PORT), hostname: '127.0.0.1', routes });

export type { Handler, Routes };
