/**
 * ctx.request: every getter and setter over the request target, the query, fields, freshness, content and
 * inspection.
 */
import { inspect } from 'node:util';
import type { RequestInput } from '../harness/case.ts';
import type { Ctx } from './api.ts';
import { handles, only2, only3, reads, serves, withHeaders, wrong } from './kit.ts';
import { defineKoaSuite, type KoaCase } from './suite.ts';

const TARGETS: readonly string[] = [
  '/',
  '/path',
  '/path/',
  '/a/b?x=1',
  '/?',
  '/??a=1',
  '/%20space%2Fslash',
  '//double',
  '///',
  '//host.test/path?x=1',
  '/a;b=c',
  '/a:b@c',
  '/a?b?c=d&e',
  'http://absolute.test/path?x=1',
  'HTTP://Absolute.TEST:81/Path',
  '/..%2f../x',
  '/a\\b',
  '/?a=b=c',
  '/%zz',
];

/**
 * Fulmar takes the host of an absolute target for that of the request, as RFC 9112 says, so both are the same
 * here.
 */
function get(target: string): RequestInput {
  const authority = /^https?:\/\/([^/]+)/i.exec(target)?.[1];
  return { path: target, ...(authority === undefined ? {} : { headers: { Host: authority } }) };
}

const QUERIES: readonly string[] = [
  '/?a=1',
  '/?a=1&a=2&a=3',
  '/?a',
  '/?a=',
  '/?=1',
  '/?&&',
  '/?a=%20+b',
  '/?a=%zz',
  '/?a[b]=c&a[]=d',
  '/?__proto__=x&constructor=y&toString=z',
  '/?__proto__=1&__proto__=2',
  '/?%C3%BC=%C3%A9',
  '/?a=%FF',
  '/?a=1;b=2',
  '/?hasOwnProperty=1',
];

/** Notes what an assignment does to everything made of the target. */
function sets(name: string, assign: (ctx: Ctx) => void, targets: readonly string[], extra = {}): KoaCase {
  const note = (ctx: Ctx): unknown => {
    assign(ctx);
    return [ctx.url, ctx.path, ctx.querystring, ctx.search, ctx.query, ctx.originalUrl, ctx.href, ctx.req.url];
  };
  return reads(name, note, targets.map(get), extra);
}

const METHODS = ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'POST', 'PATCH', 'PROPFIND', 'PURGE'];

defineKoaSuite([
  reads(
    'url and originalUrl are the request target',
    (ctx) => [ctx.url, ctx.originalUrl, ctx.request.url, ctx.request.originalUrl],
    TARGETS.map(get),
  ),
  reads('path is the pathname of the target', (ctx) => [ctx.path, ctx.request.path], TARGETS.map(get)),
  reads('querystring and search come from the target', (ctx) => [ctx.querystring, ctx.search], TARGETS.map(get)),
  reads('href is the whole address', (ctx) => [ctx.href, ctx.request.href], TARGETS.map(get)),
  reads('URL is parsed or empty', (ctx) => [ctx.URL, ctx.URL.pathname, ctx.URL.host, ctx.URL === ctx.request.URL], TARGETS.map(get)),
  reads(
    'URL of a malformed host is an object without prototype',
    (ctx) => {
      if (ctx.query['host'] !== undefined) ctx.req.headers.host = String(ctx.query['host']);
      return [ctx.URL, Object.getPrototypeOf(ctx.URL) === null];
    },
    ['GET /?host=a%20b', 'GET /?host=[::1', 'GET /?host=', { path: '/', noHost: true, version: '1.0' }],
  ),
  reads(
    'query is parsed',
    (ctx) => [ctx.query, Object.keys(ctx.query), Object.getPrototypeOf(ctx.query) === Object.prototype],
    QUERIES.map(get),
  ),
  reads(
    'query is the same object until the query string changes',
    (ctx) => {
      const first = ctx.query;
      first['added'] = 'kept';
      const same = ctx.query === first && ctx.request.query === first;
      ctx.querystring = 'b=2';
      const second = ctx.query;
      ctx.querystring = 'a=1';
      return [same, second, ctx.query === first, ctx.query];
    },
    ['GET /?a=1'],
  ),
  reads('query of an empty query string is an object that can be kept', (ctx) => {
    const first = ctx.query;
    return [first, ctx.query === first];
  }),
  sets('assigning url changes path and query, not originalUrl', (ctx) => (ctx.url = '/new?z=9'), ['/old?a=1', 'http://absolute.test/x?y']),
  sets('assigning an odd url is taken as it is', (ctx) => (ctx.url = 'no slash?q'), ['/old?a=1']),
  sets('assigning path keeps the query', (ctx) => (ctx.path = '/new'), ['/old?a=1', '/old', '/new?b=2', 'http://absolute.test/x?y']),
  sets('assigning a path with a question mark', (ctx) => (ctx.path = '/ne?w#x'), ['/old?a=1']),
  sets('assigning a path without a slash', (ctx) => (ctx.path = 'plain'), ['/old?a=1']),
  sets('assigning querystring replaces the query', (ctx) => (ctx.querystring = 'x=1&y=2'), ['/p?a=1', '/p', '/p?x=1&y=2']),
  sets('assigning an empty querystring', (ctx) => (ctx.querystring = ''), ['/p?a=1', '/p']),
  sets('assigning search with a question mark', (ctx) => (ctx.search = '?x=1'), ['/p?a=1', '/p']),
  sets('assigning search without a question mark', (ctx) => (ctx.search = 'x=1'), ['/p?a=1', '/p']),
  sets('assigning query makes a query string', (ctx) => (ctx.query = { a: '1', b: ['2', '3'], c: 'ü &' }), ['/p?old=1', '/p']),
  sets(
    'assigning query with values of all types',
    (ctx) => (ctx.query = { n: 1, t: true, u: undefined, z: null, o: { a: 1 }, e: [], m: [1, null, {}] }),
    ['/p'],
  ),
  sets('assigning an empty query', (ctx) => (ctx.query = {}), ['/p?a=1']),
  sets(
    'assigning null as query',
    (ctx) => {
      try {
        Reflect.set(ctx, 'query', null);
      } catch (error) {
        ctx['xError'] = error;
      }
    },
    ['/p?a=1'],
  ),
  serves(
    'the url seen by later middleware is the assigned one',
    (app) => {
      app.use(async (ctx, next) => {
        const { url } = ctx;
        ctx.url = ctx.url.replace('/api', '');
        await next();
        ctx.set('X-Inner', ctx.url);
        ctx.url = url;
      });
      app.use((ctx) => void (ctx.body = [ctx.path, ctx.query, ctx.originalUrl]));
    },
    ['GET /api/users?a=1', 'GET /other'],
  ),
  reads(
    'header and headers are those of the request',
    (ctx) => {
      const { header, headers } = ctx;
      return [header === headers, header === ctx.req.headers, ctx.request.header === header, { ...header }];
    },
    [withHeaders({ 'X-One': '1', Accept: 'a', ACCEPT: 'b' }), { path: '/', headers: { 'Set-Cookie': ['a', 'b'], 'X-Two': ['c', 'd'] } }],
  ),
  reads('header and headers of the request can be replaced', (ctx) => {
    ctx.request.header = { 'x-new': 'yes', host: 'other.test' };
    const first = [ctx.get('x-new'), ctx.host, ctx.headers === ctx.req.headers];
    ctx.request.headers = { 'x-new': 'again' };
    return [...first, ctx.get('X-New'), ctx.header];
  }),
  reads('header of the context cannot be replaced', (ctx) => {
    wrong(Reflect)['set']?.(ctx, 'header', {});
    return Object.keys(ctx.header);
  }),
  reads('get reads a field whatever its case', (ctx) => [ctx.get('X-One'), ctx.get('x-one'), ctx.request.get('X-ONE'), ctx.get('X-None')], [
    withHeaders({ 'X-One': 'value' }),
    withHeaders({ 'X-One': '' }),
  ]),
  reads('get knows both spellings of the referrer', (ctx) => [ctx.get('Referer'), ctx.get('referrer'), ctx.get('REFERRER')], [
    withHeaders({ Referer: 'http://a.test/' }),
    withHeaders({ Referrer: 'http://b.test/' }),
    withHeaders({ Referer: 'http://a.test/', Referrer: 'http://b.test/' }),
    'GET /',
  ]),
  reads('get refuses what is not text', (ctx) => wrong(ctx)['get']?.(undefined)),
  reads('get of a field that is a list', (ctx) => ctx.get('Set-Cookie'), [{ path: '/', headers: { 'Set-Cookie': ['a=1', 'b=2'] } }]),
  reads(
    'method can be read and assigned',
    (ctx) => {
      const was = [ctx.method, ctx.request.method];
      ctx.method = 'PUT';
      return [...was, ctx.method, ctx.req.method, ctx.idempotent];
    },
    ['GET /', 'POST /'],
  ),
  reads(
    'idempotent depends on the method',
    (ctx) => [ctx.method, ctx.idempotent, ctx.request.idempotent],
    METHODS.map((method) => `${method} /`),
  ),
  reads('an unknown method that is assigned is not idempotent', (ctx) => {
    ctx.method = 'get';
    return ctx.idempotent;
  }),
  reads('length is Content-Length as a number', (ctx) => ctx.request.length, [
    'GET /',
    { method: 'POST', body: 'four' },
    { method: 'POST', body: '' },
    { raw: 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n' },
  ]),
  reads('length of odd values', (ctx) =>
    ['', '12abc', 'abc', '0', '-1', ' 7', '1e3', '99999999999'].map((value) => {
      ctx.request.header = { 'content-length': value };
      return ctx.request.length;
    }),
  ),
  reads('type is the media type without parameters', (ctx) => ctx.request.type, [
    'GET /',
    withHeaders({ 'Content-Type': 'text/html' }),
    withHeaders({ 'Content-Type': 'text/html; charset=utf-8' }),
    withHeaders({ 'Content-Type': 'TEXT/Html ;a=b' }),
    withHeaders({ 'Content-Type': ';' }),
  ]),
  reads('charset is that of Content-Type', (ctx) => ctx.request.charset, [
    'GET /',
    withHeaders({ 'Content-Type': 'text/html' }),
    withHeaders({ 'Content-Type': 'text/html; charset=utf-8' }),
    withHeaders({ 'Content-Type': 'text/html; charset="ISO-8859-1"' }),
    withHeaders({ 'Content-Type': 'text/html; CHARSET=UTF-8' }),
    withHeaders({ 'Content-Type': 'nonsense; charset' }),
    withHeaders({ 'Content-Type': 'text/html; charset=' }),
  ]),
  handles(
    'fresh needs GET or HEAD and a status of success',
    (ctx, t) => {
      ctx.status = Number(ctx.query['status'] ?? 200);
      ctx.etag = 'tag';
      ctx.lastModified = new Date('2024-01-01T00:00:00Z');
      t.record(ctx.fresh, ctx.stale, ctx.request.fresh, ctx.request.stale);
      if (ctx.fresh) ctx.status = 304;
      ctx.body = 'content';
    },
    [
      'GET /',
      withHeaders({ 'If-None-Match': '"tag"' }),
      withHeaders({ 'If-None-Match': 'W/"tag"' }),
      withHeaders({ 'If-None-Match': '"other", "tag"' }),
      withHeaders({ 'If-None-Match': '*' }),
      withHeaders({ 'If-None-Match': '"other"' }),
      withHeaders({ 'If-None-Match': '"tag"', 'Cache-Control': 'no-cache' }),
      withHeaders({ 'If-Modified-Since': 'Mon, 01 Jan 2024 00:00:00 GMT' }),
      withHeaders({ 'If-Modified-Since': 'Sun, 31 Dec 2023 00:00:00 GMT' }),
      withHeaders({ 'If-Modified-Since': 'nonsense' }),
      withHeaders({ 'If-None-Match': '"tag"' }, '/', 'HEAD'),
      withHeaders({ 'If-None-Match': '"tag"' }, '/', 'POST'),
      withHeaders({ 'If-None-Match': '"tag"' }, '/?status=404'),
      withHeaders({ 'If-None-Match': '"tag"' }, '/?status=304'),
      withHeaders({ 'If-None-Match': '"tag"' }, '/?status=201'),
    ],
  ),
  reads('fresh before any answer is false', (ctx) => [ctx.status, ctx.fresh], [withHeaders({ 'If-None-Match': '*' })]),
  reads('socket is the one of the request', (ctx) => [
    ctx.socket === ctx.req.socket,
    ctx.request.socket === ctx.req.socket,
    ctx.response.socket === ctx.res.socket,
    ctx.socket.remoteAddress,
    ctx.socket.encrypted,
  ]),
  reads(
    'toJSON and inspect of a request',
    (ctx) => {
      const { request } = ctx;
      return [request.toJSON(), request.inspect(), inspect(request), JSON.parse(JSON.stringify(request))];
    },
    [withHeaders({ 'X-One': '1' }, '/a?b=1', 'POST')],
  ),
  reads('toJSON and inspect of a context', (ctx) => [ctx.toJSON(), ctx.inspect(), inspect(ctx)], ['GET /a?b=1'], { app: { env: 'e' } }),
  reads('a request whose req is gone', (ctx) => {
    const bare = Object.create(Object.getPrototypeOf(ctx.request) as object) as Record<string, unknown>;
    return [wrong(bare)['inspect']?.(), bare['querystring']];
  }),
  reads('accept can be replaced', (ctx) => {
    const { accept } = ctx;
    const same = ctx.accept === accept && ctx.request.accept === accept;
    ctx.accept = { types: (...names) => `asked for ${names.join()}` };
    return [same, ctx.accepts('a', 'b'), ctx.request.accepts('c')];
  }),
  reads(
    'origin is the Origin field in Koa 3',
    (ctx) => [ctx.origin, ctx.request.origin],
    ['GET /', withHeaders({ Origin: 'http://o.test' }), withHeaders({ Origin: 'null' })],
    only3,
  ),
  reads(
    'origin is protocol and host in Koa 2',
    (ctx) => [ctx.origin, ctx.request.origin],
    ['GET /', withHeaders({ Origin: 'http://o.test' })],
    only2,
  ),
  reads(
    'memoizedURL is kept and honoured',
    (ctx) => {
      const first = ctx.URL;
      ctx.url = '/changed';
      const same = ctx.URL === first;
      Reflect.set(ctx.request, 'memoizedURL', new URL('http://memo.test/'));
      return [same, ctx.URL.href];
    },
    ['GET /first'],
  ),
  reads('a changed originalUrl changes href', (ctx) => {
    ctx.originalUrl = '/on-the-context';
    ctx.request.originalUrl = '/on-the-request';
    return [ctx.href, ctx.URL.href];
  }),
]);
