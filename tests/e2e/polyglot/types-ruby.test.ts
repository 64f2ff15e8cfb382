/** `fulmar polyglot types` of Ruby: what it makes of RBS is found by TypeScript, agrees with what calls give and take, and names faults. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ruby } from '../../../packages/fulmar/src/polyglot/index.ts';
import { fulmar } from '../cli/support.ts';
import { check, EXACT, project } from './typed.ts';

const { problem } = await ruby.look();
const skip = problem ?? false;

const source = `require 'bigdecimal'
require 'set'
require 'date'

module TextTools
  LIMIT = 7
  Pair = Struct.new(:left, :right)

  class Doc
    attr_accessor :title
    def initialize(title, lang: 'en')
      @title = title
      @lang = lang
    end
    def lang = @lang
    def parent = Doc.new('parent')
    def empty? = @title.empty?
    def each
      yield 'a'
      yield 'b'
      self
    end
    def join(*words, with: ' ') = words.join(with)
  end

  module_function

  def shout(text, times: 1) = text.upcase * times
  def sum(numbers) = numbers.sum
  def half(n) = n / 2.0
  def maybe(yes) = yes ? 'some' : nil
  def kind = :small
  def both = ['a', 1]
  def counts = { 'a' => 1 }
  def named = { a: 1, b: nil }
  def keyed = { 1 => 'one' }
  def keyed_empty = {}
  def unique(list) = Set.new(list)
  def price = BigDecimal('1.10')
  def time = Time.at(0)
  def day = Date.new(2024, 2, 29)
  def each_word(text)
    return text.split.each unless block_given?
    text.split.map { |word| yield word }
  end
  def adder(by) = ->(n) { n + by }
  def apply(f, n) = f.call(n)
  def pair = Pair.new(1, 'two')
  def upto(first, *rest, last) = [first, rest, last]
  def nothing = nil
  def bytes = "ab".b
end

def top(a, b = 2) = a * b
`;

const rbs = `# Tools of text.
module TextTools
  type size = :small | :large
  type tree = Integer | Array[tree]

  LIMIT: Integer

  class Pair < Struct[untyped]
    attr_accessor left: Integer
    attr_accessor right: String
  end

  interface _Named
    def name: () -> String
  end

  class Doc
    # What stands above.
    attr_accessor title: String
    def initialize: (String title, ?lang: String) -> void
    def lang: () -> String
    def parent: () -> instance
    def empty?: () -> bool
    def each: () { (String) -> void } -> self
    def join: (*String words, ?with: String) -> String
    private
    def secret: () -> String
  end

  # Loud.
  def self?.shout: (String text, ?times: Integer) -> String
  def self?.sum: (Array[Integer] numbers) -> Integer
  def self?.half: (Numeric n) -> Float
  def self?.maybe: (bool yes) -> String?
  def self?.kind: () -> size
  def self?.both: () -> [String, Integer]
  def self?.counts: () -> Hash[String, Integer]
  def self?.named: () -> { a: Integer, b: String? }
  def self?.keyed: () -> Hash[Integer, String]
  def self?.keyed_empty: () -> Hash[Integer, String]
  def self?.unique: (Array[Integer]) -> Set[Integer]
  def self?.price: () -> BigDecimal
  def self?.time: () -> Time
  def self?.day: () -> Date
  def self?.each_word: (String text) { (String word) -> String } -> Array[String]
                     | (String text) -> Enumerator[String, void]
  def self?.adder: (Integer by) -> ^(Integer) -> Integer
  def self?.apply: [T] (^(Integer) -> Integer f, Integer n) -> Integer
  def self?.pair: () -> Pair
  def self?.upto: (Integer first, *String rest, bool last) -> [Integer, Array[String], bool]
  def self?.nothing: () -> nil
  def self?.tree: () -> tree
end

class Object
  def top: (Integer a, ?Integer b) -> Integer
end
`;

const app = `import text, { type Doc, type Pair } from './text_tools.rb';
import { Decimal, kwargs, ruby } from 'fulmar/polyglot';
${EXACT}
is<number>()(await text.LIMIT);
is<string>()(await text.shout('a'));
is<string>()(await text.shout('a', kwargs({ times: 2 })));
is<number>()(await text.sum([1, 2]));
is<number>()(await text.half(3));
is<string | null>()(await text.maybe(true));
is<string | null>()(await text.maybe(false));
is<'small' | 'large'>()(await text.kind);
is<'small' | 'large'>()(await text.kind());
is<[string, number]>()(await text.both);
is<Record<string, number>>()(await text.counts);
is<{ a: number; b: string | null }>()(await text.named());
is<Map<number, string> | Record<string, never>>()(await text.keyed);
is<Map<number, string> | Record<string, never>>()(await text.keyed_empty);
is<Set<number>>()(await text.unique([1, 1]));
is<Decimal>()(await text.price);
is<Date>()(await text.time);
is<string>()(await text.day);
is<string[]>()(await text.each_word('a b', kwargs({ '&': async (word: string) => word + '!' })));
for await (const word of await text.each_word('c d')) is<string>()(word);
is<number>()(await (await text.adder(3))(4));
is<number>()(await text.apply((n) => n * 2, 21));
is<Pair>()(await text.pair);
is<Pair>()(await new text.Pair(1, 'x'));
is<[number, string[], boolean]>()(await text.upto(1, 'a', 'b', true));
is<null>()(await text.nothing);
const doc: Doc = await new text.Doc('title', kwargs({ lang: 'fr' }));
is<string>()(await doc.title);
is<string>()(await doc.lang);
is<string>()(await doc.parent().then((one) => one.title));
is<boolean>()(await doc['empty?']);
is<string>()(await doc.join('a', 'b', kwargs({ with: '-' })));
for await (const one of doc) is<string>()(one);
is<number>()(await text.top(21));
is<number>()(await (await ruby.import<typeof import('./text_tools.rb')>('./text_tools.rb')).TextTools.sum([3]));
console.log(JSON.stringify(told));
`;

const given = [
  [7, 'A', 'AA', 3, 1.5, 'some', null, 'small', 'small', ['a', 1], { a: 1 }, { a: 1, b: null }, ['Map', [1, 'one']], {}, ['Set', 1]],
  ['1.1', '1970-01-01T00:00:00.000Z', '2024-02-29', ['a!', 'b!'], 'c', 'd', 7, 42, { left: 1, right: 'two' }, { left: 1, right: 'x' }],
  [[1, ['a', 'b'], true], null, 'title', 'fr', 'parent', false, 'a-b', 'a', 'b', 42, 3],
].flat();

const files = { 'text_tools.rb': source, 'text_tools.rbs': rbs };

describe('fulmar polyglot types of Ruby', () => {
  it('writes beside a file what TypeScript finds for its import, and what calls give', { skip }, async () => {
    const folder = project({ ...files, 'app.ts': app });
    const { code, stderr } = await fulmar(folder, ['polyglot', 'types', 'text_tools.rb']);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /text_tools\.d\.rb\.ts: types of text_tools\.rb/);
    assert.equal(await check(folder), '');
    const run = await fulmar(folder, ['run', 'app.ts']);
    assert.deepEqual(JSON.parse(run.stdout || '[]'), JSON.parse(JSON.stringify(given)), run.stderr);
  });

  it('makes wrong calls errors of the compiler', async () => {
    const wrong = [
      'text.shout(1)',
      'text.shout("a", kwargs({ often: 2 }))',
      'text.nowhere()',
      'new text.Doc()',
      'text.upto(1, 2)',
      'text.apply((n: string) => 1, 1)',
      '(await new text.Doc("a")).secret',
    ];
    const line = (one: string): string =>
      `import text from './text_tools.rb'; import { kwargs } from 'fulmar/polyglot'; void kwargs; void (${one});`;
    const folder = project({ ...files, ...Object.fromEntries(wrong.map((one, at) => [`wrong${at}.ts`, line(one)])) });
    // RBS is read without Ruby.
    assert.equal((await fulmar(folder, ['polyglot', 'types', 'text_tools.rb'], { env: { FULMAR_RUBY: '/nowhere' } })).code, 0);
    const told = await check(folder);
    for (const at of wrong.keys()) assert.match(told, new RegExp(`wrong${at}\\.ts\\(1,\\d+\\): error`), wrong[at] ?? '');
  });

  it('finds RBS in a folder sig, and takes what is named', async () => {
    const folder = project({
      'lib/a/text.rb': '',
      'lib/b/text.rb': '',
      'lib/c/text.rb': '',
      'sig/a/text.rbs': 'module Text\n def self.a: () -> Integer\nend',
      'sig/b/text.rbs': 'module Text\n def self.b: (Other::name) -> Integer\nend',
      'sig/other.rbs': 'module Other\n type name = "x" | "y"\nend',
    });
    const made = async (file: string, ...more: readonly string[]): Promise<string> => {
      const { code, stderr } = await fulmar(folder, ['polyglot', 'types', file, '--out', 'x.d.ts', ...more]);
      assert.equal(code, 0, stderr);
      return readFileSync(join(folder, 'x.d.ts'), 'utf8');
    };
    assert.match(await made('lib/a/text.rb'), /readonly a: \(\(\) => Promise<number>\) & PromiseLike<number>;/);
    assert.match(await made('lib/b/text.rb'), / b\(argument1: unknown\): Promise<number>;/);
    assert.match(
      await made('lib/b/text.rb', '--rbs', 'sig/b/text.rbs', '--rbs', 'sig/other.rbs'),
      / b\(argument1: 'x' \| 'y'\): Promise<number>;/,
    );
    const unclear = await fulmar(folder, ['polyglot', 'types', 'lib/c/text.rb']);
    assert.equal(unclear.code, 1);
    assert.match(unclear.stderr, /there are several of RBS for lib\/c\/text\.rb: sig\/a\/text\.rbs, sig\/b\/text\.rbs\. .*--rbs <file>/);
  });

  it('tells the place of what is no RBS, and what is missing', async () => {
    const folder = project({ 'a.rb': '', 'broken.rb': '', 'broken.rbs': 'class A\n  def f: (String -> void\nend\n' });
    const told = async (...args: readonly string[]): Promise<string> => {
      const { code, stderr } = await fulmar(folder, ['polyglot', 'types', ...args]);
      assert.equal(code, 1, stderr);
      return stderr;
    };
    assert.match(await told('broken.rb'), /^fulmar: broken\.rbs:2: , or \) is expected, and there is -> void/);
    assert.match(await told('a.rb'), /there is no RBS of a\.rb: a\.rbs is expected, or a\.rbs in a folder sig .*--rbs <file>/);
    assert.match(await told('a.rb', '--rbs', 'b.rbs'), /cannot find b\.rbs, which --rbs names/);
    assert.match(await told('nowhere.rb'), /cannot find nowhere\.rb/);
    assert.equal(existsSync(join(folder, 'a.d.rb.ts')), false);
  });
});
