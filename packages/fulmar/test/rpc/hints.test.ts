/** Hints of results whose type is known: what a look at the value alone says of it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hintsOf, mayHaveHints } from '../../src/rpc/hints.ts';
import type { Property, Shape } from '../../src/shape/shape.ts';
import { register } from '../../src/shape/validate/codecs.ts';
import { toWire } from '../../src/shape/wire-hints.ts';

const objectOf = (properties: Readonly<Record<string, Shape>>, presence: Property['presence'] = 'required'): Shape => ({
  kind: 'object',
  properties: Object.entries(properties).map(([name, shape]) => ({ name, shape, presence })),
  unknown: 'strip',
});
const DATE: Shape = { kind: 'date' };
const NUMBER: Shape = { kind: 'number' };
const STRING: Shape = { kind: 'string' };
const NULL: Shape = { kind: 'null' };
const literal = (value: string | bigint): Shape => ({ kind: 'literal', value });
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
  [{ kind: 'map', key: DATE, value: { kind: 'bigint' } }, [new Map([[at, 5n]])]],
  [{ kind: 'set', items: { kind: 'union', members: [DATE, STRING] } }, [new Set([at, 'a']), new Set([at]), new Set()]],
  [{ kind: 'array', items: { kind: 'union', members: [DATE, NULL] } }, [[at, null], [null], [at, at, invalid]]],
  [
    { kind: 'tuple', items: [{ shape: STRING }, { shape: DATE }], rest: { kind: 'bigint' }, last: [{ shape: DATE }] },
    [
      ['a', at, at],
      ['a', at, 1n, 2n, at],
    ],
  ],
  [{ kind: 'union', members: [{ kind: 'reference', name: 'User' }, NULL, { kind: 'undefined' }] }, [{ id: 1, at }, null, undefined]],
  [{ kind: 'union', members: [objectOf({ a: DATE }), objectOf({ b: { kind: 'bigint' } })] }, [{ a: at }, { b: 5n }]],
  [
    {
      kind: 'union',
      members: [objectOf({ kind: literal('a'), of: DATE }), objectOf({ kind: literal('b'), of: { kind: 'bigint' } })],
      discriminator: {
        key: 'kind',
        cases: [
          ['a', 0],
          ['b', 1],
        ],
      },
    },
    [
      { kind: 'a', of: at },
      { kind: 'b', of: 5n },
    ],
  ],
  [
    { ...objectOf({ id: NUMBER, at: DATE }), index: [{ key: STRING, value: DATE }] } as Shape,
    [{ id: 1, at }, { id: 1, at, more: at }, JSON.parse('{"id":1,"__proto__":0}') as object],
  ],
  [objectOf({ one: literal(5n), other: { kind: 'enum', values: ['a', undefined] } }), [{ one: 5n, other: 'a' }]],
  [{ kind: 'any' }, [{ at, list: [undefined, NaN, { url: new URL('http://a/') }] }, 'a', at, Buffer.from('a').toJSON()]],
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
        const text = hints(value);
        assert.deepEqual(text === undefined ? undefined : JSON.parse(text), toWire(value).as);
      }
    });
  }

  it('say nothing of members that the type does not name, and do not look at them', () => {
    assert.equal(hintsOf({ root: user, definitions })({ id: 1, name: 'a', at, more: 5n }), '{"at":"date"}');
    const entity = { id: 1, name: 'a', at, save: () => 1, self: {} };
    entity.self = entity;
    for (const root of [
      { kind: 'union', members: [user, NULL] },
      { kind: 'union', members: [user, objectOf({ other: STRING })] },
    ] as Shape[])
      assert.equal(hintsOf({ root, definitions })(entity), '{"at":"date"}');
    const list = hintsOf({ root: { kind: 'array', items: { kind: 'union', members: [user, NULL] } }, definitions });
    assert.equal(list([entity, null]), '{"0":{"at":"date"}}');
  });

  it('are those of what is written: getters of classes, what a codec gives, bytes of whatever class', () => {
    class Row {
      get at(): Date {
        return at;
      }
    }
    assert.equal(hintsOf({ root: objectOf({ at: DATE }), definitions })(new Row()), '{"at":"date"}');
    class Money {
      readonly cents = 5n;
    }
    register('Money', { is: (value) => value instanceof Money, encode: (value) => (value as Money).cents, decode: () => new Money() });
    const money: Shape = { kind: 'codec', name: 'Money', wire: { kind: 'bigint' } };
    assert.equal(hintsOf({ root: { kind: 'union', members: [money, NULL] }, definitions })(new Money()), '"bigint"');
    const text: Shape = { kind: 'codec', name: 'Money', wire: STRING };
    assert.equal(hintsOf({ root: objectOf({ text, at: DATE }), definitions })({ text: new Money(), at }), '{"at":"date"}');
    const floats: Shape = { kind: 'bytes', type: 'Float64Array' };
    assert.equal(hintsOf({ root: floats, definitions })(new Float64Array([NaN])), '["bytes","Float64Array"]');
  });

  it('promise nothing that is not in the JSON of a value without a type', () => {
    const hints = hintsOf({ root: { kind: 'any' }, definitions });
    const value = { map: new Map([[1, at]]), run: () => 1, at, own: { toJSON: () => ({ at }) } };
    assert.equal(hints(value), '{"at":"date","own":{"at":"date"}}');
  });

  it('are looked for where a value may have some', () => {
    const may = (root: Shape): boolean => mayHaveHints({ root, definitions: {} });
    assert.deepEqual([NUMBER, literal('a'), objectOf({ a: STRING })].map(may), [false, false, false]);
    assert.deepEqual([DATE, literal(5n), { kind: 'enum', values: ['a', undefined] } as Shape].map(may), [true, true, true]);
  });

  it('are made once of a type that contains itself, in however many members', () => {
    const members = Object.fromEntries(Array.from({ length: 40 }, (_, number) => [`m${number}`, { kind: 'reference', name: 'Wide' }]));
    const wide: Shape = objectOf({ at: DATE, ...(members as Record<string, Shape>) }, 'optional');
    const hints = hintsOf({ root: { kind: 'reference', name: 'Wide' }, definitions: { Wide: wide } });
    assert.equal(hints({ at, m1: { m39: { at } } }), '{"at":"date","m1":{"m39":{"at":"date"}}}');
  });

  it('say nothing of members that the type does not name, wherever the object stands', () => {
    const row = { id: 1, name: 'a', at, hidden: 5n, save() {}, self: null as unknown };
    row.self = row;
    const roots: readonly (readonly [Shape, unknown, string])[] = [
      [user, row, '{"at":"date"}'],
      [{ kind: 'tuple', items: [{ shape: user }, { shape: DATE }] }, [row, at], '{"0":{"at":"date"},"1":"date"}'],
      [{ kind: 'map', key: STRING, value: user }, new Map([['a', row]]), '["map",{"*":{"1":{"at":"date"}}}]'],
      [{ kind: 'set', items: user }, new Set([row]), '["set",{"*":{"at":"date"}}]'],
      [{ kind: 'union', members: [user, { kind: 'null' }] }, row, '{"at":"date"}'],
      [{ kind: 'union', members: [user, objectOf({ at: DATE })] }, row, '{"at":"date"}'],
      [{ kind: 'array', items: user }, [row, { ...row, at: invalid }], '{"0":{"at":"date"},"1":{"at":"nodate"}}'],
    ];
    for (const [root, value, expected] of roots) assert.equal(hintsOf({ root, definitions })(value), expected, root.kind);
  });
});
