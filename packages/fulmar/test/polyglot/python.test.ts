/** The contract of guests, by Python. */
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { python } from '../../src/polyglot/index.ts';
import { contractOf } from './contract.ts';

const file = fileURLToPath(new URL('fixtures/contract.py', import.meta.url));

for (const { name, run, skip } of contractOf({ guest: python, load: () => python.import(file), problem: /Problem$/, file: 'contract.py' }))
  test(name, { skip }, run);
