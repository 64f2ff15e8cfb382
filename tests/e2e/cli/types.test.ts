/**
 * Types at run time under `fulmar run`, `fulmar build` and `fulmar/register`: both module kinds, places of
 * errors, what is kept from start to start, and what is made anew.
 */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { dist, type Ended, fulmar, hasSyncHooks, start, writeProject } from './support.ts';

const compiler = createRequire(join(dist, 'cli.cjs')).resolve('fulmar-compiler/package.json');

const files = {
  'src/main.ts': `import { parse, validate, ValidationError } from 'fulmar/types';
import type { User } from './model.ts';

console.log(validate<User>({ id: 1 }), validate<User>({ id: 'a' }), parse<User>('{"id":1,"x":2}'));
try {
  parse<User>('{"id":true}');
} catch (error) {
  if (!(error instanceof ValidationError)) throw error;
  console.log(error.issues.map(({ path }) => path.join()).join());
  console.log(/main\\.ts:6:\\d+/.exec(error.stack ?? '')?.[0].slice(0, 9));
}
`,
  'src/model.ts': 'export interface User { id: number }\n',
};
const printed = 'true false { id: 1 }\nid\nmain.ts:6\n';

/** An application that has Fulmar and its compiler installed. */
function application(manifest: string): string {
  const folder = writeProject({ ...files, 'package.json': manifest });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(dirname(dist), join(folder, 'node_modules', 'fulmar'));
  symlinkSync(dirname(compiler), join(folder, 'node_modules', 'fulmar-compiler'));
  return folder;
}

const runNode = (folder: string, args: readonly string[]): Promise<Ended> => start(folder, args, { plain: true }).ended;

function check({ code, stdout, stderr }: Ended, expected = printed): void {
  assert.equal(stderr, '');
  assert.equal(stdout, expected);
  assert.equal(code, 0);
}

for (const [kind, manifest] of [
  ['CommonJS', '{}'],
  ['ES modules', '{"type":"module"}'],
] as const) {
  describe(`types at run time in ${kind}`, () => {
    const folder = application(manifest);

    it('are compiled by fulmar run, with the places of the source', async () => check(await fulmar(folder, ['run', 'src/main.ts'])));

    it('are compiled by fulmar build', async () => {
      const built = await fulmar(folder, ['build', 'src/main.ts', '-o', 'out.mjs', '--sourcemap']);
      assert.equal(built.code, 0, built.stderr);
      check(await runNode(folder, ['--enable-source-maps', 'out.mjs']));
    });

    it('are compiled by fulmar/register', { skip: hasSyncHooks ? false : 'this Node has no synchronous hooks' }, async () => {
      const { stdout, code } = await runNode(folder, ['--import', 'fulmar/register', 'src/main.ts']);
      assert.deepEqual([stdout, code], [printed, 0]);
    });

    it('follow a file that a type comes from', async () => {
      writeFileSync(join(folder, 'src/model.ts'), 'export interface User { id: number | boolean | string }\n');
      const { stdout } = await fulmar(folder, ['run', 'src/main.ts']);
      assert.match(stdout, /^true true \{ id: 1 \}\n$/);
      writeFileSync(join(folder, 'src/model.ts'), files['src/model.ts']);
      check(await fulmar(folder, ['run', 'src/main.ts']));
    });
  });
}

describe('what was compiled of types', () => {
  it('is taken from the cache at the next start, without TypeScript', async () => {
    const folder = application('{}');
    check(await fulmar(folder, ['run', 'src/main.ts']));
    const own = join(folder, 'other', 'fulmar-compiler');
    const typescript = createRequire(compiler).resolve('typescript/package.json');
    mkdirSync(join(own, 'dist'), { recursive: true });
    mkdirSync(join(own, 'node_modules', 'typescript'), { recursive: true });
    copyFileSync(compiler, join(own, 'package.json'));
    copyFileSync(typescript, join(own, 'node_modules', 'typescript', 'package.json'));
    copyFileSync(join(dirname(compiler), 'dist', 'index.cjs'), join(own, 'dist', 'index.cjs'));
    // As the launcher calls it: this one could compile nothing.
    const program = `const { compile } = require(${JSON.stringify(own)}); const { readFileSync } = require('node:fs');
const file = ${JSON.stringify(join(folder, 'src/main.ts'))};
console.log(compile(file, readFileSync(file, 'utf8'), ${JSON.stringify(join(folder, 'node_modules/.cache/fulmar'))}).code.includes('Number.isFinite'));
compile(file, readFileSync(file, 'utf8') + '\\n', ${JSON.stringify(join(folder, 'node_modules/.cache/fulmar'))});`;
    const { stdout, stderr } = await runNode(folder, ['-e', program]);
    assert.equal(stdout, 'true\n');
    assert.match(stderr, /Cannot find module '\.\/compile\.cjs'/);
  });

  it('is damaged without harm', async () => {
    const folder = application('{}');
    check(await fulmar(folder, ['run', 'src/main.ts']));
    const cache = join(folder, 'node_modules/.cache/fulmar');
    const names = readdirSync(cache).filter((name) => name.startsWith('types-'));
    assert.equal(names.length, 1);
    for (const name of names) writeFileSync(join(cache, name), readFileSync(join(cache, name)).subarray(0, 40));
    check(await fulmar(folder, ['run', 'src/main.ts']));
    rmSync(folder, { recursive: true, force: true });
  });
});

describe('a watched program', () => {
  it('starts again when a file of types alone changes', async () => {
    const folder = application('{}');
    const source =
      "import { validate } from 'fulmar/types';\nimport type { User } from './model';\nconsole.log('fits', validate<User>({ id: 'a' }));\nsetInterval(() => {}, 1000);\n";
    writeFileSync(join(folder, 'src/main.ts'), source);
    const watched = start(folder, ['run', '--watch', 'src/main.ts']);
    await watched.seen(/fits false/);
    // Node's watcher hears of the file by a message, which may come behind what the program has printed.
    const save = (): void => writeFileSync(join(folder, 'src/model.ts'), 'export interface User { id: string }\n');
    save();
    const saving = setInterval(save, 500);
    await watched.seen(/fits true/).finally(() => clearInterval(saving));
    watched.kill('SIGTERM');
    await watched.ended;
  });
});

describe('types that cannot be compiled', () => {
  it('end the start with every place and no stack of ours', async () => {
    const folder = application('{}');
    writeFileSync(join(folder, 'src/model.ts'), 'export interface User { id: () => void; key: symbol }\n');
    const { code, stdout, stderr } = await fulmar(folder, ['run', 'src/main.ts']);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /src\/main\.ts:4:13 User\.id is a function, which cannot be sent\n.*src\/main\.ts:4:13 User\.key is a symbol/);
    assert.doesNotMatch(stderr, /\n\s+at .*(?:fulmar|compiler)\/dist/);
  });

  it('say how to be compiled where nobody did', async () => {
    const folder = application('{"type":"module"}');
    writeFileSync(join(folder, 'plain.js'), "import { validate } from 'fulmar/types'; validate(1);");
    const { stderr } = await runNode(folder, ['plain.js']);
    assert.match(stderr, /validate<T>\(\) of fulmar\/types was not compiled.*npm install -D fulmar-compiler/);
  });
});
