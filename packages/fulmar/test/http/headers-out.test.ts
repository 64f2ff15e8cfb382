import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headerMembers } from '../../src/http/headers-out.ts';

/** Time in ms to set and read so many fields of one reply, each of its own name. */
function timeOf(count: number): number {
  const res = { _exchange: {}, _block: null, _out: null, _tagged: null } as never;
  const names = Array.from({ length: count }, (_, i) => `X-Field-${i}`);
  const start = performance.now();
  for (const name of names) headerMembers.setHeader.call(res, name, 'v');
  for (const name of names) assert.equal(headerMembers.getHeader.call(res, name), 'v');
  return performance.now() - start;
}

const best = (count: number): number => Math.min(...Array.from({ length: 10 }, () => timeOf(count)));

test('thousands of reply fields cost about as much each as hundreds', () => {
  timeOf(2_000); // Names are made once.
  // Ten times as many: where each is looked for among all others, that takes a hundred times as long.
  assert.ok(best(2_000) < 40 * best(200));
});
