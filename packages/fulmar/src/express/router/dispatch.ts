// One request going through one router: the state of its way down the stack and the `next` that moves it on. Made once
// per router entry; layers cost no object or closure of their own. It decides order and matching; handlers are called
// by invoke.ts.
import type { ExpressRequest, ExpressResponse, Next, Params } from '../messages.ts';
import { invokeErrorHandler, invokeHandler } from './invoke.ts';
import type { Layer } from './layer.ts';
import { respondToOptions } from './options-reply.ts';
import { mergeParams, type ParamCalls, processParams } from './params.ts';
import { type PathPattern, type Walk, walkParams, walkPrefixLength } from './pattern.ts';
import { type RequestPath, scanRequestPath } from './request-path.ts';
import { type Chain, MATCH_ANY, MATCH_WALK } from './route-index.ts';
import { dispatchFromRouter, type Route, SYNC_DEPTH_MAX } from './route.ts';
import type { RouteStack } from './route-stack.ts';
import type { RouterState } from './router-type.ts';
import { isTraced, matchedRoute, recordError, setMatchedRoute } from './tracing.ts';

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

function step(run: Dispatch, err: unknown): void {
  const { req } = run;
  if (err) recordError(req, err);
  let layerError = err === 'route' ? null : err;
  if (run.removed.length !== 0 || run.slashAdded) restoreUrl(run);
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
    const layer = chain.layers[at] as Layer;
    const { route } = layer;
    run.idx = (chain.positions[at] as number) + 1;
    const mode = chain.modes[at] as number;
    if (mode === MATCH_ANY) {
      run.params = {};
      run.matchPath = '';
      run.keys = NO_KEYS;
      run.pattern = layer.rawPath;
    } else if (mode === MATCH_WALK && !run.hasPercent) {
      // Without an escape in the path, a match has no effect but its result: the method can be looked at first.
      if (route !== undefined && (layerError || !acceptsMethod(run, route))) continue;
      matchWalk(run, layer);
    } else {
      try {
        if (!match(run, layer, mode)) continue;
      } catch (matchError) {
        recordError(req, matchError);
        layerError = layerError || matchError;
        continue;
      }
      if (route !== undefined && (layerError || !acceptsMethod(run, route))) continue;
    }
    enterLayer(run, layer, layerError);
    return;
  }
  run.idx = stack.layers.length;
  finish(run, layerError);
}

/** Finds the candidates for the request's present target; false when it has no path. */
function locate(run: Dispatch): boolean {
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

/** Takes over what a walkable pattern, known to match, finds in the path. */
function matchWalk(run: Dispatch, layer: Layer): void {
  const pattern = layer._patterns[0] as PathPattern;
  const walk = pattern.walk as Walk;
  run.params = walkParams(walk, run.path);
  run.keys = walk.names;
  run.pattern = pattern.raw;
  if (layer.route === undefined) run.matchPath = run.path.slice(0, walkPrefixLength(walk, run.path));
}

function match(run: Dispatch, layer: Layer, mode: number): boolean {
  if (mode === MATCH_WALK) {
    matchWalk(run, layer);
    return true;
  }
  const found = layer.match(run.path);
  if (!found) return false;
  run.params = found.params;
  run.keys = found.keys;
  run.pattern = found.pattern;
  run.matchPath = found.path;
  return true;
}

function acceptsMethod(run: Dispatch, route: Route): boolean {
  const { method } = run.req;
  if (route._handlesMethod(method as string)) return true;
  if (method === 'OPTIONS' && run.optionsMethods !== null) run.optionsMethods.push(...route._methods());
  return method === 'HEAD';
}

function enterLayer(run: Dispatch, layer: Layer, layerError: unknown): void {
  const { req, router } = run;
  const { route } = layer;
  if (route !== undefined) req.route = route;
  if (isTraced()) rememberPattern(run);
  const params = run.params as Params;
  req.params = router.mergeParams ? mergeParams(params, run.parentParams) : params;
  if (run.keys.length !== 0 && hasCallbacks(router.params)) {
    enterAfterParams(run, layer, layerError);
    return;
  }
  runLayer(run, layer, layerError);
  run.sync = 0;
}

function hasCallbacks(params: object): boolean {
  // The keys of an object without any cost nothing to visit.
  for (const _name in params) return true;
  return false;
}

function enterAfterParams(run: Dispatch, layer: Layer, layerError: unknown): void {
  const { path, matchPath } = run;
  const calls = (run.paramCalls ??= {});
  processParams(run.router.params, { layer, keys: run.keys, calls, req: run.req, res: run.res }, (err) => {
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
    if (run.matchPath.length !== 0 && !trimPrefix(run)) {
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

/** Takes the matched prefix off the target; false when it does not end at a slash. */
function trimPrefix(run: Dispatch): boolean {
  const { req, path, matchPath: prefix, protohost } = run;
  if (!path.startsWith(prefix)) return false;
  if (prefix.length < path.length && path[prefix.length] !== '/') return false;
  const url = req.url as string;
  let trimmed = protohost + url.slice(protohost.length + prefix.length);
  if (protohost.length === 0 && trimmed.charCodeAt(0) !== 0x2f) {
    trimmed = `/${trimmed}`;
    run.slashAdded = true;
  }
  run.removed = prefix;
  run.urlBefore = url;
  run.urlTrimmed = req.url = trimmed;
  req.baseUrl = run.parentUrl + (prefix.endsWith('/') ? prefix.slice(0, -1) : prefix);
  return true;
}

/** Puts the target back as it was before the last layer's prefix was taken off. */
function restoreUrl(run: Dispatch): void {
  const { req, removed, protohost } = run;
  if (!run.slashAdded && req.url === run.urlTrimmed) {
    req.url = run.urlBefore;
  } else {
    let url = req.url as string;
    // The added slash goes, unless the layer rewrote the path under a mount path that has no trailing slash.
    if (run.slashAdded) {
      const isRoot = url === '/' || url.startsWith('/?');
      if (isRoot || (removed.endsWith('/') && url[0] === '/')) url = url.slice(1);
      run.slashAdded = false;
    }
    req.url = protohost + removed + url.slice(protohost.length);
  }
  req.baseUrl = run.parentUrl;
  run.removed = '';
}

/** Leaves the router. */
function finish(run: Dispatch, err: unknown): void {
  const methods = run.optionsMethods;
  if (methods !== null && !err && methods.length !== 0) {
    respondToOptions(run.res, methods, (failure) => leave(run, failure));
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

/** Protocol and host of an absolute request target, or nothing. */
function protohostOf(url: string | undefined): string {
  if (typeof url !== 'string' || url.length === 0 || url.charCodeAt(0) === 0x2f) return '';
  const query = url.indexOf('?');
  const at = url.slice(0, query === -1 ? url.length : query).indexOf('://');
  return at === -1 ? '' : url.slice(0, Math.max(0, url.indexOf('/', 3 + at)));
}
