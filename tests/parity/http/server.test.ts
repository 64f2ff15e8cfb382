/**
 * The server itself: construction, options, listening in every form, closing, counting, events, module
 * members.
 */
import * as upstream from 'node:http';
import { EventEmitter } from 'node:events';
import { rm } from 'node:fs/promises';
import { Server as NetServer, connect, createServer as createNet } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CaseContext, HttpModule, ParityCase } from '../harness/case.ts';
import { defineSuite } from '../harness/suite.ts';

type Scenario = (http: HttpModule, ctx: CaseContext) => Promise<void>;

/** A case that is a script of its own; the server of the harness only carries it. */
const script = (name: string, scenario: Scenario): ParityCase => {
  let module: HttpModule;
  return {
    name,
    server: (http) => {
      module = http;
      return http.createServer();
    },
    client: (client) => scenario(module, client),
  };
};

type Loose = Record<string, (...args: unknown[]) => unknown>;
const loose = (value: unknown): Loose => value as Loose;
const isA = (value: unknown, Class: abstract new (...args: never[]) => object): boolean => value instanceof Class;
const event = (emitter: EventEmitter, name: string): Promise<unknown[]> =>
  new Promise((resolve) => emitter.once(name, (...args: unknown[]) => resolve(args)));
const shape = (address: AddressInfo | string | null): unknown =>
  typeof address === 'object' && address !== null ? [address.address, address.family, address.port > 0, Object.keys(address)] : address;
const closed = (server: upstream.Server): Promise<unknown> => new Promise((resolve) => server.close(resolve));

async function ask(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  await event(socket, 'close');
  return text.split('\r\n')[0] ?? '';
}

/** Binds by one form of `listen`, notes the address, closes. */
const listens = (name: string, args: unknown[]): ParityCase =>
  script(`listen(${name})`, async (http, ctx) => {
    const server = http.createServer((_req, res) => res.end('x'));
    ctx.record(server.listening, server.address());
    const returned = loose(server)['listen']?.(...args);
    await event(server, 'listening');
    ctx.record(returned === server, server.listening, shape(server.address()));
    ctx.record(await closed(server), server.listening, server.address());
  });

const refuses = (name: string, args: unknown[]): ParityCase =>
  script(`listen(${name}) is refused`, async (http, ctx) => {
    const server = http.createServer();
    ctx.attempt('listen', () => void loose(server)['listen']?.(...args));
    ctx.record(server.listening);
    if (server.listening) await closed(server);
  });

const option = (name: string, options: unknown): ParityCase =>
  script(`createServer(${name})`, async (http, ctx) => {
    ctx.attempt('create', () => {
      const server = http.createServer(options as object) as unknown as Record<string, unknown>;
      return [
        'requestTimeout',
        'timeout',
        'maxHeadersCount',
        'maxRequestsPerSocket',
        'maxHeaderSize',
        'joinDuplicateHeaders',
        'noDelay',
        'keepAlive',
        'keepAliveInitialDelay',
        'connectionsCheckingInterval',
        'requireHostHeader',
        'highWaterMark',
      ].map((key) => `${key}=${String(server[key])}`);
    });
  });

const fileName = (): string => join(tmpdir(), `parity-${process.pid}-${Math.random().toString(36).slice(2)}.sock`);

defineSuite([
  script('instances and construction without new', async (http, ctx) => {
    const server = http.createServer();
    ctx.record(
      server instanceof http.Server,
      server instanceof upstream.Server,
      server instanceof NetServer,
      server instanceof EventEmitter,
    );
    const plain = (http.Server as unknown as () => unknown)();
    ctx.record(plain instanceof http.Server, http.Server.name, http.IncomingMessage.name, http.ServerResponse.name);
  }),
  listens('0', [0]),
  listens('', []),
  listens('null', [null]),
  listens('undefined', [undefined]),
  listens('"0"', ['0']),
  listens('0, "127.0.0.1"', [0, '127.0.0.1']),
  listens('0, "localhost"', [0, 'localhost']),
  listens('0, "::1"', [0, '::1']),
  listens('0, "127.0.0.1", 10', [0, '127.0.0.1', 10]),
  listens('0, 10', [0, 10]),
  listens('callback', [() => undefined]),
  listens('{ port: 0 }', [{ port: 0 }]),
  listens('{ port: undefined }', [{ port: undefined }]),
  listens('{ port: 0, host: "0.0.0.0" }', [{ port: 0, host: '0.0.0.0' }]),
  listens('{ port: 0, host, backlog }', [{ port: 0, host: '127.0.0.1', backlog: 5 }]),
  listens('{ port: 0, exclusive: true }', [{ port: 0, exclusive: true }]),
  listens('{ port: 0, host: "::", ipv6Only: true }', [{ port: 0, host: '::', ipv6Only: true }]),
  refuses('-1', [-1]),
  refuses('65536', [65536]),
  refuses('1.5', [1.5]),
  refuses('"x" as port option', [{ port: 'x' }]),
  refuses('{}', [{}]),
  refuses('{ port: NaN }', [{ port: NaN }]),
  refuses('true', [true]),
  refuses('{ path: 5 }', [{ path: 5 }]),
  refuses('{ port: 0, signal: 5 }', [{ port: 0, signal: 5 }]),
  script('listen with a callback calls it once', async (http, ctx) => {
    const server = http.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ctx.record(server.listenerCount('listening') > 0, server.listening);
    await closed(server);
  }),
  script('listen on a Unix socket', async (http, ctx) => {
    const path = fileName();
    const server = http.createServer((_req, res) => res.end('unix'));
    server.listen(path);
    await event(server, 'listening');
    ctx.record(server.address() === path);
    const socket = connect(path);
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await event(socket, 'close');
    ctx.record(text.endsWith('unix'), await closed(server));
    await rm(path, { force: true });
  }),
  script('listen on a Unix socket through options', async (http, ctx) => {
    const path = fileName();
    const server = http.createServer();
    server.listen({ path, readableAll: true, writableAll: true });
    await event(server, 'listening');
    ctx.record(server.address() === path, await closed(server));
    await rm(path, { force: true });
  }),
  script('listen twice is refused, listen again after close works', async (http, ctx) => {
    const server = http.createServer((_req, res) => res.end('x'));
    server.listen(0, '127.0.0.1');
    ctx.attempt('again', () => void server.listen(0));
    await event(server, 'listening');
    ctx.attempt('and again', () => void server.listen(0));
    await closed(server);
    server.listen(0, '127.0.0.1');
    await event(server, 'listening');
    ctx.record(await ask((server.address() as AddressInfo).port), await closed(server));
  }),
  script('a port in use is an error event', async (http, ctx) => {
    const first = http.createServer();
    await new Promise<void>((resolve) => first.listen(0, '127.0.0.1', resolve));
    const { port } = first.address() as AddressInfo;
    const second = http.createServer();
    second.listen(port, '127.0.0.1');
    const [error] = (await event(second, 'error')) as [NodeJS.ErrnoException & { address: string; port: number }];
    ctx.record(
      error.code,
      error.errno,
      error.syscall,
      error.address,
      error.port === port,
      error.message.replace(String(port), 'PORT'),
      second.listening,
    );
    await closed(first);
  }),
  script('a host that does not exist is an error event', async (http, ctx) => {
    const server = http.createServer();
    server.listen(0, 'name.invalid');
    const [error] = (await event(server, 'error')) as [NodeJS.ErrnoException];
    ctx.record(error.syscall, (error as { hostname?: string }).hostname);
  }),
  script('an address that is not ours is an error event', async (http, ctx) => {
    const server = http.createServer();
    server.listen(0, '192.0.2.1');
    const [error] = (await event(server, 'error')) as [NodeJS.ErrnoException];
    ctx.record(error.code, error.syscall, error.message);
  }),
  script('a signal closes the server', async (http, ctx) => {
    const controller = new AbortController();
    const server = http.createServer();
    server.listen({ port: 0, host: '127.0.0.1', signal: controller.signal });
    await event(server, 'listening');
    controller.abort();
    await event(server, 'close');
    ctx.record(server.listening);
    const late = http.createServer();
    late.listen({ port: 0, host: '127.0.0.1', signal: AbortSignal.abort() });
    await event(late, 'close');
    ctx.record(late.listening);
  }),
  script('close before listen calls back with an error', async (http, ctx) => {
    const server = http.createServer();
    ctx.record(server.close((error) => ctx.record('callback', error)) === server);
    await event(server, 'close');
  }),
  script('close twice', async (http, ctx) => {
    const server = http.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    server.close((error) => ctx.record('first', error));
    await new Promise<void>((resolve) =>
      server.close((error) => {
        ctx.record('second', error);
        resolve();
      }),
    );
  }),
  script('close waits for the reply that is being made', async (http, ctx) => {
    const server = http.createServer((_req, res) => {
      server.close(() => ctx.record('closed'));
      setTimeout(() => {
        ctx.record('replying');
        res.end('x');
      }, 20);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const done = event(server, 'close');
    ctx.record(await ask((server.address() as AddressInfo).port));
    await done;
  }),
  script('close ends idle connections', async (http, ctx) => {
    const server = http.createServer((_req, res) => res.end('x'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await event(socket, 'data');
    await new Promise((resolve) => setTimeout(resolve, 20));
    socket.resume();
    const gone = event(socket, 'close');
    ctx.record(await closed(server));
    await gone;
  }),
  script('closeAllConnections ends working ones too', async (http, ctx) => {
    const server = http.createServer((_req, res) => {
      res.on('close', () => ctx.record('res close'));
      setImmediate(() => server.closeAllConnections());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ctx.record(await ask((server.address() as AddressInfo).port).catch((error: NodeJS.ErrnoException) => error.code));
    ctx.record(await closed(server));
  }),
  script('getConnections counts', async (http, ctx) => {
    const server = http.createServer((_req, res) => res.end('x'));
    const count = (): Promise<number> => new Promise((resolve) => server.getConnections((_error, connections) => resolve(connections)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ctx.record(await count());
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await event(socket, 'data');
    ctx.record(await count());
    server.closeAllConnections();
    await closed(server);
    ctx.record(await count());
  }),
  script('maxConnections drops the rest', async (http, ctx) => {
    const server = http.createServer((_req, res) => res.end('x'));
    server.maxConnections = 1;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const first = connect(port, '127.0.0.1');
    first.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await event(first, 'data');
    const dropped = event(server, 'drop');
    const second = connect(port, '127.0.0.1');
    second.on('error', () => undefined);
    const [data] = (await dropped) as [Record<string, unknown>];
    ctx.record(Object.keys(data).sort(), data['localPort'] === port);
    first.destroy();
    second.destroy();
    server.closeAllConnections();
    await closed(server);
  }),
  script('maxConnections is compared as it is', async (http, ctx) => {
    const server = http.createServer((_req, res) => res.end('x'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const first = connect(port, '127.0.0.1');
    first.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await event(first, 'data');
    for (const most of [0, '1', '2', 1, -5, 0.5, 1.5, 2 ** 32 - 1, Number.NaN, null, undefined, true, '']) {
      server.maxConnections = most as number;
      const second = connect(port, '127.0.0.1');
      second.on('error', () => undefined);
      second.end('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      let got = '';
      second.on('data', (piece: Buffer) => (got += piece.toString()));
      await event(second, 'close');
      ctx.record(most, got.slice(0, 12));
    }
    first.destroy();
    server.closeAllConnections();
    await closed(server);
  }),
  script('ref and unref return the server', async (http, ctx) => {
    const server = http.createServer();
    ctx.record(server.unref() === server, server.ref() === server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ctx.record(server.unref() === server, server.ref() === server);
    await closed(server);
  }),
  script('asyncDispose closes', async (http, ctx) => {
    const server = http.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await server[Symbol.asyncDispose]();
    ctx.record(server.listening);
  }),
  script('setTimeout sets timeout and takes a listener', async (http, ctx) => {
    const server = http.createServer();
    ctx.record(server.timeout, server.setTimeout(5, () => undefined) === server, server.timeout, server.listenerCount('timeout'));
  }),
  script('live properties keep what is assigned', async (http, ctx) => {
    const server = http.createServer();
    for (const key of [
      'timeout',
      'keepAliveTimeout',
      'headersTimeout',
      'requestTimeout',
      'maxHeadersCount',
      'maxRequestsPerSocket',
      'maxConnections',
    ] as const) {
      (server as unknown as Record<string, unknown>)[key] = 1234;
      ctx.record(key, server[key]);
    }
  }),
  option('empty options', {}),
  option('null', null),
  option('number', 5),
  option('string', 'x'),
  option('timeouts', { requestTimeout: 1000, headersTimeout: 500, keepAliveTimeout: 7, timeout: 3 }),
  option('bad requestTimeout', { requestTimeout: 'x' }),
  option('negative headersTimeout', { headersTimeout: -1 }),
  option('headersTimeout above requestTimeout', { headersTimeout: 10, requestTimeout: 5 }),
  option('bad keepAliveTimeout', { keepAliveTimeout: 1.5 }),
  option('bad connectionsCheckingInterval', { connectionsCheckingInterval: 'x' }),
  option('bad maxHeaderSize', { maxHeaderSize: -1 }),
  option('bad insecureHTTPParser', { insecureHTTPParser: 'x' }),
  option('bad joinDuplicateHeaders', { joinDuplicateHeaders: 1 }),
  option('bad requireHostHeader', { requireHostHeader: 1 }),
  option('bad rejectNonStandardBodyWrites', { rejectNonStandardBodyWrites: 1 }),
  option('bad keepAliveInitialDelay', { keepAliveInitialDelay: 'x' }),
  option('bad highWaterMark', { highWaterMark: 'x' }),
  option('socket options', { noDelay: false, keepAlive: true, keepAliveInitialDelay: 2000, highWaterMark: 1000 }),
  {
    name: 'classes given as options are used',
    server: (http, ctx) => {
      class Request extends http.IncomingMessage {
        get shout(): string {
          return String(this.url).toUpperCase();
        }
      }
      class Response extends http.ServerResponse {
        override end(...args: unknown[]): this {
          ctx.record('own end');
          return (super.end as (...all: unknown[]) => this)(...args);
        }
        say(text: string): void {
          this.setHeader('X-Said', text);
          this.end(text);
        }
      }
      return http.createServer({ IncomingMessage: Request, ServerResponse: Response } as unknown as upstream.ServerOptions, (req, res) => {
        ctx.record(isA(req, Request), isA(res, Response), req.headers.host !== undefined);
        (res as unknown as Response).say((req as unknown as Request).shout);
      });
    },
    requests: ['GET /a', 'GET /b'],
  },
  {
    name: "classes that extend Node's own are used",
    server: (http, ctx) => {
      class Request extends upstream.IncomingMessage {
        readonly mine = 1;
      }
      class Response extends upstream.ServerResponse {
        override writeHead(...args: unknown[]): this {
          ctx.record('own writeHead', args[0]);
          return (super.writeHead as (...all: unknown[]) => this)(...args);
        }
      }
      return http.createServer({ IncomingMessage: Request, ServerResponse: Response } as unknown as upstream.ServerOptions, (req, res) => {
        ctx.record(isA(req, Request), isA(res, Response), (req as unknown as Request).mine, req.method);
        let body = '';
        req.on('data', (chunk: Buffer) => (body += chunk.toString()));
        req.on('end', () => res.end(`got ${body}`));
      });
    },
    requests: ['GET /a', { method: 'POST', path: '/', body: 'x' }],
  },
  {
    name: 'several request listeners are all called, once only once',
    server: (http, ctx) => {
      const server = http.createServer((req) => ctx.record('first', req.url));
      server.on('request', (_req, res) => void res.end('second'));
      server.once('request', () => ctx.record('once'));
      server.prependListener('request', () => ctx.record('zeroth'));
      return server;
    },
    requests: ['GET /a', 'GET /b'],
  },
  {
    name: 'a replaced emit sees every request',
    server: (http, ctx) => {
      const server = http.createServer((_req, res) => void res.end('x'));
      const { emit } = server;
      server.emit = function patched(this: upstream.Server, name: string, ...args: unknown[]) {
        if (name === 'request') ctx.record('emit', (args[0] as upstream.IncomingMessage).url);
        return (emit as (...all: unknown[]) => boolean).call(this, name, ...args);
      } as typeof server.emit;
      return server;
    },
    requests: ['GET /a', 'GET /b'],
  },
  {
    name: 'listeners changed while the server runs are honoured',
    server: (http) => {
      const server = http.createServer((_req, res) => {
        res.end('one');
        server.removeAllListeners('request');
        server.on('request', (_other, again) => void again.end('two'));
      });
      return server;
    },
    requests: ['GET /a', 'GET /b'],
  },
  {
    name: "requests emitted by hand on Node's own messages are answered",
    server: (http, ctx) => {
      const server = http.createServer((req, res) => {
        if (req.url !== '/direct') ctx.record(req.url, typeof res.end);
        res.end('served');
      });
      const front = createNet((socket) => server.emit('connection', socket));
      server.on('close', () => front.close());
      front.listen(0, '127.0.0.1', () => {
        void relay();
      });
      const relay = async (): Promise<void> => {
        ctx.record(await ask((front.address() as AddressInfo).port));
        front.close();
        done();
      };
      const done = ctx.pending();
      return server;
    },
    requests: ['GET /direct'],
  },
  script('members of the module', async (http, ctx) => {
    ctx.record(
      http.METHODS,
      http.STATUS_CODES,
      http.maxHeaderSize,
      typeof http.request,
      typeof http.get,
      http.Agent === upstream.Agent,
      http.globalAgent === upstream.globalAgent,
    );
    ctx.record(
      http.OutgoingMessage === upstream.OutgoingMessage,
      http.ClientRequest === upstream.ClientRequest,
      http.validateHeaderName === upstream.validateHeaderName,
    );
    ctx.attempt('name', () => http.validateHeaderName('a b'));
    ctx.attempt('value', () => http.validateHeaderValue('a', 'x\n'));
    ctx.attempt('parsers', () => http.setMaxIdleHTTPParsers(0));
  }),
  script("messages made by hand behave as Node's", async (http, ctx) => {
    const req = new http.IncomingMessage(null as never);
    req.method = 'GET';
    req.url = '/hand';
    ctx.record(req.headers, req.rawHeaders, req.complete, req.readable, req.httpVersion, req.aborted);
    const res = new http.ServerResponse(req);
    res.setHeader('a', 'b');
    ctx.record(res.getHeaders(), res.headersSent, res.writableEnded, res.statusCode, res.socket);
    res.end('text');
    ctx.record(res.finished, res.headersSent, res.writableEnded);
  }),
]);
