/** What cannot be compiled: all of a file at once, each with its place in the source and in the type. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { CompileError, type Problem } from '../src/analyze/problem.ts';
import { compiled, makeProject } from './support.ts';

let folder = '';
before(() => {
  folder = makeProject();
});
after(() => rmSync(folder, { recursive: true, force: true }));

function problemsOf(text: string): readonly Problem[] {
  try {
    compiled(
      folder,
      `import { assert, decode, encode, parse, schema, stringify, validate, type Email, type MinLength, type Pattern, type Min } from 'fulmar/types';\n${text}`,
    );
  } catch (error) {
    assert.ok(error instanceof CompileError, String(error));
    assert.equal(error.code, 'FULMAR_TYPES');
    return error.problems;
  }
  return [];
}

/** The type, where in it, what is told. */
const WRONG: readonly (readonly [type: string, path: string, message: RegExp])[] = [
  ['{ a: () => void }', 'the type.a', /is a function/],
  ['{ a: { b: symbol }[] }', 'the type.a[].b', /is a symbol/],
  ['{ a?: () => void }', 'the type.a', /is a function/],
  ['{ run(): void }', 'the type.run', /is a function/],
  ['new () => Date', 'new () => Date', /is a class/],
  ['{ [Symbol.iterator]: 1 }', 'the type', /named by a symbol/],
  ['Record<symbol, string>', 'Record<symbol, string>', /named by symbols/],
  ['Promise<string>', 'Promise<string>', /await the value/],
  ['{ a: String }', 'the type.a', /write string/],
  ['WeakMap<object, 1>', 'WeakMap<object, 1>', /use a Map/],
  ['{ e: Error }', 'the type.e', /is an Error/],
  ['{ f: Function }', 'the type.f', /is a function/],
  ['ReadableStream', 'ReadableStream', /is a stream/],
  ['Service', 'Service', /is a class with the member run\(\)/],
  ['Hidden', 'Hidden', /is a class with the member secret/],
  ['Endless<string>', 'Endless<string>.next.next', /grows without an end/],
  ['Missing', 'Missing', /is not found/],
  ['{ a: Missing }', 'the type.a', /^is Missing, which is not found/],
  ['{ a: import("./nowhere").X }', 'the type.a', /is not found/],
  ['number & MinLength<2>', 'number & MinLength<2>', /minLength, which is for string/],
  ['string & Min<2>', 'string & Min<2>', /minimum, which is for number and bigint/],
  ['string & MinLength<-1>', 'string & MinLength<-1>', /minLength with a value that is not a length: -1/],
  ['string & MinLength<number>', 'string & MinLength<number>', /not a length: no literal/],
  ['string & Pattern<"(">', 'string & Pattern<"(">', /pattern with a value that is not a regular expression/],
  ['Wrong', 'Wrong.a', /minimum, which is for number and bigint, and it is string/],
  ['Inline', 'Inline.a', /@minLength that TypeScript does not see: begin it on a line of its own/],
  ['`${Uppercase<string>}!`', '`', /a template literal with a part of rules, which cannot be told from what is around it: use Pattern/],
  ['{ a: `${Email}!` }', 'the type.a', /a template literal with a part of rules/],
  ['Map<string, () => void>', 'Map<string, () => void><value>', /is a function/],
  ['[string, ...symbol[]]', '[string, ...symbol[]][1]', /is a symbol/],
];

const DECLARATIONS = `
class Service { name = ''; run() {} }
class Hidden { private secret = 1; id = 1 }
interface Endless<T> { value: T; next: Endless<T[]> }
interface Wrong {
  /** @minimum 3 */
  a: string;
}
interface Inline { /** @minLength 3 */ a: string }
`;

for (const [type, path, message] of WRONG) {
  it(`says what is wrong with ${type}`, () => {
    const problems = problemsOf(`${DECLARATIONS}\nvalidate<${type}>(1);`);
    assert.ok(problems.length > 0, 'it was compiled');
    const [first] = problems;
    assert.match(first?.message ?? '', message);
    assert.ok(first?.path.startsWith(path), first?.path ?? '');
    assert.deepEqual([first?.file, first?.line, first?.column], [join(folder, 'main.ts'), 12, 1]);
  });
}

it('tells all problems of a file at once, in one text', () => {
  const problems = problemsOf('validate<{ a: symbol; b: () => 1 }>(1);\n\n  parse<RegExp>("");\nassert(1);');
  assert.deepEqual(
    problems.map(({ line, column, path }) => [line, column, path]),
    [
      [2, 1, 'the type.a'],
      [2, 1, 'the type.b'],
      [4, 3, 'RegExp'],
      [5, 1, ''],
    ],
  );
  assert.match(
    new CompileError(problems, []).message,
    /main\.ts:2:1 the type\.b is a function, which cannot be sent\n.*main\.ts:4:3 RegExp has a RegExp/,
  );
});

it('refuses a type parameter, which has no type where the function is', () => {
  const [problem] = problemsOf('export function check<T>(x: unknown) { return validate<{ a: T }>(x); }');
  assert.match(problem?.message ?? '', /is T, which is not known here/);
  const [deferred] = problemsOf('export function pick<T, K extends keyof T>(x: unknown) { return validate<T[K]>(x); }');
  assert.match(deferred?.message ?? '', /not known here/);
});

it('asks for the type where a use says none', () => {
  for (const name of ['validate', 'assert', 'parse', 'decode', 'schema']) {
    assert.match(problemsOf(`export const x = ${name}(1 as never);`)[0]?.message ?? '', new RegExp(`write ${name}<User>`));
    assert.match(problemsOf(`export const x = ${name};`)[0]?.message ?? '', new RegExp(`write ${name}<User>`));
  }
  assert.deepEqual(problemsOf('stringify({ a: 1 }); encode({ a: 1 });'), []);
});

it('tells at most twenty problems and how many more there are', () => {
  const members = Array.from({ length: 25 }, (_, at) => `m${at}: symbol`).join('; ');
  assert.match(new CompileError(problemsOf(`validate<{ ${members} }>(1);`), []).message, /and 5 more$/);
});
