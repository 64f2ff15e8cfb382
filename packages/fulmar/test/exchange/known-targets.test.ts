/** Targets as strings: whatever came before, each has the text of its own bytes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { targetText } from '../../src/exchange/known-targets.ts';
import { allocateNative } from '../../src/exchange/node-buffer.ts';

const SLAB = 4096;
const slab = allocateNative(SLAB);

test('random targets have the text of their bytes, known or not', () => {
  let state = 11;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  // Few of each length, so that they meet in one place of the table, differ in one byte, and come again.
  const lengths = [1, 2, 5, 63, 64, 65, 300];
  for (let i = 0; i < 50_000; i++) {
    const length = lengths[random(lengths.length)]!;
    const start = random(SLAB - length);
    slab.fill(0x61, start, start + length);
    slab[start + random(length)] = random(3) === 0 ? 0xe9 : 0x62;
    const expected = slab.latin1Slice(start, start + length);
    assert.equal(targetText(slab, start, length), expected);
    slab.fill(0x7a, start, start + length); // What is known is no view of the slab.
  }
  assert.equal(targetText(slab, 0, 0), '');
});

test('a target that comes again is the same string without being made', () => {
  const target = '/users/4711?page=2';
  for (let i = 0; i < 8; i++) {
    slab.latin1Write(target, 100 * i, target.length);
    assert.equal(targetText(slab, 100 * i, target.length), target);
  }
  slab.latin1Write(target, 0, target.length);
  const { latin1Slice } = slab;
  slab.latin1Slice = () => assert.fail('a string was made');
  try {
    assert.equal(targetText(slab, 0, target.length), target);
  } finally {
    slab.latin1Slice = latin1Slice;
  }
});
