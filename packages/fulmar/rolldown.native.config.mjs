// The native host's modules: one CommonJS file for each of Node's modules (`node/<name>.cjs`) and what they share, so that an application
// loads only what it imports. `scripts/lib/native.mjs` compiles them into the runtime.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';
import { copyHost } from './copy-host.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const folder = join(here, 'src', 'native');
/** What applications made by `fulmar build --native` call; only they load it. */
const forBundles = join(here, 'src', 'cli', 'build', 'runtime', 'native');

/** `node/fs/promises` → `src/native/node/fs/promises.ts`; a folder with an `index.ts` is one module. */
function modulesIn(place) {
  return readdirSync(place).flatMap((name) => {
    const path = join(place, name);
    if (statSync(path).isDirectory())
      return existsSync(join(path, 'index.ts')) ? [[relative(folder, path), join(path, 'index.ts')], ...subpaths(path)] : modulesIn(path);
    return name.endsWith('.ts') && !name.endsWith('.d.ts') ? [[relative(folder, path).slice(0, -'.ts'.length), path]] : [];
  });
}

/** Within a module's folder, files named in its `subpaths` export list are modules of their own (`fs/promises`). */
function subpaths(place) {
  return ['promises', 'web', 'consumers', 'strict', 'posix', 'win32', 'types']
    .map((name) => join(place, `${name}.ts`))
    .filter((path) => existsSync(path))
    .map((path) => [relative(folder, path).slice(0, -'.ts'.length), path]);
}

/** What `readable-stream` needs beside its streams is ours, or a module of the runtime: exports of `lazy/stream-parts.ts`. */
const streamParts = {
  'ours/errors': 'errors',
  'ours/util': 'util',
  'streams/state': 'state',
  './state': 'state',
  'shims/process': 'process',
  '/validators': 'validators',
  'string_decoder/': 'stringDecoder',
};

const PART = '\0stream-part:';

const readableStream = {
  name: 'readable-stream',
  resolveId(id, importer) {
    if (!importer?.includes('/readable-stream/lib/')) return null;
    if (id === 'buffer' || id === 'events') return { id: `node:${id}`, external: true };
    if (id === './duplexify' && importer.endsWith('/duplex.js')) return `${PART}process`; // `Duplex.from` is ours.
    const part = Object.keys(streamParts).find((end) => id.endsWith(end));
    return part === undefined ? null : `${PART}${streamParts[part]}`;
  },
  // Loaded by name: what CommonJS requires of our modules would give each of them a function to run it and a getter for each export.
  load(id) {
    if (!id.startsWith(PART)) return null;
    return `module.exports = require('fulmar:internal')('lazy/stream-parts.cjs').${id.slice(PART.length)};`;
  },
};

/** The first module is loaded before there is a `require`; rolldown makes it require its helpers, of which it uses none. */
const bootAlone = {
  name: 'boot-alone',
  renderChunk(code, chunk) {
    if (chunk.name !== 'boot') return null;
    const [whole, name] = /^const (\w+) = require\("\.\/shared-rolldown-runtime\.cjs"\);$/m.exec(code) ?? [];
    if (whole === undefined) return null;
    const alone = code.replace(whole, '');
    if (alone.includes(name)) throw new Error('boot.ts must not need a module of its own');
    return alone;
  },
};

/** What undici's modules get instead of what they ask for: `fetch` stays small and sends with our own client. */
const UNDICI = {
  'node:assert': 'undici-assert.cjs',
  'node:zlib': 'undici-zlib.ts',
  '/global': 'undici-global.ts',
  '/util/runtime-features': 'undici-runtime-features.ts',
};

/**
 * QuickJS frees an object with its last reference. undici holds by weak references what V8 keeps until the end of the turn or until its
 * collector comes by: the response that is being given back, and the body of a response that nobody holds any more.
 */
const UNDICI_CHANGES = {
  'fetch/index.js': [
    // Node names itself, not the package it has it from.
    [
      "const defaultUserAgent = typeof __UNDICI_IS_NODE__ !== 'undefined' || typeof esbuildDetection !== 'undefined'",
      'const defaultUserAgent = true',
    ],
    [
      "responseObject = new WeakRef(fromInnerResponse(response, 'immutable'))",
      "const made = fromInnerResponse(response, 'immutable')\n    responseObject = new WeakRef(made)",
    ],
    ['const markResourceTiming = performance.markResourceTiming', 'const markResourceTiming = () => {}'],
  ],
  // A range without an end goes to the end of a blob (mended in undici 8).
  'fetch/util.js': [['if (rangeStartValue > rangeEndValue)', 'if (rangeEndValue !== null && rangeStartValue > rangeEndValue)']],
  'fetch/response.js': [
    ['streamRegistry.register(this, new WeakRef(this.#state.body.stream))', ''],
    ['streamRegistry.register(response, new WeakRef(innerResponse.body.stream))', ''],
  ],
};

function replacementFor(id, importer) {
  if (!importer?.includes('/node_modules/undici/')) return undefined;
  const found = Object.keys(UNDICI).find((end) => (end.startsWith('/') ? id.replace(/\.js$/, '').endsWith(`..${end}`) : id === end));
  return found === undefined ? undefined : join(folder, 'web', UNDICI[found]);
}

/** @type {import('rolldown').Plugin} */
const undici = {
  name: 'fulmar:undici',
  resolveId: (id, importer) => replacementFor(id, importer) ?? null,
  transform(code, id) {
    const file = id.includes('/undici/lib/web/') ? Object.keys(UNDICI_CHANGES).find((name) => id.endsWith(`/${name}`)) : undefined;
    if (file === undefined) return null;
    return UNDICI_CHANGES[file].reduce((text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`undici's ${file} has changed: "${from}" is not there`);
      return text.replace(from, to);
    }, code);
  },
};

/** Files that are loaded together, as chunks: each module of the runtime costs a start some thousand instructions. */
const together = {
  core: ['validators', 'define', 'lazy-property', 'late-class', 'node/events/emitter'],
  streams: ['stream/chunks', 'stream/classes', 'stream/state'],
  nets: ['net/arguments', 'net/block-list', 'net/ip'],
  messages: ['http/message-classes', 'http/common', 'http/outgoing-state', 'http/status-codes', 'http/server', 'http/client-classes'],
};

const groups = Object.entries(together).map(([name, files]) => {
  const ids = new Set(files.map((file) => join(folder, `${file}.ts`)));
  return { name, test: (id) => ids.has(id) };
});

export default defineConfig({
  cwd: here,
  plugins: [copyHost, undici, readableStream, bootAlone],
  input: {
    boot: join(folder, 'boot.ts'),
    setup: join(folder, 'setup.ts'),
    main: join(folder, 'main.ts'),
    commonjs: join(here, 'src', 'cli', 'commonjs.ts'),
    ...Object.fromEntries(
      ['announce', 'application', 'bundled', 'helpers', 'lifecycle'].map((name) => [name, join(forBundles, `${name}.ts`)]),
    ),
    ...Object.fromEntries(modulesIn(join(folder, 'node'))),
    // Parts that a module loads by `fulmar:internal` when they are needed.
    ...Object.fromEntries(modulesIn(join(folder, 'lazy'))),
  },
  platform: 'node',
  preserveEntrySignatures: 'allow-extension', // As groups without their dependencies ask for; nothing but `require` reads the entries.
  external: (id, importer) => (id.startsWith('node:') && replacementFor(id, importer) === undefined) || id.startsWith('fulmar:'),
  output: {
    dir: join(here, 'dist', 'native'),
    format: 'cjs',
    exports: 'named',
    strict: true,
    sourcemap: false,
    minify: false,
    entryFileNames: '[name].cjs',
    chunkFileNames: 'shared-[name].cjs',
    codeSplitting: { includeDependenciesRecursively: false, groups },
  },
});
