/** The members of an object, in whatever order it has them, and what is handed on of them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fromJsonSchema } from '../../src/shape/from-json-schema.ts';
import { compileShape } from '../../src/shape/validate/compile.ts';
import type { Mode } from '../../src/shape/validate/rule-types.ts';

const TEXT = { type: 'string' };
const PERSON = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'integer' },
    name: TEXT,
    isOn: { type: 'boolean' },
    score: { type: 'number' },
    mail: { ...TEXT, format: 'email' },
  },
};
const CLOSED = { ...PERSON, additionalProperties: false };

const validator = (schema: unknown, mode: Mode = 'value') => compileShape(fromJsonSchema(schema), mode);
const isRight = (schema: unknown, value: unknown, mode?: Mode): boolean => validator(schema, mode).check(value);

class Named {
  id = 1;
  get name(): string {
    return 'a';
  }
}

describe('the members of an object', () => {
  const whole = { id: 1, name: 'a', isOn: true, score: 0.5, mail: 'a@b.c' };
  const right: readonly [string, unknown][] = [
    ['in their order', whole],
    ['in another order', { mail: 'a@b.c', score: 0.5, isOn: true, name: 'a', id: 1 }],
    ['without one in between', { id: 1, name: 'a', mail: 'a@b.c' }],
    ['without the optional ones', { id: 1, name: 'a' }],
    ['that are undefined and may be missing', { id: 1, name: 'a', isOn: undefined, mail: undefined }],
    ['of an object without a prototype', Object.assign(Object.create(null) as object, whole)],
  ];
  for (const [name, value] of right) {
    it(`fit ${name}`, () => {
      for (const schema of [PERSON, CLOSED])
        for (const mode of ['value', 'reply'] as const) assert.equal(isRight(schema, value, mode), true);
    });
  }
  const wrong: readonly [string, unknown][] = [
    ['one is missing', { name: 'a' }],
    ['the last is missing', { id: 1 }],
    ['a required one is undefined', { id: undefined, name: 'a' }],
    ['an integer has a fraction', { id: 1.5, name: 'a' }],
    ['a number is none', { id: 1, name: 'a', score: NaN }],
    ['a number is a text', { id: 1, name: 'a', score: '1' }],
    ['a boolean is a number', { id: 1, name: 'a', isOn: 1 }],
    ['a text is null', { id: 1, name: null }],
    ['an address is none', { id: 1, name: 'a', mail: 'a' }],
    ['the wrong one comes first', { mail: 'a', id: 1, name: 'a' }],
    ['it is a list', [1, 'a']],
    ['it is null', null],
  ];
  for (const [name, value] of wrong) {
    it(`do not fit where ${name}`, () => {
      for (const schema of [PERSON, CLOSED]) {
        for (const mode of ['value', 'reply'] as const) assert.equal(isRight(schema, value, mode), false);
        assert.ok(validator(schema).parse(value).issues !== undefined);
      }
    });
  }

  it('are refused beside those that are known where there may be no others, wherever they stand', () => {
    for (const value of [
      { more: 1, id: 1, name: 'a' },
      { id: 1, more: 1, name: 'a' },
      { ...whole, more: 1 },
    ]) {
      assert.equal(isRight(PERSON, value), true);
      assert.equal(isRight(CLOSED, value), false);
    }
  });

  it('may be what a class has for its objects, but for replies, where JSON has it not', () => {
    assert.equal(isRight(CLOSED, new Named()), true);
    assert.deepEqual(
      validator(CLOSED, 'reply')
        .parse(new Named())
        .issues?.map(({ path }) => path),
      [['name']],
    );
  });

  it('are not those that every object inherits', () => {
    const schema = { type: 'object', required: ['constructor'], properties: { constructor: TEXT, a: TEXT }, additionalProperties: false };
    assert.equal(isRight(schema, { a: '' }), false);
    assert.equal(isRight(schema, { a: '', constructor: 'b' }), true);
    assert.equal(isRight(CLOSED, JSON.parse('{"id":1,"name":"a","__proto__":{}}')), false);
  });

  it('are as many as there are', () => {
    for (const count of [29, 30, 31, 32, 33, 64]) {
      const names = Array.from({ length: count }, (_, at) => `member${at}`);
      const schema = {
        type: 'object',
        required: names,
        properties: Object.fromEntries(names.map((name) => [name, TEXT])),
        additionalProperties: false,
      };
      const value = Object.fromEntries(names.map((name) => [name, '']));
      assert.equal(isRight(schema, value), true);
      for (const name of names) {
        const { [name]: _, ...others } = value;
        assert.equal(isRight(schema, others), false, `${name} of ${count}`);
        assert.equal(isRight(schema, { ...value, [name]: 1 }), false, `${name} of ${count}`);
      }
      assert.equal(isRight(schema, { ...value, more: '' }), false);
    }
  });

  it('are each looked at once, however deep a wrong one is', () => {
    const node = { $ref: '#' };
    const schema = { type: 'object', required: ['last'], properties: { inner: node, last: TEXT }, additionalProperties: false };
    const { check } = validator(schema);
    let value: object = { last: 1 };
    let reads = 0;
    for (let depth = 0; depth < 60; depth += 1) {
      const inner = value;
      value = Object.defineProperty({ more: 1, last: '' }, 'inner', { enumerable: true, get: () => ((reads += 1), inner) });
    }
    assert.equal(check(value), false);
    assert.ok(reads <= 60 * 2, `${reads} reads`);
  });
});

describe('what is sent of a reply', () => {
  const sent = (schema: unknown, value: unknown): unknown => (validator(schema, 'reply').parse(value) as { value: unknown }).value;

  it('is the value itself where it fits', () => {
    const list = [{ id: 1, name: 'a' }];
    assert.equal(sent({ type: 'array', items: CLOSED }, list), list);
  });

  it('is without members that are not known, the others in their order', () => {
    const value = { secret: 1, name: 'a', id: 1, password: 'b' };
    assert.equal(JSON.stringify(sent(CLOSED, value)), '{"name":"a","id":1}');
    assert.equal(JSON.stringify(value), '{"secret":1,"name":"a","id":1,"password":"b"}');
  });

  it('is with dates as texts and with defaults', () => {
    const schema = { type: 'object', properties: { at: { ...TEXT, format: 'date-time' }, n: { type: 'integer', default: 3 } } };
    assert.deepEqual(sent(schema, { at: new Date(0), more: 1 }), { at: '1970-01-01T00:00:00.000Z', more: 1, n: 3 });
    assert.deepEqual(sent(schema, { n: undefined }), { n: 3 });
  });

  it('is what toJSON says, wherever it stands', () => {
    const made = (value: unknown): object => ({ toJSON: () => value });
    assert.deepEqual(sent(CLOSED, made({ id: 1, name: 'a', more: 1 })), { id: 1, name: 'a' });
    assert.deepEqual(sent(PERSON, { id: 1, name: made('a') }), { id: 1, name: 'a' });
    const late = Object.defineProperty({ id: 1, name: 'a' }, 'toJSON', { value: () => ({ id: 2, name: 'b' }) });
    assert.deepEqual(sent(CLOSED, late), { id: 2, name: 'b' });
  });

  it('has a member called __proto__ like any other', () => {
    const value = JSON.parse('{"__proto__":{"a":1},"at":null}') as { at: unknown };
    value.at = new Date(0);
    const text = JSON.stringify(sent({ type: 'object', properties: { at: TEXT } }, value));
    assert.equal(text, '{"__proto__":{"a":1},"at":"1970-01-01T00:00:00.000Z"}');
  });
});
