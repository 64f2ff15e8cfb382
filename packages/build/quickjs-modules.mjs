/**
 * The QuickJS host's modules: bundles `packages/quickjs-node` into `packages/fulmar/dist/native`, one
 * CommonJS file for each of Node's modules, and lists everything that goes into the host.
 * `scripts/lib/quickjs.mjs` has it compiled to bytecode.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { distDir } from '../../scripts/lib/run.mjs';
import { generate, shortenNames, writeIfChanged } from './rolldown.mjs';

export const nativeDir = join(distDir, 'native');

/** What applications import of ours; each is compiled into the host with all that it requires. */
const facades = [
  'app',
  'middleware',
  'openapi',
  'types',
  'rpc',
  'routes',
  'polyglot',
  'polyglot-global',
  // What files of `fulmar build` open a project with.
  'lib-project',
  'controllers',
  'controllers-openapi',
  'http',
  'express',
  'express4',
  'koa',
  'koa2',
];

/** Bundles the modules; returns rolldown's output. */
export async function bundleNativeModules() {
  const { default: config } = await import('./quickjs-node.config.mjs');
  const { requireLazily } = await import('./passes/require-lazily.mjs');
  const output = await generate(config);
  const files = new Set();
  for (const item of output) {
    if (item.type !== 'chunk') continue;
    const file = join(nativeDir, item.fileName);
    files.add(file);
    mkdirSync(dirname(file), { recursive: true });
    writeIfChanged(file, await forRuntime(file, requireLazily(item.code)));
  }
  removeStale(nativeDir, files);
  return output;
}

/**
 * A chunk as the host carries it: each name that a module's bytecode holds is looked up when it is read, and
 * short ones are shared.
 */
async function forRuntime(file, code) {
  const { exportPlainly } = await import('./passes/export-plainly.mjs');
  return shortenNames(file, exportPlainly(code));
}

/** Everything that the host carries: name there → file. */
export async function runtimeModules() {
  const modules = new Map();
  await writeOwnBundles();
  for (const file of filesIn(nativeDir)) modules.set(relative(nativeDir, file), file);
  return modules;
}

/** Our own bundles as the host carries them, in `fulmar/`. */
export async function writeOwnBundles() {
  const folder = join(nativeDir, 'fulmar');
  mkdirSync(folder, { recursive: true });
  const names = new Set(ownBundles());
  for (const name of names) writeIfChanged(join(folder, name), await forRuntime(name, readFileSync(join(distDir, name), 'utf8')));
  for (const name of readdirSync(folder)) if (!names.has(name)) rmSync(join(folder, name));
}

/** Our bundles load each other by literal names. */
function ownBundles() {
  const names = new Set(facades.map((name) => `${name}.cjs`));
  for (const name of names) {
    const text = readFileSync(join(distDir, name), 'utf8');
    for (const [, found] of text.matchAll(/\brequire\(["']\.\/([\w.-]+\.cjs)["']\)/g)) names.add(found);
  }
  return [...names].sort();
}

function* filesIn(folder) {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* filesIn(path);
    else yield path;
  }
}

function removeStale(folder, files) {
  if (!existsSync(folder)) return;
  for (const file of Array.from(filesIn(folder))) {
    if (files.has(file) || dirname(file) === join(nativeDir, 'fulmar')) continue;
    rmSync(file);
    if (readdirSync(dirname(file)).length === 0) rmdirSync(dirname(file));
  }
}
