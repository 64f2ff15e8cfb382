/**
 * One request going through one router: the state of its way down the stack and the `next` that moves it on.
 * Made once per router entry; layers cost no object or closure of their own. It decides order and matching;
 * handlers are called by invoke.ts. The methods of `Dispatch` are what version 4 does in its own way
 * (express4/dispatch.ts).
 */
import type { Application } from '../application-types.ts';
import { finalHandle, logError } from '../final-handler.ts';
import type { ExpressRequest, ExpressResponse, Next, Params } from '../message-types.ts';
import { defineParsedUrl } from '../parsed-url-field.ts';
import { callHandler, invokeErrorHandler, traceHandler } from './invoke.ts';
import type { Layer, LayerMatch } from './layer.ts';
import { type Mount, dropAddedSlash, protohostOf, restoreUrl, trimPrefix } from './mount-url.ts';
import { respondToOptions } from './options-reply.ts';
import { createParamCaller, mergeParams, type ParamCalls, processParams } from './params.ts';
import { type PathPattern, type Walk, walkParams, walkPrefixLength } from './pattern.ts';
import { type RequestPath, scanRequestPath } from './request-path.ts';
import { type Chain, MATCH_ANY, MATCH_WALK } from './route-index.ts';
import { dispatchFromRouter, type Route, SYNC_DEPTH_MAX } from './route.ts';
import type { RouteStack } from './route-stack.ts';
import type { RouterState } from './router-types.ts';
import type { StackLayer, StackRoute } from './stack-layer.ts';
import { matchedRoute, recordError, setMatchedRoute } from './trace.ts';
import { isTraced } from './tracing.ts';

const NO_CHAIN: Chain = { layers: [], positions: [], modes: [] };
const NO_KEYS: readonly string[] = [];
const SLASH = 0x2f;
const { create } = Object;

/** What the request had before it entered a router, put back when it leaves. */
interface Parent {
  readonly params: Params;
  readonly baseUrl: string;
  readonly next: Next | undefined;
}

/** State that most requests never have: it lives on the prototype until one needs its own. */
interface Rare {
  /**
   * The application that answers when no layer did, instead of a callback, and its `env` when the request
   * came in.
   */
  app: Application | null;
  env: unknown;
  /** What is put back when the request leaves; `null` for nothing, as in every application's own router. */
  parent: Parent | null;
  /** Protocol and host of an absolute target. */
  protohost: string;
  /** Whether `path` has an escape. */
  hasPercent: boolean;
  /** The part of the path that the layer takes. */
  matchPath: string;
  /** What the current layer took off the target. */
  mount: Mount | null;
  /** What a layer that was asked found. */
  found: LayerMatch | null;
  /** Parameter names of the layer that matched. */
  keys: readonly string[];
  /** Whether somebody listened to the tracing channel when the layer was entered. */
  traced: boolean;
  parentRoute: unknown;
  isRouteSet: boolean;
  paramCalls: ParamCalls | null;
  optionsMethods: string[] | null;
}

const rareDefaults: Rare = {
  app: null,
  env: undefined,
  parent: null,
  protohost: '',
  hasPercent: false,
  matchPath: '',
  mount: null,
  found: null,
  keys: NO_KEYS,
  traced: false,
  parentRoute: undefined,
  isRouteSet: false,
  paramCalls: null,
  optionsMethods: null,
};

// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the defaults are on the prototype
export interface Dispatch extends Rare {}

// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export class Dispatch {
  declare readonly router: RouterState;
  declare readonly req: ExpressRequest;
  declare readonly res: ExpressResponse;
  /** Gets the request when no layer answered; `null` when `app` does. */
  declare readonly callback: Next | null;
  declare readonly stack: RouteStack;
  declare readonly next: Next;
  /** Position in the stack of the layer to look at next. */
  declare idx: number;
  declare sync: number;
  // The target the chain was looked up for, and where in it we are.
  declare url: string | undefined;
  declare version: number;
  declare chain: Chain;
  declare cursor: number;
  declare path: string;
  /** What the last match found. */
  declare params: Params | undefined;

  constructor(router: RouterState, req: ExpressRequest, res: ExpressResponse, callback: Next | null) {
    this.router = router;
    this.req = req;
    this.res = res;
    this.callback = callback;
    this.stack = router._stack;
    this.next = (err) => step(this, err);
    this.idx = 0;
    this.sync = 0;
    this.url = undefined;
    this.version = -1;
    this.chain = NO_CHAIN;
    this.cursor = 0;
    this.path = '';
    this.params = undefined;
    const { url, params, baseUrl, next } = req;
    if (params !== undefined || baseUrl !== undefined || next !== undefined) this.parent = { params, baseUrl, next };
    if (typeof url === 'string' && url.charCodeAt(0) !== SLASH) this.protohost = protohostOf(url);
    if (req.method === 'OPTIONS') this.optionsMethods = [];
  }

  get parentUrl(): string {
    return this.parent === null ? '' : this.parent.baseUrl || '';
  }

  /** Remembers an error for those who trace. */
  noteError(err: unknown): void {
    recordError(this.req, err);
  }

  /** Takes over a layer that matches every path. */
  matchAny(_layer: StackLayer): void {
    this.params = {};
    if (this.matchPath !== '') this.matchPath = '';
    if (this.found !== null) this.found = null;
    if (this.keys.length !== 0) this.keys = NO_KEYS;
  }

  /** Takes over what a walkable pattern, known to match, finds in the path. */
  matchWalk(layer: StackLayer): void {
    const walk = ((layer as Layer)._patterns[0] as PathPattern).walk as Walk;
    const { names } = walk;
    const params = create(null) as Params;
    this.params = params;
    if (names.length !== 0) walkParams(walk, this.path, params);
    if (this.found !== null) this.found = null;
    if (names.length !== 0 || this.keys.length !== 0) this.keys = names;
    if (layer.route === undefined) this.matchPath = this.path.slice(0, walkPrefixLength(walk, this.path));
  }

  /** Asks a layer whether it matches. */
  match(layer: StackLayer): boolean {
    const found = (layer as Layer).match(this.path);
    if (!found) return false;
    this.params = found.params;
    this.matchPath = found.path;
    this.found = found;
    this.keys = found.keys;
    return true;
  }

  acceptsMethod(route: StackRoute): boolean {
    const { method } = this.req;
    if ((route as Route)._handlesMethod(method as string)) return true;
    if (this.optionsMethods !== null && method === 'OPTIONS') this.optionsMethods.push(...(route as Route)._methods());
    return method === 'HEAD';
  }

  /** Goes into the layer that matched. */
  enter(layer: StackLayer, layerError: unknown): void {
    const { req, router, params } = this;
    const { route } = layer;
    if (route !== undefined) req.route = route;
    const traced = isTraced();
    if (traced !== this.traced) this.traced = traced;
    if (traced) rememberPattern(this, layer as Layer);
    req.params = router.mergeParams ? mergeParams(params as Params, this.parent?.params) : (params as Params);
    if (this.keys.length !== 0 && hasCallbacks(router.params)) {
      enterAfterParams(this, layer as Layer, layerError);
      return;
    }
    if (route === undefined && !layerError && !traced && this.matchPath === '') callHandler(layer as Layer, req, this.res, this.next);
    else runLayer(this, layer as Layer, layerError);
    this.sync = 0;
  }

  /** Takes the matched prefix off the target; false when it does not end at a slash. */
  trimPrefix(): boolean {
    const next = this.path[this.matchPath.length];
    return (next === undefined || next === '/') && trimPrefix(this);
  }

  /** Puts the target back as it was before the last layer's prefix was taken off. */
  restoreUrl(mount: Mount): void {
    restoreUrl(this, mount, dropAddedSlash);
  }

  replyToOptions(methods: readonly string[], failed: Next): void {
    respondToOptions(this.res, methods, failed);
  }
}

Object.assign(Dispatch.prototype, rareDefaults);

/** Sends a request into a router; `callback` gets it when no layer answered. */
export function dispatch(router: RouterState, req: ExpressRequest, res: ExpressResponse, callback: Next): void {
  enterRouter(new Dispatch(router, req, res, callback));
}

/** Sends a request into an application's own router; the application answers when no layer did. */
export function dispatchInto(app: Application, router: RouterState, req: ExpressRequest, res: ExpressResponse): void {
  const run = new Dispatch(router, req, res, null);
  run.app = app;
  run.env = app.settings.env;
  enterRouter(run);
}

function enterRouter(run: Dispatch): void {
  begin(run);
  step(run, undefined);
}

/** What a request gets when it enters a router. */
export function begin(run: Dispatch): void {
  const { req, stack } = run;
  if (stack._isExposed) stack.refresh();
  req.next = run.next;
  req.baseUrl = run.parentUrl;
  req.originalUrl = req.originalUrl || (req.url as string);
}

export function step(run: Dispatch, err: unknown): void {
  const { req, stack } = run;
  let layerError = err;
  if (err) run.noteError(err);
  if (run.mount !== null) run.restoreUrl(run.mount);
  if (err) {
    if (err === 'router') {
      setImmediate(finish, run, null);
      return;
    }
    if (err === 'route') layerError = null;
  }
  if (stack._isExposed) stack.refresh();
  const { length } = stack.layers;
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

  if (req._routing !== run) {
    req._routing = run;
    if (!('_parsedUrl' in req)) defineParsedUrl(req);
  }

  const { layers, positions, modes } = run.chain;
  for (let at = run.cursor; at < layers.length; at++) {
    const layer = layers[at] as StackLayer;
    const { route } = layer;
    run.cursor = at + 1;
    run.idx = (positions[at] as number) + 1;
    const mode = modes[at] as number;
    if (mode === MATCH_WALK && !run.hasPercent) {
      // Without an escape in the path, a match has no effect but its result: the method can be looked at
      // first.
      if (route !== undefined && (layerError || !run.acceptsMethod(route))) continue;
      run.matchWalk(layer);
    } else if (mode === MATCH_ANY) {
      run.matchAny(layer);
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

/** Filled and read within one call of `locate`. */
const scanned: RequestPath = { path: '', isPlain: false, hasUpperCase: false, hasPercent: false };

/** Finds the candidates for the request's present target; false when it has no path. */
export function locate(run: Dispatch): boolean {
  const { req, stack } = run;
  const { url } = req;
  let chain = stack.paths.get(url);
  if (chain !== undefined) {
    run.path = url as string;
    if (run.hasPercent) run.hasPercent = false;
  } else {
    run.url = undefined;
    if (!scanRequestPath(req, scanned)) return false;
    run.path = scanned.path;
    if (run.hasPercent !== scanned.hasPercent) run.hasPercent = scanned.hasPercent;
    chain = stack.lookup(scanned);
  }
  run.url = req.url;
  run.version = stack.version;
  run.chain = chain;
  run.cursor = run.idx === 0 ? 0 : cursorAt(chain.positions, run.idx);
  return true;
}

function cursorAt(positions: readonly number[], idx: number): number {
  let cursor = 0;
  while (cursor < positions.length && (positions[cursor] as number) < idx) cursor++;
  return cursor;
}

const NO_PARENT = { baseUrl: undefined, next: undefined, params: undefined } as unknown as Parent;

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
  const { req, parent, app } = run;
  const before = parent ?? NO_PARENT;
  req.baseUrl = before.baseUrl;
  req.next = before.next;
  req.params = before.params;
  if (run.isRouteSet) setMatchedRoute(req, run.parentRoute);
  if (app === null) (run.callback as Next)(err);
  else finalHandle(app, req, run.res, { err, env: run.env, log: logError });
}

function rememberPattern(run: Dispatch, layer: Layer): void {
  if (!run.isRouteSet) {
    run.isRouteSet = true;
    run.parentRoute = matchedRoute(run.req);
  }
  setMatchedRoute(run.req, run.found === null ? layer._pattern : run.found.pattern);
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
    run.traced = isTraced();
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
    else if (run.traced) traceHandler(layer, run.req, run.res, run.next);
    else callHandler(layer, run.req, run.res, run.next);
    return;
  }
  if (layer.handle !== layer._dispatch) {
    // Somebody wrapped the route's layer, or brought one of their own.
    layer.handleRequest(run.req, run.res, run.next);
    return;
  }
  try {
    dispatchFromRouter(route, run);
  } catch (err) {
    step(run, err);
  }
}
