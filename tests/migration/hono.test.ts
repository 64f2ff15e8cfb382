/**
 * What docs/migration/from-hono.md says is the same: documented behaviours of Hono, the program in Hono's
 * words and in ours, the same requests.
 */
import { Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { streamText } from 'hono/streaming';
import { createApp } from 'fulmar';
import { FORM, hono, JSON_TYPE } from './hono-peer.ts';
import { defineEqual } from './pairs.ts';

defineEqual(hono, [
  {
    name: 'methods, chained at one path',
    theirs: (app) =>
      app
        .get('/', (c) => c.text('read'))
        .post('/', (c) => c.text('written'))
        .delete('/', (c) => c.text('gone')),
    ours: (app) =>
      app
        .get('/', () => 'read')
        .post('/', () => 'written')
        .delete('/', () => 'gone'),
    ask: ['/', { method: 'POST', url: '/' }, { method: 'DELETE', url: '/' }],
    both: ['200 text/plain read', '200 text/plain written', '200 text/plain gone'],
  },
  {
    name: 'HEAD by the handler of GET, without content',
    theirs: (app) => app.get('/', (c) => c.text('x', 200, { 'X-Method': c.req.method })),
    ours: (app) => app.get('/', (c) => c.header('X-Method', c.method).text('x')),
    ask: { method: 'HEAD', url: '/' },
    fields: ['x-method'],
    both: ['200 text/plain x-method=HEAD'],
  },
  {
    name: 'every method, those without a function too',
    theirs: (app) => app.all('/hello', (c) => c.text(c.req.method)),
    ours: (app) => app.all('/hello', (c) => c.method),
    ask: ['/hello', { method: 'PURGE', url: '/hello' }, { method: 'OPTIONS', url: '/hello' }],
    both: ['200 text/plain GET', '200 text/plain PURGE', '200 text/plain OPTIONS'],
  },
  {
    name: 'on: one method, several',
    theirs: (app) => app.on('PURGE', '/cache', (c) => c.text('purged')).on(['PUT', 'DELETE'], '/post', (c) => c.text(c.req.method)),
    ours: (app) => app.on('PURGE', '/cache', () => 'purged').on(['PUT', 'DELETE'], '/post', (c) => c.method),
    ask: [
      { method: 'PURGE', url: '/cache' },
      { method: 'PUT', url: '/post' },
      { method: 'DELETE', url: '/post' },
    ],
    both: ['200 text/plain purged', '200 text/plain PUT', '200 text/plain DELETE'],
  },
  {
    name: 'on: several paths, a loop here',
    theirs: (app) => app.on('GET', ['/hello', '/ja/hello'], (c) => c.text('Hello')),
    ours: (app) => ['/hello', '/ja/hello'].forEach((path) => app.get(path, () => 'Hello')),
    ask: ['/hello', '/ja/hello'],
    both: ['200 text/plain Hello', '200 text/plain Hello'],
  },
  {
    name: 'parameters, decoded once',
    theirs: (app) => app.get('/posts/:id/comment/:comment', (c) => c.text(`${c.req.param('id')} ${c.req.param('comment')}`)),
    ours: (app) => app.get('/posts/:id/comment/:comment', (c) => `${c.params.id} ${c.params.comment}`),
    ask: ['/posts/1/comment/2', '/posts/a%20b/comment/%E3%81%82', '/posts/a%2Fb/comment/x', '/posts/a%2520b/comment/x'],
    both: ['200 text/plain 1 2', '200 text/plain a b あ', '200 text/plain a/b x', '200 text/plain a%20b x'],
  },
  {
    name: 'an optional parameter',
    theirs: (app) => app.get('/api/animal/:type?', (c) => c.text(c.req.param('type') ?? 'any')),
    ours: (app) => app.get('/api/animal/:type?', (c) => c.params.type ?? 'any'),
    ask: ['/api/animal', '/api/animal/cat'],
    both: ['200 text/plain any', '200 text/plain cat'],
  },
  {
    name: 'a wildcard within a path, which has a name here',
    theirs: (app) => app.get('/wild/*/card', (c) => c.text('wild')),
    ours: (app) => app.get('/wild/:any/card', () => 'wild'),
    ask: '/wild/x/card',
    both: ['200 text/plain wild'],
  },
  {
    name: 'a parameter with its slashes',
    theirs: (app) => app.get('/posts/:name{.+}', (c) => c.text(c.req.param('name'))),
    ours: (app) => app.get('/posts/*name', (c) => c.params.name),
    ask: ['/posts/a/b.png', '/posts/b.png'],
    both: ['200 text/plain a/b.png', '200 text/plain b.png'],
  },
  {
    name: 'a wildcard that is registered last answers what is left',
    theirs: (app) => app.get('/bar', (c) => c.text('bar')).get('*', (c) => c.text('fallback')),
    ours: (app) => app.get('/bar', () => 'bar').get('/*', () => 'fallback'),
    ask: ['/bar', '/', '/x/y'],
    both: ['200 text/plain bar', '200 text/plain fallback', '200 text/plain fallback'],
  },
  {
    name: 'paths are strict, in case too, and strict: false takes a slash at the end',
    theirs: (app) => app.get('/a', (c) => c.text('a')).notFound((c) => c.text('none', 404)),
    ours: (app) => app.get('/a', () => 'a').notFound(() => 'none'),
    ask: ['/a', '/a/', '//a', '/A', '/%61'],
    both: ['200 text/plain a', '404 text/plain none', '404 text/plain none', '404 text/plain none', '200 text/plain a'],
  },
  {
    name: 'strict: false takes a slash at the end',
    theirs: (app) => app.get('/a', (c) => c.text('a')),
    ours: (app) => app.get('/a', () => 'a'),
    theirOptions: { strict: false },
    options: { strict: false },
    ask: ['/a', '/a/'],
    both: ['200 text/plain a', '200 text/plain a'],
  },
  {
    name: 'route: an app under a prefix, which answers at the prefix itself',
    theirs(app) {
      const book = new Hono().get('/', (c) => c.text('list')).get('/:id', (c) => c.text(c.req.param('id')));
      app.route('/book', book);
    },
    ours(app) {
      const book = createApp();
      book.get('/', () => 'list').get('/:id', (c) => c.params.id);
      app.route('/book', book);
    },
    ask: ['/book', '/book/7'],
    both: ['200 text/plain list', '200 text/plain 7'],
  },
  {
    name: 'basePath is group',
    theirs: (app) => app.basePath('/api').get('/book', (c) => c.text('book')),
    ours: (app) => app.group('/api', (api) => api.get('/book', () => 'book')),
    ask: '/api/book',
    both: ['200 text/plain book'],
  },
  {
    name: 'mount: an application of the web under a prefix',
    theirs: (app) => app.mount('/m', (request: Request) => new Response(new URL(request.url).pathname)),
    ours: (app) => app.mount('/m', (request: Request) => new Response(new URL(request.url).pathname)),
    ask: ['/m', '/m/', '/m/x/y'],
    both: ['200 text/plain /', '200 text/plain /', '200 text/plain /x/y'],
  },
  {
    name: 'middleware as an onion',
    theirs(app) {
      const steps: number[] = [];
      app.use(async (c, next) => {
        steps.push(1);
        await next();
        steps.push(5);
        c.header('X-Steps', steps.join(''));
      });
      app.use(async (_c, next) => {
        steps.push(2);
        await next();
        steps.push(4);
      });
      app.get('/', (c) => c.text(String(steps.push(3))));
    },
    ours(app) {
      const steps: number[] = [];
      app.use(async (c, next) => {
        steps.push(1);
        await next();
        steps.push(5);
        c.header('X-Steps', steps.join(''));
      });
      app.use(async (_c, next) => {
        steps.push(2);
        await next();
        steps.push(4);
      });
      app.get('/', () => String(steps.push(3)));
    },
    ask: '/',
    fields: ['x-steps'],
    both: ['200 text/plain x-steps=12345 3'],
  },
  {
    name: 'middleware is for what is registered behind it',
    theirs(app) {
      app.get('/before', (c) => c.text('b'));
      app.use(async (c, next) => {
        c.header('X-M', '1');
        await next();
      });
      app.get('/after', (c) => c.text('a'));
    },
    ours(app) {
      app.get('/before', () => 'b');
      app.use((c, next) => {
        c.header('X-M', '1');
        return next();
      });
      app.get('/after', () => 'a');
    },
    ask: ['/before', '/after'],
    fields: ['x-m'],
    both: ['200 text/plain x-m=- b', '200 text/plain x-m=1 a'],
  },
  {
    name: 'middleware at a path, with a parameter',
    theirs(app) {
      app.use('/users/:id/*', async (c, next) => {
        c.header('X-User', c.req.param('id'));
        await next();
      });
      app.get('/users/:id/posts', (c) => c.text('posts')).get('/other', (c) => c.text('other'));
    },
    ours(app) {
      app.use('/users/:id', (c, next) => {
        c.header('X-User', (c.params as { id: string }).id);
        return next();
      });
      app.get('/users/:id/posts', () => 'posts').get('/other', () => 'other');
    },
    ask: ['/users/7/posts', '/other'],
    fields: ['x-user'],
    both: ['200 text/plain x-user=7 posts', '200 text/plain x-user=- other'],
  },
  {
    name: 'middleware that answers instead, also where no route is',
    theirs: (app) => app.use((c) => Promise.resolve(c.text('stop', 403))).get('/', (c) => c.text('x')),
    ours: (app) => app.use((c) => c.status(403).text('stop')).get('/', () => 'x'),
    ask: ['/', '/none'],
    both: ['403 text/plain stop', '403 text/plain stop'],
  },
  {
    name: 'middleware of one route',
    theirs(app) {
      const own = createMiddleware(async (c, next) => {
        c.header('X-M', '1');
        await next();
      });
      app.get('/with', own, (c) => c.text('x')).get('/without', (c) => c.text('x'));
    },
    ours(app) {
      app.get('/with', (c, next) => { c.header('X-M', '1'); return next(); }, () => 'x').get('/without', () => 'x'); // prettier-ignore
    },
    ask: ['/with', '/without'],
    fields: ['x-m'],
    both: ['200 text/plain x-m=1 x', '200 text/plain x-m=- x'],
  },
  {
    name: 'another reply from middleware, with the fields that were set',
    theirs(app) {
      app.use(async (c, next) => {
        await next();
        c.res = new Response('new', c.res);
      });
      app.get('/', (c) => c.text('old', 200, { 'X-A': '1' }));
    },
    ours(app) {
      app.use(async (c, next) => {
        await next();
        return c.text('new');
      });
      app.get('/', (c) => c.header('X-A', '1').text('old'));
    },
    ask: '/',
    fields: ['x-a'],
    both: ['200 text/plain x-a=1 new'],
  },
  {
    name: 'errors of an app under a prefix: its own handler, else that of the app around',
    theirs(app) {
      const fail = (): never => {
        throw new Error('it');
      };
      app.onError((_error, c) => c.text('outer', 500));
      app.route(
        '/a',
        new Hono().get('/', fail).onError((error, c) => c.text(`inner ${error.message}`, 500)),
      );
      app.route('/b', new Hono().get('/', fail));
    },
    ours(app) {
      const fail = (): never => {
        throw new Error('it');
      };
      app.onError((_error, c) => c.status(500).text('outer'));
      const a = createApp().get('/', fail).onError((error, c) => c.status(500).text(`inner ${(error as Error).message}`)); // prettier-ignore
      app.route('/a', a);
      app.route('/b', createApp().get('/', fail));
    },
    ask: ['/a', '/b'],
    both: ['500 text/plain inner it', '500 text/plain outer'],
  },
  {
    name: 'replies of a status, with fields',
    theirs: (app) => app.get('/', (c) => c.body('Thanks', 201, { 'X-Message': 'Hello!', 'Content-Type': 'text/plain' })),
    ours: (app) => app.get('/', (c) => c.status(201).set({ 'X-Message': 'Hello!' }).send('Thanks', 'text/plain')),
    ask: '/',
    fields: ['content-type', 'x-message'],
    both: ['201 text/plain content-type=text/plain x-message=Hello! Thanks'],
  },
  {
    name: 'a Response, as it is',
    theirs: (app) => app.get('/', () => new Response('r', { status: 201, headers: { 'X-A': '1' } })),
    ours: (app) => app.get('/', () => new Response('r', { status: 201, headers: { 'X-A': '1' } })),
    ask: '/',
    fields: ['x-a', 'content-type'],
    both: ['201 text/plain x-a=1 content-type=text/plain;charset=UTF-8 r'],
  },
  {
    name: 'a field with several values',
    theirs(app) {
      app.get('/', (c) => {
        c.header('X-A', '1');
        c.header('X-A', '2', { append: true });
        return c.text('x');
      });
    },
    ours: (app) => app.get('/', (c) => c.header('X-A', '1').header('X-A', '2', { append: true }).text('x')),
    ask: '/',
    fields: ['x-a'],
    both: ['200 text/plain x-a=1, 2 x'],
  },
  {
    name: 'what middleware leaves for the handler',
    theirs(app) {
      const typed = app as unknown as Hono<{ Variables: { user: string } }>;
      typed.use(async (c, next) => {
        c.set('user', 'ada');
        await next();
      });
      typed.get('/', (c) => c.text(`${c.get('user')} ${c.var.user}`));
    },
    ours(app) {
      app.use((c, next) => {
        c.state['user'] = 'ada';
        return next();
      });
      app.get('/', (c) => `${String(c.state['user'])} ${String(c.state['user'])}`);
    },
    ask: '/',
    both: ['200 text/plain ada ada'],
  },
  {
    name: 'of the query one value, or all of a name',
    theirs: (app) => app.get('/', (c) => c.json([c.req.query('q') ?? null, c.req.queries('tag') ?? []])),
    ours: (app) => app.get('/', (c) => [c.query['q'] ?? null, [c.query['tag'] ?? []].flat()]),
    ask: ['/?q=a+b&tag=1&tag=2', '/?q=&tag=1', '/?q', '/?q=%zz', '/'],
    both: ['["a b",["1","2"]]', '["",["1"]]', '["",[]]', '["%zz",[]]', '[null,[]]'].map((text) => `200 application/json ${text}`),
  },
  {
    name: 'fields of the request, by any case',
    theirs: (app) => app.get('/', (c) => c.json([c.req.header('X-A'), c.req.header()['x-a']])),
    ours: (app) => app.get('/', (c) => [c.header('X-A'), c.headers['x-a']]),
    ask: { url: '/', headers: { 'x-a': '1' } },
    both: ['200 application/json ["1","1"]'],
  },
  {
    name: 'content as JSON, as text, and twice',
    theirs: (app) => app.post('/', async (c) => c.json([await c.req.text(), await c.req.json()])),
    ours: (app) => app.post('/', async (c) => [await c.body.text(), await c.body.json()]),
    ask: { url: '/', body: '{"a":1}', headers: JSON_TYPE },
    both: ['200 application/json ["{\\"a\\":1}",{"a":1}]'],
  },
  {
    name: 'content as a form: the last of a name',
    theirs: (app) => app.post('/', async (c) => c.json(await c.req.parseBody())),
    ours: (app) => app.post('/', async (c) => Object.fromEntries(await c.body.form())),
    ask: { url: '/', body: 'a=1&a=2&b=x+y', headers: FORM },
    both: ['200 application/json {"a":"2","b":"x y"}'],
  },
  {
    name: 'path, method, pattern and address',
    theirs: (app) => app.get('/a/:b', (c) => c.json([c.req.url, c.req.path, c.req.method, c.req.routePath])),
    ours: (app) => app.get('/a/:b', (c) => [c.request.url, c.path, c.method, c.route]),
    ask: '/a/b?c=d',
    both: ['200 application/json ["http://localhost/a/b?c=d","/a/b","GET","/a/:b"]'],
  },
  {
    name: 'text in pieces',
    theirs(app) {
      app.get('/', (c) =>
        streamText(c, async (stream) => {
          await stream.writeln('a');
          await stream.write('b');
        }),
      );
    },
    ours: (app) => app.get('/', (c) => c.send(['a\n', 'b'].values(), 'text/plain; charset=utf-8')),
    ask: '/',
    both: ['200 text/plain a\nb'],
  },
  {
    name: 'cookies that come and go',
    theirs(app) {
      app.get('/', (c) => {
        setCookie(c, 'a', 'b c', { path: '/', secure: true, domain: 'example.com', httpOnly: true, maxAge: 1000, sameSite: 'Strict' });
        return c.json([getCookie(c, 'x'), getCookie(c, 'y')]);
      });
    },
    ours(app) {
      app.get('/', (c) => {
        c.cookie('a', 'b c', { path: '/', secure: true, domain: 'example.com', httpOnly: true, maxAge: 1000, sameSite: 'strict' });
        return [c.cookies['x'], c.cookies['y']];
      });
    },
    ask: { url: '/', headers: { Cookie: 'x=1%202; y="q"; x=3' } },
    fields: ['set-cookie'],
    both: [
      '200 application/json set-cookie=a=b%20c; Max-Age=1000; Domain=example.com; Path=/; HttpOnly; Secure; SameSite=Strict ["1 2","q"]',
    ],
  },
  {
    name: 'an application of Hono within ours, JSX and all',
    theirs: (app) => app.get('/old/hello', (c) => c.html('<h1>hello</h1>')),
    ours: (app) =>
      app.mount(
        '/old',
        new Hono().get('/hello', (c) => c.html('<h1>hello</h1>')),
      ),
    ask: '/old/hello',
    fields: ['content-type'],
    both: ['200 text/html content-type=text/html; charset=UTF-8 <h1>hello</h1>'],
  },
]);
