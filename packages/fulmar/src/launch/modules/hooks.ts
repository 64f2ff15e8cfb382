/**
 * How modules of the application are found and loaded: aliases, TypeScript resolution, compilation.
 *
 * Installed once, before the application's first module. Node 22.15 and later have synchronous hooks for both
 * loaders; on older ones CommonJS is patched and the ES module loader gets a thread (`hooks-legacy.ts`). This
 * file decides; it patches nothing itself.
 */
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Aliaser, createAliaser, isOfNest, loadNest, mayBeAliased, tellOfPackage } from './aliases.ts';
import { installCommonJsScope } from '../compile/commonjs.ts';
import { installHelpers } from '../compile/decorator-helpers.ts';
import { guestEnding } from '../../host/guest-files.ts';
import { exportNames } from '../compile/export-names.ts';
import { formatOf, isCompiled, type ModuleFormat } from '../compile/file-types.ts';
import { guestModule } from './guest-modules.ts';
import { type ImportLog, openImportLog } from './import-log.ts';
import { resolveEarly, resolveLate } from '../compile/resolve.ts';
import { findCompanion } from '../installed/companion.ts';
import type { AliasTarget, HookSettings } from '../settings.ts';
import { createSubstituter, type Substitute, type Substituter } from './substitutes.ts';
import { transpileFile } from '../compile/transpile-cache.ts';
import { fileUsesTypes } from '../compile/types.ts';
import type { Transpiled } from '../compile/transpile.ts';

/** What `import 'http'` resolves to. */
export const HTTP_URL = 'node:http';

/** Modules of Node's with an alias: `require` of one asks no resolution. */
export const isAliasedBuiltin = (specifier: string): boolean => isHttp(specifier) || specifier === 'zlib' || specifier === 'node:zlib';

/** Names whose alias leads on whether or not Node finds something. */
export const leadsAtOnce = (specifier: string, isRequire: boolean): boolean =>
  isOfNest(specifier) || (isRequire && isAliasedBuiltin(specifier));

const isHttp = (specifier: string): boolean => specifier === 'http' || specifier === HTTP_URL;

/** The decisions, shared by every way to install them. */
export class ModuleRules {
  readonly #alias: Aliaser | undefined;
  readonly #substitute: Substituter | undefined;
  readonly #http: AliasTarget | undefined;
  readonly #settings: HookSettings;
  readonly #log: ImportLog | undefined;
  #isNeighbour: ((file: string) => boolean) | undefined;
  #isPrepared = false;

  constructor(settings: HookSettings) {
    this.#alias =
      settings.targets === null
        ? undefined
        : createAliaser(settings.targets, settings.verbose ? tellOfPackage : undefined, () => settings.entry);
    this.#substitute = settings.targets === null ? undefined : createSubstituter(settings.targets);
    this.#http = settings.targets?.http;
    this.#settings = settings;
    this.#log = openImportLog();
  }

  /**
   * The file an aliased import leads to, where Node finds nothing of that name (for packages), cannot be asked
   * (for `require('http')` and `require('zlib')`), or need not be (`leadsAtOnce`). `importer` is worked out only for names that have an
   * alias.
   */
  aliasOf(specifier: string, importer: () => string | undefined, kind: 'require' | 'import'): string | undefined {
    const target = this.#alias === undefined || !mayBeAliased(specifier) ? undefined : this.#alias(specifier, importer())?.[kind];
    if (this.#log !== undefined) this.#log({ specifier, importer: importer(), target });
    return target;
  }

  /** What runs in place of a CommonJS file that Node has found. */
  substituteOf(file: string): Substitute | undefined {
    return this.#substitute?.(file);
  }

  /**
   * An ES module's source for a URL of Node's that we stand for: it keeps the URL, by which tools that hook
   * imports know it.
   */
  sourceOf(url: string): string | undefined {
    if (this.#http === undefined || url !== HTTP_URL) return undefined;
    const from = JSON.stringify(pathToFileURL(this.#http.import).href);
    return `export * from ${from};\nexport { default } from ${from};\n`;
  }

  /**
   * Is `file` a source that we compile? In a process that was only registered, others do, or Node itself, but
   * for sources that use types at run time: those nobody else can.
   */
  isSource(file: string): boolean {
    return isCompiled(file) && (this.#settings.compiles || fileUsesTypes(file));
  }

  /** What stands for a file of another language, which Node knows nothing of. */
  guestOf(file: string, format: ModuleFormat): string | undefined {
    return guestEnding(file) === undefined ? undefined : guestModule(file, format, this.#settings.bundleFile);
  }

  /**
   * An ES module of a package that imports Nest, as CommonJS: for Nodes that ask no hook about what an ES module
   * imports that is required.
   */
  neighbourOf(file: string): Transpiled | undefined {
    if (this.#settings.targets === null) return undefined;
    this.#isNeighbour ??= loadNest(this.#settings.bundleFile).createNeighbourFinder(() => this.#settings.entry);
    if (!this.#isNeighbour(file)) return undefined;
    if (findCompanion('oxc-transform', this.#settings.bundleFile, file) === undefined) throw lacksCompiler(file);
    this.#prepare();
    return transpileFile(file, 'commonjs', this.#settings.bundleFile);
  }

  resolveEarly(specifier: string, importer: string | undefined): string | undefined {
    return this.#settings.compiles ? resolveEarly(specifier, importer) : undefined;
  }

  resolveLate(specifier: string, importer: string | undefined): string | undefined {
    return this.#settings.compiles ? resolveLate(specifier, importer) : undefined;
  }

  /** What an ES module can import by name of a compiled CommonJS source. */
  exportNames(file: string): Set<string> {
    return exportNames(file, {
      load: (source) => transpileFile(source, formatOf(source), this.#settings.bundleFile),
      find: (specifier, importer) => {
        const found = resolveEarly(specifier, importer);
        return found !== undefined && isCompiled(found) ? found : undefined;
      },
    });
  }

  /** Compiles one source, and prepares this process for compiled sources when it is the first. */
  load(file: string): Transpiled {
    this.#prepare();
    return transpileFile(file, formatOf(file), this.#settings.bundleFile);
  }

  #prepare(): void {
    if (this.#isPrepared) return;
    this.#isPrepared = true;
    prepareForCompiled();
  }
}

const lacksCompiler = (file: string): Error =>
  new Error(
    `${file} is an ES module that imports Nest, and is required. On Node ${process.versions.node} its imports can only lead to ` +
      'fulmar/controllers after it was compiled: install oxc-transform, or use Node 22.15 or later.',
  );

/** Stack traces with the places of the sources, and the functions that preludes bind. */
export function prepareForCompiled(): void {
  installHelpers();
  installCommonJsScope();
  const { setSourceMapsSupport } = process.getBuiltinModule('node:module') as {
    setSourceMapsSupport?: (enabled: boolean, options: { nodeModules: boolean; generatedCode: boolean }) => void;
  };
  if (setSourceMapsSupport) setSourceMapsSupport(true, { nodeModules: false, generatedCode: false });
  else process.setSourceMapsEnabled(true);
}

/** The file behind a `file:` URL without its query; `undefined` for every other URL. */
export function toFile(url: string | undefined): string | undefined {
  if (url === undefined || !url.startsWith('file:')) return undefined;
  return fileURLToPath(url);
}

export interface Resolution {
  url: string;
  format?: ModuleFormat;
  shortCircuit: true;
}

/**
 * What a resolve hook returns for `file`. Query and fragment of the specifier make a module of its own and
 * are kept.
 */
export function toResolution(file: string, specifier = ''): Resolution {
  const url = pathToFileURL(file);
  const tail = /^(?:\.{0,2}\/|file:)[^?#]*([?#].*)$/.exec(specifier)?.[1];
  const href = tail === undefined ? url.href : url.href + tail;
  return { url: href, shortCircuit: true, ...(isCompiled(file) && { format: formatOf(file) }) };
}

/** An ES module specifier as a path: without query, percent-decoded. */
export function toPathSpecifier(specifier: string): string {
  if (!/^\.{0,2}\//.test(specifier)) return specifier.startsWith('file:') ? specifier.replace(/[?#].*$/, '') : specifier;
  const bare = specifier.replace(/[?#].*$/, '');
  return bare.includes('%') ? decodeURIComponent(bare) : bare;
}
