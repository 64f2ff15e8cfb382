/** The contract of guests, by Ruby. */
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ruby } from '../../src/polyglot/index.ts';
import { contractOf } from './contract.ts';

const file = fileURLToPath(new URL('fixtures/contract.rb', import.meta.url));
const { problem } = await ruby.look();

for (const { name, run, skip } of contractOf({ guest: ruby, load: () => ruby.import(file), problem: /Problem$/, file: 'contract.rb' }))
  test(name, { skip: problem ?? skip }, run);
