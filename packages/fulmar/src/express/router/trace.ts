/**
 * What is published about a handler while somebody listens to the tracing channel, and which errors a request
 * has seen. Loaded when there is a listener or an error.
 */
import type { ExpressRequest, ExpressResponse, Next } from '../message-types.ts';
import { callParam, isPromiseLike, type ParamHandler } from './promises.ts';
import type { Layer } from './layer.ts';
import { channel } from './tracing.ts';

/** Pattern of the layer that matched last; set on the request only while tracing. */
const kMatchedRoute = Symbol('router.tracing.matchedRoute');
/** Registered, so that separately installed copies of upstream's router share it. */
const kSeenErrors = Symbol.for('router.tracing.publishedErrors');

export interface TraceContext {
  readonly req: ExpressRequest;
  readonly res: ExpressResponse;
  readonly layer: Layer;
  readonly handler: unknown;
  readonly route: unknown;
  readonly param?: string;
  readonly errorHandler?: true;
  readonly incomingError?: unknown;
  error?: unknown;
  result?: unknown;
}

type Traced = ExpressRequest & { [kSeenErrors]?: Set<unknown>; [kMatchedRoute]?: unknown };

const { start, end, asyncStart, asyncEnd, error: errorChannel } = channel;

/** Remembers an error of this request; false when it was known, or is a routing signal. */
export function recordError(req: ExpressRequest, err: unknown): boolean {
  if (!err || isRoutingSignal(err)) return false;
  const holder = req as Traced;
  const seen = (holder[kSeenErrors] ??= new Set());
  if (seen.has(err)) return false;
  seen.add(err);
  return true;
}

export function matchedRoute(req: ExpressRequest): unknown {
  return (req as Traced)[kMatchedRoute];
}

export function setMatchedRoute(req: ExpressRequest, pattern: unknown): void {
  (req as Traced)[kMatchedRoute] = pattern;
}

/** Runs a handler inside its trace. `exec` gets the `next` the handler is to be given. */
export function invokeTraced(exec: (next: Next) => unknown, context: TraceContext, next: Next): void {
  const tracedNext = wrapNext(context, next);
  let settled = false;
  const rejected = (err: unknown): void => {
    tracedNext(err);
    if (settled) return;
    settled = true;
    recordThrown(context, err, false);
    publishAsyncEnd(context);
  };
  start.runStores(context, () => {
    let pending: PromiseLike<unknown> | undefined;
    try {
      const returned = exec(tracedNext);
      if (isPromiseLike(returned, 'handlers')) pending = returned;
      else context.result = returned;
    } catch (err) {
      tracedNext(err);
      recordThrown(context, err, true);
      publishEnd(context, false);
      return;
    }
    publishEnd(context, pending !== undefined);
    if (pending === undefined) return;
    try {
      void pending.then(
        (value) => {
          if (settled) return;
          settled = true;
          context.result = value;
          publishAsyncEnd(context);
        },
        (err: unknown) => rejected(err || new Error('Rejected promise')),
      );
    } catch (err) {
      rejected(err);
    }
  });
}

/** Runs a parameter callback inside its trace. */
export function traceParam(fn: ParamHandler, context: TraceContext, next: Next, value: unknown, name: string): void {
  const tracedNext = wrapNext(context, next);
  let isAsync = false;
  let ended = false;
  let settled = false;
  let early: (() => void) | undefined;
  const finish = (result: unknown, isRejected: boolean): void => {
    if (isRejected) recordThrown(context, result, false);
    else context.result = result;
    publishAsyncEnd(context);
  };
  const settle = (result: unknown, isRejected = false): void => {
    if (settled) return;
    settled = true;
    if (ended) finish(result, isRejected);
    else early = () => finish(result, isRejected);
  };
  const traced: ParamHandler = (...args) => {
    let returned;
    try {
      returned = fn(...args);
    } catch (err) {
      recordThrown(context, err, true);
      throw err;
    }
    isAsync = isThenable(returned);
    if (!isAsync) context.result = returned;
    return returned;
  };
  start.runStores(context, () => {
    try {
      callParam(traced, { req: context.req, res: context.res, next: tracedNext, value, name, settle });
    } finally {
      publishEnd(context, isAsync);
      ended = true;
      early?.();
    }
  });
}

function isThenable(value: unknown): boolean {
  return !!value && (typeof value === 'object' || typeof value === 'function') && typeof (value as { then?: unknown }).then === 'function';
}

function wrapNext(context: TraceContext, next: Next): Next {
  if (context.errorHandler) recordError(context.req, context.incomingError);
  return function wrappedNext(err) {
    if (context.errorHandler && err !== context.incomingError) forgetError(context.req, context.incomingError);
    if (err && recordError(context.req, err)) {
      context.error = err;
      errorChannel.publish(context);
    }
    next(err);
  };
}

function isRoutingSignal(err: unknown): boolean {
  return err === 'route' || err === 'router';
}

function recordThrown(context: TraceContext, err: unknown, isSync: boolean): void {
  if (isRoutingSignal(err)) {
    if (isSync) context.result = undefined;
    return;
  }
  if (!('error' in context)) context.error = err;
}

function forgetError(req: ExpressRequest, err: unknown): void {
  (req as Traced)[kSeenErrors]?.delete(err);
}

// An error reported before a promise is returned was published before `end`: it stays hidden during `end`,
// where a result or an error means "done".
function publishEnd(context: TraceContext, isAsync: boolean): void {
  if (!isAsync || !('error' in context)) {
    end.publish(context);
    return;
  }
  const { error } = context;
  delete context.error;
  end.publish(context);
  context.error = error;
}

function publishAsyncEnd(context: TraceContext): void {
  asyncStart.runStores(context, () => asyncEnd.publish(context));
}
