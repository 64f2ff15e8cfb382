/** The contract of guests, by Python in processes of its own. */
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { python } from '../../src/polyglot/index.ts';
import { contractOf } from './contract.ts';

const file = fileURLToPath(new URL('fixtures/contract.py', import.meta.url));
const guest = python.isolated();
after(() => guest.close());

for (const { name, run, skip } of contractOf({ guest, load: () => guest.import(file), problem: /Problem$/, file: 'contract.py' }))
  test(name, { skip }, run);
