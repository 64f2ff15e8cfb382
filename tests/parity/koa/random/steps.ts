/** What each step of a random Koa program does to its context. The same for both sides and both versions. */
import { Readable } from 'node:stream';
import type { CaseContext } from '../../harness/case.ts';
import type { Ctx } from '../api.ts';
import { load } from '../kit.ts';
import type { BodyKind, FailureKind, Step, Wait } from './model.ts';

const createError = load<(...args: unknown[]) => Error>('http-errors');

const bodies: Readonly<Record<BodyKind, () => unknown>> = {
  text: () => 'plain text',
  html: () => '<p>html</p>',
  empty: () => '',
  unicode: () => 'ünï ☃',
  long: () => 'long '.repeat(4_000),
  buffer: () => Buffer.from([0, 255, 10]),
  json: () => ({ a: '<1>', b: [null] }),
  array: () => [1, 'two'],
  number: () => 7,
  true: () => true,
  null: () => null,
  undefined: () => undefined,
  stream: () => Readable.from(['from ', 'a stream']),
  'late-stream': () => Readable.from(later()),
  'large-stream': () => Readable.from(['x'.repeat(60_000), 'y'.repeat(60_000)]),
  blob: () => new Blob(['blob'], { type: 'text/css' }),
  'web-stream': () => new Blob(['web stream']).stream(),
  response: () => new Response('response', { status: 202, headers: { 'X-Response': '1' } }),
};

async function* later(): AsyncGenerator<string> {
  for (const part of ['later ', 'and ', 'later']) {
    await new Promise((resolve) => setImmediate(resolve));
    yield part;
  }
}

/**
 * Koa keeps the length of an earlier body beside these, and a reply of another length breaks the connection.
 */
const KEEPS_LENGTH: ReadonlySet<BodyKind> = new Set(['response', 'web-stream', 'undefined', 'null']);

export function failure(kind: FailureKind): unknown {
  switch (kind) {
    case 'error':
      return new Error('failed');
    case 'status':
      return Object.assign(new Error('with status'), { status: 418 });
    case 'exposed':
      return Object.assign(new Error('exposed ü'), { status: 409, expose: true });
    case 'headers':
      return Object.assign(new Error('with headers'), { statusCode: 401, headers: { 'X-From-Error': '1', 'Content-Type': 'text/html' } });
    case 'http-error':
      return createError(422, 'unprocessed');
    case 'assert':
      return createError(400, 'asserted', { headers: { 'X-Assert': 'yes' } });
    case 'string':
      return 'a string';
    case 'object':
      return { status: 422 };
    case 'type-error':
      return new TypeError('typed');
    case 'enoent':
      return Object.assign(new Error('no file'), { code: 'ENOENT' });
  }
}

/** Resolves at the time that is named. */
export function wait(kind: Wait): Promise<void> {
  if (kind === 'tick') return new Promise((resolve) => process.nextTick(resolve));
  if (kind === 'immediate') return new Promise((resolve) => setImmediate(resolve));
  if (kind === 'microtask') return new Promise((resolve) => queueMicrotask(resolve));
  return Promise.resolve().then(() => undefined);
}

const describe = (ctx: Ctx): unknown[] => [
  ctx.method,
  ctx.url,
  ctx.path,
  ctx.query,
  ctx.status,
  ctx.message,
  ctx.type,
  ctx.length,
  ctx.fresh,
  ctx.headerSent,
  ctx.writable,
  ctx.state,
  ctx.ip,
  ctx.cookies.get('a'),
];

/** Takes a step; a promise must be waited for where the middleware can wait. */
export function take(step: Step, ctx: Ctx, tools: CaseContext): unknown {
  switch (step.do) {
    case 'wait':
      return wait(step.for);
    case 'body':
      if (KEEPS_LENGTH.has(step.kind)) ctx.remove('Content-Length');
      return void (ctx.body = bodies[step.kind]());
    case 'status':
      return void (ctx.status = step.code);
    case 'message':
      return void (ctx.message = step.text);
    case 'type':
      return void (ctx.type = step.type);
    case 'field':
      return ctx.set(step.name, step.value);
    case 'append':
      return ctx.append(step.name, step.value);
    case 'remove':
      return ctx.remove(step.name);
    case 'cookie':
      return ctx.headerSent ? undefined : ctx.cookies.set('c', 'v', { signed: false });
    case 'etag':
      return takeEtag(ctx);
    case 'redirect':
      return ctx.redirect(step.to);
    case 'url':
      return void (ctx.url = step.url);
    case 'method':
      return void (ctx.method = step.method);
    case 'state':
      return void (ctx.state['value'] = step.value);
    case 'note':
      return tools.record('note', ...describe(ctx));
    case 'fail':
      if (step.how === 'reject') return Promise.reject(failure(step.value) as Error);
      throw failure(step.value);
    default:
      return takeRare(step, ctx, tools);
  }
}

function takeEtag(ctx: Ctx): void {
  ctx.etag = 'tag';
  if (ctx.fresh) ctx.status = 304;
}

type Rare = Extract<Step, { do: 'onerror' | 'end' | 'flush' | 'bypass' | 'read-content' | 'late' }>;

function takeRare(step: Rare, ctx: Ctx, tools: CaseContext): unknown {
  switch (step.do) {
    case 'onerror':
      return ctx.onerror(failure('status'));
    case 'end':
      return endByHand(ctx);
    case 'flush':
      return flush(ctx);
    case 'bypass':
      ctx.respond = false;
      return void setImmediate(() => endByHand(ctx));
    case 'read-content':
      return readContent(ctx, tools);
    case 'late':
      return afterReply(ctx, tools, () => void take(step.step, ctx, tools));
  }
}

/**
 * Sends the header at once. What it declares would not be what is sent later, and an error can only be ended
 * by hand.
 */
function flush(ctx: Ctx): void {
  if (ctx.res.writableEnded) return;
  const { onerror } = ctx;
  ctx.onerror = (error) => {
    onerror.call(ctx, error);
    if (error !== null && error !== undefined && !ctx.res.writableEnded) ctx.res.end();
  };
  ctx.remove('Content-Length');
  ctx.flushHeaders();
}

function endByHand(ctx: Ctx): void {
  if (ctx.res.writableEnded) return;
  ctx.remove('Content-Length');
  ctx.res.end(ctx.res.headersSent ? undefined : 'by hand');
}

async function readContent(ctx: Ctx, tools: CaseContext): Promise<void> {
  let size = 0;
  // Once the reply has ended, what is left of the content may be thrown away.
  if (!ctx.req.readableEnded && !ctx.res.writableEnded) for await (const part of ctx.req) size += (part as Buffer).length;
  tools.record('content', size);
}

function afterReply(ctx: Ctx, tools: CaseContext, act: () => void): void {
  const finished = tools.pending();
  const late = (): void => {
    tools.attempt('late', act);
    finished();
  };
  if (ctx.res.writableEnded) setImmediate(late);
  else ctx.res.once('close', late);
}
