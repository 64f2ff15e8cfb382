/** The application without a port, so that tests can have one of their own. */
import { bodyParser } from '@koa/bodyparser';
import { Router } from '@koa/router';
import Koa from 'koa';
import { answerErrors } from './errors.js';
import { createNotes } from './notes.js';

export function createApp() {
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
function refuseContent(error, ctx) {
  return ctx.throw(error.status ?? 400, error.message);
}
