// One request going through one router: the state of its way down the stack and the `next` that moves it on. Made once
// per router entry; layers cost no object or closure of their own. It decides order and matching; handlers are called
// by invoke.ts. The methods of `Dispatch` are what version 4 does in its own way (express4/dispatch.ts).
import type { ExpressRequest, ExpressResponse, Next, Params } from '../messages.ts';
import { invokeErrorHandler, invokeHandler } from './invoke.ts';
import type { Layer } from './layer.ts';
import { respondToOptions } from './options-reply.ts';
import { dropAddedSlash, protohostOf, restoreUrl, trimPrefix } from './mount-url.ts';
import { createParamCaller, mergeParams, type ParamCalls, processParams } from './params.ts';
import { type PathPattern, type Walk, walkParams, walkPrefixLength } from './pattern.ts';
import { type RequestPath, scanRequestPath } from './request-path.ts';
import { type Chain, MATCH_ANY, MATCH_WALK } from './route-index.ts';
import { dispatchFromRouter, type Route, SYNC_DEPTH_MAX } from './route.ts';
import type { RouteStack } from './route-stack.ts';
import type { RouterState } from './router-type.ts';
import type { StackLayer, StackRoute } from './stack-layer.ts';
import { matchedRoute, recordError, setMatchedRoute } from './trace.ts';
import { isTraced } from './tracing.ts';

const NO_CHAIN: Chain = { layers: [], positions: [], modes: [] };
const NO_KEYS: readonly string[] = [];

export class Dispatch implements RequestPath {
  readonly router: RouterState;
  readonly req: ExpressRequest;
  readonly res: ExpressResponse;
  readonly callback: Next;
  readonly stack: RouteStack;
  readonly next: Next;
  /** Position in the stack of the layer to look at next. */
  idx: number;
  sync: number;
  // The target the chain was looked up for, and where in it we are.
  url: string | undefined;
  version: number;
  chain: Chain;
  cursor: number;
  path: string;
  isPlain: boolean;
  hasUpperCase: boolean;
  hasPercent: boolean;
  // What the current layer took off the target.
  readonly protohost: string;
  removed: string;
  slashAdded: boolean;
  urlBefore: string;
  urlTrimmed: string | undefined;
  // What the last match found.
  params: Params | undefined;
  matchPath: string;
  keys: readonly string[];
  pattern: unknown;
  // What the request had before this router, put back when it leaves.
  readonly parentParams: Params;
  readonly parentBaseUrl: string;
  readonly parentUrl: string;
  readonly parentNext: Next | undefined;
  parentRoute: unknown;
  isRouteSet: boolean;
  paramCalls: ParamCalls | null;
  optionsMethods: string[] | null;

  constructor(router: RouterState, req: ExpressRequest, res: ExpressResponse, callback: Next) {
    this.router = router;
    this.req = req;
    this.res = res;
    this.callback = callback;
    this.stack = router._stack;
    const next: Next = (err) => step(this, err);
    this.next = next;
    this.idx = 0;
    this.sync = 0;
    this.url = undefined;
    this.version = -1;
    this.chain = NO_CHAIN;
    this.cursor = 0;
    this.path = '';
    this.isPlain = false;
    this.hasUpperCase = false;
    this.hasPercent = false;
    this.protohost = protohostOf(req.url);
    this.removed = '';
    this.slashAdded = false;
    this.urlBefore = '';
    this.urlTrimmed = undefined;
    this.params = undefined;
    this.matchPath = '';
    this.keys = NO_KEYS;
    this.pattern = undefined;
    this.parentParams = req.params;
    this.parentBaseUrl = req.baseUrl;
    this.parentUrl = this.parentBaseUrl || '';
    this.parentNext = req.next;
    this.parentRoute = undefined;
    this.isRouteSet = false;
    this.paramCalls = null;
    this.optionsMethods = req.method === 'OPTIONS' ? [] : null;
  }

  /** Remembers an error for those who trace. */
  noteError(err: unknown): void {
    recordError(this.req, err);
  }

  /** Takes over a layer that matches every path. */
  matchAny(layer: StackLayer): void {
    this.params = {};
    this.matchPath = '';
    this.keys = NO_KEYS;
    this.pattern = (layer as Layer).rawPath;
  }

  /** Takes over what a walkable pattern, known to match, finds in the path. */
  matchWalk(layer: StackLayer): void {
    const pattern = (layer as Layer)._patterns[0] as PathPattern;
    const walk = pattern.walk as Walk;
    this.params = walkParams(walk, this.path, Object.create(null) as Params);
    this.keys = walk.names;
    this.pattern = pattern.raw;
    if (layer.route === undefined) this.matchPath = this.path.slice(0, walkPrefixLength(walk, this.path));
  }

  /** Asks a layer whether it matches. */
  match(layer: StackLayer): boolean {
    const found = (layer as Layer).match(this.path);
    if (!found) return false;
    this.params = found.params;
    this.keys = found.keys;
    this.pattern = found.pattern;
    this.matchPath = found.path;
    return true;
  }

  acceptsMethod(route: StackRoute): boolean {
    const { method } = this.req;
    if ((route as Route)._handlesMethod(method as string)) return true;
    if (method === 'OPTIONS' && this.optionsMethods !== null) this.optionsMethods.push(...(route as Route)._methods());
    return method === 'HEAD';
  }

  /** Goes into the layer that matched. */
  enter(layer: StackLayer, layerError: unknown): void {
    const { req, router } = this;
    const { route } = layer;
    if (route !== undefined) req.route = route;
    if (isTraced()) rememberPattern(this);
    const params = this.params as Params;
    req.params = router.mergeParams ? mergeParams(params, this.parentParams) : params;
    if (this.keys.length !== 0 && hasCallbacks(router.params)) {
      enterAfterParams(this, layer as Layer, layerError);
      return;
    }
    runLayer(this, layer as Layer, layerError);
    this.sync = 0;
  }

  /** Takes the matched prefix off the target; false when it does not end at a slash. */
  trimPrefix(): boolean {
    const next = this.path[this.matchPath.length];
    return (next === undefined || next === '/') && trimPrefix(this);
  }

  /** Puts the target back as it was before the last layer's prefix was taken off. */
  restoreUrl(): void {
    restoreUrl(this, dropAddedSlash);
  }

  replyToOptions(methods: readonly string[], failed: Next): void {
    respondToOptions(this.res, methods, failed);
  }
}

/** Sends a request into a router; `callback` gets it when no layer answered. */
export function dispatch(router: RouterState, req: ExpressRequest, res: ExpressResponse, callback: Next): void {
  router._stack.refresh();
  const run = new Dispatch(router, req, res, callback);
  req.next = run.next;
  req.baseUrl = run.parentUrl;
  req.originalUrl = req.originalUrl || (req.url as string);
  step(run, undefined);
}

export function step(run: Dispatch, err: unknown): void {
  const { req } = run;
  if (err) run.noteError(err);
  let layerError = err === 'route' ? null : err;
  if (run.removed.length !== 0 || run.slashAdded) run.restoreUrl();
  if (layerError === 'router') {
    setImmediate(finish, run, null);
    return;
  }
  const { stack } = run;
  const { length } = stack.layers;
  if (length !== stack.length) stack.refresh();
  if (run.idx >= length) {
    setImmediate(finish, run, layerError);
    return;
  }
  if (++run.sync > SYNC_DEPTH_MAX) {
    setImmediate(run.next, err);
    return;
  }
  if ((req.url !== run.url || stack.version !== run.version) && !locate(run)) {
    finish(run, layerError);
    return;
  }

  const { chain } = run;
  while (run.cursor < chain.layers.length) {
    const at = run.cursor++;
    const layer = chain.layers[at] as StackLayer;
    const { route } = layer;
    run.idx = (chain.positions[at] as number) + 1;
    const mode = chain.modes[at] as number;
    if (mode === MATCH_ANY) {
      run.matchAny(layer);
    } else if (mode === MATCH_WALK && !run.hasPercent) {
      // Without an escape in the path, a match has no effect but its result: the method can be looked at first.
      if (route !== undefined && (layerError || !run.acceptsMethod(route))) continue;
      run.matchWalk(layer);
    } else {
      try {
        if (mode === MATCH_WALK) run.matchWalk(layer);
        else if (!run.match(layer)) continue;
      } catch (matchError) {
        run.noteError(matchError);
        layerError = layerError || matchError;
        continue;
      }
      if (route !== undefined && (layerError || !run.acceptsMethod(route))) continue;
    }
    run.enter(layer, layerError);
    return;
  }
  run.idx = stack.layers.length;
  finish(run, layerError);
}

/** Finds the candidates for the request's present target; false when it has no path. */
export function locate(run: Dispatch): boolean {
  const { stack } = run;
  if (run.req.url !== run.url) {
    run.url = undefined;
    if (!scanRequestPath(run.req, run)) return false;
    run.url = run.req.url;
  }
  run.version = stack.version;
  run.chain = stack.lookup(run);
  const { positions } = run.chain;
  let cursor = 0;
  while (cursor < positions.length && (positions[cursor] as number) < run.idx) cursor++;
  run.cursor = cursor;
  return true;
}

/** Leaves the router. */
export function finish(run: Dispatch, err: unknown): void {
  const methods = run.optionsMethods;
  if (methods !== null && !err && methods.length !== 0) {
    run.replyToOptions(methods, (failure) => leave(run, failure));
    return;
  }
  leave(run, err);
}

function leave(run: Dispatch, err: unknown): void {
  const { req } = run;
  req.baseUrl = run.parentBaseUrl;
  req.next = run.parentNext;
  req.params = run.parentParams;
  if (run.isRouteSet) setMatchedRoute(req, run.parentRoute);
  run.callback(err);
}

function rememberPattern(run: Dispatch): void {
  if (!run.isRouteSet) {
    run.isRouteSet = true;
    run.parentRoute = matchedRoute(run.req);
  }
  setMatchedRoute(run.req, run.pattern);
}

export function hasCallbacks(params: object): boolean {
  // The keys of an object without any cost nothing to visit.
  for (const _name in params) return true;
  return false;
}

function enterAfterParams(run: Dispatch, layer: Layer, layerError: unknown): void {
  const { path, matchPath } = run;
  const calls = (run.paramCalls ??= {});
  processParams(run.router.params, { keys: run.keys, calls, req: run.req, call: createParamCaller(run.req, run.res, layer) }, (err) => {
    // A callback may answer late, when another request target has been looked at.
    run.path = path;
    run.matchPath = matchPath;
    if (err) step(run, layerError || err);
    else runLayer(run, layer, layerError);
    run.sync = 0;
  });
}

function runLayer(run: Dispatch, layer: Layer, layerError: unknown): void {
  const { route } = layer;
  if (route === undefined) {
    if (run.matchPath.length !== 0 && !run.trimPrefix()) {
      step(run, layerError);
      return;
    }
    if (layerError) invokeErrorHandler(layer, layerError, run.req, run.res, run.next);
    else invokeHandler(layer, run.req, run.res, run.next);
    return;
  }
  if (layer.handle !== layer._dispatch) {
    // Somebody wrapped the route's layer, or brought one of their own.
    layer.handleRequest(run.req, run.res, run.next);
    return;
  }
  try {
    dispatchFromRouter(route, run.req, run.res, run.next);
  } catch (err) {
    step(run, err);
  }
}
