/**
 * Turns a random program's model into a real Koa app that notes every step it takes. The same for both sides.
 */
import type { CaseContext } from '../../harness/case.ts';
import type { App, Ctx, Failure, KoaModule, Middleware, Next } from '../api.ts';
import type { MiddlewareModel, ProgramModel, Step } from './model.ts';
import { take, wait } from './steps.ts';

export function buildApp(model: ProgramModel, Koa: KoaModule, tools: CaseContext): App {
  const app = new Koa({ proxy: model.proxy, asyncLocalStorage: model.storage, env: 'test' });
  if (model.listens) app.on('error', (error: Failure, ctx: Ctx) => tools.record('error event', error, error.headerSent, ctx.status));
  for (const one of model.middleware) app.use(one.style === 'async' ? waiting(one, app, tools) : plain(one, tools));
  return app;
}

/** An async function that waits for each step. */
function waiting(model: MiddlewareModel, app: App, tools: CaseContext): Middleware {
  return async (ctx, next) => {
    tools.record(model.id, 'down', app.currentContext === undefined ? 'none' : app.currentContext === ctx);
    await takeAll(model.before, ctx, tools);
    try {
      await goOn(model, next, tools);
    } catch (error) {
      recover(model, error, ctx, tools);
    }
    tools.record(model.id, 'up', ctx.status, ctx.headerSent);
    await takeAll(model.after, ctx, tools);
  };
}

/** A function that waits for nothing; a step that gives a promise is returned in its place. */
function plain(model: MiddlewareModel, tools: CaseContext): Middleware {
  return (ctx, next) => {
    tools.record(model.id, 'through');
    for (const step of [...model.before, ...model.after]) {
      const result = take(step, ctx, tools);
      if (result instanceof Promise) return result.then(() => goOn(model, next, tools));
    }
    return goOn(model, next, tools);
  };
}

async function takeAll(steps: readonly Step[], ctx: Ctx, tools: CaseContext): Promise<void> {
  for (const step of steps) {
    const result = take(step, ctx, tools);
    if (result instanceof Promise) await result;
  }
}

function goOn(model: MiddlewareModel, rest: Next, tools: CaseContext): unknown {
  switch (model.next) {
    case 'await':
    case 'return':
      return rest();
    case 'then':
      return rest().then((value) => tools.record(model.id, 'then', value));
    case 'forget':
      return forget(model.id, wait('immediate').then(rest), tools);
    case 'twice':
      return rest().then(() => rest());
    case 'twice-at-once':
      return Promise.allSettled([rest(), rest()]).then((results) =>
        tools.record(model.id, ...results.map((result) => (result.status === 'rejected' ? result.reason : 'fulfilled'))),
      );
    case 'none':
      return undefined;
  }
}

/**
 * Nobody waits for the rest; the harness does, so that it ends before the next program starts. It starts when
 * the reply has been given, because in which microtask Koa answers is nobody's promise.
 */
function forget(id: number, rest: Promise<unknown>, tools: CaseContext): void {
  const finished = tools.pending();
  rest
    .then(
      () => tools.record(id, 'the forgotten rest ended'),
      (error: unknown) => tools.record(id, 'the forgotten rest failed', error),
    )
    .finally(finished);
}

function recover(model: MiddlewareModel, error: unknown, ctx: Ctx, tools: CaseContext): void {
  tools.record(model.id, 'caught', error);
  if (model.catches === 'no') throw error;
  if (model.catches === 'rethrow') throw Object.assign(new Error('again'), { status: 503, expose: true });
  if (model.catches === 'swallow') return;
  ctx.status = 500;
  ctx.body = { error: String((error as Failure).message) };
}
