/**
 * The public types of `fulmar/express4`: Express's own, as version 4 of `@types/express` describes them.
 * Types only.
 */
import type express from 'express4';

/** The `express` function with its statics. */
export type ExpressModule = typeof express;

export type {
  Application,
  CookieOptions,
  ErrorRequestHandler,
  Errback,
  Express,
  Handler,
  IRoute,
  IRouter,
  IRouterHandler,
  IRouterMatcher,
  MediaType,
  NextFunction,
  Request,
  RequestHandler,
  RequestParamHandler,
  Response,
  RouterOptions,
  Send,
} from 'express4';
