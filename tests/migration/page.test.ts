/**
 * The pages of docs/migration are held to the tests: an entry for each test, a test for each entry, the
 * packages that are installed.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { packageTable, pages, tableInPage } from './packages.ts';

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
  const listed = pages.flatMap(({ file, ids }) => {
    const found = [...readFileSync(file, 'utf8').matchAll(/^\| ([A-Z]\d+) \|/gm)].map(([, id]) => id ?? '');
    assert.ok(found.length > 0 && found.every((id) => ids.test(id)), `${file} lists ${found.join(' ')}`);
    return found;
  });
  assert.equal(new Set(listed).size, listed.length, 'an id stands twice');
  assert.deepEqual(listed.toSorted(), testedIds());
});

for (const page of pages.filter(({ rows }) => rows !== undefined)) {
  test(`the packages of ${basename(page.file)} are what the tests install (write them with tests/migration/packages.ts)`, () => {
    assert.ok(tableInPage(page).split('\n').length > 20);
    assert.equal(tableInPage(page), packageTable(page));
  });
}
