/**
 * `node:module`: which modules there are, and `require` for files that were not bundled: CommonJS and JSON
 * beside the executable, or embedded in it. Finding and loading them is in `module/commonjs-files.later.ts`.
 * Hooks, the compile cache and type stripping are Node's own business and are not here.
 */
import later from 'fulmar:later';
import ops from 'fulmar:ops';
import { coded, invalidArgValue } from '../shared/errors.ts';
import type * as Files from './commonjs-files.later.ts';
import { validateString } from '../shared/validators.ts';

/** What Node has, of which the QuickJS host has the most. */
const names =
  '_http_agent _http_client _http_common _http_incoming _http_outgoing _http_server _tls_common _tls_wrap assert assert/strict async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns dns/promises domain events fs fs/promises http http2 https inspector inspector/promises module net os path path/posix path/win32 perf_hooks process punycode querystring readline readline/promises repl stream stream/consumers stream/promises stream/web string_decoder sys timers timers/promises tls trace_events tty url util util/types v8 vm wasi worker_threads zlib'.split(
    ' ',
  );
/** Modules that are only known with `node:`. */
const prefixed: ReadonlySet<string> = new Set(['ffi', 'sea', 'sqlite', 'test', 'test/reporters']);

const hasFile = (name: string): boolean => ops.has(`node/${name}.cjs`);
const files = (): typeof Files => later<typeof import('./commonjs-files.later.ts')>();

function isBuiltin(id: unknown): boolean {
  if (typeof id !== 'string') return false;
  return id.startsWith('node:') ? hasFile(id.slice('node:'.length)) : hasFile(id) && !prefixed.has(id);
}

/**
 * `process.getBuiltinModule`, which an application's own names lead through; `undefined` when there is none.
 */
function builtin(id: string): unknown {
  return isBuiltin(id) ? process.getBuiltinModule(id) : undefined;
}

let builtinModules: string[] | undefined;

type Require = NodeJS.Require & ((id: string) => unknown);
type Loader = (module: Module, filename: string) => void;

export class Module {
  id: string;
  path: string;
  exports: unknown = {};
  declare parent: Module | null | undefined;
  filename: string | null = null;
  loaded = false;
  children: Module[] = [];
  declare paths: string[];

  constructor(id = '', parent?: Module | null) {
    this.id = id;
    this.path = folderOf(id);
    Object.defineProperty(this, 'parent', { value: parent, writable: true, configurable: true });
    parent?.children?.push(this);
  }

  require(id: string): unknown {
    validateString(id, 'id');
    if (id === '') throw invalidArgValue('id', id, 'must be a non-empty string');
    return Module._load(id, this, false);
  }

  load(filename: string): void {
    this.filename = filename;
    this.paths = Module._nodeModulePaths(folderOf(filename));
    const name = filename.slice(filename.lastIndexOf('/') + 1);
    const dot = name.lastIndexOf('.');
    const load = Module._extensions[dot > 0 ? name.slice(dot) : '.js'] ?? Module._extensions['.js'];
    load?.(this, filename);
    this.loaded = true;
  }

  _compile(content: string, filename: string): unknown {
    return files().compile(this, content, filename, makeRequire(this));
  }

  get isPreloading(): boolean {
    return false;
  }

  static Module = Module;
  static get builtinModules(): string[] {
    return (builtinModules ??= names.filter(hasFile));
  }
  static _cache: Record<string, Module> = Object.create(null) as Record<string, Module>;
  static _pathCache: Record<string, string> = Object.create(null) as Record<string, string>;
  static _extensions: Record<string, Loader> = Object.assign(Object.create(null) as Record<string, Loader>, {
    '.js': (module: Module, filename: string) => files().loadScript(module, filename),
    '.json': (module: Module, filename: string) => files().loadJson(module, filename),
    '.node': (_module: Module, filename: string) => {
      throw coded(Error, 'ERR_DLOPEN_FAILED', `${filename} is a native addon, which the native host cannot load`);
    },
  });
  static globalPaths: string[] = [];
  static isBuiltin = isBuiltin;

  static createRequire(given: string | URL): Require {
    const path = typeof given === 'string' && given.startsWith('/') ? given : fromUrl(given);
    if (path === undefined) {
      throw invalidArgValue('filename', given, 'must be a file URL object, file URL string, or absolute path string');
    }
    const module = new Module(path.endsWith('/') ? `${path}noop.js` : path);
    module.filename = module.id;
    module.paths = Module._nodeModulePaths(module.path);
    return makeRequire(module);
  }

  static _load(request: string, parent?: Module | null, isMain = false): unknown {
    const found = builtin(request);
    if (found !== undefined) return found;
    if (request.startsWith('node:')) throw coded(Error, 'ERR_UNKNOWN_BUILTIN_MODULE', `No such built-in module: ${request}`);
    const filename = Module._resolveFilename(request, parent, isMain);
    const known = Module._cache[filename];
    if (known !== undefined) return known.exports;
    const module = new Module(filename, parent);
    Module._cache[filename] = module;
    let done = false;
    try {
      module.load(filename);
      done = true;
    } finally {
      if (!done) delete Module._cache[filename];
    }
    return module.exports;
  }

  static _resolveFilename(request: string, parent?: Module | null, _isMain?: boolean, options?: { paths?: string[] }): string {
    return isBuiltin(request) ? request : files().resolve(request, parent ?? null, options);
  }

  static _resolveLookupPaths(request: string, parent?: Module | null): string[] | null {
    if (isBuiltin(request)) return null;
    if (/^\.{1,2}(?:\/|$)/.test(request)) return [parent?.id && parent.filename ? folderOf(parent.filename) : '.'];
    return [...(parent?.paths ?? []), ...Module.globalPaths];
  }

  static _findPath(request: string, paths: readonly string[]): string | false {
    return files().findPath(request, paths) ?? false;
  }

  static _nodeModulePaths(from: string): string[] {
    const parts = from === '/' ? [''] : from.replace(/\/+$/, '').split('/');
    const paths: string[] = [];
    for (let count = parts.length; count > 0; count--) {
      if (parts[count - 1] !== 'node_modules') paths.push(`${parts.slice(0, count).join('/')}/node_modules`);
    }
    return paths;
  }

  static _initPaths(): void {}
  static _preloadModules(): void {}
  static wrapper = ['(function (exports, require, module, __filename, __dirname) { ', '\n});'];

  static wrap(script: string): string {
    return `${Module.wrapper[0]}${script}${Module.wrapper[1]}`;
  }

  /** Names that an ES module imported are properties of the module here: they are up to date. */
  static syncBuiltinESMExports(): void {}

  static findPackageJSON(specifier: string | URL, base?: string | URL): string | undefined {
    return files().findPackageJson(specifier, base);
  }

  /** What was compiled is in the executable. */
  static constants = Object.freeze({
    __proto__: null,
    compileCacheStatus: Object.freeze({ __proto__: null, FAILED: 0, ENABLED: 1, ALREADY_ENABLED: 2, DISABLED: 3 }),
  });
  static enableCompileCache(): object {
    return { status: Module.constants.compileCacheStatus.DISABLED };
  }
  static getCompileCacheDir(): undefined {}
  static flushCompileCache(): void {}

  static findSourceMap(): undefined {}
  static getSourceMapsSupport(): object {
    return Object.freeze({ __proto__: null, enabled: false, nodeModules: false, generatedCode: false });
  }
  static setSourceMapsSupport(): void {}

  static runMain = (): never => unsupported('module.runMain');
  static register = (_specifier: unknown): never => unsupported('module.register');
  static registerHooks = (_hooks: unknown): never => unsupported('module.registerHooks');
  static stripTypeScriptTypes = (_code: unknown): never => unsupported('module.stripTypeScriptTypes');
  static SourceMap = class SourceMap {
    constructor() {
      unsupported('module.SourceMap');
    }
  };
}

function unsupported(what: string): never {
  throw coded(
    TypeError,
    'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM',
    `${what} is not available on the native host: what it would load is bundled by fulmar build. Run the application on Node for it`,
  );
}

function makeRequire(module: Module): Require {
  function require(path: string): unknown {
    return module.require(path);
  }
  function resolve(request: string, options?: { paths?: string[] }): string {
    validateString(request, 'request');
    return Module._resolveFilename(request, module, false, options);
  }
  resolve.paths = function paths(request: string): string[] | null {
    validateString(request, 'request');
    return Module._resolveLookupPaths(request, module);
  };
  return Object.assign(require, { resolve, main: process.mainModule, extensions: Module._extensions, cache: Module._cache }) as never;
}

function fromUrl(given: unknown): string | undefined {
  const isUrl = given instanceof URL || (typeof given === 'string' && given.startsWith('file:'));
  return isUrl ? process.getBuiltinModule('node:url').fileURLToPath(given as string) : undefined;
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '.' : path.slice(0, slash) || '/';
}

export default Module;
