/**
 * The runtimes a contestant can run on: the pinned Node versions and Bun of `bench/package-lock.json`, and
 * Fulmar on either Node. Knows paths and command lines; starts nothing but `--version`.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { firstLine, packageDir } from '../../scripts/lib/run.mjs';

export const benchDir = dirname(dirname(fileURLToPath(import.meta.url)));

const fulmar = join(packageDir, 'bin', 'fulmar.cjs');
const bunCpu = process.arch === 'arm64' ? 'aarch64' : process.arch;
const installed = (...path) => join(benchDir, 'node_modules', ...path);

const binaries = {
  node20: installed(`node20-${process.platform}-${process.arch}`, 'bin', 'node'),
  node26: installed(`node26-${process.platform}-${process.arch}`, 'bin', 'node'),
  bun: installed('@oven', `bun-${process.platform}-${bunCpu}`, 'bin', 'bun'),
};

/** Titles as the report shows them. `native` is a program of its own. */
export const runtimeTitles = {
  node20: 'Node 20',
  node26: 'Node 26',
  bun: 'Bun',
  'bun-compiled': 'compiled by Bun',
  native: 'native',
  'fulmar-native': 'Fulmar, native executable',
  'fulmar-built-node26': 'fulmar build, on Node 26',
  'fulmar-node20': 'Fulmar on Node 20',
  'fulmar-node26': 'Fulmar on Node 26',
  'node26-cached': 'Node 26 with its compile cache',
  'fulmar-node26-uncached': 'Fulmar on Node 26 without compile cache',
};

/**
 * Fulmar turns on Node's compile cache, stock Node has it off: cold starts are measured the other way round
 * as well. `NODE_COMPILE_CACHE` is filled in by the run, with a folder that one start has written.
 */
export const startOnly = {
  'node26-cached': { base: 'node26', env: (cacheFolder) => ({ NODE_COMPILE_CACHE: cacheFolder }) },
  'fulmar-node26-uncached': { base: 'fulmar-node26', env: () => ({ NODE_DISABLE_COMPILE_CACHE: '1' }) },
  'fulmar-built-node26': { base: 'node26', env: () => ({}) },
};

/** Runtimes for which a contestant's program is made into one file first: where, and by which command. */
export const made = {
  'fulmar-native': {
    file: 'dist/native',
    command: (source, target) => [process.execPath, fulmar, 'build', source, '--native', '-o', target],
  },
  'fulmar-built-node26': { file: 'dist/built.mjs', command: (source, target) => [process.execPath, fulmar, 'build', source, '-o', target] },
  // As Bun's documentation deploys: minified, and with bytecode, which is what makes it start faster.
  'bun-compiled': {
    file: 'dist/bun',
    command: (source, target) => [binaryOf('bun'), 'build', '--compile', '--minify', '--bytecode', source, '--outfile', target],
  },
};

/** Runtimes that are programs of their own. */
export const executables = ['native', 'bun-compiled', 'fulmar-native'];

/**
 * The command that runs `program` on `runtime`, as an argument vector. Throws for an unknown or absent
 * runtime.
 */
export function commandFor(runtime, program) {
  if (!(runtime in runtimeTitles)) {
    throw new Error(`Unknown runtime ${JSON.stringify(runtime)}; expected one of ${Object.keys(runtimeTitles).join(', ')}.`);
  }
  if (runtime in startOnly) return commandFor(startOnly[runtime].base, program);
  const underFulmar = runtime.startsWith('fulmar-');
  const binary = binaryOf(underFulmar ? runtime.slice('fulmar-'.length) : runtime);
  return underFulmar ? [binary, fulmar, 'run', program] : [binary, program];
}

export function binaryOf(name) {
  // The smoke run needs no download: the Node that runs it stands for its own version.
  if (name === `node${process.versions.node.split('.')[0]}` && !existsSync(binaries[name] ?? '')) return process.execPath;
  if (!existsSync(binaries[name])) throw new Error(`${name} is not installed for ${process.platform}-${process.arch}.`);
  return binaries[name];
}

/** `{ node26: '26.10.0', … }` of those that are installed. */
export function runtimeVersions() {
  const versions = {};
  for (const name of Object.keys(binaries)) {
    if (existsSync(binaries[name])) versions[name] = firstLine(binaries[name], ['--version'])?.replace(/^v/, '');
  }
  return versions;
}
