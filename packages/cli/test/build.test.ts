/**
 * Parts of `fulmar build` that need no bundle: its arguments, what it sees in a module, places, embedded
 * paths.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { parseAst } from 'rolldown/parseAst';
import { parseBuildArguments } from '../src/build/arguments.ts';
import { adaptUndici } from '../src/build/native/undici.ts';
import { placeOf } from '../src/build/project.ts';
import { createFinder, withFolders } from '../../fulmar/src/launch/built/files.ts';
import { scan, type Scanned } from '../src/build/scan.ts';

function scanned(code: string, { isCommonJs = true, place = 'lib/a.js' } = {}): Scanned {
  return scan({
    code,
    place,
    isEntry: false,
    isCommonJs: () => isCommonJs,
    isSloppy: () => false,
    parse: (text) => parseAst(text, { lang: 'js', sourceType: isCommonJs ? 'commonjs' : 'module', preserveParens: false }),
  });
}

describe('undici in an executable', () => {
  const undici = dirname(createRequire(import.meta.url).resolve('undici/package.json'));
  const adapt = (name: string, code: string): { code: string; unknown: string[] } => {
    const unknown: string[] = [];
    return { code: adaptUndici(`/app/node_modules/undici/lib/${name}`, code, (file) => unknown.push(file)), unknown };
  };

  for (const name of ['global.js', 'web/fetch/index.js', 'web/fetch/response.js']) {
    const code = readFileSync(join(undici, 'lib', name), 'utf8');

    it(`is changed where it has to be: ${name}`, () => {
      const adapted = adapt(name, code);
      assert.notEqual(adapted.code, code);
      assert.deepEqual(adapted.unknown, []);
    });

    it(`is told of where it is written in another way: ${name}`, () => {
      const other = code
        .replaceAll('(new Agent())', '(new Agent({}))')
        .replaceAll('responseObject = ', 'object = ')
        .replaceAll('egistry.', 'egister.');
      assert.deepEqual(adapt(name, other), { code: other, unknown: [`/app/node_modules/undici/lib/${name}`] });
    });
  }

  it('is left alone in versions that need no change, and so are others', () => {
    for (const name of ['client.js', 'fetch/index.js', 'fetch/response.js', 'dispatcher/client-h1.js']) {
      assert.deepEqual(adapt(name, 'responseObject = new Response()'), { code: 'responseObject = new Response()', unknown: [] });
    }
    const code = 'setGlobalDispatcher(new Agent())';
    assert.equal(adaptUndici('/app/lib/global.js', code, assert.fail), code);
  });
});

describe('the arguments of fulmar build', () => {
  it('reads options before and after the file', () => {
    const options = parseBuildArguments([
      '-o',
      'out.mjs',
      'app.js',
      '--include=views',
      '--include',
      'public',
      '--minify',
      '--require',
      'ejs',
    ]);
    assert.deepEqual(options, {
      file: 'app.js',
      out: 'out.mjs',
      include: ['views', 'public'],
      require: ['ejs'],
      minify: true,
      sourcemap: false,
      alias: true,
      allowMissing: false,
      native: false,
      stripDebug: false,
      target: undefined,
    });
  });

  it('takes a platform, and refuses one that it does not know', () => {
    const options = parseBuildArguments(['app.js', '--target=lambda']);
    assert.ok(options !== 'help');
    assert.equal(options.target, 'lambda');
    assert.throws(() => parseBuildArguments(['app.js', '--target', 'Lambda']), /--target is one of lambda, vercel, cloudflare, got Lambda/);
  });

  it('takes a file that looks like an option after --', () => {
    const options = parseBuildArguments(['--', '-app.js']);
    assert.ok(options !== 'help');
    assert.equal(options.file, '-app.js');
  });

  it('refuses to strip what a source map is to map, and what is no executable', () => {
    assert.throws(() => parseBuildArguments(['app.js', '--native', '--strip-debug', '--sourcemap']), { code: 'FULMAR_CLI_INVALID_VALUE' });
    assert.throws(() => parseBuildArguments(['app.js', '--strip-debug']), { code: 'FULMAR_CLI_INVALID_VALUE' });
  });

  it('refuses a value for a switch', () => {
    assert.throws(() => parseBuildArguments(['app.js', '--minify=yes']), { code: 'FULMAR_CLI_INVALID_VALUE' });
  });
});

describe('looking through a module', () => {
  it('tells requires that may fail from those that come late, in functions and where something has failed, and those that do not', () => {
    const found = scanned(
      `require('a'); try { require('b'); } catch { require('c'); } function f() { require('d'); require('a'); try { require('e'); } finally {} }`,
    );
    assert.deepEqual(
      [[...found.guarded], [...found.late]],
      [
        ['b', 'e'],
        ['c', 'd'],
      ],
    );
  });

  it('takes a function that is called at once for code of the module', () => {
    assert.deepEqual([...scanned(`(function () { require('a'); })(); (() => require('b'))();`).late], []);
  });

  it('leaves a local require alone', () => {
    const code = 'var bundle = function (require, module) { return require(module); };';
    assert.deepEqual([scanned(code).code, scanned(code).computed], [code, []]);
  });

  it('bundles what an ES module requires, whatever it calls its require', () => {
    const code = `import { createRequire as make, createRequire } from 'node:module';\nconst load = createRequire(import.meta.url);\nload('./a');\nload(name);\nload.resolve('./b');`;
    const found = scanned(code, { isCommonJs: false });
    assert.match(
      found.code,
      /^const load = [^;]*requireOf\("lib\/a\.js"\);\nrequire\('\.\/a'\);\n[^;]*requireOf\("lib\/a\.js"\)\(name\);$/m,
    );
    assert.deepEqual([found.resolved, found.computed.length], [['./b'], 1]);
  });

  it('notes requires and imports of computed names with their lines', () => {
    const found = scanned(`const a = require;\nrequire(name);\nimport(other);`);
    assert.deepEqual(
      found.computed.map(({ line, text }) => `${line} ${text}`),
      ['2 require(name)', '3 import(other)'],
    );
    assert.match(found.code, /requireOf\("lib\/a\.js"\)\(name\);\n.*importOf\("lib\/a\.js"\)\(other\)/);
  });

  it('puts places behind the directives and keeps every line where it is', () => {
    const found = scanned(`#!/usr/bin/env node\n// about\n'use strict';\nexports.at = __dirname;\n`);
    assert.equal(found.code.split('\n').length, 5);
    assert.match(found.code.split('\n')[2] ?? '', /^'use strict';;?var __dirname=.*folderOf\("lib\/a\.js"\);$/);
  });

  it('finds the files of threads and processes', () => {
    const found = scanned(
      `new Worker(new URL('./w.js', import.meta.url));\nfork(join(import.meta.dirname, 'jobs/c.js'), ['x.js']);\nnew Worker(given);\ncluster.fork();\nnew Worker('code', { eval: true });`,
      { isCommonJs: false },
    );
    assert.deepEqual([found.entries, found.unknownEntries], [['./w.js', 'jobs/c.js'], [3]]);
  });

  it('finds files of other languages, and the class path of Java', () => {
    const code = [
      "python.import('./model.py', { timeout: 5 });",
      "Polyglot.import('java', './Near.java', { options: { classPath: `./one.jar` } });",
      "java.import('org.x.Y', { options: { 'classPath': ['../lib/two.jar', '../lib/*', '/opt/three.jar', path, , ...more] } });",
      "python.import('../../shared/model.py');",
      "java.import('./four.jar'); java.import('org.x.Z', { options }); other.import('./page'); other.import({ classPath: './no.jar' });",
    ].join('\n');
    const { guestFiles, code: changed } = scanned(code);
    assert.deepEqual(guestFiles, [
      './model.py',
      './Near.java',
      './one.jar',
      '../lib/two.jar',
      '../lib/*',
      '../../shared/model.py',
      './four.jar',
    ]);
    for (const place of ['lib/model.py', 'lib/one.jar', 'lib/two.jar', 'lib/*', '_outside/shared/model.py', 'lib/four.jar'])
      assert.ok(changed.includes(`.place(${JSON.stringify(place)})`), place);
    assert.ok(changed.includes("other.import('./page')"));
  });

  it('notes imports of other languages whose file is computed', () => {
    const code = [
      "const { python, Polyglot } = require('fulmar/polyglot');",
      'python.import(`./${name}.py`);',
      "Polyglot.import('python', name); Polyglot.import('./a.py', { timeout: 5 }); java.import('a.B', options);",
    ].join('\n');
    assert.deepEqual(scanned(code).computedGuests, [2, 3]);
    assert.deepEqual(scanned('loader.import(name);').computedGuests, []);
  });

  it('leaves import.meta in strings and comments alone', () => {
    const code = `// import.meta.url\nexport const a = 'import.meta.url';`;
    assert.equal(scanned(code, { isCommonJs: false }).code, code);
  });
});

describe('places', () => {
  const project = { entry: '/app/src/main.js', root: '/app', ownFolder: '/fulmar/dist' };
  const cases: readonly [file: string, place: string][] = [
    ['/app/src/main.js', 'src/main.js'],
    ['/app/node_modules/a/i.js', 'node_modules/a/i.js'],
    ['/node_modules/a/node_modules/b/i.js', 'node_modules/a/node_modules/b/i.js'],
    ['/shared/lib.js', '_outside/shared/lib.js'],
  ];
  for (const [file, place] of cases) it(`shows ${file} at ${place}`, () => assert.equal(placeOf(file, project), place));
});

describe('paths that a module makes of its folder', () => {
  const cases: readonly [code: string, paths: readonly string[]][] = [
    [`read(join(__dirname, 'a', '../b.txt'))`, ['b.txt']],
    [`read(path.resolve(__dirname, process.env.DATA || '../data'))`, ['../data']],
    ["read(__dirname + '/a.txt'); read(`${__dirname}/b.txt`)", ['a.txt', 'b.txt']],
    [`read(path.join(path.dirname(__filename), 'a.txt'))`, ['a.txt']],
    ['module.exports = __dirname;', ['.']],
    ['module.exports = () => { return require("path").resolve(__dirname); };', ['.']],
    ['read(join(__dirname, name)); run(__dirname)', []],
  ];
  for (const [code, paths] of cases) it(`${code} makes ${JSON.stringify(paths)}`, () => assert.deepEqual(scanned(code).paths, paths));

  it('knows those of ES modules', () => {
    const code = `read(new URL('./a%20b.txt', import.meta.url)); read(join(import.meta.dirname, 'c')); read(new URL('https://d/', import.meta.url));
read(join(dirname(fileURLToPath(import.meta.url)), 'e'));`;
    assert.deepEqual(scanned(code, { isCommonJs: false }).paths, ['a b.txt', 'c', 'e']);
  });
});

describe('embedded paths', () => {
  const find = createFinder({ root: '/run', folder: '/cache/files', names: withFolders(['views/mail/a.ejs']) });
  const cases: readonly [given: unknown, found: string | undefined][] = [
    ['/run/views/mail/a.ejs', '/cache/files/views/mail/a.ejs'],
    ['/run/views/', '/cache/files/views'],
    ['/run/public/../views/mail', '/cache/files/views/mail'],
    [pathToFileURL('/run/views/mail/a.ejs'), '/cache/files/views/mail/a.ejs'],
    [Buffer.from('/run/views'), '/cache/files/views'],
    ['/run/views/mail/b.ejs', undefined],
    ['/run', undefined],
    ['/running/views', undefined],
    [3, undefined],
  ];
  for (const [given, found] of cases) it(`leads ${String(given)} to ${found ?? 'the disk'}`, () => assert.equal(find(given), found));
});
