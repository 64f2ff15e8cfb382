/** Libraries as they are published: a model of scikit-learn, arrays of numpy, tables of pandas, models of pydantic. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Decimal, type GuestError, NdArray, python } from '../../packages/fulmar/src/polyglot/index.ts';
import { usePackages } from './support.ts';

type Call = (...args: readonly unknown[]) => Promise<unknown>;
type Science = Readonly<
  Record<
    'predict' | 'probabilities' | 'describe' | 'doubled' | 'writable' | 'arrays' | 'scalars' | 'table' | 'series' | 'of_python' | 'order',
    Call
  >
>;

const skip = usePackages();
const load = (): Promise<Science> => python.import<Science>('./python/science.py', { from: import.meta.url });

describe('a model of scikit-learn', { skip }, () => {
  it('is trained and used', async () => {
    const science = await load();
    assert.deepEqual(
      await science.predict([
        [5.1, 3.5, 1.4, 0.2],
        [6.7, 3, 5.2, 2.3],
      ]),
      ['setosa', 'virginica'],
    );
    const probabilities = (await science.probabilities([[5.1, 3.5, 1.4, 0.2]])) as NdArray<Float64Array>;
    assert.ok(probabilities instanceof NdArray);
    assert.deepEqual(probabilities.shape, [1, 3]);
    assert.ok((probabilities.data[0] ?? 0) > 0.9);
  });

  it('answers five hundred calls at once', async () => {
    const science = await load();
    const results = await Promise.all(Array.from({ length: 500 }, () => science.predict([[5.1, 3.5, 1.4, 0.2]])));
    assert.ok(results.every((one) => (one as string[])[0] === 'setosa'));
  });
});

describe('arrays', { skip }, () => {
  it('are those of numpy there, with type and shape', async () => {
    const science = await load();
    for (const [value, dtype, shape] of [
      [new Float64Array([1, 2]), 'float64', [2]],
      [new Float32Array([1, 2]), 'float32', [2]],
      [new Int8Array([1, 2]), 'int8', [2]],
      [new Uint16Array([1, 2]), 'uint16', [2]],
      [new BigInt64Array([1n, 2n]), 'int64', [2]],
      [new NdArray(new Uint8Array([1, 2]), [2, 1]), 'uint8', [2, 1]],
      [new NdArray(new Uint8Array([1, 1, 1]), [3], 'bool'), 'bool', [3]],
    ] as const)
      assert.deepEqual(await science.describe(value), { kind: 'ndarray', dtype, shape, sum: 3 });
    assert.deepEqual(await science.describe(new Float64Array(0)), { kind: 'ndarray', dtype: 'float64', shape: [0], sum: 0 });
  });

  it('can be written to there, and that is not seen here', async () => {
    const science = await load();
    const given = new Float64Array([1, 2]);
    assert.deepEqual(await science.writable(given), new Float64Array([7, 2]));
    assert.deepEqual(given, new Float64Array([1, 2]));
  });

  it('come back whatever their order in memory is', async () => {
    const science = await load();
    const arrays = (await science.arrays()) as Record<string, unknown>;
    assert.deepEqual(arrays['flat'], new Float64Array([1.5, 2.5]));
    assert.deepEqual((arrays['matrix'] as NdArray).toJSON(), [
      [0, 1, 2],
      [3, 4, 5],
    ]);
    assert.deepEqual((arrays['transposed'] as NdArray).toJSON(), [
      [0, 3],
      [1, 4],
      [2, 5],
    ]);
    assert.deepEqual(arrays['strided'], new Int16Array([0, 3, 6, 9]));
    assert.deepEqual(arrays['big endian'], new Int32Array([1, 2]));
    assert.deepEqual(arrays['long'], new BigInt64Array([1n, 2n]));
    assert.deepEqual((arrays['flags'] as NdArray).toJSON(), [1, 0]);
    assert.deepEqual((arrays['none'] as NdArray).shape, [0, 3]);
    assert.deepEqual(arrays['words'], ['a', 'bc']);
    assert.deepEqual(arrays['halves'], [0.5, 1.5]);
  });

  it('of a hundred megabytes go there and back', async () => {
    const science = await load();
    const given = new Float64Array(12_500_000).fill(1.5);
    const back = (await science.doubled(given)) as Float64Array;
    assert.equal(back.length, given.length);
    assert.ok(back.every((one) => one === 3));
  });

  it('whose shape does not fit are refused where they are made', () => {
    assert.throws(() => new NdArray(new Float64Array(3), [2, 2]), /has 4 elements, and the data has 3/);
  });
});

describe('values of Python', { skip }, () => {
  it('of numpy alone are plain', async () => {
    assert.deepEqual(await (await load()).scalars(), [1.5, 0.5, 7, 3, true, 'x']);
  });

  it('in tables are columns, with nothing where there is nothing', async () => {
    const science = await load();
    assert.deepEqual(await science.table(), {
      n: [1, 2, 3],
      x: [1.5, null, 2.5],
      name: ['a', null, 'c'],
      at: [new Date('2024-01-02'), null, new Date('2024-03-04')],
    });
    assert.deepEqual(await science.series(), [1, 2, 3]);
  });

  it('of its own classes have a counterpart', async () => {
    const found = (await (await load()).of_python()) as Record<string, unknown>;
    const { order, ...rest } = found as { order: { price: Decimal } };
    assert.deepEqual(rest, {
      colour: 'red',
      'number of colour': 2,
      pair: { left: 1, right: 'x' },
      bird: { name: 'fulmar', age: 3, nested: { name: 'chick', age: 0, nested: null } },
      text: 't',
      number: 5,
      day: '2024-02-29',
      time: '12:30:00',
      span: 60.5,
      id: '00000000-0000-0000-0000-000000000001',
      path: 'a/b',
      ordered: { z: 1, a: 2 },
      frozen: new Set([1]),
      range: [0, 1, 2],
      view: new Uint8Array([97, 98, 99]),
      array: new Uint8Array([120, 121]),
      numbers: new Map<unknown, unknown>([
        [1, 'one'],
        [2, 'two'],
      ]),
    });
    assert.equal(String(order.price), '1.10');
    assert.equal(JSON.stringify(order), '{"id":1,"price":"1.10","tags":["a"]}');
  });

  it('that pydantic refuses say why', async () => {
    const science = await load();
    const error = (await science.order({ id: 'x' }).catch((caught: unknown) => caught)) as GuestError;
    assert.match(String(error.class), /ValidationError$/);
    assert.match(error.message, /2 validation errors for Order/);
    const order = (await science.order({ id: 1, price: new Decimal('2.50') })) as { price: Decimal };
    assert.equal(String(order.price), '2.50');
  });
});
