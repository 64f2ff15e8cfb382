/** Koa 2: its libraries, its rules, its application class. The entry of `fulmar/koa2`. */
import assert from 'node:assert';
import { AsyncLocalStorage } from 'node:async_hooks';
import createHttpError from 'http-errors1';
import statuses from 'statuses1';
import { type ApplicationClass, createApplicationClass } from './application.ts';
import { createContentTypes } from './content-types.ts';
import { createContextPrototype } from './context.ts';
import { convertGenerator } from './generators.ts';
import { typeIs4 } from '../web/lazy.ts';
import { contentDisposition4, debug, encodeUrl1, mime2 } from './lazy.ts';
import { addMethods } from './members.ts';
import { requestMembers2 } from './request-2.ts';
import { createRequestPrototype } from './request.ts';
import { responseMembers2 } from './response-2.ts';
import { createResponsePrototype } from './response.ts';
import type { Edition, ErrorLike, KoaApplication, KoaContext, Middleware, Next } from './types.ts';
import { isNodeStream } from '../web/streams.ts';

/** The library is loaded only where somebody has asked for its output. */
const log = process.env['DEBUG'] ? debug()('koa:application') : null;

const edition: Edition = {
  major: 2,
  statuses: { text: (code) => statuses[code], empty: statuses.empty, redirect: statuses.redirect },
  createError: createHttpError as never,
  contentType: createContentTypes((type) => mime2().contentType(type)),
  isStream: isNodeStream,
  encodeUrl: encodeUrl1,
  contentDisposition: contentDisposition4,
  requestIs: () => typeIs4() as never,
  typeIs: () => typeIs4().is as never,
  debug: (format, ...args) => log?.(format, ...args),
  convertOld: convertGenerator,
  setStorage: (app) => {
    assert(AsyncLocalStorage, 'Requires node 12.17.0 or higher to enable asyncLocalStorage');
    app.ctxStorage = new AsyncLocalStorage();
  },
  sendStream: (ctx, stream) => stream.pipe(ctx.res),
  toStream: (body) => (isNodeStream(body) ? (body as unknown as NodeJS.ReadableStream) : null),
};

const rules = {
  setHeaders: (ctx: KoaContext, headers: Record<string, unknown> | undefined): void => ctx.set(headers as object),
  statusOf: (error: ErrorLike): unknown => (error.code === 'ENOENT' ? 404 : error.status || error.statusCode),
};

const prototypes = {
  context: createContextPrototype(edition, rules, {}),
  request: createRequestPrototype(edition, requestMembers2),
  response: createResponsePrototype(edition, ...responseMembers2(edition)),
};

const Application: ApplicationClass = createApplicationClass(edition, prototypes, { HttpError: createHttpError.HttpError });

addMethods(Application.prototype as object, {
  createAsyncCtxStorageMiddleware(this: KoaApplication): Middleware {
    const run = async (ctx: KoaContext, next: Next): Promise<void> => {
      await (this.ctxStorage as AsyncLocalStorage<KoaContext>).run(ctx, async () => await next());
    };
    return async function asyncCtxStorage(ctx: KoaContext, next: Next): Promise<void> {
      await run(ctx, next);
    };
  },
});

export default Application;
export const { HttpError } = Application;
