/** What a router is to the rest of this layer. Types only. */
import type { Handler, Next } from '../message-types.ts';
import type { Layer } from './layer.ts';
import type { ParamCallbacks } from './params.ts';
import type { Route } from './route.ts';
import type { RouteStack } from './route-stack.ts';

export interface RouterOptions {
  readonly caseSensitive?: boolean;
  readonly mergeParams?: boolean;
  readonly strict?: boolean;
}

export interface RouterState {
  caseSensitive: boolean | undefined;
  mergeParams: boolean | undefined;
  strict: boolean | undefined;
  params: ParamCallbacks;
  stack: Layer[];
  /** @internal */
  _stack: RouteStack;
}

export interface RouterInstance extends RouterState {
  (req: unknown, res: unknown, next: Next): void;
  handle(req: unknown, res: unknown, callback: Next): void;
  param(name: string, fn: unknown): this;
  use(...args: unknown[]): this;
  route(path: unknown): Route;
  listRoutes(): RouteListing[];
}

export interface RouteListing {
  readonly path: unknown;
  readonly methods: string[] | undefined;
  readonly router: Handler | undefined;
}

export interface RouterConstructor {
  new (options?: RouterOptions): RouterInstance;
  (options?: RouterOptions): RouterInstance;
  readonly prototype: RouterInstance;
  Route: typeof Route;
}
