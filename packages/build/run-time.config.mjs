// How the sources become what is published: CommonJS with shared chunks, so that `import` and `require()` meet one instance.
// `lib-http`, `lib-express` … are the modules themselves; the thin `http.cjs`, `http.mjs` … that applications import are written by `bundle.mjs`.
// Files stay flat in `dist`, next to the addon.
import { join } from 'node:path';
import { defineConfig } from 'rolldown';
import { fulmarFolder, fulmarSources } from './folders.mjs';
import { copyHost } from './passes/copy-host.mjs';
import { copyIntoCommands } from './passes/copy-into-commands.mjs';
import { groupsOf, librariesGroup } from './passes/groups.mjs';
import { inlineFormat } from './passes/inline-format.mjs';
import { loadLazily } from './passes/load-lazily.mjs';
import { checkLists } from './passes/met.mjs';
import { shareMimeTypes } from './passes/share-mime-types.mjs';

/** Output name → source. A file that is loaded by path is an entry of its own. */
const entries = {
  'lib-http': 'http/index.ts',
  'lib-express': 'express/index.ts',
  'lib-express4': 'express/express4/index.ts',
  'lib-express-parts': 'express/parts.ts',
  'lib-express4-parts': 'express/express4/parts.ts',
  'lib-koa': 'koa/index.ts',
  'lib-koa2': 'koa/koa2.ts',
  'lib-zlib': 'zlib/index.ts',
  cli: 'cli/index.ts',
  register: 'cli/register/index.ts',
  'cli-interactive': 'cli/interactive/index.ts',
  'jest-resolver': 'cli/jest/resolver.ts',
  'cli-uncompiled': 'cli/uncompiled/index.ts',
  'bench-probe': 'cli/bench/probe.ts',
  'doctor-probe': 'cli/doctor/probe/index.ts',
  'build-stub': 'cli/build/runtime/stub.ts',
  'build-runtime': 'cli/build/runtime/index.ts',
  'build-threads': 'cli/build/runtime/threads.ts',
};

const lazy = loadLazily(['express', 'http', 'koa', 'web'].map((layer) => join(fulmarSources, layer, 'lazy.ts')));

/** Commands with a chunk of their own, the more special first. */
const commands = ['build/runtime', 'build', 'bench', 'doctor', 'help', 'info', 'interactive', 'jest', 'register', 'uncompiled'];

/** Small libraries that several entries use, in the versions that `express` uses: one file instead of one for each. */
const libraries = librariesGroup('libraries', [
  'bytes',
  'content-disposition',
  'content-type',
  'cookie',
  'depd',
  'ee-first',
  'encodeurl',
  'escape-html',
  'fresh',
  'http-errors',
  'inherits',
  'on-finished',
  'parseurl',
  'path-to-regexp',
  'range-parser',
  'setprototypeof',
  'statuses',
  'toidentifier',
  'vary',
]);

/**
 * What a start does not need, in files that are loaded when something of theirs is first used (passes/require-lazily.mjs). Nothing of them may
 * be used while a module is loaded.
 */
const later = groupsOf(fulmarSources, {
  'web-body': ['web/body/*'],
  'web-files': ['web/static/*', 'express/file-transfer', 'express/render-view'],
  'express-rare': [
    'web/accepted-type',
    'express/final-handler',
    'express/http2-bridge',
    'express/jsonp',
    'express/parsed-url',
    'express/router/matcher',
    'express/router/options-reply',
    'express/router/params',
    'express/router/trace',
  ],
  'express4-files': ['express/express4/send-stream'],
  // Why there is no engine: for whoever has none.
  'engine-problems': ['exchange/addon-problems'],
});

export default defineConfig({
  cwd: fulmarFolder,
  input: { ...Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(fulmarSources, file)])), ...lazy.entries },
  // What Express 4 shares with 5 stays in `lib-express`: a chunk of its own would be one more file to load for every application.
  preserveEntrySignatures: 'allow-extension',
  platform: 'node',
  external: [/^node:/, 'oxc-transform', /^rolldown(?:\/|$)/, /\.node$/],
  plugins: [
    copyHost(fulmarSources),
    inlineFormat(join(fulmarSources, 'exchange', 'format.ts')),
    lazy.plugin,
    copyIntoCommands(join(fulmarSources, 'cli'), commands),
    shareMimeTypes(join(fulmarFolder, 'package.json')),
    checkLists(later.met, libraries.met),
  ],
  // Named numbers cost a look-up each in QuickJS.
  optimization: { inlineConst: { mode: 'all', pass: 2 } },
  output: {
    dir: join(fulmarFolder, 'dist'),
    format: 'cjs',
    exports: 'named',
    // Our sources are modules: an assignment that cannot be made must throw in the bundle too.
    strict: true,
    codeSplitting: { groups: [libraries.group, ...later.groups] },
    sourcemap: true,
    minify: false,
    entryFileNames: '[name].cjs',
    chunkFileNames: 'shared-[name].cjs',
  },
});
