// The chain of five: a listener for errors, logger, authentication, CORS, route, as Deepkit's pages on
// middleware and events show them. The logger measures every exchange and never writes.
import type { App } from '@deepkit/app';
import { httpMiddleware, HttpRequest, HttpResponse, HttpRouterRegistry, httpWorkflow, JSONResponse } from '@deepkit/http';

type Next = (error?: unknown) => void;

const users = new Map([['secret', 'ada']]);

function measure(request: HttpRequest, response: HttpResponse, next: Next) {
  const start = process.hrtime.bigint();
  response.on('finish', () => {
    request.store.durationMs = Number(process.hrtime.bigint() - start) / 1e6;
  });
  next();
}

function authenticate(request: HttpRequest, response: HttpResponse, next: Next) {
  const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ');
  const user = scheme === 'Bearer' ? users.get(token) : undefined;
  if (user === undefined) {
    response.statusCode = 401;
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.end(JSON.stringify({ error: 'Unauthorized' }));
    return;
  }
  request.store.user = user;
  next();
}

function allowOrigins(request: HttpRequest, response: HttpResponse, next: Next) {
  response.setHeader('Access-Control-Allow-Origin', '*');
  next();
}

export const middlewares = [httpMiddleware.for(measure), httpMiddleware.for(authenticate), httpMiddleware.for(allowOrigins)];

export function define(router: HttpRouterRegistry) {
  router.get('/', (request: HttpRequest) => ({ user: request.store.user, message: 'Hello, World!' }));
}

export function listen(app: App<any>) {
  app.listen(httpWorkflow.onControllerError, (event) => {
    event.send(new JSONResponse({ error: 'Internal Server Error' }, 500));
  });
}
