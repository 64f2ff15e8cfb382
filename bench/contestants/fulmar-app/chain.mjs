// The chain of five: error handler, logger, authentication, CORS, router. `server.mjs` loads it for the
// scenario `chain-5` alone; the logger measures every exchange and never writes.
import { createApp } from 'fulmar';
import { cors } from 'fulmar/middleware';

const users = new Map([['secret', 'ada']]);

/** Sets the chain up in `app`. */
export function chain(app) {
  app.onError((error, c) => c.status(error.status ?? 500).json({ error: 'Internal Server Error' }));
  app.use(logger);
  app.use(authenticate);
  app.use(cors());
  app.route('/', createRouter());
}

async function logger(c, next) {
  const start = process.hrtime.bigint();
  await next();
  c.state.durationMs = Number(process.hrtime.bigint() - start) / 1e6;
}

function authenticate(c, next) {
  const [scheme, token] = (c.header('authorization') ?? '').split(' ');
  const user = scheme === 'Bearer' ? users.get(token) : undefined;
  if (user === undefined) return c.status(401).json({ error: 'Unauthorized' });
  c.state.user = user;
  return next();
}

function createRouter() {
  const router = createApp();
  router.get('/', (c) => ({ user: c.state.user, message: 'Hello, World!' }));
  return router;
}
