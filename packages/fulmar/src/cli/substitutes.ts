/**
 * Files that keep their name while something of ours runs in their place: the main module of a package that we stand for.
 *
 * `require('express')` is resolved by Node, to upstream's file; when that file is to be loaded, its module is there already and its
 * exports are ours. So `require.resolve`, `require.cache` and the tools that instrument packages as they are loaded (they go by the
 * file's path and the version in its manifest) find what they find under `node`. Never decides for files outside `node_modules`.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import type { AliasTarget, AliasTargets } from './settings.ts';

/** What runs in place of `file`, or `undefined` to load the file itself. */
export type Substituter = (file: string) => AliasTarget | undefined;

export function createSubstituter({ packages }: Pick<AliasTargets, 'packages'>): Substituter {
  const inPackage = new RegExp(`^(.*[\\\\/]node_modules[\\\\/](${[...packages.keys()].join('|')}))[\\\\/]`);
  const known = new Map<string, AliasTarget | undefined>();
  return (file) => {
    const [, folder, name] = inPackage.exec(file) ?? [];
    if (folder === undefined || name === undefined) return undefined;
    if (known.has(file)) return known.get(file);
    const { version, main } = readManifest(folder);
    const target = main === file ? packages.get(name)?.get(Number.parseInt(version, 10)) : undefined;
    known.set(file, target);
    return target;
  };
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
  _cache: Record<string, unknown>;
  _nodeModulePaths(folder: string): string[];
  _load(request: string, parent: undefined, isMain: boolean): unknown;
}

/** Makes `module` what it is after `file` was loaded, with our exports, which are loaded when they are asked for. */
export function fillSubstitute(module: SubstitutedModule, file: string, target: AliasTarget): void {
  const loader = process.getBuiltinModule('node:module') as unknown as ModuleClass;
  module.filename = file;
  module.paths = loader._nodeModulePaths(dirname(file));
  module.loaded = true;
  const set = (value: unknown): void => {
    Object.defineProperty(module, 'exports', { value, writable: true, enumerable: true, configurable: true });
  };
  const get = (): unknown => {
    // Upstream's own file would, and tools that watch `require` for `http` may see it nowhere else in an application.
    module.require('http');
    set(loader._load(target.require, undefined, false));
    return module.exports;
  };
  Object.defineProperty(module, 'exports', { get, set, enumerable: true, configurable: true });
}

/** Puts a module for `file` into the cache of loaded modules, unless there is one. */
export function placeSubstitute(file: string, target: AliasTarget): void {
  const loader = process.getBuiltinModule('node:module') as unknown as ModuleClass;
  if (loader._cache[file] !== undefined) return;
  const module = new loader(file);
  fillSubstitute(module, file, target);
  loader._cache[file] = module;
}
