/**
 * The routes of an Express application, 4 and 5, ours and npm's: read from its router's stack by what it shows.
 * Reads a router of ours without exposing its stack: an exposed one is compared for every request.
 */
import type { FoundRoute } from './entry-types.ts';
import { type Layer, mountPathOf, UNKNOWN } from './express-mount.ts';

export interface ExpressLike {
  readonly settings?: unknown;
  readonly parent?: unknown;
  readonly mountpath?: unknown;
  readonly router?: RouterLike;
  readonly _router?: RouterLike;
}

interface RouterLike {
  readonly stack?: unknown;
  readonly _stack?: { readonly layers: unknown };
  /** Of our version 4: its first two layers are the router's own. */
  readonly _entry?: unknown;
}

/** Routers may be mounted in each other, even in a circle. */
const DEPTH_MAX = 16;
/** Of version 4: what every application begins with. */
const OWN_LAYERS = new Set(['query', 'expressInit']);
/** More methods than anybody names one by one: `app.all()` registers each that there is. */
const ALL_FROM = 25;

export const isExpress = (app: unknown): app is ExpressLike =>
  typeof app === 'function' && 'settings' in app && typeof (app as { handle?: unknown }).handle === 'function';

/** `base`: where the application is mounted; `around`: names of what runs before it. */
export function routesOfExpress(app: ExpressLike, base: string, around: readonly string[]): FoundRoute[] {
  const found: FoundRoute[] = [];
  const router = routerOf(app);
  if (router !== undefined) walk(found, router, { base, around, depth: 0 });
  return found;
}

/** Where an application stands in the ones it is mounted in, up to `root`; the outermost where that is none. */
export function mountOf(app: ExpressLike): { root: ExpressLike; base: string } {
  let base = '';
  let root = app;
  for (let depth = 0; isExpress(root.parent) && depth < DEPTH_MAX; depth++) {
    const [first] = [root.mountpath].flat(Infinity);
    base = (typeof first === 'string' ? first.replace(/\/+$/, '') : UNKNOWN) + base;
    root = root.parent;
  }
  return { root, base };
}

/** Express 4 makes its router late, and throws where `app.router` is read. */
function routerOf(app: ExpressLike): RouterLike | undefined {
  try {
    return app._router ?? app.router;
  } catch {
    return undefined;
  }
}

interface Position {
  readonly base: string;
  readonly around: readonly string[];
  readonly depth: number;
}

function walk(found: FoundRoute[], router: RouterLike, { base, around, depth }: Position): void {
  const layers = router._stack?.layers ?? router.stack;
  if (depth > DEPTH_MAX || !Array.isArray(layers)) return;
  const before = [...around];
  for (const layer of layers as Layer[]) {
    if (layer.route !== undefined) addRoute(found, layer.route, { base, around: before, depth });
    else {
      const inner = layer.handle as RouterLike & { readonly name?: string };
      if (inner._stack !== undefined || Array.isArray(inner.stack)) {
        walk(found, inner, { base: base + mountPathOf(layer), around: before, depth: depth + 1 });
      } else if (isExpress(inner)) found.push(...routesOfExpress(inner, base + mountPathOf(layer), before));
      else if (isMiddleware(inner)) before.push(nameOf(inner));
    }
  }
}

/** Neither what handles errors nor what the framework itself put there. */
function isMiddleware(handle: unknown): boolean {
  if (typeof handle !== 'function' || handle.length === 4) return false;
  return !OWN_LAYERS.has(handle.name) && handle.name !== 'mounted_app';
}

const nameOf = (fn: unknown): string => (typeof fn === 'function' ? fn.name : '');

function addRoute(found: FoundRoute[], route: NonNullable<Layer['route']>, { base, around }: Position): void {
  for (const { method, stack } of methodsOf(route)) {
    const handlers = stack.map(({ handle }) => handle);
    const fn = handlers.at(-1);
    const middleware = [...around, ...handlers.slice(0, -1).map(nameOf)];
    for (const path of [route.path].flat(Infinity)) {
      const text = String(path);
      const full = base !== '' && text === '/' ? base : base + text;
      found.push({ method, path: full, style: 'express', handler: nameOf(fn), schemas: [], middleware, place: undefined, fn });
    }
  }
}

/** `app.all()` of either version registers every method there is, `route.all()` none of them. */
function methodsOf({ methods, stack }: NonNullable<Layer['route']>): { method: string; stack: readonly Layer[] }[] {
  const names = Object.keys(methods).filter((name) => methods[name] === true);
  if (names.includes('_all') || names.length >= ALL_FROM) {
    const [first] = names;
    return [{ method: '*', stack: stack.filter(({ method }) => method === undefined || method === first || names.includes('_all')) }];
  }
  return names.map((name) => ({
    method: name.toUpperCase(),
    stack: stack.filter(({ method }) => method === undefined || method === name),
  }));
}
