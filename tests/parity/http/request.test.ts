/** The request: fields, headers, content as a stream, trailers, identity. */
import { EventEmitter } from 'node:events';
import * as upstream from 'node:http';
import { Readable, Stream, Writable, finished, pipeline } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { CaseContext, ParityCase, RequestInput } from '../harness/case.ts';
import { defineSuite } from '../harness/suite.ts';

type Handler = (req: upstream.IncomingMessage, res: upstream.ServerResponse, ctx: CaseContext) => void;
const one = (name: string, handler: Handler, requests: readonly RequestInput[] = ['GET /']): ParityCase => ({
  name,
  server: (http, ctx) => http.createServer((req, res) => handler(req, res, ctx)),
  requests,
});
const post = (body: string, headers: Record<string, string> = {}): RequestInput => ({ method: 'POST', path: '/', body, headers });
const chunked: RequestInput = {
  raw: 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n3\r\nabc\r\n2;ext=1\r\nde\r\n0\r\nX-T: 1\r\nx-t: 2\r\n\r\n',
  methods: ['POST'],
};
const head = (fields: string): RequestInput => ({ raw: `GET / HTTP/1.1\r\nHost: a\r\n${fields}\r\n\r\n`, methods: ['GET'] });

defineSuite([
  one(
    'method, url and version',
    (req, res, ctx) => {
      ctx.record(
        req.method,
        req.url,
        req.httpVersion,
        req.httpVersionMajor,
        req.httpVersionMinor,
        req.statusCode,
        req.statusMessage,
        req.aborted,
      );
      res.end();
    },
    [
      'GET /a?b=c',
      'PUT /x',
      'DELETE /',
      'PATCH /',
      'OPTIONS *',
      { raw: 'GET http://host/abs?q HTTP/1.1\r\nHost: host\r\n\r\n', methods: ['GET'] },
      { raw: 'GET /old HTTP/1.0\r\n\r\n', methods: ['GET'] },
    ],
  ),
  one('method and url can be assigned', (req, res, ctx) => {
    req.url = '/changed';
    req.method = 'WHAT';
    ctx.record(req.url, req.method);
    res.end();
  }),
  one("instances of Node's classes", (req, res, ctx) => {
    ctx.record(req instanceof upstream.IncomingMessage, req instanceof Readable, req instanceof Stream, req instanceof EventEmitter);
    ctx.record(
      res instanceof upstream.ServerResponse,
      res instanceof upstream.OutgoingMessage,
      res instanceof Stream,
      res instanceof EventEmitter,
      res instanceof Writable,
    );
    ctx.record(res.req === req, req.socket === res.socket, req.connection === req.socket);
    res.end();
  }),
  one(
    'headers are lower case, raw headers as sent',
    (req, res, ctx) => {
      ctx.record(req.headers, req.rawHeaders, req.headersDistinct);
      res.end();
    },
    [head('X-Mixed-Case: Value\r\nempty:\r\nspaces:   x   ')],
  ),
  one(
    'duplicates are joined, dropped or listed',
    (req, res, ctx) => {
      ctx.record(req.headers, req.headersDistinct);
      res.end();
    },
    [
      head(
        'X-A: 1\r\nx-a: 2\r\nCookie: a=1\r\nCookie: b=2\r\nSet-Cookie: c=1\r\nSet-Cookie: d=2\r\nUser-Agent: u\r\nUser-Agent: v\r\nAuthorization: x\r\nAuthorization: y\r\nAccept: a\r\nAccept: b\r\nReferer: r\r\nReferer: s\r\nContent-Type: t\r\nContent-Type: u\r\nEtag: 1\r\nEtag: 2\r\nAge: 1\r\nAge: 2',
      ),
    ],
  ),
  {
    name: 'joinDuplicateHeaders joins what is dropped otherwise',
    server: (http, ctx) =>
      http.createServer({ joinDuplicateHeaders: true }, (req, res) => {
        ctx.record(req.headers);
        res.end();
      }),
    requests: [head('User-Agent: u\r\nUser-Agent: v\r\nAuthorization: x\r\nAuthorization: y\r\nSet-Cookie: a\r\nCookie: a\r\nCookie: b')],
  },
  one(
    'names of Object.prototype are plain fields',
    (req, res, ctx) => {
      ctx.record(
        req.headers['constructor'],
        req.headers['valueof'],
        Object.getPrototypeOf(req.headers) === Object.prototype,
        req.headersDistinct['constructor'],
      );
      res.end();
    },
    [head('constructor: a\r\nconstructor: b\r\nvalueOf: c')],
  ),
  one(
    'latin1 values are kept',
    (req, res, ctx) => {
      ctx.record(req.headers['x-l'], req.headers['x-l']?.length);
      res.end();
    },
    [head('X-L: caf\xe9')],
  ),
  one('headers can be assigned', (req, res, ctx) => {
    req.headers = { a: 'b' };
    ctx.record(req.headers);
    res.end();
  }),
  one('headers can be changed', (req, res, ctx) => {
    req.headers['x-new'] = '1';
    delete req.headers.host;
    ctx.record(req.headers);
    res.end();
  }),
  one(
    'content through data and end',
    (req, res, ctx) => {
      let body = '';
      req.on('data', (chunk: Buffer) => (body += chunk.toString()));
      req.on('end', () => {
        ctx.record(body, req.complete, req.readableEnded);
        res.end(body);
      });
      ctx.record(req.complete, req.readableEnded, req.readable);
    },
    [post('hello'), post(''), 'GET /', post('x'.repeat(100_000)), chunked],
  ),
  one(
    'content through setEncoding',
    (req, res) => {
      req.setEncoding('utf8');
      let body = '';
      req.on('data', (chunk: string) => (body += typeof chunk + chunk));
      req.on('end', () => res.end(body));
    },
    [post('häl')],
  ),
  one(
    'content through readable and read',
    (req, res, ctx) => {
      const chunks: string[] = [];
      ctx.record('sync', req.read());
      req.on('readable', () => {
        for (let chunk: Buffer | null; (chunk = req.read() as Buffer | null) !== null;) chunks.push(chunk.toString());
      });
      req.on('end', () => res.end(chunks.join('')));
    },
    [post('hello'), 'GET /'],
  ),
  one(
    'content through async iteration',
    (req, res) => {
      void (async () => {
        let body = '';
        for await (const chunk of req) body += String(chunk);
        res.end(body);
      })();
    },
    [post('iterate'), 'GET /', chunked],
  ),
  one(
    'content through a consumer',
    (req, res) => {
      void text(req).then((body) => res.end(body));
    },
    [post('consume')],
  ),
  one('content through pipe to the response', (req, res) => void req.pipe(res), [post('echo'), chunked]),
  one(
    'content through pipeline',
    (req, res, ctx) => {
      const done = ctx.pending();
      pipeline(req, res, (error) => {
        ctx.record(error ?? null);
        done();
      });
    },
    [post('line'.repeat(50_000))],
  ),
  one(
    'pause and resume',
    (req, res, ctx) => {
      let body = '';
      req.on('data', (chunk: Buffer) => {
        body += chunk.toString();
        req.pause();
        ctx.record(req.isPaused());
        setImmediate(() => req.resume());
      });
      req.on('end', () => res.end(String(body.length)));
    },
    [post('a'.repeat(10))],
  ),
  one(
    'content read late',
    (req, res) => {
      setTimeout(() => {
        let body = '';
        req.on('data', (chunk: Buffer) => (body += chunk.toString()));
        req.on('end', () => res.end(body));
      }, 10);
    },
    [post('late'), chunked, 'GET /'],
  ),
  one(
    'events of a request that nobody reads',
    (req, res, ctx) => {
      const done = ctx.pending();
      for (const event of ['end', 'close', 'aborted', 'error']) req.on(event, () => ctx.record(event));
      req.on('close', done);
      res.end('x');
    },
    ['GET /', post('unread')],
  ),
  one(
    'states of a request that nobody reads, after its reply',
    (req, res, ctx) => {
      const done = ctx.pending();
      res.on('close', () =>
        setImmediate(() => {
          ctx.record(req.complete, req.readableEnded, req.destroyed, req.aborted);
          done();
        }),
      );
      res.end('x');
    },
    ['GET /', post('unread')],
  ),
  one('unread content does not become a request', (_req, res) => void res.end('x'), [
    post('GET /evil HTTP/1.1\r\n\r\n'),
    'GET /next',
    post('y'.repeat(30_000)),
    'GET /next',
  ]),
  one(
    'trailers',
    (req, res, ctx) => {
      ctx.record(req.trailers, req.rawTrailers);
      req.on('data', () => undefined);
      req.on('end', () => {
        ctx.record(req.trailers, req.rawTrailers, req.trailersDistinct, req.headers['content-length']);
        res.end();
      });
    },
    [chunked],
  ),
  one(
    'finished() on the request',
    (req, res, ctx) => {
      const done = ctx.pending();
      finished(req, (error) => {
        ctx.record('finished', error ?? null);
        done();
      });
      req.resume();
      res.end('x');
    },
    [post('x'), 'GET /'],
  ),
  one(
    'resume throws content away',
    (req, res) => {
      req.resume();
      req.on('end', () => res.end('done'));
    },
    [post('z'.repeat(200_000)), 'GET /'],
  ),
  one(
    'destroy takes the connection along',
    (req, res, ctx) => {
      const done = ctx.pending();
      req.on('aborted', () => ctx.record('aborted'));
      req.on('close', () => ctx.record('req close', req.destroyed));
      res.on('close', () => {
        ctx.record('res close', res.writableFinished);
        done();
      });
      ctx.record(req.destroy() === req, req.destroyed);
    },
    [post('x')],
  ),
  one(
    'destroy with an error reports it',
    (req, _res, ctx) => {
      const done = ctx.pending();
      req.on('error', (error) => {
        ctx.record('error', error);
        done();
      });
      req.destroy(new Error('mine'));
    },
    [post('x')],
  ),
  one('listener counts and names', (req, res, ctx) => {
    const listener = (): void => undefined;
    req.on('aborted', listener).once('x', listener);
    ctx.record(req.listenerCount('aborted'), req.listenerCount('x'), req.eventNames().includes('x'));
    req.emit('x');
    req.off('aborted', listener);
    ctx.record(req.listenerCount('aborted'), req.listenerCount('x'));
    res.end();
  }),
  one('setTimeout returns the request', (req, res, ctx) => {
    ctx.record(req.setTimeout(10_000, () => undefined) === req, req.listenerCount('timeout'));
    res.end();
  }),
  one('signal exists where Node has it', (req, res, ctx) => {
    const { signal } = req as unknown as { signal?: AbortSignal };
    ctx.record(signal === undefined ? 'none' : signal.aborted);
    res.end();
  }),
  one('properties of the socket', (req, res, ctx) => {
    const { socket } = req;
    ctx.record(
      socket.remoteAddress,
      socket.remoteFamily,
      typeof socket.remotePort,
      socket.localAddress,
      typeof socket.localPort,
      (socket as { encrypted?: boolean }).encrypted,
    );
    ctx.record(socket.readable, socket.writable, socket.destroyed, socket.connecting, socket.pending, socket.readyState);
    ctx.record(Object.keys(socket.address()).sort(), socket.bytesRead > 0);
    ctx.record(
      socket.setNoDelay() === socket,
      socket.setKeepAlive(true, 1000) === socket,
      socket.setTimeout(5000) === socket,
      socket.timeout,
      socket.ref() === socket,
      socket.unref() === socket,
    );
    socket.ref();
    socket.setTimeout(0);
    res.end();
  }),
  one(
    'the socket is the same for all requests of a connection',
    (req, res, ctx) => {
      const marked = req.socket as unknown as { mark?: number };
      marked.mark = (marked.mark ?? 0) + 1;
      ctx.record(marked.mark);
      res.end();
    },
    ['GET /', 'GET /', 'GET /'],
  ),
  one('the socket knows its server and its message', (req, res, ctx) => {
    const socket = req.socket as unknown as { server: unknown; _httpMessage: unknown };
    ctx.record(socket.server instanceof upstream.Server, socket._httpMessage === res);
    res.end();
  }),
  one('socket.destroy ends everything', (req, res, ctx) => {
    const done = ctx.pending();
    req.socket.on('close', (hadError: boolean) => ctx.record('socket close', hadError));
    res.on('close', () => {
      ctx.record('res close');
      setImmediate(done);
    });
    req.socket.destroy();
    ctx.record(req.socket.destroyed);
  }),
  one('setEncoding on the socket is refused', (req, res, ctx) => {
    ctx.attempt('setEncoding', () => req.socket.setEncoding('utf8'));
    res.end();
  }),
]);
