/** RBS as `fulmar polyglot types` reads it, and what it makes of it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRbs } from '../src/polyglot/ruby/rbs-parser.ts';
import { rubyDeclarations } from '../src/polyglot/ruby/ruby-declarations.ts';

const typesOf = (rbs: string): string => rubyDeclarations([parseRbs(rbs, 'text.rbs')], 'text.rb');

const HEAD = `
type size = :small | :large
type tree = Integer | Array[tree]
class Bird
end
class Point < Struct[Integer]
  attr_reader x: Integer
end
module Deep
  class Bird
  end
  def self.f: (Bird) -> ::Other
end
`;

/** In RBS, what a call gives, what it takes. */
const types: readonly (readonly [rbs: string, given: string, taken: string])[] = [
  ['Integer', 'number', 'number | bigint'],
  ['::Float', 'number', 'number'],
  ['String', 'string', 'string | Uint8Array'],
  ['Symbol', 'string', 'GuestHandle'],
  ['bool', 'boolean', 'boolean'],
  ['true', 'true', 'true'],
  ['nil', 'null', 'null'],
  ['untyped', 'unknown', 'unknown'],
  ['T', 'unknown', 'unknown'],
  ['Float?', 'number | null', 'number | null'],
  ['(bool | Float)', 'boolean | number', 'boolean | number'],
  ['(Float | nil)?', 'number | null', 'number | null'],
  ['Array[Float?]', '(number | null)[]', 'readonly (number | null)[]'],
  ['[Float, bool]', '[number, boolean]', 'readonly [number, boolean]'],
  ['Set[Float]', 'Set<number>', 'ReadonlySet<number>'],
  ['Hash[String, Float]', 'Record<string, number>', 'Readonly<Record<string, number>> | ReadonlyMap<string, number>'],
  ['Hash[Symbol, Float]', 'Record<string, number>', 'ReadonlyMap<GuestHandle, number>'],
  ['Hash[size, Float]', "Partial<Record<'small' | 'large', number>>", 'ReadonlyMap<GuestHandle, number>'],
  ['Hash[Float, bool]', 'Map<number, boolean> | Record<string, never>', 'ReadonlyMap<number, boolean>'],
  [
    'Hash[untyped, bool]',
    'Record<string, boolean> | Map<unknown, boolean>',
    'Readonly<Record<string, boolean>> | ReadonlyMap<unknown, boolean>',
  ],
  ['{ a: Float, ?b: bool }', '{ a: number; b?: boolean }', 'GuestHandle'],
  ['{ "a" => Float }', '{ a: number }', '{ a: number }'],
  ['("it\'s" | 1 | -2 | false)', String.raw`'it\'s' | 1 | -2 | false`, String.raw`'it\'s' | 1 | -2 | false`],
  [':"a b"', "'a b'", 'GuestHandle'],
  [
    '^(Float, ?bool) -> nil',
    '((argument1: number, argument2?: boolean) => Promise<null>) & GuestHandle',
    '((argument1: number, argument2?: boolean) => null | Promise<null>) | GuestHandle',
  ],
  ['Enumerator[Float, void]', 'AsyncIterable<number> & GuestObject', 'GuestHandle'],
  ['singleton(Bird)', 'GuestObject', 'GuestHandle'],
  ['Bird', 'Bird', 'Bird'],
  ['Deep::Bird', 'Deep_Bird', 'Deep_Bird'],
  ['Point', 'Point', 'GuestHandle'],
  ['size', "'small' | 'large'", 'GuestHandle'],
  ['tree', 'number | unknown[]', 'number | bigint | readonly unknown[]'],
  ['Time', 'Date', 'Date'],
  ['Nowhere', 'unknown', 'unknown'],
];

describe('a type of RBS', () => {
  it('is the type of what a call gives, and of what it takes', () => {
    const text = typesOf(`${HEAD}class Object\n${types.map(([rbs], at) => `  def f${at}: (${rbs} a) -> ${rbs}\n`).join('')}end`);
    const found = types.map(([rbs], at) => {
      const [, taken, given] = new RegExp(`^ {2}f${at}\\(a: (.*)\\): Promise<(.*)>;$`, 'm').exec(text) ?? [];
      return [rbs, given, taken];
    });
    assert.deepEqual(found, types);
  });

  it('is looked for where it stands first', () => {
    assert.match(typesOf(HEAD), / f\(argument1: Deep_Bird\): Promise<unknown>;/);
  });
});

describe('a method of RBS', () => {
  const lines = (method: string): string[] =>
    typesOf(`class Object\n${method}\nend`)
      .split('\n')
      .filter((line) => line.startsWith('  '))
      .map((line) => line.trim());

  it('takes arguments by name, and a block, as the last one', () => {
    assert.deepEqual(lines('def f: (bool a, ?Float b, key: bool, ?other: Float) { (bool) -> void } -> nil'), [
      "f(a: boolean, named: NamedArguments<{ key: boolean; other?: number; '&': ((argument1: boolean) => unknown) | GuestHandle }>): Promise<null>;",
      "f(a: boolean, b: number, named: NamedArguments<{ key: boolean; other?: number; '&': ((argument1: boolean) => unknown) | GuestHandle }>): Promise<null>;",
    ]);
    assert.deepEqual(lines('def f: (*bool, **Float) -> nil'), [
      'readonly f: { (...rest: readonly boolean[]): Promise<null>; (named: NamedArguments<{ [name: string]: unknown }>): Promise<null>; (...rest: readonly [...boolean[], NamedArguments<{ [name: string]: unknown }>]): Promise<null> } & PromiseLike<null>;',
    ]);
  });

  it('that needs something behind what may be left out is called in several ways', () => {
    assert.deepEqual(lines('def f: (?Float a, bool b) -> nil'), [
      'f(b: boolean): Promise<null>;',
      'f(a: number, b: boolean): Promise<null>;',
    ]);
    assert.deepEqual(lines('def f: (Float a, *Float, bool b) -> nil'), [
      'f(a: number, b: boolean): Promise<null>;',
      'f(a: number, ...rest: readonly [...number[], boolean]): Promise<null>;',
    ]);
  });

  it('is called by awaiting it, where it needs nothing', () => {
    assert.deepEqual(lines('# Says it.\ndef f: () -> nil'), ['/** Says it. */', 'readonly f: (() => Promise<null>) & PromiseLike<null>;']);
    assert.deepEqual(lines('def f: () -> nil | (bool) -> bool'), [
      'readonly f: { (): Promise<null>; (argument1: boolean): Promise<boolean> } & PromiseLike<null>;',
    ]);
  });

  it('may have names that are words of JavaScript, and signs', () => {
    assert.deepEqual(
      lines('def ok?: (bool new, bool) -> nil\ndef +: (Integer) -> Integer\ndef x=: (Integer) -> void\ndef then: () -> nil'),
      ["'ok?'(new_: boolean, argument2: boolean): Promise<null>;"],
    );
  });
});

describe('a class of RBS', () => {
  it('has what it inherits, includes, and is called by other names', () => {
    const text = typesOf(
      'module Named\n  def name: () -> String\nend\nclass A\n  def a: (Float) -> self\n  def self.make: (Float) -> instance\nend\nclass B < A\n  include Named\n  alias other a\n  private def own: () -> nil\n  attr_accessor next: B\nend\n',
    );
    assert.match(
      text,
      /export interface B extends GuestHandle \{\n {2}a\(argument1: number\): Promise<B>;\n {2}readonly name: .*\n {2}readonly next: \(\(\) => Promise<B>\) & B & PromiseLike<B>;\n {2}other\(argument1: number\): Promise<B>;\n\}/,
    );
    assert.match(text, /readonly B: \{\n {4}new \(\): Promise<B>;\n {4}make\(argument1: number\): Promise<B>;\n {2}\};/);
  });

  it('has the comments that stand in front of its members', () => {
    const text = typesOf(
      '# Not this one.\n\n# A.\n# Bird.\nclass A\n  attr_reader x: Float # nor this\n  # Says.\n  def a: (Float) # within\n     -> nil\n  def b: (Float) -> nil\nend',
    );
    assert.match(
      text,
      /\n\/\*\*\n \* A\.\n \* Bird\.\n \*\/\nexport interface A extends GuestHandle \{\n {2}readonly x: .*\n {2}\/\*\* Says\. \*\/\n {2}a\(.*\n {2}b\(.*\n\}/,
    );
  });

  it('may be declared in parts, and end in others', () => {
    const text = typesOf('class A\n  def a: (Float) -> nil\nend\nclass A\n  def b: (Float) -> nil\n  class C[T < A]\n  end\nend');
    assert.match(text, /export interface A extends GuestHandle \{\n {2}a\(.*\n {2}b\(.*\n\}/);
    assert.match(text, /readonly A: \{\n {4}new \(\): Promise<A>;\n {4}readonly C: \{\n {6}new \(\): Promise<C>;/);
  });
});

describe('what is no RBS', () => {
  const wrong: readonly (readonly [rbs: string, told: RegExp])[] = [
    ['class A\n', /text\.rbs:2: end of class A is expected, and there is the end of the file/],
    ['class A\n  deff x\nend', /text\.rbs:2: a member \(def, .*\) or end is expected, and there is deff x/],
    ['x = 1', /text\.rbs:1: a declaration .* is expected, and there is x = 1/],
    ['class A\n  def f: (Integer\nend', /text\.rbs:3: , or \) is expected/],
    ['class A\n  def f: Integer\nend', /text\.rbs:2: -> is expected, and there is Integer/],
    ['type x = ', /text\.rbs:1: a type is expected/],
    [`type x = ${'['.repeat(5_000)}`, /no more than 100 levels/],
    ['class A\n'.repeat(5_000), /no more than 100 classes/],
  ];
  for (const [rbs, told] of wrong)
    it(`is told with its place: ${JSON.stringify(rbs.slice(0, 30))}`, () => assert.throws(() => parseRbs(rbs, 'text.rbs'), told));
});
