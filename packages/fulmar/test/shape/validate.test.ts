/** What is said of values that do not fit, what hostile values come to, and what is handed on. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type as Type0 } from '@sinclair/typebox';
import { fromJsonSchema } from '../../src/shape/from-json-schema.ts';
import type { Shape } from '../../src/shape/shape.ts';
import { compileShape } from '../../src/shape/validate/compile.ts';
import type { Mode } from '../../src/shape/validate/rule-types.ts';

const parse = (schema: unknown, value: unknown, mode?: Mode) => compileShape(fromJsonSchema(schema), mode).parse(value);
const told = (schema: unknown, value: unknown, mode?: Mode): string[] =>
  (parse(schema, value, mode).issues ?? []).map(({ path, expected, received }) => `${path.join('.')}: ${expected}, ${received}`);

describe('issues', () => {
  const cases: readonly [string, unknown, unknown, readonly string[]][] = [
    ['a type', { type: 'string' }, 7, [': string, number']],
    ['a length', { type: 'string', minLength: 2, maxLength: 3 }, '💩', [': string of 2 to 3 characters, string of 1 character']],
    ['a pattern', { type: 'string', pattern: '^a' }, 'secret', [': string matching ^a, string']],
    ['a format', { type: 'string', format: 'email' }, 'secret', [': email, string']],
    ['bounds', { type: 'integer', minimum: 1, exclusiveMaximum: 5 }, 5, [': integer >= 1 < 5, integer']],
    ['no number', { type: 'number' }, NaN, [': number, NaN']],
    ['a literal', { const: 'a' }, 'secret', [': "a", string']],
    ['an enum', { enum: ['a', 1, null] }, 'b', [': "a" | 1 | null, string']],
    [
      'a long enum',
      { enum: Array.from({ length: 50 }, (_, at) => at) },
      'b',
      [': 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | …, string'],
    ],
    [
      'all that is missing',
      { type: 'object', required: ['a', 'b'], properties: { a: { type: 'string' } } },
      {},
      ['a: string, undefined', 'b: anything, undefined'],
    ],
    [
      'members of members',
      { properties: { a: { items: { properties: { b: { type: 'null' } } } } } },
      { a: [{}, { b: 1 }] },
      ['a.1.b: null, number'],
    ],
    [
      'an unknown member',
      { properties: { a: true }, additionalProperties: false },
      { a: 1, b: 'secret' },
      ['b: no member of this name, string'],
    ],
    [
      'items',
      { type: 'array', maxItems: 1, items: { type: 'null' } },
      [1, null],
      [': array of at most 1 item, array of 2 items', '0: null, number'],
    ],
    [
      'equal items',
      { type: 'array', uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [': array without equal items, array with equal items'],
    ],
    ['a union', { anyOf: [{ type: 'string' }, { type: 'number' }] }, true, [': string | number, boolean']],
    [
      'the one member of a union that it may be',
      { anyOf: [{ type: 'null' }, { type: 'object', required: ['a'] }] },
      {},
      ['a: anything, undefined'],
    ],
    ['several of oneOf', { oneOf: [{ type: 'number' }, { type: 'integer' }] }, 1, [': exactly one of number | integer, what fits several']],
    ['not', { not: { type: 'string' } }, '', [': not string, string']],
    ['a condition', { if: { type: 'string' }, then: { minLength: 2 }, else: { type: 'null' } }, 7, [': null, number']],
    ['a count of members', { minProperties: 1 }, {}, [': object of at least 1 member, object of 0 members']],
    ['what belongs together', { dependentRequired: { a: ['b'] } }, { a: 1 }, ['b: a member beside a, undefined']],
    ['names', { propertyNames: { maxLength: 1 } }, { ab: 1 }, ['ab: a name that is string of at most 1 character, string of 2 characters']],
  ];
  for (const [name, schema, value, expected] of cases) it(name, () => assert.deepEqual(told(schema, value), expected));

  it('say it in a sentence', () => assert.equal(parse({ type: 'string' }, null).issues?.[0]?.message, 'Expected string, received null.'));

  const kinds = {
    oneOf: [
      { type: 'object', required: ['kind', 'wings'], properties: { kind: { const: 'bird' }, wings: { type: 'integer' } } },
      { type: 'object', required: ['kind'], properties: { kind: { enum: ['fish', 'shark'] }, fins: { type: 'integer' } } },
    ],
  };
  it('of a union are those of the member that one member tells', () =>
    assert.deepEqual(told(kinds, { kind: 'bird', wings: 'two' }), ['wings: integer, string']));
  it('name the values that tell', () => assert.deepEqual(told(kinds, { kind: 'cat' }), ['kind: "bird" | "fish" | "shark", string']));
  it('of a member that tells and is inherited are those of a missing one', () =>
    assert.deepEqual(told(kinds, Object.create({ kind: 'bird' })), ['kind: "bird" | "fish" | "shark", undefined']));
});

describe('hostile values', () => {
  const tree = { $defs: { tree: { type: 'object', properties: { next: { $ref: '#/$defs/tree' } } } }, $ref: '#/$defs/tree' };
  const nested = (depth: number): unknown => JSON.parse(`${'{"next":'.repeat(depth)}{}${'}'.repeat(depth)}`);

  it('may be nested as deep as people nest', () => assert.equal(parse(tree, nested(200)).issues, undefined));
  it('are not followed without end', () => assert.deepEqual(told(tree, nested(50_000)), [': nested 256 deep at most, deeper']));
  it('cannot make a not out of too deep', () => assert.equal(parse({ not: tree, $defs: tree.$defs }, nested(50_000)).issues?.length, 1));
  it('that contain themselves are refused', () => {
    const value: Record<string, unknown> = {};
    value['next'] = value;
    assert.deepEqual(told(tree, value), [': nested 256 deep at most, deeper']);
    const list: unknown[] = [];
    list.push(list, list);
    assert.deepEqual(told({ type: 'array', uniqueItems: true }, list), [': nested 256 deep at most, deeper']);
  });
  it('are checked right again afterwards', () => {
    const { check } = compileShape(fromJsonSchema(tree));
    assert.deepEqual([check(nested(1000)), check(nested(3)), check(nested(1000)), check(nested(255))], [false, true, false, true]);
  });
  it('cannot make alternatives take time by a power of their depth', () => {
    const member = (name: string): object => ({
      type: 'object',
      properties: { next: { $ref: '#/$defs/any' }, [name]: { type: 'string' } },
    });
    const schema = { $defs: { any: { anyOf: [member('a'), member('b')] } }, $ref: '#/$defs/any' };
    const value: unknown = JSON.parse(`${'{"next":'.repeat(200)}7${'}'.repeat(200)}`);
    for (const mode of ['value', 'text', 'reply'] as const)
      assert.deepEqual(told(schema, value, mode), [': checked in 2000000 steps, more']);
  });
  it('of 100,000 different items take no time by their square', () => {
    const items = Array.from({ length: 100_000 }, (_, at) => ({ at }));
    assert.equal(parse({ uniqueItems: true }, items).issues, undefined);
  });
  it('get at most 100 issues', () => {
    const schema = { type: 'array', items: { type: 'object', required: ['a', 'b'] } };
    assert.equal(
      told(
        schema,
        Array.from({ length: 10_000 }, () => ({})),
      ).length,
      100,
    );
    const members = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`m${at}`, 1]));
    assert.equal(told({ additionalProperties: false }, members).length, 100);
  });
  it('are not echoed by their names', () =>
    assert.ok((told({ additionalProperties: false }, { ['x'.repeat(10_000)]: 1 })[0] as string).length < 200));

  const proto = { type: 'object', properties: { ['__proto__']: { type: 'string' } }, required: ['__proto__'] };
  const own = (text: string): unknown => JSON.parse(text);
  it('with an own __proto__ are looked at like others', () => {
    const schema = own(JSON.stringify(proto).replace('"properties":{}', '"properties":{"__proto__":{"type":"string"}}'));
    assert.deepEqual(told(schema, {}), ['__proto__: string, undefined']);
    assert.deepEqual(told(schema, own('{"__proto__":7}')), ['__proto__: string, number']);
    assert.deepEqual(told(schema, own('{"__proto__":"a"}')), []);
    assert.deepEqual(told({ additionalProperties: false }, own('{"__proto__":7}')), ['__proto__: no member of this name, number']);
  });
  it('with an own __proto__ change no prototype when they are converted', () => {
    const schema = { properties: { a: { default: 1 } }, additionalProperties: { type: 'object' } };
    const made = (parse(schema, own('{"__proto__":{"evil":1}}')) as { value: Record<string, unknown> }).value;
    assert.equal(made['evil'], undefined);
    assert.equal(Object.getPrototypeOf(made), Object.prototype);
    assert.deepEqual(Object.keys(made), ['__proto__', 'a']);
  });
  it('do not have what every object inherits', () => assert.deepEqual(told({ required: ['toString', 'constructor'] }, {}).length, 2));
});

describe('numbers', () => {
  const takes = (schema: object, value: number): boolean => parse(schema, value).issues === undefined;
  it('are multiples by their digits', () => {
    for (const [value, multipleOf] of [
      [0.07, 0.01],
      [4.35, 0.01],
      [1.1, 0.1],
      [1e21, 1],
      [1e308, 0.5],
      [-0.3, 0.1],
      [0, 0.1],
      [5e-324, 5e-324],
    ] as const)
      assert.equal(takes({ multipleOf }, value), true, `${value} of ${multipleOf}`);
    for (const [value, multipleOf] of [
      [0.075, 0.01],
      [1e308, 0.123456789],
      [1.05, 0.1],
      [7, 2],
    ] as const)
      assert.equal(takes({ multipleOf }, value), false, `${value} of ${multipleOf}`);
  });
  it('that JSON made infinite are none', () => assert.equal(takes({ type: 'number' }, JSON.parse('1e400') as number), false));
  it('of OpenAPI have their ranges', () => {
    assert.deepEqual(
      [2 ** 31 - 1, 2 ** 31, 1.5].map((value) => takes({ type: 'number', format: 'int32' }, value)),
      [true, false, false],
    );
    assert.equal(takes({ type: 'number', format: 'double' }, 1.5), true);
  });
});

describe('texts that stand for other values', () => {
  const cases: readonly [string, unknown, unknown, unknown][] = [
    ['a number', { type: 'number' }, '-1.5e3', -1500],
    ['an integer', { type: 'integer' }, '7', 7],
    ['an integer with a fraction of nothing', { type: 'integer' }, '7.0', 7],
    ['true', { type: 'boolean' }, 'true', true],
    ['false', { type: 'boolean' }, 'false', false],
    ['null', { type: 'null' }, '', null],
    ['a number or null', { type: ['integer', 'null'] }, '', null],
    ['a text that it is already', { type: ['integer', 'string'] }, '7', '7'],
    ['a single value for a list', { type: 'array', items: { type: 'integer' } }, '7', [7]],
    ['a list', { type: 'array', items: { type: 'integer' } }, ['7', '8'], [7, 8]],
    ['a single value for a tuple', { prefixItems: [{ type: 'boolean' }], type: 'array' }, 'true', [true]],
    ['a literal', { const: 7 }, '7', 7],
    ['an enum', { enum: [1, true, null, 'true'] }, 'true', 'true'],
    ['an enum of numbers', { enum: [1, 2] }, '2', 2],
    ['a date', Type0.Date(), '2024-02-29T10:00:00Z', new Date('2024-02-29T10:00:00Z')],
    ['a day', Type0.Date(), '2024-02-29', new Date('2024-02-29')],
    ['a bigint', Type0.BigInt(), '9007199254740993', 9007199254740993n],
    ['within members', { properties: { a: { type: 'integer' }, b: { type: 'string' } } }, { a: '1', b: '2' }, { a: 1, b: '2' }],
    ['by pattern', { patternProperties: { '^n': { type: 'number' } } }, { n1: '1', x: '1' }, { n1: 1, x: '1' }],
    ['unknown members', { additionalProperties: { type: 'number' } }, { a: '1' }, { a: 1 }],
    ['through references', { $defs: { n: { type: 'number' } }, properties: { a: { $ref: '#/$defs/n' } } }, { a: '1' }, { a: 1 }],
    [
      'in all of several',
      { allOf: [{ properties: { a: { type: 'number' } } }, { properties: { b: { type: 'boolean' } } }] },
      { a: '1', b: 'true' },
      { a: 1, b: true },
    ],
    ['the first of several that takes it', { anyOf: [{ type: 'integer' }, { type: 'boolean' }] }, 'true', true],
    ['by a condition', { if: { required: ['a'] }, then: { properties: { a: { type: 'integer' } } } }, { a: '1' }, { a: 1 }],
  ];
  for (const [name, schema, value, expected] of cases) it(name, () => assert.deepEqual(parse(schema, value, 'text'), { value: expected }));

  const refused: readonly [string, object, readonly string[]][] = [
    [
      'number',
      { type: 'number' },
      ['', ' ', '1 ', ' 1', '0x10', '0b1', '1_000', '1,5', '+1', '01', '.5', '1.', 'NaN', 'Infinity', '1e999', '١', '--1', '1n'],
    ],
    ['integer', { type: 'integer' }, ['1.5', '9007199254740993', '-9007199254740993', '1e-1', '']],
    ['boolean', { type: 'boolean' }, ['', '1', '0', 'yes', 'on', 'True', 'FALSE', 'toString', '__proto__']],
    ['null', { type: 'null' }, ['null', ' ', '0']],
    ['date', Type0.Date(), ['', '0', '2023-02-29', '2024-01-01T00:00:00', 'yesterday', '1700000000000']],
    ['bigint', Type0.BigInt(), ['', '1.5', '0x1', '1n', '9'.repeat(100_000)]],
    ['enum', { enum: [1, 2] }, ['01', '1.0', '']],
  ];
  for (const [name, schema, texts] of refused)
    it(`are for ${name} never ${texts
      .slice(0, 3)
      .map((text) => JSON.stringify(text))
      .join(', ')} …`, () => {
      for (const text of texts) assert.equal(parse(schema, text, 'text').issues?.length, 1, text);
    });

  it('stay texts where values come as they are', () => assert.equal(parse({ type: 'number' }, '7').issues?.length, 1));
  it('leave what was given as it was', () => {
    const given = Object.freeze({ a: Object.freeze(['1']) });
    assert.deepEqual(parse({ properties: { a: { items: { type: 'number' } } } }, given, 'text'), { value: { a: [1] } });
  });
});

describe('defaults', () => {
  const value = (schema: unknown, given: unknown): unknown => (parse(schema, given) as { value: unknown }).value;
  it('stand for what is missing or undefined', () => {
    const schema = { properties: { a: { default: 1 }, b: { default: 2 } } };
    assert.deepEqual(value(schema, { a: undefined }), { a: 1, b: 2 });
    assert.deepEqual(value(schema, { a: null, b: 0 }), { a: null, b: 0 });
  });
  it('make a required member there', () =>
    assert.deepEqual(value({ required: ['a'], properties: { a: { type: 'string', default: '' } } }, {}), { a: '' }));
  it('of the whole', () => assert.equal(value({ type: 'integer', default: 7 }, undefined), 7));
  it('of what a reference leads to', () =>
    assert.deepEqual(value({ $defs: { a: { default: 3 } }, properties: { x: { $ref: '#/$defs/a' } } }, {}), { x: 3 }));
  it('of the member of a union that takes the value', () => {
    const schema = {
      anyOf: [
        { required: ['a'], properties: { x: { default: 1 } } },
        { required: ['b'], properties: { x: { default: 2 } } },
      ],
    };
    assert.deepEqual(value(schema, { b: 0 }), { b: 0, x: 2 });
  });
  it('are copies', () => {
    const schema = { properties: { a: { default: { list: [] as number[] } } } };
    const { parse: again } = compileShape(fromJsonSchema(schema));
    const first = again({}) as { value: { a: { list: number[] } } };
    first.value.a.list.push(1);
    assert.deepEqual(again({}), { value: { a: { list: [] } } });
    assert.deepEqual(schema.properties.a.default, { list: [] });
  });
});

describe('what JSON Schema has not', () => {
  const cases: readonly [string, Shape, readonly unknown[], readonly unknown[]][] = [
    [
      'a template',
      { kind: 'template', parts: ['v', { kind: 'number' }, '.', { kind: 'enum', values: ['a', 'b+'] }] },
      ['v1.a', 'v-1.5.b+'],
      ['v.a', 'v1.c', 'xv1.a'],
    ],
    [
      'a map',
      { kind: 'map', key: { kind: 'string' }, value: { kind: 'number' }, maxSize: 1 },
      [new Map([['a', 1]])],
      [
        new Map([['a', 'b']]),
        new Map([
          ['a', 1],
          ['b', 1],
        ]),
        {},
      ],
    ],
    ['a set', { kind: 'set', items: { kind: 'number' }, minSize: 1 }, [new Set([1])], [new Set(), new Set(['a']), [1]]],
    ['a regular expression', { kind: 'regexp' }, [/a/], ['a', {}]],
    ['a URL', { kind: 'url' }, [new URL('http://a')], ['http://a']],
    ['a bigint', { kind: 'bigint', minimum: 1n, multipleOf: 2n }, [2n], [0n, 3n, 2]],
    [
      'an index of numbers',
      { kind: 'object', properties: [], index: [{ key: { kind: 'number' }, value: { kind: 'string' } }], unknown: 'reject' },
      [{ 1: 'a' }, {}],
      [{ 1: 1 }, { a: 'a' }, { '01': 'a' }],
    ],
    [
      'items behind the rest',
      { kind: 'tuple', items: [{ shape: { kind: 'string' } }], rest: { kind: 'number' }, last: [{ shape: { kind: 'boolean' } }] },
      [
        ['a', true],
        ['a', 1, 2, true],
      ],
      [['a'], ['a', 1], [true, 1, true]],
    ],
    [
      'a member that is there or not',
      { kind: 'object', properties: [{ name: 'a', shape: { kind: 'string' }, presence: 'exact' }], unknown: 'keep' },
      [{}, { a: '' }],
      [{ a: undefined }],
    ],
    [
      'a member that may be undefined',
      { kind: 'object', properties: [{ name: 'a', shape: { kind: 'string' }, presence: 'optional' }], unknown: 'keep' },
      [{}, { a: undefined }],
      [{ a: null }],
    ],
    ['infinities where they may be', { kind: 'number', allowsNonFinite: true }, [NaN, Infinity], ['1']],
  ];
  for (const [name, root, right, wrong] of cases) {
    it(name, () => {
      const { check, parse: parsed } = compileShape({ root, definitions: {} });
      for (const value of right) assert.equal(check(value), true, String(value));
      for (const value of wrong) {
        assert.equal(check(value), false, String(value));
        assert.ok((parsed(value).issues?.length ?? 0) > 0);
      }
    });
  }
  it('members that are not known are left out', () => {
    const root: Shape = { kind: 'object', properties: [{ name: 'a', shape: { kind: 'any' }, presence: 'optional' }], unknown: 'strip' };
    assert.deepEqual(compileShape({ root, definitions: {} }).parse({ a: 1, b: 2 }), { value: { a: 1 } });
  });
});
