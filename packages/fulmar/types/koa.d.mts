// What `import … from 'fulmar/koa'` gives: Koa's own types, so that an application and the middleware that extends
// `Koa.DefaultContext` (routers, body parsers, sessions) type-check unchanged. Types only.
import createError from 'http-errors';
export { default, HttpError } from 'koa';
export declare const createHttpError: typeof createError;
export declare const isHttpError: typeof createError.isHttpError;
export type {
  BaseContext,
  BaseRequest,
  BaseResponse,
  Context,
  DefaultContext,
  DefaultState,
  ExtendableContext,
  Middleware,
  Next,
  ParameterizedContext,
  Request,
  Response,
} from 'koa';
