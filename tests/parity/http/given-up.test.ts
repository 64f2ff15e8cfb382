/** Requests that are given up while they are read, and replies whose memory is not what it seems. */
import { pipeline, Writable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { ParityCase, RequestInput } from '../harness/case.ts';
import { defineSuite } from '../harness/suite.ts';

const CONTENT_BYTES = 2_000;

const post: RequestInput = { method: 'POST', path: '/', body: 'x'.repeat(CONTENT_BYTES) };

const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

interface Resizable extends ArrayBuffer {
  resize(bytes: number): void;
}
const ResizableBuffer = ArrayBuffer as unknown as new (bytes: number, options: { maxByteLength: number }) => Resizable;

/** A view that lies outside its buffer, which has become shorter. */
function lostView(): Uint8Array {
  const buffer = new ResizableBuffer(10, { maxByteLength: 10 });
  const view = new Uint8Array(buffer, 5, 5);
  buffer.resize(6);
  return view;
}

const cases: ParityCase[] = [
  {
    name: 'a pipeline whose reader fails is answered by its callback, and the connection goes on',
    server: (http, ctx) =>
      http.createServer((req, res) => {
        if (req.method === 'GET') return void res.end('next');
        pipeline(req, createGunzip(), nowhere(), (error) => {
          ctx.record(req.socket === null, error?.name);
          res.statusCode = 400;
          res.end('bad content');
        });
      }),
    requests: [post, 'GET /'],
  },
  {
    name: 'a request destroyed after its reply ends the connection behind it',
    server: (http, ctx) =>
      http.createServer((req, res) => {
        const done = ctx.pending();
        req.on('error', (error) => ctx.record('error', error.message)).on('close', done);
        res.end('bad');
        req.destroy(new Error('given up'));
      }),
    requests: [post],
  },
  ...[new Error('given up'), undefined].flatMap((error) =>
    ['at once', 'later'].map((when): ParityCase => ({
      name: `a response destroyed ${when} with ${error ? 'an' : 'no'} error ends the request, then the response, then their socket`,
      server: (http, ctx) =>
        http.createServer((req, res) => {
          const closed = [ctx.pending(), ctx.pending(), ctx.pending()];
          const note = (name: string) => (value?: unknown) => ctx.record(name, value instanceof Error ? value.message : value);
          for (const event of ['aborted', 'error', 'close']) req.on(event, note(`request: ${event}`));
          for (const event of ['error', 'close']) res.on(event, note(`response: ${event}`));
          for (const event of ['error', 'close']) req.socket.on(event, note(`socket: ${event}`));
          for (const [index, emitter] of [req, res, req.socket].entries()) emitter.on('close', () => closed[index]?.());
          const destroy = (): void => {
            setImmediate(note('the same phase'));
            res.destroy(error);
          };
          if (when === 'at once') destroy();
          else setTimeout(destroy, 5);
        }),
      requests: ['GET /'],
      options: { probe: false },
    })),
  ),
  ...[false, true].map((isHeard): ParityCase => ({
    name: `content before broken framing is read until the loop's phase is over${isHeard ? ', and clientError comes before the end' : ''}`,
    server: (http, ctx) => {
      const server = http.createServer((req, res) => {
        const done = ctx.pending();
        for (const event of ['aborted', 'end', 'error']) req.on(event, (error?: Error) => ctx.record(event, error?.message));
        res.on('close', () => ctx.record('close of the response'));
        req.on('close', done);
        setImmediate(() => req.on('data', (chunk: Buffer) => ctx.record(String(chunk), req.aborted, req.destroyed)));
      });
      if (!isHeard) return server;
      return server.on('clientError', (error, socket) => {
        ctx.record((error as NodeJS.ErrnoException).code);
        socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
      });
    },
    requests: [{ raw: 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nZZ\r\n' }],
  })),
  {
    name: 'a view that lies outside its buffer is no content',
    server: (http) => http.createServer((_req, res) => void res.end(lostView())),
    requests: ['GET /1', 'GET /2'],
  },
];

defineSuite(cases);
