/**
 * The modules that tools reach by path: exactly upstream's files, with upstream's shapes, and the objects
 * that applications use.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { partFiles } from '../../src/launch/settings.ts';
import express4 from '../../src/express/express4/index.ts';
import { parts as parts4 } from '../../src/express/express4/parts.ts';
import express5 from '../../src/express/index.ts';
import { parts as parts5 } from '../../src/express/parts.ts';

const require = createRequire(import.meta.url);
type Members = Record<string, unknown>;

const versions = [
  { name: 'express4', entry: 'express4', parts: parts4, main: express4 as unknown as Members },
  { name: 'express', entry: 'express', parts: parts5, main: express5 as unknown as Members },
];

for (const { name, entry, parts, main } of versions) {
  const folder = dirname(require.resolve(`${name}/package.json`));
  const upstream = (file: string): Members => require(join(folder, file)) as Members;

  describe(`modules beneath ${name}`, () => {
    it('are those of the table, in its order, and all that upstream has', () => {
      assert.deepEqual(Object.keys(parts), partFiles[entry]);
      const files = readdirSync(join(folder, 'lib'), { recursive: true, encoding: 'utf8' }).map(
        (file) => `lib/${file.replaceAll('\\', '/')}`,
      );
      assert.deepEqual(Object.keys(parts).toSorted(), files.filter((file) => file.endsWith('.js')).toSorted());
    });

    it('come after those that upstream loads for them', () => {
      const order = Object.keys(parts);
      for (const [at, file] of order.entries()) {
        const source = readFileSync(join(folder, file), 'utf8');
        for (const [, wanted = ''] of source.matchAll(/require\('(\.[^']+)'\)/g)) {
          const target = join(dirname(file), wanted).replaceAll('\\', '/');
          const found = order.findIndex((one) => one === `${target}.js` || one === `${target}/index.js`);
          assert.ok(found !== -1 && found < at, `${file} needs ${wanted}`);
        }
      }
    });

    it('are what applications use', () => {
      const app = (main as unknown as () => Members)();
      assert.equal(parts['lib/express.js'], main);
      assert.equal(parts['lib/application.js'], main['application']);
      assert.equal(parts['lib/request.js'], Object.getPrototypeOf(app['request']));
      assert.equal(parts['lib/response.js'], Object.getPrototypeOf(app['response']));
      assert.equal(parts['lib/view.js'], (app['settings'] as Members)['view']);
      assert.equal((parts['lib/utils.js'] as Members)['wetag'], (app['settings'] as Members)['etag fn']);
    });

    for (const file of Object.keys(parts)) {
      it(`have the type, name and members of upstream's: ${file}`, () => {
        const [ours, theirs] = [parts[file] as Members, upstream(file)];
        assert.equal(typeof ours, typeof theirs);
        assert.equal(ours['name'], theirs['name']);
        assert.deepEqual(Object.keys(ours).toSorted(), Object.keys(theirs).toSorted());
        if (file.endsWith('layer.js') || file.endsWith('view.js')) {
          assert.deepEqual(Object.keys(ours['prototype'] as object).toSorted(), Object.keys(theirs['prototype'] as object).toSorted());
        }
      });
    }
  });

  describe(`lib/utils of ${name}`, () => {
    const cases: [member: string, ...args: unknown[]][] = [
      ['etag', 'text'],
      ['etag', Buffer.from('bytes')],
      ['etag', ''],
      ['wetag', 'tëxt', 'utf8'],
      ['wetag', 'ff00', 'hex'],
      ['normalizeType', 'html'],
      ['normalizeType', 'json'],
      ['normalizeType', 'no-such-name'],
      ['normalizeType', 'text/html'],
      ['normalizeType', 'text/html; q=0.5; level=1'],
      ['normalizeType', 'text/html;level="1;2";q=.2'],
      ['normalizeType', 'a/b ; x'],
      ['normalizeTypes', ['html', 'text/plain;q=0.1']],
      ['setCharset', 'text/html', 'utf-8'],
      ['setCharset', 'text/html; charset=latin1; x=y', 'utf-8'],
      ['setCharset', '', 'utf-8'],
      ['setCharset', 'text/html', ''],
      ['compileETag', 'no such'],
      ['compileETag', false],
      ['compileQueryParser', 'no such'],
      ...(name === 'express'
        ? []
        : ([
            ['isAbsolute', '/a'],
            ['isAbsolute', 'a'],
            ['isAbsolute', 'C:\\a'],
            ['isAbsolute', '\\\\host\\a'],
            ['isAbsolute', ''],
            ['flatten', [1, [2, [3, [4]]]]],
            ['flatten', [1, [2, [3, [4]]]], 1],
            ['contentDisposition', 'ü.txt'],
          ] as [string, ...unknown[]][])),
    ];
    for (const [member, ...args] of cases) {
      it(`answers as upstream's: ${member}(${args.map((value) => JSON.stringify(value)).join(', ')})`, () => {
        assert.deepEqual(outcome(parts['lib/utils.js'] as Members, member, args), outcome(upstream('lib/utils.js'), member, args));
      });
    }

    it('names the same methods', () => {
      const of = (utils: unknown): unknown => (utils as Members)['methods'];
      assert.deepEqual(of(parts['lib/utils.js']), of(upstream('lib/utils.js')));
    });

    it('compiles query parsers and trust as upstream does', () => {
      for (const utils of [parts['lib/utils.js'] as Members, upstream('lib/utils.js')]) {
        const compile = (member: string, value: unknown): unknown => (utils[member] as (value: unknown) => unknown)(value);
        assert.deepEqual((compile('compileQueryParser', 'extended') as (text: string) => unknown)('a[b]=1'), { a: { b: '1' } });
        assert.equal((compile('compileQueryParser', 'simple') as (text: string) => Members)('a[b]=1')['a[b]'], '1');
        const trust = compile('compileTrust', 'loopback, 10.0.0.0/8') as (address: string, hop: number) => boolean;
        assert.deepEqual([trust('127.0.0.1', 0), trust('10.1.2.3', 1), trust('192.0.2.1', 0)], [true, true, false]);
      }
    });
  });
}

/** What a call gives or throws. A record without prototype counts as one with. */
function outcome(members: Members, member: string, args: readonly unknown[]): string {
  try {
    return JSON.stringify((members[member] as (...values: readonly unknown[]) => unknown)(...args)) ?? 'undefined';
  } catch (error) {
    return `throws ${(error as Error).name}: ${(error as Error).message}`;
  }
}

describe('lib/router/layer of express4', () => {
  const upstream = require('express4/lib/router/layer') as typeof Function;
  type LayerFunction = (path: string, options: object | undefined, fn: () => void) => Members & { match(path: string): boolean };

  for (const [title, Layer] of [
    ['ours', parts4['lib/router/layer.js']],
    ['upstream', upstream],
  ] as const) {
    it(`makes a layer with and without new (${title})`, () => {
      const called = (Layer as LayerFunction)('/a/:b', undefined, () => undefined);
      const made = Reflect.construct(Layer as typeof Function, ['/a/:b', {}, () => undefined]) as typeof called;
      class Own extends (Layer as typeof Function) {}
      const own = new Own('/a/:b' as never, {} as never, (() => undefined) as never);
      assert.ok(own instanceof Own);
      for (const layer of [called, made, own as unknown as typeof called]) {
        assert.ok(layer instanceof (Layer as typeof Function));
        assert.deepEqual(Object.keys(layer), ['handle', 'name', 'params', 'path', 'keys', 'regexp']);
        assert.equal(layer.match('/a/x'), true);
        assert.equal(layer['path'], '/a/x');
      }
      assert.equal(called.constructor, Layer);
    });
  }

  it('is the class of the layers in a stack', () => {
    const app = express4();
    app.get('/', () => undefined);
    const { stack } = (app as unknown as { _router: { stack: { route?: { stack: unknown[] } }[] } })._router;
    for (const layer of [...stack, ...(stack[2]?.route?.stack ?? [])])
      assert.ok(layer instanceof (parts4['lib/router/layer.js'] as typeof Function));
  });
});
