/** The contract of guests, by Java in a process of its own. */
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { java } from '../../src/polyglot/index.ts';
import { contractOf } from './contract.ts';

const file = fileURLToPath(new URL('fixtures/Contract.java', import.meta.url));
const { problem } = await java.look();
const guest = java.isolated();
after(() => guest.close());

for (const { name, run, skip } of contractOf({ guest, load: () => guest.import(file), problem: /Problem$/, file: 'Contract.java' }))
  test(name, { skip: problem ?? skip }, run);
