/** The contract of guests, by Java. */
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { java } from '../../src/polyglot/index.ts';
import { contractOf } from './contract.ts';

const file = fileURLToPath(new URL('fixtures/Contract.java', import.meta.url));
const { problem } = await java.look();

for (const { name, run, skip } of contractOf({ guest: java, load: () => java.import(file), problem: /Problem$/, file: 'Contract.java' }))
  test(name, { skip: problem ?? skip }, run);
