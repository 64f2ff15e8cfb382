/**
 * Node's modules for QuickJS (`packages/quickjs-node`): one CommonJS file for each (`node/<name>.cjs`), for
 * each part that is loaded late and for what they share, so that an application loads only what it imports.
 * `scripts/lib/quickjs.mjs` compiles them into the host.
 */
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { defineConfig } from 'rolldown';
import { fulmarFolder, fulmarSources, nodeFolder, nodeSources } from './folders.mjs';
import { bootAlone } from './passes/boot-alone.mjs';
import { copyHost } from './passes/copy-host.mjs';
import { groupsOf } from './passes/groups.mjs';
import { later } from './passes/later.mjs';
import { checkLists } from './passes/met.mjs';
import { readableStream } from './passes/readable-stream.mjs';
import { isReplaced, undici } from './passes/undici.mjs';

/**
 * The name in the host of a source by its place, or undefined when it has none: `fs/index.ts` → `node/fs` and
 * `fs/promises.module.ts` → `node/fs/promises` (Node's modules), `fs/trees.later.ts` → `fs/trees` (loaded by
 * `later`).
 */
export function nameInRuntime(path) {
  const [, module, part, late] = /^(?:(.+)\/index|(.+)\.module|(.+)\.later)\.ts$/.exec(path) ?? [];
  if (module !== undefined || part !== undefined) return `node/${module ?? part}`;
  return late;
}

/** What applications made by `fulmar build --native` call; only they load it. */
const forBundles = join(fulmarSources, 'launch', 'built', 'native');

const fixed = {
  boot: join(nodeSources, 'start', 'boot.ts'),
  setup: join(nodeSources, 'start', 'setup.ts'),
  main: join(nodeSources, 'start', 'main.ts'),
  commonjs: join(fulmarSources, 'launch', 'compile', 'commonjs.ts'),
  ...Object.fromEntries(
    ['announce', 'application', 'bundled', 'exported', 'helpers', 'lifecycle'].map((name) => [name, join(forBundles, `${name}.ts`)]),
  ),
};

const input = { ...fixed };
for (const entry of readdirSync(nodeSources, { recursive: true })) {
  const name = nameInRuntime(relative('.', entry).replaceAll('\\', '/'));
  if (name === undefined) continue;
  if (input[name] !== undefined) throw new Error(`${entry} and ${input[name]} would both be ${name}`);
  input[name] = join(nodeSources, entry);
}

const names = new Map(Object.entries(input).map(([name, file]) => [file, `${name}.cjs`]));

/**
 * Files that are loaded together, as chunks: each module of the host costs a start some thousand
 * instructions.
 */
const together = groupsOf(nodeSources, {
  core: ['shared/validators', 'shared/define', 'shared/lazy-property', 'shared/late-class', 'events/emitter'],
  streams: ['stream/chunks', 'stream/classes', 'stream/state'],
  nets: ['net/arguments', 'net/block-list', 'net/ip'],
  messages: ['http/message-classes', 'http/common', 'http/outgoing-state', 'http/status-codes', 'http/server', 'http/client-classes'],
});

export default defineConfig({
  cwd: nodeFolder,
  plugins: [
    copyHost(fulmarSources),
    later(names),
    undici(join(nodeSources, 'web')),
    readableStream('stream/parts.cjs'),
    bootAlone,
    checkLists(together.met),
  ],
  input,
  platform: 'node',
  preserveEntrySignatures: 'allow-extension', // As groups without their dependencies ask for; nothing but `require` reads the entries.
  external: (id, importer) => (id.startsWith('node:') && !isReplaced(id, importer)) || id.startsWith('fulmar:'),
  output: {
    dir: join(fulmarFolder, 'dist', 'native'),
    format: 'cjs',
    exports: 'named',
    strict: true,
    sourcemap: false,
    minify: false,
    entryFileNames: '[name].cjs',
    chunkFileNames: 'shared-[name].cjs',
    codeSplitting: { includeDependenciesRecursively: false, groups: together.groups },
  },
});
