// Three functional middleware in front of a route. Nothing outlives a request.
import { httpMiddleware, HttpRequest, HttpResponse, HttpRouterRegistry } from '@deepkit/http';

type Next = (error?: unknown) => void;

function first(request: HttpRequest, response: HttpResponse, next: Next) {
  request.store.visited = 1;
  next();
}

function second(request: HttpRequest, response: HttpResponse, next: Next) {
  request.store.visited += 1;
  next();
}

function third(request: HttpRequest, response: HttpResponse, next: Next) {
  request.store.visited += 1;
  next();
}

export const middlewares = [httpMiddleware.for(first), httpMiddleware.for(second), httpMiddleware.for(third)];

export function define(router: HttpRouterRegistry) {
  router.get('/', (request: HttpRequest) => ({ visited: request.store.visited }));
}
