/** The contract of guests on the QuickJS host: the same cases, the same languages. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../harness/host.ts';
import { defineNativeRun } from './run.ts';

const FOLDER = 'packages/fulmar/test/polyglot';

for (const file of readdirSync(join(root, FOLDER))
  .filter((name) => name.endsWith('.test.ts'))
  .toSorted())
  defineNativeRun(`${FOLDER}/${file}`);
