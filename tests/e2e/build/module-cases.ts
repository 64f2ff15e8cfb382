/**
 * Modules of every kind in what `fulmar build` makes behave as they do on disk: requires, imports, places,
 * formats, TypeScript. One suite for both kinds, files for Node and executables.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { fulmar, writeProject } from '../cli/support.ts';
import { type Kind, packageFiles } from './support.ts';

const timeout = 60_000;
const esm = { 'package.json': '{"type":"module"}' };
const cjs = { 'package.json': '{}' };
const print = (value: string): string => `console.log(JSON.stringify(${value}));`;

const typescript = {
  ...cjs,
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      jsxFactory: 'h',
      jsx: 'react',
      target: 'es2021',
      baseUrl: '.',
      paths: { '@/*': ['src/*'] },
    },
  }),
  'src/main.ts': `import './reflect';\nimport { Owner } from '@/owner';\nimport { Pet } from './pet.js';\nimport { view } from './view';\nimport { seen } from './reflect';\nconst later = () => import('./late');\nvoid later().then((late) => ${print(
    '[seen, new Pet().name, new Owner().pet, view, late.late, __filename.endsWith("main.ts"), import.meta.url.endsWith("main.ts")]',
  ).replace(/;$/, '')});`,
  'src/reflect.ts': `export const seen: string[] = [];\n(Reflect as any).metadata = (key: string, value: any) => () => { seen.push(key + ':' + (Array.isArray(value) ? value.length : value?.name)); };\nexport function note(): any { return () => {}; }`,
  'src/owner.ts': `import { note } from './reflect';\nimport { Pet } from './pet';\n@note()\nexport class Owner { @note() pet?: Pet = undefined; constructor(@note() _a?: string) {} }`,
  'src/pet.ts': `import { note } from './reflect';\nimport { Owner } from './owner';\nexport class Pet { name = 'rex'; @note() owner?: Owner; }`,
  'src/view.tsx': `const h = (tag: string, _props: unknown, ...children: string[]) => tag + children.join('');\nexport const view: string = <b>bold</b>;`,
  'src/late.ts': `export const late: string = 'late';`,
};

/**
 * What only sloppy code may do, or does differently; `old` says it of CommonJS, `strict` that ES modules and
 * `use strict` are as they were.
 */
const sloppy = {
  ...packageFiles('old', {
    'index.js': `#!/usr/bin/env node
// 'use strict' stands in a comment only
implicitGlobal = 5;
var frozen = Object.freeze({ a: 1 });
frozen.a = 2;
function plain() { return this === globalThis; }
function aliased(a) { arguments[0] = 'changed'; return a; }
function twice(a, a) { return a; }
var scoped; with ({ inner: 'with' }) { scoped = inner; }
if (true) { function hoisted() { return 'hoisted'; } }
var load = require;
exports.seen = [implicitGlobal, frozen.a, plain(), aliased('given'), twice(1, 2), scoped, 010, hoisted(), this === exports,
  typeof arguments, arguments.length >= 5, delete globalThis.implicitGlobal, require('./part').whole === exports, load('./part').name];
exports.later = function () { return import('./late.mjs'); };
exports.places = [__filename, __dirname];
// ends in a comment`,
    'part.js': 'exports.whole = require("./index.js"); exports.name = "part";',
    'late.mjs': 'export const isStrict = (function () { return this; })() === undefined;',
    'strict.js': '"use strict";\nmodule.exports = (function () { return this; })() === undefined;',
    'module.mjs': 'export default (function () { return this; })() === undefined;',
  }),
};
const sloppyValue = {
  seen: [5, 1, true, 'changed', 2, 'with', 8, 'hoisted', true, 'object', true, true, true, 'part'],
  strict: [true, true, true],
  places: ['node_modules/old/index.js', 'node_modules/old'],
};
const sloppyResult = '{ seen: old.seen, places: old.places, strict: [late.isStrict, strict, module] }';
const sloppyEntries: Readonly<Record<string, Record<string, string>>> = {
  CommonJS: {
    'main.js': `const old = require('old'); const strict = require('old/strict.js'); Promise.all([old.later(), import('old/module.mjs')]).then(([late, { default: module }]) => { ${print(sloppyResult)} });`,
  },
  'an ES module': {
    ...esm,
    'main.js': `import old from 'old';\nimport strict from 'old/strict.js';\nimport module from 'old/module.mjs';\nvoid old.later().then((late) => { ${print(sloppyResult)} });`,
  },
  'an ES module that awaits': {
    ...esm,
    'main.js': `import old from 'old';\nimport strict from 'old/strict.js';\nimport module from 'old/module.mjs';\nconst late = await old.later();\n${print(sloppyResult)}`,
  },
};

export function moduleCases(kind: Kind): void {
  test('tells modules the places their sources have beside the built file', { timeout }, async () => {
    const built = await kind.build(
      {
        ...esm,
        'src/main.js': `import { where } from './lib/where.js';\nimport old from './lib/old.cjs';\n${print(
          '{ where, old, main: import.meta.main, url: import.meta.url, at: import.meta.resolve("./x.js") }',
        )}`,
        'src/lib/where.js': `export const where = [import.meta.dirname, import.meta.filename, new URL('../up.txt', import.meta.url).href];`,
        'src/lib/old.cjs': `'use strict';\nmodule.exports = [__dirname, __filename, module.filename, (function () { return this; })() === undefined];`,
      },
      'src/main.js',
    );
    const at = (name: string): string => join(built.folder, name);
    assert.deepEqual(await kind.runToValue(built), {
      where: [at('src/lib'), at('src/lib/where.js'), pathToFileURL(at('src/up.txt')).href],
      old: [at('src/lib'), at('src/lib/old.cjs'), at('src/lib/old.cjs'), true],
      main: true,
      url: pathToFileURL(at('src/main.js')).href,
      at: pathToFileURL(at('src/x.js')).href,
    });
  });

  for (const [format, entry] of Object.entries(sloppyEntries)) {
    test(`leaves sloppy CommonJS sloppy, and nothing else, below ${format}`, { timeout }, async () => {
      for (const args of [[], ['--minify']]) {
        const { seen, strict, places } = (await kind.buildAndRun({ ...cjs, ...sloppy, ...entry }, 'main.js', args)) as typeof sloppyValue;
        assert.deepEqual({ seen, strict }, { seen: sloppyValue.seen, strict: sloppyValue.strict });
        assert.deepEqual(
          places.map((place) => place.slice(place.indexOf('node_modules'))),
          sloppyValue.places,
        );
      }
    });
  }

  test('knows which CommonJS module is the main one', { timeout }, async () => {
    const value = await kind.buildAndRun(
      {
        ...cjs,
        'main.js': `const other = require('./other');\n${print('[require.main === module, module.parent, other]')}`,
        'other.js': 'exports.isMain = require.main === module;\nexports.hasParent = !!module.parent;',
      },
      'main.js',
    );
    assert.deepEqual(value, [true, null, { isMain: false, hasParent: true }]);
  });

  test('keeps circles of CommonJS modules as they are', { timeout }, async () => {
    const value = await kind.buildAndRun(
      {
        ...cjs,
        'main.js': `const a = require('./a');\n${print('[a.seen, a.b.seen]')}`,
        'a.js': `exports.seen = 'a';\nexports.b = require('./b');`,
        'b.js': `exports.seen = 'b after ' + require('./a').seen;`,
      },
      'main.js',
    );
    assert.deepEqual(value, ['a', 'b after a']);
  });

  test('chooses the exports of a package by how it is loaded', { timeout }, async () => {
    const value = await kind.buildAndRun(
      {
        ...esm,
        ...packageFiles(
          'both',
          { 'r.cjs': 'module.exports = "required";', 'i.mjs': 'export default "imported";', 'sub.cjs': 'module.exports = "sub";' },
          { exports: { '.': { import: './i.mjs', require: './r.cjs' }, './deep': './sub.cjs' } },
        ),
        'main.js': `import { createRequire } from 'node:module';\nimport both from 'both';\nimport deep from 'both/deep';\nconst require = createRequire(import.meta.url);\n${print(
          '[both, deep, require("both")]',
        )}`,
      },
      'main.js',
    );
    assert.deepEqual(value, ['imported', 'sub', 'required']);
  });

  test('awaits at the top level and imports JSON, text and modules by literal names', { timeout }, async () => {
    const value = await kind.buildAndRun(
      {
        ...esm,
        'main.js': `import data from './data.json' with { type: 'json' };\nimport text from './query.sql';\nconst late = await import('./late.js');\n${print(
          '[data, text, late.default, late.name]',
        )}`,
        'data.json': '{"n":1}',
        'query.sql': 'select 1;',
        'late.js': `export default await Promise.resolve('later');\nexport const name = 'late';`,
      },
      'main.js',
    );
    assert.deepEqual(value, [{ n: 1 }, 'select 1;', 'later', 'late']);
  });

  test('decides by NODE_ENV when it runs, not when it is built', { timeout }, async () => {
    const built = await kind.build(
      {
        ...cjs,
        'main.js': `${print("process.env.NODE_ENV === 'production' ? require('./fast') : require('./slow')")}`,
        'fast.js': 'module.exports = "fast";',
        'slow.js': 'module.exports = "slow";',
      },
      'main.js',
    );
    assert.equal(await kind.runToValue(built, [], { NODE_ENV: 'production' }), 'fast');
    assert.equal(await kind.runToValue(built, [], { NODE_ENV: 'test' }), 'slow');
  });

  test('leaves out what a try or a function of a dependency may miss, and throws what Node throws, each time', { timeout }, async () => {
    const value = await kind.buildAndRun(
      {
        ...cjs,
        ...packageFiles('lazy', { 'index.js': 'exports.load = () => require("never-installed");' }),
        'main.js': `let codes = [];\nfor (const load of [() => { try { require('optional-thing'); } catch (e) { return e.code; } }]) codes.push(load(), load());\nfor (let i = 0; i < 2; i++) try { require('lazy').load(); } catch (e) { codes.push(e.code, /never-installed/.test(e.message)); }\n${print('codes')}`,
      },
      'main.js',
    );
    assert.deepEqual(value, ['MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', true, 'MODULE_NOT_FOUND', true]);
  });

  for (const name of ['main.cjs', 'main.cts']) {
    test(`leaves out what a try in ${name} may miss`, { timeout }, async () => {
      const source = `let code;\ntry { require('optional-thing'); } catch (e) { code = e.code; }\n${print('code')}`;
      assert.equal(await kind.buildAndRun({ 'package.json': '{}', [name]: source }, name), 'MODULE_NOT_FOUND');
    });
  }

  test('leaves out what the catch of a dependency asks for, and what a package lacks that its user does without', { timeout }, async () => {
    const value = await kind.buildAndRun(
      {
        ...cjs,
        ...packageFiles('batch-like', {
          'index.js':
            'try { module.exports = require("events").EventEmitter.name; } catch { module.exports = require("never-installed"); }',
        }),
        ...packageFiles('loop-stats', { 'index.js': 'module.exports = require("./build/Release/addon");' }),
        ...packageFiles('monitor', {
          'index.js': 'try { module.exports = require("loop-stats"); } catch (e) { module.exports = e.code; }',
        }),
        'main.js': `const values = [require('batch-like'), require('monitor')];\n${print('values')}`,
      },
      'main.js',
    );
    assert.deepEqual(value, ['EventEmitter', 'MODULE_NOT_FOUND']);
  });

  test('loads by a computed name what --require named', { timeout }, async () => {
    const built = await kind.build(
      {
        ...cjs,
        ...packageFiles('plugin-x', { 'index.js': 'module.exports = "plugin";' }),
        'main.js': `const path = require('node:path');\nconst [name, file] = process.argv.slice(2);\nimport('./models/' + file + '.js').then((m) => ${print(
          '[require(name), require(path.join(__dirname, "models", file)), m.default, require("pa" + "th").sep]',
        ).replace(/;$/, '')});`,
        'models/user.js': 'module.exports = "user";',
      },
      'main.js',
      ['--require', 'plugin-x', '--require', 'models'],
    );
    assert.match(built.stderr, /main\.js:3: .*computed name/);
    assert.deepEqual(await kind.runToValue(built, ['plugin-x', 'user']), ['plugin', 'user', 'user', '/']);
    const { code, stderr } = await kind.run(built, ['unknown-one', 'user']).ended;
    assert.equal(code, 1);
    assert.match(stderr, /Cannot find module 'unknown-one'\n.*main\.js.*--require unknown-one/);
  });

  test("embeds what dependencies read beside their modules, and tells of what is the application's", { timeout }, async () => {
    const built = await kind.build(
      {
        ...cjs,
        ...packageFiles(
          'reads',
          {
            'lib/index.js': `const fs = require('fs'), path = require('path');
exports.text = fs.readFileSync(path.join(__dirname, '../data/a.txt'), 'utf8');
exports.names = () => fs.readdirSync(path.resolve(__dirname, 'views'));
exports.made = () => fs.readFileSync(__dirname + '/views/two.html', 'utf8');
exports.compiled = (0, fs.readFileSync)((0, path.join)(__dirname, 'compiled.txt'), 'utf8');
exports.url = require('./url.mjs');`,
            'lib/url.mjs': `import { readFileSync } from 'node:fs';\nexport const url = readFileSync(new URL('./c%20d.bin', import.meta.url), 'utf8');`,
            'lib/c d.bin': 'url',
            'lib/compiled.txt': 'as compilers write it',
            'lib/views/one.html': '',
            'lib/views/two.html': 'two',
            'data/a.txt': 'hello',
            'data/unread.txt': 'x',
          },
          { main: 'lib/index.js' },
        ),
        ...packageFiles('gives-itself', { 'index.js': 'exports.folder = () => { return __dirname; };', 'site/x.css': '' }),
        'main.js': `const { text, names, made, url, compiled } = require('reads'); const path = require('path'); require('gives-itself');
let own; try { own = require('fs').readFileSync(path.join(__dirname, 'settings.txt'), 'utf8'); } catch (error) { own = error.code; }
require('fs').existsSync(path.join(__dirname, 'migrations')); require('fs').existsSync(path.join(__dirname, '..'));
${print('[text, names(), made(), url.url, compiled, own]')}`,
        'settings.txt': 'own',
        'migrations/1.js': '',
      },
      'main.js',
    );
    assert.deepEqual(await kind.runToValue(built), ['hello', ['one.html', 'two.html'], 'two', 'url', 'as compilers write it', 'ENOENT']);
    const line = (text: string): RegExp => new RegExp(`^fulmar: .* names ${text}$`, 'm');
    assert.match(built.stderr, line('settings.txt, which is not embedded; if it reads it: --include settings.txt'));
    assert.match(built.stderr, line('migrations, .*: --include migrations \\(with --require migrations for the modules in it\\)'));
    assert.match(built.stderr, line('node_modules/gives-itself, .*: --include node_modules/gives-itself'));
    assert.equal(built.stderr.match(/ names /g)?.length, 3, built.stderr);
  });

  test('runs migrations and other modules of a folder that --include and --require name', { timeout }, async () => {
    const value = await kind.buildAndRun(
      {
        ...cjs,
        ...packageFiles('migrates', {
          'index.js': `const fs = require('fs'), path = require('path');
module.exports = (folder) => fs.readdirSync(folder).map((name) => require(path.join(folder, name)).up());`,
        }),
        'main.js': print(`require('migrates')(require('path').join(__dirname, 'migrations'))`),
        'migrations/1-a.js': 'exports.up = () => "a";',
        'migrations/2-b.js': 'exports.up = () => "b";',
      },
      'main.js',
      ['--include', 'migrations', '--require', 'migrations'],
    );
    assert.deepEqual(value, ['a', 'b']);
  });

  test('resolves what it held when it was built', { timeout }, async () => {
    const built = await kind.build(
      {
        ...cjs,
        ...packageFiles('thing', { 'index.js': '' }),
        'main.js': print('[require.resolve("thing"), require.resolve("./other"), require.resolve("fs")]'),
        'other.js': '',
      },
      'main.js',
    );
    assert.deepEqual(await kind.runToValue(built), [
      join(built.folder, 'node_modules/thing/index.js'),
      join(built.folder, 'other.js'),
      'fs',
    ]);
  });

  test('import.meta.resolve knows what package.json names, wherever the file lies', { timeout }, async () => {
    const imports = {
      '#lib': './src/lib.js',
      '#data': './data/a.txt',
      '#files': 'node:fs',
      '#by': { require: './no.cjs', default: './src/lib.js' },
    };
    const built = await kind.build(
      {
        'package.json': JSON.stringify({ type: 'module', imports }),
        ...packageFiles('thing', { 'index.js': '' }),
        'data/a.txt': 'text',
        'src/lib.js': 'export default 1;',
        'main.js': `import { readFileSync } from 'node:fs';
const attempt = (name) => { try { return import.meta.resolve(name) } catch (error) { return [error.code, error.message.split('\\n')[0]] } };
${print("[import.meta.resolve('#lib'), readFileSync(new URL(import.meta.resolve('#data')), 'utf8'), import.meta.resolve('#files'), import.meta.resolve('#by'), import.meta.resolve('thing'), attempt('#' + 'other')]")}`,
      },
      'main.js',
      ['--include', 'data'],
    );
    const url = (path: string): string => pathToFileURL(join(built.folder, path)).href;
    assert.deepEqual(await kind.runToValue(built), [
      url('src/lib.js'),
      'text',
      'node:fs',
      url('src/lib.js'),
      url('node_modules/thing/index.js'),
      ['ERR_MODULE_NOT_FOUND', "Cannot find module '#other'"],
    ]);
  });

  test('compiles TypeScript and JSX as fulmar run does: decorators with metadata, paths, circles', { timeout }, async () => {
    const { stdout } = await fulmar(writeProject(typescript), ['run', 'src/main.ts']);
    const value = await kind.buildAndRun(typescript, 'src/main.ts');
    assert.deepEqual(value, JSON.parse(stdout));
    assert.deepEqual((value as unknown[]).slice(1), ['rex', null, 'bbold', 'late', true, true]);
  });

  test('leaves imports as they are with --no-alias', { timeout }, async () => {
    const value = await kind.buildAndRun(
      {
        ...esm,
        ...packageFiles('express', { 'index.js': 'module.exports = "upstream";' }),
        'main.js': `import express from 'express';\nimport http from 'node:http';\n${print('[express, http === process.getBuiltinModule("http"), http.Server.name]')}`,
      },
      'main.js',
      ['--no-alias'],
    );
    assert.deepEqual(value, ['upstream', true, 'Server']);
  });

  test('gives imports, requires and computed requires of http and express one instance', { timeout }, async () => {
    const value = await kind.buildAndRun(
      {
        ...esm,
        'main.js': `import { createRequire } from 'node:module';\nimport express, { Router } from 'express';\nimport http, { Server } from 'http';\nimport old from './old.cjs';\nconst require = createRequire(import.meta.url);\n${print(
          '[old.express === express, old.http === http, old.computed === http, require("node:http").Server === Server, express.Router === Router, process.getBuiltinModule("node:http") === http]',
        )}`,
        'old.cjs': `exports.express = require('express'); exports.http = require('node:http'); const name = 'ht' + 'tp'; exports.computed = require(name);`,
      },
      'main.js',
    );
    assert.deepEqual(value, [true, true, true, true, true, true]);
  });

  test('names the sources in stacks with --sourcemap, also minified', { timeout }, async () => {
    const files = {
      ...esm,
      'src/main.ts': `interface A { a: 1 }\nconst boom = (_a?: A): never => {\n  throw new Error('boom');\n};\nboom();\n`,
    };
    const built = await kind.build(files, 'src/main.ts', ['--sourcemap', '--minify']);
    const { stderr } = await kind.run(built).ended;
    assert.match(stderr, /src\/main\.ts:3:\d+\)/);
  });

  test('names sloppy sources in stacks too', { timeout }, async () => {
    const files = {
      ...cjs,
      'src/main.js': `require('./boom')();\n`,
      'src/boom.js': `\nmodule.exports = () => {\n  throw new Error('boom');\n};\n`,
    };
    for (const args of [['--sourcemap'], ['--sourcemap', '--minify']]) {
      const built = await kind.build(files, 'src/main.js', args);
      const { stderr } = await kind.run(built).ended;
      assert.match(stderr, /src\/boom\.js:3:\d+[\s\S]*src\/main\.js:1:/);
    }
  });
}
