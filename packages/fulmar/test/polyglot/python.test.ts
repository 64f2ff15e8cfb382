/** The contract of guests, by Python. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { python } from '../../src/polyglot/index.ts';
import { contractOf } from './contract.ts';

const file = fileURLToPath(new URL('fixtures/contract.py', import.meta.url));

for (const { name, run, skip } of contractOf({ guest: python, load: () => python.import(file), problem: /Problem$/, file: 'contract.py' }))
  test(name, { skip }, run);

test('a module that is not installed is told with the Python that was asked', () =>
  assert.rejects(python.import('no_such_module'), {
    class: 'ModuleNotFoundError',
    message: /^No module named 'no_such_module' \(Python 3\.\d+\.\d+ of \/.+, by .+\)$/,
  }));

test('what is imported is a text: a name, a path or a URL of a file', async () => {
  const module = await python.import(new URL('fixtures/contract.py', import.meta.url).href);
  assert.equal(await module.add(1, 2), 3);
  assert.throws(() => python.import(new URL('a:b') as never), /a path, and this is \[object URL\]/);
  assert.throws(() => python.import('json', { options: { classPath: [] } }), /python has no options of its own, and no classPath/);
  assert.throws(() => python.import('json', { relaod: true } as object), /did you mean reload\?/);
});

test('a package that an executable carries is loaded from its texts', async () => {
  const sources = {
    '/carried/kit/__init__.py': 'from . import part',
    '/carried/kit/part.py': 'X = 7',
    '/carried/plain.py': 'import kit\nY = kit.part.X + 1',
  };
  const kit = await python.import('/carried/kit/__init__.py', { options: { sources } });
  assert.equal(await kit.part.X, 7);
  assert.equal(await (await python.import('/carried/plain.py', { options: { sources } })).Y, 8);
});
