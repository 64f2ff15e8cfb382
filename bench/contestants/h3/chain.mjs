// The chain of five: error handler, logger, authentication, CORS, router. `server.mjs` loads it for the
// scenario `chain-5` alone; the logger measures every exchange and never writes.
import { H3, handleCors, HTTPError, onError } from 'h3';

const users = new Map([['secret', 'ada']]);

/** Sets the chain up in `app`. */
export function chain(app) {
  app.use(onError(handleError));
  app.use(logger);
  app.use(authenticate);
  app.use((event) => {
    // A preflight request is answered here; `false` lets all others pass.
    const answered = handleCors(event, { origin: '*' });
    if (answered !== false) return answered;
  });
  app.mount('/', createRouter());
}

function handleError(error, event) {
  event.res.status = error.status;
  return { error: error.status === 401 ? 'Unauthorized' : 'Internal Server Error' };
}

async function logger(event, next) {
  const start = process.hrtime.bigint();
  const reply = await next();
  event.context.durationMs = Number(process.hrtime.bigint() - start) / 1e6;
  return reply;
}

function authenticate(event) {
  const [scheme, token] = (event.req.headers.get('authorization') ?? '').split(' ');
  const user = scheme === 'Bearer' ? users.get(token) : undefined;
  if (user === undefined) throw new HTTPError({ status: 401 });
  event.context.user = user;
}

function createRouter() {
  const router = new H3();
  router.get('/', (event) => ({ user: event.context.user, message: 'Hello, World!' }));
  return router;
}
