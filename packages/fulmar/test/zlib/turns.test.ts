/**
 * Streams that compress share a bounded part of each turn of the event loop; the first step of each is not
 * held back.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TURN_BYTES_MAX } from '../../src/zlib/limits.ts';
import { spend, takeTurn, type Worker } from '../../src/zlib/turns.ts';

const turnOfLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const tick = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

function worker(name: string, done: string[], bytes: number): Worker {
  return { step: () => (done.push(name), bytes > 0 && spend(bytes)) };
}

test('first steps are done at once, however much there is', async () => {
  const done: string[] = [];
  for (const name of ['a', 'b', 'c']) takeTurn(worker(name, done, 0), true);
  assert.deepEqual(done, []);
  await tick();
  assert.deepEqual(done, ['a', 'b', 'c']);
  await turnOfLoop();
});

test('further steps of all streams are done in order, as many in each turn of the loop as their bytes allow', async () => {
  await turnOfLoop();
  const done: string[] = [];
  takeTurn(worker('first', done, TURN_BYTES_MAX), false);
  await tick();
  for (const name of ['a', 'b', 'c', 'd']) takeTurn(worker(name, done, TURN_BYTES_MAX / 2), false);
  takeTurn(worker('new', done, 0), true);
  await tick();
  assert.deepEqual(done, ['first', 'new']);
  await turnOfLoop();
  assert.deepEqual(done, ['first', 'new', 'a', 'b']);
  await turnOfLoop();
  assert.deepEqual(done, ['first', 'new', 'a', 'b', 'c', 'd']);
  takeTurn(worker('last', done, 1), false);
  await turnOfLoop();
  await tick();
  assert.deepEqual(done.slice(6), ['last']);
});
