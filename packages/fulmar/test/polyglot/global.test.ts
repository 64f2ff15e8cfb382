/** `Polyglot`, the form in which the language is named or told by a file's ending. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import '../../src/polyglot/global.ts';
import { type GuestError, isHandle, type PolyglotApi } from '../../src/polyglot/index.ts';

const api: PolyglotApi = Polyglot;
const file = join(tmpdir(), `fulmar_polyglot_${process.pid}.py`);
writeFileSync(
  file,
  'def double(x):\n    return x * 2\n\nclass Counter:\n    def __init__(self):\n        self.n = 0\n    def up(self):\n        self.n += 1\n        return self.n\n\n40 + 2\n',
);
after(() => rmSync(file));

test('the language of a module is that of the file’s ending, or the one that is named', async () => {
  assert.equal(await api.import(file)['double']?.(4), 8);
  assert.equal(await api.import('python', file)['double']?.(5), 10);
  assert.equal(await api.import('python', 'math')['sqrt']?.(16), 4);
});

test('a handle is there at once, and what goes wrong is thrown by calls on it', async () => {
  const missing = api.import('/nowhere/at_all.py');
  assert.ok(isHandle(missing));
  await assert.rejects(missing['anything']?.() as Promise<unknown>, (error: GuestError) => error.class === 'FileNotFoundError');
});

test('code has a value, which can also be one with members', async () => {
  assert.equal(await api.eval('python', '1 + 2'), 3);
  assert.equal(await api.eval('python', 'a * 2', { locals: { a: 21 } }), 42);
  assert.equal(await api.eval('python', 'import math\nmath')['sqrt']?.(9), 3);
});

test('what a file holds is run, and gives its last value', async () => {
  assert.equal(await api.evalFile(file), 42);
  assert.equal(await api.evalFile('python', file), 42);
  assert.throws(() => api.evalFile('/nowhere/at_all.py'), { code: 'ENOENT' });
});

test('with `sync: true` calls give their results', () => {
  const module = api.import(file, { sync: true }) as unknown as { double(x: number): number; Counter: new () => object };
  assert.equal(module.double(3), 6);
  assert.equal(api.eval('python', '40 + 2', { sync: true }), 42);
  assert.equal(api.evalFile(file, { sync: true }), 42);
});

test('a call that is waited for is given up at its deadline', () => {
  const time = api.import('python', 'time', { sync: true, timeout: 300 }) as unknown as { sleep(seconds: number): void };
  assert.throws(() => time.sleep(20), { code: 'ERR_GUEST_TIMEOUT' });
});

test('a language or an ending that is none is told with those that there are', () => {
  assert.throws(() => api.import('pyhton', 'math'), /no language "pyhton"\. Did you mean "python"\? There are: .*python/);
  assert.throws(() => api.eval('cobol', '1'), /no language "cobol"\. There are: .*python/);
  assert.throws(() => api.import('./model.js'), /the ending of "\.\/model\.js" says no language: \.py \(python\)/);
  assert.throws(() => api.import('python'), /what of python is not said/);
  assert.throws(() => api.import(7 as never), /a file is expected/);
});
