/**
 * TypeScript under `fulmar run`: both module kinds, decorators, paths, stack traces that name the source,
 * syntax errors.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fulmar, writeProject } from './support.ts';

const sources = {
  'src/main.ts': `import { greet, type Greeting } from './greet.js';
import { Service } from '@/service';
import { view } from './view';

interface Shape {
  readonly side: number;
}
const shape: Shape = { side: 2 };

function Injectable(): ClassDecorator {
  return (target) => { Object.assign(target, { decorated: true }); };
}

@Injectable()
class Controller {
  constructor(private readonly service: Service) {}
  name = this.service.name;
  fail(): never {
    throw new Error('failed on purpose');
  }
}

const greeting: Greeting = greet('you');
const controller = new Controller(new Service());
console.log(greeting, (Controller as unknown as { decorated: boolean }).decorated, controller.name, view.type, shape.side);
void import('./late').then(({ late }) => {
  console.log(late);
  controller.fail();
});
`,
  'src/greet.ts': 'export type Greeting = string;\nexport const greet = (who: string): Greeting => `hello ${who}`;\n',
  'src/service.ts': 'export class Service { name: string = "service"; }\n',
  'src/late/index.ts': 'export const late: string = "late";\n',
  'src/view.tsx': 'export const view = <main id="x">{1 as number}</main>;\n',
  'src/jsx.ts': 'export const h = (type: string): { type: string } => ({ type });\n',
  'node_modules/tiny/package.json': '{"exports":{"./jsx-runtime":"./jsx.cjs"}}',
  'node_modules/tiny/jsx.cjs': 'exports.jsx = (type) => ({ type });',
  'tsconfig.json': `{
  // as people write it
  "compilerOptions": { "target": "ES2021", "experimentalDecorators": true, "emitDecoratorMetadata": true, "jsx": "react-jsx", "jsxImportSource": "tiny", "paths": { "@/*": ["./src/*"] }, },
}`,
};

const expected = 'hello you true service main 2\nlate\n';

for (const [kind, manifest] of [
  ['CommonJS', '{}'],
  ['an ES module', '{"type":"module"}'],
] as const) {
  describe(`TypeScript as ${kind}`, () => {
    const folder = writeProject({ ...sources, 'package.json': manifest });

    it('runs with decorators, paths, JSX and imports without extension; stacks name lines of the source', async () => {
      const { code, stdout, stderr } = await fulmar(folder, ['run', 'src/main.ts']);
      assert.equal(stdout, expected, stderr);
      assert.equal(code, 1);
      assert.match(stderr, /Error: failed on purpose\n {4}at (?:Controller\.)?fail .*src\/main\.ts:19:11\)\n.* .*src\/main\.ts:28:14/);
    });

    it('runs the same from the cache', async () => {
      assert.ok(readdirSync(join(folder, 'node_modules/.cache/fulmar')).length >= 5);
      const { stdout, stderr } = await fulmar(folder, ['run', 'src/main.ts']);
      assert.equal(stdout, expected);
      assert.match(stderr, /src\/main\.ts:19:11/);
    });

    it('runs without a cache', async () => {
      const { stdout } = await fulmar(folder, ['run', 'src/main.ts'], { env: { FULMAR_TRANSPILE_CACHE: '0' } });
      assert.equal(stdout, expected);
    });

    for (const [place, name] of [
      ['the entry', 'entry.ts'],
      ['a module it imports', 'main.ts'],
    ] as const) {
      it(`shows the source when ${place} does not parse`, async () => {
        const broken = writeProject({
          'package.json': manifest,
          'main.ts': 'import "./entry.ts";\n',
          'entry.ts': 'const fine: number = 1;\n\nconst broken: number = ;\n',
        });
        const { code, stderr } = await fulmar(broken, ['run', name]);
        assert.equal(code, 1);
        assert.match(stderr, /^fulmar: cannot compile .*entry\.ts: Unexpected token\n/);
        assert.match(stderr, /entry\.ts:3:24/);
        assert.match(stderr, /3 \| const broken: number = ;/);
        assert.doesNotMatch(stderr, /\n {4}at /);
      });
    }
  });
}

describe('TypeScript', () => {
  it('may await at the top without a package type', async () => {
    const folder = writeProject({
      'a.ts': 'import { readFile } from "node:fs/promises"; const text: string = await readFile("x.txt", "utf8"); console.log(text);',
      'x.txt': 'awaited',
    });
    assert.equal((await fulmar(folder, ['run', 'a.ts'])).stdout, 'awaited\n');
  });

  it('mixes with JavaScript in both directions', async () => {
    const folder = writeProject({
      'a.js': 'const { typed } = require("./typed"); const { other } = require("./other.js"); console.log(typed, other);',
      'typed.ts': 'import { plain } from "./plain"; export const typed: string = `typed ${plain}`;',
      'plain.js': 'exports.plain = "plain";',
      'other.ts': 'export const other: number = 2;',
      'main.mjs': 'import { typed } from "./typed.mjs"; import a from "./cts.cjs"; console.log(typed, a);',
      'typed.mts': 'export const typed: string = "module";',
      'cts.cts': 'export = 5 as number;',
    });
    assert.equal((await fulmar(folder, ['run', 'a.js'])).stdout, 'typed plain 2\n');
    assert.equal((await fulmar(folder, ['run', 'main.mjs'])).stdout, 'module 5\n');
  });

  const decorated = `const seen: unknown[] = [];
const note = (value: unknown, context: { kind: string; name: string; addInitializer(f: () => void): void }): void => {
  context.addInitializer(() => void seen.push(context.kind, context.name));
};
function fail(): never {
  throw new Error(seen.join());
}
@note
class Pet {
  @note greet(): void {}
  @note accessor name = 'rex';
  static part = <T,>(x: T): T => x;
}
new Pet();
fail();
`;

  for (const says of ['{}', '{"experimentalDecorators":false,"target":"ES2021"}']) {
    it(`compiles standard decorators with the application's TypeScript, where the options are ${says}`, async () => {
      const folder = writeProject({ 'a.ts': decorated, 'tsconfig.json': `{"compilerOptions":${says}}`, 'node_modules/x': '' });
      symlinkSync(fileURLToPath(new URL('../../apps/node_modules/typescript', import.meta.url)), join(folder, 'node_modules/typescript'));
      const { stderr } = await fulmar(folder, ['run', 'a.ts']);
      assert.match(stderr, /Error: class,Pet,method,greet,accessor,name\n/);
      assert.match(stderr, /a\.ts:6:9\)\n.*a\.ts:15:1/);
    });
  }

  it('names the option where nothing can compile standard decorators', async () => {
    const files = { 'a.ts': decorated, 'tsconfig.json': '{"compilerOptions":{}}' };
    for (const command of ['run', 'build']) {
      const { code, stderr } = await fulmar(writeProject(files), [command, 'a.ts']);
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^fulmar: (?:cannot bundle the application:\n\n)?a\.ts has standard decorators, as .*tsconfig\.json does not say "experimentalDecorators": true\. /,
      );
      assert.doesNotMatch(stderr, /\n {4}at /);
    }
  });

  it('takes decorators of parameters for the older ones, which alone have them', async () => {
    const folder = writeProject({
      'tsconfig.json': '{"compilerOptions":{}}',
      'a.ts':
        'const note = (...all: unknown[]): void => console.log(all.length, all[2]); class A { constructor(@note readonly b: string) {} } void A;',
    });
    assert.equal((await fulmar(folder, ['run', 'a.ts'])).stdout, '3 0\n');
  });

  it('gives ES modules the named exports of CommonJS sources', async () => {
    const folder = writeProject({
      'package.json': '{}',
      'main.mts': `import { a, b } from './lib'; import C, { deep, more } from './lib.js'; import { x, y } from './old'; import { p } from './whole.cjs';
import equal from './equal.cjs'; import * as all from './lib'; import cjs from './again.cjs';
console.log(a, b(), deep, more, x, y, p, typeof C, equal, Object.keys(all).filter((name) => name !== 'module.exports').join(), cjs === C);`,
      'lib.ts': `export const a: number = 1;\nexport function b(): number { return 2; }\nexport * from './more';\nexport default class {}`,
      'more.ts': `export * from './deep';\nexport const more: number = 3;\nexport type Gone = number;`,
      'deep.ts': `export * from './lib';\nexport const deep: string = 'deep';`,
      'old.ts': 'const x: number = 4; exports.x = x; module.exports.y = 5;',
      'whole.cts': 'const p: number = 6; module.exports = { p, "q": 7 };',
      'equal.cts': 'const value: number = 8; export = value;',
      'again.cts': 'module.exports = require("./lib");',
    });
    const { stdout, stderr } = await fulmar(folder, ['run', 'main.mts']);
    assert.equal(stdout, '1 2 deep 3 4 5 6 object 8 a,b,deep,default,more true\n', stderr);
  });

  it('survives circles of classes with decorators', async () => {
    const folder = writeProject({
      'tsconfig.json': '{"compilerOptions":{"experimentalDecorators":true,"emitDecoratorMetadata":true}}',
      'a.ts':
        'import { B } from "./b"; const d = (...x: any[]): any => undefined; @d export class A { constructor(readonly b: B) {} } console.log(new A(new B(undefined as any)).b.constructor.name);',
      'b.ts': 'import { A } from "./a"; const d = (...x: any[]): any => undefined; @d export class B { constructor(readonly a: A) {} }',
    });
    const { stdout, stderr } = await fulmar(folder, ['run', 'a.ts']);
    assert.equal(stdout, 'B\n', stderr);
  });

  it('needs no folder for its cache', async () => {
    const folder = writeProject({ 'a.ts': 'const x: number = 1; console.log(x);' });
    const { stdout } = await fulmar(folder, ['run', 'a.ts'], { env: { TMPDIR: '/dev/null' } });
    assert.equal(stdout, '1\n');
  });

  it('leaves no compiler in a JavaScript application', async () => {
    const folder = writeProject({
      'a.cjs': 'console.log(Object.keys(require.cache).filter((f) => f.includes("oxc")).length, process.features.typescript ?? false)',
    });
    const { stdout } = await fulmar(folder, ['run', 'a.cjs']);
    assert.match(stdout, /^0 /);
    assert.equal(existsSync(join(folder, 'node_modules')), false);
  });

  it('says so when tsconfig.json is broken', async () => {
    const folder = writeProject({ 'a.ts': 'console.log(1)', 'tsconfig.json': '{"compilerOptions":' });
    const { code, stderr } = await fulmar(folder, ['run', 'a.ts']);
    assert.equal(code, 1);
    assert.match(stderr, /^fulmar: cannot read .*tsconfig\.json: /);
  });
});
