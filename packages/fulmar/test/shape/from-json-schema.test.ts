/** JSON Schema and TypeBox as shapes: what is refused, with its place; what references lead to. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type as Type0 } from '@sinclair/typebox';
import Type from 'typebox';
import { fromJsonSchema } from '../../src/shape/from-json-schema.ts';
import { compileShape } from '../../src/shape/validate/compile.ts';

describe('a schema that cannot be used is an error with its place', () => {
  const cases: readonly [string, unknown, RegExp][] = [
    ['no schema', 7, /^at #: a schema is an object, true or false, and this is 7\.$/],
    ['null within', { properties: { a: null } }, /^at #\/properties\/a: a schema is .* null/],
    [
      'a type that is none',
      { properties: { age: { type: 'strin' } } },
      /^at #\/properties\/age\/type: there is no type "strin"; types are string, number/,
    ],
    ['types that are none', { type: [] }, /^at #\/type: type is one or several types, and this is an empty list/],
    ['a type that is an object', { type: { a: 1 } }, /^at #\/type: type is a text or a list of texts/],
    [
      'a keyword that is none',
      { type: 'string', minLenght: 1 },
      /^at #\/minLenght: JSON Schema has no keyword minLenght; a name of your own begins with x-/,
    ],
    [
      'a keyword of another kind',
      { minLength: '3' },
      /^at #\/minLength: minLength is a whole number from 0 on, and this is of type string/,
    ],
    ['a bound below 0', { maxItems: -1 }, /^at #\/maxItems: maxItems is a whole number from 0 on, and this is -1/],
    ['multiples of nothing', { multipleOf: 0 }, /^at #\/multipleOf: multipleOf is a number above 0/],
    ['an empty enum', { enum: [] }, /^at #\/enum: enum is a list that is not empty, and this is an empty list/],
    ['allOf of nothing', { allOf: [] }, /^at #\/allOf: allOf is a list that is not empty/],
    ['a pattern that is none', { items: { pattern: '(' } }, /^at #\/items\/pattern: this is no pattern, with the flag u/],
    ['a name’s pattern that is none', { patternProperties: { '[': {} } }, /^at #\/patternProperties\/\[: this is no pattern/],
    ['a format that is none', { format: 'emial' }, /^at #\/format: the format "emial" is not known; write a pattern/],
    ['a reference to nothing', { $ref: '#/$defs/a' }, /^at #\/\$ref: #\/\$defs\/a is not in this schema\.$/],
    ['a reference to the web', { $ref: 'https://example.com/a' }, /is not in this schema\. Nothing is fetched: put the schema into \$defs/],
    ['a reference to what objects inherit', { $ref: '#/toString' }, /is not in this schema/],
    ['a reference to no schema', { type: 'string', $ref: '#/type' }, /#\/type is not in this schema/],
    [
      'two schemas of one name',
      { $defs: { a: { $id: 'x' }, b: { $id: 'x', type: 'null' } } },
      /^at #\/\$defs\/b: x is the name of another schema too, at #\/\$defs\/a/,
    ],
    ['$dynamicRef', { $dynamicRef: '#a' }, /^at #\/\$dynamicRef: .* write \$ref/],
    ['draft-04', { id: 'a' }, /^at #\/id: .* write \$id/],
    [
      'another dialect',
      { $schema: 'http://json-schema.org/draft-04/schema#' },
      /^at #\/\$schema: the dialects are 2020-12, 2019-09 and draft-07/,
    ],
    ['what is wrong with a definition that nobody uses', { $defs: { a: { type: 'x' } } }, /^at #\/\$defs\/a\/type/],
    [
      'unevaluatedProperties of what depends on the value',
      { anyOf: [{}], unevaluatedProperties: false },
      /^at #\/unevaluatedProperties: beside anyOf it depends/,
    ],
    [
      'unevaluatedItems of what depends on the value',
      { contains: {}, unevaluatedItems: false },
      /^at #\/unevaluatedItems: beside contains it depends/,
    ],
    ['names with a slash', { properties: { 'a/b~c': { type: 1 } } }, /^at #\/properties\/a~1b~0c\/type/],
    [
      'a transform of TypeBox',
      Type0.Transform(Type0.String()).Decode(Number).Encode(String),
      /transforms of TypeBox are not run here; convert/,
    ],
    ['a codec of TypeBox', Type.Codec(Type.String()).Decode(Number).Encode(String), /transforms of TypeBox are not run here; convert/],
    [
      'a refinement of TypeBox',
      Type.Object({ a: Type.Refine(Type.String(), () => true) }),
      /^at #\/properties\/a: refinements of TypeBox are not run/,
    ],
    ['a function of TypeBox', Type.Object({ a: Type.Function([], Type.Void()) }), /^at #\/properties\/a/],
  ];
  for (const [name, schema, message] of cases)
    it(name, () =>
      assert.throws(
        () => fromJsonSchema(schema),
        ({ message: said }: Error) => (assert.match(said, message), true),
      ),
    );

  it('a schema that contains itself', () => {
    const schema: Record<string, unknown> = { type: 'object' };
    schema['properties'] = { a: schema };
    assert.throws(() => fromJsonSchema(schema), /the schema contains itself; write a \$ref to it/);
  });
  it('a reference that leads to itself', () => {
    const document = fromJsonSchema({ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } });
    assert.throws(() => compileShape(document), /refers to itself and to nothing else/);
  });
  it('a default that does not fit', () => {
    const document = fromJsonSchema({ properties: { a: { type: 'integer', default: 'x' } } });
    assert.throws(() => compileShape(document), /the default "x" does not fit: Expected integer, received string\./);
  });
});

describe('schemas of TypeBox', () => {
  const cases: readonly [string, object, unknown, unknown][] = [
    ['an object', Type.Object({ a: Type.String(), b: Type.Optional(Type.Integer()) }), { a: 'x' }, { a: 'x', b: 1.5 }],
    ['an object of 0.34', Type0.Object({ a: Type0.String(), b: Type0.Optional(Type0.Integer()) }), { a: 'x' }, { b: 1 }],
    ['a tuple', Type.Tuple([Type.String(), Type.Number()]), ['a', 1], ['a']],
    ['a tuple of 0.34', Type0.Tuple([Type0.String(), Type0.Number()]), ['a', 1], ['a', 1, 2]],
    ['a record', Type.Record(Type.String(), Type.Number()), { a: 1 }, { a: 'b' }],
    ['a union', Type.Union([Type.String(), Type.Null()]), null, 7],
    ['an enum', Type0.Enum({ a: 'x', b: 'y' }), 'y', 'z'],
    ['a template', Type.TemplateLiteral('a${string}'), 'ab', 'b'],
    [
      'an intersection',
      Type0.Intersect([Type0.Object({ a: Type0.String() }), Type0.Object({ b: Type0.String() })], { unevaluatedProperties: false }),
      { a: '', b: '' },
      { a: '', b: '', c: '' },
    ],
    ['a recursive one', Type0.Recursive((This) => Type0.Object({ c: Type0.Array(This) })), { c: [{ c: [] }] }, { c: [{}] }],
    ['a cyclic one', Type.Cyclic({ A: Type.Object({ b: Type.Optional(Type.Ref('A')) }) }, 'A'), { b: { b: {} } }, { b: { b: 7 } }],
    ['a module', Type0.Module({ A: Type0.Object({ b: Type0.Optional(Type0.Ref('A')) }) }).Import('A'), { b: { b: {} } }, { b: 7 }],
    ['a date', Type0.Date({ minimumTimestamp: 0 }), new Date(1), new Date(-1)],
    ['an invalid date', Type0.Date(), new Date(), new Date(NaN)],
    ['bytes', Type0.Uint8Array({ maxByteLength: 1 }), new Uint8Array(1), new Uint8Array(2)],
    ['a bigint', Type.BigInt(), 1n, 1],
    ['a pattern with flags', Type0.RegExp(/^a/i), 'Ab', 'b'],
    ['undefined', Type.Object({ a: Type.Union([Type.Undefined(), Type.String()]) }), { a: undefined }, {}],
    ['anything', Type.Any(), Symbol.iterator, NaN],
    ['nothing', Type.Never(), undefined, 1],
  ];
  for (const [name, schema, right, wrong] of cases) {
    it(name, () => {
      const { check } = compileShape(fromJsonSchema(schema));
      if (name !== 'nothing') assert.equal(check(right), true);
      if (name !== 'anything') assert.equal(check(wrong), false);
    });
  }
});

describe('references', () => {
  const check = (schema: object, value: unknown): boolean => compileShape(fromJsonSchema(schema)).check(value);
  const tree = { $id: 'https://example.com/tree', $defs: { leaf: { $anchor: 'leaf', type: 'string' } } };
  it('lead to anchors, names and places, also by their URI', () => {
    for (const $ref of ['#leaf', '#/$defs/leaf', 'https://example.com/tree#leaf', 'tree#/$defs/leaf', '/tree#leaf']) {
      assert.equal(check({ ...tree, $ref }, 'a'), true, $ref);
      assert.equal(check({ ...tree, $ref }, 7), false, $ref);
    }
  });
  it('of draft-07 hide what stands beside them', () => {
    const schema = { definitions: { a: { type: 'string' } }, properties: { b: { $ref: '#/definitions/a', maxLength: 1 } } };
    assert.equal(check(schema, { b: 'long' }), false);
    assert.equal(check({ $schema: 'http://json-schema.org/draft-07/schema#', ...schema }, { b: 'long' }), true);
  });
  it('may be in a circle of several shapes', () => {
    const schema = {
      $ref: '#/$defs/a',
      $defs: { a: { properties: { b: { $ref: '#/$defs/b' } } }, b: { items: { $ref: '#/$defs/a' }, type: 'array' } },
    };
    assert.equal(check(schema, { b: [{ b: [] }] }), true);
    assert.equal(check(schema, { b: [{ b: 7 }] }), false);
  });
});
