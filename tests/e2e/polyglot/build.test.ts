/**
 * An application with files of Python, as it is run, built into one file, and built into one executable: the same replies,
 * and nothing of its folder is needed afterwards.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
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

  it('names a file that is not there', async () => {
    const { code, stdout, stderr } = await fulmar(app, ['build', 'missing.js', '-o', join(folder, 'missing.mjs')]);
    assert.equal(code, 0, stderr);
    assert.match(stdout + stderr, /missing\.js names \.\/python\/nowhere\.py, and there is no such file/);
  });
});
