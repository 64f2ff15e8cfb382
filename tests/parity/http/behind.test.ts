// Behind a reply, when nobody has listened for its end: what the request and the response say of themselves, and who listens that late.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ParityCase, RequestInput } from '../harness/case.ts';
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
]);
