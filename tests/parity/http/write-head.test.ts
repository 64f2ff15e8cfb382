/** Status line and `writeHead`: forms, merging, reasons, errors, replies without content, interim replies. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CaseContext, ParityCase } from '../harness/case.ts';
import { defineSuite } from '../harness/suite.ts';

type Handler = (res: ServerResponse, ctx: CaseContext, req: IncomingMessage) => void;
const one = (name: string, handler: Handler, requests: ParityCase['requests'] = ['GET /']): ParityCase => ({
  name,
  server: (http, ctx) => http.createServer((req, res) => handler(res, ctx, req)),
  requests,
});
const loose = (res: ServerResponse): Record<string, (...args: unknown[]) => unknown> =>
  res as unknown as Record<string, (...args: unknown[]) => unknown>;

const statuses = [200, 201, 202, 204, 205, 206, 300, 304, 400, 404, 418, 451, 500, 503, 599, 299, 999];
const EMPTY_REASONS: readonly (readonly [form: string, fields: readonly unknown[]])[] = [
  ['alone', []],
  ['and an object', [{ 'X-A': '1' }]],
  ['and a flat array', [['X-A', '1', 'x-b', '2']]],
  ['and an empty object', [{}]],
  ['and undefined', [undefined]],
  ['and Connection: close', [{ Connection: 'close' }]],
];

defineSuite([
  one('writeHead returns the response and sets status, reason and fields', (res, ctx) => {
    ctx.record(res.writeHead(201, 'Made', { 'X-A': '1' }) === res, res.statusCode, res.statusMessage, res.headersSent);
    res.end('x');
  }),
  one('writeHead without reason uses the standard phrase', (res, ctx) => {
    res.writeHead(404, { 'x-a': '1' });
    ctx.record(res.statusMessage);
    res.end('x');
  }),
  ...EMPTY_REASONS.map(([form, fields]) =>
    one(
      `writeHead with an empty reason ${form}`,
      (res, ctx, req) => {
        if (req.url === '/stored') res.setHeader('X-S', '1');
        if (req.url === '/own') res.statusMessage = 'Own';
        loose(res)['writeHead']?.(req.url === '/204' ? 204 : req.url === '/404' ? 404 : 200, '', ...fields);
        ctx.record(res.statusMessage, (res as unknown as { _header: string })._header.split('\r\n')[0]);
        if (req.url === '/large') return void res.end('x'.repeat(100_000));
        if (req.url === '/stream') res.write('a');
        res.end(req.url === '/empty' ? undefined : 'x');
      },
      [
        'GET /',
        'HEAD /',
        'GET /204',
        'HEAD /204',
        'GET /404',
        'GET /stored',
        'GET /own',
        'GET /large',
        'GET /stream',
        'HEAD /stream',
        'GET /empty',
      ],
    ),
  ),
  one(
    'an empty reason does not reach the replies packed beside it',
    (res, _ctx, req) => {
      if (req.url === '/1') res.writeHead(200, 'One');
      else if (req.url === '/2') res.writeHead(200, '');
      res.end(req.url);
    },
    [
      {
        raw: ['/1', '/2', '/3', '/1'].map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''),
        methods: ['GET', 'GET', 'GET', 'GET'],
      },
    ],
  ),
  one(
    'an empty statusMessage is replaced by the standard phrase',
    (res, ctx, req) => {
      res.statusMessage = '';
      if (req.url === '/head') res.writeHead(404);
      ctx.record(res.statusMessage);
      res.end('x');
    },
    ['GET /', 'GET /head', 'HEAD /'],
  ),
  one('writeHead then end is chunked, as the length was not known', (res) => void res.writeHead(200).end('hello')),
  one('writeHead takes a flat array', (res) => void res.writeHead(200, ['X-A', '1', 'x-a', '2', 'Content-Length', '2']).end('ok')),
  one('writeHead takes an array of pairs', (res) => {
    loose(res)['writeHead']?.(200, [
      ['X-A', '1'],
      ['X-B', '2'],
    ]);
    res.end('ok');
  }),
  one('writeHead refuses an odd array', (res, ctx) => {
    ctx.attempt('odd', () => loose(res)['writeHead']?.(200, ['a']));
    res.end();
  }),
  one('writeHead after setHeader merges and overrides', (res) => {
    res.setHeader('A', '1').setHeader('B', '2');
    res.writeHead(200, { b: '3', C: '4' });
    res.end('x');
  }),
  one('writeHead with an array after setHeader keeps explicit duplicates', (res) => {
    res.setHeader('A', '1').setHeader('B', '2');
    res.writeHead(200, ['B', '3', 'B', '4', 'C', '5']);
    res.end('x');
  }),
  one('writeHead after setHeader refuses an odd array', (res, ctx) => {
    res.setHeader('a', '1');
    ctx.attempt('odd', () => loose(res)['writeHead']?.(200, ['a']));
    res.end();
  }),
  one('fields given to writeHead alone are not stored', (res, ctx) => {
    res.writeHead(200, { 'X-A': '1' });
    ctx.record(res.getHeader('x-a'), res.getHeaderNames());
    res.end();
  }),
  one('writeHead checks names and values', (res, ctx) => {
    ctx.attempt('name', () => loose(res)['writeHead']?.(200, { 'a b': 'x' }));
    ctx.attempt('value', () => loose(res)['writeHead']?.(200, { a: 'x\r\ny' }));
    ctx.attempt('undefined', () => loose(res)['writeHead']?.(200, { a: undefined }));
    ctx.attempt('list', () => loose(res)['writeHead']?.(200, { a: ['ok', 'x\n'] }));
    res.end();
  }),
  one('statuses outside 100 to 999 are refused', (res, ctx) => {
    for (const status of [0, 99, 1000, -1, NaN, undefined, null, 'x', {}, Infinity])
      ctx.attempt(String(status), () => loose(res)['writeHead']?.(status));
    res.end();
  }),
  one('a status is cut to an integer', (res) => {
    loose(res)['writeHead']?.('202');
    res.end();
  }),
  one('an invalid statusCode is refused at the end', (res, ctx) => {
    res.statusCode = 42;
    ctx.attempt('end', () => res.end('x'));
    res.statusCode = 200;
    res.end('x');
  }),
  one('a reason with line breaks is refused', (res, ctx) => {
    ctx.attempt('reason', () => res.writeHead(200, 'a\r\nb'));
    res.statusMessage = 'snow \u2603';
    ctx.attempt('message', () => res.writeHead(200));
    res.statusMessage = 'fine';
    res.end();
  }),
  one('statusMessage is sent', (res) => {
    res.statusCode = 404;
    res.statusMessage = 'Nope';
    res.end('x');
  }),
  one('writeHead twice is refused', (res, ctx) => {
    res.writeHead(200);
    ctx.attempt('again', () => res.writeHead(200));
    res.end();
  }),
  ...statuses.map((status) =>
    one(
      `status ${status} is sent with its phrase and framing`,
      (res) => {
        res.statusCode = status;
        res.end('content');
      },
      ['GET /', 'GET /'],
    ),
  ),
  one(
    '1xx as final status has no content',
    (res) => {
      res.statusCode = 199;
      res.end('x');
    },
    [{ raw: 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', methods: ['HEAD'] }],
  ),
  one(
    '204 and 304 with chunked close the connection',
    (res, _ctx, req) => {
      res.writeHead(req.url === '/204' ? 204 : 304, { 'Transfer-Encoding': 'chunked' });
      res.end();
    },
    ['GET /204', 'GET /304'],
  ),
  one(
    '204 keeps a Content-Length the application set',
    (res) => {
      res.writeHead(204, { 'Content-Length': '0' });
      res.end();
    },
    ['GET /', 'GET /'],
  ),
  one(
    'HEAD has no content',
    (res, _ctx, req) => {
      if (req.url === '/write') res.write('a');
      res.end('hello');
    },
    ['HEAD /end', 'HEAD /write', 'GET /end'],
  ),
  one('HEAD keeps the declared length', (res) => void res.writeHead(200, { 'Content-Length': 5 }).end('hello'), ['HEAD /', 'GET /']),
  one(
    'HEAD writes call back',
    (res, ctx) => {
      const done = ctx.pending();
      ctx.record(
        res.write('x', () => {
          ctx.record('called');
          done();
        }),
      );
      res.end();
    },
    ['HEAD /'],
  ),
  {
    name: 'rejectNonStandardBodyWrites refuses content where none may be',
    server: (http, ctx) =>
      http.createServer({ rejectNonStandardBodyWrites: true }, (_req, res) => {
        ctx.attempt('write', () => res.write('x'));
        ctx.attempt('end', () => res.end('x'));
        if (!res.writableEnded) res.end();
      }),
    requests: ['HEAD /'],
  },
  one('writeContinue, writeProcessing and early hints come before the reply', (res) => {
    res.writeContinue();
    res.writeProcessing();
    res.writeEarlyHints({ link: '</a.css>; rel=preload; as=style', 'x-trace': '1' });
    res.writeEarlyHints({ link: ['</a.css>; rel=preload; as=style', '</b.js>; rel=preload; as=script'] });
    res.end('x');
  }),
  one('early hints check their fields', (res, ctx) => {
    ctx.attempt('bad link', () => res.writeEarlyHints({ link: 'bad' }));
    ctx.attempt('no link', () => res.writeEarlyHints({ 'x-a': '1' }));
    ctx.attempt('null', () => loose(res)['writeEarlyHints']?.(null));
    ctx.attempt('string', () => loose(res)['writeEarlyHints']?.('x'));
    ctx.attempt('empty', () => res.writeEarlyHints({ link: [] }));
    res.end('x');
  }),
  one('interim replies call back', (res, ctx) => {
    const done = ctx.pending();
    res.writeEarlyHints({ link: '</a.css>; rel=preload' }, () => {
      ctx.record('called');
      res.end('x');
      done();
    });
  }),
  one('writeInformation exists where Node has it', (res, ctx) => {
    const method = loose(res)['writeInformation'];
    ctx.record(typeof method);
    if (method !== undefined) {
      for (const status of [101, 99, 200, 'x']) ctx.attempt(String(status), () => method.call(res, status));
      method.call(res, 110, { 'X-A': '1' });
      method.call(res, 103, ['X-B', '2']);
    }
    res.end('x');
  }),
  one('_header tells whether the head is decided', (res, ctx) => {
    const header = (): unknown => (res as unknown as { _header: unknown })._header;
    ctx.record(header(), res.headersSent);
    res.sendDate = false;
    res.removeHeader('connection');
    res.writeHead(200, { a: 'b', 'content-length': 1 });
    ctx.record(header(), res.headersSent);
    res.end('x');
  }),
  one(
    'overridden writeHead is called by end, write and flushHeaders',
    (res, ctx, req) => {
      const { writeHead } = res;
      res.writeHead = function patched(this: ServerResponse, ...args: unknown[]) {
        ctx.record('writeHead', ...args);
        this.setHeader('X-Late', '1');
        return (writeHead as (...all: unknown[]) => ServerResponse).apply(this, args);
      } as typeof res.writeHead;
      if (req.url === '/write') res.write('a');
      if (req.url === '/flush') res.flushHeaders();
      res.end('b');
    },
    ['GET /end', 'GET /write', 'GET /flush'],
  ),
  one('overridden end and write see what the handler passes', (res, ctx) => {
    const { end, write } = res;
    res.write = function patched(this: ServerResponse, ...args: unknown[]) {
      ctx.record('write', ...args);
      return (write as (...all: unknown[]) => boolean).apply(this, args);
    } as typeof res.write;
    res.end = function patched(this: ServerResponse, ...args: unknown[]) {
      ctx.record('end', ...args);
      return (end as (...all: unknown[]) => ServerResponse).apply(this, args);
    } as typeof res.end;
    res.write('a');
    res.end('b');
  }),
]);
