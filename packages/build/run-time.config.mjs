/**
 * How the sources become what is published: CommonJS with shared chunks, so that `import` and `require()`
 * meet one instance. `lib-http`, `lib-express` … are the modules themselves; the thin `http.cjs`, `http.mjs`
 * … that applications import are written by `bundle.mjs`. Files stay flat in `dist`, next to the addon.
 */
import { join } from 'node:path';
import { defineConfig } from 'rolldown';
import { adapters, cliSources, fulmarFolder, fulmarSources } from './folders.mjs';
import { copyHost } from './passes/copy-host.mjs';
import { copyIntoChunks } from './passes/copy-into-chunks.mjs';
import { groupsOf, librariesGroup } from './passes/groups.mjs';
import { inlineFormat } from './passes/inline-format.mjs';
import { loadLazily } from './passes/load-lazily.mjs';
import { checkLists } from './passes/met.mjs';
import { shareMimeTypes } from './passes/share-mime-types.mjs';

/** Output name → source. A file that is loaded by path is an entry of its own. */
const libraries = {
  'lib-http': 'http/index.ts',
  'lib-express': 'express/index.ts',
  'lib-express4': 'express/express4/index.ts',
  'lib-express-parts': 'express/parts.ts',
  'lib-express4-parts': 'express/express4/parts.ts',
  'lib-koa': 'koa/index.ts',
  'lib-koa2': 'koa/koa2.ts',
  'lib-app': 'app/index.ts',
  'lib-middleware': 'app/middleware/index.ts',
  'lib-openapi': 'app/openapi/index.ts',
  ...Object.fromEntries(adapters.map((name) => [`lib-adapters-${name}`, `adapters/${name}/index.ts`])),
  'lib-types': 'typed/index.ts',
  'lib-rpc': 'rpc/index.ts',
  'lib-vite': 'vite/index.ts',
  'lib-controllers': 'controllers/index.ts',
  'lib-controllers-testing': 'controllers/testing/index.ts',
  'lib-controllers-openapi': 'controllers/openapi/index.ts',
  'lib-routes': 'routes/index.ts',
  'lib-project': 'routes/project/index.ts',
  'build-project': 'routes/project/build-project.ts',
  'lib-polyglot': 'polyglot/index.ts',
  'lib-polyglot-global': 'polyglot/global.ts',
  'lib-zlib': 'zlib/index.ts',
  register: 'launch/register/index.ts',
  dev: 'dev/index.ts',
  'hot-thread': 'hot/thread/index.ts',
  'cli-exported': 'launch/exported/index.ts',
  'cli-interactive': 'launch/interactive/index.ts',
  'jest-resolver': 'launch/jest/resolver.ts',
  'cli-uncompiled': 'launch/uncompiled/index.ts',
  'cli-nest': 'launch/nest/index.ts',
  'build-stub': 'launch/built/stub.ts',
  'build-runtime': 'launch/built/index.ts',
  'build-threads': 'launch/built/threads.ts',
  'build-serverless': 'adapters/built/index.ts',
};
const commands = {
  cli: 'index.ts',
  'bench-probe': 'bench/probe.ts',
  'doctor-probe': 'doctor/probe/index.ts',
  'routes-probe': 'routes/probe.ts',
};

const inputsIn = (folder, files) => Object.fromEntries(Object.entries(files).map(([name, file]) => [name, join(folder, file)]));

const lazy = loadLazily(
  ['adapters', 'app', 'controllers', 'express', 'http', 'koa', 'typed', 'web'].map((layer) => join(fulmarSources, layer, 'lazy.ts')),
);

/**
 * Folders with a chunk of their own; what they import of `launch` and of the command line's other files is
 * copied into it.
 */
const apart = [
  ...['built', 'exported', 'interactive', 'jest', 'nest', 'register', 'uncompiled'].map((name) => join(fulmarSources, 'launch', name)),
  ...['bench', 'build', 'dev', 'doctor', 'generate', 'help', 'info', 'new', 'polyglot', 'routes', 'start'].map((name) =>
    join(cliSources, name),
  ),
  join(fulmarSources, 'dev'),
  join(fulmarSources, 'hot'),
  join(fulmarSources, 'vite'),
];
const shared = [
  join(fulmarSources, 'launch'),
  cliSources,
  // The list of routes, with what it has of the app.
  join(fulmarSources, 'app', 'registry'),
  ...['chain', 'observing', 'prefix', 'route-run'].map((name) => join(fulmarSources, 'app', `${name}.ts`)),
];

/**
 * Small libraries that several entries use, in the versions that `express` uses: one file instead of one for
 * each.
 */
const small = librariesGroup('libraries', [
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

/** What the app shares with its middleware and its late parts: one file instead of one for each of them. */
const ofApp = groupsOf(fulmarSources, {
  'app-common': [
    'app/asker',
    'app/checked-options',
    'app/cookies',
    'app/host',
    'app/http-error',
    'app/needs-node',
    'app/route-options',
    'app/router/*',
    'app/standard-schema',
    'app/variants',
    'app/versioning',
  ],
});

/**
 * What a start does not need, in files that are loaded when something of theirs is first used
 * (passes/require-lazily.mjs). Nothing of them may be used while a module is loaded.
 */
const later = groupsOf(fulmarSources, {
  'web-body': ['web/body/*'],
  'web-files': ['web/static/*', 'web/known-types', 'web/media-types', 'http/file-reply', 'express/file-transfer', 'express/render-view'],
  'express-rare': [
    'web/accepted-type',
    'web/cookie',
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
  // For platforms that call; no port is there.
  'http-registered': ['http/registered'],
  // Why there is no engine: for whoever has none.
  'engine-problems': ['exchange/addon-problems'],
});

export default defineConfig({
  cwd: fulmarFolder,
  input: { ...inputsIn(fulmarSources, libraries), ...inputsIn(cliSources, commands), ...lazy.entries },
  // What Express 4 shares with 5 stays in `lib-express`: a chunk of its own would be one more file to load
  // for every application.
  preserveEntrySignatures: 'allow-extension',
  platform: 'node',
  external: [/^node:/, 'oxc-transform', /^rolldown(?:\/|$)/, /\.node$/],
  plugins: [
    copyHost(fulmarSources),
    inlineFormat(join(fulmarSources, 'exchange', 'format.ts')),
    lazy.plugin,
    copyIntoChunks(shared, apart),
    // Hooks of modules must not load one: a chunk of both would, when it is first called.
    copyIntoChunks(
      ['graph', 'versions'].map((name) => join(fulmarSources, 'hot', `${name}.ts`)),
      [join(fulmarSources, 'hot', 'thread')],
    ),
    // What the app has of the exchange without loading `lib-http`.
    copyIntoChunks(
      ['abort-error', 'field-value', 'format', 'memory-exchange', 'message-exchange'].map((name) =>
        join(fulmarSources, 'exchange', `${name}.ts`),
      ),
      ['app', 'adapters', 'dev', 'vite'].map((layer) => join(fulmarSources, layer)),
    ),
    // Other languages have the engine's binding of their own: a chunk of both would be one more file for each server.
    copyIntoChunks(
      ['addon', 'binding'].map((name) => join(fulmarSources, 'exchange', `${name}.ts`)),
      [join(fulmarSources, 'polyglot')],
    ),
    // … and what it has of `web` without loading `lib-express`; that has the types it asks for at each reply.
    copyIntoChunks(
      ['hosts', 'trust'].map((name) => join(fulmarSources, 'web', `${name}.ts`)),
      [join(fulmarSources, 'app')],
    ),
    copyIntoChunks(
      ['known-types', 'media-types'].map((name) => join(fulmarSources, 'web', `${name}.ts`)),
      [join(fulmarSources, 'express')],
    ),
    // What documents have of the app, which is loaded long before them.
    copyIntoChunks([join(fulmarSources, 'app')], [join(fulmarSources, 'app', 'openapi')]),
    // Koa and Express would have to load a file more for what they share.
    copyIntoChunks([join(fulmarSources, 'web')], [join(fulmarSources, 'koa')]),
    shareMimeTypes(join(fulmarFolder, 'package.json')),
    checkLists(later.met, ofApp.met, small.met),
  ],
  // Named numbers cost a look-up each in QuickJS.
  optimization: { inlineConst: { mode: 'all', pass: 2 } },
  output: {
    dir: join(fulmarFolder, 'dist'),
    format: 'cjs',
    exports: 'named',
    // Our sources are modules: an assignment that cannot be made must throw in the bundle too.
    strict: true,
    codeSplitting: { groups: [small.group, ...ofApp.groups, ...later.groups] },
    sourcemap: true,
    minify: false,
    // Comments are for readers of the sources, and each start would read them too. Notes for bundlers and
    // licences stay.
    comments: { jsdoc: false, annotation: true, legal: true },
    entryFileNames: '[name].cjs',
    chunkFileNames: 'shared-[name].cjs',
  },
});
