/**
 * Clients whose requests arrive together: each has a turn of its own, with its ticks and promises, before the
 * next one's handler runs. Notes carry no client: which of several sockets the system names first is nobody's
 * promise.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { CaseContext, ClientContext, HttpModule, ParityCase, RawConnection } from '../harness/case.ts';
import { defineSuite } from '../harness/suite.ts';

const CLIENTS = 6;

type Handler = (req: IncomingMessage, res: ServerResponse, ctx: CaseContext) => void;

/**
 * Connects all, has each served once, then sends what `requests` gives in one go, so that all of it is there
 * when the server looks.
 */
async function together(client: ClientContext, bytes: string, replies: number): Promise<void> {
  const connections: RawConnection[] = [];
  for (let i = 0; i < CLIENTS; i++) {
    const connection = await client.connect();
    connection.write('GET /first HTTP/1.1\r\nHost: a\r\n\r\n');
    await connection.read();
    connections.push(connection);
  }
  client.record('all connected');
  for (const connection of connections) connection.write(bytes);
  for (const connection of connections) {
    for (let i = 0; i < replies; i++) client.record((await connection.read()).body);
  }
}

function turns(name: string, handle: Handler, bytes = 'GET /x HTTP/1.1\r\nHost: a\r\n\r\n', replies = 1): ParityCase {
  return {
    name,
    server: (http: HttpModule, ctx): Server =>
      http.createServer((req, res) => {
        if (req.url === '/first') return void res.end();
        handle(req, res, ctx);
      }),
    client: (client) => together(client, bytes, replies),
  };
}

const post = (body: string): string => `POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

function noteEnds(res: ServerResponse, ctx: CaseContext): void {
  const done = ctx.pending();
  res.on('finish', () => ctx.record('finish'));
  res.on('close', () => {
    ctx.record('close');
    done();
  });
}

const store = new WeakMap<CaseContext, number>();

defineSuite([
  turns('a check and a write with a promise between them', async (_req, res, ctx) => {
    const seen = await Promise.resolve(store.get(ctx) ?? 0);
    await Promise.resolve();
    store.set(ctx, seen + 1);
    res.end(`${seen}`);
  }),
  turns('ticks and promises of a handler run before the next handler', (_req, res, ctx) => {
    ctx.record('handler');
    process.nextTick(() => {
      ctx.record('tick');
      process.nextTick(() => res.end('ok'));
    });
    void Promise.resolve().then(() => ctx.record('promise'));
    queueMicrotask(() => ctx.record('microtask'));
  }),
  turns('a reply at once tells of its end before the next handler', (_req, res, ctx) => {
    ctx.record('handler');
    noteEnds(res, ctx);
    res.end('ok');
  }),
  turns('a reply after a promise tells of its end before the next handler', async (_req, res, ctx) => {
    ctx.record('handler');
    noteEnds(res, ctx);
    await Promise.resolve();
    res.end('ok', () => ctx.record('end callback'));
  }),
  turns('a reply in pieces tells of its end before the next handler', (_req, res, ctx) => {
    ctx.record('handler');
    noteEnds(res, ctx);
    res.write('a', () => ctx.record('write callback'));
    res.end('b');
  }),
  turns(
    'content that comes with its head',
    async (req, res, ctx) => {
      ctx.record('handler');
      noteEnds(res, ctx);
      let text = '';
      for await (const chunk of req) text += String(chunk);
      ctx.record('content');
      res.end(text);
    },
    post('content'),
  ),
  turns(
    'content that is listened to',
    (req, res, ctx) => {
      ctx.record('handler');
      req.on('data', () => {
        ctx.record('data');
        void Promise.resolve().then(() => ctx.record('after data'));
      });
      req.on('end', () => {
        ctx.record('end');
        res.end('ok');
      });
    },
    post('content'),
  ),
  turns(
    'pipelined requests of a client come in one turn',
    async (req, res, ctx) => {
      ctx.record('handler');
      await Promise.resolve();
      ctx.record('after await');
      res.end('ok');
    },
    'GET /x HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2),
    2,
  ),
  turns(
    'pipelined: one is answered at once, one later',
    (req, res, ctx) => {
      ctx.record('handler', req.url);
      if (req.url === '/now') return void res.end('now');
      void Promise.resolve().then(() => {
        ctx.record('later');
        res.end('later');
      });
    },
    ['/now', '/later', '/now'].map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''),
    3,
  ),
  turns('who destroys the socket at the end of a reply has sent it', (req, res, ctx) => {
    noteEnds(res, ctx);
    res.on('finish', () => req.socket.destroy());
    res.end('x'.repeat(3000));
  }),
  turns('who destroys the socket at the end of a reply in pieces has sent it', (req, res, ctx) => {
    noteEnds(res, ctx);
    res.on('finish', () => req.socket.destroy());
    res.write('x'.repeat(3000));
    void Promise.resolve().then(() => res.end('y'));
  }),
  {
    ...turns('who closes all connections at the end of the last reply has sent all', () => undefined),
    server: (http: HttpModule, ctx): Server => {
      let left = CLIENTS;
      const server = http.createServer((req, res) => {
        if (req.url !== '/first') res.on('finish', () => --left === 0 && server.closeAllConnections());
        if (req.url !== '/first') noteEnds(res, ctx);
        res.end('x'.repeat(300));
      });
      return server;
    },
  },
  {
    ...turns('who closes all connections behind the last reply has sent all', () => undefined),
    server: (http: HttpModule): Server => {
      let left = CLIENTS;
      const server = http.createServer((req, res) => {
        res.end('x'.repeat(300));
        if (req.url !== '/first' && --left === 0) server.closeAllConnections();
      });
      return server;
    },
  },
  turns('at the end of a reply all of it is written', (req, res, ctx) => {
    noteEnds(res, ctx);
    res.on('finish', () => {
      ctx.record(res.writableLength, res.writableFinished, req.socket.writableLength, req.socket.bytesWritten > 3000);
    });
    void Promise.resolve().then(() => res.end('x'.repeat(3000)));
  }),
  turns(
    'a request that closes its connection',
    (_req, res, ctx) => {
      ctx.record('handler');
      noteEnds(res, ctx);
      void Promise.resolve().then(() => res.end('ok'));
    },
    'GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  ),
  turns('large replies whose end is waited for', (_req, res, ctx) => {
    const done = ctx.pending();
    res.on('finish', done);
    void Promise.resolve().then(() => res.end('x'.repeat(300_000)));
  }),
  turns('what is left behind a reply at once', (_req, res, ctx) => {
    ctx.record('handler');
    process.nextTick(() => ctx.record('tick'));
    queueMicrotask(() => ctx.record('microtask'));
    res.end('ok');
  }),
  turns('a handler that goes on behind its reply', async (_req, res, ctx) => {
    const busy = store.get(ctx) ?? 0;
    ctx.record(busy);
    store.set(ctx, busy + 1);
    res.end('ok');
    await Promise.resolve();
    store.set(ctx, busy);
  }),
  turns('half are answered at once, without anybody who waits', (req, res, ctx) => {
    const count = (store.get(ctx) ?? 0) + 1;
    store.set(ctx, count);
    ctx.record('handler');
    if (count % 2 === 0) return void res.end('now');
    void Promise.resolve().then(() => {
      ctx.record('later');
      res.end('later');
    });
  }),
  {
    name: 'clients whose connection was closed meanwhile have no handler called',
    server: (http, ctx) => {
      const server = http.createServer((req, res) => {
        if (req.url === '/first') return void res.end();
        ctx.record('handler');
        const done = ctx.pending();
        server.closeAllConnections();
        setImmediate(() => {
          ctx.record('later');
          done();
        });
      });
      return server;
    },
    client: async (client) => {
      const connections: RawConnection[] = [];
      for (let i = 0; i < CLIENTS; i++) {
        const connection = await client.connect();
        connection.write('GET /first HTTP/1.1\r\nHost: a\r\n\r\n');
        await connection.read();
        connections.push(connection);
      }
      for (const connection of connections) connection.write('GET /x HTTP/1.1\r\nHost: a\r\n\r\n');
      for (const connection of connections) client.record(await connection.closed());
    },
  },
]);
