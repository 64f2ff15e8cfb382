import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cases } from '../harness/cases.ts';

const at = createRequire('/a/b.js');
const Module = module as unknown as Record<string, (...args: unknown[]) => unknown> & (new (id?: string, parent?: unknown) => object);

/** Runs `work` with a `require` in a folder of `files`. */
function within(files: Record<string, string>, work: (require: NodeJS.Require, folder: string) => unknown): unknown {
  const folder = mkdtempSync(join(process.env['TMPDIR'] ?? '/tmp', 'fulmar-cases-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return JSON.parse((JSON.stringify(work(createRequire(join(folder, 'main.js')), folder)) ?? 'null').replaceAll(folder, '<folder>'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Code and message of what `work` throws, without the folder. */
function failure(files: Record<string, string>, work: (require: NodeJS.Require, folder: string) => unknown): unknown {
  return within(files, (require, folder) => {
    try {
      return work(require, folder);
    } catch (error) {
      const { name, code, message } = error as NodeJS.ErrnoException;
      return [name, code, message];
    }
  });
}

const pkg = (name: string, manifest: object, files: Record<string, string>): Record<string, string> => ({
  [`node_modules/${name}/package.json`]: JSON.stringify(manifest),
  ...Object.fromEntries(Object.entries(files).map(([file, text]) => [`node_modules/${name}/${file}`, text])),
});

const both = {
  ...pkg(
    'dual',
    { exports: { '.': { import: './i.mjs', require: './r.js' }, './deep/*': './d/*.js', './no': null } },
    {
      'r.js': 'module.exports = "required";',
      'd/x.js': 'module.exports = "deep x";',
    },
  ),
  ...pkg('@s/plain', { main: 'lib/main' }, { 'lib/main.js': 'exports.name = require("dual");', 'other.json': '{"n":1}' }),
};

export default cases(
  'module',
  {
    createRequire: [
      () => createRequire('rel'),
      () => createRequire(undefined as never),
      () => typeof createRequire('/a/'),
      () => typeof createRequire(new URL('file:///a/b.js')),
      () => typeof createRequire('file:///a/b.js'),
      () => Object.keys(at),
      () => at('fs') === process.getBuiltinModule('fs'),
      () => at('node:path').sep,
      () => at(''),
      () => at(5 as never),
      () => at('gone'),
      () => at('./gone'),
      () => at('node:nope'),
      () => at.resolve('gone'),
      () => at.resolve(5 as never),
      () => at.resolve('fs'),
      () => at.resolve.paths('./x'),
      () => at.resolve.paths('fs'),
      () => at.resolve.paths(5 as never),
    ],
    'files that were not bundled': [
      () =>
        within({ 'a.js': 'exports.a = [__filename, __dirname, module.id, require.main === module, this === exports];' }, (require) =>
          require('./a'),
        ),
      () =>
        within({ 'a.json': '\uFEFF{"n":1}' }, (require) => [require('./a'), require('./a.json'), require('./a') === require('./a.json')]),
      () => failure({ 'a.json': '{"n":' }, (require) => require('./a.json')) instanceof Array,
      () => within({ 'a/index.js': 'module.exports = "index";' }, (require) => [require('./a'), require('./a/'), require.resolve('./a')]),
      () =>
        within({ 'a/package.json': '{"main":"x"}', 'a/x.js': 'module.exports = "x";', 'a.js': 'module.exports = "file";' }, (require) => [
          require('./a'),
          require('./a/'),
        ]),
      () =>
        within({ 'a.js': 'exports.seen = 1; exports.b = require("./b");', 'b.js': 'exports.seen = require("./a").seen;' }, (require) =>
          require('./a'),
        ),
      () =>
        within({ 'a.js': 'module.exports = require("./b");', 'b.js': 'module.exports = module.parent.filename;' }, (require) =>
          require('./a'),
        ),
      () =>
        within({ 'a.js': 'throw new Error("at load");' }, (require) =>
          [1, 2].map(() => {
            try {
              return require('./a');
            } catch (error) {
              return (error as Error).message;
            }
          }),
        ),
      () =>
        within({ 'x/y/a.js': 'module.exports = require("../up");', 'x/up.js': 'module.exports = "up";' }, (require) =>
          require('./x/y/a.js'),
        ),
      () =>
        within(both, (require) => [
          require('dual'),
          require('dual/deep/x'),
          require('@s/plain'),
          require('@s/plain/other'),
          require.resolve('@s/plain'),
        ]),
      () => failure(both, (require) => require('dual/r.js')),
      () => failure(both, (require) => require('dual/no')),
      () => failure(both, (require) => require('dual/deep/gone')),
      () =>
        within(
          {
            'package.json': '{"name":"self","exports":"./s.js","imports":{"#x":"./x.js","#d/*":"./d/*.js"}}',
            's.js': 'module.exports = "self";',
            'x.js': 'module.exports = "x";',
            'd/e.js': 'module.exports = "e";',
          },
          (require) => [require('self'), require('#x'), require('#d/e')],
        ),
      () => failure({ 'package.json': '{"imports":{}}' }, (require) => require('#x')),
      () => failure({ 'a.js': 'require("./gone");' }, (require) => require('./a')),
      () => within({ 'a.txt': 'module.exports = "text";' }, (require) => require('./a.txt')),
      () => within({ 'a.js': '#!/usr/bin/env node\nmodule.exports = 1;' }, (require) => require('./a')),
    ],
    isBuiltin: [
      () => ['fs', 'node:fs', 'fs/promises', 'node:nope', 'nope', 'node:path/posix'].map((name) => module.isBuiltin(name)),
      () => module.isBuiltin(5 as never),
    ],
    builtinModules: [
      () => ['fs', 'http', 'path', 'url', 'util'].every((name) => module.builtinModules.includes(name)),
      () => module.builtinModules.every((name) => module.isBuiltin(name)),
    ],
    Module: [
      () => (module as unknown as { Module: unknown }).Module === module,
      () =>
        Object.keys(new Module('/a/b.js'))
          .sort()
          .filter((key) => !['filename'].includes(key)),
      () => new Module('/a/b.js') instanceof Module,
    ],
    _cache: [
      () =>
        within({ 'a.js': 'exports.n = 1;' }, (require) => {
          require('./a');
          return Object.keys(require.cache).filter((key) => key.includes('fulmar-cases')).length;
        }),
    ],
    _extensions: [
      () => Object.keys(module as never as object).includes('_extensions'),
      () => Object.keys((module as unknown as { _extensions: object })._extensions),
    ],
    _pathCache: [() => typeof (module as unknown as { _pathCache: object })._pathCache],
    _load: [() => Module['_load']?.('path') === process.getBuiltinModule('path'), () => Module['_load']?.('/gone.js')],
    _resolveFilename: [() => Module['_resolveFilename']?.('fs'), () => Module['_resolveFilename']?.('/gone.js')],
    _resolveLookupPaths: [
      () => Module['_resolveLookupPaths']?.('fs'),
      () => Module['_resolveLookupPaths']?.('./x', { filename: '/a/b.js', paths: [] }),
    ],
    _findPath: [() => Module['_findPath']?.('gone', ['/a'])],
    _nodeModulePaths: [() => ['/', '/a', '/a/b/', '/a/node_modules/b'].map((path) => Module['_nodeModulePaths']?.(path))],
    _initPaths: [() => typeof Module['_initPaths']],
    _preloadModules: [() => typeof Module['_preloadModules']],
    globalPaths: [() => Array.isArray((module as unknown as { globalPaths: unknown }).globalPaths)],
    wrap: [() => Module['wrap']?.('x')],
    wrapper: [() => [0, 1].map((index) => (module as unknown as { wrapper: string[] }).wrapper[index])],
    syncBuiltinESMExports: [() => module.syncBuiltinESMExports()],
    findSourceMap: [() => module.findSourceMap('/gone.js')],
    findPackageJSON: [
      () =>
        within({ 'package.json': '{}', 'src/a.js': '' }, (_require, folder) => [
          module.findPackageJSON('./a.js', join(folder, 'src/b.js')),
          module.findPackageJSON('..', join(folder, 'src/b.js')),
        ]),
      () => within(both, (_require, folder) => module.findPackageJSON('@s/plain', join(folder, 'b.js'))),
    ],
    constants: [() => module.constants.compileCacheStatus],
    enableCompileCache: [() => typeof module.enableCompileCache],
    flushCompileCache: [() => module.flushCompileCache()],
    getCompileCacheDir: [() => typeof module.getCompileCacheDir],
    getSourceMapsSupport: [() => typeof (module as unknown as { getSourceMapsSupport: unknown }).getSourceMapsSupport],
    setSourceMapsSupport: [() => typeof (module as unknown as { setSourceMapsSupport: unknown }).setSourceMapsSupport],
    runMain: [() => module.runMain()],
    register: [() => module.register('data:text/javascript,')],
    registerHooks: [() => typeof module.registerHooks({})],
    stripTypeScriptTypes: [() => module.stripTypeScriptTypes('let a: number')],
    SourceMap: [() => new module.SourceMap({ version: 3, sources: [], mappings: '' } as never).payload.version],
  },
  {
    missing: {
      runMain: 'the entry is in the executable',
      register: 'modules are bundled: there is no loading to hook',
      registerHooks: 'modules are bundled: there is no loading to hook',
      stripTypeScriptTypes: 'TypeScript is compiled when the executable is built',
      SourceMap: 'stacks are mapped by the runtime (`--sourcemap`)',
    },
  },
);
