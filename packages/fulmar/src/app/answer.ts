/**
 * A request through an app: hooks, its route, the chain, the value as a reply. Handed exchanges by `serve.ts` (a
 * port), `fetch.ts` (a `Request`) and `inject.ts` (a test). Nothing it does throws.
 */
import type { Exchange } from '../exchange/types.ts';
import type { Run } from './chain.ts';
import type { RawContext } from './context.ts';
import { HttpError } from './http-error.ts';
import { fail, send } from './outcome.ts';
import { runOf, throughHooks, watch } from './route-run.ts';
import type { Route, Scope } from './scope.ts';
import { runUnmatched, type Unmatched, unmatchedOf } from './unmatched.ts';
import { candidatesOf, findIn, findVariant } from './variants.ts';
import { isThenable } from '../host/thenable.ts';

const METHODS_OF_ALL = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export function answer(scope: Scope, exchange: Exchange): void {
  const c = new scope.contexts(exchange, scope.settings) as RawContext;
  try {
    const { request, response } = scope.hooks;
    if (response.length > 0) watch(c, response, scope.settings.logger);
    const value = request.length > 0 ? throughHooks(c, request, () => runRoute(scope, c)) : runRoute(scope, c);
    if (isThenable(value))
      value.then(
        (settled) => send(scope, c, settled),
        (error: unknown) => fail(scope, c, error),
      );
    else send(scope, c, value);
  } catch (error) {
    fail(scope, c, error);
  }
}

function runRoute(scope: Scope, c: RawContext): unknown {
  const { method } = c.exchange;
  const { pathname } = c;
  if (scope.deferred !== null) {
    const loading = scope.loading(pathname);
    if (loading !== null) return loading.then(() => runRoute(scope, c));
  }
  const found = scope.variants === null ? findIn(scope.table, method, pathname) : findVariant(scope, c, method);
  if (found === null) return runWithoutRoute(scope, c);
  const { value: route } = found;
  c.params = found.params;
  c.route = route.path;
  c.entry = route;
  return (route.run ?? compiled(scope, route))(c);
}

function compiled(scope: Scope, route: Route): Run {
  scope.isCompiled = true;
  return (route.run = runOf(route));
}

/**
 * A browser that asks whether it may send a request is answered within the middleware around that request's
 * route, of groups too: CORS is theirs.
 */
function runWithoutRoute(scope: Scope, c: RawContext): unknown {
  const asked = c.method === 'OPTIONS' ? c.header('access-control-request-method')?.toUpperCase() : undefined;
  if (asked !== undefined) {
    const found = findVariant(scope, c, asked);
    if (found !== null) {
      const { value: route } = found;
      c.params = found.params;
      c.entry = route;
      scope.isCompiled = true;
      const handler: Run = (given) => answerWithoutRoute(scope, given, unmatchedOf(scope, given));
      return (route.preflight ??= runOf({ ...route, handler }))(c);
    }
  }
  const place = unmatchedOf(scope, c);
  c.entry = place;
  return runUnmatched(place, c, (given) => answerWithoutRoute(scope, given, place));
}

/** 404, 405 with `Allow`, and the answer to OPTIONS. */
function answerWithoutRoute(scope: Scope, c: RawContext, { notFound }: Unmatched): unknown {
  const methods = methodsOf(scope, c);
  if (methods.length > 0) {
    const allow = methods.join(', ');
    if (c.method === 'OPTIONS') return c.status(204).header('Allow', allow) && undefined;
    throw new HttpError(405, `${c.method} is not a method of ${c.pathname}; ${allow} are.`, { headers: { Allow: allow } });
  }
  if (notFound !== null) {
    c.status(404);
    return notFound(c);
  }
  throw new HttpError(404, `Nothing is at ${c.pathname}.`);
}

function methodsOf(scope: Scope, c: RawContext): string[] {
  const methods = new Set(candidatesOf(scope, c).flatMap(({ table }) => table.methods(c.pathname)));
  if (methods.delete('*')) for (const method of METHODS_OF_ALL) methods.add(method);
  if (methods.has('GET')) methods.add('HEAD');
  if (methods.size > 0) methods.add('OPTIONS');
  return [...methods].toSorted();
}
