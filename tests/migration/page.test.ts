/** docs/migration/from-express.md is held to the tests: an entry for each test, a test for each entry, the packages that are installed. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { packageTable, page, tableInPage } from './packages.ts';

const here = dirname(fileURLToPath(import.meta.url));

function testedIds(): string[] {
  const files = readdirSync(here).filter((name) => name.endsWith('-differences.test.ts'));
  const texts = files.map((name) => readFileSync(join(here, name), 'utf8'));
  const ids = texts.flatMap((text) =>
    [...text.matchAll(/\bid: '([A-Z]\d+)'|test\(\s*'([A-Z]\d+):/g)].map(([, id, other]) => id ?? other ?? ''),
  );
  return [...new Set(ids)].toSorted();
}

test('every known difference has a test, and every test its entry', () => {
  const listed = [...readFileSync(page, 'utf8').matchAll(/^\| ([A-Z]\d+) \|/gm)].map(([, id]) => id);
  assert.equal(new Set(listed).size, listed.length, 'an id stands twice');
  assert.deepEqual(listed.toSorted(), testedIds());
});

test('the table of packages is what the tests install (write it with tests/migration/packages.ts)', () => {
  assert.ok(tableInPage().split('\n').length > 20);
  assert.equal(tableInPage(), packageTable());
});
