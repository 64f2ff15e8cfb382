/** What `import … from 'fulmar/koa2'` gives: the types of the project's `@types/koa`, which it installs in version 2. Types only. */
export { default, HttpError } from 'koa';
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
