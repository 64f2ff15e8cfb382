/**
 * Files that keep their name while something of ours runs in their place: the main module of a package that
 * we stand for, and the modules beneath it that tools patch (`express/lib/router/layer`).
 *
 * `require('express')` is resolved by Node, to upstream's file; when that file is to be loaded, its module is
 * there already and its exports are ours. So `require.resolve`, `require.cache` and the tools that instrument
 * packages as they are loaded (they go by the file's path and the version in its manifest) find what they
 * find under `node`. Never decides for files outside `node_modules`.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { noteKoaCompose } from './koa-compose.ts';
import type { AliasTarget, AliasTargets } from '../settings.ts';

/** What runs in place of a file. */
export interface Substitute {
  readonly require: string;
  /** The member of the bundle's `parts`; `undefined`: the bundle itself is the package's main module. */
  readonly part?: string;
  /** Of a main module of Koa: the package's folder. */
  readonly koa?: string;
  /**
   * Of a main module: the package's other files that have a substitute, in the order in which upstream has
   * them loaded.
   */
  readonly parts?: readonly string[];
}

/** What runs in place of `file`, or `undefined` to load the file itself. */
export type Substituter = (file: string) => Substitute | undefined;

export function createSubstituter({ packages, parts }: Pick<AliasTargets, 'packages' | 'parts'>): Substituter {
  const inPackage = new RegExp(`^(.*[\\\\/]node_modules[\\\\/](${[...packages.keys()].join('|')}))[\\\\/]`);
  const known = new Map<string, Substitute | undefined>();
  return (file) => {
    const [, folder, name] = inPackage.exec(file) ?? [];
    if (folder === undefined || name === undefined) return undefined;
    if (known.has(file)) return known.get(file);
    const { version, main } = readManifest(folder);
    const target = packages.get(name)?.get(Number.parseInt(version, 10));
    const substitute =
      target && (main === file ? toMain(target, { name, folder }, parts) : toPart(target, file.slice(folder.length + 1), parts));
    known.set(file, substitute);
    return substitute;
  };
}

function toMain({ require }: AliasTarget, { name, folder }: { name: string; folder: string }, parts: AliasTargets['parts']): Substitute {
  const files = (parts.get(require)?.files ?? []).map((part) => join(folder, part));
  return { require, ...(name === 'koa' && { koa: folder }), parts: files };
}

function toPart(target: AliasTarget, path: string, parts: AliasTargets['parts']): Substitute | undefined {
  const part = path.replaceAll('\\', '/');
  const found = parts.get(target.require);
  return found?.files.includes(part) === true ? { require: found.require, part } : undefined;
}

function readManifest(folder: string): { version: string; main: string | undefined } {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version?: unknown; main?: unknown };
    const main = typeof manifest.main === 'string' ? manifest.main : 'index.js';
    return { version: String(manifest.version), main: normalize(join(folder, main)) };
  } catch {
    // A broken manifest: upstream's own code shall meet it.
    return { version: '', main: undefined };
  }
}

/** The parts of a CommonJS module that filling needs. */
export interface SubstitutedModule {
  filename?: string | null;
  paths: string[];
  loaded: boolean;
  exports: unknown;
  require(name: string): unknown;
}

/** The parts of `node:module` that placing needs. */
interface ModuleClass {
  new (file: string): SubstitutedModule;
  prototype: SubstitutedModule;
  _cache: Record<string, unknown>;
  _nodeModulePaths(folder: string): string[];
  _load(request: string, parent: undefined, isMain: boolean): unknown;
}

const moduleClass = (): ModuleClass => process.getBuiltinModule('node:module') as unknown as ModuleClass;

/** Node's own, as it was before any tool of the application put its own there to watch what is loaded. */
const { require: plainRequire } = moduleClass().prototype;

/**
 * Makes `module` what it is after `file` was loaded, with our exports, which are loaded when they are asked
 * for.
 */
export function fillSubstitute(module: SubstitutedModule, file: string, substitute: Substitute): void {
  module.filename = file;
  module.paths = moduleClass()._nodeModulePaths(dirname(file));
  module.loaded = true;
  const set = (value: unknown): void => {
    Object.defineProperty(module, 'exports', { value, writable: true, enumerable: true, configurable: true });
  };
  const get = (): unknown => {
    set(loadSubstitute(module, substitute));
    return module.exports;
  };
  Object.defineProperty(module, 'exports', { get, set, enumerable: true, configurable: true });
}

function loadSubstitute(module: SubstitutedModule, { require, part, parts, koa }: Substitute): unknown {
  if (part !== undefined) return (moduleClass()._load(require, undefined, false) as { parts: Record<string, unknown> }).parts[part];
  // Upstream's own file would, and tools that watch `require` for `http` may see it nowhere else in an
  // application.
  module.require('http');
  // The same for the files that some tools patch as they are loaded; nobody else is made to wait for them.
  if (module.require !== plainRequire) for (const file of parts ?? []) requireIfThere(module, file);
  if (koa !== undefined) noteKoaCompose(koa);
  return moduleClass()._load(require, undefined, false);
}

/** Early minor versions lack some of the files. */
function requireIfThere(module: SubstitutedModule, file: string): void {
  try {
    module.require(file);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'MODULE_NOT_FOUND') throw error;
  }
}

/** Puts a module for `file` into the cache of loaded modules, unless there is one. */
export function placeSubstitute(file: string, substitute: Substitute): void {
  const loader = moduleClass();
  if (loader._cache[file] !== undefined) return;
  const module = new loader(file);
  fillSubstitute(module, file, substitute);
  loader._cache[file] = module;
}
