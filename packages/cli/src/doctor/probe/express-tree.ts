/**
 * An Express application as a list of routes and middleware, with how each layer is matched and why.
 *
 * Reads our own layers by their fields (types only: no code of theirs is in this bundle) and upstream's by
 * what they show. Reads a router's stack without exposing it: an exposed stack is compared for every request.
 */
import type { Walk as SegmentWalk } from '../../../../fulmar/src/express/router/pattern.ts';
import type { RouteStack } from '../../../../fulmar/src/express/router/route-stack.ts';
import type { ApplicationFacts, HandlerFacts, Matching, MiddlewareFacts, RouteFacts } from '../protocol-types.ts';
import { isApplication, mountPathOf, noteInRouter, UNKNOWN } from './mount-path.ts';
import { type HandlerRecord, isWrapped, recordOf, toHandlerFacts, type Watcher, wrap } from './handlers.ts';

export interface ExpressApp {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly router?: RouterLike;
  readonly _router?: RouterLike;
}

interface RouterLike {
  readonly stack: LayerLike[];
  readonly _stack?: RouteStack;
  /**
   * Of version 4: the first two layers are its own, and run without being called as long as nobody has
   * replaced them.
   */
  readonly _entry?: unknown;
}

interface LayerLike {
  handle: { readonly stack?: LayerLike[]; readonly length: number; readonly name: string };
  readonly route?: { readonly path: unknown; readonly methods: Readonly<Record<string, boolean>>; readonly stack: LayerLike[] };
  readonly method?: string;
  /** What the layer was registered with; version 4 keeps none. */
  readonly rawPath?: unknown;
  readonly slash?: boolean;
  readonly _patterns?: readonly PatternLike[];
}

interface PatternLike {
  readonly raw?: unknown;
  readonly walk: SegmentWalk | null;
}

interface CompiledLike {
  readonly slash: boolean;
  readonly patterns: readonly PatternLike[];
}

/** Descriptions of symbols by which our objects are known here: this bundle shares no file with them. */
const COMPILED = 'fulmar.compiledLayer';
const MESSAGE_CLASSES = 'fulmar.messageClasses';
/** Layers that every application of version 4 begins with. */
const ENTRY_LAYERS = 2;
/** Routers may be mounted in each other, even in a circle. */
const DEPTH_MAX = 16;
const NON_ASCII = /[^\x20-\x7e]/;
/** Settings of `etag` with which the engine makes the entity tag. */
const engineTags: readonly unknown[] = ['weak', true, undefined];

interface Walk {
  readonly app: string;
  readonly routes: RouteFacts[];
  readonly middleware: MiddlewareFacts[];
  readonly exposed: string[];
  /** Given once requests are watched: handlers are wrapped on the way. */
  readonly watcher: Watcher | undefined;
}

interface Position {
  /** Numbers of the layers from the application's stack down. */
  readonly id: string;
  readonly base: string;
  readonly depth: number;
}

/** Marks applications that bring their own message classes: ours. */
export function classesSymbolOf(app: object): symbol | undefined {
  return symbolOf(app, MESSAGE_CLASSES);
}

/** The symbol of this description among the properties of an object and its prototypes. */
function symbolOf(object: object, wanted: string): symbol | undefined {
  for (let part: object | null = object; part !== null; part = Object.getPrototypeOf(part) as object | null) {
    const found = Object.getOwnPropertySymbols(part).find(({ description }) => description === wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function describeExpress(app: ExpressApp, id: string, watcher?: Watcher): ApplicationFacts {
  const walk: Walk = { app: id, routes: [], middleware: [], exposed: [], watcher };
  const isOurs = classesSymbolOf(app) !== undefined;
  const router = routerOf(app, isOurs);
  const mountPath = mountPathOf(app);
  if (router !== undefined) walkRouter(walk, router, { id, base: mountPath, depth: 0 });
  const { routes, middleware, exposed } = walk;
  return {
    id,
    framework: 'Express',
    implementation: isOurs ? 'Fulmar' : 'npm',
    mountPath,
    routes,
    middleware,
    exposedStacks: exposed,
    settings: settingsOf(app),
  };
}

/** Express 4 makes its router late, and throws where `app.router` is read. */
function routerOf(app: ExpressApp, isOurs: boolean): RouterLike | undefined {
  try {
    return app._router ?? app.router;
  } catch (error) {
    if (isOurs) throw error;
    return undefined;
  }
}

function settingsOf({ settings = {} }: ExpressApp): string[] {
  return engineTags.includes(settings['etag']) || settings['etag'] === false ? [] : [`etag: ${String(settings['etag'])}`];
}

function walkRouter(walk: Walk, router: RouterLike, { id, base, depth }: Position): void {
  if (depth > DEPTH_MAX) return;
  const ours = router._stack;
  if (ours?._isExposed === true) walk.exposed.push(base === '' ? '/' : base);
  const layers = (ours === undefined ? router.stack : ours.layers) as LayerLike[] | undefined;
  for (const [index, layer] of (Array.isArray(layers) ? layers : []).entries()) {
    if (router._entry !== undefined && index < ENTRY_LAYERS) continue;
    const at = { id: `${id}.${index}`, base, depth };
    if (layer.route !== undefined) addRoute(walk, layer, layer.route, at);
    else addMiddleware(walk, layer, at);
  }
}

function addRoute(walk: Walk, layer: LayerLike, route: NonNullable<LayerLike['route']>, { id, base }: Position): void {
  const methods = methodsOf(route.methods);
  const handlers = route.stack.map((inner, index) => describeHandler(walk, inner, `${id}.${index}`));
  const matching = matchingOf(layer);
  for (const path of [route.path].flat(Infinity)) {
    const text = String(path);
    const full = base !== '' && text === '/' ? base : base + text;
    const needsValues = path instanceof RegExp || NON_ASCII.test(full) || full.includes(UNKNOWN) || /[:*(){}[\]?+]/.test(full);
    walk.routes.push({ methods, path: full, matching, handlers, needsValues });
  }
}

/** `app.all()` of either version registers every method there is, `route.all()` none of them. */
function methodsOf(registered: Readonly<Record<string, boolean>>): string[] {
  const names = Object.keys(registered).filter((name) => registered[name]);
  const { METHODS } = process.getBuiltinModule('node:http');
  const isAll = names.includes('_all') || METHODS.every((name) => names.includes(name.toLowerCase()));
  return isAll ? ['ALL'] : names.map((name) => name.toUpperCase());
}

function addMiddleware(walk: Walk, layer: LayerLike, { id, base, depth }: Position): void {
  const path = base + ownPath(layer);
  const matching = matchingOf(layer);
  const inner = layer.handle as unknown as RouterLike;
  const isRouter = inner._stack !== undefined || Array.isArray(inner.stack);
  const isInRouter = isApplication(layer.handle);
  if (isInRouter) noteInRouter(layer.handle, path);
  const kind = isRouter
    ? 'router'
    : isInRouter || layer.handle.name === 'mounted_app'
      ? 'application'
      : layer.handle.length === 4
        ? 'error handler'
        : 'middleware';
  const facts = isRouter ? toHandlerFacts(recordOf(layer.handle, id)) : describeHandler(walk, layer, id);
  walk.middleware.push({ ...facts, kind, path: path === '' ? '/' : path, matching });
  if (isRouter) walkRouter(walk, inner, { id, base: path, depth: depth + 1 });
}

function describeHandler({ watcher }: Walk, layer: LayerLike, id: string): HandlerFacts {
  const record = recordOf(layer.handle, id);
  if (watcher !== undefined && !isWrapped(layer.handle)) {
    (layer as { handle: unknown }).handle = wrapHandler(record, layer.handle.length, watcher);
  }
  return toHandlerFacts(record);
}

/** Four parameters mark an error handler, whose first is the error. */
function wrapHandler(record: HandlerRecord, parameters: number, watcher: Watcher): unknown {
  return wrap(record, parameters === 4 ? 3 : 2, watcher);
}

/**
 * How the layer is compiled; `null` when somebody replaced that, `undefined` for a layer that is not ours.
 */
function compiledOf(layer: LayerLike): CompiledLike | null | undefined {
  const symbol = symbolOf(layer, COMPILED);
  if (symbol !== undefined) return (Reflect.get(layer, symbol) as () => CompiledLike | null).call(layer);
  if (layer._patterns === undefined) return undefined;
  return Object.hasOwn(layer, 'match') ? null : { slash: layer.slash === true, patterns: layer._patterns };
}

/** What a layer adds to the path of what is inside it. Of several paths the first. */
function ownPath(layer: LayerLike): string {
  const compiled = compiledOf(layer);
  if (compiled?.slash === true) return '';
  const raw = [layer.rawPath].flat(Infinity)[0];
  if (typeof raw === 'string') return raw.replace(/\/+$/, '');
  const walk = compiled?.patterns[0]?.walk;
  if (walk) return pathOfWalk(walk);
  return raw instanceof RegExp ? String(raw) : UNKNOWN;
}

/**
 * Version 4 keeps no path: it is put together from what was compiled, in lower case where case does not
 * matter.
 */
function pathOfWalk({ segments, names }: SegmentWalk): string {
  let parameter = 0;
  return segments.map((segment) => `/${segment ?? `:${names[parameter++] ?? ''}`}`).join('');
}

function matchingOf(layer: LayerLike): Matching {
  const compiled = compiledOf(layer);
  if (compiled === undefined) return { way: 'tested', reason: 'the layer is not one of Fulmar’s' };
  if (compiled === null) return { way: 'tested', reason: 'its way of matching was replaced' };
  if (compiled.slash) return { way: 'every path' };
  const raws = [layer.route?.path ?? layer.rawPath].flat(Infinity);
  const wide = compiled.patterns.findIndex(({ walk }) => walk === null);
  if (wide >= 0) return { way: 'tested', reason: reasonOf(compiled.patterns[wide]?.raw ?? raws[wide]) };
  return compiled.patterns.length > 1 ? { way: 'tree, then tested', reason: 'it has several paths' } : { way: 'tree' };
}

/** Why a pattern cannot be walked segment by segment. */
function reasonOf(raw: unknown): string {
  if (raw instanceof RegExp) return 'it is a regular expression';
  const text = String(raw);
  if (text.includes('*')) return 'it holds a wildcard';
  if (text.includes('{')) return 'it holds an optional group';
  if (/[?+()]/.test(text)) return 'it holds an optional or repeated part';
  if (NON_ASCII.test(text)) return 'it holds characters outside ASCII';
  if (!text.startsWith('/')) return 'it does not begin with a slash';
  if (text.includes('//')) return 'it holds an empty segment';
  if (/[^/]:|:\w+[^/\w]/.test(text)) return 'a parameter is only a part of its segment';
  return 'it is no plain pattern of text and whole-segment parameters';
}
