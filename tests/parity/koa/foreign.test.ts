/**
 * Koa on objects it did not make: HTTP/2, injected requests, servers of the other module, shared and extended
 * prototypes.
 */
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import { createServer as createNodeServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { App, Ctx, KoaModule } from './api.ts';
import { builds, handles, load, once, plays, serves, wrong } from './kit.ts';
import type { Version } from './sides.ts';
import { type Client, defineKoaSuite, type KoaCase } from './suite.ts';

interface Injected {
  readonly statusCode: number;
  readonly statusMessage: string;
  readonly headers: Record<string, unknown>;
  readonly payload: string;
}
const inject = load<(listener: unknown, options: object) => Promise<Injected>>('light-my-request');

interface Answer {
  readonly headers: Record<string, unknown>;
  readonly body: string;
}

/** One request over HTTP/2. */
function ask(port: number, headers: Record<string, string>, content?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    session.on('error', reject);
    const stream = session.request({ ':authority': 'h2.test', ...headers });
    let found: Record<string, unknown> = {};
    let body = '';
    const finish = (): void => {
      session.destroy();
      delete found['date'];
      resolve({ headers: found, body });
    };
    stream.on('response', (given) => {
      found = { ...given };
      if (headers[':method'] === 'HEAD') finish();
    });
    stream.setEncoding('utf8').on('data', (part: string) => (body += part));
    stream.on('error', reject);
    stream.on('end', finish);
    stream.end(content);
  });
}

type Build = (app: App, client: Client) => void;

type Asked = readonly Record<string, string>[];

function http2(
  name: string,
  build: Build,
  asked: Asked,
  extra: { readonly content?: string; readonly versions?: readonly Version[] } = {},
): KoaCase {
  const { content, ...rest } = extra;
  const play = async (Koa: KoaModule, client: Client): Promise<void> => {
    const app = new Koa();
    build(app, client);
    const server = createHttp2Server(app.callback() as never).listen(0, '127.0.0.1');
    await once(server, 'listening');
    for (const headers of asked) client.record(await ask((server.address() as AddressInfo).port, headers, content));
    server.close();
    await once(server, 'close');
  };
  return plays(name, play, rest);
}

function injects(name: string, build: Build, requests: readonly object[]): KoaCase {
  return plays(name, async (Koa: KoaModule, client: Client) => {
    const app = new Koa();
    build(app, client);
    for (const request of requests) {
      const { statusCode, statusMessage, headers, payload } = await inject(app.callback(), request);
      delete headers['date'];
      client.record(statusCode, statusMessage, headers, payload);
    }
  });
}

const GET = { ':path': '/p?a=1' };

defineKoaSuite([
  http2(
    'an HTTP/2 request is answered',
    (app) => app.use((ctx) => void (ctx.body = [ctx.path, ctx.query, ctx.method, ctx.host, ctx.href])),
    [GET, { ':path': '/', host: 'other.test' }],
  ),
  http2(
    'an HTTP/2 reply has no message',
    (app, t) =>
      app.use((ctx) => {
        ctx.status = 201;
        t.record(ctx.status, ctx.req.httpVersionMajor);
      }),
    [GET],
  ),
  http2('an HTTP/2 404 is answered with its number', () => undefined, [GET]),
  // Koa 2 does not end a reply that cannot be written any more, and HTTP/2 replies to HEAD are such.
  http2('an HTTP/2 HEAD is answered', (app) => app.use((ctx) => void (ctx.body = 'text')), [{ ...GET, ':method': 'HEAD' }], {
    versions: [3],
  }),
  http2(
    'an HTTP/2 error is answered',
    (app, t) => {
      app.on('error', (error) => t.record(error));
      app.use((ctx) => ctx.throw(418, 'teapot', { headers: { 'x-a': '1' } }));
    },
    [GET],
  ),
  http2(
    'an HTTP/2 stream is sent',
    (app) => app.use((ctx) => void (ctx.body = load<typeof import('node:stream')>('node:stream').Readable.from(['a', 'b']))),
    [GET],
  ),
  http2(
    'HTTP/2 JSON, text, buffer and empty replies',
    (app) =>
      app.use((ctx) => {
        ctx.body = ctx.path === '/json' ? { a: 1 } : ctx.path === '/text' ? 'text' : ctx.path === '/buffer' ? Buffer.from('b') : null;
      }),
    ['/json', '/text', '/buffer', '/null'].map((path) => ({ ':path': path })),
  ),
  http2(
    'HTTP/2 cookies and fields',
    (app, t) =>
      app.use((ctx) => {
        t.record(ctx.cookies.get('a'), ctx.get('x-one'), ctx.header[':authority'], ctx.secure, ctx.ip);
        ctx.cookies.set('b', '2');
        ctx.set('X-Two', '2');
        ctx.redirect('/there');
      }),
    [{ ...GET, cookie: 'a=1', 'x-one': '1' }],
  ),
  http2(
    'HTTP/2 content is read',
    (app) =>
      app.use(async (ctx) => {
        let text = '';
        for await (const part of ctx.req) text += String(part);
        ctx.body = text;
      }),
    [{ ':path': '/', ':method': 'POST' }],
    { content: 'content over HTTP/2' },
  ),
  injects(
    'injected requests are answered',
    (app) => app.use((ctx) => void (ctx.body = { path: ctx.path, query: ctx.query, host: ctx.host, ip: ctx.ip })),
    [
      { method: 'GET', url: '/a?b=c' },
      { method: 'HEAD', url: '/' },
      { method: 'GET', url: 'http://inject.test/x', remoteAddress: '203.0.113.9' },
    ],
  ),
  injects(
    'injected requests see status, fields and errors',
    (app, t) => {
      app.on('error', (error) => t.record(error));
      app.use((ctx) => {
        ctx.set('X-One', '1');
        if (ctx.path === '/throw') ctx.throw(400, 'bad');
        if (ctx.path === '/204') ctx.status = 204;
        if (ctx.path === '/redirect') ctx.redirect('/x');
        if (ctx.path === '/buffer') ctx.body = Buffer.from('bytes');
      });
    },
    ['/throw', '/204', '/redirect', '/buffer', '/missing'].map((url) => ({ method: 'GET', url })),
  ),
  injects(
    'injected content is read and streams are collected',
    (app) =>
      app.use(async (ctx) => {
        let text = '';
        for await (const part of ctx.req) text += String(part);
        ctx.body = load<typeof import('node:stream')>('node:stream').Readable.from(['got ', text]);
      }),
    [
      { method: 'POST', url: '/', payload: { a: 1 } },
      { method: 'POST', url: '/', payload: 'text' },
    ],
  ),
  plays('the callback works on a server of node:http', async (Koa, client) => {
    const app = new Koa().use((ctx) => {
      ctx.set('X-Node', String(ctx.res instanceof load<typeof import('node:http')>('node:http').ServerResponse));
      ctx.body = { path: ctx.path, ip: ctx.ip };
    });
    const server = createNodeServer(app.callback() as never).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const reply = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/n`);
    client.record(reply.status, [...reply.headers.keys()], await reply.text());
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }),
  {
    name: 'the callback is one of several request listeners',
    program: (Koa, t) => {
      const listener = new Koa().use((ctx) => void (ctx.body = 'koa')).callback();
      const server = t.http.createServer();
      server.on('request', (req, res) => {
        t.record('first', req.url);
        res.setHeader('X-First', '1');
      });
      server.on('request', listener as never);
      return server;
    },
    requests: ['GET /', 'GET /2'],
  },
  {
    name: 'the callback behind another listener that has changed request and response',
    program: (Koa, t) => {
      const listener = new Koa()
        .use((ctx) => {
          t.record(ctx.url, ctx.originalUrl, ctx.status, Reflect.get(ctx.req, 'originalUrl'));
          ctx.body = ctx.path;
        })
        .callback();
      return (req, res) => {
        Reflect.set(req, 'originalUrl', req.url);
        req.url = '/rewritten';
        res.statusCode = 202;
        void listener(req, res);
      };
    },
    requests: ['GET /original'],
  },
  {
    name: 'a response whose end, write and writeHead were replaced before Koa is called through them',
    program: (Koa, t) => {
      const listener = new Koa().use((ctx) => void (ctx.body = ctx.path === '/json' ? { a: 1 } : 'text')).callback();
      return (req, res) => {
        const { end, writeHead } = res;
        res.end = ((...args: unknown[]) => {
          t.record('end', args.length, typeof args[0], res.getHeader('content-length'));
          return (end as (...all: unknown[]) => unknown).apply(res, args);
        }) as typeof res.end;
        res.writeHead = ((...args: unknown[]) => {
          t.record('writeHead', ...args);
          return (writeHead as (...all: unknown[]) => unknown).apply(res, args);
        }) as typeof res.writeHead;
        void listener(req, res);
      };
    },
    requests: ['GET /text', 'GET /json', 'HEAD /text'],
  },
  serves(
    'properties and methods added to app.context, request and response are found',
    (app) => {
      Reflect.set(app.context, 'xGreet', function xGreet(this: Ctx, name: string) {
        return `${name} at ${this.path}`;
      });
      Object.defineProperty(app.request, 'xShout', { get: (): string => 'shouted', configurable: true });
      Reflect.set(app.response, 'xSend', function xSend(this: { body: unknown }, body: unknown) {
        this.body = body;
      });
      app.use((ctx) => wrong(ctx.response)['xSend']?.([wrong(ctx)['xGreet']?.('hello'), Reflect.get(ctx.request, 'xShout')]));
    },
    ['GET /a'],
  ),
  serves(
    'getters redefined on app.context and app.request win',
    (app) => {
      Object.defineProperty(app.context, 'path', { get: () => '/redefined' });
      Object.defineProperty(app.request, 'ip', { get: () => '192.0.2.7' });
      Object.defineProperty(app.request, 'method', { get: () => 'PATCH', set() {} });
      app.use((ctx) => void (ctx.body = [ctx.path, ctx.request.path, ctx.ip, ctx.method, ctx.idempotent]));
    },
    ['GET /a'],
  ),
  serves(
    'a method redefined on app.response is called by the others',
    (app, t) => {
      const original = app.response.set;
      app.response.set = function set(this: App['response'], ...args: Parameters<typeof original>) {
        t.record('set', ...args);
        return original.apply(this, args);
      };
      app.use((ctx) => {
        ctx.type = 'html';
        ctx.etag = 'x';
        ctx.body = 'text';
        ctx.redirect('/there');
      });
    },
    ['GET /'],
  ),
  serves(
    'a body setter redefined on app.response is used by ctx.body',
    (app) => {
      const proto = Object.getPrototypeOf(app.response) as object;
      const found = Object.getOwnPropertyDescriptor(proto, 'body');
      Object.defineProperty(app.response, 'body', {
        configurable: true,
        get(this: App['response']) {
          return found?.get?.call(this) as unknown;
        },
        set(this: App['response'], value: unknown) {
          found?.set?.call(this, { wrapped: value });
        },
      });
      app.use((ctx) => void (ctx.body = 'x'));
    },
    ['GET /', 'HEAD /'],
  ),
  serves(
    'an onerror redefined on app.context answers errors',
    (app) => {
      app.context.onerror = function onerror(this: Ctx, error?: unknown) {
        if (error === null || error === undefined) return;
        this.res.statusCode = 599;
        this.res.end(`own: ${String((error as Error).message)}`);
      };
      app.use((ctx) => ctx.throw(404, 'lost'));
    },
    ['GET /'],
  ),
  serves(
    'app.context replaced as a whole',
    (app) => {
      app.context = Object.assign(Object.create(app.context) as Ctx, { xReplaced: true });
      app.use((ctx) => void (ctx.body = [ctx['xReplaced'], ctx.path]));
    },
    ['GET /a'],
  ),
  serves(
    'app.request and app.response replaced as a whole',
    (app) => {
      app.request = Object.create(app.request, { path: { get: () => '/of the new request' } }) as App['request'];
      app.response = Object.create(app.response, { xNew: { value: 1 } }) as App['response'];
      app.use((ctx) => void (ctx.body = [ctx.path, Reflect.get(ctx.response, 'xNew')]));
    },
    ['GET /a'],
  ),
  builds('a change of the shared context prototype reaches every app', (Koa, t) => {
    const proto = Object.getPrototypeOf(new Koa().context) as Record<string, unknown>;
    proto['xShared'] = 'shared';
    t.record(new Koa().context['xShared']);
    delete proto['xShared'];
    t.record(new Koa().context['xShared']);
  }),
  handles(
    'Object.create of a context is a context',
    (ctx) => {
      const child = Object.create(ctx) as Ctx;
      child.status = 202;
      child.set('X-Child', '1');
      child.body = [child.path, child.request === ctx.request, child.state === ctx.state, child.cookies === ctx.cookies];
    },
    ['GET /a'],
  ),
  handles(
    'own properties of a context can be replaced',
    (ctx) => {
      ctx.state = { fresh: true };
      ctx.originalUrl = '/other';
      ctx.body = [ctx.state, ctx.href];
    },
    ['GET /a'],
  ),
  handles('res and req of a context are those of the server', (ctx, t) => {
    t.record(ctx.req instanceof t.http.IncomingMessage, ctx.res instanceof t.http.ServerResponse, ctx.res.req === ctx.req);
    t.record(ctx.req.url, ctx.req.httpVersion, ctx.req.complete, ctx.res.sendDate, ctx.res.shouldKeepAlive);
    ctx.body = 'ok';
  }),
  handles(
    'events of request and response are those of node:http',
    (ctx, t) => {
      const [requestEnded, responseEnded] = [t.pending(), t.pending()];
      const [ofRequest, ofResponse]: string[][] = [[], []];
      ctx.req
        .on('end', () => ofRequest?.push('end'))
        .on('close', () => {
          t.record('request', ofRequest, ctx.req.complete);
          requestEnded();
        });
      ctx.res
        .on('finish', () => ofResponse?.push(`finish ${String(ctx.writable)}`))
        .on('close', () => {
          setImmediate(() => {
            t.record('response', ofResponse, ctx.headerSent, ctx.status);
            responseEnded();
          });
        });
      ctx.req.resume();
      ctx.body = 'ok';
    },
    ['GET /', { method: 'POST', path: '/', body: 'abc' }],
  ),
]);
