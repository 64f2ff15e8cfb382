/**
 * Every Express 5 parity case that makes sense for Express 4 as well, run on `express4` and on
 * `fulmar/express4`. Programs that only Express 5 accepts are run too: both sides then have to refuse them
 * alike.
 */
import { readdirSync } from 'node:fs';
import { runShared } from '../harness/suite.ts';
import { EXCEPT } from './except.ts';

const FOLDER = new URL('../express/', import.meta.url);

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.test.ts') && name !== 'count.test.ts');

await runShared({ flavour: 'express4', except: EXCEPT }, async () => {
  for (const file of files) await import(new URL(file, FOLDER).href);
});
