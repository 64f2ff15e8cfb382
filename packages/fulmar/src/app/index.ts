/**
 * `fulmar`: the typed app.
 */
import { App, createApp } from './app.ts';
import { HttpError } from './http-error.ts';
import { definePlugin } from './plugins.ts';

export default { App, createApp, definePlugin, HttpError };
export { App, createApp, type RouteInfo } from './app.ts';
export type { BodyReader } from './body-reader.ts';
export type { Handler, Middleware, Next } from './chain.ts';
export type { AnyContext, Context } from './context.ts';
export type { CookieOptions } from './cookies.ts';
export type { EventSender, EventSource, ServerEvent } from './event-stream.ts';
export { HttpError, type HttpErrorOptions } from './http-error.ts';
export type { InjectOptions, InjectReply } from './inject.ts';
export type { FromSchema, JsonSchema } from './json-schema-types.ts';
export type { AppOptions } from './options.ts';
export type { Plugin, PluginFunction } from './plugin-types.ts';
export { definePlugin } from './plugins.ts';
export type { Query } from './query.ts';
export type { RouteOptions } from './route-types.ts';
export type { ListenOptions, RunningServer } from './serve.ts';
export type { StandardSchemaV1 } from './standard-schema.ts';
export type { InputError } from './validate-input.ts';
