/**
 * Routes, middleware, errors, contexts, content and events of the typed app.
 */
import { HttpError } from '../../src/app/index.ts';
import { type AppCase, defineCases } from './case.ts';

const PROBLEM = 'application/problem+json; charset=utf-8';
const JSON_HEADERS = { 'Content-Type': 'application/json' };

defineCases('routes', [
  { name: 'a path', app: (app) => app.get('/a', () => 'a'), ask: '/a', expect: { text: 'a' } },
  { name: 'a path with a query', app: (app) => app.get('/a', () => 'a'), ask: '/a?b=c', expect: { text: 'a' } },
  { name: 'a parameter', app: (app) => app.get('/users/:id', (c) => c.params.id), ask: '/users/7', expect: { text: '7' } },
  { name: 'a parameter is decoded once', app: (app) => app.get('/:a', (c) => c.params.a), ask: '/%2525%20x', expect: { text: '%25 x' } },
  {
    name: 'an escape that is none is 400',
    app: (app) => app.get('/:a', (c) => c.params.a),
    ask: '/%E0%A4%A',
    expect: { status: 400, headers: { 'content-type': PROBLEM } },
  },
  { name: 'an escaped slash does not split', app: (app) => app.get('/:a', (c) => c.params.a), ask: '/a%2Fb', expect: { text: 'a/b' } },
  {
    name: 'an optional parameter that is there',
    app: (app) => app.get('/a/:b?', (c) => c.json(c.params)),
    ask: '/a/x',
    expect: { json: { b: 'x' } },
  },
  { name: 'an optional parameter that is not', app: (app) => app.get('/a/:b?', (c) => c.json(c.params)), ask: '/a', expect: { json: {} } },
  { name: 'the rest', app: (app) => app.get('/files/*path', (c) => c.params.path), ask: '/files/a/b%20c', expect: { text: 'a/b c' } },
  {
    name: 'text before a parameter, whichever was first',
    app: (app) => {
      app.get('/:a', () => 'parameter');
      app.get('/x', () => 'text');
    },
    ask: '/x',
    expect: { text: 'text' },
  },
  {
    name: 'a parameter before the rest',
    app: (app) => {
      app.get('/*all', () => 'rest');
      app.get('/:a', () => 'parameter');
    },
    ask: '/x',
    expect: { text: 'parameter' },
  },
  {
    name: 'a parameter named __proto__',
    app: (app) => app.get('/:__proto__', (c) => Object.keys(c.params).join()),
    ask: '/x',
    expect: { text: '__proto__' },
  },
  {
    name: 'nothing there is 404',
    app: (app) => app.get('/a', () => 'a'),
    ask: '/b',
    expect: { status: 404, headers: { 'content-type': PROBLEM }, json: { title: 'Not Found', status: 404, detail: 'Nothing is at /b.' } },
  },
  { name: 'a trailing slash is another path', app: (app) => app.get('/a', () => 'a'), ask: '/a/', expect: { status: 404 } },
  {
    name: 'a trailing slash is the same path when that is asked for',
    options: { strict: false },
    app: (app) => app.get('/a', () => 'a'),
    ask: '/a/',
    expect: { text: 'a' },
  },
  {
    name: 'another method is 405 with those there are',
    app: (app) => {
      app.get('/a', () => 'a');
      app.put('/a', () => 'a');
    },
    ask: { method: 'POST', url: '/a' },
    expect: { status: 405, headers: { allow: 'GET, HEAD, OPTIONS, PUT' } },
  },
  {
    name: 'OPTIONS is answered',
    app: (app) => app.post('/a', () => 'a'),
    ask: { method: 'OPTIONS', url: '/a' },
    expect: { status: 204, headers: { allow: 'OPTIONS, POST' }, text: '' },
  },
  {
    name: 'OPTIONS of one’s own',
    app: (app) => app.options('/a', () => 'own'),
    ask: { method: 'OPTIONS', url: '/a' },
    expect: { text: 'own' },
  },
  {
    name: 'HEAD of a path whose GET stands before a route for all',
    app: (app) => {
      app.get('/a', (c) => c.header('X-By', 'get') && 'x');
      app.all('/*rest', (c) => c.status(418));
    },
    ask: { method: 'HEAD', url: '/a' },
    expect: { headers: { 'x-by': 'get' } },
  },
  {
    name: 'HEAD of one’s own',
    app: (app) => {
      app.get('/a', () => 'a');
      app.head('/a', (c) => void c.status(200).header('X-Head', '1'));
    },
    ask: { method: 'HEAD', url: '/a' },
    expect: { headers: { 'x-head': '1' } },
  },
  { name: 'all methods', app: (app) => app.all('/a', (c) => c.method), ask: { method: 'DELETE', url: '/a' }, expect: { text: 'DELETE' } },
  {
    name: 'a method’s own before all',
    app: (app) => {
      app.all('/a', () => 'all');
      app.get('/a', () => 'get');
    },
    ask: '/a',
    expect: { text: 'get' },
  },
  {
    name: 'on several methods',
    app: (app) => app.on(['PUT', 'PATCH'], '/a', (c) => c.method),
    ask: { method: 'PATCH', url: '/a' },
    expect: { text: 'PATCH' },
  },
  {
    name: 'on a method without a function',
    app: (app) => app.on('PROPFIND', '/a', (c) => c.method),
    ask: { method: 'PROPFIND', url: '/a' },
    expect: { text: 'PROPFIND' },
  },
  { name: 'a group', app: (app) => app.group('/api', (api) => api.get('/x', (c) => c.route)), ask: '/api/x', expect: { text: '/api/x' } },
  { name: 'a group’s root', app: (app) => app.group('/api', (api) => api.get('/', () => 'root')), ask: '/api', expect: { text: 'root' } },
  { name: 'notFound', app: (app) => app.notFound((c) => ({ no: c.pathname })), ask: '/x', expect: { status: 404, json: { no: '/x' } } },
]);

defineCases('middleware', [
  {
    name: 'is around the handler, from outside to inside',
    app: (app) => {
      app.use(
        async (c, next) => {
          c.state['log'] = 'a';
          await next();
          c.header('X-Log', `${String(c.state['log'])}d`);
        },
        async (c, next) => {
          c.state['log'] += 'b';
          await next();
        },
      );
      app.get('/', (c) => {
        c.state['log'] += 'c';
        return 'x';
      });
    },
    ask: '/',
    expect: { headers: { 'x-log': 'abcd' }, text: 'x' },
  },
  {
    name: 'may answer itself',
    app: (app) => {
      app.use(() => 'closed');
      app.get('/', () => 'open');
    },
    ask: '/',
    expect: { text: 'closed' },
  },
  {
    name: 'may replace the value',
    app: (app) => {
      app.use(async (_c, next) => ({ data: await next() }));
      app.get('/', () => [1]);
    },
    ask: '/',
    expect: { json: { data: [1] } },
  },
  {
    name: 'may look at the value',
    app: (app) => {
      app.use(async (c, next) => {
        await next();
        c.header('X-Kind', typeof c.value);
      });
      app.get('/', () => ({}));
    },
    ask: '/',
    expect: { headers: { 'x-kind': 'object' } },
  },
  {
    name: 'without await',
    app: (app) => {
      app.use((c, next) => {
        c.header('X-A', '1');
        return next();
      });
      app.get('/', () => 'x');
    },
    ask: '/',
    expect: { headers: { 'x-a': '1' }, text: 'x' },
  },
  {
    name: 'that comes after a route is not around it',
    app: (app) => {
      app.get('/', () => 'x');
      app.use((c, next) => {
        c.header('X-A', '1');
        return next();
      });
    },
    ask: '/',
    expect: { headers: { 'x-a': undefined } },
  },
  {
    name: 'of a path is for what lies under it',
    app: (app) => {
      app.use('/a', (c, next) => {
        c.header('X-A', '1');
        return next();
      });
      app.get('/a/b', () => 'x');
    },
    ask: '/a/b',
    expect: { headers: { 'x-a': '1' } },
  },
  {
    name: 'of a path is for the path itself',
    app: (app) => {
      app.use('/a', (c, next) => {
        c.header('X-A', '1');
        return next();
      });
      app.get('/a', () => 'x');
    },
    ask: '/a',
    expect: { headers: { 'x-a': '1' } },
  },
  {
    name: 'of a path is for nothing else',
    app: (app) => {
      app.use('/a', (c, next) => {
        c.header('X-A', '1');
        return next();
      });
      app.get('/ab', () => 'x');
    },
    ask: '/ab',
    expect: { headers: { 'x-a': undefined } },
  },
  {
    name: 'of a path, for a route with a parameter there',
    app: (app) => {
      app.use('/a', (c, next) => {
        c.header('X-A', '1');
        return next();
      });
      app.get('/:x/b', () => 'x');
    },
    ask: '/a/b',
    expect: { headers: { 'x-a': '1' } },
  },
  {
    name: 'of a path with a parameter',
    app: (app) => {
      app.use('/users/:id', (c, next) => {
        c.header('X-A', '1');
        return next();
      });
      app.get('/users/:id/x', () => 'x');
    },
    ask: '/users/7/x',
    expect: { headers: { 'x-a': '1' } },
  },
  {
    name: 'sees requests without a route',
    app: (app) =>
      app.use((c, next) => {
        c.header('X-A', '1');
        return next();
      }),
    ask: '/none',
    expect: { status: 404, headers: { 'x-a': '1' } },
  },
  {
    name: 'sees OPTIONS',
    app: (app) => {
      app.use((c, next) => (c.method === 'OPTIONS' ? 'mine' : next()));
      app.get('/', () => 'x');
    },
    ask: { method: 'OPTIONS', url: '/' },
    expect: { text: 'mine' },
  },
  {
    name: 'of a route alone',
    app: (app) =>
      app.get(
        '/',
        (c, next) => {
          c.header('X-A', '1');
          return next();
        },
        () => 'x',
      ),
    ask: '/',
    expect: { headers: { 'x-a': '1' }, text: 'x' },
  },
  {
    name: 'of a group stays there',
    app: (app) => {
      app.group('/in', (inner) => {
        inner.use((c, next) => {
          c.header('X-A', '1');
          return next();
        });
        inner.get('/', () => 'in');
      });
      app.get('/out', () => 'out');
    },
    ask: '/out',
    expect: { headers: { 'x-a': undefined }, text: 'out' },
  },
  {
    name: 'may catch',
    app: (app) => {
      app.use(async (_c, next) => {
        try {
          return await next();
        } catch (error) {
          return `caught ${(error as Error).message}`;
        }
      });
      app.get('/', () => {
        throw new Error('it');
      });
    },
    ask: '/',
    expect: { text: 'caught it' },
  },
  {
    name: 'that forgets next is an error, not an empty reply',
    app: (app) => {
      app.use((c) => void c.header('X-A', '1'));
      app.get('/', () => 'x');
    },
    ask: '/',
    expect: { status: 500 },
  },
  {
    name: 'that forgets next with a promise is an error, also where another has called it',
    app: (app) => {
      app.use((_c, next) => next());
      app.use(async () => {});
      app.get('/', () => 'x');
    },
    ask: '/',
    expect: { status: 500 },
  },
  {
    name: 'that has set a status may return nothing',
    app: (app) => {
      app.use((c) => void c.status(202));
      app.get('/', () => 'x');
    },
    ask: '/',
    expect: { status: 202, text: '' },
  },
  {
    name: 'that returns null answers without content',
    app: (app) => {
      app.use(() => null);
      app.get('/', () => 'x');
    },
    ask: '/',
    expect: { status: 204, text: '' },
  },
  {
    name: 'around a handler without a value is no error',
    app: (app) => {
      app.use((_c, next) => next());
      app.use(async (_c, next) => void (await next()));
      app.get('/', () => undefined);
    },
    ask: '/',
    expect: { status: 204, text: '' },
  },
  {
    name: 'knows the status behind next, set or not',
    app: (app) => {
      app.use(async (c, next) => {
        await next();
        c.header('X-Status', c.replyStatus);
      });
      app.get('/:how', (c) => {
        if (c.params.how === 'none') return null;
        if (c.params.how === 'response') return new Response('x', { status: 203 });
        return c.params.how === 'set' ? c.status(201).text('x') : 'x';
      });
      app.get('/', async (c) => {
        const told = ['/x', '/none', '/response', '/set'].map(async (url) => (await app.inject(url)).headers['x-status']);
        return c.json(await Promise.all(told));
      });
    },
    ask: '/',
    expect: { headers: { 'x-status': '200' }, json: ['200', '204', '203', '201'] },
  },
  {
    name: 'may take back a field that was set behind it',
    app: (app) => {
      app.use(async (c, next) => {
        await next();
        c.header('x-a', null).header('X-Never', null);
      });
      app.get('/', (c) => c.header('X-A', '1').header('X-A', '2', { append: true }).header('X-B', '3').text('x'));
    },
    ask: '/',
    expect: { headers: { 'x-a': undefined, 'x-b': '3' }, text: 'x' },
  },
  {
    name: 'that calls next twice is an error',
    app: (app) => {
      app.use(async (_c, next) => {
        await next();
        await next();
      });
      app.get('/', () => 'x');
    },
    ask: '/',
    expect: { status: 500 },
  },
]);

defineCases('errors', [
  {
    name: 'of anybody are 500 and tell an id alone',
    app: (app) =>
      app.get('/', () => {
        throw new Error('secret');
      }),
    ask: '/',
    expect: {
      status: 500,
      headers: { 'content-type': PROBLEM },
      text: /^\{"title":"Internal Server Error","status":500,"instance":"urn:error:[a-z0-9]{12}"\}$/,
    },
  },
  {
    name: 'of a promise, too',
    app: (app) => app.get('/', () => Promise.reject(new Error('secret'))),
    ask: '/',
    expect: { status: 500, text: /^(?!.*secret)/ },
  },
  {
    name: 'that are none are 500',
    app: (app) =>
      app.get('/', () => {
        throw 'text';
      }),
    ask: '/',
    expect: { status: 500 },
  },
  {
    name: 'with a status are told',
    app: (app) =>
      app.get('/', () => {
        throw new HttpError(409, 'taken');
      }),
    ask: '/',
    expect: { status: 409, json: { title: 'Conflict', status: 409, detail: 'taken' } },
  },
  {
    name: 'have details and fields',
    app: (app) =>
      app.get('/', () => {
        throw new HttpError(429, 'slow down', { headers: { 'Retry-After': '7' }, details: { limit: 3 }, type: 'https://x/limit' });
      }),
    ask: '/',
    expect: {
      status: 429,
      headers: { 'retry-after': '7' },
      json: { type: 'https://x/limit', title: 'Too Many Requests', status: 429, detail: 'slow down', limit: 3 },
    },
  },
  {
    name: 'from 500 on tell nothing, also with a status',
    app: (app) =>
      app.get('/', () => {
        throw new HttpError(503, 'db is down');
      }),
    ask: '/',
    expect: { status: 503, text: /^(?!.*db is down)/ },
  },
  {
    name: 'of packages that give a status',
    app: (app) =>
      app.get('/', () => {
        throw Object.assign(new Error('nope'), { statusCode: 403, expose: true });
      }),
    ask: '/',
    expect: { status: 403, json: { title: 'Forbidden', status: 403, detail: 'nope' } },
  },
  {
    name: 'in the simple form',
    options: { errors: 'simple' },
    app: (app) =>
      app.get('/', () => {
        throw new HttpError(400, 'bad', { details: { field: 'a' } });
      }),
    ask: '/',
    expect: { status: 400, json: { error: 'bad', field: 'a' } },
  },
  {
    name: 'by a handler of one’s own',
    app: (app) => {
      app.onError((error, c) => c.status(418).json({ said: (error as Error).message }));
      app.get('/', () => {
        throw new Error('x');
      });
    },
    ask: '/',
    expect: { status: 418, json: { said: 'x' } },
  },
  {
    name: 'by an asynchronous handler',
    app: (app) => {
      app.onError(async () => 'sorry');
      app.get('/', () => {
        throw new Error('x');
      });
    },
    ask: '/',
    expect: { status: 500, text: 'sorry' },
  },
  {
    name: 'that a handler of errors throws itself',
    app: (app) => {
      app.onError(() => {
        throw new HttpError(400, 'second');
      });
      app.get('/', () => {
        throw new Error('first');
      });
    },
    ask: '/',
    expect: { status: 400, text: /second/ },
  },
  {
    name: 'that a handler of errors leaves',
    app: (app) => {
      app.onError(() => undefined);
      app.get('/', () => {
        throw new HttpError(404, 'left');
      });
    },
    ask: '/',
    expect: { status: 404, text: /left/ },
  },
  {
    name: 'in a group are its handler’s',
    app: (app) => {
      app.onError(() => 'outer');
      app.group('/in', (inner) => {
        inner.onError(() => 'inner');
        inner.get('/', () => {
          throw new Error('x');
        });
      });
    },
    ask: '/in',
    expect: { status: 500, text: 'inner' },
  },
  {
    name: 'in a group go on outwards',
    app: (app) => {
      app.onError(() => 'outer');
      app.group('/in', (inner) => {
        inner.onError((error) => {
          throw error;
        });
        inner.get('/', () => {
          throw new Error('x');
        });
      });
    },
    ask: '/in',
    expect: { status: 500, text: 'outer' },
  },
  {
    name: 'keep what middleware has set before',
    app: (app) => {
      app.use((c, next) => {
        c.header('X-Id', '7');
        return next();
      });
      app.get('/', (c) => {
        c.header('Content-Type', 'text/x');
        throw new Error('x');
      });
    },
    ask: '/',
    expect: { status: 500, headers: { 'x-id': '7', 'content-type': PROBLEM } },
  },
  {
    name: 'have no content for HEAD',
    app: (app) =>
      app.get('/', () => {
        throw new HttpError(404, 'x');
      }),
    ask: { method: 'HEAD', url: '/' },
    expect: { status: 404, text: '' },
  },
]);

defineCases('what a context tells', [
  {
    name: 'method, url, path, route',
    app: (app) => app.get('/a/:b', (c) => [c.method, c.url, c.path, c.pathname, c.route]),
    ask: '/a/x?y',
    expect: { json: ['GET', '/a/x?y', '/a/x', '/a/x', '/a/:b'] },
  },
  {
    name: 'the query',
    app: (app) => app.get('/', (c) => c.query),
    ask: '/?a=1&b=x%20y&a=2&c',
    expect: { json: { a: ['1', '2'], b: 'x y', c: '' } },
  },
  { name: 'no query', app: (app) => app.get('/', (c) => c.query), ask: '/', expect: { json: {} } },
  {
    name: 'a query named __proto__',
    app: (app) => app.get('/', (c) => Object.keys(c.query)),
    ask: '/?__proto__=1',
    expect: { json: ['__proto__'] },
  },
  {
    name: 'fields by their name in lower case',
    app: (app) => app.get('/', (c) => c.headers['x-a']),
    ask: { url: '/', headers: { 'X-A': 'b' } },
    expect: { text: 'b' },
  },
  {
    name: 'one field',
    app: (app) => app.get('/', (c) => [c.header('X-a'), c.header('x-none') ?? null]),
    ask: { url: '/', headers: { 'X-A': 'b' } },
    expect: { json: ['b', null] },
  },
  {
    name: 'cookies',
    app: (app) => app.get('/', (c) => c.cookies),
    ask: { url: '/', headers: { Cookie: 'a=1; b=%C3%BC' } },
    expect: { json: { a: '1', b: 'ü' } },
  },
  {
    name: 'sets cookies',
    app: (app) => app.get('/', (c) => void c.cookie('a', 'ü', { httpOnly: true, sameSite: 'lax' }).cookie('b', null)),
    ask: '/',
    expect: {
      status: 204,
      headers: { 'set-cookie': 'a=%C3%BC; Path=/; HttpOnly; SameSite=Lax, b=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT' },
    },
  },
  {
    name: 'sets fields, the last one counts',
    app: (app) => app.get('/', (c) => void c.header('X-A', 1).header('x-a', 2).set({ 'X-B': 'c' })),
    ask: '/',
    expect: { status: 204, headers: { 'x-a': '2', 'x-b': 'c' } },
  },
  {
    name: 'adds lines',
    app: (app) => app.get('/', (c) => void c.header('Vary', 'a').header('Vary', 'b', { append: true })),
    ask: '/',
    expect: { status: 204, headers: { vary: 'a, b' } },
  },
  {
    name: 'refuses a line break in a field',
    app: (app) => app.get('/', (c) => void c.header('X-A', 'a\r\nX-B: c')),
    ask: '/',
    expect: { status: 500, headers: { 'x-b': undefined } },
  },
  {
    name: 'refuses the fields of the framing',
    app: (app) => app.get('/', (c) => void c.header('Content-Length', 7)),
    ask: '/',
    expect: { status: 500 },
  },
  { name: 'refuses a status that is none', app: (app) => app.get('/', (c) => void c.status(99)), ask: '/', expect: { status: 500 } },
  {
    name: 'the request as the web knows it',
    app: (app) =>
      app.post('/a', async (c) => [
        c.request.method,
        new URL(c.request.url).pathname,
        c.request.headers.get('x-a'),
        await c.request.text(),
      ]),
    ask: { url: '/a?b', headers: { 'X-A': 'b' }, body: 'ü' },
    expect: { json: ['POST', '/a', 'b', 'ü'] },
  },
]);

defineCases('content', [
  {
    name: 'as JSON',
    app: (app) => app.post('/', (c) => c.body.json()),
    ask: { url: '/', headers: JSON_HEADERS, body: '{"a":["ü"]}' },
    expect: { json: { a: ['ü'] } },
  },
  {
    name: 'as JSON of another type',
    app: (app) => app.post('/', (c) => c.body.json()),
    ask: { url: '/', headers: { 'Content-Type': 'application/vnd.x+json; charset=utf-8' }, body: '1' },
    expect: { text: '1' },
  },
  {
    name: 'that is no JSON',
    app: (app) => app.post('/', (c) => c.body.json()),
    ask: { url: '/', headers: JSON_HEADERS, body: '{"a":' },
    expect: { status: 400, text: /not JSON/ },
  },
  {
    name: 'nested 1,000 deep',
    app: (app) => void app.post('/', async (c) => JSON.stringify(await c.body.json()).length),
    ask: { url: '/', headers: JSON_HEADERS, body: '['.repeat(1000) + ']'.repeat(1000) },
    expect: { json: 2000 },
  },
  ...[
    ['lists', '['.repeat(20_000) + ']'.repeat(20_000)],
    ['objects', '{"a":'.repeat(1001) + '1' + '}'.repeat(1001)],
    ['lists without an end', '['.repeat(200_000)],
  ].map(([name = '', body = '']): AppCase => ({
    name: `nested deeper is 400, of ${name}`,
    app: (app) => void app.post('/', (c) => c.body.json()),
    ask: { url: '/', headers: JSON_HEADERS, body },
    expect: { status: 400, text: /nested more than 1000 deep/ },
  })),
  {
    name: 'with brackets in texts, which are no depth',
    app: (app) => void app.post('/', async (c) => (await c.body.json()) as object),
    ask: { url: '/', headers: JSON_HEADERS, body: JSON.stringify([`\\"${'['.repeat(5000)}\\`, '{'.repeat(5000)]) },
    expect: { json: [`\\"${'['.repeat(5000)}\\`, '{'.repeat(5000)] },
  },
  {
    name: 'none, where JSON is expected',
    app: (app) => app.post('/', (c) => c.body.json()),
    ask: { url: '/', headers: JSON_HEADERS, body: '' },
    expect: { status: 400 },
  },
  {
    name: 'of another type, where JSON is expected',
    app: (app) => app.post('/', (c) => c.body.json()),
    ask: { url: '/', headers: { 'Content-Type': 'text/plain' }, body: '{}' },
    expect: { status: 415 },
  },
  {
    name: '__proto__ in JSON is a member',
    app: (app) => app.post('/', async (c) => Object.keys((await c.body.json()) as object)),
    ask: { url: '/', headers: JSON_HEADERS, body: '{"__proto__":{"a":1}}' },
    expect: { json: ['__proto__'] },
  },
  { name: 'as text', app: (app) => app.post('/', (c) => c.body.text()), ask: { url: '/', body: 'Grüße' }, expect: { text: 'Grüße' } },
  {
    name: 'that is no text',
    app: (app) => app.post('/', (c) => c.body.text()),
    ask: { url: '/', body: new Uint8Array([0xff]) },
    expect: { status: 400 },
  },
  {
    name: 'as bytes',
    app: (app) => app.post('/', async (c) => (await c.body.bytes()).length),
    ask: { url: '/', body: new Uint8Array([0, 255, 1]) },
    expect: { text: '3' },
  },
  {
    name: 'as a form',
    app: (app) => app.post('/', async (c) => [...(await c.body.form())]),
    ask: { url: '/', headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'a=1&b=%C3%BC' },
    expect: {
      json: [
        ['a', '1'],
        ['b', 'ü'],
      ],
    },
  },
  {
    name: 'piece by piece',
    app: (app) =>
      app.post('/', async (c) => {
        let length = 0;
        for await (const piece of c.body) length += piece.length;
        return length;
      }),
    ask: { url: '/', body: 'x'.repeat(300_000) },
    expect: { text: '300000' },
  },
  {
    name: 'as a web stream',
    app: (app) => app.post('/', async (c) => new Response(c.body.stream()).text()),
    ask: { url: '/', body: 'x'.repeat(100_000) },
    expect: { text: 'x'.repeat(100_000) },
  },
  {
    name: 'sent back as it comes',
    app: (app) => app.post('/', (c) => c.body),
    ask: { url: '/', body: 'x'.repeat(200_000) },
    expect: { text: 'x'.repeat(200_000) },
  },
  {
    name: 'beyond the limit',
    options: { bodyLimit: 10 },
    app: (app) => app.post('/', (c) => c.body.text()),
    ask: { url: '/', body: 'x'.repeat(11) },
    expect: {
      status: 413,
      json: { title: 'Content Too Large', status: 413, detail: 'Content of 10 bytes is accepted at most.', limit: 10 },
    },
  },
  {
    name: 'at the limit',
    options: { bodyLimit: 10 },
    app: (app) => app.post('/', (c) => c.body.text()),
    ask: { url: '/', body: 'x'.repeat(10) },
    expect: { text: 'x'.repeat(10) },
  },
  {
    name: 'that nobody reads',
    app: (app) => app.post('/', () => 'done'),
    ask: { url: '/', body: 'x'.repeat(50_000) },
    expect: { text: 'done' },
  },
  {
    name: 'is read twice from one reading',
    app: (app) => app.post('/', async (c) => [await c.body.text(), await c.body.text()]),
    ask: { url: '/', body: 'a' },
    expect: { json: ['a', 'a'] },
  },
]);

defineCases('events of the server', [
  {
    name: 'from an iterable',
    app: (app) => app.get('/', (c) => c.sse(['a', { data: { b: 1 }, id: '2', event: 'x', retry: 100 }])),
    ask: '/',
    expect: {
      headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
      text: 'data: a\n\nevent: x\nid: 2\nretry: 100\ndata: {"b":1}\n\n',
    },
  },
  {
    name: 'with several lines',
    app: (app) => app.get('/', (c) => c.sse(['a\r\nb\nc'])),
    ask: '/',
    expect: { text: 'data: a\ndata: b\ndata: c\n\n' },
  },
  {
    name: 'from a function',
    app: (app) =>
      app.get('/', (c) =>
        c.sse(async ({ send, lastEventId }) => {
          await send(`after ${lastEventId}`);
          await send({ data: 1 });
        }),
      ),
    ask: { url: '/', headers: { 'Last-Event-ID': '7' } },
    expect: { text: 'data: after 7\n\ndata: 1\n\n' },
  },
  {
    name: 'with a comment while nothing comes',
    app: (app) =>
      app.get('/', (c) =>
        c.sse(
          async ({ send }) => {
            await new Promise((resolve) => setTimeout(resolve, 60));
            await send('late');
          },
          { heartbeatMs: 20 },
        ),
      ),
    ask: '/',
    expect: { text: /^(?::\n\n)+data: late\n\n$/ },
  },
]);

const thrown = (name: string, members: object, expect: AppCase['expect']): AppCase => ({
  name,
  options: { logger: { error: () => {} } },
  app: (app) =>
    void app.get('/', () => {
      throw Object.assign(new Error('key sk-1'), members);
    }),
  ask: '/',
  expect,
});
const SECRET = /^(?!.*sk-1)/;

defineCases('an error of another library', [
  thrown('with a status alone is 500', { status: 401 }, { status: 500, text: /^(?!.*sk-1).*urn:error:/ }),
  thrown('with a statusCode alone is 500', { statusCode: 404 }, { status: 500, text: SECRET }),
  thrown(
    'that is to be told has its status and message',
    { status: 409, expose: true },
    { status: 409, json: { title: 'Conflict', status: 409, detail: 'key sk-1' } },
  ),
  thrown(
    'that is not to be told has its status',
    { status: 409, expose: false },
    { status: 409, json: { title: 'Conflict', status: 409 } },
  ),
  thrown('that says so in a word is 500', { status: 409, expose: 'yes' }, { status: 500, text: SECRET }),
  thrown('from 500 on is never told', { status: 503, expose: true }, { status: 503, text: SECRET }),
]);
