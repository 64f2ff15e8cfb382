/**
 * `fulmar/koa`: Koa 3's public API on our own code. Only exports; an application starts in application.ts, a
 * request in handle.ts. Koa 2 is koa2.ts.
 */
import { Application } from './koa3.ts';

export default Application;
export const { HttpError, createHttpError, isHttpError } = Application;
