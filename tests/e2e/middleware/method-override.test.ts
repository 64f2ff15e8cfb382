/** method-override on both sides: by header, by query, by a function; and what it refuses to override. */
import assert from 'node:assert/strict';
import { same } from '../support/compare.ts';
import type { Bench } from '../support/compare.ts';
import type { Application, Handler, Request } from '../support/express-types.ts';
import { load } from '../support/load.ts';

const methodOverride = load<(getter?: string | ((req: Request) => unknown), options?: object) => Handler>('method-override');

function overridden(...uses: Handler[]): (bench: Bench) => Application {
  return ({ express }) => {
    const app = express();
    app.use(express.urlencoded({ extended: false }));
    app.use(uses);
    for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
      app[method]('/', (req: Request, res) => res.json({ route: method, method: req.method, was: req['originalMethod'] ?? null }));
    }
    return app;
  };
}

same('overrides POST by header, and leaves other methods and unknown names alone', {
  build: overridden(methodOverride('X-HTTP-Method-Override')),
  talk: async ({ client }) => {
    for (const name of ['DELETE', 'put', 'patch', 'NONSENSE', '', 'DELETE, PUT'])
      await client.post('/', '', { 'X-HTTP-Method-Override': name });
    await client.get('/', { 'X-HTTP-Method-Override': 'DELETE' });
    await client.post('/', '');
  },
  check: ([first]) => assert.match(first?.content ?? '', /"route":"delete"/),
});

same('overrides by query and by a function of the content', {
  build: overridden(
    methodOverride('_method', { methods: ['POST', 'GET'] }),
    methodOverride((req) => {
      const method = req.body?.['_method'];
      delete req.body?.['_method'];
      return method;
    }),
  ),
  talk: async ({ client }) => {
    await client.post('/?_method=PUT', '');
    await client.get('/?_method=delete');
    await client.form('/', { _method: 'PATCH', other: '1' });
    await client.post('/?_method=A&_method=DELETE', '');
  },
  check: (replies) => assert.match(replies[2]?.content ?? '', /"route":"patch"/),
});

same('answers 404 when no route takes the overriding method', {
  build: ({ express }) => {
    const app = express();
    app.use(methodOverride());
    app.post('/only-post', (req, res) => res.send('post'));
    return app;
  },
  talk: async ({ client }) => void (await client.post('/only-post', '', { 'X-HTTP-Method-Override': 'DELETE' })),
  check: ([reply]) => assert.match(reply?.content ?? '', /Cannot DELETE \/only-post/),
});
