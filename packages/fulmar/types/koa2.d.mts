// What `import … from 'fulmar/koa2'` gives: the types of Koa 2. Types only.
export { default, HttpError } from 'koa2';
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
} from 'koa2';
