/**
 * Programs of TypeScript's checker, one for each configuration, kept and brought up to date as files are
 * compiled: what has not changed is not parsed again. Reads files; never writes one, and checks no types.
 */
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { findConfig } from './config.ts';

/** Without a `tsconfig.json`, and what no configuration may change: without `null` in types schemas are wrong. */
const DEFAULTS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
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
  readonly roots: Set<string>;
  readonly host: ts.CompilerHost;
}

export interface Source {
  readonly file: string;
  /** Its text, which may be another one than that on disk. */
  readonly text: string;
}

export class Programs {
  readonly #kept = new Map<string, Kept>();
  readonly #sources = new Map<string, { readonly stamp: string; readonly source: ts.SourceFile }>();
  readonly #given = new Map<string, string>();

  /** A program that has `file`, as its disk and the given text are now. */
  programOf({ file, text }: Source): UpToDate {
    const config = findConfig(dirname(file));
    const key = config ?? '';
    this.#given.set(file, text);
    const kept = this.#kept.get(key);
    if (kept === undefined) {
      const configs = new Set<string>();
      const options = optionsOf(config, file, configs);
      const host = this.#hostOf(options);
      const made: Kept = { roots: new Set([file]), host, configs, program: ts.createProgram({ rootNames: [file], options, host }) };
      this.#kept.set(key, made);
      return made;
    }
    kept.roots.add(file);
    kept.program = ts.createProgram({
      rootNames: [...kept.roots],
      options: kept.program.getCompilerOptions(),
      host: kept.host,
      oldProgram: kept.program,
    });
    return kept;
  }

  #hostOf(options: ts.CompilerOptions): ts.CompilerHost {
    const host = ts.createCompilerHost(options, true);
    const resolution = ts.createModuleResolutionCache(host.getCurrentDirectory(), (name) => name, options);
    const getSourceFile: ts.CompilerHost['getSourceFile'] = (name, settings) => this.#read(name, settings);
    return { ...host, getSourceFile, getModuleResolutionCache: () => resolution, writeFile: () => undefined };
  }

  /** Parsed once for as long as the file is the same. */
  #read(name: string, settings: ts.ScriptTarget | ts.CreateSourceFileOptions): ts.SourceFile | undefined {
    const given = this.#given.get(name);
    const stamp = given === undefined ? stampOf(name) : `text ${given}`;
    if (stamp === undefined) return undefined;
    const known = this.#sources.get(name);
    if (known?.stamp === stamp) return known.source;
    const text = given ?? ts.sys.readFile(name);
    if (text === undefined) return undefined;
    const source = ts.createSourceFile(name, text, settings, true) as ts.SourceFile & { version?: string };
    // The checker's own name for what has changed between two programs.
    source.version = stamp;
    this.#sources.set(name, { stamp, source });
    return source;
  }
}

function stampOf(name: string): string | undefined {
  const found = statSync(name, { throwIfNoEntry: false });
  return found?.isFile() === true ? `${found.mtimeMs} ${found.size}` : undefined;
}

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
