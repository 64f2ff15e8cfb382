/**
 * The body parsers of Express 4: the body every request gets, `_body`, charsets, content codings, forms,
 * wrong options.
 */
import zlib from 'node:zlib';
import type { CaseContext, ParityCase, RequestInput } from '../harness/case.ts';
import type { App, ExpressModule, Handler, Next, Req, Res } from '../harness/express-api.ts';
import { defineSuite } from '../harness/suite.ts';
import { ENCODINGS } from './encodings.ts';
import { builds, onError, wrong } from '../express/kit.ts';

interface Parsed {
  body: unknown;
  _body?: unknown;
}

type Options = Readonly<Record<string, unknown>>;
type ParserName = 'json' | 'raw' | 'text' | 'urlencoded';

const table: ParityCase[] = [];

const parser = (express: ExpressModule, name: ParserName, options?: Options): Handler => wrong(express)[name]?.(options) as Handler;

const post = (body: string | Buffer, type: string | undefined, path = '/', headers: Record<string, string> = {}): RequestInput => ({
  method: 'POST',
  path,
  body,
  headers: type === undefined ? headers : { 'Content-Type': type, ...headers },
});

/** Notes what the parsers left, and answers; errors are answered with their fields. */
function finish(app: App, ctx: CaseContext): App {
  app.use((req, res) => {
    const { body, _body } = req as Parsed;
    ctx.record(body, _body, 'body' in req, typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype);
    res.end('parsed');
  });
  return app.use(
    onError((error, req, res, _next) => {
      const fields = { ...error, body: String(error['body']), name: error.name, message: error.message };
      ctx.record((req as Parsed)._body);
      res.status(error.status ?? 500).json(fields);
    }),
  );
}

function parses(
  name: string,
  make: (express: ExpressModule, ctx: CaseContext) => readonly Handler[],
  requests: readonly RequestInput[],
): void {
  table.push({ name, app: (express, ctx) => finish(express().use(...make(express, ctx)), ctx), requests });
}

const MEDIA: readonly (readonly [ParserName, string, string])[] = [
  ['json', 'application/json', '{"a":"ü"}'],
  ['text', 'text/plain', 'a=ü'],
  ['urlencoded', 'application/x-www-form-urlencoded', 'a=ü'],
];

// Encodings that came into iconv-lite after the version body-parser 1 uses are unknown; `constructor`, which
// that version takes for an encoding because it looks it up in an object with a prototype, is left out.
const CHARSETS = [
  'utf-8',
  'UTF-8',
  '"utf-8"',
  "'utf-8'",
  'utf8',
  'utf8:1234',
  'utf-8;x',
  'utf-16',
  'utf-16le',
  'utf-7',
  'utf-7-imap',
  'utf-99',
  'utf-32',
  'UTF-32:1990',
  'utf-32le',
  'utf-32be',
  'ucs-2',
  'ucs-4',
  'ucs4le',
  'cp720',
  'iso-8859-8-i',
  'iso-8859-8-e',
  'iso-8859-1',
  'us-ascii',
  'koi8-r',
  'big5',
  'gbk',
  'shift_jis',
  'base64',
  'hex',
  'unknown',
  'x',
  '',
];

for (const [name, type, content] of MEDIA) {
  for (const isVerified of [false, true]) {
    parses(
      `${name} ${isVerified ? 'with verify ' : ''}takes and refuses charsets`,
      (express, ctx) => [
        parser(express, name, {
          extended: true,
          ...(isVerified ? { verify: (_req: Req, _res: Res, body: Buffer, charset: string) => ctx.record(body, charset) } : {}),
        }),
      ],
      CHARSETS.map((charset) => post(Buffer.from(content), `${type}; charset=${charset}`)),
    );
  }
}

parses(
  'text takes and refuses every charset that the library of Express 4 or of Express 5 knows',
  (express) => [parser(express, 'text')],
  ENCODINGS.map((charset) => post(Buffer.from([0x61, 0xe4, 0xf6, 0x20, 0x81, 0x40, 0x7f, 0x00]), `text/plain; charset=${charset}`)),
);

const JSON_BODIES = [
  '',
  '{}',
  '[]',
  '{"a":1',
  ' {"a":1}',
  '\t[1]',
  '1',
  '"x"',
  'null',
  'true',
  '   ',
  '\ufeff{"a":1}',
  '\u00a0{}',
  '{"__proto__":{"x":1}}',
  'undefined',
  '#{',
  '{"a":#}',
  'abc#def',
  '{"a":1}x',
];

const plusOne = (_key: string, value: unknown): unknown => (typeof value === 'number' ? value + 1 : value);

const JSON_OPTIONS: readonly (readonly [string, Options | undefined])[] = [
  ['no options', undefined],
  ['empty options', {}],
  ['strict false', { strict: false }],
  ['a reviver', { reviver: plusOne }],
  ['a limit of 5', { limit: 5 }],
  ['a limit of 1kb and no inflate', { limit: '1kb', inflate: false }],
  ['a limit of null', { limit: null }],
  ['the type */*', { type: '*/*' }],
  ['several types', { type: ['application/vnd+json', 'text/*'] }],
  ['the short type json', { type: 'json' }],
  ['a type function', { type: (req: Req) => req.headers['content-length'] !== '2' }],
];

for (const [label, options] of JSON_OPTIONS) {
  parses(`json with ${label}`, (express) => [parser(express, 'json', options)], [
    ...JSON_BODIES.map((body) => post(body, 'application/json')),
    post('{"a":1}', 'text/json'),
    post('{"a":1}', 'application/vnd+json'),
    post('{"a":1}', 'application/json;charset'),
    post('{"a":1}', 'application/json; charset="utf-8'),
    post('{"a":1}', 'application/json ; charset=UTF-8'),
    post('{"a":1}', 'APPLICATION/JSON'),
    post('{"a":1}', 'nonsense'),
    post('{"a":1}', undefined),
    'GET /',
    { method: 'POST', path: '/', headers: { 'Content-Type': 'application/json', 'Content-Length': '0' } },
  ]);
}

const CODED: readonly (readonly [string, Buffer])[] = [
  ['gzip', zlib.gzipSync('hello')],
  ['deflate', zlib.deflateSync('hello')],
  ['raw deflate', zlib.deflateRawSync('hello')],
  ['brotli', zlib.brotliCompressSync('hello')],
  ['plain', Buffer.from('hello')],
  ['cut off', zlib.gzipSync('hello').subarray(0, 12)],
];

for (const coding of ['gzip', 'deflate', 'br', 'zstd', 'identity', 'GZIP', 'x', 'gzip, deflate', '']) {
  table.push({
    name: `the content coding "${coding}", with inflate and without`,
    app: (express, ctx) => {
      const app = express()
        .use('/off', parser(express, 'text', { inflate: false }))
        .use(parser(express, 'text'));
      return finish(app, ctx);
    },
    requests: ['/', '/off'].flatMap((path) => CODED.map(([, body]) => post(body, 'text/plain', path, { 'Content-Encoding': coding }))),
  });
}

const many = (count: number, item: (index: number) => string): string => Array.from({ length: count }, (_, i) => item(i)).join('&');

const FORMS = [
  'a=1&b=2',
  'a[b]=1',
  'a[]=1&a[]=2',
  'a[1]=1',
  'a[99]=1',
  'a[100]=1',
  'a[101]=x',
  'a=1&a=2&a=3',
  'a',
  '=b',
  '&&&',
  'a.b=1',
  'a[b][c][d][e][f][g]=1',
  'hasOwnProperty=1',
  '__proto__[x]=1',
  'a%5Bb%5D=1',
  'a=%ff',
  'a=%',
  'a=+b',
  '[]=1',
  '[0]=a&[1]=b',
  'a[0]=b&a[x]=c',
  'a=1&a[b]=2',
  'utf8=%E2%9C%93&a=%C3%B8',
  'a=%26%239786%3B',
  'a[b=1',
  'a]b=1',
  '',
  many(130, (i) => `a[]=${i}`),
  many(1000, (i) => `a${i}=1`),
  many(1001, (i) => `a${i}=1`),
  `a${'[x]'.repeat(32)}=1`,
  `a${'[x]'.repeat(33)}=1`,
];

const FORM_OPTIONS: readonly (readonly [string, Options | undefined])[] = [
  ['no options', undefined],
  ['empty options', {}],
  ['extended true', { extended: true }],
  ['extended false', { extended: false }],
  ['extended null', { extended: null }],
  ['extended 0', { extended: 0 }],
  ['extended and at most 2 parameters', { extended: true, parameterLimit: 2 }],
  ['simple and at most 2 parameters', { extended: false, parameterLimit: 2 }],
  ['at most 1.5 parameters', { extended: true, parameterLimit: 1.5 }],
  ['any number of parameters', { extended: true, parameterLimit: Infinity }],
  ['a depth of 1', { extended: true, depth: 1 }],
  ['a depth of 0', { extended: true, depth: 0 }],
  ['simple and a depth of 0', { extended: false, depth: 0 }],
  ['options of version 5', { extended: true, charsetSentinel: true, interpretNumericEntities: true, defaultCharset: 'iso-8859-1' }],
  ['a limit of 3', { extended: true, limit: 3 }],
];

for (const [label, options] of FORM_OPTIONS) {
  parses(
    `urlencoded with ${label}`,
    (express) => [parser(express, 'urlencoded', options)],
    FORMS.map((body) => post(body, 'application/x-www-form-urlencoded')),
  );
}

const WRONG_OPTIONS: readonly Options[] = [
  { extended: true, parameterLimit: 0 },
  { extended: true, parameterLimit: 'x' },
  { extended: true, depth: -1 },
  { extended: true, depth: 'x' },
  { extended: true, parameterLimit: 'x', depth: 'x' },
  { extended: false, depth: -1 },
  { extended: false, parameterLimit: -1 },
  { extended: true, limit: 'x' },
  { extended: true, limit: {} },
  { extended: true, verify: 1 },
  { extended: true, limit: 'x', verify: 1, parameterLimit: 0 },
  { extended: true, type: '', defaultCharset: 'x' },
];

for (const options of WRONG_OPTIONS) {
  table.push(
    builds(`parsers take or refuse the options ${JSON.stringify(options)} as in Express 4`, (express, ctx) => {
      for (const name of ['json', 'raw', 'text', 'urlencoded'] as const) {
        ctx.attempt(name, () => {
          const { name: shown, length } = parser(express, name, options);
          return [shown, length];
        });
      }
    }),
  );
}

const next = (change: (req: Req & Parsed) => void): Handler => {
  return (req: Req, _res: Res, go: Next) => {
    change(req as Req & Parsed);
    go();
  };
};

const BEFORE: readonly (readonly [string, Handler])[] = [
  ['nothing before', next(() => undefined)],
  ['a body from before', next((req) => (req.body = { before: 1 }))],
  ['a falsy body from before', next((req) => (req.body = 0))],
  ['_body set before', next((req) => (req._body = true))],
  ['an encoding set on the stream', next((req) => req.setEncoding('utf8'))],
  [
    'a stream that was read before',
    (req: Req, _res: Res, go: Next) => {
      req.resume().on('end', () => setImmediate(go));
    },
  ],
];

for (const [label, before] of BEFORE) {
  parses(
    `several parsers after ${label}`,
    (express) => [
      before,
      parser(express, 'json'),
      parser(express, 'text'),
      parser(express, 'raw'),
      parser(express, 'urlencoded', { extended: false }),
      parser(express, 'json', { strict: false, type: () => true }),
    ],
    [
      post('{"a":1}', 'application/json'),
      post('text', 'text/plain'),
      post('bytes', 'application/octet-stream'),
      post('a=1', 'application/x-www-form-urlencoded'),
      post('"any"', 'x/y'),
      post('', 'text/plain'),
      'GET /',
    ],
  );
}

parses(
  'a parser whose verify throws, with and without a type of its own',
  (express) => [
    parser(express, 'raw', {
      type: () => true,
      verify: (_req: Req, _res: Res, body: Buffer) => {
        if (body.length > 3) throw Object.assign(new Error('too long for me'), body.length > 4 ? { type: 'mine', status: 402 } : {});
      },
    }),
  ],
  [post('abc', 'a/b'), post('abcd', 'a/b'), post('abcde', 'a/b')],
);

defineSuite(table, 'express4');
