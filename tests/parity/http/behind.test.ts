/**
 * Behind a reply, when nobody has listened for its end: what the request and the response say of themselves,
 * and who listens that late.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ParityCase, RequestInput } from '../harness/case.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { finished } from 'node:stream';
import { defineSuite } from '../harness/suite.ts';

const LATER_MS = 20;

const ofResponse = (res: ServerResponse): unknown[] => [
  res.writableFinished,
  res.writableEnded,
  res.closed,
  res.destroyed,
  res.writableLength,
  res.socket === null,
];
const ofRequest = (req: IncomingMessage): unknown[] => [
  req.destroyed,
  req.closed,
  req.complete,
  req.readableEnded,
  req.aborted,
  req.errored,
];

type Later = (req: IncomingMessage, res: ServerResponse, note: (...values: unknown[]) => void) => void;

const give: Later = (_req, res) => void res.end('ok');

function behind(name: string, later: Later, requests: RequestInput[], reply: Later = give): ParityCase {
  return {
    name,
    server: (http, ctx) =>
      http.createServer((req, res) => {
        const note = (...values: unknown[]): void => ctx.record(req.method, ...values);
        const done = ctx.pending();
        setTimeout(() => {
          later(req, res, note);
          setImmediate(done);
        }, LATER_MS);
        reply(req, res, note);
      }),
    requests,
  };
}

const POST = { method: 'POST', path: '/', body: 'content' };
const HEAD = { method: 'HEAD', path: '/' };
const PIECE_MS = 30;
const LARGE = 300_000;

/**
 * Content of which the second and third piece come some time after the reply. Everything is noted in the
 * order of its kind, in `ends`.
 */
function inPieces(name: string, reply: Later): ParityCase {
  return {
    name,
    server: (http, ctx) =>
      http.createServer((req, res) => {
        const noted: string[] = [];
        const done = ctx.pending();
        setTimeout(() => {
          ctx.record(noted.toSorted().join(' '), ...ofRequest(req), ...ofResponse(res));
          done();
        }, 5 * PIECE_MS);
        reply(req, res, (...values) => void noted.push(values.join('=')));
      }),
    client: async (client) => {
      const connection = await client.connect();
      connection.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc');
      await connection.read('POST');
      for (const piece of ['def', 'ghi']) {
        await delay(PIECE_MS);
        connection.write(piece);
      }
      await delay(5 * PIECE_MS);
    },
  };
}

function count(req: IncomingMessage, note: (...values: unknown[]) => void): void {
  let bytes = 0;
  req.on('data', (chunk: Buffer) => void (bytes += chunk.length)).on('end', () => note('end', bytes));
}

const all: Later = (req, res, note) => note(...ofRequest(req), ...ofResponse(res));

defineSuite([
  behind('nobody has asked', all, ['/', POST, HEAD]),
  behind('the response first', (req, res, note) => note(...ofResponse(res), ...ofRequest(req)), ['/', POST, HEAD]),
  behind('somebody listened', all, ['/', POST], (req, res) => {
    req.on('close', () => undefined);
    res.on('finish', () => undefined);
    res.end('ok');
  }),
  behind('somebody had looked at the request', all, ['/', POST], (req, res, note) => {
    note(req.destroyed, req.readableLength);
    res.end('ok');
  }),
  behind('the content was read', all, [POST], (req, res) => {
    req.resume();
    req.on('end', () => res.end('ok'));
  }),
  behind('a reply of several pieces', all, ['/', POST], (_req, res) => {
    res.write('o');
    res.end('k');
  }),
  behind('a large reply', all, ['/', POST], (_req, res) => void res.end('x'.repeat(100_000))),
  behind(
    'who listens that late sees what was',
    (req, res, note) => {
      res.on('finish', () => undefined);
      req.on('close', () => undefined);
      note(...ofRequest(req), ...ofResponse(res));
    },
    ['/', POST],
  ),
  behind(
    'content that nobody asked for is not given that late',
    (req, res, note) => {
      req.on('data', () => note('data'));
      note(...ofRequest(req), ...ofResponse(res));
    },
    [POST],
  ),
  behind('looked at in the same tick', all, ['/', POST], (req, res, note) => {
    res.end('ok');
    note(req.destroyed, req.readableLength);
  }),
  inPieces('content that is refused early ends, for who listens to the request', (req, res, note) => {
    req.on('close', () => note('req close', req.complete));
    res.on('close', () => note('res close'));
    res.writeHead(401).end('no');
  }),
  inPieces('and for who waits for its end', (req, res, note) => {
    finished(req, (error) => note('finished', error?.message));
    res.end('no');
  }),
  inPieces('content that is being read is read to its end', (req, res, note) => {
    count(req, note);
    res.end('small');
  }),
  inPieces('also when a large reply is out before the first piece was taken', (req, res, note) => {
    count(req, note);
    res.end('a'.repeat(LARGE));
  }),
  inPieces('or a large reply of bytes', (req, res, note) => {
    count(req, note);
    res.end(Buffer.alloc(LARGE, 'a'));
  }),
  inPieces('and by a loop', (req, res, note) => {
    void (async () => {
      let bytes = 0;
      for await (const chunk of req) bytes += (chunk as Buffer).length;
      note('loop', bytes);
    })();
    res.end(Buffer.alloc(LARGE, 'a'));
  }),
  inPieces('content that is paused stays paused', (req, res, note) => {
    count(req, note);
    req.pause();
    res.end('small');
  }),
  behind(
    'who listens as the reply finishes is told of the end of the request',
    (_req, _res, note) => note('later'),
    ['/', POST],
    (req, res, note) => {
      res.on('finish', () => {
        for (const what of ['data', 'end', 'close']) req.on(what, () => note(what));
      });
      res.end('ok');
    },
  ),
]);
