/** The contract of guests, by Ruby. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ruby } from '../../src/polyglot/index.ts';
import { contractOf } from './contract.ts';

const file = fileURLToPath(new URL('fixtures/contract.rb', import.meta.url));
const { problem } = await ruby.look();

for (const { name, run, skip } of contractOf({ guest: ruby, load: () => ruby.import(file), problem: /Problem$/, file: 'contract.rb' }))
  test(name, { skip: problem ?? skip }, run);

test('a library that is not installed is told with the Ruby that was asked', { skip: problem ?? false }, () =>
  assert.rejects(ruby.import('no_such_library'), {
    class: 'LoadError',
    message: /^cannot load such file -- no_such_library \(Ruby 3\.\d+\.\d+ of \/.+, by .+\)$/,
  }),
);
