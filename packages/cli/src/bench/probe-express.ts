/**
 * The routes of an Express application (4 and 5), read from its router's stack while it listens.
 *
 * Most versions do not keep the path a router is mounted at; it is recovered from the regular expression that
 * the layer runs, and only believed when the layer agrees.
 */
import type { FoundRoute } from './probe-result.ts';

export interface ExpressApp {
  /** Where this application is mounted in its parents. */
  path(): string;
  readonly router?: ExpressRouter;
  readonly _router?: ExpressRouter;
}

interface ExpressRouter {
  readonly stack: readonly Layer[];
}

interface Layer {
  readonly handle: { readonly stack?: readonly Layer[] };
  readonly route?: { readonly path: unknown; readonly methods: Readonly<Record<string, boolean>> };
  /** What the router was mounted at, in the newest versions only. */
  readonly rawPath?: unknown;
  path?: string;
  match(path: string): boolean | { readonly path: string };
}

/** Routers may be mounted in each other, even in a circle. */
const DEPTH_MAX = 16;
/** What stands for a mount path that could not be recovered. */
const UNKNOWN = '/…';

export function routesOfExpress(app: ExpressApp): FoundRoute[] {
  try {
    const router = app._router ?? app.router;
    const base = app.path();
    return Array.isArray(router?.stack) ? walk(router.stack, typeof base === 'string' ? base : UNKNOWN, 0) : [];
  } catch {
    // Express 4 throws where `app.router` is read; another version may surprise in other ways. Its routes
    // stay unknown.
    return [];
  }
}

function walk(stack: readonly Layer[], base: string, depth: number): FoundRoute[] {
  if (depth > DEPTH_MAX) return [];
  return stack.flatMap((layer) => {
    if (layer.route !== undefined) return routesOf(layer.route, base);
    const inner = layer.handle.stack;
    return Array.isArray(inner) ? walk(inner, base + mountPath(layer), depth + 1) : [];
  });
}

function routesOf({ path, methods }: NonNullable<Layer['route']>, base: string): FoundRoute[] {
  const names = Object.keys(methods).filter((name) => methods[name]);
  return [path].flat().flatMap((one) => {
    const text = String(one);
    const full = base !== '' && text === '/' ? base : base + text;
    const needsValues = one instanceof RegExp || full.includes(UNKNOWN) || /[:*(){}[\]?+]/.test(full);
    return names.map((name) => ({ method: name === '_all' ? 'GET' : name.toUpperCase(), path: full, needsValues }));
  });
}

/** The path of a mounted router: `''` where it takes every path. Of several paths the first. */
function mountPath(layer: Layer): string {
  const raw = [layer.rawPath].flat()[0];
  const path = (typeof raw === 'string' ? raw : decode(sourceRunBy(layer))).replace(/\/$/, '');
  return matchedPath(layer, `${path}/fulmar-bench`) === path ? path : UNKNOWN;
}

/**
 * The literal path at the beginning of a route's regular expression. A layer that takes every path runs none.
 */
function decode(source = ''): string {
  const literal = /^\^(?:\(\?:)?((?:\\?\/(?:\\.|[\w~%@!&=;,'-])*)*)/.exec(source)?.[1] ?? '';
  return literal.replaceAll(/\\(.)/g, '$1');
}

/** What the layer says it matched: in its result, or in itself. */
function matchedPath(layer: Layer, path: string): string | undefined {
  const match = layer.match(path);
  if (match === false) return undefined;
  return match === true ? layer.path : match.path;
}

/**
 * The source of the first regular expression that the layer runs on a path; `undefined` when it runs none.
 */
function sourceRunBy(layer: Layer): string | undefined {
  const { exec } = RegExp.prototype;
  let source: string | undefined;
  RegExp.prototype.exec = function execWatched(this: RegExp, text: string) {
    source ??= this.source;
    return Reflect.apply(exec, this, [text]) as RegExpExecArray | null;
  };
  try {
    layer.match('/fulmar-bench-mount');
  } finally {
    RegExp.prototype.exec = exec;
  }
  return source;
}
