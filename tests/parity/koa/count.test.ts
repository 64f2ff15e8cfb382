/**
 * The suite stays as large as it is promised to be: at least 250 cases of Koa 3 and 200 of Koa 2, each with a
 * name of its own.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { countCases } from '../harness/suite.ts';
import type { Version } from './sides.ts';

const CASES_MIN: Readonly<Record<Version, number>> = { 3: 250, 2: 200 };

test('compares at least 250 cases of Koa 3 and 200 of Koa 2 with upstream', async () => {
  const own = import.meta.url.split('/').at(-1);
  const files = readdirSync(new URL('.', import.meta.url)).filter((name) => name.endsWith('.test.ts') && name !== own);
  const names = await countCases(async () => {
    for (const file of files) await import(new URL(file, import.meta.url).href);
  });
  for (const [version, min] of Object.entries(CASES_MIN)) {
    const found = names.filter((name) => name.startsWith(`koa ${version}: `)).length;
    assert.ok(found >= min, `found ${found} cases of Koa ${version} in ${files.length} files`);
  }
  assert.equal(new Set(names).size, names.length, 'two cases have the same name');
});
