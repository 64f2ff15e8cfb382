/**
 * What TypeScript makes of types before anybody looks at them, each with values that fit and values that do not:
 * cases in the manner of TypeScript's own suite. Beside `cases.ts`, which goes through the kinds of values.
 */
import type { TypeCase } from './cases.ts';

/** Files that stand beside the source: other modules, a package, and one that adds to it. */
export const FILES: Readonly<Record<string, string>> = {
  'node_modules/birds/package.json': '{ "name": "birds", "version": "1.0.0", "types": "index.d.ts" }',
  'node_modules/birds/index.d.ts': `import { Place } from './place';
export interface Bird { name: string; nest: Place }
export type Named<T> = T & { name: string };
export declare namespace Sea { interface Wave { height: number } }
export default Bird;`,
  'node_modules/birds/place.d.ts': 'export interface Place { x: number; y: number }',
  'added.ts': "import 'birds';\ndeclare module 'birds' { interface Bird { ringed?: boolean } }\nexport {};",
  'shared.ts': `export type * from './more.ts';
export enum Level { Low = 1, High = 10, Shifted = 1 << 4, Same = High }
export const kinds = ['gull', 'tern'] as const;
export const limits = { low: 1, high: 2 } as const;
export interface Node<T> { value: T; next?: Node<T> }`,
  'more.ts': 'export interface More { id: string }\nexport type Maybe<T> = T | null | undefined;',
};

export const EDGE_DECLARATIONS = `
import type Gull from 'birds';
import type { Bird, Named as NamedBird, Sea } from 'birds';
import type {} from './added.ts';
import { kinds, limits, Level, type Maybe, type More, type Node } from './shared.ts';
interface Merged { a: number }
interface Merged { b: string }
interface Merged { a: number; c?: boolean }
interface Base { id: number; kind: string }
interface Narrowed extends Base { kind: 'narrow' }
interface Both extends Base, Pick<Merged, 'b'> { own: true }
type Distributed<T> = T extends string ? { text: T } : { other: T };
type Whole<T> = [T] extends [string] ? { text: T } : { other: T };
type Boxed<T> = T extends unknown ? { box: T } : never;
type NoNever<T> = T extends never ? 'never' : T;
type Inner<T> = T extends { a: infer A extends string } ? A : T extends readonly [infer F, ...infer R] ? [F, R['length']] : 'none';
type DeepPartial<T> = T extends object ? { [K in keyof T]?: DeepPartial<T[K]> } : T;
type DeepReadonly<T> = { readonly [K in keyof T]: T[K] extends object ? DeepReadonly<T[K]> : T[K] };
type Strings<T> = { [K in keyof T]: string };
type Mutable<T> = { -readonly [K in keyof T]-?: T[K] };
type Events<T> = { [K in keyof T & string as \`on\${Capitalize<K>}\`]?: { old: T[K]; now: T[K] } };
type OnlyNumbers<T> = { [K in keyof T as T[K] extends number ? K : never]: T[K] };
type ByKind<U extends { kind: string }> = { [K in U['kind']]: Extract<U, { kind: K }> };
type Split<S extends string> = S extends \`\${infer A}.\${infer B}\` ? [A, ...Split<B>] : [S];
type Join<T extends readonly string[]> = T extends readonly [infer A extends string, ...infer R extends string[]] ? R extends [] ? A : \`\${A}-\${Join<R>}\` : '';
type Tuple<N extends number, R extends unknown[] = []> = R['length'] extends N ? R : Tuple<N, [...R, number]>;
type Paths<T> = { [K in keyof T & string]: T[K] extends object ? \`\${K}\` | \`\${K}.\${Paths<T[K]>}\` : K }[keyof T & string];
type Producer<out T> = { value: T };
type Brand<T, B extends string> = T & { readonly [brand]: B };
declare const brand: unique symbol;
type Id = Brand<string, 'id'>;
type Count = Brand<number, 'count'>;
type Flavoured = string & { __flavour?: 'f' };
const enum Bits { None, A = 1 << 0, B = 1 << 1, Both = A | B }
enum Text { Up = 'UP', Down = 'DOWN' }
declare enum Ambient { One = 1 }
type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
interface Category { name: string; parent: Category | null; children?: readonly Category[] }
type Expr = { op: 'num'; value: number } | { op: 'add' | 'mul'; left: Expr; right: Expr } | { op: 'neg'; of: Expr };
type Wrap<T> = { value: T; wrapped?: Wrap<T[]>['value'] };
class Account { id = 0; readonly owner: string = ''; tags?: string[]; declare extra?: number; static count = 1; }
class Child extends Account { level!: 1 | 2 }
abstract class Shapeless { abstract area: number }
namespace Space { export interface Inner { a: 1 } export namespace Deeper { export type Name = 'deep' } }
type Fn = (first: string, second?: number, ...rest: boolean[]) => { done: true };
type Opt = [a: string, b?: number, ...c: boolean[]];
type ApiResult<T, E = { code: number }> = { ok: true; data: T } | { ok: false; error: E };
type Dictionary<K extends string | number, V> = { [key in K]?: V };
type Xor = { a: string; b?: never } | { a?: never; b: string };
const config = { port: 1, hosts: ['a', 'b'], deep: { on: true } };
const frozen = { mode: 'dark', sizes: [1, 2] } as const;
function make<T>(value: T) { return { value, at: 1 as const }; }
`;

const NONE = ['undefined', 'null', '1', '"x"', '[]'];

export const EDGE_CASES: readonly TypeCase[] = [
  // Declarations that are merged, and those of other files and packages.
  {
    type: 'Merged',
    fits: ['{ a: 1, b: "x" }', '{ a: 1, b: "x", c: true }'],
    not: ['{ a: 1 }', '{ b: "x" }', '{ a: 1, b: "x", c: 1 }', ...NONE],
  },
  {
    type: 'Bird',
    fits: ['{ name: "a", nest: { x: 1, y: 2 } }', '{ name: "a", nest: { x: 1, y: 2 }, ringed: true }'],
    not: ['{ name: "a", nest: { x: 1 } }', '{ name: "a", nest: { x: 1, y: 2 }, ringed: 1 }', ...NONE],
  },
  { type: 'Gull', fits: ['{ name: "a", nest: { x: 1, y: 2 } }'], not: ['{ name: 1, nest: { x: 1, y: 2 } }', ...NONE] },
  { type: 'NamedBird<{ age: number }>', fits: ['{ name: "a", age: 1 }'], not: ['{ name: "a" }', '{ age: 1 }'] },
  { type: 'Sea.Wave', fits: ['{ height: 1 }'], not: ['{ height: "1" }', '{}'] },
  { type: 'import("birds").Sea.Wave[]', fits: ['[{ height: 1 }]', '[]'], not: ['[{}]', '{ height: 1 }'] },
  { type: 'More', fits: ['{ id: "a" }'], not: ['{ id: 1 }', '{}'] },
  { type: 'Maybe<More>', fits: ['{ id: "a" }', 'null', 'undefined'], not: ['{}', '1'], lossy: 'JSON has no undefined' },
  {
    type: 'Node<string>',
    fits: ['{ value: "a" }', '{ value: "a", next: { value: "b" } }'],
    not: ['{ value: 1 }', '{ value: "a", next: { value: 1 } }', '{ value: "a", next: null }'],
  },
  { type: 'Space.Inner', fits: ['{ a: 1 }'], not: ['{ a: 2 }'] },
  { type: 'Space.Deeper.Name', fits: ['"deep"'], not: ['"Deep"', '1'] },
  // Interfaces that extend others.
  { type: 'Narrowed', fits: ['{ id: 1, kind: "narrow" }'], not: ['{ id: 1, kind: "wide" }', '{ kind: "narrow" }'] },
  {
    type: 'Both',
    fits: ['{ id: 1, kind: "a", b: "x", own: true }'],
    not: ['{ id: 1, kind: "a", own: true }', '{ id: 1, kind: "a", b: "x", own: false }'],
  },
  {
    type: 'Narrowed | Both',
    fits: ['{ id: 1, kind: "narrow" }', '{ id: 1, kind: "a", b: "x", own: true }'],
    not: ['{ id: 1, kind: "a" }'],
  },
  // Conditional types: distributive ones, those that are not, and what they infer.
  { type: 'Distributed<"a" | 1>', fits: ['{ text: "a" }', '{ other: 1 }'], not: ['{ text: 1 }', '{ other: "a" }', '{}'] },
  { type: 'Whole<"a" | 1>', fits: ['{ other: "a" }', '{ other: 1 }'], not: ['{ text: "a" }', '{ other: 2 }'] },
  { type: 'Whole<"a" | "b">', fits: ['{ text: "a" }', '{ text: "b" }'], not: ['{ other: "a" }'] },
  { type: 'Boxed<string | boolean>', fits: ['{ box: "a" }', '{ box: true }', '{ box: false }'], not: ['{ box: 1 }', '{}'] },
  { type: 'Boxed<never>', fits: [], not: ['{}', 'undefined', '{ box: 1 }'] },
  { type: 'NoNever<never> | "else"', fits: ['"else"'], not: ['"never"'] },
  { type: 'Inner<{ a: "x" }>', fits: ['"x"'], not: ['"none"'] },
  { type: 'Inner<[1, 2, 3]>', fits: ['[1, 2]'], not: ['[1, 3]', '[1, 2, 3]'] },
  { type: 'Inner<{ a: 1 }>', fits: ['"none"'], not: ['1'] },
  { type: 'Exclude<keyof Merged, "a">', fits: ['"b"', '"c"'], not: ['"a"'] },
  { type: 'Extract<Expr, { op: "neg" }>["op"]', fits: ['"neg"'], not: ['"num"'] },
  { type: 'ReturnType<Fn>', fits: ['{ done: true }'], not: ['{ done: false }'] },
  { type: 'Parameters<Fn>', fits: ['["a"]', '["a", 1]', '["a", 1, true, false]'], not: ['[]', '["a", true]', '["a", 1, 1]'] },
  {
    type: 'InstanceType<typeof Child>',
    fits: ['{ id: 1, owner: "a", level: 2 }'],
    not: ['{ id: 1, owner: "a" }', '{ id: 1, owner: "a", level: 3 }'],
  },
  { type: 'Awaited<ReturnType<() => Promise<{ a: 1 }>>>', fits: ['{ a: 1 }'], not: ['{}'] },
  {
    type: 'ReturnType<typeof make<Date>>',
    fits: ['{ value: new Date(0), at: 1 }'],
    not: ['{ value: 0, at: 1 }', '{ value: new Date(0), at: 2 }'],
  },
  // Mapped types.
  {
    type: 'DeepPartial<{ a: { b: { c: number } }; d: string }>',
    fits: ['{}', '{ a: {} }', '{ a: { b: { c: 1 } }, d: "x" }'],
    not: ['{ a: { b: { c: "1" } } }', '{ a: null }', '{ d: 1 }'],
  },
  { type: 'DeepReadonly<{ a: { b: number[] } }>', fits: ['{ a: { b: [1] } }'], not: ['{ a: { b: ["1"] } }', '{ a: {} }'] },
  { type: 'Mutable<{ readonly a?: number; b?: string }>', fits: ['{ a: 1, b: "x" }'], not: ['{ a: 1 }', '{ b: "x" }'] },
  {
    type: 'Events<Merged>',
    fits: ['{}', '{ onA: { old: 1, now: 2 } }', '{ onB: { old: "a", now: "b" } }'],
    not: ['{ onA: { old: 1 } }', '{ onB: { old: 1, now: 2 } }'],
  },
  { type: 'OnlyNumbers<{ a: number; b: string; c: 1 }>', fits: ['{ a: 5, c: 1 }'], not: ['{ a: 5 }', '{ a: 5, c: 2 }'] },
  {
    type: 'ByKind<{ kind: "x"; n: 1 } | { kind: "y"; n: 2 }>',
    fits: ['{ x: { kind: "x", n: 1 }, y: { kind: "y", n: 2 } }'],
    not: ['{ x: { kind: "x", n: 1 } }', '{ x: { kind: "y", n: 2 }, y: { kind: "y", n: 2 } }'],
  },
  { type: 'Dictionary<"a" | 1, boolean>', fits: ['{}', '{ a: true, 1: false }'], not: ['{ a: 1 }', '{ 1: "x" }'] },
  { type: '{ [K in "a" | "b" as Uppercase<K>]: K }', fits: ['{ A: "a", B: "b" }'], not: ['{ a: "a", b: "b" }', '{ A: "b", B: "b" }'] },
  { type: 'Strings<[1, 2]>', fits: ['["a", "b"]'], not: ['[1, 2]', '["a"]'] },
  { type: 'Partial<[string, number]>', fits: ['[]', '["a"]', '["a", 1]'], not: ['[1]', '["a", 1, 1]'] },
  { type: 'Readonly<Record<"a", readonly string[]>>', fits: ['{ a: [] }', '{ a: ["x"] }'], not: ['{ a: [1] }', '{}'] },
  { type: 'Required<{ a?: string | undefined }>', fits: ['{ a: "x" }'], not: ['{}'] },
  { type: 'Omit<Pick<Both, "id" | "b" | "own">, "b">', fits: ['{ id: 1, own: true }'], not: ['{ id: 1 }', '{ own: true }'] },
  { type: 'Omit<{ a: 1 } | { a: 1; b: 2 }, "b">', fits: ['{ a: 1 }'], not: ['{ b: 2 }'] },
  { type: 'Partial<Record<Text, number>>', fits: ['{}', '{ UP: 1 }'], not: ['{ UP: "1" }'] },
  { type: 'Record<Text, { n: 1 }>', fits: ['{ UP: { n: 1 }, DOWN: { n: 1 } }'], not: ['{ UP: { n: 1 } }'] },
  { type: 'NonNullable<Maybe<number>>', fits: ['0'], not: ['null', 'undefined'] },
  { type: 'Partial<Merged>["a"] & number', fits: ['1'], not: ['undefined', '"1"'] },
  // Template literal types.
  { type: 'Split<"a.b.c">', fits: ['["a", "b", "c"]'], not: ['["a", "b"]', '["a.b.c"]'] },
  { type: 'Join<["a", "b", "c"]>', fits: ['"a-b-c"'], not: ['"a-b"', '"abc"'] },
  { type: 'Paths<{ a: { b: 1; c: { d: 1 } }; e: 1 }>', fits: ['"a"', '"a.b"', '"a.c.d"', '"e"'], not: ['"b"', '"a."', '"a.c.e"'] },
  { type: '`${Text}_${1 | 2}`', fits: ['"UP_1"', '"DOWN_2"'], not: ['"UP_3"', '"Up_1"'] },
  { type: '`${number}px` | `${number}%` | "auto"', fits: ['"1px"', '"-1.5%"', '"auto"'], not: ['"px"', '"1em"', '"1 px"'] },
  { type: '`#${string}`', fits: ['"#"', '"#a\\nb"'], not: ['"a#"', '""'] },
  { type: '`${string}@${string}.${string}`', fits: ['"a@b.c"', '"@."'], not: ['"a@b"', '"a.b"'] },
  { type: 'Uncapitalize<`On${"Click" | "Move"}`>', fits: ['"onClick"', '"onMove"'], not: ['"OnClick"'] },
  {
    type: '{ [key: `data-${string}`]: string; id?: number }',
    fits: ['{}', '{ "data-a": "x", id: 1 }'],
    not: ['{ "data-a": 1 }', '{ id: "1" }'],
  },
  { type: '{ [key: `${number}`]: boolean }', fits: ['{}', '{ 1: true }', '{ "1.5": false }'], not: ['{ 1: 1 }'] },
  {
    type: '{ [key: `a${string}`]: string | number; [key: `ab${string}`]: number }',
    fits: ['{ a: "x", ab: 1 }'],
    not: ['{ ab: "x" }', '{ a: true }'],
  },
  // Enums.
  { type: 'Level', fits: ['1', '10', '16'], not: ['0', '2', '"Low"'] },
  { type: 'Level.Same', fits: ['10'], not: ['1'] },
  { type: 'Bits', fits: ['0', '1', '2', '3'], not: ['4', '"A"'] },
  { type: 'Text', fits: ['"UP"', '"DOWN"'], not: ['"Up"', '0'] },
  { type: 'Exclude<Text, Text.Up>', fits: ['"DOWN"'], not: ['"UP"'] },
  { type: 'Ambient', fits: ['1'], not: ['0', '"One"'] },
  { type: 'keyof typeof Text', fits: ['"Up"', '"Down"'], not: ['"UP"'] },
  { type: '`${Text}`', fits: ['"UP"', '"DOWN"'], not: ['"Up"'] },
  { type: '{ [K in Level]?: K }', fits: ['{}', '{ 1: 1, 10: 10 }'], not: ['{ 1: 10 }'] },
  { type: 'Level | "none"', fits: ['1', '"none"'], not: ['"Low"', '2'] },
  // Types that contain themselves, and generic ones.
  { type: 'JsonValue', fits: ['null', '{ a: [1, { b: "x" }] }', '[[[]]]'], not: ['undefined', '{ a: undefined }', '1n', '[NaN]'] },
  {
    type: 'Category',
    fits: ['{ name: "a", parent: null }', '{ name: "a", parent: { name: "b", parent: null }, children: [{ name: "c", parent: null }] }'],
    not: ['{ name: "a" }', '{ name: "a", parent: {} }', '{ name: "a", parent: null, children: [1] }'],
  },
  {
    type: 'Expr',
    fits: ['{ op: "num", value: 1 }', '{ op: "add", left: { op: "num", value: 1 }, right: { op: "neg", of: { op: "num", value: 2 } } }'],
    not: ['{ op: "num" }', '{ op: "add", left: 1, right: 2 }', '{ op: "div", left: 1, right: 2 }'],
  },
  { type: 'Tuple<3>', fits: ['[1, 2, 3]'], not: ['[1, 2]', '[1, 2, "3"]', '[1, 2, 3, 4]'] },
  {
    type: 'ApiResult<number>',
    fits: ['{ ok: true, data: 1 }', '{ ok: false, error: { code: 1 } }'],
    not: ['{ ok: true, error: { code: 1 } }', '{ ok: false, error: {} }', '{ data: 1 }'],
  },
  {
    type: 'ApiResult<ApiResult<string, null>, string>',
    fits: ['{ ok: true, data: { ok: false, error: null } }', '{ ok: false, error: "e" }'],
    not: ['{ ok: true, data: { ok: false, error: "e" } }', '{ ok: false, error: null }'],
  },
  {
    type: 'Node<Node<number>>',
    fits: ['{ value: { value: 1 }, next: { value: { value: 2, next: { value: 3 } } } }'],
    not: ['{ value: 1 }', '{ value: { value: 1 }, next: { value: 2 } }'],
  },
  { type: 'Producer<string> | Producer<number>', fits: ['{ value: "a" }', '{ value: 1 }'], not: ['{ value: true }', '{}'] },
  { type: 'Wrap<string>', fits: ['{ value: "a" }', '{ value: "a", wrapped: ["b"] }'], not: ['{ value: "a", wrapped: "b" }'] },
  // Brands, and members whose names are no texts.
  { type: 'Id', fits: ['"a"', '""'], not: ['1', 'null'] },
  { type: 'Count', fits: ['1'], not: ['"1"', 'NaN'] },
  { type: 'Flavoured', fits: ['"a"'], not: ['1'] },
  { type: '{ id: Id; n?: Count }', fits: ['{ id: "a" }', '{ id: "a", n: 1 }'], not: ['{ id: 1 }', '{ id: "a", n: "1" }'] },
  { type: 'Record<Id, Count>', fits: ['{}', '{ a: 1 }'], not: ['{ a: "x" }'] },
  // Intersections.
  {
    type: '({ a: 1 } | { b: 2 }) & ({ c: 3 } | { d: 4 })',
    fits: ['{ a: 1, c: 3 }', '{ b: 2, d: 4 }', '{ a: 1, b: 2, c: 3, d: 4 }'],
    not: ['{ a: 1 }', '{ c: 3, d: 4 }', '{ a: 1, b: 2 }'],
    lossy: 'a value is written as the first alternative that takes it',
  },
  { type: '{ a: { b: 1 } } & { a: { c: 2 } }', fits: ['{ a: { b: 1, c: 2 } }'], not: ['{ a: { b: 1 } }', '{ a: { c: 2 } }'] },
  { type: '{ a?: 1 } & { a: 1 | 2 }', fits: ['{ a: 1 }'], not: ['{}', '{ a: 2 }'] },
  { type: '("a" | "b") & ("b" | "c")', fits: ['"b"'], not: ['"a"', '"c"'] },
  { type: 'string & {}', fits: ['"a"', '""'], not: ['1', 'null'] },
  { type: '{ a: string } & Record<string, string>', fits: ['{ a: "x" }', '{ a: "x", b: "y" }'], not: ['{}', '{ a: "x", b: 1 }'] },
  { type: '(string | number) & (number | boolean)', fits: ['1'], not: ['"a"', 'true'] },
  {
    type: '{ kind: "a" } & ({ t: 1; x: string } | { t: 2; y: string })',
    fits: ['{ kind: "a", t: 1, x: "s" }', '{ kind: "a", t: 2, y: "s" }'],
    not: ['{ kind: "a", t: 1, y: "s" }', '{ t: 1, x: "s" }'],
  },
  { type: 'Merged & { a: 5 }', fits: ['{ a: 5, b: "x" }'], not: ['{ a: 4, b: "x" }'] },
  // Unions.
  { type: 'Xor', fits: ['{ a: "x" }', '{ b: "x" }'], not: ['{ a: "x", b: "y" }', '{}'] },
  {
    type: '{ t: null; a: 1 } | { t: 1; b: 2 } | { t: true; c: 3 }',
    fits: ['{ t: null, a: 1 }', '{ t: 1, b: 2 }', '{ t: true, c: 3 }'],
    not: ['{ t: false, c: 3 }', '{ t: "1", b: 2 }', '{ t: null, b: 2 }'],
  },
  {
    type: '{ a: { t: 1 } } | { a: { t: 2 }; b: 1 }',
    fits: ['{ a: { t: 1 } }', '{ a: { t: 2 }, b: 1 }'],
    not: ['{ a: { t: 2 } }', '{ a: { t: 3 } }'],
  },
  { type: 'string[] | Record<string, string>', fits: ['["a"]', '{ a: "b" }', '[]', '{}'], not: ['[1]', '{ a: 1 }', '"a"'] },
  { type: '[1, ...string[]] | [2, number]', fits: ['[1]', '[1, "a"]', '[2, 3]'], not: ['[2]', '[1, 2]', '[2, "a"]'] },
  { type: 'true | "true" | 1', fits: ['true', '"true"', '1'], not: ['false', '"1"', '0'] },
  { type: 'Date | { at: Date }', fits: ['new Date(1)', '{ at: new Date(1) }'], not: ['1', '{}', '"a"'] },
  // Tuples and arrays.
  { type: 'Opt', fits: ['["a"]', '["a", 1]', '["a", 1, true]'], not: ['[]', '["a", true]', '["a", 1, 1]'] },
  {
    type: '[...Opt, Date]',
    fits: ['["a", undefined, new Date(1)]', '["a", 1, true, new Date(1)]'],
    not: ['["a"]', '["a", new Date(1)]', '[new Date(1)]', '["a", 1, new Date(1), 2]'],
    lossy: 'JSON has no undefined',
  },
  { type: 'readonly [a: 1, b: readonly string[]]', fits: ['[1, []]', '[1, ["x"]]'], not: ['[1]', '[1, [1]]'] },
  { type: '[[1, 2], [3]]', fits: ['[[1, 2], [3]]'], not: ['[[1], [3]]'] },
  { type: '(string | undefined)[]', fits: ['["a", undefined]', '[]'], not: ['[null]', '[1]'], lossy: 'JSON has no undefined' },
  { type: 'ReadonlyArray<readonly [string, number]>', fits: ['[["a", 1]]', '[]'], not: ['[["a"]]', '["a"]'] },
  // What values say of their types.
  { type: 'typeof kinds[number]', fits: ['"gull"', '"tern"'], not: ['"duck"'] },
  { type: 'typeof limits', fits: ['{ low: 1, high: 2 }'], not: ['{ low: 1 }', '{ low: 2, high: 2 }'] },
  { type: 'keyof typeof limits', fits: ['"low"', '"high"'], not: ['"mid"'] },
  {
    type: 'typeof config',
    fits: ['{ port: 5, hosts: [], deep: { on: false } }'],
    not: ['{ port: "5", hosts: [], deep: { on: false } }', '{ port: 5, hosts: [1], deep: { on: false } }'],
  },
  {
    type: 'typeof frozen',
    fits: ['{ mode: "dark", sizes: [1, 2] }'],
    not: ['{ mode: "light", sizes: [1, 2] }', '{ mode: "dark", sizes: [1] }'],
  },
  { type: '(typeof frozen)["sizes"][number]', fits: ['1', '2'], not: ['3'] },
  // Classes.
  {
    type: 'Account',
    fits: ['{ id: 1, owner: "a" }', '{ id: 1, owner: "a", tags: ["x"], extra: 1 }'],
    not: ['{ id: 1 }', '{ id: 1, owner: "a", tags: "x" }'],
  },
  { type: 'Child', fits: ['{ id: 1, owner: "a", level: 1 }'], not: ['{ id: 1, owner: "a", level: 0 }'] },
  { type: 'Shapeless', fits: ['{ area: 1 }'], not: ['{}', '{ area: "1" }'] },
  { type: 'f.StringDate', fits: ['"2024-02-29"', '"2024-02-29T10:00:00Z"'], not: ['"today"', '"2024-02-30"', '0'] },
];
