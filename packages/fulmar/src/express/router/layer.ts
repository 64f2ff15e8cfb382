/**
 * One entry of a router's or a route's stack: a path and the function to run for it. Compiled at
 * registration; the dispatcher reads it for every request that may match. Holds no request state.
 */
import type { ExpressRequest, ExpressResponse, Handler, Next, Params } from '../message-types.ts';
import { invokeErrorHandler, invokeHandler } from './invoke.ts';
import { type Matcher, type PathMatch, PathPattern, type PatternOptions } from './pattern.ts';
import type { Route } from './route.ts';
import { type CompiledLayer, kCompiled, type StackLayer } from './stack-layer.ts';

/** What a layer yields for a path, in the form tools that inspect `router.stack` know. */
export interface LayerMatch {
  readonly params: Params;
  readonly path: string;
  readonly keys: readonly string[];
  readonly pattern: unknown;
}

const ANY_PATH_PATTERNS: readonly PathPattern[] = [];

/** Members are assigned and not defined: a tool may put a setter for `handle` on the prototype. */
export class Layer implements StackLayer {
  declare handle: Handler;
  declare name: string;
  declare rawPath: unknown;
  /** True for `use('/')`: matches every path and takes nothing of it. */
  declare slash: boolean;
  declare route: Route | undefined;
  declare method: string | undefined;
  /** @internal The patterns of `rawPath`, in order; empty when `slash`. */
  declare readonly _patterns: readonly PathPattern[];
  /** @internal What `handle` was when its number of parameters was last read. */
  declare _classified: Handler;
  /** @internal Number of parameters of `_classified`. */
  declare _arity: number;
  /** @internal For a route's layer: the dispatching function that nobody has wrapped yet. */
  declare _dispatch: Handler | undefined;

  constructor(path: unknown, options: PatternOptions, fn: Handler) {
    this.handle = fn;
    this.name = fn.name || '<anonymous>';
    this.rawPath = Array.isArray(path) ? path.flat(Infinity) : path;
    this.slash = path === '/' && options.end === false;
    this.route = undefined;
    this.method = undefined;
    const patterns = this.slash ? ANY_PATH_PATTERNS : toPatterns(this.rawPath, options);
    hide(this, '_patterns', patterns);
    hide(this, '_classified', fn);
    hide(this, '_arity', fn.length);
    hide(this, '_dispatch', undefined);
  }

  /** One function per path of the layer, as tools that inspect `router.stack` expect. */
  get matchers(): Matcher[] {
    return this.slash ? [() => ({ params: {}, path: '' })] : this._patterns.map((pattern) => pattern.matcher);
  }

  /** @internal What is published about a layer that was walked, or matches every path. */
  get _pattern(): unknown {
    return this.slash ? this.rawPath : this._patterns[0]?.raw;
  }

  match(path: string | null | undefined): LayerMatch | false {
    if (path == null) return false;
    if (this.slash) return { params: {}, path: '', keys: [], pattern: this.rawPath };
    for (const pattern of this._patterns) {
      const found: PathMatch | false = pattern.matcher(path);
      if (found) return { params: found.params, path: found.path, keys: Object.keys(found.params), pattern: pattern.raw };
    }
    return false;
  }

  [kCompiled](): CompiledLayer | null {
    return this.match === Layer.prototype.match ? { slash: this.slash, patterns: this._patterns } : null;
  }

  handleRequest(req: ExpressRequest, res: ExpressResponse, next: Next): void {
    invokeHandler(this, req, res, next);
  }

  handleError(error: unknown, req: ExpressRequest, res: ExpressResponse, next: Next): void {
    invokeErrorHandler(this, error, req, res, next);
  }
}

/** A layer of a route's own stack: it has no path to match. */
export function createRouteLayer(fn: Handler, method: string | undefined): Layer {
  const layer = new Layer('/', ROUTE_LAYER_OPTIONS, fn);
  layer.method = method;
  return layer;
}

const ROUTE_LAYER_OPTIONS: PatternOptions = {};

function toPatterns(rawPath: unknown, options: PatternOptions): readonly PathPattern[] {
  return Array.isArray(rawPath) ? rawPath.map((path) => new PathPattern(path, options)) : [new PathPattern(rawPath, options)];
}

function hide(layer: Layer, name: string, value: unknown): void {
  Object.defineProperty(layer, name, { value, writable: true, enumerable: false, configurable: true });
}
