/**
 * Header fields of a reply: setting, reading, removing, merging, errors. Compared on node:http and
 * fulmar/http.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CaseContext, ParityCase } from '../harness/case.ts';
import { defineSuite } from '../harness/suite.ts';

type Handler = (res: ServerResponse, ctx: CaseContext, req: IncomingMessage) => void;

/** A server with one handler, asked once. */
const one = (name: string, handler: Handler, request: ParityCase['requests'] = ['GET /']): ParityCase => ({
  name,
  server: (http, ctx) => http.createServer((req, res) => handler(res, ctx, req)),
  requests: request,
});

const loose = (res: ServerResponse): Record<string, (...args: unknown[]) => unknown> =>
  res as unknown as Record<string, (...args: unknown[]) => unknown>;

defineSuite([
  one('setHeader keeps the spelling and the order of first setting', (res) => {
    res.setHeader('X-First', '1');
    res.setHeader('x-second', '2');
    res.setHeader('X-FIRST', '3');
    res.end('ok');
  }),
  one('setHeader returns the response', (res, ctx) => {
    ctx.record(res.setHeader('a', 'b') === res);
    res.end();
  }),
  one('getHeader, hasHeader and names ignore case', (res, ctx) => {
    res.setHeader('X-Name', ['a', 'b']).setHeader('Content-Type', 'text/plain').setHeader('x-number', 5);
    ctx.record(
      res.getHeader('x-name'),
      res.getHeader('X-NUMBER'),
      res.getHeader('none'),
      res.hasHeader('CONTENT-type'),
      res.hasHeader('no'),
    );
    ctx.record(res.getHeaderNames(), res.getHeaders(), loose(res)['getRawHeaderNames']?.());
    res.end();
  }),
  one('getHeaders has no prototype and is a copy', (res, ctx) => {
    res.setHeader('a', '1');
    const headers = res.getHeaders();
    headers['b'] = '2';
    ctx.record(Object.getPrototypeOf(headers), res.getHeaderNames());
    res.end();
  }),
  one('hundreds of fields keep their order, values and spelling whatever is set, removed and set again', (res, ctx) => {
    const names = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, i) => `X-${from + i}`);
    for (const name of names(0, 300)) res.setHeader(name, name);
    for (const name of names(10, 200)) res.removeHeader(name.toLowerCase());
    for (const name of names(5, 20)) res.setHeader(name.toLowerCase(), 'again');
    for (const name of names(195, 310)) res.appendHeader(name, 'more');
    for (const name of names(0, 320)) ctx.record(res.getHeader(name), res.hasHeader(name));
    ctx.record(res.getHeaderNames());
    res.end();
  }),
  one('removeHeader forgets a field, and a later set goes to the end', (res, ctx) => {
    res.setHeader('a', '1').setHeader('b', '2');
    ctx.record(res.removeHeader('A'));
    res.setHeader('a', '3');
    res.end();
  }),
  one('removing Connection, Content-Length, Transfer-Encoding and Date changes what is added', (res) => {
    for (const name of ['connection', 'content-length', 'date']) res.removeHeader(name);
    res.end('x');
  }),
  one('removing Date leaves it out', (res) => {
    res.removeHeader('Date');
    res.end('x');
  }),
  one(
    'removing Connection keeps the connection open',
    (res) => {
      res.removeHeader('Connection');
      res.end('x');
    },
    ['GET /', 'GET /'],
  ),
  one('removing Content-Length makes the reply chunked', (res) => {
    res.removeHeader('Content-Length');
    res.end('x');
  }),
  one('removing Content-Length and Transfer-Encoding ends the reply with the connection', (res) => {
    res.removeHeader('Content-Length');
    res.removeHeader('Transfer-Encoding');
    res.end('x');
  }),
  one('sendDate = false leaves Date out', (res) => {
    res.sendDate = false;
    res.end('x');
  }),
  one('a Date set by the application stays', (res) => {
    res.setHeader('Date', 'yesterday');
    res.end('x');
  }),
  one('appendHeader makes and extends lists', (res, ctx) => {
    res.appendHeader('a', '1').appendHeader('A', '2').appendHeader('a', ['3', '4']);
    ctx.record(res.getHeader('a'));
    res.appendHeader('set-cookie', ['x=1', 'y=2']);
    res.end();
  }),
  one('setHeaders takes Headers and Map', (res, ctx) => {
    const headers = new Headers({ foo: '1', bar: '2' });
    headers.append('set-cookie', 'a=1');
    headers.append('set-cookie', 'b=2');
    ctx.record(res.setHeaders(headers) === res);
    res.setHeaders(new Map([['baz', '3']]));
    res.end();
  }),
  one('setHeaders refuses other things', (res, ctx) => {
    for (const value of [{}, [], null, undefined, 'x', 5]) ctx.attempt(String(value), () => loose(res)['setHeaders']?.(value));
    res.end();
  }),
  one('list values become several field lines', (res) => {
    res.setHeader('X-List', ['a', 'b', 'c']);
    res.setHeader('Cookie', ['a=1', 'b=2']);
    res.setHeader('Set-Cookie', ['c=1', 'd=2']);
    res.setHeader('X-One', ['only']);
    res.setHeader('X-None', []);
    res.end();
  }),
  one('invalid names are refused', (res, ctx) => {
    for (const name of ['', 'a b', 'a:b', 'ä', 'a\r\nb', '(x)', undefined, null, 5, {}]) {
      ctx.attempt(`setHeader ${String(name)}`, () => loose(res)['setHeader']?.(name, 'x'));
      ctx.attempt(`appendHeader ${String(name)}`, () => loose(res)['appendHeader']?.(name, 'x'));
    }
    res.end();
  }),
  one('invalid values are refused', (res, ctx) => {
    for (const value of [undefined, 'a\r\nb', 'a\nb', 'a\0b', 'snow \u2603', '\x7f', ['ok', 'a\rb']]) {
      ctx.attempt(`setHeader ${String(value)}`, () => loose(res)['setHeader']?.('x', value));
      ctx.attempt(`appendHeader ${String(value)}`, () => loose(res)['appendHeader']?.('y', value));
    }
    ctx.record(res.getHeaderNames());
    res.removeHeader('x');
    res.removeHeader('y');
    res.end();
  }),
  one('long invalid values are refused too', (res, ctx) => {
    const long = 'x'.repeat(200);
    ctx.attempt('newline', () => res.setHeader('a', `${long}\n`));
    ctx.attempt('snowman', () => res.setHeader('a', `${long}\u2603`));
    ctx.attempt('latin1', () => void res.setHeader('a', `${long}\xe9`));
    res.end(Buffer.from('b'));
  }),
  one('values of other types are written as text', (res) => {
    for (const [name, value] of Object.entries({ number: 5, float: 1.5, true: true, null: null, object: {}, date: new Date(0), big: 7n })) {
      loose(res)['setHeader']?.(name, value);
    }
    res.end();
  }),
  one('tabs and latin1 values pass', (res) => {
    res.setHeader('a', 'tab\there');
    res.setHeader('b', 'caf\xe9');
    res.end();
  }),
  one(
    'latin1 values before a string go out as UTF-8, before bytes as latin1',
    (res, _ctx, req) => {
      res.setHeader('b', 'caf\xe9');
      res.end(req.url === '/s' ? 'text' : Buffer.from('bytes'));
    },
    ['GET /s', 'GET /b'],
  ),
  one(
    'Content-Disposition is read again as UTF-8 when the length is known',
    (res, _ctx, req) => {
      res.setHeader('Content-Disposition', `attachment; filename="${Buffer.from('ü').toString('latin1')}"`);
      res.end(req.url === '/s' ? 'text' : Buffer.from('bytes'));
    },
    ['GET /s', 'GET /b'],
  ),
  one('get, has and remove want a string', (res, ctx) => {
    for (const method of ['getHeader', 'hasHeader', 'removeHeader']) {
      for (const name of [undefined, null, 5, {}]) ctx.attempt(`${method} ${String(name)}`, () => loose(res)[method]?.(name));
    }
    res.end();
  }),
  one('after the head is sent fields cannot change', (res, ctx) => {
    res.setHeader('a', '1');
    res.flushHeaders();
    ctx.record(res.headersSent, res.getHeader('a'), res.getHeaderNames());
    ctx.attempt('set', () => res.setHeader('b', '2'));
    ctx.attempt('append', () => res.appendHeader('b', '2'));
    ctx.attempt('remove', () => res.removeHeader('a'));
    ctx.attempt('setHeaders', () => res.setHeaders(new Map([['x', 'y']])));
    ctx.attempt('writeHead', () => res.writeHead(200));
    res.end();
  }),
  one('names that look like numbers come first', (res, ctx) => {
    res.setHeader('b', '1').setHeader('10', '2').setHeader('2', '3');
    ctx.record(res.getHeaderNames(), Object.keys(res.getHeaders()));
    res.end();
  }),
  one('names of Object.prototype are plain names', (res, ctx) => {
    ctx.record(res.hasHeader('constructor'), res.getHeader('__proto__'), res.getHeader('toString'));
    res.setHeader('constructor', 'c').setHeader('toString', 't');
    ctx.record(res.getHeaderNames());
    res.end();
  }),
  one('Connection: close set by the application closes', (res) => {
    res.setHeader('Connection', 'close');
    res.end('x');
  }),
  one('Connection: Close in a list closes', (res) => {
    res.setHeader('Connection', ['x', 'Close']);
    res.end('x');
  }),
  one(
    'another Connection value is kept and the connection stays',
    (res) => {
      res.setHeader('Connection', 'x-thing');
      res.end('x');
    },
    ['GET /', 'GET /'],
  ),
  one('a Keep-Alive field of the application replaces the hint', (res) => {
    res.setHeader('Keep-Alive', 'timeout=1');
    res.end('x');
  }),
  one('shouldKeepAlive = false closes', (res) => {
    res.shouldKeepAlive = false;
    res.end('x');
  }),
  one('Transfer-Encoding set by the application is chunked once', (res) => {
    res.setHeader('Transfer-Encoding', 'chunked');
    res.write('a');
    res.end('b');
  }),
  one(
    'Content-Length set by the application is used for streamed content',
    (res) => {
      res.setHeader('Content-Length', 4);
      res.write('ab');
      res.end('cd');
    },
    ['GET /', 'GET /'],
  ),
  one('Trailer without chunked is refused', (res, ctx) => {
    res.setHeader('Trailer', 'x');
    res.setHeader('Content-Length', 1);
    ctx.attempt('end', () => res.end('x'));
    ctx.record(res.headersSent);
    res.removeHeader('Trailer');
    res.end('x');
  }),
  {
    name: 'uniqueHeaders joins lists with semicolons',
    server: (http) =>
      http.createServer({ uniqueHeaders: ['x-one'] }, (_req, res) => {
        res.setHeader('X-One', ['a', 'b']);
        res.setHeader('X-Two', ['a', 'b']);
        res.end();
      }),
    requests: ['GET /'],
  },
]);
