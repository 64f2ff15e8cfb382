/**
 * The suite stays as large as it is promised to be: at least 300 cases of its own beside those shared with
 * Express 5.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { countCases } from '../harness/suite.ts';

const CASES_MIN = 300;
/** This file, the shared cases, and what has tests of other kinds too. */
const NOT_COUNTED: readonly string[] = ['count.test.ts', 'shared.test.ts', 'deprecations.test.ts'];

test(`compares at least ${CASES_MIN} cases written for Express 4 with upstream`, async () => {
  const files = readdirSync(new URL('.', import.meta.url)).filter((name) => name.endsWith('.test.ts') && !NOT_COUNTED.includes(name));
  const names = await countCases(async () => {
    for (const file of files) await import(new URL(file, import.meta.url).href);
  });
  assert.ok(names.length >= CASES_MIN, `found ${names.length} cases in ${files.length} files`);
  assert.equal(new Set(names).size, names.length, 'two cases have the same name');
});
