/**
 * An application with files of Python, as it is run, built into one file, and built into one executable: the same replies,
 * and nothing of its folder is needed afterwards.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fulmar, start } from '../cli/support.ts';

const folder = mkdtempSync(join(tmpdir(), 'fulmar-polyglot-build-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const elsewhere = join(folder, 'elsewhere');
const app = join(folder, 'app');
cpSync(fileURLToPath(new URL('app', import.meta.url)), app, { recursive: true });
mkdirSync(join(app, 'node_modules'));
symlinkSync(fileURLToPath(new URL('../../../packages/fulmar', import.meta.url)), join(app, 'node_modules', 'fulmar'));

const replies: Readonly<Record<string, unknown>> = {
  '/model/7': { n: 21, word: 'THREE!' },
  '/where': 'python',
  '/later': 'hello you',
  '/package': '!',
  '/apart': 'late',
  '/isolated': 'hello process',
  '/fail': { class: 'LookupError', code: 'raise LookupError("not there")', file: 'python/model.py' },
};

async function asksAll(port: number): Promise<void> {
  for (const [path, expected] of Object.entries(replies)) {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`);
    const text = await reply.text();
    assert.deepEqual(typeof expected === 'string' ? text : JSON.parse(text), expected, path);
  }
}

async function answers(cwd: string, words: readonly string[], options: Parameters<typeof start>[2]): Promise<void> {
  const server = start(cwd, words, options);
  try {
    await asksAll(await server.port());
  } finally {
    server.kill('SIGTERM');
  }
  const { code, stderr } = await server.ended;
  assert.equal(code, 0, stderr);
}

describe('an application with files of Python', () => {
  it('is run', () => answers(app, ['run', 'server.js'], {}));

  for (const [what, options, name] of [
    ['one file', [], 'server.mjs'],
    ['one executable', ['--native'], 'server'],
  ] as const)
    it(`is built into ${what}`, async () => {
      const out = join(folder, name);
      const { code, stderr } = await fulmar(app, ['build', 'server.js', ...options, '-o', out]);
      assert.equal(code, 0, stderr);
      cpSync(out, join(elsewhere, name));
      if (options.length === 0) await answers(elsewhere, [join(elsewhere, name)], { plain: true });
      else await answers(elsewhere, [], { program: join(elsewhere, name) });
    });

  it('is built of TypeScript, also where its imports are those of tsconfig.json', async () => {
    writeFileSync(join(app, 'tsconfig.json'), '{ "compilerOptions": { "paths": { "#py/*": ["./python/*"] } } }');
    writeFileSync(
      join(app, 'typed.ts'),
      "import later from './python/later.py';\nimport scale from '#py/scale.py';\nconsole.log((await later.greet('you')) as string, (await scale.by(2)) as number);\n",
    );
    const out = join(elsewhere, 'typed.mjs');
    const { code, stderr } = await fulmar(app, ['build', 'typed.ts', '-o', out]);
    assert.equal(code, 0, stderr);
    const { stdout } = await start(elsewhere, [out], { plain: true }).ended;
    assert.equal(stdout, 'hello you 6\n');
  });

  it('has the class path of Java, and says what of it an executable needs beside it', async () => {
    mkdirSync(join(app, 'jars/more'), { recursive: true });
    mkdirSync(join(app, 'classes/a'), { recursive: true });
    for (const name of ['jars/one.jar', 'jars/more/two.jar', 'jars/more/readme.txt', 'classes/a/B.class'])
      writeFileSync(join(app, name), '');
    const classPath = ['./jars/one.jar', './jars/more/*', './jars/none.jar', './classes'];
    writeFileSync(
      join(app, 'java.js'),
      `import { java } from 'fulmar/polyglot';\njava.import('a.B', { options: { classPath: ${JSON.stringify(classPath)} } });\n`,
    );
    const file = await fulmar(app, ['build', 'java.js', '-o', join(folder, 'java.mjs')]);
    assert.match(file.stdout, /, 3 embedded files, /);
    assert.match(file.stderr, /java\.js names \.\/jars\/none\.jar, and there is no such file/);
    const executable = await fulmar(app, ['build', 'java.js', '--native', '-o', join(folder, 'java')]);
    assert.match(
      executable.stderr,
      /names \.\/classes, a folder of classes: it has to lie beside the executable, as classes; a jar is embedded\n/,
    );
    assert.doesNotMatch(executable.stderr, /\/one\.jar|jars\/more/);
  });

  for (const [what, options, name] of [
    ['a file', [], 'computed.mjs'],
    ['an executable', ['--native'], 'computed'],
  ] as const)
    it(`finds files by computed names in ${what}, wherever that is started`, async () => {
      const code = [
        "import { python } from 'fulmar/polyglot';",
        "const load = (name) => python.import('./python/' + name + '.py');",
        "console.log(await (await load('scale')).by(2));",
        "console.log(await (await load('later')).greet('you'));",
      ];
      writeFileSync(join(app, 'computed.js'), code.join('\n'));
      const plain = await fulmar(app, ['build', 'computed.js', ...options, '-o', join(folder, name)]);
      assert.match(
        plain.stderr,
        /computed\.js:2: import\(\) of another language has a computed name; what it names is embedded by --include/,
      );
      const { code: status, stderr } = await fulmar(app, [
        'build',
        'computed.js',
        '--include',
        'python',
        ...options,
        '-o',
        join(elsewhere, name),
      ]);
      assert.equal(status, 0, stderr);
      assert.doesNotMatch(stderr, /computed name/);
      const out = join(elsewhere, name);
      const { stdout } = await (options.length === 0 ? start(folder, [out], { plain: true }) : start(folder, [], { program: out })).ended;
      assert.equal(stdout, '6\nhello you\n');
    });

  it('is told that a function of a platform calls none', async () => {
    const { code, stderr } = await fulmar(app, ['build', 'server.js', '--target', 'lambda', '-o', join(folder, 'lambda')]);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /fulmar: uses fulmar\/polyglot, which needs the engine, and a function has none: its calls will fail/);
  });

  it('names a file that is not there', async () => {
    const { code, stdout, stderr } = await fulmar(app, ['build', 'missing.js', '-o', join(folder, 'missing.mjs')]);
    assert.equal(code, 0, stderr);
    assert.match(stdout + stderr, /missing\.js names \.\/python\/nowhere\.py, and there is no such file/);
  });
});
