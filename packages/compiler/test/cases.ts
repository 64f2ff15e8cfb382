/**
 * Types with values that fit and values that do not, as expressions. `kept`: values of the type come back from
 * JSON as they were (not: those with members that are left out, and those without a form).
 */

export interface TypeCase {
  readonly type: string;
  readonly fits: readonly string[];
  readonly not: readonly string[];
  /** Why values do not come back equal from JSON. */
  readonly lossy?: string;
}

/** Declarations that the types use. */
export const DECLARATIONS = `
import type * as f from 'fulmar/types';
enum Colour { Red, Green = 5, Blue = 'blue' }
const enum Size { S = 's', L = 'l' }
interface Point { x: number; y: number }
interface Named { name: string; nick?: string }
interface Tree { value: number; children: Tree[] }
type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type List<T> = { head: T; tail: List<T> | null };
type Shape = { kind: 'circle'; r: number } | { kind: 'square'; side: number } | { kind: 'many'; shapes: Shape[] };
type Result<T> = { ok: true; value: T } | { ok: false; error: string };
type Getters<T> = { [K in keyof T as \`get\${Capitalize<string & K>}\`]: T[K] };
type Unwrap<T> = T extends Promise<infer U> ? U : T extends (infer V)[] ? V : T;
type UserId = string & { readonly __brand: 'UserId' };
type Loose<T extends string> = T | (string & {});
class Dto { id!: number; name?: string }
type Amb = { l: Amb | null } | { l: Amb | null; r: number };
interface Even { odd: Odd | null }
interface Odd { even: Even | null; n: number }
interface Docs {
  /**
   * @minLength 2
   * @maxLength 4
   */
  a: string;
  /** @minimum 0 */
  b?: number;
  /** @pattern ^[a-z]+$ */
  c?: string;
  /** @format email */
  d?: string;
  /**
   * @minItems 1
   * @uniqueItems
   */
  e?: number[];
  /** @maximum 10 */
  f?: number | null;
}
`;

const NOTHING = ['undefined', 'null'];
const OTHERS = ['{}', '[]', '() => 1', 'Symbol.iterator'];

export const CASES: readonly TypeCase[] = [
  {
    type: 'string',
    fits: ['""', '"é😀"', '"\\ud800"', '"\\u2028\\"\\\\\\n"', '"x".repeat(5000)'],
    not: ['1', ...NOTHING, ...OTHERS, 'new String("a")'],
  },
  {
    type: 'number',
    fits: ['0', '-1.5', '1e300', 'Number.MAX_VALUE'],
    not: ['"1"', 'NaN', 'Infinity', '-Infinity', '1n', ...NOTHING, ...OTHERS],
  },
  { type: 'boolean', fits: ['true', 'false'], not: ['0', '"true"', ...NOTHING, ...OTHERS] },
  { type: 'bigint', fits: ['0n', '-5n', '2n ** 100n'], not: ['0', '"1"', ...NOTHING] },
  { type: 'null', fits: ['null'], not: ['undefined', '0', '""', '{}'] },
  { type: 'undefined', fits: ['undefined'], not: ['null', '0'], lossy: 'JSON has no undefined' },
  { type: 'void', fits: ['undefined'], not: ['null'], lossy: 'JSON has no undefined' },
  { type: 'unknown', fits: ['1', '"a"', 'null', '[1]', '{ a: 1 }'], not: [] },
  { type: 'any', fits: ['1', '"a"', 'null', '[{}]'], not: [] },
  { type: 'never', fits: [], not: ['1', ...NOTHING] },
  { type: '"a"', fits: ['"a"'], not: ['"b"', '"A"', '""', 'null'] },
  { type: '42', fits: ['42'], not: ['41', '"42"', '42n'] },
  { type: '-1', fits: ['-1'], not: ['1'] },
  { type: 'true', fits: ['true'], not: ['false', '1'] },
  { type: '10n', fits: ['10n'], not: ['10', '11n', '"10"'] },
  { type: '"a" | "b" | 3', fits: ['"a"', '"b"', '3'], not: ['"c"', '"3"', '4'] },
  { type: '"a" | "b" | "c" | "d" | "e" | "f" | "g" | "h"', fits: ['"a"', '"h"'], not: ['"i"', '"ab"', '"__proto__"', '"constructor"'] },
  { type: '1n | 2n | "x"', fits: ['1n', '2n', '"x"'], not: ['3n', '1', '"1"'] },
  { type: 'Colour', fits: ['0', '5', '"blue"'], not: ['1', '"Red"', '"Blue"'] },
  { type: 'Colour.Green', fits: ['5'], not: ['0'] },
  { type: 'Size', fits: ['"s"', '"l"'], not: ['"S"', '0'] },
  { type: 'string | number', fits: ['"a"', '1'], not: ['true', 'null', 'NaN'] },
  { type: 'string | null', fits: ['"a"', 'null'], not: ['undefined', '1'] },
  { type: 'boolean | string', fits: ['true', 'false', '"a"'], not: ['1', 'null'] },
  { type: 'boolean | null', fits: ['true', 'false', 'null'], not: ['0', 'undefined'] },
  { type: 'string | undefined', fits: ['"a"', 'undefined'], not: ['null', '1'], lossy: 'JSON has no undefined' },
  { type: '`/users/${number}`', fits: ['"/users/1"', '"/users/-1.5"'], not: ['"/users/"', '"/users/a"', '"users/1"', '"/users/1/"', '1'] },
  { type: '`${string}-${"a" | "b"}`', fits: ['"x-a"', '"-b"', '"a-b-a"'], not: ['"x-c"', '"a"', '"x-a "'] },
  { type: '`v${bigint}`', fits: ['"v1"', '"v-20"'], not: ['"v1.5"', '"v"'] },
  { type: '`is ${boolean}`', fits: ['"is true"', '"is false"'], not: ['"is yes"', '"is "'] },
  { type: 'Uppercase<string>', fits: ['"ABC"', '""', '"1"'], not: ['"aBC"', '1'] },
  { type: 'Capitalize<string>', fits: ['"Abc"', '"1"'], not: ['"abc"'] },
  { type: 'Uppercase<"ab" | "c">', fits: ['"AB"', '"C"'], not: ['"ab"'] },
  { type: 'string[]', fits: ['[]', '["a"]', '["a", "b"]'], not: ['[1]', '["a", undefined]', '{}', '"a"', '{ length: 0 }', 'new Array(1)'] },
  { type: 'readonly number[]', fits: ['[1]'], not: ['["1"]'] },
  { type: 'Array<string | null>', fits: ['[null, "a"]'], not: ['[undefined]', 'null'] },
  { type: 'number[][]', fits: ['[[1], []]'], not: ['[1]', '[["1"]]'] },
  { type: '[string, number]', fits: ['["a", 1]'], not: ['["a"]', '["a", 1, 2]', '[1, "a"]', '[]'] },
  { type: '[string, number?]', fits: ['["a"]', '["a", 1]'], not: ['[]', '["a", "b"]', '["a", 1, 1]', '["a", null]'] },
  { type: '[string, ...number[]]', fits: ['["a"]', '["a", 1, 2]'], not: ['[]', '["a", "b"]', '[1]'] },
  { type: '[...string[], number]', fits: ['[1]', '["a", "b", 1]'], not: ['[]', '["a"]', '[1, 1]'] },
  { type: '[first: string, last?: string]', fits: ['["a"]', '["a", "b"]'], not: ['["a", 1]'] },
  { type: '[]', fits: ['[]'], not: ['[1]', '{}'] },
  { type: 'readonly [1, 2]', fits: ['[1, 2]'], not: ['[2, 1]'] },
  {
    type: 'Point',
    fits: ['{ x: 1, y: 2 }', '{ y: 0, x: -0.5 }'],
    not: ['{ x: 1 }', '{ x: 1, y: "2" }', '[1, 2]', 'null', '"xy"', '{ x: 1, y: NaN }'],
  },
  {
    type: 'Named',
    fits: ['{ name: "a" }', '{ name: "a", nick: "b" }'],
    not: ['{}', '{ name: "a", nick: 1 }', '{ name: "a", nick: null }'],
  },
  { type: '{ a?: string }', fits: ['{}', '{ a: "b" }'], not: ['{ a: null }', '[]', '1'] },
  { type: '{ a: string | undefined }', fits: ['{ a: "b" }'], not: ['{}', '{ a: null }'] },
  {
    type: '{ readonly a: 1; b: { c: [string] } }',
    fits: ['{ a: 1, b: { c: ["x"] } }'],
    not: ['{ a: 1, b: { c: [1] } }', '{ a: 1, b: null }'],
  },
  { type: '{ "a-b": 1; 0: 2; "": 3; "é": 4 }', fits: ['{ "a-b": 1, 0: 2, "": 3, "é": 4 }'], not: ['{ "a-b": 1, 0: 2, "é": 4 }'] },
  {
    type: '{ toString?: string; constructor: number }',
    fits: ['{ constructor: 1 }', '{ toString: "a", constructor: 1 }'],
    not: ['{}', '{ toString: 1, constructor: 1 }'],
  },
  { type: '{ ["__proto__"]: number }', fits: ['JSON.parse(\'{"__proto__":1}\')'], not: ['{}', 'JSON.parse(\'{"__proto__":"a"}\')'] },
  { type: '{}', fits: ['{}', '{ a: 1 }'], not: ['null', 'undefined'] },
  { type: 'object', fits: ['{}', '{ a: 1 }'], not: ['null', '1', '"a"'] },
  {
    type: 'Record<string, number>',
    fits: ['{}', '{ a: 1 }', 'JSON.parse(\'{"__proto__":1}\')'],
    not: ['{ a: "1" }', '[]', 'JSON.parse(\'{"__proto__":"a"}\')'],
  },
  { type: 'Record<"a" | "b", boolean>', fits: ['{ a: true, b: false }'], not: ['{ a: true }', '{ a: true, b: 1 }'] },
  { type: 'Partial<Record<"a" | "b", boolean>>', fits: ['{}', '{ a: true }'], not: ['{ a: 1 }'] },
  { type: '{ [key: string]: string; id: string }', fits: ['{ id: "1" }', '{ id: "1", x: "y" }'], not: ['{ id: "1", x: 2 }', '{}'] },
  { type: '{ [key: `x-${string}`]: number }', fits: ['{ "x-a": 1 }', '{}'], not: ['{ "x-a": "1" }'] },
  { type: '{ [n: number]: string }', fits: ['{ 0: "a" }', '{}'], not: ['{ 0: 1 }'] },
  { type: 'Partial<Point>', fits: ['{}', '{ x: 1 }'], not: ['{ x: "1" }'] },
  { type: 'Required<Named>', fits: ['{ name: "a", nick: "b" }'], not: ['{ name: "a" }'] },
  { type: 'Pick<Point, "x">', fits: ['{ x: 1 }'], not: ['{}', '{ x: "1" }'] },
  { type: 'Omit<Named, "nick">', fits: ['{ name: "a" }'], not: ['{}'] },
  { type: 'Readonly<Point>', fits: ['{ x: 1, y: 1 }'], not: ['{}'] },
  { type: 'Exclude<"a" | "b" | "c", "b">', fits: ['"a"', '"c"'], not: ['"b"'] },
  { type: 'Extract<string | number | boolean, string | boolean>', fits: ['"a"', 'true'], not: ['1'] },
  { type: 'NonNullable<string | null | undefined>', fits: ['"a"'], not: [...NOTHING] },
  { type: 'Getters<Point>', fits: ['{ getX: 1, getY: 2 }'], not: ['{ x: 1, y: 2 }', '{ getX: 1 }'] },
  { type: 'Unwrap<Promise<string>> | Unwrap<number[]>', fits: ['"a"', '1'], not: ['true', '[1]'] },
  { type: 'keyof Point', fits: ['"x"', '"y"'], not: ['"z"'] },
  { type: 'Point["x"]', fits: ['1'], not: ['"1"'] },
  { type: 'ReturnType<() => { a: 1 }>', fits: ['{ a: 1 }'], not: ['{ a: 2 }'] },
  { type: 'Parameters<(a: string, b?: number) => void>', fits: ['["a"]', '["a", 1]'], not: ['[]', '[1]'] },
  { type: 'Awaited<Promise<Promise<1>>>', fits: ['1'], not: ['2'] },
  { type: 'Point & Named', fits: ['{ x: 1, y: 2, name: "a" }'], not: ['{ x: 1, y: 2 }', '{ name: "a" }'] },
  { type: '{ a: string } & ({ b: 1 } | { c: 2 })', fits: ['{ a: "x", b: 1 }', '{ a: "x", c: 2 }'], not: ['{ a: "x" }', '{ b: 1 }'] },
  { type: '{ a: string | number } & { a: string }', fits: ['{ a: "x" }'], not: ['{ a: 1 }'] },
  {
    type: 'Amb',
    fits: ['{ l: null }', '{ l: { l: null, r: 1 } }', '{ l: { l: { l: null } }, r: 1 }'],
    not: ['{}', 'null', '{ l: { l: 1 } }', '{ l: { r: 1 }, r: 1 }'],
    lossy: 'a value is written as the first alternative that takes it, without the r of the second',
  },
  {
    type: 'Tree',
    fits: ['{ value: 1, children: [] }', '{ value: 1, children: [{ value: 2, children: [] }] }'],
    not: ['{ value: 1 }', '{ value: 1, children: [{ value: "2", children: [] }] }'],
  },
  {
    type: 'Json',
    fits: ['null', '[1, "a", [true, { a: { b: [] } }]]', '{ a: null }'],
    not: ['undefined', '[undefined]', '{ a: 1n }', 'NaN', '[() => 1]'],
  },
  {
    type: 'List<string>',
    fits: ['{ head: "a", tail: null }', '{ head: "a", tail: { head: "b", tail: null } }'],
    not: ['{ head: "a" }', '{ head: "a", tail: { head: 1, tail: null } }'],
  },
  { type: 'List<List<number>>', fits: ['{ head: { head: 1, tail: null }, tail: null }'], not: ['{ head: 1, tail: null }'] },
  { type: 'Even', fits: ['{ odd: null }', '{ odd: { n: 1, even: { odd: null } } }'], not: ['{}', '{ odd: { n: 1, even: {} } }'] },
  {
    type: 'Shape',
    fits: ['{ kind: "circle", r: 1 }', '{ kind: "many", shapes: [{ kind: "square", side: 2 }] }'],
    not: ['{ kind: "circle", side: 1 }', '{ kind: "none" }', '{}', '[]', 'null', '{ kind: "many", shapes: [{}] }', '{ kind: "toString" }'],
  },
  {
    type: 'Result<Point>',
    fits: ['{ ok: true, value: { x: 1, y: 2 } }', '{ ok: false, error: "e" }'],
    not: ['{ ok: true, error: "e" }', '{ ok: "true", value: { x: 1, y: 2 } }', '{ value: { x: 1, y: 2 } }'],
  },
  {
    type: '{ t: 1; a: string } | { t: 2; b: string } | { t: 3 | 4 }',
    fits: ['{ t: 1, a: "x" }', '{ t: 4 }'],
    not: ['{ t: 1, b: "x" }', '{ t: 5 }', '{ t: "1", a: "x" }'],
  },
  { type: '{ a: number } | { b: number }', fits: ['{ a: 1 }', '{ b: 1 }'], not: ['{}', '{ a: "1" }', '{ c: 1 }'] },
  { type: 'Point | Point[] | string', fits: ['{ x: 1, y: 1 }', '[{ x: 1, y: 1 }]', '"a"'], not: ['[1]', '{}', 'null'] },
  { type: 'UserId', fits: ['"u1"'], not: ['1'] },
  { type: 'Loose<"a">', fits: ['"a"', '"b"'], not: ['1'] },
  { type: 'Dto', fits: ['{ id: 1 }', '{ id: 1, name: "a" }'], not: ['{}', '{ id: 1, name: 1 }'] },
  {
    type: 'Date',
    fits: ['new Date(0)', 'new Date("2026-11-25T10:00:00.123Z")', 'new Date(8.64e15)', 'new Date(-8.64e15)'],
    not: ['new Date(NaN)', '"2026-11-25"', '0', '{}'],
  },
  {
    type: 'Map<string, number>',
    fits: ['new Map()', 'new Map([["a", 1]])'],
    not: ['{}', '[]', 'new Map([[1, 1]])', 'new Map([["a", "1"]])', 'new Set()'],
  },
  { type: 'Map<Date, Point[]>', fits: ['new Map([[new Date(5), [{ x: 1, y: 2 }]]])'], not: ['new Map([[5, []]])'] },
  { type: 'Set<"a" | "b">', fits: ['new Set()', 'new Set(["a"])'], not: ['["a"]', 'new Set(["c"])', 'new Map()'] },
  { type: 'ReadonlySet<bigint>', fits: ['new Set([1n, 2n])'], not: ['new Set([1])'] },
  { type: 'RegExp', fits: ['/a/g'], not: ['"a"', '{}'], lossy: 'is not read' },
  { type: 'URL', fits: ['new URL("https://example.com/é?a=b")'], not: ['"https://example.com"', '{}'] },
  {
    type: 'Uint8Array',
    fits: ['new Uint8Array()', 'new Uint8Array([0, 255, 128])'],
    not: ['[1]', 'new Uint16Array(1)', 'new ArrayBuffer(1)', '"AA=="'],
  },
  { type: 'Float64Array', fits: ['new Float64Array([1.5, -0, 3])'], not: ['new Float32Array(1)', '[1.5]'] },
  { type: 'BigInt64Array', fits: ['new BigInt64Array([1n, -1n])'], not: ['[1n]'] },
  { type: 'ArrayBuffer', fits: ['new Uint8Array([1, 2]).buffer'], not: ['new Uint8Array(1)', '{}'] },
  {
    type: '{ at: Date; n?: bigint; bytes: Uint8Array | null }',
    fits: ['{ at: new Date(1), bytes: null }', '{ at: new Date(1), n: 5n, bytes: new Uint8Array([1]) }'],
    not: ['{ at: 1, bytes: null }', '{ at: new Date(1) }'],
  },
  { type: 'Date | null | number', fits: ['new Date(3)', 'null', '7'], not: ['"a"', 'true'] },
  { type: 'f.Email', fits: ['"a@example.com"'], not: ['"a"', '"a@"', '1', '"a@example.com\\n"'] },
  { type: 'f.UUID', fits: ['"018f6b1e-7c00-7000-8000-000000000001"'], not: ['"018f6b1e7c0070008000000000000001"', '""'] },
  { type: 'f.UUIDv7', fits: ['"018f6b1e-7c00-7000-8000-000000000001"'], not: ['"018f6b1e-7c00-4000-8000-000000000001"'] },
  { type: 'f.Url', fits: ['"https://example.com/a"'], not: ['"example.com"', '"javascript:alert(1)"', '"https://"'] },
  { type: 'f.IsoDate', fits: ['"2024-02-29"'], not: ['"2023-02-29"', '"2024-2-9"', '"2024-02-29T00:00:00Z"'] },
  {
    type: 'f.IsoDateTime',
    fits: ['"2024-02-29T10:00:00Z"', '"2024-02-29T10:00:00.5+02:00"'],
    not: ['"2024-02-29"', '"2024-02-29 10:00"', '"2024-02-30T10:00:00Z"'],
  },
  { type: 'f.IPv4', fits: ['"127.0.0.1"'], not: ['"256.0.0.1"', '"1.2.3"', '"01.2.3.4"'] },
  { type: 'f.IPv6', fits: ['"::1"', '"2001:db8::1"'], not: ['"::1::"', '"127.0.0.1"'] },
  { type: 'f.Int', fits: ['1', '0', '1e20'], not: ['1.5', '"1"', 'NaN', 'Infinity'] },
  { type: 'f.UInt8', fits: ['0', '255'], not: ['-1', '256', '1.5'] },
  { type: 'f.Int8', fits: ['-128', '127'], not: ['-129', '128'] },
  { type: 'f.Int16', fits: ['-32768', '32767'], not: ['32768'] },
  { type: 'f.UInt16', fits: ['65535'], not: ['65536', '-1'] },
  { type: 'f.Int32', fits: ['-2147483648', '2147483647'], not: ['2147483648'] },
  { type: 'f.UInt32', fits: ['4294967295'], not: ['4294967296', '-1'] },
  { type: 'f.Int64', fits: ['-(2n ** 63n)', '2n ** 63n - 1n'], not: ['2n ** 63n', '1'] },
  { type: 'f.UInt64', fits: ['0n', '2n ** 64n - 1n'], not: ['-1n', '2n ** 64n'] },
  { type: 'f.Float', fits: ['1.5'], not: ['"1.5"'] },
  { type: 'number & f.Min<1> & f.Max<3>', fits: ['1', '2.5', '3'], not: ['0.9', '3.1', '"2"'] },
  { type: 'number & f.GreaterThan<0> & f.LessThan<1>', fits: ['0.5'], not: ['0', '1'] },
  { type: 'number & f.MultipleOf<0.01>', fits: ['0.07', '1.1', '0'], not: ['0.001', '1e-7'] },
  { type: 'string & f.MinLength<2> & f.MaxLength<3>', fits: ['"ab"', '"😀😀😀"'], not: ['"a"', '"abcd"', '"😀"'] },
  { type: 'string & f.NonEmpty', fits: ['" "'], not: ['""'] },
  { type: 'string & f.Pattern<"^a+$">', fits: ['"aa"'], not: ['"ab"', '""', '1'] },
  { type: 'string & f.Pattern<"^\\\\p{L}+$"> & f.Pattern<"é">', fits: ['"été"'], not: ['"ete"', '"é1"'] },
  { type: 'number[] & f.NonEmpty & f.MaxLength<2>', fits: ['[1]', '[1, 2]'], not: ['[]', '[1, 2, 3]', '["a"]'] },
  { type: 'string[] & f.Unique', fits: ['["a", "b"]', '[]'], not: ['["a", "a"]'] },
  { type: 'Set<number> & f.NonEmpty', fits: ['new Set([1])'], not: ['new Set()'] },
  { type: 'Uint8Array & f.MaxLength<2>', fits: ['new Uint8Array(2)'], not: ['new Uint8Array(3)'] },
  { type: 'f.Email | null', fits: ['"a@b.example"', 'null'], not: ['"a"'] },
  {
    type: 'Point & f.UnknownKeys<"reject">',
    fits: ['{ x: 1, y: 2 }'],
    not: ['{ x: 1, y: 2, z: 3 }', 'JSON.parse(\'{"x":1,"y":2,"__proto__":1}\')'],
  },
  { type: 'Point & f.UnknownKeys<"keep">', fits: ['{ x: 1, y: 2, z: [3] }', '{ x: 1, y: 2 }'], not: ['{ x: 1 }'] },
  {
    type: 'Docs',
    fits: ['{ a: "ab" }', '{ a: "abcd", b: 0, c: "x", d: "a@b.example", e: [1, 2], f: null }'],
    not: [
      '{ a: "a" }',
      '{ a: "abcde" }',
      '{ a: "ab", b: -1 }',
      '{ a: "ab", c: "X" }',
      '{ a: "ab", d: "x" }',
      '{ a: "ab", e: [] }',
      '{ a: "ab", e: [1, 1] }',
      '{ a: "ab", f: 11 }',
    ],
  },
];
