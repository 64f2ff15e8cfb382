/** The ways in which random programs of middleware answer. None depends on the side. */
import { Readable } from 'node:stream';
import type { Req, Res } from '../harness/express-api.ts';
import type { Ctx } from '../koa/api.ts';
import { publicFolder } from '../express/fixture.ts';

const state = (req: Req): unknown => ({
  method: req.method,
  url: req.url,
  originalUrl: req.originalUrl,
  path: req.path,
  query: req.query,
  body: req.body,
  headers: req.headers,
  is: req.is('json', 'text'),
  fresh: req.fresh,
  host: req.hostname,
  protocol: req.protocol,
  ips: req.ips,
});

const express: Record<string, (req: Req, res: Res) => unknown> = {
  json: (req, res) => res.json(state(req)),
  state: (req, res) => res.json(state(req)),
  text: (_req, res) => res.send('some text ü'),
  buffer: (_req, res) => res.send(Buffer.from([0, 255, 10])),
  status: (_req, res) => res.status(201).json({ created: true }),
  sendStatus: (_req, res) => res.sendStatus(202),
  nothing: (_req, res) => res.status(204).end(),
  end: (_req, res) => res.end('ended'),
  'end-callback': (_req, res) => res.end('ended', () => undefined),
  write: (_req, res) => {
    res.write('first,');
    res.end('last');
  },
  'write-head': (_req, res) => {
    res.writeHead(203, { 'X-Head': 'yes', 'Content-Type': 'text/plain' });
    res.end('by head');
  },
  'write-head-reason': (_req, res) => {
    res.writeHead(200, 'Reason', ['X-List', 'a', 'X-List', 'b']);
    res.end();
  },
  pipe: (_req, res) => Readable.from(['piped ', 'content']).pipe(res),
  redirect: (_req, res) => res.redirect('/there?<a>'),
  file: (_req, res) => res.sendFile('hello.txt', { root: publicFolder }),
  jsonp: (_req, res) => res.jsonp({ a: 1 }),
  cookie: (_req, res) => res.cookie('c', 'v').append('Set-Cookie', 'd=e').send('cookie'),
  locals: (_req, res) => res.json(res.locals),
};

const koa: Record<string, (ctx: Ctx) => unknown> = {
  state: (ctx) => (ctx.body = koaState(ctx)),
  json: (ctx) => (ctx.body = koaState(ctx)),
  text: (ctx) => (ctx.body = 'some text ü'),
  html: (ctx) => (ctx.body = '<p>html</p>'),
  buffer: (ctx) => (ctx.body = Buffer.from([0, 255, 10])),
  stream: (ctx) => (ctx.body = Readable.from(['piped ', 'content'])),
  nothing: (ctx) => (ctx.body = null),
  status: (ctx) => (ctx.status = 202),
  redirect: (ctx) => ctx.redirect('/there?<a>'),
  cookie: (ctx) => {
    ctx.cookies.set('c', 'v');
    ctx.body = ctx.cookies.get('a');
  },
  bypass: (ctx) => {
    ctx.respond = false;
    ctx.res.statusCode = 200;
    ctx.res.end('bypassed');
  },
};

function koaState(ctx: Ctx): unknown {
  const { method, url, originalUrl, path, query, headers, fresh, hostname, protocol, ips } = ctx;
  return { method, url, originalUrl, path, query, headers, fresh, hostname, protocol, ips, body: ctx.request.body };
}

export const REPLIES_EXPRESS: readonly string[] = Object.keys(express);
export const REPLIES_KOA: readonly string[] = Object.keys(koa);

export function replyExpress(kind: string, req: Req, res: Res): void {
  express[kind]?.(req, res);
}

export function replyKoa(kind: string, ctx: Ctx): void {
  koa[kind]?.(ctx);
}
