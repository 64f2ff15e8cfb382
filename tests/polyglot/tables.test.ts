/** Tables and columns of Arrow, of pyarrow and polars: as the lists that these libraries make of them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type GuestHandle, python, withOptions } from '../../packages/fulmar/src/polyglot/index.ts';
import { usePackages } from './support.ts';

type Call = (...args: readonly unknown[]) => Promise<unknown>;
type Tables = Readonly<
  Record<
    | 'as_lists'
    | 'batch'
    | 'chunked'
    | 'chunks'
    | 'column'
    | 'far'
    | 'interval'
    | 'kinds'
    | 'long'
    | 'maps'
    | 'nothing'
    | 'of_polars'
    | 'of_polars_as_lists'
    | 'rows'
    | 'series'
    | 'sliced'
    | 'twice'
    | 'values'
    | 'whole',
    Call
  >
>;

const skip = usePackages();
const {
  as_lists,
  batch,
  chunked,
  chunks,
  column,
  far,
  interval,
  kinds,
  long,
  maps,
  nothing,
  of_polars,
  of_polars_as_lists,
  rows,
  series,
  sliced,
  twice,
  values,
  whole,
} = skip === false ? await python.import<Tables>('./python/tables.py', { from: import.meta.url }) : ({} as never as Tables);

describe('of Arrow', { skip }, () => {
  it('columns of each type are lists, whole, in part and in chunks', async () => {
    for (const kind of (await kinds()) as string[]) {
      const expected = (await values(kind)) as unknown[];
      assert.deepEqual(await column(kind), expected, kind);
      assert.deepEqual(await sliced(kind), expected.slice(1), kind);
      assert.deepEqual(await chunked(kind), [...expected, ...expected.slice(2)], kind);
    }
  });

  it('maps are objects', async () => {
    assert.deepEqual(await maps(), [{ k: 1 }, null, {}]);
  });

  it('tables are objects of their columns, in the order of the table', async () => {
    const lists = (await as_lists()) as Record<string, unknown[]>;
    const table = (await whole()) as Record<string, unknown[]>;
    assert.deepEqual(table, lists);
    assert.deepEqual(Object.keys(table), Object.keys(lists));
    const some = (of: (list: unknown[]) => unknown[]): unknown =>
      Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, of(list)]));
    assert.deepEqual(
      await chunks(),
      some(([first, , third]) => [third, first]),
    );
    assert.deepEqual(
      await batch(),
      some((list) => list.slice(1)),
    );
    assert.deepEqual(await nothing(), [{}, { a: [], b: [] }]);
  });

  it('tables and columns of polars are, too', async () => {
    assert.deepEqual(await of_polars(), await of_polars_as_lists());
    assert.deepEqual(await series(), [{ a: 2 }, null]);
  });

  it('a long one comes whole', async () => {
    const { text, number } = (await long()) as Record<'text' | 'number', unknown[]>;
    assert.deepEqual([text.length, text.at(-1), number.at(-1)], [100_000, 'text 99999', 99_999]);
  });

  it('what cannot be handed over is told', async () => {
    await assert.rejects(twice(), { class: 'ValueError', message: /two are called 'a': rename one/ });
    await assert.rejects(interval(), {
      class: 'TypeError',
      message: /column 'when' is of the Arrow type 'tin', which is not handed over: cast it/,
    });
    await assert.rejects(far(), { class: 'OverflowError' });
  });

  it('one may be asked for as itself, and given back', async () => {
    const table = (await withOptions(whole, { result: 'handle' })()) as GuestHandle;
    assert.equal(await rows(table), 3);
  });
});
