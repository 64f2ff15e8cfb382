/**
 * What modules in a built file are told about themselves, and the requires whose name is computed while the application runs.
 *
 * Every module appears to lie where its source lay, with the folder of the built file in the place of the application's. Called from
 * code that the build put into the modules; see `scan.ts`.
 */
import { builtinModules, createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { toModuleScope } from '../../commonjs.ts';
import type { BundleScope } from './types.ts';

/** Made when the file was built. */
export interface BundledNames {
  /** Loads a module that was named with `--require`, by its place or its package's name. */
  readonly loaders: Readonly<Record<string, () => unknown>>;
  /** What `require.resolve` of a module said when the file was built: `importer\nspecifier` → place. */
  readonly resolved: Readonly<Record<string, string>>;
  /** What `http`, `express` … lead to. */
  readonly aliases: Readonly<Record<string, () => unknown>>;
}

interface CommonJsModule {
  id?: string;
  exports: unknown;
}

type ScopeParts = ReturnType<typeof toModuleScope>;

const missing = (specifier: string, importer: string, advice: string): Error =>
  Object.assign(new Error(`Cannot find module '${specifier}'\nRequired by ${importer} in a file made by fulmar build. ${advice}`), {
    code: 'MODULE_NOT_FOUND',
  });

export function createModules({ root, file }: BundleScope, { loaders, resolved, aliases }: BundledNames) {
  const place = (name: string): string => join(root, name);
  const find = (specifier: string, importer: string): (() => unknown) | undefined => {
    if (Object.hasOwn(aliases, specifier)) return aliases[specifier];
    const isPath = /^(?:\.{0,2}\/|\.{1,2}$|file:|[A-Za-z]:[\\/])/.test(specifier);
    if (!isPath) return Object.hasOwn(loaders, specifier) ? loaders[specifier] : undefined;
    const path = specifier.startsWith('file:') ? fileURLToPath(specifier) : resolve(dirname(place(importer)), specifier);
    const name = path.slice(join(root, '/').length).replaceAll('\\', '/');
    const candidates = [
      name,
      ...['.js', '.cjs', '.mjs', '.ts', '.mts', '.cts', '.json', '/index.js', '/index.ts'].map((end) => name + end),
    ];
    const found = path.startsWith(join(root, '/')) ? candidates.find((candidate) => Object.hasOwn(loaders, candidate)) : undefined;
    return found === undefined ? undefined : loaders[found];
  };

  const requireOf = (importer: string) => {
    const native = createRequire(place(importer));
    const load = (specifier: string): unknown => {
      if (typeof specifier !== 'string') return native(specifier);
      const loader = find(specifier, importer);
      if (loader !== undefined) return loader();
      try {
        return native(specifier);
      } catch (error) {
        const isThis = (error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND' && String(error).includes(`'${specifier}'`);
        throw isThis
          ? missing(specifier, importer, `Its name was not known when the file was built; name it there: --require ${specifier}`)
          : error;
      }
    };
    return Object.assign(load, { resolve: resolveOf(importer), cache: native.cache, extensions: native.extensions, main: api.main });
  };

  const resolveOf = (importer: string) => {
    const native = createRequire(place(importer));
    return Object.assign(
      (specifier: string, options?: { paths?: string[] }): string => {
        const known = resolved[`${importer}\n${specifier}`];
        if (known !== undefined) return place(known);
        return builtinModules.includes(specifier.replace(/^node:/, '')) ? specifier : native.resolve(specifier, options);
      },
      { paths: (specifier: string): string[] | null => native.resolve.paths(specifier) },
    );
  };

  const metaOf = (name: string, isEntry: boolean): object => {
    const filename = place(name);
    return {
      url: pathToFileURL(filename).href,
      filename,
      dirname: dirname(filename),
      main: isEntry,
      resolve: (specifier: string): string => {
        if (/^(?:\.{0,2}\/|file:)/.test(specifier)) return new URL(specifier, pathToFileURL(filename)).href;
        const found = resolveOf(name)(specifier);
        return found.includes('/') && !found.startsWith('node:') ? pathToFileURL(found).href : `node:${found.replace(/^node:/, '')}`;
      },
    };
  };

  const api = {
    main: undefined as CommonJsModule | undefined,
    file,
    place,
    folderOf: (name: string): string => dirname(place(name)),
    requireOf,
    resolveOf,
    metaOf,
    importOf:
      (importer: string) =>
      async (specifier: unknown): Promise<unknown> => {
        const text = String(specifier);
        const loader = find(text, importer);
        if (loader !== undefined) return toModuleNamespace(loader());
        const isRelative = /^\.{0,2}\//.test(text);
        return import(isRelative ? new URL(text, pathToFileURL(place(importer))).href : text);
      },
    /** Fills in what Node would have put into a CommonJS module's `module`. */
    describe: (module: CommonJsModule, name: string, isEntry: boolean): void => {
      const filename = place(name);
      const parent = isEntry ? null : (api.main ?? undefined);
      Object.assign(module, {
        id: isEntry ? '.' : filename,
        path: dirname(filename),
        filename,
        loaded: false,
        children: [],
        paths: [],
        parent,
      });
      if (isEntry) api.main = module;
    },
    missing: (specifier: string, importer: string, reason: string): never => {
      throw missing(specifier, importer, reason);
    },
    /** `toModuleScope` for code whose requires the bundler has resolved. */
    scopeOf: (exports: Record<string, unknown>, name: string, isEntry: boolean): Omit<ScopeParts, 'meta'> & { meta: object } => {
      const scope = toModuleScope(((value: unknown) => value) as never, exports, place(name));
      return { load: scope.load, exports, exportAll: scope.exportAll, dynamic: scope.dynamic, meta: metaOf(name, isEntry) };
    },
  };
  return api;
}

function toModuleNamespace(value: unknown): unknown {
  const isModule = value !== null && typeof value === 'object' && (value as { __esModule?: boolean }).__esModule === true;
  return isModule ? value : { ...(value as object), default: value };
}
