/** Items of several streams on their way into one content: in which order, how far ahead, and what is sent while none comes. */
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Merged } from '../../../client/src/merged-streams.ts';

/** A stream that gives what it is told to, and notes what it is asked for. */
function controlled(): { items: AsyncIterator<unknown>; asked: () => number; give: (value: unknown) => void; end: () => void } {
  let asked = 0;
  const waiting: ((result: IteratorResult<unknown>) => void)[] = [];
  return {
    items: { next: () => ((asked += 1), new Promise((resolve) => waiting.push(resolve))) },
    asked: () => asked,
    give: (value) => waiting.shift()?.({ done: false, value }),
    end: () => waiting.shift()?.({ done: true, value: undefined }),
  };
}

const members = (value: unknown): string => `"value":${JSON.stringify(value)}`;
const nothing = (): void => {};

test('gives lines in the order in which items come, and asks each stream for one at a time', async () => {
  const [first, second] = [controlled(), controlled()];
  const merged = new Merged(
    [
      { part: 0, items: first.items },
      { part: 3, items: second.items },
    ],
    members,
    nothing,
  );
  const line = merged.next();
  second.give('b');
  assert.equal(await line, '{"part":3,"value":"b"}\n');
  assert.deepEqual([first.asked(), second.asked()], [1, 1]);
  first.give('a');
  assert.equal(await merged.next(), '{"part":0,"value":"a"}\n');
  assert.deepEqual([first.asked(), second.asked()], [1, 2]);
  second.end();
  assert.equal(await merged.next(), '{"part":3,"done":true}\n');
  first.end();
  assert.equal(await merged.next(), '{"part":0,"done":true}\n');
  assert.equal(await merged.next(), undefined);
});

test('gives lines of spaces while nothing comes, and none that were not asked for', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const stream = controlled();
    const merged = new Merged([{ part: 0, items: stream.items }], members, nothing);
    for (let time = 0; time < 2; time += 1) {
      const line = merged.next(true);
      await Promise.resolve();
      mock.timers.tick(3000);
      assert.match(String(await line), /^ {2047}\n$/);
    }
    const next = merged.next(true);
    stream.give(1);
    assert.equal(await next, '{"part":0,"value":1}\n');
    let isGiven = false;
    const quiet = merged.next().finally(() => (isGiven = true));
    await Promise.resolve();
    mock.timers.tick(100_000);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isGiven, false);
    merged.leave();
    assert.equal(await quiet, undefined);
    assert.equal(stream.asked(), 2);
  } finally {
    mock.timers.reset();
  }
});

test('throws what a stream throws, and what of it cannot be sent, and tells it', async () => {
  const told: unknown[] = [];
  const error = new Error('of the sensor');
  const failing = new Merged([{ part: 0, items: { next: () => Promise.reject(error) } }], members, (one) => told.push(one));
  await assert.rejects(failing.next(), error);
  const stream = controlled();
  const unsendable = new Merged(
    [{ part: 0, items: stream.items }],
    () => {
      throw new TypeError('a function');
    },
    (one) => told.push(one),
  );
  const line = unsendable.next();
  stream.give(() => 1);
  await assert.rejects(line, /a function/);
  assert.deepEqual(told.map(String), ['Error: of the sensor', 'TypeError: a function']);
});
