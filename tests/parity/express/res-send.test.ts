/** Response: status, send, json, jsonp, sendStatus and end, for every kind of value. */
import type { ParityCase } from '../harness/case.ts';
import { defineSuite } from '../harness/suite.ts';
import { handles, onError, serves, withHeaders, wrong } from './kit.ts';

const circular: Record<string, unknown> = {};
circular['self'] = circular;

/** Bodies for send, json and jsonp; made anew for each request. */
const bodies: readonly (readonly [string, () => unknown])[] = [
  ['a string', () => 'hello'],
  ['an empty string', () => ''],
  ['a unicode string', () => 'ünï ☃ 🎉'],
  ['a lone surrogate', () => 'a\ud800b'],
  ['html', () => '<p>&amp;</p>'],
  ['a string of 999 characters', () => 'x'.repeat(999)],
  ['a string of 1000 characters', () => 'é'.repeat(1000)],
  ['a string of 70,000 characters', () => 'y'.repeat(70_000)],
  ['a Buffer', () => Buffer.from([0, 1, 255])],
  ['an empty Buffer', () => Buffer.alloc(0)],
  ['a large Buffer', () => Buffer.alloc(100_000, 'b')],
  ['a Uint8Array', () => new Uint8Array([1, 2, 3])],
  ['a Uint8Array view with an offset', () => new Uint8Array(new Uint8Array([9, 8, 7, 6]).buffer, 1, 2)],
  ['a Uint16Array', () => new Uint16Array([1, 258])],
  ['a DataView', () => new DataView(new ArrayBuffer(2))],
  ['an ArrayBuffer', () => new ArrayBuffer(3)],
  ['a Blob', () => new Blob(['blob'])],
  ['an object', () => ({ a: 1, b: [true, null] })],
  ['an empty object', () => ({})],
  ['an array', () => [1, 'two', { three: 3 }]],
  ['a nested object', () => ({ a: { b: { c: {} } } })],
  ['null', () => null],
  ['undefined', () => undefined],
  ['true', () => true],
  ['false', () => false],
  ['zero', () => 0],
  ['a number', () => 42.5],
  ['NaN', () => Number.NaN],
  ['a status-like number', () => 404],
  ['a Date', () => new Date(0)],
  ['an object with toJSON', () => ({ toJSON: () => ({ from: 'toJSON' }) })],
  ['a toJSON that gives undefined', () => ({ toJSON: () => undefined })],
  ['a Map', () => new Map([['a', 1]])],
  ['an Error', () => new Error('as body')],
  ['a RegExp', () => /x/g],
  ['a String object', () => Object('boxed') as unknown],
  ['a null-prototype object', () => Object.assign(Object.create(null) as object, { a: 1 })],
  ['a function', () => function named() {}],
  ['a symbol', () => Symbol('s')],
  ['a bigint', () => 10n],
  ['an object with a bigint', () => ({ a: 10n })],
  ['a circular object', () => circular],
  ['JSON with line separators', () => ({ text: '\u2028\u2029</script>' })],
  [
    'a toJSON that throws',
    () => ({
      toJSON: () => {
        throw new Error('toJSON threw');
      },
    }),
  ],
];

const table: ParityCase[] = bodies.map(([label, make]) =>
  serves(
    `${label} is sent alike by send, json, jsonp, and for HEAD, with and without ETag`,
    (app, express) => {
      for (const [prefix, tagged] of [
        ['', true],
        ['/plain', false],
      ] as const) {
        const sub = express();
        sub.set('etag', tagged);
        sub
          .get('/send', (_req, res) => res.send(make()))
          .get('/json', (_req, res) => res.json(make()))
          .get('/jsonp', (_req, res) => res.jsonp(make()));
        sub.get('/typed', (_req, res) => res.type('text/plain').send(make())).get('/status', (_req, res) => res.status(201).send(make()));
        app.use(prefix === '' ? '/' : prefix, sub);
      }
    },
    ['/send', '/json', '/jsonp', '/jsonp?callback=cb', '/typed', '/status', '/plain/send', '/plain/json', '/plain/typed'].flatMap(
      (path) => [`GET ${path}`, ...(path === '/send' || path === '/json' ? [`HEAD ${path}`] : [])],
    ),
  ),
);

const statuses: readonly unknown[] = [
  100,
  199,
  200,
  201,
  204,
  205,
  206,
  226,
  299,
  300,
  304,
  307,
  400,
  404,
  418,
  451,
  499,
  500,
  511,
  599,
  600,
  777,
  999,
  99,
  1000,
  0,
  -1,
  200.5,
  '200',
  '404',
  'OK',
  null,
  undefined,
  Number.NaN,
  Infinity,
  {},
  [],
  true,
  200n,
];
for (const [name, call] of [
  ['status', 'status(code).send("body")'],
  ['sendStatus', 'sendStatus(code)'],
] as const) {
  table.push(
    handles(
      `res.${call} for every kind of code`,
      (req, res, ctx) => {
        const code = statuses[Number(req.path.slice(1))];
        ctx.attempt(String(code), () => {
          const made = wrong(res)[name]?.(code) === res;
          return name === 'status' ? [made, res.send('body') === res] : made;
        });
        if (!res.writableEnded && (res.statusCode < 100 || typeof code !== 'number' || !res.headersSent)) res.status(200).end();
      },
      statuses.flatMap((code, i) => (typeof code === 'number' && code >= 100 && code < 200 ? [] : [`GET /${i}`])),
    ),
  );
}

for (const status of [204, 205, 304, 200]) {
  table.push(
    handles(
      `a ${status} reply drops or keeps content and its fields, for send, json, end and write`,
      (req, res) => {
        res.status(status);
        if (req.path === '/send') res.set('Transfer-Encoding', 'chunked').send('body');
        else if (req.path === '/json') res.json({ a: 1 });
        else if (req.path === '/buffer') res.type('png').send(Buffer.from('body'));
        else if (req.path === '/end') res.end('body');
        else if (req.path === '/empty') res.end();
        else res.send();
      },
      ['GET /json', 'GET /buffer', 'GET /end', 'GET /empty', 'GET /nothing', 'HEAD /json', 'HEAD /end', 'POST /json'],
    ),
  );
}

const callbacks = ['cb', 'a.b.c', 'a[0]', 'alert(1)//', '', '<script>', 'x y', 'ünï', '$_', 'a&callback=b', 'a%0d%0ab', '[object'];
table.push(
  serves(
    'jsonp callbacks are cleaned',
    (app) => app.get('/', (_req, res) => res.jsonp({ a: '\u2028' })),
    callbacks.map((callback) => `GET /?callback=${encodeURI(callback)}`),
  ),
);

defineSuite([
  ...table,
  serves(
    'jsonp with an extended query parser takes the first of an array and no objects',
    (app) => {
      app.set('query parser', 'extended').get('/', (_req, res) => res.jsonp({ a: 1 }));
    },
    ['GET /?callback[]=a&callback[]=b', 'GET /?callback[x]=a', 'GET /?callback=a&callback=b', 'GET /'],
  ),
  serves(
    'jsonp and json keep a Content-Type that is already there',
    (app) => {
      app
        .get('/json', (_req, res) => res.type('application/vnd.x+json').json(1))
        .get('/jsonp', (_req, res) => res.type('application/vnd.x+json').jsonp(1));
    },
    ['GET /json', 'GET /jsonp', 'GET /jsonp?callback=x'],
  ),
  serves(
    'jsonp escapes, replaces and indents by the settings',
    (app) => {
      app
        .set('json escape', true)
        .set('json spaces', 1)
        .set('json replacer', ['a'])
        .get('/', (_req, res) => res.jsonp({ a: '<&>', b: 2 }));
    },
    ['GET /', 'GET /?callback=cb'],
  ),
  handles(
    'a reply that failed for its status leaves its ETag to the reply in its place',
    (req, res, ctx) => {
      res.statusCode = req.path === '/message' ? 200 : 99;
      if (req.path === '/message') res.statusMessage = 'bad\n';
      ctx.attempt('send', () => (req.path === '/json' ? res.json({ a: 1 }) : res.send('first')) === res);
      ctx.record(res.get('ETag'), res.get('Content-Length'), res.headersSent);
      res.statusCode = 500;
      res.statusMessage = '';
      res.send('a second body');
    },
    ['GET /', 'GET /json', 'GET /message', 'HEAD /', { method: 'GET', path: '/', headers: { 'If-None-Match': '"x"' } }],
  ),
  handles(
    'a res.set in front of the own one sees what send, json and jsonp set',
    (req, res, ctx) => {
      const set = wrong(res)['set'] as (...values: unknown[]) => unknown;
      wrong(res)['set'] = (...values) => {
        ctx.record(...values);
        return set.apply(res, values);
      };
      const [, method = '', value = ''] = req.path.split('/');
      wrong(res)[method]?.(value === 'object' ? { a: 1 } : value === 'bytes' ? Buffer.from('b') : value);
    },
    ['GET /send/text', 'GET /send/object', 'GET /send/bytes', 'GET /json/text', 'GET /jsonp/text?callback=cb', 'HEAD /send/text'],
  ),
  handles(
    'res.send sets a charset on string content whatever was there',
    (req, res) => {
      const types = [
        'text/plain',
        'text/plain; charset=iso-8859-1',
        'application/json',
        'image/png',
        'text/html; charset=UTF-8; x=y',
        'nonsense',
        'a/b; q="x y"',
        'application/x-custom;a=1',
      ];
      res.setHeader('Content-Type', types[Number(req.path.slice(1))] ?? '');
      res.send('text ü');
    },
    Array.from({ length: 9 }, (_, i) => `GET /${i}`),
  ),
  handles(
    'res.send keeps the Content-Type of a Buffer and adds none to an empty reply',
    (req, res) => {
      if (req.path === '/typed') res.type('png').send(Buffer.from('x'));
      else if (req.path === '/lower') res.setHeader('content-type', 'image/gif') && res.send(new Uint8Array(3));
      else res.send();
    },
    ['GET /typed', 'GET /lower', 'GET /none'],
  ),
  handles('res.send keeps an ETag set before, and gives 304 for it', (_req, res) => res.set('ETag', '"mine"').send('content'), [
    ...['"mine"', 'W/"mine"', '"other"', '*'].map((tag) => withHeaders({ 'If-None-Match': tag })),
    'GET /',
  ]),
  handles(
    'res.send answers 304 by its own ETag and drops the content fields',
    (_req, res) => res.set('Content-Language', 'en').send('content'),
    [
      'GET /',
      withHeaders({ 'If-None-Match': 'W/"7-BA1ZlhqUYHl1TlBsFhCEZNQtnVA"' }),
      withHeaders({ 'If-None-Match': '*' }),
      withHeaders({ 'If-None-Match': '*' }, '/', 'HEAD'),
      withHeaders({ 'If-None-Match': '*' }, '/', 'POST'),
    ],
  ),
  handles(
    'a conditional request to a reply that is not a success is answered in full',
    (req, res) => res.status(Number(req.path.slice(1))).send('content'),
    [404, 201, 300, 500, 304].map((code) => withHeaders({ 'If-None-Match': '*' }, `/${code}`)),
  ),
  handles('res.send twice throws what Node throws', (_req, res, ctx) => {
    res.send('first');
    ctx.attempt('second', () => res.send('second') === res);
    ctx.attempt('json', () => res.json({}) === res);
    ctx.attempt('status', () => res.status(500).statusCode);
    ctx.attempt('set', () => res.set('X-A', '1') === res);
    ctx.attempt('end', () => res.end('again') === res);
  }),
  handles('res.send with two arguments ignores the second', (_req, res) => wrong(res)['send']?.('body', 404)),
  handles('res.json with two arguments ignores the second', (_req, res) => wrong(res)['json']?.({ a: 1 }, 201)),
  handles('res.send after Content-Length was set replaces it', (_req, res) => res.set('Content-Length', '99').send('short')),
  handles('res.send with Transfer-Encoding set leaves Content-Length out', (_req, res) =>
    res.set('Transfer-Encoding', 'chunked').send('chunked body'),
  ),
  handles('res.send with a Content-Encoding keeps it and tags the given bytes', (_req, res) =>
    res.set('Content-Encoding', 'identity').send('x'),
  ),
  handles(
    'res.end, res.write and res.writeHead work as in node:http',
    (req, res) => {
      if (req.path === '/end') res.end('text');
      else if (req.path === '/write') {
        res.write('a');
        res.write(Buffer.from('b'));
        res.end('c', 'utf8');
      } else if (req.path === '/head') res.writeHead(202, 'Fine', { 'X-A': '1', 'Content-Type': 'text/x' }).end('x');
      else if (req.path === '/array') res.writeHead(200, ['X-A', '1', 'x-b', '2']).end();
      else if (req.path === '/hex') res.end('6162', 'hex');
      else res.flushHeaders() ?? res.end();
    },
    [
      'GET /end',
      'GET /write',
      'GET /head',
      'GET /array',
      'GET /hex',
      'GET /flush',
      'HEAD /write',
      'HEAD /end',
      { version: '1.0', path: '/write' },
    ],
  ),
  handles('a statusMessage of the handler is sent', (_req, res) => {
    res.statusMessage = 'Made Up';
    res.status(299).send('x');
  }),
  handles(
    'res.statusCode assigned directly counts for send',
    (req, res) => {
      res.statusCode = Number(req.path.slice(1));
      res.send('x');
    },
    ['GET /404', 'GET /204', 'GET /304', 'GET /205'],
  ),
  handles(
    'res.locals is one plain object per request',
    (req, res, ctx) => {
      ctx.record(res.locals, Object.getPrototypeOf(res.locals));
      res.locals['seen'] = req.path;
      res.json(res.locals);
    },
    ['GET /a', 'GET /b'],
  ),
  serves(
    'res.locals of the prototypes, when they are read, is of no request',
    (app, express, ctx) => {
      const locals = (response: unknown): unknown => (response as { locals?: unknown }).locals;
      ctx.record(locals(express.response), locals(app.response), locals(Object.create(app.response)));
      app.use((req, res) => {
        res.locals[req.path] = true;
        res.json(res.locals);
      });
    },
    ['GET /a', 'GET /b'],
  ),
  handles(
    'an object made of the response shares its res.locals',
    (req, res, ctx) => {
      const derived = Object.create(res) as typeof res;
      derived.locals['from'] = 'derived';
      ctx.record(derived.locals === res.locals, Object.hasOwn(derived, 'locals'));
      res.locals['path'] = req.path;
      res.json(res.locals);
    },
    ['GET /a', 'GET /b'],
  ),
  handles(
    'a proxy of the response shares its res.locals',
    (_req, res) => {
      const proxy = new Proxy(res, {});
      proxy.locals['of'] = 'a proxy';
      res.json(res.locals);
    },
    ['GET /a', 'GET /b'],
  ),
  serves(
    'res.locals set before the app is kept',
    (app, express, ctx) => {
      const sub = express();
      sub.use((_req, res) => {
        ctx.record(res.locals);
        res.end();
      });
      app
        .use((_req, res, next) => {
          res.locals['from'] = 'parent';
          next();
        })
        .use(sub);
    },
    ['GET /'],
  ),
  handles('res.app, res.req, res.headersSent and finished over the life of a reply', (_req, res, ctx) => {
    ctx.record(res.headersSent, res.writableEnded, res.writableFinished);
    const done = ctx.pending();
    res
      .on('finish', () => ctx.record('finish', res.headersSent, res.writableFinished))
      .on('close', () => {
        ctx.record('close');
        done();
      });
    res.send('x');
    ctx.record(res.headersSent, res.writableEnded);
  }),
  handles('sendStatus sets text and the length of its message', (req, res) => res.sendStatus(Number(req.path.slice(1))), [
    'GET /200',
    'GET /201',
    'GET /204',
    'GET /304',
    'GET /404',
    'GET /418',
    'GET /799',
    'GET /205',
    'HEAD /404',
  ]),
  handles(
    "the ETag of many bodies is upstream's",
    (req, res) => res.send('é'.repeat(Number(req.path.slice(1)))),
    [0, 1, 2, 10, 499, 500, 501, 999, 1000, 5000, 40_000].map((n) => `GET /${n}`),
  ),
  handles(
    'a reply of any length has its ETag among its fields and in its head once it is given, and when it is sent',
    (req, res, ctx) => {
      const look = (): void => {
        const head = (res as unknown as { _header: string })._header;
        ctx.record(res.get('ETag'), res.getHeaders()['content-length'], /\r\netag: (.*)\r\n/i.exec(head)?.[1]);
      };
      if (req.query['late'] === undefined) res.send('é'.repeat(Number(req.path.slice(1))));
      else res.once('finish', look).json(['é'.repeat(Number(req.path.slice(1)))]);
      look();
    },
    [10, 8190, 8191, 8192, 16_383, 16_384, 40_000, 300_000].flatMap((n) => [`GET /${n}`, `GET /${n}?late`]),
  ),
  handles(
    'a status message that changes fields while the head is made leaves every field whole',
    (req, res, ctx) => {
      let asked = 0;
      const change = req.path === '/append' ? () => res.append('X-A', 'b') : () => res.removeHeader('ETag');
      const get = (): string => {
        if (asked++ === 0) change();
        return 'Fine';
      };
      Object.defineProperty(res, 'statusMessage', { get, configurable: true, set() {} });
      ctx.attempt('send', () => res.send('é'.repeat(Number(req.query['n']))) === res);
      ctx.record(res.get('ETag'), res.get('X-A'));
    },
    [100, 20_000].flatMap((n) => [`GET /append?n=${n}`, `GET /remove?n=${n}`]),
  ),
  handles(
    'a request that somebody says is fresh is answered with 304, whatever it asks for',
    (req, res) => {
      if (req.query['not'] === undefined) Object.defineProperty(req, 'fresh', { value: true });
      if (req.path === '/fields') res.set('X-A', 'b').send('text');
      else if (req.path === '/buffer') res.send(Buffer.from('text'));
      else res.json({ a: 1 });
    },
    ['GET /', 'GET /fields', 'GET /buffer', 'GET /?not', 'POST /', 'HEAD /'],
  ),
  handles(
    'a HEAD request that calls itself GET or POST is answered with the fields of the content and no content',
    (req, res) => {
      req.method = req.path.slice(1);
      res.json({ a: 1 });
    },
    ['HEAD /GET', 'HEAD /POST', 'GET /PUT'],
  ),
  serves(
    'a reply whose status or reason only the head refuses is followed by a whole error page',
    (app) => {
      app.get('/status/:code', (req, res) => {
        res.statusCode = Number(req.params['code']);
        res.send('body');
      });
      app.get('/reason', (_req, res) => {
        res.statusMessage = 'bad\r\nreason';
        res.send('body');
      });
      app.use(
        onError((error, _req, res, _next) => {
          const tag = String(res.get('ETag'));
          for (const name of res.getHeaderNames()) res.removeHeader(name);
          res.statusCode = 500;
          res.statusMessage = '';
          res.end(`${error.code}, tagged ${tag}`);
        }),
      );
    },
    ['GET /status/1000', 'GET /status/99', 'GET /status/NaN', 'GET /reason', 'GET /status/200'],
  ),
]);
