/** Koa 3: its libraries, its rules, its application class. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { pipeline, Readable } from 'node:stream';
import { debuglog } from 'node:util';
import { startupSnapshot } from 'node:v8';
import createHttpError from 'http-errors';
import statuses from 'statuses';
import { createApplicationClass } from './application.ts';
import { isWebBody } from '../web/web-bodies.ts';
import { createContentTypes } from './content-types.ts';
import { createContextPrototype } from './context.ts';
import { backDelegate } from './delegates.ts';
import { mime, typeIs } from '../web/lazy.ts';
import { contentDisposition, encodeUrl } from './lazy.ts';
import { requestMembers3 } from './request-3.ts';
import { createRequestPrototype } from './request.ts';
import { responseMembers3 } from './response-3.ts';
import { createResponsePrototype } from './response.ts';
import type { Edition, ErrorLike, KoaApplication, KoaContext } from './types.ts';
import { isStream } from '../web/streams.ts';

/** Errors of another copy of http-errors count, too. */
function isHttpErrorLike(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { expose, status, statusCode } = error as ErrorLike;
  return typeof expose === 'boolean' && typeof statusCode === 'number' && status === statusCode;
}

Object.defineProperty(createHttpError.HttpError, Symbol.hasInstance, {
  configurable: true,
  value(this: unknown, error: unknown): boolean {
    if (Function.prototype[Symbol.hasInstance].call(this as never, error)) return true;
    return this === createHttpError.HttpError && isHttpErrorLike(error);
  },
});

function storageFor(option: unknown): AsyncLocalStorage<KoaContext> {
  return option instanceof AsyncLocalStorage ? (option as AsyncLocalStorage<KoaContext>) : new AsyncLocalStorage<KoaContext>();
}

/** In a start-up snapshot the storage is made when the snapshot is loaded. */
function setStorage(app: KoaApplication, option: unknown): void {
  if (!startupSnapshot?.isBuildingSnapshot?.()) {
    app.ctxStorage = storageFor(option);
    return;
  }
  app.ctxStorage = null;
  startupSnapshot.addDeserializeCallback(() => {
    app.ctxStorage = storageFor(option);
  });
}

function toStream(body: unknown): NodeJS.ReadableStream | null {
  if (isWebBody(body)) {
    if (body instanceof Blob) return Readable.from(body.stream() as never);
    if (body instanceof ReadableStream) return Readable.from(body as never);
    return Readable.from(((body as Response).body || '') as never);
  }
  return isStream(body) ? (body as NodeJS.ReadableStream) : null;
}

function sendStream(ctx: KoaContext, stream: NodeJS.ReadableStream): unknown {
  return pipeline(stream, ctx.res, (error) => {
    if (error && ctx.app.listenerCount('error')) ctx.onerror(error);
  });
}

const log = debuglog('koa:application');

const edition: Edition = {
  major: 3,
  statuses: { text: (code) => statuses.message[code], empty: statuses.empty, redirect: statuses.redirect },
  createError: createHttpError as never,
  contentType: createContentTypes((type) => mime().contentType(type)),
  isStream,
  encodeUrl,
  contentDisposition,
  requestIs: () => typeIs() as never,
  typeIs: () => typeIs().is as never,
  debug: (format, ...args) => log(format, ...args),
  convertOld: () => null,
  setStorage,
  sendStream,
  toStream,
};

/** Type and length are those of the text that is sent, whatever the error says. */
function setHeaders(ctx: KoaContext, headers: Record<string, unknown> | undefined): void {
  for (const [name, value] of Object.entries(headers || {})) {
    const lower = name.toLowerCase();
    if (lower !== 'content-type' && lower !== 'content-length') ctx.set(name, value);
  }
}

const rules = { setHeaders, statusOf: (error: ErrorLike) => error.status || error.statusCode };

const prototypes = {
  context: createContextPrototype(edition, rules, backDelegate),
  request: createRequestPrototype(edition, requestMembers3),
  response: createResponsePrototype(edition, ...responseMembers3(edition)),
};

const { HttpError, isHttpError } = createHttpError;

/** `require('koa')` of version 3. */
export const Application = createApplicationClass(edition, prototypes, { createHttpError, HttpError, isHttpError });
