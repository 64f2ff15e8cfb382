/**
 * What modules in an executable are told about themselves, and the requires whose name is computed while the
 * application runs.
 *
 * Called from code that the build put into the modules: see `scan.ts`. The counterpart for files that run on
 * Node is `modules.ts`. Loaded by almost every application: what few calls need is loaded by them.
 */
import type { toModuleScope } from '../../compile/commonjs.ts';
import {
  type CommonJsModule,
  completed,
  type Exports,
  foundOr,
  isMissing,
  type Loaders,
  type Resolve,
  toModuleNamespace,
} from '../names.ts';

/** Made when the executable was built. */
export interface BundledNames {
  /** Loads a module that was named with `--require`, by its place or its package's name. */
  readonly loaders: Loaders;
  /**
   * What `require.resolve` of a module said when the executable was built: `importer\nspecifier` → place; of
   * `import.meta.resolve` `importer\nimport specifier`.
   */
  readonly resolved: Readonly<Record<string, string>>;
}

type Require = (specifier: string) => unknown;

/** What the host offers. */
export interface Runtime {
  /** One of Node's modules, or of ours. */
  readonly builtin: Require;
  /** One of the host's own. */
  readonly internal: (name: string) => unknown;
}

const NAME_MISSING = 'import.meta.resolve() knows the names that stood in its calls, and were found, when the executable was built.';

export class EmbeddedModules {
  /** The entry, when it is CommonJS. */
  main: CommonJsModule | undefined;
  readonly #root: string;
  readonly #names: BundledNames;
  readonly #runtime: Runtime;

  /** `root` is the application's folder, empty for `/`. */
  constructor(root: string, names: BundledNames, runtime: Runtime) {
    this.main = undefined;
    this.#root = root;
    this.#names = names;
    this.#runtime = runtime;
  }

  place(name: string): string {
    return `${this.#root}/${name}`;
  }

  folderOf(name: string): string {
    const path = this.place(name);
    return path.slice(0, path.lastIndexOf('/')) || '/';
  }

  /** `require` of the module at the place `importer`. */
  requireOf(importer: string): Require {
    const load = (specifier: string): unknown => this.#load(specifier, importer);
    return Object.assign(load, { resolve: this.resolveOf(importer), cache: {}, extensions: {}, main: this.main });
  }

  resolveOf(importer: string): Resolve {
    const find: Resolve = (specifier) => {
      const known = this.#names.resolved[`${importer}\n${specifier}`];
      if (known !== undefined) return this.place(known);
      if (this.#isBuiltin(specifier)) return specifier;
      const found = this.#find(specifier, importer);
      if (found !== undefined) return isPath(found) ? found : this.place(found);
      return this.#beside(specifier, importer, (require) => require.resolve(specifier));
    };
    return Object.assign(find, { paths: (): string[] | null => [] });
  }

  /** `import(specifier)` of the module at the place `importer`. */
  importOf(importer: string): (specifier: unknown) => Promise<unknown> {
    return async (given) => toModuleNamespace(this.#load(String(given), importer));
  }

  /** `import.meta` of the module at the place `name`. */
  metaOf(name: string, isEntry: boolean): object {
    const filename = this.place(name);
    const { pathToFileURL } = this.#url();
    const { href: url } = pathToFileURL(filename);
    const find = (specifier: string): string => {
      if (isPath(specifier)) return new URL(specifier, url).href;
      const known = this.#names.resolved[`${name}\nimport ${specifier}`];
      if (known !== undefined) return known.startsWith('node:') ? known : pathToFileURL(this.place(known)).href;
      const found = this.#toFound(specifier, name);
      return this.#isBuiltin(found) ? `node:${found.replace(/^node:/, '')}` : pathToFileURL(found).href;
    };
    return { url, filename, dirname: this.folderOf(name), main: isEntry, resolve: find };
  }

  /** Fills in what Node would have put into a CommonJS module's `module`. */
  describe(module: CommonJsModule, name: string, isEntry: boolean): void {
    const filename = this.place(name);
    const parent = isEntry ? null : this.main;
    const id = isEntry ? '.' : filename;
    Object.assign(module, { id, path: this.folderOf(name), filename, loaded: false, children: [], paths: [], parent });
    if (isEntry) this.main = module;
  }

  /** `toModuleScope` for code whose requires the bundler has resolved. */
  scopeOf(exports: Exports, name: string, isEntry: boolean): object {
    const { toModuleScope: toScope } = this.#runtime.internal('commonjs.cjs') as { toModuleScope: typeof toModuleScope };
    const { load, exportAll, dynamic } = toScope(((value: unknown) => value) as never, exports, this.place(name));
    return { load, exports, exportAll, dynamic, meta: this.metaOf(name, isEntry) };
  }

  missing(specifier: string, importer: string, reason: string): never {
    throw toMissing(specifier, importer, reason);
  }

  #load(specifier: string, importer: string): unknown {
    const found = this.#find(specifier, importer);
    const loader = found === undefined ? undefined : this.#names.loaders[found];
    if (loader !== undefined) return loader();
    if (this.#isBuiltin(specifier)) return this.#runtime.builtin(specifier);
    return this.#beside(specifier, importer, (require) => require(specifier));
  }

  /**
   * What lies beside the executable, or is embedded: found as Node finds it. What is not there may have been
   * meant to be bundled.
   */
  #beside<T>(specifier: string, importer: string, find: (require: NodeJS.Require) => T): T {
    try {
      return find(this.#module().createRequire(this.place(importer)));
    } catch (error) {
      throw isMissing(error, specifier) ? toMissing(specifier, importer, nameIt(specifier)) : error;
    }
  }

  #module(): typeof import('node:module') {
    return this.#runtime.builtin('node:module') as typeof import('node:module');
  }

  #path(): typeof import('node:path') {
    return this.#runtime.builtin('node:path') as typeof import('node:path');
  }

  #url(): typeof import('node:url') {
    return this.#runtime.builtin('node:url') as typeof import('node:url');
  }

  #isBuiltin(specifier: string): boolean {
    return this.#module().isBuiltin(specifier);
  }

  #pathOf(specifier: string, importer: string): string {
    return specifier.startsWith('file:') ? this.#url().fileURLToPath(specifier) : this.#path().resolve(this.folderOf(importer), specifier);
  }

  /** What `import.meta.resolve` was not known to be asked for. */
  #toFound(specifier: string, importer: string): string {
    return foundOr(
      () => this.resolveOf(importer)(specifier),
      () => toMissing(specifier, importer, NAME_MISSING),
    );
  }

  /** The name of the loader that `specifier` means. */
  #find(specifier: string, importer: string): string | undefined {
    const { loaders } = this.#names;
    if (!isPath(specifier)) return Object.hasOwn(loaders, specifier) ? specifier : undefined;
    const name = this.#path().relative(this.#root || '/', this.#pathOf(specifier, importer));
    return completed(name, loaders);
  }
}

function isPath(specifier: string): boolean {
  return /^(?:\.{0,2}\/|\.{1,2}$|file:)/.test(specifier);
}

const nameIt = (specifier: string): string => `Its name was not known when the executable was built; name it there: --require ${specifier}`;

function toMissing(specifier: string, importer: string, advice: string): Error {
  const error = new Error(`Cannot find module '${specifier}'\nRequired by ${importer} in an executable made by fulmar build. ${advice}`);
  return Object.assign(error, { code: 'MODULE_NOT_FOUND' });
}
