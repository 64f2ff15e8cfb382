// Both chains as functions around a handler: Bun.serve has no middleware. `server.ts` loads them for
// `chain-3` and `chain-5` alone; the logger measures every exchange and never writes.
import type { Handler, Routes } from './server.ts';

interface Context {
  visited: number;
  user?: string;
  durationMs?: number;
}
type Step = (request: Bun.BunRequest, context: Context) => Response | Promise<Response>;
type Middleware = (next: Step) => Step;

const users = new Map([['secret', 'ada']]);

const count: Middleware = (next) => (request, context) => {
  context.visited += 1;
  return next(request, context);
};

const handleErrors: Middleware = (next) => async (request, context) => {
  try {
    return await next(request, context);
  } catch {
    return Response.json({ error: 'Internal Server Error' }, { status: 500 });
  }
};

const measure: Middleware = (next) => async (request, context) => {
  const start = Bun.nanoseconds();
  const response = await next(request, context);
  context.durationMs = (Bun.nanoseconds() - start) / 1e6;
  return response;
};

const authenticate: Middleware = (next) => (request, context) => {
  const [scheme, token = ''] = (request.headers.get('Authorization') ?? '').split(' ');
  const user = scheme === 'Bearer' ? users.get(token) : undefined;
  if (user === undefined) return Response.json({ error: 'Unauthorized' }, { status: 401 });
  context.user = user;
  return next(request, context);
};

const allowOrigins: Middleware = (next) => async (request, context) => {
  const response = await next(request, context);
  response.headers.set('Access-Control-Allow-Origin', '*');
  return response;
};

/**
 * The handler behind `middleware`, the first of them outermost, with a context of its own for each request.
 */
function chain(middleware: Middleware[], last: Step): Handler {
  const first = middleware.reduceRight((next, wrap) => wrap(next), last);
  return (request) => first(request, { visited: 0 });
}

export const three: Routes = {
  '/': chain([count, count, count], (_request, { visited }) => Response.json({ visited })),
};

export const five: Routes = {
  '/': chain([handleErrors, measure, authenticate, allowOrigins], (_request, { user }) =>
    Response.json({ user, message: 'Hello, World!' }),
  ),
};
