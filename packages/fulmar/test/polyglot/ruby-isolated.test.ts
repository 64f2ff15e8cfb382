/** The contract of guests, by Ruby in a process of its own. */
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ruby } from '../../src/polyglot/index.ts';
import { contractOf } from './contract.ts';

const file = fileURLToPath(new URL('fixtures/contract.rb', import.meta.url));
const { problem } = await ruby.look();
const guest = ruby.isolated();
after(() => guest.close());

for (const { name, run, skip } of contractOf({ guest, load: () => guest.import(file), problem: /Problem$/, file: 'contract.rb' }))
  test(name, { skip: problem ?? skip }, run);
