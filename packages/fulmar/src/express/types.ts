/**
 * The public types of `fulmar/express`: Express's own, as `@types/express` describes them, so that an
 * application and the middleware that extends `Express.Request` (sessions, uploads, authentication)
 * type-check unchanged. Types only.
 */
import type express from 'express';

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
  Locals,
  MediaType,
  NextFunction,
  Request,
  RequestHandler,
  RequestParamHandler,
  Response,
  RouterOptions,
  Send,
} from 'express';
