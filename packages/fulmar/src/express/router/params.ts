/**
 * `router.param()` callbacks, run once per value before a layer's handlers, and the merging of a parent's
 * parameters. Entered only for layers with parameters in routers with callbacks.
 */
import type { ExpressRequest, ExpressResponse, Next, Params } from '../message-types.ts';
import type { Layer } from './layer.ts';
import { callParam, type ParamHandler } from './promises.ts';
import { matchedRoute, traceParam } from './trace.ts';
import { isTraced } from './tracing.ts';

interface ParamCall {
  error: unknown;
  readonly match: unknown;
  value: unknown;
}

/** What each parameter's callbacks did so far, by name. */
export type ParamCalls = Record<string, ParamCall>;
/** The callbacks of each parameter. */
export type ParamCallbacks = Record<string, ParamHandler[]>;

/** Calls one callback; what it throws goes to `next`. */
export type ParamCaller = (fn: ParamHandler, next: Next, value: unknown, name: string) => void;

export interface ParamStep {
  readonly keys: readonly string[];
  readonly calls: ParamCalls;
  readonly req: ExpressRequest;
  readonly call: ParamCaller;
}

/** Calls callbacks, with rejections going to `next` and traces for those who listen. */
export function createParamCaller(req: ExpressRequest, res: ExpressResponse, layer: Layer): ParamCaller {
  return (fn, next, value, name) => {
    if (isTraced()) traceParam(fn, { req, res, layer, handler: fn, route: matchedRoute(req), param: name }, next, value, name);
    else callParam(fn, { req, res, next, value, name });
  };
}

export function processParams(callbacks: ParamCallbacks, { keys, calls, req, call: invoke }: ParamStep, done: Next): void {
  let at = 0;
  let callbackAt = 0;
  let key = '';
  let value: unknown;
  let handlers: ParamHandler[] = [];
  let call: ParamCall | undefined;

  const nextParam: Next = (err) => {
    if (err) return done(err);
    if (at >= keys.length) return done();
    callbackAt = 0;
    key = keys[at++] as string;
    value = req.params[key];
    const found = callbacks[key];
    call = calls[key];
    if (value === undefined || !found) return nextParam();
    handlers = found;
    if (call && (call.match === value || (call.error && call.error !== 'route'))) {
      req.params[key] = call.value;
      return nextParam(call.error);
    }
    calls[key] = call = { error: null, match: value, value };
    nextCallback();
  };

  const nextCallback: Next = (err) => {
    const fn = handlers[callbackAt++];
    const current = call as ParamCall;
    current.value = req.params[key];
    if (err) {
      current.error = err;
      nextParam(err);
      return;
    }
    if (!fn) return nextParam();
    invoke(fn, nextCallback, value, key);
  };

  nextParam();
}

/** The layer's parameters on top of the parent's; numbered ones go behind the parent's numbers. */
export function mergeParams(params: Params, parent: unknown): Params {
  if (typeof parent !== 'object' || !parent) return params;
  const merged: Params = { ...(parent as Params) };
  if (!(0 in params) || !(0 in parent)) return Object.assign(merged, params);
  let own = 0;
  let offset = 0;
  while (own in params) own++;
  while (offset in parent) offset++;
  for (own--; own >= 0; own--) {
    params[own + offset] = params[own];
    if (own < offset) delete params[own];
  }
  return Object.assign(merged, params);
}
