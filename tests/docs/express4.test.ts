/**
 * Each difference that docs/internals/express4.md lists by an id stands at the function that makes it, and no
 * id stands for nothing.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const folder = join(root, 'packages/fulmar/src/express/express4');
/** An area's letter and a number. */
const id = /\b[ARQSBF][1-9]\d?\b/g;

function idsOfPage(): string[] {
  const page = readFileSync(join(root, 'docs/internals/express4.md'), 'utf8');
  return [...page.matchAll(/^\| ([A-Z]\d+) \|/gm)].map(([, name = '']) => name);
}

/** Ids in comments, with the files they stand in. */
function idsOfSources(): Map<string, string[]> {
  const places = new Map<string, string[]>();
  for (const file of readdirSync(folder)) {
    const comments = readFileSync(join(folder, file), 'utf8').match(/\/\/.*$|\/\*\*[^]*?\*\//gm) ?? [];
    for (const name of comments.join('\n').match(id) ?? []) places.set(name, [...(places.get(name) ?? []), file]);
  }
  return places;
}

it("ids of Express 4's differences are each listed once", () => {
  const listed = idsOfPage();
  assert.ok(listed.length > 40, `only ${listed.length} ids found on the page`);
  assert.equal(new Set(listed).size, listed.length);
});

it('each difference of Express 4 that is listed is named where it is made', () => {
  const places = idsOfSources();
  assert.deepEqual(
    idsOfPage().filter((name) => !places.has(name)),
    [],
  );
});

it('each difference of Express 4 that is named in the sources is listed', () => {
  const listed = new Set(idsOfPage());
  const unknown = [...idsOfSources()].filter(([name]) => !listed.has(name));
  assert.deepEqual(unknown, []);
});
