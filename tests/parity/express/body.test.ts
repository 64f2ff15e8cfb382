/**
 * express.json, raw, text and urlencoded: every option, content types, charsets, codings, limits and errors.
 */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { ParityCase, RequestInput } from '../harness/case.ts';
import type { ErrorHandler, Handler } from '../harness/express-api.ts';
import { defineSuite } from '../harness/suite.ts';
import { builds, onError, serves, withHeaders, wrong } from './kit.ts';

type Parser = 'json' | 'raw' | 'text' | 'urlencoded';
const PARSERS: readonly Parser[] = ['json', 'raw', 'text', 'urlencoded'];
const TYPES: Record<Parser, string> = {
  json: 'application/json',
  raw: 'application/octet-stream',
  text: 'text/plain',
  urlencoded: 'application/x-www-form-urlencoded',
};
const SAMPLES: Record<Parser, string> = {
  json: '{"a":1,"b":["ü"]}',
  raw: 'raw bytes',
  text: 'some text ü',
  urlencoded: 'a=1&b=x+y&c=%C3%BC',
};

const fields: ErrorHandler = (error, _req, res, _next) => {
  const { name, message, status, statusCode, type, expose, code } = error;
  // `received` is left out: how much had arrived when the limit was passed depends on how the content was
  // split.
  const rest = ['body', 'limit', 'length', 'expected', 'encoding', 'charset', 'verify'].map((key) => [key, error[key]]);
  res.status(status ?? 500).json({ name, message, status, statusCode, type, expose, code, rest });
};

const post = (type: string, body: string | Uint8Array, headers: Record<string, string> = {}): RequestInput => ({
  method: 'POST',
  path: '/',
  body,
  headers: { ...(type === '' ? {} : { 'Content-Type': type }), ...headers },
});

/** An app with one parser, whose handler notes the body. */
function parses(name: string, parser: Parser, options: object | undefined, requests: readonly RequestInput[]): ParityCase {
  return serves(
    name,
    (app, express, ctx) => {
      app.use(express[parser](options));
      app
        .use((req, res) => {
          ctx.record(req.body, req.complete, Object.hasOwn(req, 'body'));
          res.end();
        })
        .use(
          onError((error, req, res, next) => {
            ctx.record(req.body);
            fields(error, req, res, next);
          }),
        );
    },
    requests,
  );
}

const table: ParityCase[] = [];

/**
 * Notes at which point of the turn the handler has answered, seen by a middleware that goes on after its
 * `next()`.
 */
const watches = (record: (...values: unknown[]) => void): Handler => {
  return (_req, res, next) => {
    const look = (when: string): void => {
      record(when, res.headersSent);
      if (!res.headersSent) res.append('X-Seen', when);
    };
    process.nextTick(look, 'tick');
    next();
    look('after next');
    process.nextTick(look, 'later tick');
    let turns = Promise.resolve();
    for (let turn = 0; turn < 5; turn += 1) turns = turns.then(() => undefined);
    void turns.then(() => look('promises'));
  };
};

for (const parser of PARSERS) {
  table.push(
    serves(
      `${parser} hands on to the handler when the code around it and its promises are done`,
      (app, express, ctx) => {
        app.use(watches(ctx.record), express[parser]());
        app.use((_req, res) => res.send('answered'));
      },
      [post(TYPES[parser], SAMPLES[parser]), post(TYPES[parser], SAMPLES[parser])],
    ),
  );
}

const jsonTexts = [
  '',
  '{}',
  '[]',
  '{"a":1}',
  '  {"a":1}  ',
  '\n[1]',
  'null',
  'true',
  '7',
  '"text"',
  '{',
  '[1,',
  '{"a":1}}',
  '{a:1}',
  "{'a':1}",
  'nonsense',
  '{"__proto__":{"x":1}}',
  '{"constructor":1,"toString":2}',
  '{"a":1,"a":2}',
  '\ufeff{"a":1}',
  '{"a":"\\u0000"}',
  '{"é":"☃"}',
  ' ',
  '\t{"tab":1}',
  '#x',
  '{"a":tru}',
  `{"deep":${'['.repeat(500)}${']'.repeat(500)}}`,
  '{"a":1}\u0000',
  '1e400',
  '{"n":12345678901234567890}',
];
for (const strict of [undefined, false])
  table.push(
    parses(
      `express.json parses or refuses many texts, strict ${strict ?? 'by default'}`,
      'json',
      strict === undefined ? undefined : { strict },
      jsonTexts.map((text) => post('application/json', text)),
    ),
  );

const forms = [
  '',
  'a=1',
  'a=1&a=2',
  'a[b]=1&a[c]=2',
  'a[]=1&a[]=2',
  'a[0]=x&a[2]=y',
  'a=%zz',
  'a=%C3%28',
  '=x',
  '&&',
  'a',
  'a=',
  'a+b=c+d',
  '__proto__[x]=1',
  'a[__proto__][x]=1',
  'hasOwnProperty=1',
  'a.b=1',
  'a[b][c][d][e][f][g]=1',
  'a%5Bb%5D=1',
  'a;b=c',
  'ü=ü',
  'a=1#b',
  'a[999999]=1',
  'utf8=%E2%9C%93&a=%FC',
  Array.from({ length: 30 }, (_, i) => `a[${i}]=${i}`).join('&'),
  `a${'[x]'.repeat(40)}=1`,
];
for (const options of [
  undefined,
  { extended: true },
  { extended: false },
  { extended: true, parameterLimit: 2 },
  { extended: false, parameterLimit: 2 },
  { extended: true, depth: 2 },
  { extended: true, depth: 0 },
  { extended: true, charsetSentinel: true, interpretNumericEntities: true },
  { defaultCharset: 'iso-8859-1' },
  { extended: true, arrayLimit: 5 },
]) {
  table.push(
    parses(
      `express.urlencoded(${JSON.stringify(options)}) parses or refuses many forms`,
      'urlencoded',
      options,
      [...forms, 'a=1&b=2&c=3', 'utf8=%26%2310003%3B&a=%26%239786%3B'].map((text) => post(TYPES.urlencoded, text)),
    ),
  );
}

const contentTypes = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-16',
  'application/json; charset=iso-8859-1',
  'application/json; charset="utf-8"',
  'application/json; charset=',
  'application/json; charset=x-unknown',
  'application/vnd.api+json',
  'APPLICATION/JSON',
  'text/plain',
  'text/plain; charset=latin1',
  'text/plain; charset=koi8-r',
  'text/html',
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=iso-8859-1',
  'application/x-www-form-urlencoded; charset=koi8-r',
  'application/octet-stream',
  'multipart/form-data; boundary=x',
  '',
  'nonsense',
  'application/json, text/plain',
  'text/plain;',
];
for (const parser of PARSERS) {
  table.push(
    parses(
      `express.${parser} looks at the content type and its charset`,
      parser,
      undefined,
      contentTypes.map((type) => post(type, Buffer.from(SAMPLES[parser]))),
    ),
  );
  table.push(
    parses(
      `express.${parser} takes any type with */*`,
      parser,
      { type: '*/*' },
      contentTypes.map((type) => post(type, Buffer.from(SAMPLES[parser]))),
    ),
  );
  for (const type of ['json', ['text/*', 'urlencoded'], 'application/*', '+json', () => true, () => false, '', 'html']) {
    table.push(
      parses(
        `express.${parser} with the type option ${typeof type === 'function' ? `() => ${String(type())}` : JSON.stringify(type)}`,
        parser,
        { type },
        ['application/json', 'text/plain', 'text/html', 'application/x-www-form-urlencoded', 'application/vnd.api+json', ''].map((name) =>
          post(name, SAMPLES[parser]),
        ),
      ),
    );
  }
  for (const limit of [5, '5', '1kb', 0, '0', Infinity, null, 'nonsense', -1, undefined]) {
    table.push(
      parses(`express.${parser} with the limit ${typeof limit} ${String(limit)}`, parser, { limit }, [
        post(TYPES[parser], SAMPLES[parser]),
        post(TYPES[parser], ''),
        post(TYPES[parser], 'x'.repeat(1025)),
        post(TYPES[parser], '1'.repeat(5)),
        chunked(TYPES[parser], [SAMPLES[parser], SAMPLES[parser]]),
        post(TYPES[parser], gzipSync('1'.repeat(2000)), { 'Content-Encoding': 'gzip' }),
      ]),
    );
  }
  const coded = (coding: string, bytes: Uint8Array): RequestInput => post(TYPES[parser], bytes, { 'Content-Encoding': coding });
  for (const inflate of [true, false]) {
    table.push(
      parses(`express.${parser} with inflate ${inflate} reads or refuses content codings`, parser, { inflate }, [
        coded('gzip', gzipSync(SAMPLES[parser])),
        coded('deflate', deflateSync(SAMPLES[parser])),
        coded('br', brotliCompressSync(SAMPLES[parser])),
        coded('identity', Buffer.from(SAMPLES[parser])),
        coded('GZIP', gzipSync(SAMPLES[parser])),
        coded('x-gzip', gzipSync(SAMPLES[parser])),
        coded('zstd', Buffer.from('x')),
        coded('gzip, gzip', gzipSync(SAMPLES[parser])),
        coded('gzip', Buffer.from('not gzip')),
        coded('gzip', gzipSync(SAMPLES[parser]).subarray(0, 12)),
        coded('', Buffer.from(SAMPLES[parser])),
        coded('gzip', Buffer.alloc(0)),
      ]),
    );
  }
  table.push(
    parses(`express.${parser} reads chunked content, also empty, and skips requests without content`, parser, undefined, [
      chunked(TYPES[parser], [SAMPLES[parser].slice(0, 3), SAMPLES[parser].slice(3)]),
      chunked(TYPES[parser], []),
      withHeaders({ 'Content-Type': TYPES[parser] }),
      { method: 'GET', path: '/', body: SAMPLES[parser], headers: { 'Content-Type': TYPES[parser] } },
      withHeaders({ 'Content-Type': TYPES[parser] }, '/', 'DELETE'),
      post(TYPES[parser], ''),
    ]),
  );
  table.push(
    serves(
      `express.${parser} calls verify with the raw bytes and the charset, and reports what it throws`,
      (app, express, ctx) => {
        app
          .use(
            express[parser]({
              verify: (req: { url: string }, _res: unknown, bytes: Buffer, encoding: unknown) => {
                ctx.record(bytes, encoding);
                if (req.url === '/throw') throw new Error('not verified');
                if (req.url === '/status') throw Object.assign(new Error('own status'), { status: 418, type: 'own.type' });
                if (req.url === '/string') throw 'just a string';
              },
            }),
          )
          .use((req, res) => res.json(req.body ?? 'none'))
          .use(fields);
      },
      ['/', '/throw', '/status', '/string'].flatMap((path) => [
        { method: 'POST', path, body: SAMPLES[parser], headers: { 'Content-Type': TYPES[parser] } },
        { method: 'POST', path, body: '', headers: { 'Content-Type': TYPES[parser] } },
      ]),
    ),
  );
  table.push(
    builds(`express.${parser} refuses wrong options with upstream's message`, (express, ctx) => {
      for (const options of [
        null,
        'x',
        7,
        { verify: 'x' },
        { verify: 7 },
        { verify: false },
        { verify: null },
        { limit: {} },
        { type: 7 },
        { type: null },
        { parameterLimit: 0 },
        { parameterLimit: 'x' },
        { extended: true, parameterLimit: -1 },
        { extended: true, depth: -1 },
        { extended: true, depth: 'x' },
        { defaultCharset: 'koi8-r' },
        { defaultCharset: 7 },
        { strict: 'x' },
        { extended: 'x' },
      ]) {
        ctx.attempt(JSON.stringify(options), () => [
          typeof wrong(express)[parser]?.(options),
          express[parser]().name,
          express[parser]().length,
        ]);
      }
    }),
  );
}

function chunked(type: string, parts: readonly string[]): RequestInput {
  const body = [...parts.map((part) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`), '0\r\n\r\n'].join('');
  return { method: 'POST', path: '/', body, headers: { 'Content-Type': type, 'Transfer-Encoding': 'chunked' } };
}

for (const charset of [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'utf-16',
  'utf-32',
  'iso-8859-1',
  'latin1',
  'windows-1252',
  'koi8-r',
  'shift_jis',
  'gbk',
  'us-ascii',
  'nonsense',
  'UTF-8',
]) {
  table.push(
    serves(
      `bodies in the charset ${charset} are decoded or refused by text, json and urlencoded`,
      (app, express, ctx) => {
        app
          .use(express.text(), express.json(), express.urlencoded())
          .use((req, res) => {
            ctx.record(req.body);
            res.end();
          })
          .use(fields);
      },
      (['text', 'json', 'urlencoded'] as const).flatMap((parser) =>
        [Buffer.from(SAMPLES[parser], 'utf8'), Buffer.from(SAMPLES[parser], 'utf16le'), Buffer.from(SAMPLES[parser], 'latin1')].map(
          (bytes) => post(`${TYPES[parser]}; charset=${charset}`, bytes),
        ),
      ),
    ),
  );
}

const noteBody: Handler = (req, res) => {
  res.json({ body: req.body ?? 'none', complete: req.complete });
};

defineSuite([
  ...table,
  serves(
    'the first parser that takes a body wins and the rest leave it alone',
    (app, express) => {
      app.use(express.json(), express.json(), express.urlencoded(), express.raw({ type: '*/*' }), express.text()).use(noteBody);
    },
    [post(TYPES.json, '{"a":1}'), post(TYPES.urlencoded, 'a=1'), post(TYPES.text, 'x'), post(TYPES.json, '')],
  ),
  serves(
    'a parser on one route leaves others without a body',
    (app, express) => app.post('/json', express.json(), noteBody).post('/', noteBody),
    [post(TYPES.json, '{"a":1}'), { method: 'POST', path: '/json', body: '{"a":1}', headers: { 'Content-Type': TYPES.json } }],
  ),
  serves(
    'a body that was already read is refused or passed on',
    (app, express) => {
      app
        .use((req, _res, next) => {
          if (req.url === '/drained') req.resume().on('end', () => next());
          else if (req.url === '/encoding') next(void req.setEncoding('utf8'));
          else {
            Reflect.set(req, 'body', { set: 'before' });
            next();
          }
        })
        .use(express.json())
        .use(noteBody)
        .use(fields);
    },
    ['/drained', '/encoding', '/set'].map((path) => ({ method: 'POST', path, body: '{"a":1}', headers: { 'Content-Type': TYPES.json } })),
  ),
  serves(
    'the reviver gets every pair of JSON',
    (app, express, ctx) => {
      app
        .use(
          express.json({
            reviver: (key: string, value: unknown) => {
              ctx.record(key, value);
              return typeof value === 'number' ? value + 1 : value;
            },
          }),
        )
        .use(noteBody);
    },
    [post(TYPES.json, '{"a":1,"b":{"c":2}}'), post(TYPES.json, '[1]')],
  ),
  serves(
    'body errors end in the default page with their status, and in production without detail',
    (app, express) => {
      app
        .set('env', 'production')
        .use(express.json({ limit: 10 }), express.urlencoded({ extended: true, parameterLimit: 1 }))
        .use(noteBody);
    },
    [
      post(TYPES.json, '{'),
      post(TYPES.json, 'x'.repeat(50)),
      post(`${TYPES.json}; charset=x`, '{}'),
      post(TYPES.json, '{}', { 'Content-Encoding': 'x' }),
      post(TYPES.urlencoded, 'a=1&b=2'),
    ],
  ),
  serves('body errors on the development page', (app, express) => app.use(express.json()).use(noteBody), [
    post(TYPES.json, '{"a":<b>}'),
    post(TYPES.json, 'x'.repeat(200_000)),
  ]),
  serves(
    'a large JSON body in pieces arrives whole',
    (app, express) => app.use(express.json({ limit: '5mb' })).use((req, res) => res.json((req.body as string[]).length)),
    [post(TYPES.json, JSON.stringify(Array.from({ length: 60_000 }, (_, i) => `item ${i}`)))],
  ),
  {
    name: '100-continue is answered when the body is wanted, and then the body is parsed',
    app: (express) => express().use(express.json()).use(noteBody),
    client: async ({ connect, record }) => {
      const connection = await connect();
      connection.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 7\r\nExpect: 100-continue\r\n\r\n');
      await new Promise((resolve) => connection.socket.once('data', resolve));
      connection.write('{"a":1}');
      const { statusLine, interim, body } = await connection.read('POST');
      record(statusLine, interim, body);
    },
  },
  {
    name: 'a client that goes away in the middle of a body is an aborted request error',
    app: (express, ctx) => {
      const app = express();
      const done = ctx.pending();
      return app
        .use(express.json())
        .use((_req, res) => res.end())
        .use(
          onError((error, req, _res, _next) => {
            ctx.record(error, req.aborted, req.complete);
            done();
          }),
        );
    },
    client: async ({ connect }) => {
      const connection = await connect();
      connection.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":');
      connection.socket.end();
      await connection.closed();
    },
  },
  serves(
    'a body nobody reads does not disturb the next request',
    (app) => app.post('/', (_req, res) => res.send('ignored')).get('/', (_req, res) => res.send('next')),
    [post(TYPES.text, 'x'.repeat(5000)), 'GET /', post(TYPES.json, '{"a":1}'), 'GET /'],
    { connection: 'pipelined' },
  ),
]);
