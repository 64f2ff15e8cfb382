/**
 * What `import … from 'fulmar/koa'` gives: the types of the project's `@types/koa` (`npm install -D @types/koa@3`), so that an application
 * and the middleware that extends `Koa.DefaultContext` (routers, body parsers, sessions) type-check unchanged. Types only.
 */
import { HttpError } from 'koa';
export { default } from 'koa';
export { HttpError };
// As in `@types/http-errors`, which only `@types/koa` can see where packages are linked.
type HttpErrorObject = InstanceType<typeof HttpError>;
export declare const createHttpError: (...rest: (Error | string | number | { [key: string]: unknown })[]) => HttpErrorObject;
export declare const isHttpError: (error: unknown) => error is HttpErrorObject;
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
