/**
 * The hooks on Node 20 and early 22, which have no synchronous ones.
 *
 * CommonJS: five patches of `node:module`. ES modules: when the first one or an `import()` comes in sight,
 * Node's own `http` becomes ours (`http-takeover.ts`), and for an application that holds compiled sources a
 * loader thread is started (about 30 ms, 22 MB). In sight is: an entry that is one, `require` of one, or a
 * CommonJS source with an `import(` in its text. Code made at run time (`eval`, `vm`) that is the first to
 * call `import()` is not seen.
 */
import type { LoadHook, ResolveHook } from 'node:module';
import { pathToFileURL } from 'node:url';
import { toFacade } from '../compile/export-names.ts';
import {
  HTTP_URL,
  isAliasedBuiltin,
  leadsAtOnce,
  ModuleRules,
  prepareForCompiled,
  toFile,
  toPathSpecifier,
  toResolution,
} from './hooks.ts';
import { takeOverHttp } from './http-takeover.ts';
import { IMPORT_LOG_VARIABLE } from './import-log.ts';
import { OwnFrames } from '../lifecycle/own-frames.ts';
import { isNotFound } from '../compile/resolve.ts';
import type { HookSettings } from '../settings.ts';
import { fillSubstitute, type SubstitutedModule } from './substitutes.ts';
import { needsThread } from './thread-need.ts';

interface CommonJsModule extends SubstitutedModule {
  load(filename: string): void;
  _compile(code: string, filename: string, format?: string): unknown;
}

/**
 * The parts of `node:module` that are patched: undocumented, and as they are in all versions that take this
 * road.
 */
interface CommonJsLoader {
  register(file: string, options: { data: HookSettings }): void;
  prototype: CommonJsModule;
  _load(request: string, parent: CommonJsModule | undefined, isMain: boolean): unknown;
  _resolveFilename(request: string, parent: CommonJsModule | undefined, isMain: boolean, options?: object): string;
  _extensions: Record<string, (module: CommonJsModule, filename: string) => void>;
}

/** What starts the loader thread, once: in any case, or only where the application needs it. */
interface ModuleStarts {
  readonly startThread: () => void;
  readonly prepareForModules: () => void;
  /** Begins to compile sources, in a process that did not yet. */
  readonly compileSources: () => void;
  /** Tells the thread, if there is one, what the settings have become. */
  readonly renew: () => void;
}

/** Installs the CommonJS patches. `entry`: the file that runs, if that is known. */
export function installLegacyHooks(settings: HookSettings, entry: string | undefined): ModuleStarts {
  const loader = process.getBuiltinModule('node:module') as unknown as CommonJsLoader;
  const rules = new ModuleRules(settings);
  // Loaded, ours takes the place of Node's: see `patchLoadFile`.
  const takeOver = (): void => {
    if (settings.targets !== null) loader._load(settings.targets.http.require, undefined, false);
  };
  let started = false;
  const startThread = (): void => {
    if (started) return;
    started = true;
    // Sources are compiled in that thread, and run in this one.
    if (settings.compiles) prepareForCompiled();
    loader.register(pathToFileURL(settings.bundleFile).href, { data: settings });
    takeOver();
  };
  const { _load: load } = loader;
  const builtin = (): object => load.call(loader, HTTP_URL, undefined, false) as object;
  let prepared = false;
  const prepareForModules = (): void => {
    if (prepared || started) return;
    prepared = true;
    if (settings.verbose || IMPORT_LOG_VARIABLE in process.env || needsThread(entry, settings)) startThread();
    else takeOver();
  };
  patchLoad(loader, rules);
  patchResolve(loader, rules, new OwnFrames(settings.bundleFile));
  patchLoadFile(loader, rules, settings.targets === null ? undefined : { file: settings.targets.http.require, builtin });
  patchCompile(loader, rules, prepareForModules);
  const renew = (): void => {
    if (!started) return;
    // Its hooks get the settings anew.
    started = false;
    startThread();
  };
  const compileSources = (): void => {
    patchExtensions(loader, rules);
    renew();
  };
  if (settings.compiles) compileSources();
  return { startThread, prepareForModules, compileSources, renew };
}

function patchExtensions(loader: CommonJsLoader, rules: ModuleRules): void {
  for (const extension of ['.ts', '.tsx', '.cts', '.mts', '.jsx']) {
    loader._extensions[extension] = (module, filename) => {
      const { code, format } = rules.load(filename);
      module._compile(code, filename, format);
    };
  }
}

/** `require` of a module of Node's never reaches `_resolveFilename`, so its alias is applied here. */
function patchLoad(loader: CommonJsLoader, rules: ModuleRules): void {
  const { _load: original } = loader;
  loader._load = function load(request, parent, isMain) {
    if (!isAliasedBuiltin(request)) return original.call(this, request, parent, isMain);
    const alias = rules.aliasOf(request, () => parent?.filename ?? undefined, 'require');
    return original.call(this, alias ?? request, parent, isMain);
  };
}

function patchResolve(loader: CommonJsLoader, rules: ModuleRules, frames: OwnFrames): void {
  const { _resolveFilename: original } = loader;
  loader._resolveFilename = function resolveFilename(request, parent, isMain, options) {
    const importer = parent?.filename ?? undefined;
    const alias = rules.aliasOf(request, () => importer, 'require');
    if (alias !== undefined && leadsAtOnce(request, true)) return alias;
    const early = rules.resolveEarly(request, importer);
    if (early !== undefined) return early;
    return frames.call(
      () => original.call(this, request, parent, isMain, options),
      (error) => (isNotFound(error) ? (alias ?? rules.resolveLate(request, importer)) : undefined),
    );
  };
}

interface OwnHttp {
  /** What `require('http')` leads to. */
  readonly file: string;
  /** Node's. */
  readonly builtin: () => object;
}

/** Called for each file that is not loaded yet, also for one that an ES module imports. */
function patchLoadFile(loader: CommonJsLoader, rules: ModuleRules, http: OwnHttp | undefined): void {
  const { load: original } = loader.prototype;
  loader.prototype.load = function load(filename) {
    if (filename === http?.file) {
      original.call(this, filename);
      this.exports = takeOverHttp(http.builtin(), this.exports as object);
      return;
    }
    const guest = rules.guestOf(filename, 'commonjs');
    if (guest !== undefined) {
      this.filename = filename;
      this._compile(guest, filename, 'commonjs');
      this.loaded = true;
      return;
    }
    const substitute = rules.substituteOf(filename);
    if (substitute === undefined) return original.call(this, filename);
    return fillSubstitute(this, filename, substitute);
  };
}

/** Every CommonJS source passes here, and every ES module that is `require`d. */
function patchCompile(loader: CommonJsLoader, rules: ModuleRules, prepareForModules: () => void): void {
  const { _compile: original } = loader.prototype;
  loader.prototype._compile = function compile(code, filename, format) {
    const neighbour = format === 'module' ? rules.neighbourOf(filename) : undefined;
    if (neighbour !== undefined) return original.call(this, neighbour.code, filename, neighbour.format);
    if (format === 'module' || /\bimport\s*\(/.test(code) || (format !== 'commonjs' && /^\s*(?:import|export)\b/m.test(code)))
      prepareForModules();
    return original.call(this, code, filename, format);
  };
}

let threadRules: ModuleRules | undefined;
let ownHttp: string | undefined;

/** Files that Node starts with: who is the main module must be loaded as one. */
const entries = new Set<string>();

/** Called in the loader thread. */
export function initialize(settings: HookSettings): void {
  threadRules = new ModuleRules(settings);
  ownHttp = settings.targets?.http.require;
}

/** The loader thread's resolve hook: the same decisions as `hooks-sync.ts`. */
export const resolve: ResolveHook = async (specifier, context, next) => {
  const found = await find(specifier, context, next);
  if (context.parentURL === undefined) entries.add(found.url);
  return found;
};

const find: ResolveHook = async (specifier, context, next) => {
  if (threadRules === undefined) return next(specifier, context);
  const { parentURL } = context;
  const alias = threadRules.aliasOf(specifier, () => toFile(parentURL), 'import');
  if (alias !== undefined && leadsAtOnce(specifier, false)) return { ...toResolution(alias), format: 'module' };
  const importer = toFile(parentURL);
  const path = toPathSpecifier(specifier);
  const early = threadRules.resolveEarly(path, importer);
  if (early !== undefined) return toResolution(early, specifier);
  try {
    const found = await next(specifier, context);
    const file = toFile(found.url);
    return file !== undefined && threadRules.isSource(file) ? { ...found, ...toResolution(file), url: found.url } : found;
  } catch (error) {
    if (alias !== undefined && isNotFound(error)) return { ...toResolution(alias), format: 'module' };
    const late = isNotFound(error) ? threadRules.resolveLate(path, importer) : undefined;
    if (late === undefined) throw error;
    return toResolution(late, specifier);
  }
};

/**
 * The loader thread's load hook. CommonJS is left to the patched loader of the main thread, which compiles it
 * there; an ES module that imports it gets the names of the compiled source.
 */
export const load: LoadHook = async (url, context, next) => {
  const file = toFile(url);
  // Loaded by the patched loader, it is Node's own.
  if (file !== undefined && file === ownHttp) return { format: 'commonjs', source: null as never, shortCircuit: true };
  if (threadRules === undefined || file === undefined) return next(url, context);
  const guest = threadRules.guestOf(file, 'module');
  if (guest !== undefined) return { format: 'module', source: guest, shortCircuit: true };
  if (!threadRules.isSource(file)) return next(url, context);
  const { code, format } = threadRules.load(file);
  if (format === 'module') return { format, source: code, shortCircuit: true };
  if (entries.has(url)) return { format, source: null as never, shortCircuit: true };
  return { format: 'module', source: toFacade(file, threadRules.exportNames(file)), shortCircuit: true };
};
