/**
 * A version 4 route (R3): the handlers of one path by method. Its handlers are called through their layers'
 * members, which tools replace; what they return is not looked at.
 */
import type { ExpressRequest, ExpressResponse, Handler, Next } from '../message-types.ts';
import { methods } from '../router/methods.ts';
import { findLayer, methodFor, onlyLayer, SYNC_DEPTH_MAX } from '../router/route.ts';
import { createRouteLayer, type Layer } from './layer.ts';

type Register = (...handlers: unknown[]) => Route;

export class Route {
  declare path: unknown;
  declare stack: Layer[];
  declare methods: Record<string, boolean>;

  constructor(path: unknown) {
    this.path = path;
    this.stack = [];
    this.methods = {};
  }

  declare all: Register;

  _handles_method(method: string): boolean {
    if (this.methods._all) return true;
    return Boolean(this.methods[methodFor(this, method)]);
  }

  _options(): string[] {
    const names = Object.keys(this.methods);
    if (this.methods.get && !this.methods.head) names.push('head');
    return names.map((name) => name.toUpperCase());
  }

  dispatch(req: ExpressRequest, res: ExpressResponse, done: Next): void {
    const { stack } = this;
    if (stack.length === 0) {
      done();
      return;
    }
    const method = methodFor(this, req.method);
    req.route = this;
    runStack(stack, method, { req, res, done });
  }
}

/** The way into a route that nobody has replaced. */
export const { dispatch: ownDispatch } = Route.prototype;

/** Runs a route's handlers for a router; the only handler of a method needs no state of its own. */
export function dispatchFromRouter(route: Route, req: ExpressRequest, res: ExpressResponse, done: Next): void {
  const { stack } = route;
  const layer = onlyLayer(stack, methodFor(route, req.method));
  if (layer === undefined) {
    route.dispatch(req, res, done);
    return;
  }
  req.route = route;
  // Its own function, because upstream's handlers can tell a route's `next` from the router's.
  const next: Next = (err) => done(err);
  layer.handle_request(req, res, next);
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
    if (err === 'router') {
      done(err);
      return;
    }
    if (++sync > SYNC_DEPTH_MAX) {
      setImmediate(next, err);
      return;
    }
    const found = findLayer(stack, at, method);
    // Upstream calls itself for each layer of another method.
    sync += found - at;
    at = found;
    const layer = stack[at++];
    if (layer === undefined) {
      done(err);
      return;
    }
    if (err) layer.handle_error(err, req, res, next);
    else layer.handle_request(req, res, next);
    sync = 0;
  };
  next();
}

function describe(value: unknown): string {
  return Object.prototype.toString.call(value);
}

const prototype = Route.prototype as unknown as Record<string, unknown>;

prototype.all = function all(this: Route, ...handlers: unknown[]) {
  for (const handler of handlers.flat(Infinity)) {
    if (typeof handler !== 'function') {
      throw new TypeError(`Route.all() requires a callback function but got a ${describe(handler)}`);
    }
    this.methods._all = true;
    this.stack.push(createRouteLayer(handler as Handler, undefined));
  }
  return this;
};

for (const method of methods) {
  prototype[method] = function (this: Route, ...handlers: unknown[]) {
    for (const handler of handlers.flat(Infinity)) {
      // Not a TypeError, unlike that of `all`: as upstream.
      if (typeof handler !== 'function') {
        throw new Error(`Route.${method}() requires a callback function but got a ${describe(handler)}`);
      }
      this.methods[method] = true;
      this.stack.push(createRouteLayer(handler as Handler, method));
    }
    return this;
  };
}
