/**
 * What the type checker knows of plugins: what they add to an app and to its contexts, as far as they say it.
 * Nothing of it is there at run time.
 */
import type { App } from './app.ts';
import type { AnyContext } from './context.ts';

/** An app with what was added to it. */
export type AppWith<OfContexts, OfApp> = App<OfContexts, OfApp> & OfApp;

export interface Getter<Value = unknown> {
  readonly getter: () => Value;
}

/** Told by a set-up that returns its app. */
export type OfContexts<Result> = Awaited<Result> extends App<infer Given, infer _> ? Given : unknown;
export type OfApp<Result> = Awaited<Result> extends App<infer _, infer Given> ? Given : unknown;

export interface PluginInfo {
  /** For errors, and for plugins that depend on it. */
  readonly name: string;
  readonly version?: string | undefined;
  /** Plugins that have to be registered before it, there or around. */
  readonly dependencies?: readonly string[] | undefined;
  /** It may be registered more than once in one place. Default: false. */
  readonly multiple?: boolean | undefined;
}

declare const adds: unique symbol;

/** A plugin as `definePlugin()` gives it, with what it adds where it is registered. */
export interface Plugin<Options = unknown, OfContextsThere = unknown, OfAppThere = unknown> extends PluginInfo {
  readonly encapsulate: boolean;
  readonly decorators: { readonly app: Readonly<Record<string, unknown>>; readonly context: Readonly<Record<string, unknown>> };
  readonly setup: (app: App, options: Options) => unknown;
  /** For the type checker alone. */
  readonly [adds]?: { readonly contexts: OfContextsThere; readonly app: OfAppThere };
}

/** A plugin without a name: what it adds stays within. */
export type PluginFunction<Options = unknown, There = App> = (app: There, options: Options) => unknown;

/** Left out where a plugin does not need them; `prefix` beside those it knows. */
export type OptionsOf<Options> = undefined extends Options
  ? [options?: Options | (NoInfer<Options> & Prefixed)]
  : [options: Options | (NoInfer<Options> & Prefixed)];
interface Prefixed {
  readonly prefix?: string;
}

interface Given<Options, Contexts, Apps, Result> extends PluginInfo {
  readonly decorators?: {
    /** Members of the app. */
    readonly app?: { readonly [Name in keyof Apps]: Apps[Name] | Getter<Apps[Name]> };
    /** Members of contexts; a function makes the value of each. */
    readonly context?: { readonly [Name in keyof Contexts]: Contexts[Name] | ((c: AnyContext) => Contexts[Name]) };
  };
  readonly setup: (app: AppWith<Contexts, Readonly<Apps>>, options: Options) => Result;
}

export interface DefinePlugin {
  <Options = unknown, Result = unknown, Contexts = unknown, Apps = unknown>(
    plugin: Given<Options, Contexts, Apps, Result> & { readonly encapsulate: false },
  ): Plugin<Options, Contexts & OfContexts<Result>, Readonly<Apps> & OfApp<Result>>;
  <Options = unknown, Result = unknown, Contexts = unknown, Apps = unknown>(
    plugin: Given<Options, Contexts, Apps, Result> & { readonly encapsulate?: true },
  ): Plugin<Options>;
}
