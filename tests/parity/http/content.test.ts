/**
 * Content of a reply: write, end, callbacks, encodings, cork, trailers, declared lengths, events and states.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable, finished, pipeline } from 'node:stream';
import type { CaseContext, ParityCase } from '../harness/case.ts';
import { defineSuite } from '../harness/suite.ts';

type Handler = (res: ServerResponse, ctx: CaseContext, req: IncomingMessage) => void;
const one = (name: string, handler: Handler, requests: ParityCase['requests'] = ['GET /']): ParityCase => ({
  name,
  server: (http, ctx) => http.createServer({ keepAliveTimeout: 5000 }, (req, res) => handler(res, ctx, req)),
  requests,
});
const loose = (res: ServerResponse): Record<string, (...args: unknown[]) => unknown> =>
  res as unknown as Record<string, (...args: unknown[]) => unknown>;
const state = (res: ServerResponse): unknown[] => [
  res.finished,
  res.headersSent,
  res.writableEnded,
  res.destroyed,
  res.writable,
  res.writableObjectMode,
  res.writableNeedDrain,
  res.errored,
  res.closed,
];

defineSuite([
  one('end with a string', (res) => void res.end('hällo')),
  one('end with bytes', (res) => void res.end(Buffer.from([0, 1, 255]))),
  one('end with a Uint8Array', (res) => void res.end(new Uint8Array([65, 66]))),
  one('end with nothing', (res) => void res.end()),
  one('end with an empty string and null', (res, _ctx, req) => void loose(res)['end']?.(req.url === '/null' ? null : ''), [
    'GET /null',
    'GET /empty',
  ]),
  one('end returns the response', (res, ctx) => ctx.record(res.end() === res)),
  ...(['utf8', 'latin1', 'ascii', 'hex', 'base64', 'utf16le', 'binary', 'UTF-8', 'ucs2', 'base64url'] as const).map((encoding) =>
    one(
      `strings are written in ${encoding}`,
      (res, _ctx, req) => {
        if (req.url === '/w') res.write('6869', encoding as BufferEncoding);
        res.end('6a6b', encoding as BufferEncoding);
      },
      ['GET /w', 'GET /e'],
    ),
  ),
  one(
    'an unknown encoding is refused',
    (res, ctx, req) => {
      ctx.attempt('call', () => (req.url === '/w' ? loose(res)['write']?.('x', 'foo') : loose(res)['end']?.('x', 'foo')));
      res.destroy();
    },
    ['GET /w', 'GET /e'],
  ),
  one('end refuses other types', (res, ctx) => {
    for (const value of [5, true, {}, [], new Date(0), Symbol('s')]) ctx.attempt(typeof value, () => loose(res)['end']?.(value));
    res.end('ok');
  }),
  one('write refuses other types', (res, ctx) => {
    for (const value of [null, undefined, 5, 0, true, {}, []]) ctx.attempt(String(value), () => loose(res)['write']?.(value));
    res.end('ok');
  }),
  one(
    'several writes in a tick',
    (res) => {
      res.write('a');
      res.write(Buffer.from('b'));
      res.write(new Uint8Array([99]));
      res.end('d');
    },
    ['GET /', 'GET /'],
  ),
  one(
    'writes across ticks',
    (res) => {
      res.write('a');
      setImmediate(() => {
        res.write('b');
        setImmediate(() => res.end('c'));
      });
    },
    ['GET /', 'GET /'],
  ),
  one('an empty write sends the head only', (res) => {
    res.write('');
    setImmediate(() => res.end('x'));
  }),
  one('write returns true for little and false for much', (res, ctx) => {
    ctx.record(res.write('x'));
    ctx.record(res.write(Buffer.alloc(4_000_000, 97)));
    ctx.record(res.writableNeedDrain);
    const done = ctx.pending();
    res.once('drain', () => {
      ctx.record('drain', res.writableNeedDrain);
      res.end();
      done();
    });
  }),
  one('write callbacks come later and in order', (res, ctx) => {
    const done = ctx.pending();
    res.write('a', () => ctx.record('a'));
    res.write('b', 'utf8', () => ctx.record('b'));
    ctx.record('sync');
    res.end('c', () => {
      ctx.record('c');
      done();
    });
  }),
  one(
    'end callbacks in every form',
    (res, ctx, req) => {
      const done = ctx.pending();
      const callback = (...args: unknown[]): void => {
        ctx.record('called', args.length > 0 && args[0] instanceof Error);
        done();
      };
      if (req.url === '/1') res.end(callback);
      else if (req.url === '/2') res.end('x', callback);
      else res.end('x', 'utf8', callback);
    },
    ['GET /1', 'GET /2', 'GET /3'],
  ),
  one(
    'end callbacks and listeners for finish are called in order',
    (res, ctx, req) => {
      const done = ctx.pending();
      const note = (label: string) => (): void => ctx.record(label, res.writableFinished);
      res.on('finish', note('before'));
      res.prependListener('finish', note('in front'));
      if (req.url === '/1') res.end(note('callback'));
      else res.end('x', note('callback'));
      res.on('finish', note('after'));
      res.prependListener('finish', note('in front of all'));
      res.once('close', () => {
        note('close')();
        done();
      });
    },
    ['GET /1', 'GET /2'],
  ),
  one('listeners that are put in front after the reply hear of its end', (res, ctx, req) => {
    const done = ctx.pending();
    queueMicrotask(() => {
      res.end('x');
      res.prependListener('finish', () => ctx.record('finish'));
      res.prependOnceListener('close', () => {
        ctx.record('close');
        done();
      });
      req.prependListener('error', () => ctx.record('never'));
    });
  }),
  one('end twice is harmless without content', (res, ctx) => {
    res.on('error', (error) => ctx.record('error', error));
    res.end('x');
    ctx.record(res.end() === res);
  }),
  one('end twice with content is an error event', (res, ctx) => {
    const done = ctx.pending();
    res.on('error', (error) => {
      ctx.record('error', error);
      done();
    });
    res.end('x');
    res.end('y', (error?: Error) => ctx.record('callback', error));
  }),
  one('a late end callback gets an error', (res, ctx) => {
    const done = ctx.pending();
    res.end('x');
    res.on('finish', () =>
      setImmediate(() =>
        res.end((error?: Error) => {
          ctx.record(error);
          done();
        }),
      ),
    );
  }),
  one('write after end is an error event and false', (res, ctx) => {
    const done = ctx.pending();
    res.on('error', (error) => {
      ctx.record('error', error);
      done();
    });
    res.end('x');
    ctx.record(res.write('y', (error) => ctx.record('callback', error)));
  }),
  one('write after destroy calls back with an error', (res, ctx) => {
    const done = ctx.pending();
    res.on('error', (error) => ctx.record('error', error));
    res.destroy();
    ctx.record(
      res.write('y', (error) => {
        ctx.record('callback', error);
        done();
      }),
    );
  }),
  one('states before, while and after', (res, ctx) => {
    const done = ctx.pending();
    ctx.record(...state(res));
    res.write('a');
    ctx.record(...state(res));
    res.on('finish', () => ctx.record('finish', ...state(res), res.writableFinished));
    res.on('close', () => {
      ctx.record('close', ...state(res), res.writableFinished);
      done();
    });
    res.end('b');
    ctx.record(...state(res));
  }),
  one('prefinish, finish and close come in this order', (res, ctx) => {
    const done = ctx.pending();
    for (const event of ['prefinish', 'finish', 'close']) res.on(event, () => ctx.record(event));
    res.on('close', done);
    res.end('x');
    ctx.record('ended');
  }),
  one('finish and close reach listeners added after end', (res, ctx) => {
    const done = ctx.pending();
    res.end('x');
    res.on('finish', () => ctx.record('finish'));
    res.on('close', () => {
      ctx.record('close', res.destroyed, res.writableFinished);
      done();
    });
  }),
  one('the socket leaves the response at finish', (res, ctx) => {
    const done = ctx.pending();
    ctx.record(res.socket !== null, res.connection === res.socket);
    res.on('finish', () => {
      ctx.record(res.socket === null, res.connection === null);
      done();
    });
    res.end('x');
  }),
  one('cork and uncork', (res, ctx) => {
    res.cork();
    ctx.record(res.writableCorked);
    res.write('a');
    res.write('b');
    res.uncork();
    ctx.record(res.writableCorked);
    res.end('c');
  }),
  one('end while corked sends everything', (res) => {
    res.cork();
    res.cork();
    res.write('a');
    res.write('b');
    res.end('c');
  }),
  one(
    'addTrailers',
    (res, ctx) => {
      res.writeHead(200, { Trailer: 'X-End' });
      res.write('a');
      res.addTrailers({ 'X-End': '1', 'X-List': 'b' });
      ctx.attempt('name', () => res.addTrailers({ 'a b': 'x' }));
      ctx.attempt('value', () => res.addTrailers({ a: 'x\n' }));
      res.addTrailers([
        ['X-End', '2'],
        ['X-More', '3'],
      ] as never);
      res.end();
    },
    ['GET /', 'GET /'],
  ),
  one('trailers without chunks are dropped', (res) => {
    res.setHeader('Content-Length', 1);
    res.addTrailers({ 'X-End': '1' });
    res.end('x');
  }),
  one('strictContentLength refuses other lengths', (res, ctx) => {
    res.strictContentLength = true;
    res.setHeader('Content-Length', 4);
    res.flushHeaders();
    ctx.attempt('too much', () => res.write('12345'));
    ctx.attempt('short end', () => void res.end('12'));
    ctx.attempt('end', () => void res.end('1234'));
  }),
  one(
    'strictContentLength accepts the right length',
    (res, ctx) => {
      res.strictContentLength = true;
      res.setHeader('Content-Length', 4);
      ctx.attempt('write', () => res.write('12'));
      ctx.attempt('end', () => void res.end('34'));
    },
    ['GET /', 'GET /'],
  ),
  one('flushHeaders sends the head at once', (res) => {
    res.setHeader('X-A', '1');
    res.flushHeaders();
    setImmediate(() => res.end('later'));
  }),
  one('pipe from a stream', (res) => void Readable.from(['a', 'b', 'c']).pipe(res)),
  one('pipeline to the response', (res, ctx) => {
    const done = ctx.pending();
    pipeline(Readable.from([Buffer.alloc(200_000, 97), 'end']), res, (error) => {
      ctx.record('done', error ?? null);
      done();
    });
  }),
  one('finished() on the response', (res, ctx) => {
    const done = ctx.pending();
    finished(res, (error) => {
      ctx.record('finished', error ?? null);
      done();
    });
    res.end('x');
  }),
  one('finished() after the end', (res, ctx) => {
    const done = ctx.pending();
    res.end('x');
    res.on('close', () =>
      finished(res, (error) => {
        ctx.record('finished', error ?? null);
        done();
      }),
    );
  }),
  one('a failing source in a pipeline destroys the response', (res, ctx) => {
    const done = ctx.pending();
    const source = new Readable({ read() {} });
    source.push('x');
    setImmediate(() => source.destroy(new Error('boom')));
    pipeline(source, res, (error) => {
      ctx.record(error, res.destroyed);
      done();
    });
  }),
  one('the response cannot be piped from', (res, ctx) => {
    res.on('error', (error) => ctx.record(error));
    loose(res)['pipe']?.();
    res.end();
  }),
  one('destroy with an error is kept as errored', (res, ctx) => {
    const done = ctx.pending();
    ctx.record(res.destroy(new Error('x')) === res, res.destroyed, res.errored);
    res.on('close', () => {
      ctx.record('close', res.writableFinished);
      done();
    });
  }),
  one('a large string', (res) => void res.end('0123456789'.repeat(100_000)), ['GET /', 'GET /']),
  one('a reply given later', (res) => void setTimeout(() => res.end('late'), 5), ['GET /', 'GET /']),
  one('setTimeout returns the response and takes a listener', (res, ctx) => {
    ctx.record(res.setTimeout(10_000, () => undefined) === res, res.listenerCount('timeout'));
    res.end();
  }),
  {
    name: 'trailers that somebody asked for before they came',
    server: (http, ctx) =>
      http.createServer((req, res) => {
        ctx.record(req.rawTrailers, req.trailers);
        const early = req.trailersDistinct;
        req.resume().on('end', () => {
          ctx.record(req.rawTrailers, req.trailers, early);
          res.end('ok');
        });
      }),
    requests: [{ raw: 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-A: 1\r\nX-A: 2\r\n\r\n' }],
  },
]);
