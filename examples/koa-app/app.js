/**
 * Puts the application together, in the order a request passes through it:
 * log, errors, compression, conditional requests, static files, session, templates, body, routes.
 */
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { bodyParser } from '@koa/bodyparser';
import views from '@ladjs/koa-views';
import Koa from 'koa';
import compress from 'koa-compress';
import conditional from 'koa-conditional-get';
import session from 'koa-session';
import serve from 'koa-static';
import { createSightings } from './lib/sightings.js';
import { describeRuntime } from './lib/runtime.js';
import { answerErrors, reportError } from './middleware/errors.js';
import { log } from './middleware/log.js';
import { createApiRouter } from './routes/api.js';
import { createLiveRouter } from './routes/live.js';
import { createPagesRouter } from './routes/pages.js';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const SESSION_MS = 8 * 60 * 60 * 1000;
const ASSET_MAX_AGE_MS = 60 * 60 * 1000;

export function createApp() {
  // The first key signs, all verify: put a new one in front to rotate.
  const keys = process.env.SESSION_SECRET?.split(',') ?? [randomBytes(32).toString('hex')];
  const app = new Koa({ keys, proxy: process.env.TRUST_PROXY === '1' });
  const sightings = createSightings();

  app.context.runtime = describeRuntime;
  app.on('error', reportError);

  app.use(log);
  app.use(answerErrors);
  app.use(compress({ threshold: 1024 }));
  app.use(conditional());
  app.use(serve(here('./public'), { maxage: ASSET_MAX_AGE_MS }));
  app.use(session({ key: 'logbook', maxAge: SESSION_MS, sameSite: 'lax' }, app));
  app.use(views(here('./views'), { extension: 'ejs' }));
  app.use(bodyParser({ enableTypes: ['json', 'form'], jsonLimit: '64kb' }));

  for (const router of [createApiRouter(sightings), createLiveRouter(), createPagesRouter(sightings)]) {
    app.use(router.routes()).use(router.allowedMethods());
  }
  return app;
}
