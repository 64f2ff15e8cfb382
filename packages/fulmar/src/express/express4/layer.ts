/**
 * One entry of a version 4 router's or route's stack (R2): the members that tools read and replace (`regexp`,
 * `keys`, `params`, `path`, `match`, `handle_request`, `handle_error`). Keeps what the last match found, as
 * upstream's does.
 */
import type { ExpressRequest, ExpressResponse, Handler, Next, Params } from '../message-types.ts';
import { decodeParam } from '../router/path-text.ts';
import type { IndexedPattern, PatternOptions } from '../router/pattern.ts';
import { type CompiledLayer, kCompiled, type StackLayer } from '../router/stack-layer.ts';
import { compilePath, type Key, type LayerExpression, toIndexedPatterns } from './pattern.ts';
import type { Route } from './route.ts';

type RequestHandler = (req: ExpressRequest, res: ExpressResponse, next: Next) => unknown;
type ErrorHandler = (err: unknown, req: ExpressRequest, res: ExpressResponse, next: Next) => unknown;

/** More parameters than this mark an error handler. */
const REQUEST_HANDLER_ARITY_MAX = 3;
const ERROR_HANDLER_ARITY = 4;

/**
 * Members are assigned and not defined: tools put a setter for `handle` on the prototype
 * (express-async-errors).
 */
export class Layer implements StackLayer {
  declare handle: Handler;
  declare name: string;
  declare params: Params | undefined;
  declare path: string | undefined;
  declare keys: Key[];
  declare regexp: LayerExpression;
  /** In a router's stack: the route, or `undefined` for middleware. */
  declare route: Route | undefined;
  /** In a route's stack: the method, or `undefined` for all. */
  declare method: string | undefined;
  /** @internal */
  declare readonly _patterns: readonly IndexedPattern[];
  /** @internal What `regexp` was when this was made. */
  declare readonly _expression: RegExp;
  /** @internal For a route's layer: the dispatching function that nobody has wrapped yet. */
  declare _dispatch: Handler | undefined;

  constructor(path: unknown, options: PatternOptions, fn: Handler) {
    this.handle = fn;
    this.name = fn.name || '<anonymous>';
    this.params = undefined;
    this.path = undefined;
    this.keys = [];
    this.regexp = compilePath(path, this.keys, options);
    this.regexp.fast_star = path === '*';
    this.regexp.fast_slash = path === '/' && options.end === false;
    hide(this, '_patterns', toIndexedPatterns(path, options));
    hide(this, '_expression', this.regexp);
    hide(this, '_dispatch', undefined);
  }

  match(path: string | null | undefined): boolean {
    let found: RegExpExecArray | null = null;
    if (path != null) {
      if (this.regexp.fast_slash) return matched(this, {}, '');
      if (this.regexp.fast_star) return matched(this, { 0: decodeParam(path) }, path);
      found = this.regexp.exec(path);
    }
    if (!found) {
      this.params = undefined;
      this.path = undefined;
      return false;
    }
    const params: Params = {};
    matched(this, params, found[0]);
    for (let at = 1; at < found.length; at++) {
      const name = (this.keys[at - 1] as Key).name;
      const value = decodeParam(found[at]);
      if (value !== undefined || !Object.hasOwn(params, name)) params[name] = value;
    }
    return true;
  }

  handle_request(req: ExpressRequest, res: ExpressResponse, next: Next): void {
    const fn = this.handle as unknown as RequestHandler;
    if (fn.length > REQUEST_HANDLER_ARITY_MAX) {
      next();
      return;
    }
    try {
      fn(req, res, next);
    } catch (err) {
      next(err);
    }
  }

  handle_error(error: unknown, req: ExpressRequest, res: ExpressResponse, next: Next): void {
    const fn = this.handle as unknown as ErrorHandler;
    if (fn.length !== ERROR_HANDLER_ARITY) {
      next(error);
      return;
    }
    try {
      fn(error, req, res, next);
    } catch (err) {
      next(err);
    }
  }

  [kCompiled](): CompiledLayer | null {
    if (this.match !== ownMatch || this.regexp !== this._expression) return null;
    return { slash: this.regexp.fast_slash === true, patterns: this._patterns };
  }
}

function matched(layer: Layer, params: Params, path: string): true {
  layer.params = params;
  layer.path = path;
  return true;
}

// Enumerable and in upstream's order.
for (const name of ['handle_error', 'handle_request', 'match'] as const) {
  const value = Layer.prototype[name];
  delete (Layer.prototype as unknown as Record<string, unknown>)[name];
  (Layer.prototype as unknown as Record<string, unknown>)[name] = value;
}

const { match: ownMatch } = Layer.prototype;

/** The way into a handler that nobody has replaced. */
export const { handle_request: ownHandleRequest } = Layer.prototype;

const ROUTE_LAYER_OPTIONS: PatternOptions = {};

/** A layer of a route's own stack. */
export function createRouteLayer(fn: Handler, method: string | undefined): Layer {
  const layer = new Layer('/', ROUTE_LAYER_OPTIONS, fn);
  layer.method = method;
  return layer;
}

function hide(layer: Layer, name: string, value: unknown): void {
  Object.defineProperty(layer, name, { value, writable: true, enumerable: false, configurable: true });
}
