/**
 * What modules in a built file are told about themselves, and the requires whose name is computed while the
 * application runs.
 *
 * Every module appears to lie where its source lay, with the folder of the built file in the place of the
 * application's. Called from code that the build put into the modules; see `scan.ts`.
 */
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { toModuleScope } from '../compile/commonjs.ts';
import {
  type CommonJsModule,
  completed,
  type Exports,
  foundOr,
  isMissing,
  type Loaders,
  type Resolve,
  toModuleNamespace,
} from './names.ts';

/** Made when the file was built. */
export interface BundledNames {
  /** Loads a module that was named with `--require`, by its place or its package's name. */
  readonly loaders: Loaders;
  /**
   * What `require.resolve` of a module said when the file was built: `importer\nspecifier` → place; of
   * `import.meta.resolve` `importer\nimport specifier`.
   */
  readonly resolved: Readonly<Record<string, string>>;
  /** What `http` leads to. */
  readonly aliases: Loaders;
}

const NAME_MISSING = 'import.meta.resolve() knows the names that stood in its calls, and were found, when the file was built.';

export class BundledModules {
  /** The entry, when it is CommonJS. */
  main: CommonJsModule | undefined;
  readonly #root: string;
  readonly #names: BundledNames;

  constructor(root: string, names: BundledNames) {
    this.main = undefined;
    this.#root = root;
    this.#names = names;
  }

  place(name: string): string {
    return join(this.#root, name);
  }

  folderOf(name: string): string {
    return dirname(this.place(name));
  }

  /** `require` of the module at the place `importer`. */
  requireOf(importer: string): (specifier: string) => unknown {
    const native = createRequire(this.place(importer));
    const load = (specifier: string): unknown => {
      const loader = this.#find(specifier, importer);
      return loader === undefined ? withAdvice(specifier, importer, () => native(specifier)) : loader();
    };
    return Object.assign(load, {
      resolve: this.resolveOf(importer),
      cache: native.cache,
      extensions: native.extensions,
      main: this.main,
    });
  }

  resolveOf(importer: string): Resolve {
    const native = createRequire(this.place(importer));
    const find: Resolve = (specifier, options) => {
      const known = this.#names.resolved[`${importer}\n${specifier}`];
      if (known !== undefined) return this.place(known);
      return isBuiltin(specifier) ? specifier : native.resolve(specifier, options);
    };
    return Object.assign(find, { paths: (specifier: string): string[] | null => native.resolve.paths(specifier) });
  }

  /** `import(specifier)` of the module at the place `importer`. */
  importOf(importer: string): (specifier: unknown) => Promise<unknown> {
    return async (given) => {
      const specifier = String(given);
      const loader = this.#find(specifier, importer);
      if (loader !== undefined) return toModuleNamespace(loader());
      if (isBuiltin(specifier) || /^\w{2,}:/.test(specifier)) return import(specifier);
      if (isPath(specifier)) return import(new URL(specifier, pathToFileURL(this.place(importer))).href);
      const native = createRequire(this.place(importer));
      return import(pathToFileURL(withAdvice(specifier, importer, () => native.resolve(specifier))).href);
    };
  }

  /** `import.meta` of the module at the place `name`. */
  metaOf(name: string, isEntry: boolean): object {
    const filename = this.place(name);
    const { href: url } = pathToFileURL(filename);
    const find = (specifier: string): string => {
      if (isPath(specifier)) return new URL(specifier, url).href;
      const known = this.#names.resolved[`${name}\nimport ${specifier}`];
      if (known !== undefined) return known.startsWith('node:') ? known : pathToFileURL(this.place(known)).href;
      const found = this.#toFound(specifier, name);
      return isBuiltin(found) ? `node:${found.replace(/^node:/, '')}` : pathToFileURL(found).href;
    };
    return { url, filename, dirname: dirname(filename), main: isEntry, resolve: find };
  }

  /** Fills in what Node would have put into a CommonJS module's `module`. */
  describe(module: CommonJsModule, name: string, isEntry: boolean): void {
    const filename = this.place(name);
    const parent = isEntry ? null : this.main;
    const id = isEntry ? '.' : filename;
    Object.assign(module, { id, path: dirname(filename), filename, loaded: false, children: [], paths: [], parent });
    if (isEntry) this.main = module;
  }

  /** `toModuleScope` for code whose requires the bundler has resolved. */
  scopeOf(exports: Exports, name: string, isEntry: boolean): object {
    const { load, exportAll, dynamic } = toModuleScope(((value: unknown) => value) as never, exports, this.place(name));
    return { load, exports, exportAll, dynamic, meta: this.metaOf(name, isEntry) };
  }

  missing(specifier: string, importer: string, reason: string): never {
    throw toMissing(specifier, importer, reason);
  }

  /** What `import.meta.resolve` was not known to be asked for. */
  #toFound(specifier: string, importer: string): string {
    return foundOr(
      () => this.resolveOf(importer)(specifier),
      () => toMissing(specifier, importer, NAME_MISSING),
    );
  }

  #find(specifier: unknown, importer: string): (() => unknown) | undefined {
    if (typeof specifier !== 'string') return undefined;
    const { aliases, loaders } = this.#names;
    if (Object.hasOwn(aliases, specifier)) return aliases[specifier];
    if (!isPath(specifier)) return Object.hasOwn(loaders, specifier) ? loaders[specifier] : undefined;
    const path = specifier.startsWith('file:') ? fileURLToPath(specifier) : resolve(this.folderOf(importer), specifier);
    const name = relative(this.#root, path).split(sep).join('/');
    const found = completed(name, loaders);
    return found === undefined ? undefined : loaders[found];
  }
}

function isPath(specifier: string): boolean {
  return /^(?:\.{0,2}\/|\.{1,2}$|file:|[A-Za-z]:[\\/])/.test(specifier);
}

/** What Node does not find either may have been meant to be bundled. */
function withAdvice<T>(specifier: string, importer: string, find: () => T): T {
  try {
    return find();
  } catch (error) {
    if (!isMissing(error, specifier)) throw error;
    throw toMissing(specifier, importer, `Its name was not known when the file was built; name it there: --require ${specifier}`);
  }
}

function toMissing(specifier: string, importer: string, advice: string): Error {
  const error = new Error(`Cannot find module '${specifier}'\nRequired by ${importer} in a file made by fulmar build. ${advice}`);
  return Object.assign(error, { code: 'MODULE_NOT_FOUND' });
}
