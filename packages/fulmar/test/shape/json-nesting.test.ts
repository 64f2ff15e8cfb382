/** How deep JSON is nested, against what was made. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isNestedDeeper } from '../../src/shape/json-nesting.ts';
import { randomOf } from './random-schema.ts';

const nested = (levels: number, open: string, close: string): string => open.repeat(levels) + close.repeat(levels);

it('tells one level more from as many as are allowed', () => {
  for (const levels of [0, 1, 7, 128]) {
    assert.equal(isNestedDeeper(nested(levels, '[', ']'), levels), false);
    assert.equal(isNestedDeeper(nested(levels + 1, '[', ']'), levels), true);
    assert.equal(isNestedDeeper(`${'{"a":'.repeat(levels + 1)}1${'}'.repeat(levels + 1)}`, levels), true);
    assert.equal(isNestedDeeper(`[${Array.from({ length: 500 }, () => nested(levels, '[', ']') || '1').join(',')}]`, levels + 1), false);
  }
});

it('counts nothing that stands in a text, however it is quoted', () => {
  const text = JSON.stringify(['['.repeat(500), `\\"${'{'.repeat(500)}`, '\\\\'.repeat(9), '"']);
  assert.equal(isNestedDeeper(text, 1), false);
  assert.equal(isNestedDeeper(`[${text}]`, 1), true);
  assert.equal(isNestedDeeper(`["${'['.repeat(500)}`, 1), false);
});

it('is right of random values', () => {
  const seed = 1126;
  const random = randomOf(seed);
  for (let round = 0; round < 300; round += 1) {
    let depth = 0;
    let value: unknown = random() < 0.5 ? '[{"' : 1;
    for (const levels = Math.floor(random() * 40); depth < levels; depth += 1)
      value = random() < 0.5 ? [value, '}'] : { '[': value, b: [] };
    const text = JSON.stringify(value);
    // An empty list beside the innermost value is a level, too.
    const deepest = (one: unknown): number =>
      typeof one === 'object' && one !== null ? 1 + Math.max(0, ...Object.values(one).map(deepest)) : 0;
    for (const levels of [depth - 1, depth, depth + 1, 20])
      if (levels >= 0) assert.equal(isNestedDeeper(text, levels), deepest(value) > levels, `seed ${seed}: ${text}`);
  }
});
