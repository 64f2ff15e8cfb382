/** `store`: loaded once, kept for a time, given stale while it is loaded anew; bounds, failures, what is set meanwhile. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStore, store } from '../../src/routes/index.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function counted(values: readonly unknown[]): { load: () => Promise<unknown>; calls: () => number } {
  let calls = 0;
  return {
    load: async () => {
      const value = values[Math.min(calls, values.length - 1)];
      calls += 1;
      await turn();
      if (value instanceof Error) throw value;
      return value;
    },
    calls: () => calls,
  };
}

test('a value is loaded once, also for those who ask at the same time', async () => {
  const own = createStore();
  const { load, calls } = counted([{ a: 1 }]);
  const found = await Promise.all(Array.from({ length: 50 }, () => own.get('k', load)));
  assert.equal(calls(), 1);
  assert.deepEqual(found[49], { a: 1 });
  assert.deepEqual(await own.get('k', load), { a: 1 });
  assert.equal(calls(), 1);
  assert.equal(own.size, 1);
});

test('what is false is a value, too', async () => {
  const own = createStore();
  for (const value of [undefined, null, 0, '', false, Number.NaN]) {
    const { load, calls } = counted([value]);
    const key = `k ${String(value)}`;
    assert.ok(Object.is(await own.get(key, load), value));
    await own.get(key, load);
    assert.equal(calls(), 1, key);
  }
});

test("who changes what he was given changes nobody else's", async () => {
  const own = createStore();
  const first = (await own.get('k', () => ({ list: [1] }))) as { list: number[] };
  first.list.push(2);
  assert.deepEqual(await own.get('k', () => null), { list: [1] });
});

test('a failure is told to all who wait, and kept by nobody', async () => {
  const own = createStore();
  const { load, calls } = counted([new Error('down'), 'up']);
  const results = await Promise.allSettled([own.get('k', load), own.get('k', load)]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(await own.get('k', load), 'up');
  assert.equal(calls(), 2);
});

test('a value that is over is loaded anew; a stale one is given meanwhile', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const own = createStore();
  const { load, calls } = counted(['one', 'two', 'three']);
  const keep = { ttl: 100, stale: 100 };
  assert.equal(await own.get('k', load, keep), 'one');
  now = 99;
  assert.equal(await own.get('k', load, keep), 'one');
  assert.equal(calls(), 1);
  now = 150;
  assert.deepEqual(await Promise.all([own.get('k', load, keep), own.get('k', load, keep)]), ['one', 'one']);
  await turn();
  await turn();
  assert.equal(calls(), 2);
  assert.equal(await own.get('k', load, keep), 'two');
  now = 500;
  assert.equal(await own.get('k', load, keep), 'three');
  now = 599;
  assert.equal(await own.get('k', load, { ttl: 100 }), 'three');
  assert.equal(calls(), 3);
});

test('what fails behind a stale value is told, and the value stays for its time', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const told: unknown[] = [];
  const own = createStore({ onError: (error, key) => told.push((error as Error).message, key) });
  const { load } = counted(['one', new Error('down')]);
  await own.get('k', load, { ttl: 10, stale: 1000 });
  now = 20;
  assert.equal(await own.get('k', load, { ttl: 10, stale: 1000 }), 'one');
  await turn();
  await turn();
  assert.deepEqual(told, ['down', 'k']);
  // Several who ask at once are told of once.
  const { load: again } = counted([new Error('still')]);
  await Promise.all([1, 2, 3].map(() => own.get('k', again, { ttl: 10, stale: 1000 })));
  await turn();
  await turn();
  assert.deepEqual(told, ['down', 'k', 'still', 'k']);
});

test('what is set or taken out while it is loaded goes before what comes', async () => {
  const own = createStore();
  const { load } = counted(['old']);
  const loading = own.get('k', load);
  own.set('k', 'new');
  assert.equal(await loading, 'old');
  assert.equal(await own.get('k', load), 'new');

  const other = own.get('other', load);
  own.invalidate('other');
  await other;
  assert.equal(await own.get('other', () => 'fresh'), 'fresh');
});

test('a refresh does not take what was being loaded before it', async () => {
  const own = createStore();
  const { load } = counted(['before the change']);
  const before = own.get('k', load);
  assert.equal(await own.refresh('k', () => 'behind it'), 'behind it');
  assert.equal(await before, 'before the change');
  assert.equal(await own.get('k', load), 'behind it');
});

test('keys are taken out by name, by a function, or all of them; a key may be refreshed', async () => {
  const own = createStore();
  for (const key of ['user:1', 'user:2', 'post:1']) own.set(key, key, { ttl: 0 });
  own.invalidate('user:1');
  assert.equal(own.size, 2);
  own.invalidate((key) => key.startsWith('user:'));
  assert.equal(own.size, 1);
  assert.equal(await own.refresh('post:1', () => 'again'), 'again');
  assert.equal(await own.get('post:1', () => 'never'), 'again');
  own.invalidate();
  assert.equal(own.size, 0);
});

test('it has bounds', async () => {
  const own = createStore({ max: 2 });
  for (const key of ['a', 'b', 'c']) own.set(key, key);
  assert.equal(own.size, 2);
  assert.equal(await own.get('a', () => 'loaded'), 'loaded');
  const small = createStore({ maxBytes: 1000 });
  small.set('big', 'x'.repeat(1000));
  assert.equal(small.size, 0);
});

test('mistakes are told', async () => {
  await assert.rejects(
    store.get('', () => 1),
    /A key of the store is a text/,
  );
  await assert.rejects(store.get('k', 5 as never), /takes a function that loads/);
  await assert.rejects(
    store.get('k', () => 1, { tll: 1 } as never),
    /tll/,
  );
  assert.throws(() => store.set('k', 1, { ttl: -1 }), /ttl/);
  assert.throws(() => createStore({ max: 0 }), /max/);
  assert.throws(() => createStore({ onError: 5 } as never), /onError/);
});

test('keep says which values are kept, and an older one goes with one that is not', async () => {
  const own = createStore();
  const { load, calls } = counted([null, 'one', null, 'two']);
  const options = { ttl: 1, stale: 60_000, keep: (value: unknown) => value !== null };
  assert.equal(await own.get('k', load, options), null);
  assert.equal(own.size, 0);
  assert.equal(await own.get('k', load, options), 'one');
  assert.equal(own.size, 1);
  const over = performance.now() + 2;
  while (performance.now() < over) await turn();
  assert.equal(await own.get('k', load, options), 'one');
  while (own.size > 0) await turn();
  assert.equal(calls(), 3);
  assert.equal(await own.get('k', load, options), 'two');
  await assert.rejects(own.get('k', load, { keep: true as never }), /keep is a function \(value\)/);
});

test('who asks may be told of what fails behind it, in the place of the store', async () => {
  const told: string[] = [];
  const own = createStore({ onError: () => told.push('store') });
  const { load } = counted(['one', new Error('down'), new Error('down')]);
  await own.get('k', load, { ttl: 1, stale: 60_000 });
  for (const onError of [() => told.push('asker'), undefined]) {
    const over = performance.now() + 2;
    while (performance.now() < over) await turn();
    const before = told.length;
    assert.equal(await own.get('k', load, { ttl: 1, stale: 60_000, ...(onError && { onError }) }), 'one');
    while (told.length === before) await turn();
  }
  assert.deepEqual(told, ['asker', 'store']);
});
