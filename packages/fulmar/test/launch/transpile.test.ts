/**
 * Sources are compiled to what TypeScript would have made of them; run here, as CommonJS, to see that they do
 * the same.
 */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'node:test';
import { runInThisContext } from 'node:vm';
import { installCommonJsScope } from '../../src/launch/compile/commonjs.ts';
import { installHelpers } from '../../src/launch/compile/decorator-helpers.ts';
import type { ModuleFormat } from '../../src/launch/compile/file-types.ts';
import { transpile } from '../../src/launch/compile/transpile.ts';
import type { CompilerOptions } from '../../src/launch/compile/tsconfig.ts';
import { writeProject } from './support.ts';

installHelpers();
installCommonJsScope();
const require = createRequire(import.meta.url);
const bundle = require.resolve('../../dist/cli.cjs');

interface Given {
  format?: ModuleFormat;
  file?: string;
  options?: CompilerOptions;
}

function compile(source: string, { format = 'commonjs', file = '/app/src/a.ts', options }: Given = {}) {
  const tsconfig = { file: options && '/app/tsconfig.json', options: options ?? {}, pathsFolder: undefined };
  return transpile(file, { code: source, map: undefined }, format, tsconfig, bundle);
}

/** Runs the compiled source as a CommonJS module; `modules` are what it can require besides Node's. */
function run(source: string, modules: Record<string, unknown> = {}, given: Given = {}): Record<string, unknown> {
  const { code, format } = compile(source, given);
  assert.equal(format, 'commonjs');
  const module = { exports: {} as Record<string, unknown> };
  const load = Object.assign((name: string) => (Object.hasOwn(modules, name) ? modules[name] : require(name)), {
    resolve: require.resolve,
    main: undefined,
  });
  const wrapped = runInThisContext(`(function (exports, require, module, __filename, __dirname) {${code}\n})`) as Function;
  wrapped(module.exports, load, module, '/app/src/a.ts', '/app/src');
  return module.exports;
}

describe('CommonJS from import and export', () => {
  it('binds default, named and namespace imports', () => {
    const express = Object.assign(() => 'called', { Router: () => 'router' });
    const result = run(
      'import e, { Router } from "e"; import * as all from "e"; export const a = [e(), Router(), all.Router(), (all as any)(), all.default === e];',
      {
        e: express,
      },
    );
    assert.deepEqual(result['a'], ['called', 'router', 'router', 'called', true]);
  });
  it('takes the default of what was an ES module', () => {
    assert.equal(run('import d from "m"; export const a = d;', { m: { __esModule: true, default: 7 } })['a'], 7);
  });
  it('takes primitives and JSON', () => {
    assert.equal(run('import d from "m"; export const a = d;', { m: 5 })['a'], 5);
    assert.deepEqual(
      run('import d, { x } from "m"; import * as ns from "m"; export const a = [d.x, x, Object.keys(ns)];', { m: { x: 1 } })['a'],
      [1, 1, ['x', 'default']],
    );
  });
  it('keeps bindings live, both ways', () => {
    const counter = { n: 1 };
    const result = run('import { n } from "c"; export let own = 1; export const read = () => n; export function grow() { own++ }', {
      c: counter,
    });
    counter.n = 2;
    (result['grow'] as () => void)();
    assert.equal((result['read'] as () => number)(), 2);
    assert.equal(result['own'], 2);
  });
  it('exports everything in every form', () => {
    const result = run(
      'export * from "m"; export * as ns from "m"; export { x as y } from "m"; export default class Foo {} export enum E { A = 1 } const q = 1; export { q as "a b" }',
      { m: { x: 1, default: 2 } },
    );
    assert.equal(result['x'], 1);
    assert.equal(result['y'], 1);
    assert.equal((result['default'] as { name: string }).name, 'Foo');
    assert.deepEqual(result['E'], { 1: 'A', A: 1 });
    assert.equal(result['a b'], 1);
    assert.equal(result['__esModule'], true);
    assert.deepEqual(Object.keys(result).sort(), ['E', 'a b', 'default', 'ns', 'x', 'y']);
  });
  it('offers hoisted functions before its own imports ran, for circles', () => {
    const seen: unknown[] = [];
    const { code } = compile('import "other"; export function early() { return 1 }');
    const exports = {} as { early?: () => number };
    const load = () => seen.push(exports.early?.());
    (runInThisContext(`(function (exports, require, module, __filename) {${code}\n})`) as Function)(exports, load, { exports }, '/a.ts');
    assert.deepEqual(seen, [1]);
  });
  it('calls imported functions without a this', () => {
    assert.equal(
      run('import { f } from "m"; export const a = f();', {
        m: {
          f() {
            return this === undefined;
          },
        },
      })['a'],
      true,
    );
  });
  it('is strict, has require, __filename, import.meta and import()', async () => {
    const result = run(
      'import "node:fs"; export const a = [__filename, import.meta.url, import.meta.dirname, import.meta.main, typeof require]; export const b = import("m"); export const c = (function () { return this })();',
      { m: { z: 1 } },
    );
    assert.deepEqual(result['a'], ['/app/src/a.ts', 'file:///app/src/a.ts', '/app/src', false, 'function']);
    assert.equal(((await result['b']) as { z: number }).z, 1);
    assert.equal(result['c'], undefined);
  });
  it('leaves sources without import and export as they are', () => {
    const { code } = compile('const fs: unknown = require("fs");\nmodule.exports = { fs };');
    assert.match(code, /^const fs = require\("fs"\);\nmodule\.exports = \{ fs \};/);
  });
  it('understands import = and export =', () => {
    const module = run(
      'import os = require("node:os"); import { join } from "node:path"; export = { os, joined: join("a", "b") };',
    ) as unknown as { joined: string };
    assert.equal(module.joined, join('a', 'b'));
  });
  it('drops imports that are only types', () => {
    assert.equal(
      run(
        'import { Request } from "absent"; import type { X } from "absent2"; export const f = (r: Request & X) => r; export const a = 1;',
      )['a'],
      1,
    );
  });
  it('names its exports for Node’s scanner', () => {
    assert.match(compile('export const one = 1; export default 2;').code, /0 && \(module\.exports = \{ one: null, default: null \}\);/);
  });
  it('becomes an ES module when it awaits at the top', () => {
    const { code, format } = compile('import x from "x"; export const y = await x;');
    assert.equal(format, 'module');
    assert.match(code, /export const y = await x;/);
  });
});

describe('decorators', () => {
  const logged =
    'const log: unknown[] = []; const dec = (n: string) => (...a: any[]) => { log.push([n, typeof a[0], a[1], typeof a[2] === "object" ? typeof a[2].value : a[2]]) };';
  it('apply to classes, methods, accessors, fields and parameters, in TypeScript’s order', () => {
    const result = run(
      `${logged} @dec("C") class A { @dec("f") field = 1; @dec("m") method(@dec("p") x: string) {} @dec("a") get acc() { return 1 } @dec("s") static st() {} constructor(@dec("cp") y: number) {} } module.exports = { log };`,
    );
    assert.deepEqual(result['log'], [
      ['f', 'object', 'field', undefined],
      ['p', 'object', 'method', 0],
      ['m', 'object', 'method', 'function'],
      ['a', 'object', 'acc', 'undefined'],
      ['s', 'function', 'st', 'function'],
      ['cp', 'function', undefined, 0],
      ['C', 'function', undefined, undefined],
    ]);
  });
  it('may replace a class and a method', () => {
    const result = run(
      'const swap = (): any => () => class B { static b = 1 }; const wrap = (t: any, k: string, d: any) => ({ ...d, value: () => "wrapped" }); @swap() class A {} class M { @wrap m() { return "own" } } module.exports = [A, new M().m()];',
    ) as unknown as [{ b: number }, string];
    assert.equal(result[0].b, 1);
    assert.equal(result[1], 'wrapped');
  });
  it('give metadata to reflect-metadata when emitDecoratorMetadata says so', () => {
    const source =
      'const d = (...a: any[]) => undefined; class S {} @d class A { constructor(s: S, n: number) {} @d m(x: string): boolean { return true } } module.exports = [A, S];';
    const known = new Map<unknown, unknown>();
    const reflect = Reflect as { metadata?: unknown };
    reflect.metadata = (key: unknown, value: unknown) => (target: object, member?: string) =>
      void known.set(`${key} ${typeof target} ${member}`, value);
    try {
      const [, S] = run(source, {}, { options: { experimentalDecorators: true, emitDecoratorMetadata: true } }) as unknown as unknown[];
      assert.deepEqual(known.get('design:paramtypes function undefined'), [S, Number]);
      assert.deepEqual(known.get('design:paramtypes object m'), [String]);
      assert.equal(known.get('design:returntype object m'), Boolean);
      known.clear();
      run(source, {}, { options: { experimentalDecorators: true } });
      assert.equal(known.size, 0);
    } finally {
      delete reflect.metadata;
    }
  });
});

describe('class fields', () => {
  const source =
    'class P { constructor(readonly dep: { n: number }) {} n = this.dep?.n; bare!: string; #secret = 5; #m() { return this.#secret } get secret() { return this.#m() } static isP(o: object) { return #secret in o } } module.exports = [new P({ n: 3 }), P];';
  it('are assigned after parameter properties for old targets, as the compiler does', () => {
    for (const options of [{ target: 'ES2021' }, { target: 'esnext', useDefineForClassFields: false }]) {
      const [p, P] = run(source, {}, { options }) as unknown as [{ n: number; secret: number }, { isP(o: object): boolean }];
      assert.equal(p.n, 3);
      assert.equal('bare' in p, false);
      assert.equal(p.secret, 5);
      assert.equal(P.isP(p), true);
      assert.equal(P.isP({}), false);
    }
  });
  it('are defined before them for new targets', () => {
    const [p] = run(source, {}, { options: { target: 'ES2022' } }) as unknown as [{ n: unknown }];
    assert.equal(p.n, undefined);
    assert.equal('bare' in p, true);
  });
});

describe('JSX', () => {
  const view = '/app/src/view.tsx';
  const cases: [title: string, options: CompilerOptions, expected: RegExp][] = [
    ['imports the runtime by default', {}, /react\/jsx-runtime/],
    ['imports the runtime of jsxImportSource', { jsx: 'react-jsx', jsxImportSource: 'preact' }, /preact\/jsx-runtime/],
    ['calls React with jsx: react', { jsx: 'react' }, /React\.createElement\("a"/],
    ['calls jsxFactory', { jsx: 'react', jsxFactory: 'h' }, /h\("a"/],
  ];
  for (const [title, options, expected] of cases) {
    it(title, () =>
      assert.match(compile('export const a = <a>{1 as number}</a>;', { file: view, options, format: 'module' }).code, expected),
    );
  }
  it('is compiled in .jsx files', () =>
    assert.match(compile('export const a = <a/>;', { file: '/app/a.jsx', format: 'module' }).code, /jsx-runtime/));
});

describe('sources that do not parse', () => {
  it('throw a SyntaxError with place and frame of the source', () => {
    assert.throws(
      () => compile('const a: number = 1;\nconst b: = 2;'),
      (error: SyntaxError & { code?: string }) => {
        assert.equal(error.code, 'FULMAR_CLI_SYNTAX');
        assert.match(error.message, /cannot compile \/app\/src\/a\.ts/);
        assert.match(error.message, /a\.ts:2:10/);
        assert.match(error.message, /2 \| const b: = 2;/);
        return error instanceof SyntaxError;
      },
    );
  });
});

describe('compiled files', () => {
  it('come from the cache the second time, unless what is there is empty', async () => {
    const { transpileFile } = await import('../../src/launch/compile/transpile-cache.ts');
    const folder = writeProject({ 'node_modules/x': '', 'a.ts': 'export const a: number = 1;' });
    const from = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));
    const first = transpileFile(join(folder, 'a.ts'), 'module', from);
    assert.deepEqual(transpileFile(join(folder, 'a.ts'), 'module', from), first);
    const { readdirSync, truncateSync } = await import('node:fs');
    const cache = join(folder, 'node_modules/.cache/fulmar');
    const entries = readdirSync(cache);
    assert.equal(entries.length, 1);
    truncateSync(join(cache, entries[0] as string));
    assert.deepEqual(transpileFile(join(folder, 'a.ts'), 'module', from), first);
    assert.notEqual(transpileFile(join(folder, 'a.ts'), 'commonjs', from).code, first.code);
  });
});
