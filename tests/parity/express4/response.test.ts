/** The reply of Express 4: send, json and jsonp in all their forms, status, type, format, cookies, links. */
import type { ParityCase, RequestInput } from '../harness/case.ts';
import type { Handler } from '../harness/express-api.ts';
import { defineSuite } from '../harness/suite.ts';
import { handles, onError, serves, withHeaders } from '../express/kit.ts';
import { failed, finish, text, v4 } from './kit.ts';

const table: ParityCase[] = [];
const EVERY: readonly RequestInput[] = [
  'GET /',
  'HEAD /',
  'GET /?callback=cb',
  withHeaders({ 'If-None-Match': '*' }),
  { method: 'POST', path: '/' },
];

/**
 * Arguments of send, json and jsonp: the old forms with a status in front or behind, and what looks like one.
 */
const ARGUMENTS: readonly (readonly unknown[])[] = [
  [],
  [undefined],
  [null],
  [200],
  [201],
  [204],
  [205],
  [304],
  [404],
  [418],
  [500],
  [299],
  [599],
  [0],
  [-1],
  [1.5],
  [99],
  [1000],
  [Number.NaN],
  [Infinity],
  ['200'],
  [true],
  [false],
  [''],
  ['text'],
  [Buffer.from('bytes')],
  [{ a: 1 }],
  [[1, 2]],
  [10n],
  [Symbol('s')],
  [200, 'text'],
  [201, { a: 1 }],
  [204, 'gone'],
  [205, 'reset'],
  [304, 'same'],
  [404, 'not here'],
  [500, undefined],
  [200, null],
  [200, ''],
  [200, true],
  [200, 7],
  [200, Buffer.from('bytes')],
  [200, ['list']],
  [201, 202],
  [404, 500],
  ['text', 201],
  [{ a: 1 }, 201],
  [null, 404],
  [undefined, 404],
  ['', 204],
  [true, 202],
  [[1], 203],
  [Buffer.from('b'), 206],
  ['200', 'text'],
  ['text', '201'],
  [null, 'text'],
  [undefined, 'text'],
  [{ a: 1 }, 'text'],
  ['text', undefined],
  ['text', null],
  [999, 'x'],
  [1000, 'x'],
  [Number.NaN, 'x'],
  [200, 'text', 'third'],
  ['text', 201, 'third'],
  [404, undefined, undefined],
];
for (const args of ARGUMENTS)
  for (const name of ['send', 'json', 'jsonp'] as const)
    table.push(
      handles(
        `res.${name}(${args.map(text).join(', ')}) does what Express 4 does with it`,
        (_req, res, ctx) => {
          ctx.attempt(name, () => v4(res)[name](...args) === res);
          ctx.record(res.statusCode, res.getHeaders());
          finish(res);
        },
        EVERY,
      ),
    );

const CODES: readonly unknown[] = [
  200,
  201,
  204,
  304,
  404,
  599,
  600,
  999,
  99,
  1000,
  0,
  -1,
  200.5,
  Number.NaN,
  Infinity,
  '200',
  '404.5',
  '204',
  'text',
  '',
  null,
  undefined,
  true,
  {},
  [200],
  10n,
];
for (const code of CODES) {
  for (const name of ['status', 'sendStatus', 'statusCode'] as const)
    table.push(
      handles(
        `${name === 'statusCode' ? 'assigning res.statusCode' : `res.${name} with`} ${typeof code} ${Array.isArray(code) ? '[200]' : text(code)} is as lenient as Express 4`,
        (_req, res, ctx) => {
          if (name === 'statusCode') Reflect.set(res, 'statusCode', code);
          else ctx.attempt(name, () => v4(res)[name](code) === res);
          ctx.record(res.statusCode);
          if (!res.headersSent) ctx.attempt('send', () => typeof v4(res).send('body'));
          finish(res);
        },
        ['GET /', 'HEAD /'],
      ),
    );
}

const TYPES = [
  'html',
  '.html',
  'txt',
  'text',
  'json',
  'js',
  'mjs',
  'jsonp',
  'xml',
  'svg',
  'png',
  'bin',
  'exe',
  'woff2',
  'ico',
  'mp4',
  'md',
  'yaml',
  'ts',
  'unknown',
  'zzz',
  '',
  'a.b.html',
  '/x/y.css',
  'text/html',
  'text/x',
  'application/json',
  'application/javascript',
  'image/svg+xml',
  'text/html; charset=latin1',
  'text/html;charset=',
  'application/json; foo=bar',
  'HTML',
  'TEXT/HTML',
  'a/b/c',
  'application/vnd.api+json',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/',
  '/html',
  'text/html; charset="utf-8"',
  'application/manifest+json',
  'text/event-stream',
];
for (const type of TYPES)
  table.push(
    handles(
      `the type ${JSON.stringify(type)} becomes the media type and the charset that mime 1 gives`,
      (req, res, ctx) => {
        const content = req.path === '/buffer' ? Buffer.from('x') : req.path === '/object' ? { a: 1 } : 'x';
        if (req.path === '/set') ctx.attempt('set', () => res.set('Content-Type', type) === res);
        else ctx.attempt('type', () => res.type(type) === res);
        ctx.record(res.get('Content-Type'));
        ctx.attempt('send', () => typeof res.send(content));
        if (!res.writableEnded) finish(res);
      },
      ['GET /text', 'GET /buffer', 'GET /object', 'GET /set'],
    ),
  );

for (const [label, handlers] of Object.entries<readonly string[]>({
  'text, html and json': ['text', 'html', 'json'],
  'media types with parameters': ['text/html; level=1', 'application/json;q=0.5', 'text/plain'],
  'only default': ['default'],
  'a type and default': ['json', 'default'],
  'default first': ['default', 'html'],
  'unknown names': ['nonsense', 'x/y'],
  'the same type twice': ['html', 'text/html'],
  nothing: [],
}))
  table.push(
    serves(
      `res.format with ${label} chooses as Express 4`,
      (app, _express, ctx) => {
        app
          .get('/', (_req, res) => {
            const given = handlers.map((name): [string, Handler] => [
              name,
              (req, reply, next) => {
                ctx.record(name, typeof req.url, typeof next, reply.get('Content-Type'), reply.get('Vary'));
                reply.send(name);
              },
            ]);
            ctx.attempt('format', () => v4(res).format(Object.fromEntries(given)) === res);
          })
          .use(
            onError((error, _req, res, _next) => {
              ctx.record(error, error['types']);
              res.status(error.status ?? 500).end('refused');
            }),
          );
      },
      [
        '',
        'text/html',
        'application/json',
        'text/*;q=0.5, application/json;q=0.4',
        '*/*',
        'image/png',
        'nonsense',
        'text/html;level=1',
        'x/y',
      ].map((Accept) => withHeaders({ Accept })),
    ),
  );

const COOKIES: readonly (object | undefined)[] = [
  undefined,
  {},
  { maxAge: 1000 },
  { maxAge: 0 },
  { maxAge: -1 },
  { maxAge: null },
  { maxAge: 'x' },
  { maxAge: '2000' },
  { maxAge: 1999.9 },
  { expires: new Date(1e12) },
  { expires: 0 },
  { expires: 'x' },
  { path: '/p' },
  { path: null },
  { path: '' },
  { domain: 'a.b' },
  { maxAge: 5000, expires: new Date(0), path: '/p', domain: 'd', httpOnly: true, secure: true },
  { sameSite: 'lax' },
  { sameSite: true },
  { sameSite: 'bad' },
  { priority: 'low' },
  { priority: 'bad' },
  { partitioned: true, secure: true },
  { encode: (value: string) => `<${value}>` },
  { signed: false },
];
COOKIES.forEach((options, index) =>
  table.push(
    handles(
      `cookie options ${index}: ${JSON.stringify(options) ?? 'none'} set and clear as Express 4`,
      (_req, res, ctx) => {
        const before = JSON.stringify(options);
        for (const value of ['v', { a: [1] }, null, undefined, 7, 'a b;c', ''])
          ctx.attempt(`cookie ${text(value)}`, () => v4(res).cookie('name', value, options) === res);
        ctx.attempt('clear', () => v4(res).clearCookie('name', options) === res);
        ctx.record(JSON.stringify(options) === before, res.get('Set-Cookie'));
        res.end();
      },
      ['GET /'],
      { frozenNow: true },
    ),
  ),
);

for (const filename of [
  undefined,
  '',
  'a.txt',
  '/deep/b.html',
  'sp ace.json',
  '\u00fc.png',
  '\u20ac.txt',
  'quo"te.zzz',
  'no-extension',
  '.dot',
  'a%20b.txt',
  'x.tar.gz',
  7,
  null,
  {},
])
  table.push(
    handles(`res.attachment of ${typeof filename} ${text(filename)} names and types as Express 4`, (_req, res, ctx) => {
      ctx.attempt('attachment', () => (filename === undefined ? v4(res).attachment() : v4(res).attachment(filename)) === res);
      ctx.record(res.get('Content-Disposition'), res.get('Content-Type'));
      res.end();
    }),
  );

const CONTENT_TYPES = [
  'text/plain',
  'text/plain; charset=latin1',
  'text/plain;charset=x;a=b',
  'image/png',
  'nonsense',
  '',
  'text/html; a="b;c"',
  'text/html; charset=',
  'a/b; bad',
];
for (const type of CONTENT_TYPES)
  table.push(
    handles(`a string sent with the type ${JSON.stringify(type)} set by setHeader gets the charset of Express 4`, (_req, res, ctx) => {
      res.setHeader('Content-Type', type);
      ctx.attempt('send', () => res.send('\u00fc') === res);
      ctx.record(res.get('Content-Type'));
      finish(res);
    }),
  );

for (const name of ['content-type', 'Content-type', 'CONTENT-TYPE']) {
  for (const type of ['text/html; charset=utf-8', 'application/json; charset=utf-8', 'text/plain']) {
    table.push(
      handles(`text sent with ${name}: ${type} has the name as Express spells it, and tells a setHeader in front`, (_req, res, ctx) => {
        res.setHeader(name, type);
        res.setHeader('X-After', '1');
        const own = res.setHeader;
        res.setHeader = function (this: typeof res, field: string, value: never) {
          ctx.record([field, value]);
          return own.call(this, field, value);
        };
        res.send('{}');
      }),
      handles(`json sent with ${name}: ${type} has the name as Express spells it`, (_req, res) => {
        res.setHeader(name, type);
        res.setHeader('X-After', '1');
        res.json({});
      }),
    );
  }
}

defineSuite(
  [
    ...table,
    handles('res.jsonp with odd callbacks', (_req, res) => res.jsonp({ a: '\u2028' }), [
      'GET /?callback=',
      'GET /?callback=a.b[0]$_',
      'GET /?callback=a(b)',
      'GET /?callback=%3Cx%3E',
      'GET /?callback=a&callback=b',
      'GET /?callback[]=c',
      'GET /?callback[x]=d',
      'GET /?callback=%C3%BC',
      'GET /?callback',
    ]),
    handles(
      'res.jsonp without a query, and with a query of null prototype',
      (req, res, ctx) => {
        if (req.path === '/none') Reflect.set(req, 'query', undefined);
        else Reflect.set(req, 'query', Object.assign(Object.create(null), { callback: 'own' }));
        ctx.attempt('jsonp', () => typeof res.jsonp(1));
        finish(res);
      },
      ['GET /none', 'GET /x'],
    ),
    handles('res.send with a type set by hand keeps it', (_req, res) => v4(res.type('text/x; charset=latin1')).send('\u00fc')),
    handles('res.send(status) keeps a type that is set', (_req, res) => v4(res.type('json')).send(404)),
    handles('res.send of content when Content-Length and ETag are set', (_req, res) =>
      res.set({ 'Content-Length': '1', ETag: '"mine"' }).send('longer'),
    ),
    handles(
      'res.send strips fields for 204, 205 and 304',
      (req, res) =>
        res
          .status(Number(req.path.slice(1)))
          .set({ 'Transfer-Encoding': 'chunked', 'Content-Type': 'text/x', 'X-Kept': '1' })
          .send('content'),
      ['GET /204', 'GET /304', 'GET /205', 'HEAD /205'],
    ),
    handles(
      'res.send of a fresh request is 304 for GET, HEAD and QUERY only',
      (_req, res) => res.set('ETag', '"v"').send('content'),
      ['GET', 'HEAD', 'POST', 'PUT', 'QUERY'].map((method) => withHeaders({ 'If-None-Match': '"v"' }, '/', method)),
    ),
    handles('res.set with objects, arrays, numbers and nothing', (_req, res, ctx) => {
      for (const args of [
        [{ 'X-A': 1, 'x-b': ['1', 2], 'Content-Type': 'text' }],
        ['X-C', [1, 2]],
        ['X-D', 7],
        ['X-E'],
        [],
        [null],
        ['X-F', undefined],
        ['X-G', null],
        ['Content-Type', ['a/b']],
        ['Content-Type', 'html'],
        ['content-type', 'text/css'],
        [7, 'x'],
      ])
        ctx.attempt(JSON.stringify(args), () => v4(res).set(...args) === res);
      ctx.record(res.getHeaders());
      res.end();
    }),
    handles('res.links and res.append in every form', (_req, res, ctx) => {
      for (const args of [[{ next: 'a', last: 'b' }], [{}], [{ list: ['x', 'y'] }], [null], []])
        ctx.attempt(`links ${JSON.stringify(args)}`, () => v4(res).links(...args) === res);
      for (const args of [
        ['Link', '<z>'],
        ['X', 'a'],
        ['X', ['b', 'c']],
        ['X', 7],
        ['Y', ['l']],
        ['Y', 'm'],
        ['Z', undefined],
        ['Content-Type', 'a/b'],
        ['Content-Type', 'c/d'],
      ])
        ctx.attempt(`append ${JSON.stringify(args)}`, () => v4(res).append(...args) === res);
      ctx.record(res.getHeaders());
      res.end();
    }),
    handles('res.type without a string throws as in Express 4', (_req, res, ctx) => {
      for (const type of [undefined, null, 7, {}, ['html'], true]) ctx.attempt(text(type), () => v4(res).type(type) === res);
      ctx.record(res.get('Content-Type'));
      res.end();
    }),
    handles(
      'signed cookies need a secret and are cleared signed',
      (req, res, ctx) => {
        ctx.attempt('without', () => v4(res).cookie('a', 'b', { signed: true }) === res);
        req.secret = 'cat';
        ctx.attempt('with', () => v4(res).cookie('a', { b: 1 }, { signed: true, maxAge: 1000 }) === res);
        ctx.attempt('clear', () => v4(res).clearCookie('a', { signed: true, maxAge: 1000, expires: new Date(5e11) }) === res);
        ctx.record(res.get('Set-Cookie'));
        res.end();
      },
      ['GET /'],
      { frozenNow: true },
    ),
    serves(
      'a replaced res.send, res.json or res.end is called by the others',
      (app, _express, ctx) => {
        app.use((_req, res, next) => {
          for (const name of ['send', 'json', 'end', 'set', 'type', 'location', 'format', 'vary'] as const) {
            const original = Reflect.get(res, name) as (...args: unknown[]) => unknown;
            Reflect.set(res, name, function patched(this: unknown, ...args: unknown[]) {
              ctx.record(
                name,
                args.length,
                args.map((arg) => typeof arg),
              );
              return Reflect.apply(original, this, args);
            });
          }
          next();
        });
        app
          .get('/json', (_req, res) => res.json({ a: 1 }))
          .get('/send', (_req, res) => res.send({ a: 1 }))
          .get('/text', (_req, res) => res.send('text'));
        app
          .get('/status', (_req, res) => res.sendStatus(201))
          .get('/old', (_req, res) => v4(res).send(404))
          .get('/jsonp', (_req, res) => res.jsonp([1]));
        app.get('/redirect', (_req, res) => res.redirect('/x'));
      },
      ['/json', '/send', '/text', '/status', '/old', '/jsonp', '/redirect'].map((path) => `GET ${path}`),
    ),
    serves(
      'methods of a reply after the head was sent fail as in Express 4',
      (app, _express, ctx) => {
        app.use((_req, res) => {
          res.send('sent');
          for (const [name, args] of Object.entries({
            send: ['x'],
            json: [1],
            redirect: ['/'],
            set: ['A', 'b'],
            cookie: ['a', 'b'],
            status: [404],
            type: ['html'],
            vary: ['X'],
            sendStatus: [404],
            location: ['/'],
            format: [{ default: () => ctx.record('default') }],
          }))
            ctx.attempt(name, () => typeof (v4(res) as unknown as Record<string, (...values: unknown[]) => unknown>)[name]?.(...args));
          ctx.record(res.statusCode);
        });
        app.use(onError(failed));
      },
      ['GET /'],
    ),
  ],
  'express4',
);
