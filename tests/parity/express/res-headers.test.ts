/** Response: set, append, get, type, links, location, attachment, cookie and clearCookie. */
import type { ParityCase } from '../harness/case.ts';
import { defineSuite } from '../harness/suite.ts';
import { handles, serves, withHeaders, wrong } from './kit.ts';

const table: ParityCase[] = [];

const values: readonly unknown[] = [
  'text',
  '',
  7,
  0,
  true,
  false,
  null,
  undefined,
  ['a', 'b'],
  [1, null, undefined],
  [],
  {},
  new Date(0),
  'a\r\nb',
  'a\nb',
  'ünï',
  'snow ☃',
  ' padded ',
  '\t',
  '\u0000',
  Symbol('s'),
  10n,
  [['nested', 1]],
];
for (const value of values) {
  table.push(
    handles(
      `res.set, header, append, setHeader and get of ${typeof value} ${typeof value === 'symbol' ? 'symbol' : JSON.stringify(typeof value === 'bigint' ? '10n' : value)}`,
      (_req, res, ctx) => {
        ctx.attempt('set', () => res.set('X-Set', value) === res);
        ctx.attempt('header', () => res.header('X-Header', value) === res);
        ctx.attempt('append', () => wrong(res)['append']?.('X-Append', value) === res);
        ctx.attempt('append again', () => wrong(res)['append']?.('X-Append', value) === res);
        ctx.attempt('content type', () => res.set('Content-Type', value) === res);
        ctx.attempt('setHeader', () => wrong(res)['setHeader']?.('X-Raw', value) === res);
        for (const name of ['X-Set', 'x-header', 'X-APPEND', 'content-type', 'X-Raw', 'X-None']) ctx.record(name, res.get(name));
        ctx.attempt('end', () => typeof res.end('body'));
        if (!res.headersSent) res.socket?.destroy();
      },
    ),
  );
}

for (const name of ['X-Ok', 'x_y', '', 'bad name', 'a:b', 'a\r\nb', 'ü', '__proto__', 'constructor', undefined, null, 7, {}]) {
  table.push(
    handles(`the header name ${JSON.stringify(name)} is accepted or refused alike`, (_req, res, ctx) => {
      for (const method of ['set', 'header', 'append', 'setHeader', 'appendHeader', 'removeHeader', 'get', 'hasHeader'])
        ctx.attempt(method, () => typeof wrong(res)[method]?.(name, 'v'));
      ctx.record(res.getHeaderNames(), res.getHeaders());
      res.end();
    }),
  );
}

const types = [
  'html',
  '.html',
  'json',
  'text',
  'txt',
  'png',
  'text/html',
  'text/plain; charset=x',
  'application/json',
  'unknown',
  '',
  'js',
  'mjs',
  'css',
  'svg',
  'bin',
  'md',
  'xml',
  'wasm',
  'a/b',
  'foo.tar.gz',
  '/',
  'HTML',
  'urlencoded',
  'image/svg+xml',
  'text/',
];
table.push(
  handles(
    'res.type and contentType for many names',
    (req, res, ctx) => {
      const type = types[Number(req.path.slice(1))] ?? '';
      ctx.record(res.type(type) === res, res.get('Content-Type'), res.contentType(type).get('content-type'));
      ctx.record(res.set('Content-Type', type).get('Content-Type'));
      res.end('x');
    },
    types.map((_, i) => `GET /${i}`),
  ),
);
table.push(
  handles('res.type refuses what is no string', (_req, res, ctx) => {
    for (const type of [undefined, null, 7, {}, [], ['html']]) ctx.attempt(String(type), () => typeof wrong(res)['type']?.(type));
    res.end();
  }),
);

const filenames: readonly (string | undefined)[] = [
  undefined,
  '',
  'plain.txt',
  '/a/b/report.pdf',
  'sp ace.html',
  'quo"te.txt',
  'back\\slash.txt',
  'ünï.png',
  'snow☃.txt',
  'per%41cent.txt',
  'semi;colon.csv',
  'no-extension',
  '.dot',
  'a.tar.gz',
  'new\nline.txt',
  '€ rates.txt',
  "it's.txt",
  'a/..',
  '日本語.json',
  '\u007fdel.txt',
];
for (const filename of filenames) {
  table.push(
    handles(`res.attachment(${JSON.stringify(filename)}) sets Content-Disposition and Content-Type`, (_req, res, ctx) => {
      ctx.attempt('attachment', () => (filename === undefined ? res.attachment() : res.attachment(filename)) === res);
      ctx.record(res.get('Content-Disposition'), res.get('Content-Type'));
      res.send('x');
    }),
  );
}

const locations: readonly unknown[] = [
  '/',
  '/a b',
  '/ü',
  'http://example.com/a b?c=d e',
  '/%20x%zz',
  '//evil.com',
  '\\\\evil',
  'back',
  '',
  '/a\r\nb',
  '/"quoted"',
  'https://user:pass@host/',
  '/☃?☃#☃',
  'mailto:a@b',
  '/[x]',
  'http://ünï.example/',
  '/a|b^`',
  '?q',
  '#h',
  undefined,
  null,
  7,
  {},
];
table.push(
  handles(
    'res.location encodes many addresses',
    (req, res, ctx) => {
      const location = locations[Number(req.path.slice(1))];
      ctx.attempt(String(location), () => wrong(res)['location']?.(location) === res);
      ctx.record(res.get('Location'));
      res.end();
    },
    locations.map((_, i) => `GET /${i}`),
  ),
);

const cookies: readonly (readonly [string, unknown, object?])[] = [
  ['a', 'b'],
  ['a', 'b c;d'],
  ['a', { x: [1] }],
  ['a', null],
  ['a', undefined],
  ['a', 7],
  ['a', ''],
  ['a', 'ünï'],
  ['a', true],
  ['a', ['x']],
  ['a', 'b', { path: '/x' }],
  ['a', 'b', { path: '' }],
  ['a', 'b', { path: null }],
  ['a', 'b', { domain: '.example.com' }],
  ['a', 'b', { httpOnly: true, secure: true }],
  ['a', 'b', { sameSite: true }],
  ['a', 'b', { sameSite: 'lax' }],
  ['a', 'b', { sameSite: 'Strict' }],
  ['a', 'b', { sameSite: 'none' }],
  ['a', 'b', { sameSite: 'nonsense' }],
  ['a', 'b', { sameSite: false }],
  ['a', 'b', { priority: 'high' }],
  ['a', 'b', { priority: 'Low' }],
  ['a', 'b', { priority: 'nonsense' }],
  ['a', 'b', { partitioned: true }],
  ['a', 'b', { expires: new Date(1e12) }],
  ['a', 'b', { expires: 'soon' }],
  ['a', 'b', { expires: new Date(Number.NaN) }],
  ['a', 'b', { maxAge: 1000 }],
  ['a', 'b', { maxAge: 1500 }],
  ['a', 'b', { maxAge: 0 }],
  ['a', 'b', { maxAge: -5000 }],
  ['a', 'b', { maxAge: '3000' }],
  ['a', 'b', { maxAge: 'x' }],
  ['a', 'b', { maxAge: null }],
  ['a', 'b', { maxAge: Infinity }],
  ['a', 'b', { maxAge: 1000, expires: new Date(0) }],
  ['a', 'b c', { encode: String }],
  ['a', 'b;c', { encode: String }],
  ['a', 'b', { encode: 'x' }],
  ['a', 'b', { signed: true }],
  ['a', 'b', null as unknown as object],
  ['bad name', 'b'],
  ['', 'b'],
  ['a=b', 'c'],
  ['ü', 'b'],
  ['a', 'b', { domain: 'bad domain' }],
  ['a', 'b', { path: '/a;b' }],
  ['__proto__', 'x'],
  ['a', Symbol('s')],
  ['a', 10n],
  ['a', 'b', { httpOnly: 0, secure: '' }],
  ['a', 'b', { unknown: 1 }],
];
cookies.forEach(([name, value, options], i) => {
  const label = `${JSON.stringify(name)}, ${typeof value === 'symbol' ? 'symbol' : JSON.stringify(typeof value === 'bigint' ? '10n' : value)}, ${JSON.stringify(options)}`;
  table.push(
    handles(
      `cookie ${i}: res.cookie(${label}) and clearCookie with the same options`,
      (_req, res, ctx) => {
        ctx.attempt('cookie', () => res.cookie(name, value, options) === res);
        ctx.attempt('clear', () => res.clearCookie(name, options) === res);
        ctx.record(res.get('Set-Cookie'));
        res.end();
      },
      ['GET /'],
      { frozenNow: true },
    ),
  );
});

for (const etag of [true, false]) {
  table.push(
    serves(
      `a field with Latin-1 text keeps its bytes beside text, bytes and JSON, ${etag ? 'with' : 'without'} ETag`,
      (app) => {
        app.set('etag', etag);
        app.use((_req, res, next) => {
          res.set('X-Latin', 'ünï');
          next();
        });
        app.get('/text', (_req, res) => res.send('text'));
        app.get('/bytes', (_req, res) => res.send(Buffer.from('bytes')));
        app.get('/json', (_req, res) => res.json({ a: 'ü' }));
        app.get('/patched', (_req, res) => {
          res.writeHead = res.writeHead.bind(res) as typeof res.writeHead;
          res.send('patched');
        });
      },
      [
        'GET /text',
        'HEAD /text',
        withHeaders({ 'If-None-Match': '"other"' }, '/text'),
        'GET /bytes',
        'GET /json',
        withHeaders({ 'If-None-Match': '"other"' }, '/json'),
        'GET /patched',
      ],
    ),
  );
}

defineSuite([
  ...table,
  handles('res.set takes an object, also with inherited fields, in order', (_req, res, ctx) => {
    const inherited = Object.create({ 'X-Inherited': 'i' }) as Record<string, unknown>;
    inherited['X-Own'] = 'o';
    ctx.record(res.set({ 'X-B': 1, 'X-A': ['x', 'y'], 'Content-Type': 'json' }) === res, res.set(inherited) === res);
    res.end();
  }),
  handles('res.set with one string, nothing or null sets nothing sensible', (_req, res, ctx) => {
    ctx.attempt('string', () => res.set('ab') === res);
    ctx.attempt('nothing', () => wrong(res)['set']?.() === res);
    ctx.attempt('null', () => wrong(res)['set']?.(null) === res);
    ctx.attempt('three', () => wrong(res)['set']?.('X-A', 'b', 'c') === res);
    ctx.record(res.getHeaders());
    res.end();
  }),
  handles('res.append makes lists and mixes with set', (_req, res, ctx) => {
    res
      .append('X-List', 'a')
      .append('X-List', 'b')
      .append('x-list', ['c', 'd'])
      .append('Set-Cookie', 'a=1')
      .append('Set-Cookie', ['b=2', 'c=3']);
    ctx.record(res.get('X-List'), res.get('set-cookie'));
    res
      .set('X-List', 'reset')
      .append('X-List', 'e')
      .append('X-Empty', [])
      .append('X-Empty', 'f')
      .append('Link', '<a>')
      .set('Vary', 'A')
      .append('Vary', 'B');
    ctx.record(res.get('X-List'), res.get('X-Empty'));
    res.send('x');
  }),
  handles('header fields keep the case and the order of their first and last setting', (_req, res) => {
    res.set('x-lower', '1').set('X-UPPER', '2').set('X-Lower', '3');
    res.removeHeader('x-upper');
    res.set('x-uPPer', '4').set('ETag', '"t"').set('date', 'today').set('Connection', 'keep-alive').send('x');
  }),
  handles('res.links writes, adds and takes arrays', (_req, res, ctx) => {
    ctx.record(res.links({ next: 'http://a/?p=2', last: ['http://a/?p=5', 'http://a/?p=6'] }) === res, res.get('Link'));
    res.links({ prev: 'x' }).links({}).links({ 'odd "rel"': '<y>' });
    ctx.attempt('undefined', () => wrong(res)['links']?.());
    ctx.attempt('null', () => wrong(res)['links']?.(null));
    res.end();
  }),
  handles('Content-Type cannot be set to an array', (_req, res, ctx) => {
    ctx.attempt('array', () => res.set('Content-Type', ['text/html']));
    ctx.attempt('mixed case', () => res.set('content-TYPE', ['a', 'b']));
    ctx.attempt('unknown type', () => res.set('Content-Type', 'nonsense').get('Content-Type'));
    ctx.attempt('charset kept', () => res.set('Content-Type', 'text/html; charset=iso-8859-1').get('Content-Type'));
    ctx.attempt('charset added', () => res.set('content-type', 'text/css').get('Content-Type'));
    res.end();
  }),
  serves(
    'signed cookies use req.secret',
    (app, _express, ctx) => {
      app.use((req, res) => {
        req.secret = 'keyboard cat';
        ctx.attempt('signed', () => res.cookie('s', 'value', { signed: true }).cookie('j', { a: 1 }, { signed: true }).get('Set-Cookie'));
        ctx.attempt('cleared', () => res.clearCookie('s', { signed: true }).get('Set-Cookie'));
        req.secret = '';
        ctx.attempt('empty secret', () => res.cookie('s', 'v', { signed: true }).get('Set-Cookie'));
        res.end();
      });
    },
    ['GET /'],
  ),
  handles(
    'several cookies become several fields in order',
    (_req, res) =>
      res
        .cookie('a', 1)
        .cookie('b', 2)
        .cookie('a', 3)
        .clearCookie('c')
        .clearCookie('d', { path: '/x', maxAge: 5, expires: new Date() })
        .send('x'),
    undefined,
    { frozenNow: true },
  ),
  handles(
    'cookie options of the caller are left alone',
    (_req, res, ctx) => {
      const options = Object.freeze({ maxAge: 1000, path: '/p' });
      res.cookie('a', 'b', options).clearCookie('a', options);
      ctx.record(options);
      res.end();
    },
    ['GET /'],
    { frozenNow: true },
  ),
  handles('res.cookie and clearCookie without arguments', (_req, res, ctx) => {
    ctx.attempt('cookie()', () => wrong(res)['cookie']?.() === res);
    ctx.attempt('clearCookie()', () => wrong(res)['clearCookie']?.() === res);
    ctx.record(res.get('Set-Cookie'));
    res.end();
  }),
  handles('header methods after the head was sent throw ERR_HTTP_HEADERS_SENT', (_req, res, ctx) => {
    res.write('x');
    for (const [name, args] of Object.entries({
      set: ['A', 'b'],
      append: ['A', 'b'],
      type: ['html'],
      cookie: ['a', 'b'],
      clearCookie: ['a'],
      location: ['/'],
      links: [{ a: 'b' }],
      vary: ['A'],
      attachment: ['x'],
      redirect: ['/'],
      removeHeader: ['A'],
      json: [1],
      sendStatus: [200],
    })) {
      ctx.attempt(name, () => typeof wrong(res)[name]?.(...args));
    }
    if (!res.writableEnded) res.end();
  }),
]);
