/**
 * The application under test, a process of its own, on Node and on the QuickJS host: takes its run from the
 * environment, prints its port, and answers `/end` with what it found when it has looked at everything again.
 */
import express, { type NextFunction, type Request, type Response } from 'fulmar/express';
import http, { type IncomingMessage, type Server, type ServerResponse } from 'fulmar/http';
import Koa from 'fulmar/koa';
import type { AddressInfo } from 'node:net';
import { PATCHES, type RunPlan } from '../harness/plan.ts';
import { allowGaps, allowPool, count, counts, find, lookAgain, NODE_POOL_BYTES } from './evidence.ts';
import { Handler, report } from './handler.ts';
import { patch } from './patches.ts';

const run = JSON.parse(process.env['MEMORY_FUZZ_RUN'] ?? '{}') as RunPlan;
const BODY_LIMIT = '1mb';
const MESSAGE_MAX = 1500;
/** What a client that leaves in the middle is reported as. */
const LEFT_EARLY = new Set(['ECONNRESET', 'HPE_INVALID_EOF_STATE']);

/** What body parsers say of content with gaps. */
const GAP_ERRORS = new Set(['request.size.invalid', 'entity.parse.failed']);
const hasGaps = run.mutations.includes('Array.prototype.push');

/**
 * A chunk that the application has transferred is gone for the streams of the platform, too: that is its own
 * doing. Not in our code.
 */
function isOwnHarm(stack: string): boolean {
  // QuickJS's words, and where the QuickJS host has its streams.
  if (stack.startsWith('TypeError: ArrayBuffer is detached')) return stack.includes('/stream-classes.cjs:');
  const [first = ''] = stack.split('\n').filter((line) => line.includes('file:') || line.includes('/dist/'));
  return / on a detached (?:or out-of-bounds )?ArrayBuffer/.test(stack) && !first.includes('/dist/');
}

function noteError(what: string, error: unknown): void {
  const stack = String((error as Error)?.stack ?? error);
  if (isOwnHarm(stack)) count('a stream met what was transferred');
  else find(`${what}: ${stack.slice(0, MESSAGE_MAX)}`);
}

process.on('uncaughtException', (error: unknown) => noteError('uncaught', error));
process.on('unhandledRejection', (error: unknown) => noteError('rejected', error));

const server: Server = http.createServer();
// Beneath a checker clients are slower than any limit.
if (process.env['MEMORY_FUZZ_UNDER'] !== undefined) Object.assign(server, { headersTimeout: 0, requestTimeout: 0 });
const handler = new Handler(run, () => server);

function end(res: ServerResponse): void {
  lookAgain();
  // What is under way in other threads and ports comes first.
  setImmediate(() =>
    setImmediate(() => {
      res.statusCode = 200; // Koa has begun with 404.
      res.end(report(counts));
    }),
  );
}

function plain(req: IncomingMessage, res: ServerResponse): void {
  const plan = handler.plan(req);
  if (plan !== undefined) void handler.handle(req, res, plan);
  else if (handler.isEnd(req, res)) end(res);
}

function expressApp(): (req: IncomingMessage, res: ServerResponse) => void {
  const app = express();
  const all = { type: () => true, limit: BODY_LIMIT };
  const parsers: Record<string, (req: Request, res: Response, next: NextFunction) => void> = {
    'body-raw': express.raw(all),
    'body-text': express.text(all),
    'body-json': express.json({ ...all, strict: false }),
  };
  app.use((req, res, next) => {
    const plan = handler.plan(req);
    const parser = plan === undefined ? undefined : parsers[plan.reader];
    if (parser === undefined) next();
    else parser(req, res, next);
  });
  app.use((req, res) => {
    const plan = handler.plan(req);
    if (plan !== undefined) void handler.handle(req, res, plan, (body) => Boolean(res.send(body)));
    else if (handler.isEnd(req, res)) end(res);
  });
  app.use((error: { code?: string; type?: string; stack?: string }, _req: Request, res: Response, _next: NextFunction) => {
    if (hasGaps && GAP_ERRORS.has(error.type ?? '')) count('a parser met a gap');
    // A client may have left before any parser, as where a patch took its content away.
    else if (error.type !== 'request.aborted' && error.code !== 'ECONNRESET') find(`express: ${String(error.stack).slice(0, MESSAGE_MAX)}`);
    res.destroy();
  });
  return app as unknown as (req: IncomingMessage, res: ServerResponse) => void;
}

function koaApp(): (req: IncomingMessage, res: ServerResponse) => void {
  const app = new Koa();
  app.silent = true;
  app.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') find(`koa: ${String(error.stack).slice(0, MESSAGE_MAX)}`);
  });
  app.use(async (ctx) => {
    const plan = handler.plan(ctx.req);
    if (plan === undefined) {
      ctx.respond = false;
      if (handler.isEnd(ctx.req, ctx.res)) end(ctx.res);
      return;
    }
    let isGiven = false;
    const give = (body: Uint8Array | string): boolean => {
      isGiven = true;
      ctx.body = typeof body === 'string' ? body : Buffer.from(body.buffer as ArrayBuffer, body.byteOffset, body.length);
      return true;
    };
    if (plan.reply.way !== 'layer' || plan.reader === 'pipe-back') ctx.respond = false;
    await handler.handle(ctx.req, ctx.res, plan, give);
    if (plan.reply.way === 'layer' && plan.reader !== 'pipe-back' && !isGiven) ctx.res.destroy();
  });
  return app.callback() as unknown as (req: IncomingMessage, res: ServerResponse) => void;
}

if (run.mutations.includes('pool')) allowPool(NODE_POOL_BYTES);
else Buffer.poolSize = 0;
if (hasGaps) allowGaps();
server.on('request', run.layer === 'express' ? expressApp() : run.layer === 'koa' ? koaApp() : plain);
server.on('upgrade', (req, socket, head) => {
  const plan = handler.plan(req);
  if (plan === undefined) socket.destroy();
  else handler.upgrade(req, socket, head, plan);
});
server.on('clientError', (error: Error, socket) => {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (!LEFT_EARLY.has(code)) find(`clientError: ${code} ${error.message}`);
  socket.destroy();
});
const patches = run.mutations.filter((mutation) => (PATCHES as readonly string[]).includes(mutation));
// Half of the runs patch before the engine is loaded, which is at the first listen.
if (run.seed % 2 === 0) patches.forEach(patch);
server.listen(0, '127.0.0.1', () => {
  if (run.seed % 2 === 1) patches.forEach(patch);
  process.stdout.write(`PORT ${(server.address() as AddressInfo).port}\n`);
});
