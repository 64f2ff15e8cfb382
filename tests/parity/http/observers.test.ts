/**
 * What watches a server: diagnostics channels, captured rejections, the question whether to upgrade, and the
 * timeouts of a slow client, each with what the client and the program get to see.
 */
import diagnostics from 'node:diagnostics_channel';
import { captureRejectionSymbol, EventEmitter } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { CaseContext, HttpModule, ParityCase, RequestInput } from '../harness/case.ts';
import { normaliseReply } from '../differences.ts';
import { defineSuite } from '../harness/suite.ts';

interface Published {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly socket?: Socket;
  readonly server?: Server;
}

/** Node 20 does not have `response.created`; ours publishes it there too. */
const CREATED_SINCE = 22;
const CHANNELS = [
  'http.server.request.start',
  ...(Number.parseInt(process.versions.node, 10) >= CREATED_SINCE ? ['http.server.response.created'] : []),
  'http.server.response.finish',
];

/** Subscribes until the server closes, to what concerns this server only. */
function watch(server: Server, channels: readonly string[], note: (name: string, published: Published) => void): Server {
  const listeners = channels.map((name) => {
    const listener = (message: unknown): void => note(name.slice('http.server.'.length), message as Published);
    diagnostics.subscribe(name, listener);
    return () => diagnostics.unsubscribe(name, listener);
  });
  server.on('close', () => listeners.forEach((unsubscribe) => unsubscribe()));
  return server;
}

function noteAll(ctx: CaseContext, server: () => Server): (name: string, published: Published) => void {
  return (name, { request, response, ...rest }) => {
    ctx.record(name, request.method, request.url, response.req === request, response.headersSent, response.writableEnded);
    ctx.record(Object.keys(rest).sort(), rest.socket === undefined ? '' : rest.socket === request.socket, rest.server === server());
  };
}

function watched(name: string, options: { channels?: readonly string[]; requests: RequestInput[]; pipelined?: boolean }): ParityCase {
  return {
    name,
    server: (http, ctx) => {
      const server: Server = http.createServer((req, res) => {
        ctx.record('handler', req.url);
        if (req.url === '/late') setImmediate(() => res.end('late'));
        else if (req.url === '/stream') void (res.write('a'), res.end('b'));
        else if (req.url === '/file') res.writeHead(304).end();
        else res.end('ok');
        res.on('finish', () => ctx.record('finish', req.url));
      });
      return watch(
        server,
        options.channels ?? CHANNELS,
        noteAll(ctx, () => server),
      );
    },
    requests: options.requests,
    ...(options.pipelined === true ? { options: { connection: 'pipelined' } } : {}),
  };
}

const failing = (http: HttpModule, options: object, ctx: CaseContext): Server =>
  http.createServer(options, async (req, res) => {
    res.setHeader('X-Leak', '1');
    res.on('close', () => ctx.record('close', res.statusCode, res.writableFinished));
    if (req.url === '/sent') res.write('some');
    if (req.url === '/ended') res.end('all');
    await Promise.resolve();
    if (req.url === '/late') await new Promise((resolve) => setTimeout(resolve, 5));
    throw Object.assign(new Error('rejected'), { code: 'E_CASE' });
  });

function captured(name: string, path: string, prepare?: (server: Server, ctx: CaseContext) => void): ParityCase {
  return {
    name,
    server: (http, ctx) => {
      const before = EventEmitter.captureRejections;
      EventEmitter.captureRejections = true;
      try {
        const server = failing(http, {}, ctx);
        prepare?.(server, ctx);
        return server;
      } finally {
        EventEmitter.captureRejections = before;
      }
    },
    requests: [`GET ${path}`],
    options: { deadlineMs: 300 },
  };
}

const UPGRADE = 'GET /chat HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n';

const isUpgrade = (req: IncomingMessage): unknown => (req as IncomingMessage & { upgrade?: unknown }).upgrade;

function asksToUpgrade(name: string, shouldUpgradeCallback: (req: IncomingMessage) => unknown, bytes = UPGRADE): ParityCase {
  return {
    name,
    server: (http, ctx) => {
      const server = http.createServer({ shouldUpgradeCallback } as object, (req, res) => {
        ctx.record('request', req.url, isUpgrade(req));
        res.end('plain');
      });
      server.on('upgrade', (req, socket) => {
        ctx.record('upgrade', req.url, isUpgrade(req));
        socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
      });
      server.on('clientError', (error, socket) => {
        ctx.record('clientError', error.message);
        socket.destroy();
      });
      return server;
    },
    client: async ({ connect, record }) => {
      const connection = await connect();
      connection.write(bytes);
      record(normaliseReply(await connection.read('GET')));
    },
    options: { deadlineMs: 300 },
  };
}

const SHORT_MS = 60;
const CHECK_MS = 20;
const HEAD_PART = 'GET /slow HTTP/1.1\r\nHost: a\r\n';
const CONTENT_PART = 'POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab';

interface Slow {
  readonly options: object;
  readonly bytes: readonly string[];
  readonly prepare?: (server: Server, ctx: CaseContext) => void;
}

function slow(name: string, { options, bytes, prepare }: Slow): ParityCase {
  // Whether the client reads the reply before or after the request is told of its end is nobody's promise.
  let ends: Promise<unknown>[] = [];
  return {
    name,
    server: (http, ctx) => {
      ends = [];
      const server = http.createServer({ connectionsCheckingInterval: CHECK_MS, ...options }, (req, res) => {
        ctx.record('request', req.method, req.url);
        ends.push(new Promise((resolve) => req.on('close', resolve)));
        req.on('error', (error: NodeJS.ErrnoException) => ctx.record('request error', error.code, error.message));
        req.on('aborted', () => ctx.record('aborted'));
        req.on('close', () => ctx.record('request close', req.complete, req.destroyed));
        res.on('close', () => ctx.record('response close', res.writableFinished));
        if (req.method === 'GET') res.end('fast');
        else req.resume().on('end', () => res.end('whole'));
      });
      prepare?.(server, ctx);
      return server;
    },
    client: async ({ connect, record }) => {
      const connection = await connect();
      const got: unknown[] = [];
      for (const part of bytes) {
        connection.write(part);
        if (part.endsWith('\r\n\r\n')) got.push(normaliseReply(await connection.read('GET')));
      }
      got.push(normaliseReply(await connection.read('GET')), await connection.closed());
      await Promise.all(ends);
      record(got);
    },
  };
}

/**
 * Once: when the client ends in turn, node:http's parser complains of the unfinished message a second time,
 * to nobody's use.
 */
const ownWords = (server: Server, ctx: CaseContext): void => {
  server.once('clientError', (error: NodeJS.ErrnoException, socket) => {
    ctx.record('clientError', error.code, error.message, 'rawPacket' in error, (socket as Socket).writable);
    socket.end('HTTP/1.1 408 Own Words\r\nConnection: close\r\n\r\n');
  });
};

defineSuite([
  watched('the channels report a request that is answered at once', { requests: ['GET /', 'HEAD /', 'GET /file'] }),
  watched('the channels report a request that is answered later', { requests: ['GET /late', 'GET /late'] }),
  watched('the channels report a streamed reply', { requests: ['GET /stream'] }),
  watched('the channels report pipelined requests', { requests: ['GET /1', 'GET /2', 'GET /3'], pipelined: true }),
  ...CHANNELS.map((channel) => watched(`${channel} works alone`, { channels: [channel], requests: ['GET /', 'GET /late'] })),
  {
    name: 'the channels are silent about a request that cannot be parsed',
    server: (http, ctx) => {
      const server: Server = http.createServer((_req, res) => res.end());
      return watch(
        server,
        CHANNELS,
        noteAll(ctx, () => server),
      );
    },
    requests: [{ raw: 'BROKEN\r\n\r\n', methods: ['GET'] }],
  },
  captured('a captured rejection answers 500 without the fields set before', '/'),
  captured('a captured rejection that comes later answers 500', '/late'),
  captured('a captured rejection after the head destroys the response', '/sent'),
  captured('a captured rejection after the end destroys the response', '/ended'),
  captured('a captureRejectionSymbol of the program is called', '/', (server, ctx) => {
    const own = (error: Error, event: string, _req: IncomingMessage, res: ServerResponse): void => {
      ctx.record(error.message, event);
      res.writeHead(503).end('own');
    };
    (server as unknown as Record<symbol, unknown>)[captureRejectionSymbol] = own;
  }),
  ...['/', '/sent', '/ended'].map((path): ParityCase => ({
    name: `without captureRejections the rejection for ${path} is unhandled`,
    server: (http, ctx) => failing(http, { captureRejections: false }, ctx),
    requests: [`GET ${path}`],
    options: { deadlineMs: 200 },
  })),
  asksToUpgrade('a shouldUpgradeCallback that says yes', () => true),
  asksToUpgrade('a shouldUpgradeCallback that says no', () => false),
  asksToUpgrade('a shouldUpgradeCallback that says something truthy', (req) => req.headers.upgrade),
  asksToUpgrade('a shouldUpgradeCallback that throws is uncaught', () => {
    throw new Error('undecided');
  }),
  asksToUpgrade('a shouldUpgradeCallback is not asked without Upgrade', () => true, 'GET /plain HTTP/1.1\r\nHost: a\r\n\r\n'),
  slow('headersTimeout answers 408 to a head that does not end', {
    options: { headersTimeout: SHORT_MS, requestTimeout: 0 },
    bytes: [HEAD_PART],
  }),
  slow('headersTimeout answers 408 to a connection that sends part of a second head', {
    options: { headersTimeout: SHORT_MS, requestTimeout: 0 },
    bytes: [`${HEAD_PART}\r\n`, HEAD_PART],
  }),
  slow('requestTimeout answers 408 to content that does not end', {
    options: { headersTimeout: 0, requestTimeout: SHORT_MS },
    bytes: [CONTENT_PART],
  }),
  slow('requestTimeout answers 408 to a head that does not end', {
    options: { headersTimeout: 0, requestTimeout: SHORT_MS },
    bytes: [HEAD_PART],
  }),
  slow('a clientError listener answers a headersTimeout itself', {
    options: { headersTimeout: SHORT_MS, requestTimeout: 0 },
    bytes: [HEAD_PART],
    prepare: ownWords,
  }),
  slow('a clientError listener answers a requestTimeout itself', {
    options: { headersTimeout: 0, requestTimeout: SHORT_MS },
    bytes: [CONTENT_PART],
    prepare: ownWords,
  }),
]);
