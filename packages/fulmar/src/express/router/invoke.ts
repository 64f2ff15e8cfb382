/**
 * Calling one handler: by its number of parameters, with throws and rejections going to `next`. The innermost
 * step of routing; it knows nothing of paths.
 */
import type { ExpressRequest, ExpressResponse, Next } from '../message-types.ts';
import type { Layer } from './layer.ts';
import { followPromise } from './promises.ts';
import { invokeTraced, matchedRoute } from './trace.ts';
import { isTraced } from './tracing.ts';

type RequestHandler = (req: ExpressRequest, res: ExpressResponse, next: Next) => unknown;
type ErrorHandler = (err: unknown, req: ExpressRequest, res: ExpressResponse, next: Next) => unknown;

/** More parameters than this mark an error handler. */
const REQUEST_HANDLER_ARITY_MAX = 3;
const ERROR_HANDLER_ARITY = 4;

/** Runs a layer's handler for a request without a pending error. */
export function invokeHandler(layer: Layer, req: ExpressRequest, res: ExpressResponse, next: Next): void {
  // A route's own layer is not traced: the handlers inside it are.
  if (layer.route === undefined && isTraced()) traceHandler(layer, req, res, next);
  else callHandler(layer, req, res, next);
}

/** The same while nobody traces. */
export function callHandler(layer: Layer, req: ExpressRequest, res: ExpressResponse, next: Next): void {
  const fn = layer.handle;
  if (fn !== layer._classified) reclassify(layer);
  if (layer._arity > REQUEST_HANDLER_ARITY_MAX) {
    next();
    return;
  }
  try {
    const returned = (fn as unknown as RequestHandler)(req, res, next);
    if (returned !== undefined && returned !== res) followPromise(returned, next);
  } catch (err) {
    next(err);
  }
}

/** The same while somebody traces. */
export function traceHandler(layer: Layer, req: ExpressRequest, res: ExpressResponse, next: Next): void {
  const fn = layer.handle as unknown as RequestHandler;
  if (fn.length > REQUEST_HANDLER_ARITY_MAX) {
    next();
    return;
  }
  const context = { req, res, layer, handler: fn, route: matchedRoute(req) };
  invokeTraced((tracedNext) => fn(req, res, tracedNext), context, next);
}

/** Reads the handler's parameter count again after somebody replaced `layer.handle`. */
function reclassify(layer: Layer): void {
  layer._classified = layer.handle;
  layer._arity = layer.handle.length;
}

/** Runs a layer's handler for a request with a pending error. */
export function invokeErrorHandler(
  layer: Layer,
  error: unknown,
  req: ExpressRequest,
  ...[res, next]: [res: ExpressResponse, next: Next]
): void {
  const fn = layer.handle as unknown as ErrorHandler;
  if (fn.length !== ERROR_HANDLER_ARITY) {
    next(error);
    return;
  }
  if (isTraced()) {
    const context = {
      req,
      res,
      incomingError: error,
      layer,
      handler: fn,
      route: matchedRoute(req),
      errorHandler: true,
    } as const;
    invokeTraced((tracedNext) => fn(error, req, res, tracedNext), context, next);
    return;
  }
  try {
    followPromise(fn(error, req, res, next), next);
  } catch (err) {
    next(err);
  }
}
