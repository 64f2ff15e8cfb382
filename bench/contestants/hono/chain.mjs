// The chain of five: error handler, logger, authentication, CORS, router. `app.mjs` loads it for the scenario
// `chain-5` alone; the logger measures every exchange and never writes.
import { Hono } from 'hono';
import { cors } from 'hono/cors';

const users = new Map([['secret', 'ada']]);

/** Sets the chain up in `app`. */
export function chain(app) {
  app.onError((error, c) => c.json({ error: 'Internal Server Error' }, error.status ?? 500));
  app.use(logger);
  app.use(authenticate);
  app.use(cors());
  app.route('/', createRouter());
}

async function logger(c, next) {
  const start = process.hrtime.bigint();
  await next();
  c.set('durationMs', Number(process.hrtime.bigint() - start) / 1e6);
}

async function authenticate(c, next) {
  const [scheme, token] = (c.req.header('Authorization') ?? '').split(' ');
  const user = scheme === 'Bearer' ? users.get(token) : undefined;
  if (user === undefined) return c.json({ error: 'Unauthorized' }, 401);
  c.set('user', user);
  await next();
}

function createRouter() {
  const router = new Hono();
  router.get('/', (c) => c.json({ user: c.get('user'), message: 'Hello, World!' }));
  return router;
}
