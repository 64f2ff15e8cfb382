/** What an application is to the rest of this layer. Types only. */
import type { EventEmitter } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { kMessageClasses, MessageClasses } from '../http/message-classes.ts';
import type { Next } from './message-types.ts';
import type { RouterInstance } from './router/router-types.ts';
import type { StackRoute } from './router/stack-layer.ts';

export type Settings = Record<string, unknown>;

/** Renders a template file. */
export type Engine = (path: string, options: object, callback: (err: unknown, html?: string) => void) => void;

export type RenderCallback = (err: unknown, html?: string) => void;

export interface Application extends EventEmitter {
  (req: IncomingMessage, res: ServerResponse, next?: Next): void;
  cache: Record<string, unknown>;
  engines: Record<string, Engine>;
  settings: Settings;
  locals: Record<string, unknown>;
  mountpath: unknown;
  parent?: Application;
  request: object;
  response: object;
  readonly router: RouterInstance;
  readonly [kMessageClasses]: MessageClasses | undefined;
  init(): void;
  defaultConfiguration(): void;
  handle(req: IncomingMessage, res: ServerResponse, callback?: Next): void;
  use(...args: unknown[]): this;
  route(path: unknown): StackRoute;
  engine(ext: string, fn: unknown): this;
  param(name: unknown, fn: unknown): this;
  set(setting: string, value?: unknown): unknown;
  get(setting: string, ...handlers: unknown[]): unknown;
  enabled(setting: string): boolean;
  disabled(setting: string): boolean;
  enable(setting: string): this;
  disable(setting: string): this;
  all(path: unknown, ...handlers: unknown[]): this;
  path(): string;
  render(name: string, options?: unknown, callback?: RenderCallback): void;
  listen(...args: unknown[]): Server;
}
