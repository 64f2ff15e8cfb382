/** The application without a port, so that tests can have one of their own. */
import { bodyParser } from '@koa/bodyparser';
import { Router } from '@koa/router';
import Koa, { type Context } from 'koa';
import { answerErrors } from './errors.ts';
import { createNotes } from './notes.ts';

export function createApp(): Koa {
  const app = new Koa();
  const health = new Router().get('/health', (ctx) => {
    ctx.body = { status: 'ok' };
  });
  app.use(health.routes());
  app.use(answerErrors);
  app.use(bodyParser({ enableTypes: ['json'], jsonLimit: '100kb', onError: refuseContent }));
  const notes = createNotes();
  app.use(notes.routes()).use(notes.allowedMethods());
  return app;
}

/** Of the parser's errors clients are told: 400, or 413 for too much. */
function refuseContent(error: Error & { status?: number }, ctx: Context): never {
  return ctx.throw(error.status ?? 400, error.message);
}
