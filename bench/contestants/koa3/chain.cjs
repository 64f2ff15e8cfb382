// The chain of five: error handler, logger, authentication, CORS, router. `server.cjs` loads it for the
// scenario `chain-5` alone; the logger measures every exchange and never writes.
'use strict';
const Router = require('@koa/router');

const users = new Map([['secret', 'ada']]);

module.exports = function chain(app) {
  app.use(handleError);
  app.use(logger);
  app.use(authenticate);
  app.use(cors);
  app.use(createRouter().routes());
};

async function handleError(ctx, next) {
  try {
    await next();
  } catch (error) {
    ctx.status = error.status ?? 500;
    ctx.body = { error: error.expose ? error.message : 'Internal Server Error' };
  }
}

async function logger(ctx, next) {
  const start = process.hrtime.bigint();
  await next();
  ctx.state.durationMs = Number(process.hrtime.bigint() - start) / 1e6;
}

async function authenticate(ctx, next) {
  const [scheme, token] = ctx.get('authorization').split(' ');
  const user = scheme === 'Bearer' ? users.get(token) : undefined;
  if (user === undefined) ctx.throw(401);
  ctx.state.user = user;
  await next();
}

// By hand: `@koa/cors` leaves replies to requests without an Origin field alone, and the scenario wants the
// field on every reply.
async function cors(ctx, next) {
  ctx.set('Access-Control-Allow-Origin', '*');
  await next();
}

function createRouter() {
  const router = new Router();
  router.get('/', (ctx) => {
    ctx.body = { user: ctx.state.user, message: 'Hello, World!' };
  });
  return router;
}
