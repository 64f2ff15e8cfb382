/**
 * Content that an application has begun to take and reads no more of, behind a complete reply: the connection
 * ends with the keep-alive time.
 */
import type { ParityCase } from '../harness/case.ts';
import { defineSuite } from '../harness/suite.ts';

/** More than systems and both sides keep on their way. */
const CONTENT_BYTES = 20_000_000;
const HEAD = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${CONTENT_BYTES}\r\n\r\n`;

interface Listens {
  readonly request?: boolean;
  readonly server?: boolean;
}

function paused(name: string, head: string, listens: Listens = {}): ParityCase {
  return {
    name,
    server: (http, ctx) => {
      const done = ctx.pending();
      const server = http.createServer((req, res) => {
        for (const what of ['aborted', 'error', 'end', 'close'] as const) req.on(what, () => ctx.record(`req ${what}`));
        for (const what of ['finish', 'close'] as const) res.on(what, () => ctx.record(`res ${what}`));
        req.socket.on('close', () => {
          ctx.record('socket close');
          done();
        });
        const end = (): void => {
          ctx.record('timeout heard');
          req.socket.destroy();
        };
        if (listens.request === true) req.on('timeout', end);
        req.once('data', () => {
          req.pause();
          res.statusCode = 413;
          res.end('too large');
        });
      });
      if (listens.server === true) server.on('timeout', (socket) => socket.destroy());
      server.keepAliveTimeout = 200;
      return server;
    },
    client: async (client) => {
      const connection = await client.connect();
      // It may be reset: content is left unread.
      connection.socket.on('error', () => {});
      connection.write(head);
      connection.write('x'.repeat(100));
      await connection.read('POST');
      await new Promise((resolve) => connection.socket.once('close', resolve));
    },
  };
}

/**
 * Takes a piece, waits, takes the next: longer than the keep-alive time altogether, never for as long at a
 * time.
 */
const inPauses: ParityCase = {
  name: 'that is taken in pauses behind its reply',
  server: (http, ctx) => {
    const done = ctx.pending();
    const server = http.createServer((req, res) => {
      let bytes = 0;
      res.end('early');
      req.on('data', (piece: Buffer) => {
        bytes += piece.length;
        req.pause();
        setTimeout(() => req.resume(), 250);
      });
      req.on('end', () => {
        ctx.record(`end behind ${bytes} bytes`);
        done();
      });
      req.on('error', () => ctx.record('error'));
    });
    server.keepAliveTimeout = 400;
    return server;
  },
  client: async (client) => {
    const connection = await client.connect();
    connection.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\n${'x'.repeat(300_000)}`);
    await connection.read('POST');
    await new Promise((resolve) => connection.socket.once('close', resolve));
  },
};

defineSuite([
  inPauses,
  paused('of a declared length', HEAD),
  paused('in chunks', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n'),
  paused('with a listener of the request, who ends it', HEAD, { request: true }),
  paused('with a listener of the server, who ends it', HEAD, { server: true }),
]);
