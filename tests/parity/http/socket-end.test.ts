/**
 * An application that ends the connection itself, in the tick in which it has written a reply.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ParityCase } from '../harness/case.ts';
import { defineSuite } from '../harness/suite.ts';

type Give = (req: IncomingMessage, res: ServerResponse) => void;

function ending(name: string, give: Give): ParityCase {
  return {
    name,
    server: (http, ctx) =>
      http.createServer((req, res) => {
        const done = ctx.pending();
        req.socket.on('close', () => {
          ctx.record('socket close');
          done();
        });
        give(req, res);
      }),
    client: async (client) => {
      const connection = await client.connect();
      connection.socket.on('error', () => {});
      connection.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      await connection.read('GET');
      await connection.closed();
    },
  };
}

const refusal = (res: ServerResponse): void => {
  res.writeHead(413, { 'Content-Length': 3 });
  res.write('big');
};

defineSuite([
  ending('behind what was written', (req, res) => {
    refusal(res);
    req.socket.end();
  }),
  ending('by destroySoon', (req, res) => {
    refusal(res);
    (req.socket as unknown as { destroySoon(): void }).destroySoon();
  }),
  ending('behind a reply that is complete', (req, res) => {
    res.end('all of it');
    req.socket.end();
  }),
  ending('behind a large piece', (req, res) => {
    res.writeHead(200, { 'Content-Length': 300_000 });
    res.write('x'.repeat(300_000));
    req.socket.end();
  }),
]);
