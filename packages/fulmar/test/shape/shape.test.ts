/** The intermediate form: what stands within a shape, and references that lead nowhere. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ANY, NEVER, partsOf, type Shape, undefinedNames } from '../../src/shape/shape.ts';

const to = (name: string): Shape => ({ kind: 'reference', name });
const names = (shape: Shape): string[] => partsOf(shape).map((part) => (part.kind === 'reference' ? part.name : part.kind));

describe('the shapes within a shape', () => {
  const cases: readonly [string, Shape, readonly string[]][] = [
    ['a text has none', { kind: 'string' }, []],
    ['a template', { kind: 'template', parts: ['a', to('b'), 'c', to('d')] }, ['b', 'd']],
    ['an array', { kind: 'array', items: to('a'), contains: { shape: to('b'), min: 1 } }, ['a', 'b']],
    [
      'a tuple',
      { kind: 'tuple', items: [{ shape: to('a') }], rest: to('c'), last: [{ shape: to('b') }], contains: { shape: to('d'), min: 1 } },
      ['a', 'b', 'c', 'd'],
    ],
    [
      'an object',
      {
        kind: 'object',
        properties: [{ name: 'x', shape: to('a'), presence: 'exact' }],
        index: [{ key: to('b'), value: to('c') }],
        unknown: to('d'),
        names: to('e'),
        whenPresent: [{ name: 'x', shape: to('f') }],
      },
      ['a', 'b', 'c', 'd', 'e', 'f'],
    ],
    ['an object that keeps what it does not know', { kind: 'object', properties: [], unknown: 'keep' }, []],
    ['a map', { kind: 'map', key: to('a'), value: to('b') }, ['a', 'b']],
    ['a union', { kind: 'union', members: [ANY, NEVER] }, ['any', 'never']],
    ['a condition', { kind: 'condition', when: to('a'), else: to('b') }, ['a', 'b']],
    ['a codec', { kind: 'codec', name: 'x', wire: to('a') }, ['a']],
  ];
  for (const [name, shape, within] of cases) it(name, () => assert.deepEqual(names(shape), within));
});

describe('references', () => {
  it('that lead nowhere are found in the root and in definitions, once each', () => {
    const root: Shape = { kind: 'array', items: { kind: 'union', members: [to('a'), to('b')] } };
    assert.deepEqual(undefinedNames({ root, definitions: { a: to('c'), d: to('b') } }).sort(), ['b', 'c']);
  });
  it('of a shape that contains itself are none', () => {
    assert.deepEqual(undefinedNames({ root: to('a'), definitions: { a: { kind: 'array', items: to('a') } } }), []);
  });
  it('to what every object inherits are some', () => {
    assert.deepEqual(undefinedNames({ root: to('toString'), definitions: {} }), ['toString']);
  });
});
