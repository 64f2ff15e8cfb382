/**
 * What `import … from 'fulmar/express'` gives: the types of the project's `@types/express` (`npm install -D @types/express@5`), so that an
 * application and the middleware that extends `Express.Request` (sessions, uploads, authentication) type-check unchanged. Types only.
 */
export { application, default, json, raw, request, response, Router, static, text, urlencoded } from 'express';
export type {
  Application,
  CookieOptions,
  Errback,
  ErrorRequestHandler,
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
