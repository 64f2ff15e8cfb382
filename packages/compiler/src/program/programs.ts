/**
 * Programs of TypeScript's checker, one for each configuration, kept and brought up to date as files are
 * compiled: what has not changed is not parsed again. Reads files; never writes one, and checks no types.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { findConfig } from './config.ts';
import { type Source, Sources, stampOf } from './sources.ts';
import { ALONE_MAX, usersIn } from './users.ts';

/**
 * Without a `tsconfig.json`, and what no configuration may change: without `null` in types schemas are wrong. Imports lead where
 * they lead for `fulmar run` and bundlers, which want no extensions in modules of ECMAScript either.
 */
const DEFAULTS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.Preserve,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
  esModuleInterop: true,
};
const FIXED: ts.CompilerOptions = {
  strictNullChecks: true,
  noEmit: true,
  skipLibCheck: true,
  noErrorTruncation: true,
  allowImportingTsExtensions: true,
};
/** Options that would make the program write, or that contradict what is fixed. */
const LEFT_OUT = [
  'composite',
  'incremental',
  'tsBuildInfoFile',
  'declaration',
  'declarationMap',
  'emitDeclarationOnly',
  'rewriteRelativeImportExtensions',
  'isolatedDeclarations',
  'outDir',
  'outFile',
  'declarationDir',
];

export interface UpToDate {
  readonly program: ts.Program;
  /** The files that its configuration was read from. */
  readonly configs: ReadonlySet<string>;
}

interface Kept extends UpToDate {
  program: ts.Program;
  readonly options: ts.CompilerOptions;
  /** What its configuration was like. */
  readonly stamp: string;
  readonly roots: Set<string>;
  host: Host;
}

interface Host extends ts.CompilerHost {
  /** Where a file was looked for and not found: when there is one, imports may lead elsewhere. */
  readonly missing: Set<string>;
}

export class Programs {
  readonly #kept = new Map<string, Kept>();
  readonly #sources = new Sources();

  /** A program that has `file`, as its disk and the given text are now. */
  programOf({ file, text }: Source): UpToDate {
    this.#sources.give({ file, text });
    const config = findConfig(dirname(file));
    const key = config ?? '';
    const kept = this.#kept.get(key);
    if (kept === undefined || kept.stamp !== stampsOf(kept.configs)) {
      const made = this.#make(config, file, kept?.roots);
      this.#kept.set(key, made);
      return made;
    }
    // All that it has was made with it: a checker that is asked again knows what it was asked before.
    const hasFile = kept.program.getSourceFile(file) !== undefined;
    const isMoved = [...kept.host.missing].some((name) => ts.sys.fileExists(name));
    if (hasFile && !isMoved && kept.program.getSourceFiles().every((source) => this.#sources.isCurrent(source))) return kept;
    if (!hasFile) this.#addRoot(file, config, kept);
    if (isMoved) kept.host = this.#hostOf(kept.options);
    kept.program = ts.createProgram({
      rootNames: [...kept.roots],
      options: kept.options,
      host: kept.host,
      ...(!isMoved && { oldProgram: kept.program }),
    });
    return kept;
  }

  #addRoot(file: string, config: string | undefined, { roots }: Kept): void {
    roots.add(file);
    if (roots.size === ALONE_MAX) for (const user of usersIn(config)) roots.add(user);
  }

  #make(config: string | undefined, file: string, before: ReadonlySet<string> = new Set()): Kept {
    const configs = new Set<string>();
    const options = optionsOf(config, file, configs);
    const host = this.#hostOf(options);
    const roots = new Set([...before, file]);
    const program = ts.createProgram({ rootNames: [...roots], options, host });
    return { roots, host, configs, options, program, stamp: stampsOf(configs) };
  }

  #hostOf(options: ts.CompilerOptions): Host {
    const host = ts.createCompilerHost(options, true);
    const missing = new Set<string>();
    const resolution = ts.createModuleResolutionCache(host.getCurrentDirectory(), (name) => name, options);
    const getSourceFile: ts.CompilerHost['getSourceFile'] = (name, settings) => {
      const source = this.#sources.read(name, settings);
      if (source === undefined) missing.add(name);
      return source;
    };
    const resolve = (name: string, from: string, mode: ts.ResolutionMode): Resolved => {
      const found: Resolved = ts.resolveModuleName(name, from, options, ours, resolution, undefined, mode);
      // Packages are installed between two starts; files come and go.
      if (found.resolvedModule === undefined && name.startsWith('.')) for (const one of found.failedLookupLocations ?? []) missing.add(one);
      return found;
    };
    const ours: Host = {
      ...host,
      missing,
      getSourceFile,
      getModuleResolutionCache: () => resolution,
      resolveModuleNameLiterals: (names, from, _redirected, settings, source) =>
        names.map((name) => resolve(name.text, from, ts.getModeForUsageLocation(source, name, settings))),
      writeFile: () => undefined,
    };
    return ours;
  }
}

/** Those of this process. */
export const programs = new Programs();

/** What the resolver says beside its types. */
type Resolved = ts.ResolvedModuleWithFailedLookupLocations & { readonly failedLookupLocations?: readonly string[] };

const stampsOf = (files: ReadonlySet<string>): string => [...files].map((file) => stampOf(file) ?? '').join();

function optionsOf(config: string | undefined, file: string, configs: Set<string>): ts.CompilerOptions {
  if (config === undefined) return { ...DEFAULTS, ...typesOf(dirname(file)), ...FIXED };
  const source = ts.readJsonConfigFile(config, (name) => ts.sys.readFile(name));
  // Its files are not listed: those that a source imports are read, and a project may have thousands.
  const host: ts.ParseConfigHost = { ...ts.sys, readDirectory: () => [file] };
  const { options } = ts.parseJsonSourceFileConfigFileContent(source, host, dirname(config));
  for (const name of [config, ...(source.extendedSourceFiles ?? [])]) configs.add(name);
  const kept = Object.fromEntries(Object.entries(options).filter(([name]) => !LEFT_OUT.includes(name)));
  return { ...(options.module === undefined && DEFAULTS), ...typesOf(dirname(config), options), ...kept, ...FIXED };
}

/** TypeScript 6 takes no types but those that are listed; Node's are meant where they are installed. */
function typesOf(folder: string, options: ts.CompilerOptions = {}): ts.CompilerOptions {
  if (options.types !== undefined) return {};
  for (let place = folder; ; place = dirname(place)) {
    if (existsSync(join(place, 'node_modules', '@types', 'node', 'package.json'))) return { types: ['node'] };
    if (dirname(place) === place) return { types: [] };
  }
}
