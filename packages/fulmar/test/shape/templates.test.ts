import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Shape, TemplateShape } from '../../src/shape/shape.ts';
import { toJsonSchema } from '../../src/shape/to-json-schema.ts';
import { compileShape } from '../../src/shape/validate/compile.ts';

type Parts = TemplateShape['parts'];
const string: Shape = { kind: 'string' };
const number: Shape = { kind: 'number' };
const bigint: Shape = { kind: 'bigint' };
const ab: Shape = { kind: 'enum', values: ['a', 'ab'] };

function takes(parts: Parts): (text: string) => boolean {
  const validator = compileShape({ root: { kind: 'template', parts }, definitions: {} });
  return (text) => validator.check(text);
}

const patternOf = (parts: Parts): unknown => {
  const schema = toJsonSchema({ root: { kind: 'template', parts }, definitions: {} });
  return (schema as { pattern?: unknown }).pattern;
};

describe('a template takes', () => {
  const cases: [name: string, parts: Parts, taken: string[], refused: string[]][] = [
    ['a text alone', ['abc'], ['abc'], ['', 'ab', 'abcd']],
    ['nothing but nothing', [], [''], ['a']],
    ['any text between', ['a', string, 'b'], ['ab', 'a\n😀b', 'abb'], ['a', 'b', 'abc', 'xab']],
    ['begin and end that do not overlap', ['aba', string, 'ba'], ['ababa', 'abaxba'], ['aba', 'abba']],
    [
      'several texts in their order',
      [string, '/', string, '/', string, '.png'],
      ['//.png', 'a/b/c/d.png'],
      ['/.png', 'a/b.png', '//.pngx'],
    ],
    ['the last text behind the others', [string, 'ab', string, 'b'], ['abb', 'abab'], ['ab', 'b']],
    [
      'numbers',
      ['n', number],
      ['n0', 'n01', 'n-1', 'n1.', 'n.5', 'n-.5e+3', 'n1E5'],
      ['n', 'n-', 'n.', 'n1e', 'n1e+', 'n+1', 'n1.5.', 'nNaN', 'n１'],
    ],
    ['bigints, without zeros before', ['n', bigint], ['n0', 'n-0', 'n10', 'n-12'], ['n', 'n-', 'n01', 'n-00', 'n1.0', 'n1e5']],
    ['numbers that end where the next part needs it', [number, number], ['12', '1-2', '1.5.5'], ['1', 'a']],
    ['the longer alternative', [ab, 'c', string], ['ac', 'abc', 'abcx'], ['bc', 'ab', 'abbc']],
    ['the alternative that the rest needs', [string, ab, ab], ['aa', 'xaab', 'abab'], ['ab', 'xb']],
    [
      'templates and unions in it',
      [{ kind: 'union', members: [{ kind: 'template', parts: ['x', bigint] }, { kind: 'boolean' }] }, string, '!'],
      ['x1!', 'true!', 'x12 a!'],
      ['x!', 'tru!'],
    ],
    [
      'words for nothing',
      ['a', { kind: 'union', members: [{ kind: 'null' }, { kind: 'undefined' }, { kind: 'literal', value: 7 }] }],
      ['anull', 'aundefined', 'a7'],
      ['a', 'a8'],
    ],
  ];
  for (const [name, parts, taken, refused] of cases) {
    it(name, () => {
      const is = takes(parts);
      for (const text of taken) assert.ok(is(text), text);
      for (const text of refused) assert.ok(!is(text), text);
    });
  }

  it('what the regular expression takes, of texts of few characters', () => {
    const kinds: [Parts[number], string][] = [
      ['a', 'a'],
      ['1.', '1\\.'],
      [string, '[^]*'],
      [number, '-?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?'],
      [bigint, '-?(?:0|[1-9]\\d*)'],
      [ab, '(?:a|ab)'],
    ];
    let seed = 1;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let round = 0; round < 400; round += 1) {
      const chosen = Array.from({ length: 1 + random(4) }, () => kinds[random(kinds.length)] as [Parts[number], string]);
      const is = takes(chosen.map(([part]) => part));
      const pattern = new RegExp(`^${chosen.map(([, source]) => source).join('')}$`);
      for (let time = 0; time < 40; time += 1) {
        const text = Array.from({ length: random(7) }, () => 'ab10-+.e'[random(8)]).join('');
        assert.equal(is(text), pattern.test(text), `${pattern.source} of ${text}`);
      }
    }
  });
});

describe('a long text takes no more time than its length asks for', () => {
  const LENGTH = 100_000;
  const IN_TIME_MS = 10_000;
  const cases: [name: string, parts: Parts, text: string][] = [
    ['of wildcards', [string, '/', string, '/', string, '.png'], '/'.repeat(LENGTH)],
    ['of wildcards before numbers', [string, number, '/', string, number], '1'.repeat(LENGTH)],
    ['of numbers', [number, ':', number], '1'.repeat(LENGTH)],
    ['of numbers in a row', [number, number, bigint, 'x'], '1'.repeat(LENGTH)],
    ['of alternatives', [string, ab, string, ab, string, ab, '!'], 'ab'.repeat(LENGTH)],
  ];
  for (const [name, parts, text] of cases) {
    it(name, () => {
      const began = performance.now();
      assert.equal(takes(parts)(text), false);
      const pattern = patternOf(parts);
      if (typeof pattern === 'string') new RegExp(pattern, 'u').test(text);
      assert.ok(performance.now() - began < IN_TIME_MS);
    });
  }
});

describe('the pattern of a template in JSON Schema', () => {
  const cases: [name: string, parts: Parts, pattern: string | undefined][] = [
    ['says it all where one part has no end', ['a.', string, '/b'], '^a\\.[^]*\\/b$'],
    ['says it all of numbers that are apart', [bigint, ':', bigint], '^-?(?:0|[1-9]\\d*):-?(?:0|[1-9]\\d*)$'],
    ['is the begin of several wildcards', ['a/', string, '/', string], '^a\\/'],
    ['is not there for several wildcards alone', [string, '/', string], undefined],
    ['is not there for numbers that touch', [bigint, '1', bigint], undefined],
    ['is not there for wildcards within', [{ kind: 'union', members: [{ kind: 'template', parts: [string, 'a', string] }] }], undefined],
  ];
  for (const [name, parts, pattern] of cases) it(name, () => assert.equal(patternOf(parts), pattern));
});
