/** node:http: the server's side. */
import http from 'node:http';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { cases } from '../harness/cases.ts';
import { exchange, send, serving, within } from './http-exchange.ts';

/** Everything a raw request gets, without dates. */
async function raw(text: string, handler: http.RequestListener): Promise<string> {
  return serving(handler, async (port) => {
    const socket = net.connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => (received += String(chunk)));
    socket.write(text);
    await once(socket, 'close');
    return received.replaceAll(/Date: .*\r\n/g, '');
  });
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;

/** Whether `close` ends, and what became of the listening. */
async function closed(how: (server: http.Server) => unknown): Promise<unknown[]> {
  const server = http.createServer((_req, res) => res.end('x'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new http.Agent({ keepAlive: true });
  const answer = await send(port, { agent });
  const end = once(server, 'close');
  how(server);
  await end;
  agent.destroy();
  return [answer.text, server.listening];
}

export default cases('http', {
  METHODS: [() => http.METHODS.filter((name) => name !== 'QUERY')],
  STATUS_CODES: [() => ({ ...http.STATUS_CODES })],
  maxHeaderSize: [() => http.maxHeaderSize],
  validateHeaderName: [
    () => http.validateHeaderName('x-ok'),
    () => http.validateHeaderName('a b'),
    () => http.validateHeaderName(''),
    () => http.validateHeaderName(...(['b c', 'Label'] as unknown as [string])),
    () => http.validateHeaderName(1 as never),
  ],
  validateHeaderValue: [
    () => http.validateHeaderValue('x', 'ok'),
    () => http.validateHeaderValue('x', undefined as never),
    () => http.validateHeaderValue('x', 'a\nb'),
    () => http.validateHeaderValue('x', 'Ж'),
  ],
  setMaxIdleHTTPParsers: [
    () => http.setMaxIdleHTTPParsers(10),
    () => http.setMaxIdleHTTPParsers(0),
    () => http.setMaxIdleHTTPParsers('a' as never),
  ],
  createServer: [
    () => exchange((req, res) => res.end(`${req.method} ${req.url}`), { path: '/a?b=c' }),
    () => exchange((req, res) => void req.pipe(res), { method: 'POST', body: 'mirrored' }),
    () => raw(get('/x'), (_req, res) => res.end('y')),
    () => raw('nonsense\r\n\r\n', (_req, res) => res.end()),
    () => raw('GET / HTTP/1.1\r\nConnection: close\r\n\r\n', (_req, res) => res.end()),
    () => raw(`GET / HTTP/1.1\r\nHost: a\r\n\r\n${get('/2')}`, (req, res) => res.end(req.url)),
    () => raw('GET / HTTP/1.0\r\n\r\n', (_req, res) => res.write('a') && res.end('b')),
    () =>
      raw(
        'POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na',
        (req, res) => void req.pipe(res),
      ),
    () => http.createServer({ keepAliveTimeout: 'a' as never }).keepAliveTimeout,
    () => http.createServer({ insecureHTTPParser: 1 as never }),
    () => http.createServer(1 as never) instanceof http.Server,
  ],
  Server: [
    () => {
      const server = new http.Server();
      return [
        server.timeout,
        server.maxHeadersCount,
        server.maxRequestsPerSocket,
        server.requestTimeout,
        server.headersTimeout,
        server.listening,
      ];
    },
    () => (http.Server as unknown as () => unknown)() instanceof http.Server,
    () =>
      serving(
        () => undefined,
        async (port, server) => {
          server.once('upgrade', (req: http.IncomingMessage, socket: net.Socket) =>
            socket.end(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: ${req.headers.upgrade}\r\nConnection: Upgrade\r\n\r\n`),
          );
          const request = http.request({ host: '127.0.0.1', port, headers: { connection: 'Upgrade', upgrade: 'talk' } });
          request.end();
          const [response, socket] = (await once(request, 'upgrade')) as [http.IncomingMessage, net.Socket];
          socket.destroy();
          return [response.statusCode, response.headers];
        },
      ),
    () =>
      serving(
        () => undefined,
        async (port, server) => {
          server.once('connect', (req: http.IncomingMessage, socket: net.Socket) => socket.end(`HTTP/1.1 200 OK\r\nX: ${req.url}\r\n\r\n`));
          const request = http.request({ host: '127.0.0.1', port, method: 'CONNECT', path: 'b:1' });
          request.end();
          const [response, socket] = (await once(request, 'connect')) as [http.IncomingMessage, net.Socket];
          socket.destroy();
          return [response.statusCode, response.headers];
        },
      ),
    () =>
      serving(
        (_req, res) => res.end(),
        async (port, server) => {
          const failed = once(server, 'clientError');
          const socket = net.connect(port, '127.0.0.1');
          socket.write('nonsense\r\n\r\n');
          const [error, peer] = (await failed) as [NodeJS.ErrnoException, net.Socket];
          peer.destroy();
          socket.destroy();
          return error.code;
        },
      ),
  ],
  'Server#close': [() => closed((server) => server.close())],
  'Server#closeAllConnections': [() => closed((server) => server.close() && server.closeAllConnections())],
  'Server#closeIdleConnections': [() => closed((server) => server.close() && server.closeIdleConnections())],
  'Server#setTimeout': [
    () => new http.Server().setTimeout(5).timeout,
    () =>
      serving(
        () => undefined,
        async (port, server) => {
          server.setTimeout(20);
          const socket = net.connect(port, '127.0.0.1');
          socket.resume();
          socket.write(get('/'));
          await once(socket, 'close');
          return 'closed';
        },
      ),
  ],
  IncomingMessage: [
    () =>
      within((req) => [req.method, req.url, req.httpVersion, req.complete, req.statusCode, req.rawHeaders.length], { headers: { a: 'b' } }),
    () => {
      const message = new http.IncomingMessage(new net.Socket());
      return [message.httpVersion, message.headers, message.url, message.method, message.aborted];
    },
  ],
  'IncomingMessage#headers': [
    () =>
      within((req) => ({ ...req.headers, host: '' }), { headers: { 'X-A': ['1', '2'], cookie: ['a=b', 'c=d'], 'set-cookie': ['e', 'f'] } }),
    () =>
      raw('GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\nx: 2\r\nAge: 1\r\nAge: 2\r\nConnection: close\r\n\r\n', (req, res) =>
        res.end(JSON.stringify(req.headers)),
      ),
  ],
  'IncomingMessage#headersDistinct': [() => within((req) => ({ ...req.headersDistinct, host: [] }), { headers: { 'X-A': ['1', '2'] } })],
  'IncomingMessage#trailers': [
    () =>
      exchange((_req, res) => {
        res.writeHead(200, { trailer: 'x-sum' });
        res.write('a');
        res.addTrailers({ 'x-sum': '1' });
        res.end();
      }),
    () => within((req) => ({ ...req.trailers })),
  ],
  'IncomingMessage#trailersDistinct': [() => within((req) => ({ ...req.trailersDistinct }))],
  'IncomingMessage#connection': [() => within((req) => req.connection === req.socket)],
  'IncomingMessage#setTimeout': [() => within((req) => req.setTimeout(1000) === req)],
  ServerResponse: [
    () => new http.ServerResponse({ method: 'GET', httpVersionMajor: 1, httpVersionMinor: 1 } as never).statusCode,
    () => within((_req, res) => [res.statusCode, res.sendDate, res.headersSent, res.finished, res.shouldKeepAlive]),
    () => exchange((_req, res) => res.end('body'), { method: 'HEAD' }),
    () => exchange((_req, res) => res.writeHead(204).end('body')),
    () => within((_req, res) => res.end('a') && res.write('b')),
  ],
  'ServerResponse#assignSocket': [() => within((req, res) => res.assignSocket(req.socket))],
  'ServerResponse#detachSocket': [() => within((_req, res) => typeof res.detachSocket)],
  'ServerResponse#statusCode': [
    () => exchange((_req, res) => void ((res.statusCode = 418), res.end())),
    () => within((_req, res) => void ((res.statusCode = 99), res.end())),
  ],
  'ServerResponse#statusMessage': [
    () => exchange((_req, res) => void ((res.statusMessage = 'Fine'), res.end())),
    () => within((_req, res) => void ((res.statusMessage = 'a\n'), res.end())),
  ],
  'ServerResponse#writeContinue': [
    () =>
      serving(
        () => undefined,
        async (port, server) => {
          server.once('checkContinue', (req: http.IncomingMessage, res: http.ServerResponse) => {
            res.writeContinue();
            req.pipe(res);
          });
          const request = http.request({ host: '127.0.0.1', port, method: 'PUT', headers: { expect: '100-continue' } });
          request.flushHeaders();
          await once(request, 'continue');
          request.end('go');
          const [response] = (await once(request, 'response')) as [http.IncomingMessage];
          response.resume();
          await once(response, 'end');
          return response.statusCode;
        },
      ),
  ],
  'ServerResponse#writeEarlyHints': [
    () =>
      raw(get('/'), (_req, res) => {
        res.writeEarlyHints({ link: '</a.css>; rel=preload; as=style', 'x-a': 'b' });
        res.end();
      }),
    () => within((_req, res) => res.writeEarlyHints({ link: 'nonsense' })),
  ],
  'ServerResponse#writeProcessing': [() => raw(get('/'), (_req, res) => void (res.writeProcessing(), res.end()))],
  'ServerResponse#writeHead': [
    () => exchange((_req, res) => res.writeHead(201, 'Made', { 'x-a': ['1', '2'] }).end()),
    () => exchange((_req, res) => res.writeHead(200, ['x-a', '1', 'x-b', '2']).end()),
    () => within((_req, res) => res.writeHead(99)),
    () => within((_req, res) => res.writeHead(200).end() && res.writeHead(200)),
    () => within((_req, res) => res.writeHead(200, { a: 'b\n' })),
  ],
});
