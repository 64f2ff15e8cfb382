/**
 * Connections: keep-alive and close, HTTP/1.0, pipelining, expectations, aborts, broken framing, upgrades,
 * timeouts.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { CaseContext, ParityCase, RequestInput } from '../harness/case.ts';
import { normaliseReply } from '../differences.ts';
import { defineSuite } from '../harness/suite.ts';

const echo: ParityCase['server'] = (http) => http.createServer((req, res) => res.end(`${req.method} ${req.url}`));
const raw = (text: string, ...methods: string[]): RequestInput => ({ raw: text, methods: methods.length === 0 ? ['GET'] : methods });
const asked = (name: string, ...requests: RequestInput[]): ParityCase => ({ name, server: echo, requests });
const UPGRADE = 'GET /chat HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n';
const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n';

/** More messages than an event may have listeners before Node suspects a leak. */
const MANY = 20;

/** Records what Node warns of while `server` is there, instead of printing it. */
function telling(ctx: CaseContext, server: Server): Server {
  const others = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => ctx.record(name, message));
  return server.once('close', () => {
    process.removeAllListeners('warning');
    for (const listener of others) process.on('warning', listener);
  });
}

const rejected = (name: string, bytes: string): ParityCase => ({
  name,
  server: (http, ctx) => {
    const done = ctx.pending();
    const server = http.createServer((_req, res) => res.end('must not run'));
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      ctx.record(error.code, error instanceof Error, 'rawPacket' in error, typeof (socket as Socket).write);
      (socket as Socket).end('HTTP/1.1 400 Own Words\r\nConnection: close\r\n\r\n');
      done();
    });
    return server;
  },
  requests: [raw(bytes)],
});

/**
 * A request without `Host`, with listeners for everything that could take it instead of the server's own 400.
 */
const hostless = (name: string, requests: RequestInput[], options: object = {}): ParityCase => ({
  name,
  server: (http, ctx) => {
    const server = http.createServer(options, (req, res) => {
      ctx.record('request', req.method, req.url, req.headers.host);
      setTimeout(() => res.end('answered'), req.url === '/late' ? 20 : 0);
    });
    for (const event of ['checkContinue', 'checkExpectation']) server.on(event, () => ctx.record(event));
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      ctx.record('clientError', error.code);
      socket.end('HTTP/1.1 400 Own Words\r\nConnection: close\r\n\r\n');
    });
    return server;
  },
  requests,
});

/**
 * What @fastify/websocket does for whoever asks in vain: a reply of the application's own, on the socket of
 * an upgrade.
 */
const ownReply = (head: 'implicit' | 'explicit'): ParityCase => ({
  name: `a ServerResponse of the application's own answers an upgrade, its head is ${head}`,
  server: (http, ctx) => {
    const server = http.createServer();
    server.on('upgrade', (req, socket: Socket) => {
      const done = ctx.pending();
      const res = new http.ServerResponse(req);
      res.assignSocket(socket);
      res.on('finish', () => {
        ctx.record('finish', res.socket === socket, res.headersSent, res.writableFinished);
        res.detachSocket(socket);
        socket.end();
        done();
      });
      res.setHeader('X-Kind', head);
      if (head === 'explicit') res.writeHead(404, { 'Content-Type': 'text/plain' });
      else res.statusCode = 404;
      res.end('no such socket');
    });
    return server;
  },
  client: async ({ connect, record }) => {
    const connection = await connect();
    connection.write(UPGRADE);
    record((await connection.closed()).replace(/^Date: .*/m, 'Date: -'));
  },
});

const GET_1 = 'GET /1 HTTP/1.1\r\nHost: a\r\n\r\n';

defineSuite([
  asked('HTTP/1.1 stays open', 'GET /1', 'GET /2', 'GET /3'),
  asked('Connection: close closes', raw('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')),
  asked('HTTP/1.0 closes', raw('GET / HTTP/1.0\r\n\r\n')),
  asked('HTTP/1.0 with keep-alive and no length of the application closes', raw('GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n')),
  {
    name: 'HTTP/1.0 with keep-alive and a declared length stays open',
    server: (http) => http.createServer((_req, res) => void res.writeHead(200, { 'Content-Length': 2 }).end('ok')),
    requests: [raw('GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'), raw('GET /2 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n')],
  },
  {
    name: 'HTTP/1.0 gets no chunks',
    server: (http) =>
      http.createServer((_req, res) => {
        res.write('a');
        res.end('b');
      }),
    requests: [raw('GET / HTTP/1.0\r\n\r\n')],
  },
  {
    name: 'pipelined requests are answered in order',
    server: (http, ctx) =>
      http.createServer((req, res) => {
        ctx.record(req.url);
        setTimeout(() => res.end(req.url), req.url === '/1' ? 20 : 0);
      }),
    requests: ['GET /1', 'GET /2', 'GET /3'],
    options: { connection: 'pipelined' },
  },
  {
    name: 'pipelined streamed replies do not mix',
    server: (http) =>
      http.createServer((req, res) => {
        res.write(`${req.url} `);
        setTimeout(() => res.end('end'), req.url === '/1' ? 10 : 1);
      }),
    requests: ['GET /1', 'GET /2', 'GET /3'],
    options: { connection: 'pipelined' },
  },
  {
    name: 'what is listened to at the socket of each of many pipelined replies is no leak',
    server: (http, ctx) =>
      telling(
        ctx,
        http.createServer((req, res) => {
          const listen = (socket: Socket): void => {
            const onClose = (): void => undefined;
            socket.on('close', onClose);
            res.once('finish', () => socket.off('close', onClose));
          };
          if (res.socket === null) res.once('socket', listen);
          else listen(res.socket);
          setTimeout(() => res.end(req.url), req.url === '/1' ? 20 : 0);
        }),
      ),
    requests: Array.from({ length: MANY }, (_, index): RequestInput => `GET /${index + 1}`),
    options: { connection: 'pipelined' },
  },
  {
    name: 'what each request leaves at the socket of their connection is a leak, pipelined before or not',
    server: (http, ctx) =>
      telling(
        ctx,
        http.createServer((req, res) => {
          res.socket?.emit('asked');
          if (req.url === '/kept') req.socket.on('left', () => undefined);
          setTimeout(() => res.end(), req.url === '/1' ? 20 : 0);
        }),
      ),
    requests: [
      raw('GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n', 'GET', 'GET'),
      ...Array.from({ length: MANY }, (): RequestInput => 'GET /kept'),
    ],
  },
  {
    name: 'a reply that waits for an earlier one is not finished',
    server: (http, ctx) =>
      http.createServer((req, res) => {
        const done = ctx.pending();
        const watch = () => {
          ctx.record(req.url, res.writableFinished);
          res.on('finish', () => {
            ctx.record(req.url, 'finish');
            done();
          });
        };
        if (req.url === '/1') {
          watch();
          setTimeout(() => res.end('one'), 100);
        } else {
          res.end('two');
          setTimeout(watch, 20);
        }
      }),
    requests: ['GET /1', 'GET /2'],
    options: { connection: 'pipelined' },
  },
  asked(
    'a close in the middle of a pipeline discards the rest',
    raw('GET /1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n'),
  ),
  {
    name: 'keepAliveTimeout is announced and 0 leaves the hint out',
    server: (http) => {
      const server = http.createServer((req, res) => {
        if (req.url === '/zero') server.keepAliveTimeout = 0;
        res.end('x');
      });
      server.keepAliveTimeout = 7000;
      return server;
    },
    requests: ['GET /', 'GET /'],
  },
  {
    name: 'keepAliveTimeout of 0 has no hint',
    server: (http) => http.createServer({ keepAliveTimeout: 0 }, (_req, res) => res.end('x')),
    requests: ['GET /', 'GET /'],
  },
  {
    name: 'Expect: 100-continue with checkContinue',
    server: (http, ctx) => {
      const server = http.createServer((_req, res) => res.end('request'));
      server.on('checkContinue', (req, res) => {
        ctx.record('checkContinue', req.url);
        res.writeContinue();
        req.on('data', (chunk: Buffer) => ctx.record(chunk.toString()));
        req.on('end', () => res.end('done'));
      });
      return server;
    },
    client: async ({ connect, record }) => {
      const connection = await connect();
      connection.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n');
      await new Promise((resolve) => connection.socket.once('data', resolve));
      connection.write('abc');
      record(normaliseReply(await connection.read('POST')));
    },
  },
  {
    name: 'Expect: 100-continue refused by checkContinue closes',
    server: (http) => {
      const server = http.createServer();
      server.on('checkContinue', (_req, res) => void res.writeHead(417).end());
      return server;
    },
    requests: [raw('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n', 'POST')],
  },
  {
    name: 'Expect: 100-continue without a listener is answered when content is read',
    server: (http) =>
      http.createServer((req, res) => {
        req.resume();
        req.on('end', () => res.end('got it'));
      }),
    client: async ({ connect, record }) => {
      const connection = await connect();
      connection.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n');
      await new Promise((resolve) => connection.socket.once('data', resolve));
      connection.write('abc');
      record(normaliseReply(await connection.read('POST')));
    },
  },
  asked('another expectation is 417', raw('GET / HTTP/1.1\r\nHost: a\r\nExpect: magic\r\n\r\n')),
  {
    name: 'another expectation with checkExpectation',
    server: (http, ctx) => {
      const server = http.createServer();
      server.on('checkExpectation', (req, res) => {
        ctx.record(req.headers.expect);
        res.end('fine');
      });
      return server;
    },
    requests: [raw('GET / HTTP/1.1\r\nHost: a\r\nExpect: magic\r\n\r\n')],
  },
  rejected('clientError for a broken request line', 'NOT HTTP\r\n\r\n'),
  rejected('clientError for a broken method', 'G@T / HTTP/1.1\r\nHost: a\r\n\r\n'),
  asked('HTTP/1.1 without Host and without listeners is 400', raw('GET / HTTP/1.1\r\n\r\n')),
  hostless('HTTP/1.1 without Host is 400 and no clientError', [raw('GET / HTTP/1.1\r\n\r\n'), raw('GET / HTTP/1.1\r\nX-A: b\r\n\r\n')]),
  hostless('HTTP/1.1 without Host is 400 without content for HEAD', [raw('HEAD / HTTP/1.1\r\n\r\n', 'HEAD')]),
  hostless('HTTP/1.1 without Host is 400 before its content', [
    raw('POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc'),
    raw('POST / HTTP/1.1\r\nContent-Length: 300\r\n\r\nabc'),
    raw('POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n'),
  ]),
  hostless('HTTP/1.1 without Host is 400 whatever it expects', [
    raw('POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n'),
    raw('GET / HTTP/1.1\r\nExpect: magic\r\n\r\n'),
  ]),
  hostless('HTTP/1.1 without Host is 400 with an upgrade nobody listens to', [
    raw('GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n'),
  ]),
  hostless('HTTP/1.1 without Host is 400 with Connection: close', [raw('GET / HTTP/1.1\r\nConnection: close\r\n\r\n')]),
  hostless('HTTP/1.1 without Host is 400 with a target in absolute-form', [raw('GET http://a/ HTTP/1.1\r\n\r\n')]),
  hostless('HTTP/1.1 without Host is 400 behind a reply that is given', [raw(`${GET_1}GET / HTTP/1.1\r\n\r\n`, 'GET', 'GET')]),
  hostless('HTTP/1.1 without Host is 400 behind a reply that comes later', [
    raw('GET /late HTTP/1.1\r\nHost: a\r\n\r\nHEAD / HTTP/1.1\r\n\r\n', 'GET', 'HEAD'),
  ]),
  hostless('HTTP/1.0 without Host is served', [
    raw('GET / HTTP/1.0\r\n\r\n'),
    raw('HEAD / HTTP/1.0\r\n\r\n', 'HEAD'),
    raw('POST / HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc'),
  ]),
  hostless(
    'requireHostHeader: false serves HTTP/1.1 without Host',
    [
      raw('GET / HTTP/1.1\r\n\r\n'),
      raw('HEAD / HTTP/1.1\r\n\r\n', 'HEAD'),
      raw('GET / HTTP/1.0\r\n\r\n'),
      raw(`GET / HTTP/1.1\r\n\r\n${GET_1}`, 'GET', 'GET'),
    ],
    { requireHostHeader: false },
  ),
  hostless('requireHostHeader: true is the default', [raw('GET / HTTP/1.1\r\n\r\n')], { requireHostHeader: true }),
  hostless('what the parser refuses goes to clientError before Host is missed', [raw('GET / HTTP/1.1\r\nX A: b\r\n\r\n')]),
  {
    name: 'a client that leaves while the handler works',
    server: (http, ctx) =>
      http.createServer((req, res) => {
        const done = ctx.pending();
        req.on('aborted', () => ctx.record('req aborted', req.aborted));
        req.on('error', (error) => ctx.record('req error', error));
        req.on('close', () => {
          ctx.record('req close', req.destroyed);
          setImmediate(done);
        });
        res.on('close', () => ctx.record('res close', res.writableFinished, res.destroyed));
        res.on('finish', () => ctx.record('finish'));
        ctx.record('handler');
      }),
    client: async ({ connect }) => {
      const connection = await connect();
      connection.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      await new Promise((resolve) => setTimeout(resolve, 30));
      connection.socket.destroy();
    },
  },
  {
    name: 'a client that leaves while it sends content',
    server: (http, ctx) =>
      http.createServer((req, res) => {
        const done = ctx.pending();
        req.on('data', (chunk: Buffer) => ctx.record(chunk.toString()));
        req.on('end', () => ctx.record('end'));
        req.on('aborted', () => ctx.record('aborted', req.complete));
        req.on('error', (error) => ctx.record('error', error));
        req.on('close', () => setImmediate(done));
        res.on('close', () => ctx.record('res close'));
      }),
    client: async ({ connect }) => {
      const connection = await connect();
      connection.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc');
      await new Promise((resolve) => setTimeout(resolve, 30));
      connection.socket.destroy();
    },
  },
  {
    name: 'async iteration over aborted content throws',
    server: (http, ctx) =>
      http.createServer((req) => {
        const done = ctx.pending();
        void (async () => {
          try {
            for await (const chunk of req) ctx.record(String(chunk));
          } catch (error) {
            ctx.record('threw', error);
          }
          done();
        })();
      }),
    client: async ({ connect }) => {
      const connection = await connect();
      connection.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc');
      await new Promise((resolve) => setTimeout(resolve, 30));
      connection.socket.destroy();
    },
  },
  {
    name: 'upgrade hands over the socket with the first bytes',
    server: (http, ctx) => {
      const server = http.createServer((_req, res) => res.end('plain'));
      server.on('upgrade', (req, socket, head) => {
        ctx.record(
          req.url,
          req.headers.upgrade,
          (req as { upgrade?: boolean }).upgrade,
          head.toString(),
          req.complete,
          socket === req.socket,
        );
        socket.write(SWITCH);
        socket.on('data', (chunk: Buffer) => socket.write(`<${chunk.toString()}>`));
        socket.on('end', () => socket.end('bye'));
      });
      return server;
    },
    client: async ({ connect, record }) => {
      const connection = await connect();
      connection.write(`${UPGRADE}first`);
      await new Promise((resolve) => connection.socket.once('data', resolve));
      connection.write('ping');
      await new Promise((resolve) => connection.socket.once('data', resolve));
      connection.socket.end();
      record(await connection.closed());
    },
  },
  { name: 'an upgrade nobody wants is a plain request', server: echo, requests: [raw(UPGRADE), 'GET /next'] },
  ownReply('implicit'),
  ownReply('explicit'),
  {
    name: 'CONNECT hands over the socket',
    server: (http, ctx) => {
      const server = http.createServer();
      server.on('connect', (req, socket, head) => {
        ctx.record(req.url, req.method, head.toString());
        socket.end('HTTP/1.1 200 Connection Established\r\nConnection: close\r\n\r\nhello');
      });
      return server;
    },
    client: async ({ connect, record }) => {
      const connection = await connect();
      connection.write('CONNECT host:443 HTTP/1.1\r\nHost: host:443\r\n\r\n');
      record(await connection.closed());
    },
  },
  {
    name: 'CONNECT without a listener closes',
    server: echo,
    client: async ({ connect, record }) => {
      const connection = await connect();
      connection.write('CONNECT host:443 HTTP/1.1\r\nHost: host:443\r\n\r\n');
      record((await connection.closed()).slice(0, 0), 'closed');
    },
  },
  {
    name: 'server.timeout with a timeout listener on the response',
    server: (http, ctx) => {
      const server = http.createServer((_req, res) => {
        const done = ctx.pending();
        res.on('timeout', (socket: Socket) => {
          ctx.record('timeout', typeof socket.destroy);
          res.end('timed out');
          done();
        });
      });
      server.timeout = 50;
      return server;
    },
    requests: ['GET /'],
  },
  {
    name: 'server.timeout without listeners destroys the socket',
    server: (http) => http.createServer(() => undefined).setTimeout(50),
    requests: ['GET /'],
  },
  {
    name: 'server.setTimeout with a callback',
    server: (http, ctx) =>
      http
        .createServer(() => undefined)
        .setTimeout(50, (socket) => {
          ctx.record('timeout');
          socket.destroy();
        }),
    requests: ['GET /'],
  },
  {
    name: 'server.timeout ends a request whose socket was looked at',
    server: (http) => http.createServer((req) => void req.socket.remotePort).setTimeout(50),
    requests: ['GET /'],
  },
  {
    name: 'server.timeout ends a request whose connection was looked at',
    server: (http) =>
      http
        .createServer(() => undefined)
        .setTimeout(50)
        .on('connection', () => undefined),
    requests: ['GET /'],
  },
  {
    name: 'res.setTimeout calls back',
    server: (http, ctx) =>
      http.createServer((_req, res) => {
        const done = ctx.pending();
        res.setTimeout(50, () => {
          ctx.record('timeout');
          res.end('late');
          done();
        });
      }),
    requests: ['GET /', 'GET /'],
  },
  {
    name: 'req.setTimeout without a listener that is asked ends the connection',
    server: (http) => http.createServer((req) => void req.setTimeout(50)),
    requests: ['GET /'],
  },
  {
    name: 'a listener of the socket hears of its timeout and does not keep it open',
    server: (http, ctx) =>
      http.createServer((req) => {
        const done = ctx.pending();
        req.socket.setTimeout(50, () => {
          ctx.record('timeout', req.socket.destroyed);
          done();
        });
      }),
    requests: ['GET /'],
  },
  {
    name: 'the timeout of one request is not that of the next on its connection',
    server: (http) =>
      http.createServer((req, res) => {
        if (req.url === '/first') res.setTimeout(50);
        setTimeout(() => res.end('answered'), req.url === '/first' ? 0 : 150);
      }),
    client: async ({ connect, record }) => {
      const connection = await connect();
      connection.write('GET /first HTTP/1.1\r\nHost: a\r\n\r\n');
      await connection.read();
      connection.write('GET /second HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      record((await connection.read()).body);
    },
  },
  {
    name: 'an error that destroys a response reaches clientError, whoever has asked for its socket',
    server: (http, ctx) => {
      const server = http.createServer((req, res) => {
        if (req.url === '/asked') ctx.record(req.socket.destroyed);
        res.destroy(new Error('broken'));
      });
      server.on('clientError', (error, socket) => ctx.record(error.message, socket.destroyed));
      return server;
    },
    requests: ['GET /', 'GET /asked'],
  },
  {
    name: 'connection events carry the socket of the request',
    server: (http, ctx) => {
      let seen: unknown;
      const server = http.createServer((req, res) => {
        ctx.record(req.socket === seen);
        res.end();
      });
      server.on('connection', (socket) => {
        seen = socket;
        ctx.record('connection', typeof socket.remoteAddress, socket.destroyed);
      });
      return server;
    },
    requests: ['GET /', 'GET /'],
  },
  {
    name: 'an error thrown by a handler is uncaught and does not answer',
    server: (http) =>
      http.createServer((req, res) => {
        if (req.url === '/boom') {
          setImmediate(() => res.end('after'));
          throw new Error('boom');
        }
        res.end('ok');
      }),
    requests: ['GET /boom', 'GET /'],
    options: { connection: 'each' },
  },
]);
