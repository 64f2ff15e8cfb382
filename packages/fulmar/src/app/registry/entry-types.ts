/**
 * What a list of routes tells of each, whatever the style of the application it belongs to.
 */
import type { Route } from '../scope.ts';

/** How an application is written: `fetch` and `http` are functions of which only the subtree is known. */
export type RouteStyle = 'app' | 'express' | 'koa' | 'fetch' | 'http';

/** A place of a request, or the reply, that a schema is for. */
export type SchemaPlace = 'params' | 'query' | 'headers' | 'cookies' | 'body' | 'response';

export interface ListedRoute {
  /** In upper case; `*` for all methods, `WS` for a WebSocket. */
  readonly method: string;
  /** As it was written, with the prefixes of all that it is mounted in; `…` stands for one that cannot be told. */
  readonly path: string;
  /** The host that it is for; missing: all. */
  readonly host?: string;
  /** The versions that it is for where its path does not tell them; missing: all. */
  readonly versions?: readonly string[];
  readonly style: RouteStyle;
  /** The name of the handler's function, empty for one without. */
  readonly handler: string;
  readonly schemas: readonly SchemaPlace[];
  /** Names of what runs before the handler, in order. */
  readonly middleware: readonly string[];
  /** `file:line` of the registration, where it is known. */
  readonly place: string | undefined;
}

/** With what readers in this process need besides. */
export interface FoundRoute extends ListedRoute {
  /** The handler, for whoever finds places of functions. */
  readonly fn: unknown;
  /** Of an app of ours. */
  readonly route?: Route;
}
