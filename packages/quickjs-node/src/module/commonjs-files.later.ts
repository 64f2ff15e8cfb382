/**
 * Finds and loads CommonJS and JSON files that were not bundled, as Node does: a part of `node:module` that
 * is loaded with the first such file. What a package exports is in `package-exports.ts`, bundled into this
 * one. Files are read by `node:fs`, embedded ones too.
 */
import ops from 'fulmar:ops';
import { coded, invalidArgValue } from '../shared/errors.ts';
import type { Module } from './module.ts';
import { type Manifest, packageTarget } from './package-exports.ts';

const { existsSync, readFileSync, realpathSync, statSync } = process.getBuiltinModule('node:fs');
const { dirname, join, resolve: toAbsolute } = process.getBuiltinModule('node:path');

/** In Node's order. */
const endings = ['', '.js', '.json', '.node'];

/** The file that `request` means in `parent`. */
export function resolve(request: string, parent: Module | null, options: { paths?: string[] } = {}): string {
  const folders = options.paths ?? [parent?.filename ? dirname(parent.filename) : process.cwd()];
  for (const folder of folders) {
    const found = findFrom(request, folder, parent?.filename);
    if (found !== undefined && isFile(found)) return found;
    if (found !== undefined) throw Object.assign(new Error(`Cannot find module '${found}'`), { code: 'MODULE_NOT_FOUND', path: found });
  }
  const stack = requireStack(parent);
  const message = `Cannot find module '${request}'${stack.length > 0 ? `\nRequire stack:\n- ${stack.join('\n- ')}` : ''}`;
  throw Object.assign(new Error(message), { code: 'MODULE_NOT_FOUND', requireStack: stack });
}

function requireStack(parent: Module | null): string[] {
  const stack: string[] = [];
  for (let module: Module | null | undefined = parent; module; module = module.parent) stack.push(module.filename ?? module.id);
  return stack;
}

function findFrom(request: string, folder: string, importer?: string | null): string | undefined {
  if (/^\.{0,2}\/|^\.{1,2}$/.test(request)) return findFile(toAbsolute(folder, request), request);
  const own = nearestManifest(folder);
  if (request.startsWith('#')) return own && packageTarget(own.manifest, request, own.folder, importer);
  const [, name = request, rest = ''] = /^((?:@[^/]+\/)?[^/]+)(.*)$/.exec(request) ?? [];
  if (own?.manifest.name === name && own.manifest.exports !== undefined) return packageTarget(own.manifest, `.${rest}`, own.folder);
  return findInPackages(name, rest, folder);
}

function findInPackages(name: string, rest: string, folder: string): string | undefined {
  for (let place = folder; ; place = dirname(place)) {
    const packageFolder = join(place, 'node_modules', name);
    const manifest = place.endsWith('/node_modules') ? undefined : readManifest(packageFolder);
    if (manifest?.exports !== undefined && manifest.exports !== null)
      return packageTarget(manifest, `.${rest}`, realpathSync(packageFolder));
    const found = place.endsWith('/node_modules') ? undefined : findFile(packageFolder + rest, rest === '' ? name : rest);
    if (found !== undefined || place === '/') return found;
  }
}

/** `Module._findPath` */
export function findPath(request: string, paths: readonly string[]): string | undefined {
  for (const path of request.startsWith('/') ? [''] : paths) {
    const found = findFile(toAbsolute(path, request), request);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A file, a file with an extension, or a folder's main file; `request` says whether it must be a folder. */
function findFile(path: string, request: string): string | undefined {
  if (!/(?:^|\/)\.{0,2}$/.test(request)) {
    const ending = endings.find((end) => isFile(path + end));
    if (ending !== undefined) return realpathSync(path + ending);
  }
  const main = readManifest(path)?.main;
  const candidates = [
    ...(typeof main === 'string' && main !== '' ? ['', '/index'].map((end) => join(path, main) + end) : []),
    join(path, 'index'),
  ];
  for (const candidate of candidates) {
    const ending = endings.find((end) => isFile(candidate + end));
    if (ending !== undefined) return realpathSync(candidate + ending);
  }
  return undefined;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

const manifests = new Map<string, Manifest | null>();

function readManifest(folder: string): Manifest | undefined {
  const file = join(folder, 'package.json');
  const known = manifests.get(file);
  if (known !== undefined) return known ?? undefined;
  let manifest: Manifest | null = null;
  if (existsSync(file)) {
    try {
      manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
    } catch (cause) {
      throw coded(Error, 'ERR_INVALID_PACKAGE_CONFIG', `Invalid package config ${file}. ${(cause as Error).message}`);
    }
  }
  manifests.set(file, manifest);
  return manifest ?? undefined;
}

function nearestManifest(folder: string): { folder: string; manifest: Manifest } | undefined {
  for (let place = folder; ; place = dirname(place)) {
    const manifest = place.endsWith('/node_modules') ? undefined : readManifest(place);
    if (manifest !== undefined) return { folder: place, manifest };
    if (place === '/' || place.endsWith('/node_modules')) return undefined;
  }
}

/** `module.findPackageJSON` */
export function findPackageJson(specifier: unknown, base?: string | URL): string | undefined {
  const url = process.getBuiltinModule('node:url');
  const toPath = (given: unknown): string =>
    given instanceof URL || String(given).startsWith('file:') ? url.fileURLToPath(given as string) : String(given);
  const text = toPath(specifier);
  if (text === '') throw invalidArgValue('specifier', specifier, 'must be a non-empty string');
  const from = base === undefined ? process.cwd() : dirname(toPath(base));
  const isPath = /^\.{0,2}\/|^\.{1,2}$/.test(text);
  const start = isPath ? toAbsolute(from, text) : dirname(resolveOrFolder(text, from));
  const found = nearestManifest(isPath && !isFile(start) ? start : dirname(start));
  return found && join(found.folder, 'package.json');
}

function resolveOrFolder(name: string, from: string): string {
  return findFrom(name, from) ?? resolve(name, null, { paths: [from] });
}

export function loadScript(module: Module, filename: string): void {
  if (filename.endsWith('.mjs') || (filename.endsWith('.js') && nearestManifest(dirname(filename))?.manifest.type === 'module')) {
    throw coded(
      Error,
      'ERR_REQUIRE_ESM',
      `${filename} is an ES module, which the native host loads only when it is bundled: name it with --require when the executable is built`,
    );
  }
  module._compile(readFileSync(filename, 'utf8').replace(/^\uFEFF/, ''), filename);
}

export function loadJson(module: Module, filename: string): void {
  try {
    module.exports = JSON.parse(readFileSync(filename, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    (error as Error).message = `${filename}: ${(error as Error).message}`;
    throw error;
  }
}

export function compile(module: Module, content: string, filename: string, require: (id: string) => unknown): unknown {
  const run = ops.compile(filename, content);
  return run.call(module.exports, module.exports as object, require, module as never, filename, dirname(filename));
}
