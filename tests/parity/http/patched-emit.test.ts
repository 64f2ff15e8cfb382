/**
 * What monitoring agents do to servers: `emit` replaced, on the server or on the class. It sees what it sees
 * on Node, in that order.
 */
import type { Server } from 'node:http';
import { defineSuite } from '../harness/suite.ts';
import type { CaseContext } from '../harness/case.ts';

const BROKEN = 'BROKEN\r\n\r\n';

/** Notes what passes `emit` of one server. */
function watch(server: Server, ctx: CaseContext): Server {
  const { emit } = server;
  server.emit = function watched(this: Server, event: string | symbol, ...rest: unknown[]): boolean {
    const heard = Reflect.apply(emit, this, [event, ...rest]);
    if (event !== 'listening') ctx.record([String(event), rest.length, heard]);
    return heard;
  } as typeof emit;
  return server;
}

defineSuite([
  {
    name: 'a replaced emit of a server sees connections, requests and errors that nobody listens to',
    server: (http, ctx) =>
      watch(
        http.createServer((req, res) => void res.end(req.url)),
        ctx,
      ),
    requests: ['GET /', { raw: 'GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n', methods: ['GET', 'GET'] }],
    client: async ({ connect, record }) => {
      const connection = await connect();
      connection.write(BROKEN);
      record(await connection.closed());
    },
  },
  {
    name: 'a replaced emit may keep an event to itself',
    server: (http, ctx) => {
      const server = http.createServer((req, res) => void res.end(req.url));
      const { emit } = server;
      server.emit = function watched(this: Server, event: string | symbol, ...rest: unknown[]): boolean {
        if (event === 'request') (rest[1] as { setHeader(name: string, value: string): void }).setHeader('X-Seen', 'yes');
        if (event !== 'clientError') return Reflect.apply(emit, this, [event, ...rest]);
        const [error, socket] = rest as [NodeJS.ErrnoException, { end(text: string): void }];
        ctx.record(error.code);
        socket.end('HTTP/1.1 499 Kept\r\n\r\n');
        return true;
      } as typeof emit;
      return server;
    },
    requests: ['GET /', { raw: BROKEN, methods: ['GET'] }],
  },
]);
