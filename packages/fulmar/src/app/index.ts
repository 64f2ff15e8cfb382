/**
 * `fulmar`: the typed app.
 */
import { App, createApp } from './app.ts';
import { HttpError } from './http-error.ts';
import { definePlugin } from './plugins.ts';

export default { App, createApp, definePlugin, HttpError };
export { App, createApp, type RouteInfo } from './app.ts';
export type { BodyReader, FormOptions } from './body-reader.ts';
export type { Handler, Middleware, Next } from './chain.ts';
export type { TrustProxy } from './asker.ts';
export type { AnyContext, Context, StreamSource } from './context.ts';
export type { CookieOptions } from './cookies.ts';
export type { EventSender, EventSource, EventStreamOptions } from './event-stream.ts';
export type { ServerEvent } from './event-text.ts';
export type { FileOptions } from './file-options.ts';
export type { FormLimits } from './forms/limits.ts';
export type { FieldPart, FilePart, FormPart, SaveOptions } from './forms/parts-types.ts';
export { HttpError, type HttpErrorOptions } from './http-error.ts';
export type { InjectReply } from './inject.ts';
export type { InjectOptions } from './inject-options.ts';
export type { FromSchema, JsonSchema } from './json-schema-types.ts';
export type { AppOptions } from './options.ts';
export type { Plugin, PluginFunction } from './plugin-types.ts';
export { definePlugin } from './plugins.ts';
export type { Query } from './query.ts';
export type { RouteOptions } from './route-types.ts';
export type { ListenOptions, RunningServer } from './serve.ts';
export type { StandardSchemaV1 } from './standard-schema.ts';
export type { InputError } from './validate-input.ts';
export type { Versioning } from './versioning.ts';
export type { Views } from './views.ts';
export type { OriginRule as SocketOrigin } from './origins.ts';
export type { MessageError, Socket, SocketHandlers, SocketMessage, SocketOptions } from './websocket/socket-types.ts';
export type { SubscribeOptions, Subscription } from './websocket/subscription.ts';
