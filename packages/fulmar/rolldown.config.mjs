// How the sources become what is published: CommonJS with shared chunks, so that `import` and `require()` meet one instance.
// `lib-http`, `lib-express` and `lib-express4` are the modules themselves; the thin `http.cjs`, `http.mjs` … that applications import are written
// by `scripts/lib/bundle.mjs`. Files stay flat in `dist`, next to the addon.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';
import { copyHost } from './copy-host.mjs';
import { inlineFormat } from './inline-format.mjs';

const here = dirname(fileURLToPath(import.meta.url));

/** Output name → source. A file that is loaded by path would be an entry of its own. */
const entries = {
  'lib-http': 'src/http/index.ts',
  'lib-express': 'src/express/index.ts',
  'lib-express4': 'src/express/express4/index.ts',
  'lib-express-parts': 'src/express/parts.ts',
  'lib-express4-parts': 'src/express/express4/parts.ts',
  'lib-koa': 'src/koa/index.ts',
  'lib-koa2': 'src/koa/koa2.ts',
  'lib-zlib': 'src/zlib/index.ts',
  cli: 'src/cli/index.ts',
  register: 'src/cli/register/index.ts',
  'cli-interactive': 'src/cli/interactive/index.ts',
  'jest-resolver': 'src/cli/jest/resolver.ts',
  'cli-uncompiled': 'src/cli/uncompiled/index.ts',
  'bench-probe': 'src/cli/bench/probe.ts',
  'doctor-probe': 'src/cli/doctor/probe/index.ts',
  'build-stub': 'src/cli/build/runtime/stub.ts',
  'build-runtime': 'src/cli/build/runtime/index.ts',
  'build-threads': 'src/cli/build/runtime/threads.ts',
};

/** The files whose imports are libraries, or parts of ours, that many applications never use: their functions load them on their first call. */
const lazyFiles = ['express', 'http', 'koa', 'web'].map((layer) => join(here, 'src', layer, 'lazy.ts')).filter((file) => existsSync(file));
const lazyImport = /^import (\w+) from '([^']+)';$/gm;
const lazyEntry = (name) => `lazy-${name.replaceAll(/^\.\/|\.ts$/g, '').replaceAll(/[^\w-]/g, '-')}`;

/** The entry of each lazy package: a module that is not on disk, beside a lazy file, so that packages resolve as from there. */
const lazySources = new Map(
  lazyFiles.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(lazyImport)].map(([, , name]) => [name, join(dirname(file), `${lazyEntry(name)}.entry.js`)]),
  ),
);

/**
 * Gives each of those packages a file of its own; `import x from 'pkg'` in a lazy file becomes a `require()` the first time `x` is
 * returned. Runs on the text before types are stripped, so the type-only import keeps `typeof x` valid; no line moves.
 */
const loadLazily = {
  name: 'load-lazily',
  transform: {
    filter: { id: /src[\\/]\w+[\\/]lazy\.ts$/ },
    handler(code) {
      const packages = new Map([...code.matchAll(lazyImport)].map(([, local, name]) => [local, name]));
      const load = (local) => `($${local} ??= require('./${lazyEntry(packages.get(local))}.cjs').default)`;
      const lazy = code
        .replaceAll(lazyImport, "import type $1 from '$2'; let $$$1: any;")
        .replaceAll(/=> (\w+);$/gm, (text, local) => (packages.has(local) ? `=> ${load(local)};` : text));
      return { code: lazy, map: null };
    },
  },
  resolveId: {
    filter: { id: /lazy-[\w-]+\.(?:cjs|entry\.js)$/ },
    handler: (id) => ({ id, external: id.endsWith('.cjs') }),
  },
  load: {
    filter: { id: /lazy-[\w-]+\.entry\.js$/ },
    handler: (id) => `export { default } from '${[...lazySources].find(([, source]) => source === id)[0]}';`,
  },
};

/** Commands with a chunk of their own: what they share with the rest of the command line is copied into it, under this mark. */
const cliFolder = join(here, 'src', 'cli');
const commands = ['build/runtime', 'build', 'bench', 'doctor', 'help', 'info', 'interactive', 'jest', 'register', 'uncompiled'].map(
  (name) => ({
    mark: `?${name.replace('/', '-')}`,
    folder: join(cliFolder, name) + sep,
  }),
);

/**
 * Copies what commands other than `run` share with the rest of the command line into their own chunks. Shared, it would become a second
 * file that the start of every application has to load.
 */
const copyIntoCommands = {
  name: 'copy-into-commands',
  resolveId: {
    filter: { id: /^\.{1,2}\/[\w./-]+\.ts$/ },
    handler(id, importer) {
      const owner = commands.find(({ mark, folder }) => importer?.startsWith(folder) || importer?.endsWith(mark));
      if (owner === undefined) return undefined;
      const file = join(dirname(importer.replace(owner.mark, '')), id);
      return dirname(file) === cliFolder ? `${file}${owner.mark}` : undefined;
    },
  },
  load: {
    filter: { id: /\?(?:build|build-runtime|bench|doctor|help|info|interactive|jest|register|uncompiled)$/ },
    handler: (id) => ({ code: readFileSync(id.slice(0, id.lastIndexOf('?')), 'utf8'), moduleType: 'ts' }),
  },
};

/** Where `mime-types` is found from a file, with its version. */
function mimeTypesFrom(name, file) {
  const require = createRequire(file);
  const { version } = require(`${name}/package.json`);
  return { version, path: require.resolve(name) };
}

/** The version of `mime-types` that Koa uses, and below their packages the libraries of Express 4 too: its table is bundled once. */
const shareMimeTypes = {
  name: 'share-mime-types',
  resolveId: {
    filter: { id: /^mime-types$/ },
    handler(id, importer) {
      const shared = mimeTypesFrom('mime-types2', join(here, 'package.json'));
      return mimeTypesFrom(id, importer).version === shared.version ? shared.path : undefined;
    },
  },
};

/** Small libraries that several entries use, in the versions that `express` uses: one file instead of one for each. */
const commonLibraries = nodeModules(
  'bytes content-disposition content-type cookie depd ee-first encodeurl escape-html fresh http-errors inherits on-finished parseurl ' +
    'path-to-regexp range-parser setprototypeof statuses toidentifier vary',
);

function nodeModules(names) {
  return new RegExp(`^(?:(?!node_modules).)*node_modules[\\\\/](?:${names.replaceAll(' ', '|')})[\\\\/]`);
}

/**
 * What a start does not need, in files that are loaded when something of theirs is first used (scripts/lib/lazy-requires.mjs). Nothing
 * of them may be used while a module is loaded.
 */
const laterParts = {
  'express-body': ['web/body/.*'],
  'express-files': ['web/static/.*', 'express/file-transfer', 'express/render-view'],
  'express-rare': [
    'web/accepted-type',
    'express/final-handler',
    'express/http2-bridge',
    'express/jsonp',
    'express/parsed-url',
    'express/router/(?:matcher|options-reply|params|trace)',
  ],
  'express4-files': ['express/express4/send-stream'],
};

const laterGroups = Object.entries(laterParts).map(([name, files]) => ({
  name,
  test: new RegExp(`[\\\\/]src[\\\\/](?:${files.join('|').replaceAll('/', '[\\\\/]')})\\.ts$`),
  includeDependenciesRecursively: false,
}));

/** Why there is no engine: for whoever has none. */
laterGroups.push({ name: 'engine-problems', test: /[\\/]src[\\/]exchange[\\/]addon-problems\.ts$/, includeDependenciesRecursively: false });

export default defineConfig({
  cwd: here,
  input: {
    ...Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(join(here, file)))),
    ...Object.fromEntries([...lazySources].map(([name, source]) => [lazyEntry(name), source])),
  },
  // What Express 4 shares with 5 stays in `lib-express`: a chunk of its own would be one more file to load for every application.
  preserveEntrySignatures: 'allow-extension',
  platform: 'node',
  external: [/^node:/, 'oxc-transform', /^rolldown(?:\/|$)/, /\.node$/],
  plugins: [copyHost, inlineFormat, loadLazily, copyIntoCommands, shareMimeTypes],
  // Named numbers cost a look-up each in QuickJS.
  optimization: { inlineConst: { mode: 'all', pass: 2 } },
  output: {
    dir: join(here, 'dist'),
    format: 'cjs',
    exports: 'named',
    // Our sources are modules: an assignment that cannot be made must throw in the bundle too.
    strict: true,
    codeSplitting: { groups: [{ name: 'libraries', test: commonLibraries }, ...laterGroups] },
    sourcemap: true,
    minify: false,
    entryFileNames: '[name].cjs',
    chunkFileNames: 'shared-[name].cjs',
  },
});
