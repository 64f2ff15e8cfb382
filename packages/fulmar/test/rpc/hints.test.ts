/** Hints of results whose type is known: what a look at the value alone says of it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hintsOf } from '../../src/rpc/hints.ts';
import type { Property, Shape } from '../../src/shape/shape.ts';
import { toWire } from '../../src/shape/wire-hints.ts';

const objectOf = (properties: Readonly<Record<string, Shape>>, presence: Property['presence'] = 'required'): Shape => ({
  kind: 'object',
  properties: Object.entries(properties).map(([name, shape]) => ({ name, shape, presence })),
  unknown: 'strip',
});
const DATE: Shape = { kind: 'date' };
const NUMBER: Shape = { kind: 'number' };
const STRING: Shape = { kind: 'string' };
const user = objectOf({ id: NUMBER, name: STRING, at: DATE });
const optional = objectOf({ at: DATE, count: { kind: 'bigint' }, of: objectOf({ at: DATE }, 'optional') }, 'optional');
const TREE = 'Tree';
const definitions: Readonly<Record<string, Shape>> = {
  User: user,
  [TREE]: objectOf({ at: DATE, below: { kind: 'array', items: { kind: 'reference', name: TREE } } }),
};
const at = new Date(0);
const invalid = new Date(NaN);

const CASES: readonly (readonly [Shape, readonly unknown[]])[] = [
  [DATE, [at, invalid, null]],
  [NUMBER, [1, NaN, -Infinity]],
  [user, [{ id: 1, name: 'a', at }, { id: NaN, name: 'a', at }, { id: 1, name: 'a', at: invalid }, { id: 1, name: 'a', at: null }, null]],
  [optional, [{}, { at }, { count: 5n }, { at, count: 5n, of: { at } }, { of: {} }, { of: { at: undefined } }, { at: undefined }]],
  [
    { kind: 'array', items: { kind: 'reference', name: 'User' } },
    [
      [],
      [{ id: 1, name: 'a', at }],
      [
        { id: 1, name: 'a', at },
        { id: 1, name: 'b', at: invalid },
      ],
    ],
  ],
  [{ kind: 'array', items: optional }, [[{}], [{ at }, {}], [{ at }, { at }]]],
  [{ kind: 'union', members: [STRING, DATE] }, ['a', at]],
  [{ kind: 'map', key: STRING, value: DATE }, [new Map([['a', at]]), new Map()]],
  [
    { kind: 'reference', name: TREE },
    [
      { at, below: [] },
      { at, below: [{ at, below: [{ at, below: [] }] }] },
    ],
  ],
  [
    objectOf({ list: { kind: 'array', items: STRING }, note: { kind: 'any' } }),
    [
      { list: ['a'], note: at },
      { list: [], note: 'x' },
    ],
  ],
];

describe('hints by type', () => {
  for (const [root, values] of CASES) {
    it(`are those by value, of ${root.kind === 'array' ? `a list of ${root.items.kind}` : root.kind}`, () => {
      const hints = hintsOf({ root, definitions });
      for (const value of values) {
        const { json, as } = toWire(value);
        const text = hints(value, JSON.stringify(json));
        assert.deepEqual(text === undefined ? undefined : JSON.parse(text), as);
      }
    });
  }

  it('say nothing of members that the type does not name', () => {
    const json = `{"id":1,"name":"a","at":"${at.toISOString()}"}`;
    const row = { id: 1, name: 'a', at, hidden: 5n, save() {}, self: null as unknown };
    row.self = row;
    const roots: readonly (readonly [Shape, unknown, string, string | undefined])[] = [
      [user, row, json, '{"at":"date"}'],
      [
        { kind: 'tuple', items: [{ shape: user }, { shape: DATE }] },
        [row, at],
        `[${json},"${at.toISOString()}"]`,
        '{"0":{"at":"date"},"1":"date"}',
      ],
      [{ kind: 'map', key: STRING, value: user }, new Map([['a', row]]), `[["a",${json}]]`, '["map",{"*":{"1":{"at":"date"}}}]'],
      [{ kind: 'set', items: user }, new Set([row]), `[${json}]`, '["set",{"*":{"at":"date"}}]'],
      [{ kind: 'union', members: [user, { kind: 'null' }] }, row, json, '{"at":"date"}'],
      [{ kind: 'union', members: [user, objectOf({ at: DATE })] }, row, json, '{"at":"date"}'],
      [
        { kind: 'array', items: user },
        [row, { ...row, at: invalid }],
        `[${json},{"id":1,"name":"a","at":null}]`,
        '{"0":{"at":"date"},"1":{"at":"nodate"}}',
      ],
    ];
    for (const [root, value, written, expected] of roots) assert.equal(hintsOf({ root, definitions })(value, written), expected, root.kind);
  });

  it('say nothing of what was written another way', () => {
    const money = { amount: 5n, at };
    const codec: Shape = { kind: 'codec', name: 'Money', wire: STRING };
    const map: Shape = { kind: 'map', key: STRING, value: codec };
    assert.equal(hintsOf({ root: map, definitions })(new Map([['a', money]]), '[["a","5 EUR"]]'), '["map",null]');
    const any = objectOf({ at: DATE, note: { kind: 'any' } });
    assert.equal(hintsOf({ root: any, definitions })({ at, note: new Map() }, `{"at":"${at.toISOString()}","note":{}}`), '{"at":"date"}');
  });
});
