/** The suite stays as large as it is promised to be: at least 400 cases, each with a name of its own. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { countCases } from '../harness/suite.ts';

const CASES_MIN = 400;

test(`compares at least ${CASES_MIN} Express cases with upstream`, async () => {
  const own = import.meta.url.split('/').at(-1);
  const files = readdirSync(new URL('.', import.meta.url)).filter((name) => name.endsWith('.test.ts') && name !== own);
  const names = await countCases(async () => {
    for (const file of files) await import(new URL(file, import.meta.url).href);
  });
  assert.ok(names.length >= CASES_MIN, `found ${names.length} cases in ${files.length} files`);
  assert.equal(new Set(names).size, names.length, 'two cases have the same name');
});
