/**
 * A route: the handlers of one path, by method. The router dispatches a request into it once the path has
 * matched; it runs its handlers in order and hands back to the router. Knows nothing of paths itself.
 */
import type { ExpressRequest, ExpressResponse, Handler, Next } from '../message-types.ts';
import { callHandler, invokeErrorHandler, invokeHandler, traceHandler } from './invoke.ts';
import { createRouteLayer, type Layer } from './layer.ts';
import { methods, toLowerMethod } from './methods.ts';

/**
 * Handlers called without returning before the rest is deferred, so that long chains do not exhaust the
 * stack.
 */
export const SYNC_DEPTH_MAX = 100;

type Register = (...handlers: unknown[]) => Route;

export class Route {
  path: unknown;
  stack: Layer[];
  methods: Record<string, boolean>;

  constructor(path: unknown) {
    this.path = path;
    this.stack = [];
    this.methods = Object.create(null) as Record<string, boolean>;
  }

  declare all: Register;

  _handlesMethod(method: string): boolean {
    if (this.methods._all) return true;
    return Boolean(this.methods[methodFor(this, method)]);
  }

  _methods(includeAll = false): string[] {
    const names: string[] = [];
    for (const name of Object.keys(this.methods)) {
      if (name !== '_all') names.push(name.toUpperCase());
      else if (includeAll) names.push('*');
    }
    if (this.methods.get && !this.methods.head) names.push('HEAD');
    return names;
  }

  dispatch(req: ExpressRequest, res: ExpressResponse, done: Next): void {
    dispatchRoute(this, req, res, done);
  }
}

/** Runs a route's handlers; `done` may be anybody's callback. */
function dispatchRoute(route: Route, req: ExpressRequest, res: ExpressResponse, done: Next): void {
  const { stack } = route;
  if (stack.length === 0) {
    done();
    return;
  }
  const method = methodFor(route, req.method);
  req.route = route;
  runStack(stack, method, { req, res, done });
}

/**
 * Runs a route's handlers for a router. `done` is the router's own `next`: it treats `'route'` like nothing
 * and `'router'` as the route would, so that the only handler of a method needs no state of its own.
 */
export function dispatchFromRouter(route: Route, run: RouterRun): void {
  const { stack } = route;
  const { req, res, next: done } = run;
  const layer = onlyLayer(stack, methodFor(route, req.method));
  if (layer === undefined) {
    dispatchRoute(route, req, res, done);
    return;
  }
  req.route = route;
  // Its own function, because upstream's handlers can tell a route's `next` from the router's.
  const next: Next = (err) => done(err);
  if (run.traced) traceHandler(layer, req, res, next);
  else callHandler(layer, req, res, next);
}

/** A request in a router, as a route needs to know it. */
interface RouterRun {
  readonly req: ExpressRequest;
  readonly res: ExpressResponse;
  readonly next: Next;
  readonly traced: boolean;
}

/** The layer for the method, when there is no other. */
export function onlyLayer<L extends Pick<Layer, 'method'>>(stack: readonly L[], method: string): L | undefined {
  if (stack.length === 1) {
    const { method: wanted } = stack[0] as L;
    return !wanted || wanted === method ? stack[0] : undefined;
  }
  const first = findLayer(stack, 0, method);
  return first < stack.length && findLayer(stack, first + 1, method) === stack.length ? stack[first] : undefined;
}

/**
 * The method by which a route of either version looks for its layers: HEAD is answered by GET where nothing
 * else does.
 */
export function methodFor(route: { readonly methods: Record<string, boolean> }, given: string | undefined): string {
  if (given === 'GET') return 'get';
  const method = toLowerMethod(given);
  return method === 'head' && !route.methods.head ? 'get' : method;
}

/** Index of the next layer for the method; the length of the stack if there is none. */
export function findLayer(stack: readonly Pick<Layer, 'method'>[], from: number, method: string): number {
  let at = from;
  while (at < stack.length) {
    const wanted = (stack[at] as Pick<Layer, 'method'>).method;
    if (!wanted || wanted === method) break;
    at++;
  }
  return at;
}

function runStack(
  stack: readonly Layer[],
  method: string,
  { req, res, done }: { req: ExpressRequest; res: ExpressResponse; done: Next },
): void {
  let at = 0;
  let sync = 0;
  const next: Next = (err) => {
    if (err === 'route') {
      done();
      return;
    }
    if (err === 'router' || at >= stack.length) {
      done(err);
      return;
    }
    if (++sync > SYNC_DEPTH_MAX) {
      setImmediate(next, err);
      return;
    }
    at = findLayer(stack, at, method);
    const layer = stack[at++];
    if (layer === undefined) {
      done(err);
      return;
    }
    if (err) invokeErrorHandler(layer, err, req, res, next);
    else invokeHandler(layer, req, res, next);
    sync = 0;
  };
  next();
}

/** The handlers among a registration's arguments, however nested; throws upstream's errors. */
export function toHandlers(args: readonly unknown[]): Handler[] {
  const handlers = args.flat(Infinity);
  if (handlers.length === 0) throw new TypeError('argument handler is required');
  return handlers as Handler[];
}

export function requireHandler(fn: unknown): asserts fn is Handler {
  if (typeof fn !== 'function') throw new TypeError('argument handler must be a function');
}

function register(route: Route, method: string | undefined, args: readonly unknown[]): Route {
  for (const fn of toHandlers(args)) {
    requireHandler(fn);
    const layer = createRouteLayer(fn, method);
    route.methods[method ?? '_all'] = true;
    route.stack.push(layer);
  }
  return route;
}

const prototype = Route.prototype as unknown as Record<string, unknown>;

prototype.all = function all(this: Route, ...handlers: unknown[]) {
  return register(this, undefined, handlers);
};

for (const method of methods) {
  prototype[method] = function (this: Route, ...handlers: unknown[]) {
    return register(this, method, handlers);
  };
}
