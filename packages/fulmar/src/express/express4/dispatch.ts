/**
 * One request going through one version 4 router: version 5's way, with what differs (R5). Layers keep what
 * they matched and are called through their own members; errors are not traced; promises are not followed.
 */
import type { ExpressRequest, ExpressResponse, Next, Params } from '../message-types.ts';
import { begin, Dispatch, finish, hasCallbacks, locate, step } from '../router/dispatch.ts';
import { type Mount, restoreUrl, trimPrefix } from '../router/mount-url.ts';
import { mergeParams } from '../router/params.ts';
import { type IndexedPattern, type Walk, walkParams, walkPrefixLength } from '../router/pattern.ts';
import type { StackLayer, StackRoute } from '../router/stack-layer.ts';
import { isUntouched, type RouterEntry, runEntry } from './entry.ts';
import { type Layer, ownHandleRequest } from './layer.ts';
import { ownProcessParams } from './params.ts';
import { dispatchFromRouter, ownDispatch, type Route } from './route.ts';
import type { RouterInstance } from './router.ts';

/** Layers at the start of an application's stack that the dispatcher stands in for. */
const ENTRY_LAYERS = 2;

class Dispatch4 extends Dispatch {
  declare readonly router: RouterInstance;

  override noteError(): void {
    // There is no tracing channel.
  }

  override matchAny(layer: StackLayer): void {
    const own = layer as Layer;
    this.params = own.params = {};
    this.matchPath = own.path = '';
  }

  override matchWalk(layer: StackLayer): void {
    const own = layer as Layer;
    const walk = (own._patterns[0] as IndexedPattern).walk as Walk;
    const { path } = this;
    this.params = own.params = walkParams(walk, path, {});
    this.matchPath = own.path = own.route === undefined ? path.slice(0, walkPrefixLength(walk, path)) : path;
  }

  override match(layer: StackLayer): boolean {
    const own = layer as Layer;
    const found: unknown = own.match(this.path);
    // What is neither true nor false counts as an error.
    if (typeof found !== 'boolean') throw found;
    if (!found) return false;
    this.params = own.params;
    this.matchPath = own.path as string;
    return true;
  }

  override acceptsMethod(route: StackRoute): boolean {
    const { method } = this.req;
    const own = route as Route;
    if (own._handles_method(method as string)) return true;
    if (this.optionsMethods !== null && method === 'OPTIONS') this.optionsMethods.push(...own._options());
    return method === 'HEAD';
  }

  override enter(layer: StackLayer, layerError: unknown): void {
    const { req, router } = this;
    const own = layer as Layer;
    if (own.route) req.route = own.route;
    const params = this.params as Params;
    req.params = router.mergeParams ? mergeParams(params, this.parent?.params) : params;
    if (router.process_params !== ownProcessParams || (own.keys && own.keys.length !== 0 && hasCallbacks(router.params))) {
      enterAfterParams(this, own, layerError);
      return;
    }
    runLayer(this, own, layerError);
    this.sync = 0;
  }

  override trimPrefix(): boolean {
    const next = this.path[this.matchPath.length];
    return (next === undefined || next === '/' || next === '.') && trimPrefix(this);
  }

  override restoreUrl(mount: Mount): void {
    restoreUrl(this, mount, (url) => url.slice(1));
  }

  override replyToOptions(methods: readonly string[], failed: Next): void {
    const { res } = this;
    try {
      const body = [...new Set(methods)].join(',');
      res.set('Allow', body);
      res.send(body);
    } catch (err) {
      failed(err);
    }
  }
}

/** Sends a request into a router; `callback` gets it when no layer answered. */
export function dispatch(router: RouterInstance, req: ExpressRequest, res: ExpressResponse, callback: Next | undefined): void {
  const run = new Dispatch4(router, req, res, callback ?? missingCallback);
  begin(run);
  const { _entry: entry } = router;
  if (entry !== undefined && router.process_params === ownProcessParams && isUntouched(entry, run.stack)) enterApplication(run, entry);
  else step(run, undefined);
}

/** A router without a callback fails when it comes to its end, as upstream's does. */
function missingCallback(): void {
  (undefined as unknown as { apply: () => void }).apply();
}

/** What the application's first two layers would do, and on to the third. */
function enterApplication(run: Dispatch4, entry: RouterEntry): void {
  if (!locate(run)) {
    finish(run, undefined);
    return;
  }
  run.cursor = run.idx = run.sync = ENTRY_LAYERS;
  let failure: unknown;
  try {
    runEntry(entry, run.req, run.res);
  } catch (err) {
    failure = err;
  }
  step(run, failure);
}

function enterAfterParams(run: Dispatch4, layer: Layer, layerError: unknown): void {
  const { path, matchPath } = run;
  run.router.process_params(layer, (run.paramCalls ??= {}), run.req, run.res, (err) => {
    // A callback may answer late, when another request target has been looked at.
    run.path = path;
    run.matchPath = matchPath;
    if (err) step(run, layerError || err);
    else runLayer(run, layer, layerError);
    run.sync = 0;
  });
}

function runLayer(run: Dispatch4, layer: Layer, layerError: unknown): void {
  const { route } = layer;
  if (!route) {
    if (run.matchPath.length !== 0 && !run.trimPrefix()) step(run, layerError);
    else if (layerError) layer.handle_error(layerError, run.req, run.res, run.next);
    else layer.handle_request(run.req, run.res, run.next);
    return;
  }
  if (layer.handle !== layer._dispatch || layer.handle_request !== ownHandleRequest || route.dispatch !== ownDispatch) {
    // Somebody wrapped the route's layer, or brought one of their own.
    layer.handle_request(run.req, run.res, run.next);
    return;
  }
  try {
    dispatchFromRouter(route, run.req, run.res, run.next);
  } catch (err) {
    step(run, err);
  }
}
