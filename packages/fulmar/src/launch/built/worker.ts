/**
 * What modules of a worker (`fulmar build --target cloudflare`) are told about themselves, by the code that
 * the build put into them: there are no files, so that a place is a name under `/`, and what was not bundled
 * cannot be loaded.
 */
import { type CommonJsModule, type Exports, toModuleNamespace } from './names.ts';

type Namespace = Record<string, unknown>;

export class WorkerModules {
  /** The entry, when it is CommonJS. */
  main: CommonJsModule | undefined;

  constructor() {
    this.main = undefined;
  }

  place(name: string): string {
    return `/${name}`;
  }

  folderOf(name: string): string {
    const path = this.place(name);
    return path.slice(0, path.lastIndexOf('/')) || '/';
  }

  /** For requires whose name is computed: those with a name were bundled. */
  requireOf(importer: string): (specifier: string) => never {
    const fail = (specifier: string): never => this.missing(specifier, importer, 'Its name was not known when the worker was built.');
    return Object.assign(fail, { resolve: fail, cache: {}, extensions: {}, main: this.main });
  }

  importOf(importer: string): (specifier: unknown) => Promise<never> {
    return async (specifier) => this.requireOf(importer)(String(specifier));
  }

  metaOf(name: string, isEntry: boolean): object {
    const filename = this.place(name);
    return { url: `file://${filename}`, filename, dirname: this.folderOf(name), main: isEntry, resolve: this.requireOf(name) };
  }

  /** What Node would have put into a CommonJS module's `module`. */
  describe(module: CommonJsModule, name: string, isEntry: boolean): void {
    const filename = this.place(name);
    Object.assign(module, { id: isEntry ? '.' : filename, path: this.folderOf(name), filename, loaded: false, children: [], paths: [] });
    if (isEntry) this.main = module;
  }

  /** For TypeScript that became CommonJS: its requires are what the bundler found already. */
  scopeOf(exports: Exports, name: string, isEntry: boolean): object {
    Object.defineProperty(exports, '__esModule', { value: true });
    return {
      load: toNamespace,
      exports,
      exportAll: (from: Namespace) => {
        for (const key of Object.keys(from)) {
          if (key === 'default' || key === '__esModule' || Object.hasOwn(exports, key)) continue;
          Object.defineProperty(exports, key, { enumerable: true, configurable: true, get: () => from[key] });
        }
      },
      dynamic: async (value: unknown) => toNamespace(value),
      meta: this.metaOf(name, isEntry),
    };
  }

  missing(specifier: string, importer: string, reason: string): never {
    const error = new Error(`Cannot find module '${specifier}'\nRequired by ${importer} in a worker made by fulmar build. ${reason}`);
    throw Object.assign(error, { code: 'MODULE_NOT_FOUND' });
  }
}

/** A function of a CommonJS module is called as one, whatever it was imported as. */
function toNamespace(value: unknown): unknown {
  if (typeof value === 'function')
    return new Proxy(value, { get: (target, key) => (key === 'default' ? target : Reflect.get(target, key)) });
  if (typeof value === 'object' && value !== null && Reflect.get(value, Symbol.toStringTag) === 'Module') return value;
  return toModuleNamespace(value);
}
