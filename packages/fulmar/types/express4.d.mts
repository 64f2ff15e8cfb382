/**
 * What `import … from 'fulmar/express4'` gives: the types of the project's `@types/express`, which it installs in version 4
 * (`npm install -D @types/express@4`), so that an application and the middleware that extends `Express.Request` (sessions, uploads,
 * authentication) type-check unchanged. Types only.
 */
export { application, default, json, query, raw, request, response, Router, static, text, urlencoded } from 'express';
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
  MediaType,
  NextFunction,
  Request,
  RequestHandler,
  RequestParamHandler,
  Response,
  RouterOptions,
  Send,
} from 'express';
