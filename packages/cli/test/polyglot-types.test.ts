/** Types of Python as `fulmar polyglot types` writes them in TypeScript, and the command line of it. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { parsePolyglotArguments } from '../src/polyglot/arguments.ts';
import { toDeclarations } from '../src/polyglot/declarations.ts';
import { declarationFile } from '../src/polyglot/index.ts';
import { parsePython } from '../src/polyglot/python-module.ts';

const folder = mkdtempSync(join(tmpdir(), 'fulmar-types-'));
after(() => rmSync(folder, { recursive: true }));

/** The declarations of a source, as one text. */
async function typesOf(source: string): Promise<string> {
  const file = join(folder, 'model.py');
  writeFileSync(file, source);
  return toDeclarations(await parsePython(process.env['FULMAR_PYTHON'] ?? 'python3', file, 'model.py'), 'model.py');
}

const HEAD = `
from __future__ import annotations
import datetime, decimal, enum, uuid
import typing as t
import numpy as np
from dataclasses import dataclass
from typing import *

Id = NewType('Id', int)
T = TypeVar('T')
Tree = Union[int, List['Tree']]

class Bird: ...
@dataclass
class Point:
    x: int
class Kind(str, enum.Enum):
    A = 'a'
class Plain(enum.Enum):
    A = 1
class Options(TypedDict, total=False):
    size: int
`;

/** In Python, what a call gives, what it takes. */
const annotations: readonly [python: string, given: string, taken: string][] = [
  ['int', 'number', 'number | bigint'],
  ['float', 'number', 'number'],
  ['None', 'null', 'null'],
  ['bytes', 'Uint8Array', 'Uint8Array'],
  ['Any', 'unknown', 'unknown'],
  ['Optional[str]', 'string | null', 'string | null'],
  ['str | None', 'string | null', 'string | null'],
  ['t.Union[str, bool]', 'string | boolean', 'string | boolean'],
  ['list[str]', 'string[]', 'readonly string[]'],
  ['List[Optional[str]]', '(string | null)[]', 'readonly (string | null)[]'],
  ['list[list[float]]', 'number[][]', 'readonly (readonly number[])[]'],
  ['Sequence[bool]', 'boolean[]', 'readonly boolean[]'],
  ['tuple[str, float]', '[string, number]', 'readonly [string, number]'],
  ['Tuple[float, ...]', 'number[]', 'readonly number[]'],
  ['tuple[()]', '[]', 'readonly []'],
  ['set[str]', 'Set<string>', 'ReadonlySet<string>'],
  ['dict[str, float]', 'Record<string, number>', 'Readonly<Record<string, number>> | ReadonlyMap<string, number>'],
  ['dict[float, str]', 'Map<number, string>', 'ReadonlyMap<number, string>'],
  ["dict[Literal['a', 'b'], str]", "Partial<Record<'a' | 'b', string>>", "Readonly<Partial<Record<'a' | 'b', string>>>"],
  ["Literal['it\\'s', 1, True, None]", String.raw`'it\'s' | 1 | true | null`, String.raw`'it\'s' | 1 | true | null`],
  ['Literal[-1]', '-1', '-1'],
  ['Iterator[str]', 'AsyncIterable<string>', 'readonly string[]'],
  ['Iterable[str]', 'Iterable<string> | AsyncIterable<string>', 'readonly string[]'],
  ['AsyncIterator[float]', 'AsyncIterable<number>', 'GuestObject'],
  ['Awaitable[str]', 'string', 'string'],
  [
    'Callable[[float, str], bool]',
    '(argument1: number, argument2: string) => Promise<boolean>',
    '(argument1: number, argument2: string) => boolean | Promise<boolean>',
  ],
  ['Callable[..., Any]', '(...args: readonly unknown[]) => Promise<unknown>', '(...args: never[]) => unknown'],
  ['datetime.datetime', 'Date', 'Date'],
  ['datetime.timedelta', 'number', 'GuestObject'],
  ['decimal.Decimal', 'Decimal', 'Decimal'],
  ['uuid.UUID', 'string', 'GuestObject'],
  ['np.ndarray', 'TypedArray | NdArray', 'TypedArray | NdArray'],
  ['np.typing.NDArray[np.float32]', 'Float32Array | NdArray<Float32Array>', 'Float32Array | NdArray<Float32Array>'],
  ['np.float64', 'number', 'number'],
  ["Annotated[str, 'said']", 'string', 'string'],
  ['"Bird"', 'Bird', 'Bird'],
  ['list["Bird"]', 'Bird[]', 'readonly Bird[]'],
  ['Point', 'Point', 'GuestObject'],
  ['Options', 'Options', 'Options'],
  ['Kind', 'Kind', 'Kind'],
  ['Plain', 'Plain', 'GuestObject'],
  ['Id', 'number', 'number | bigint'],
  ['T', 'unknown', 'unknown'],
  ['Tree', 'number | unknown[]', 'number | bigint | readonly unknown[]'],
  ['elsewhere.Thing', 'unknown', 'unknown'],
  ['1 + 2', 'unknown', 'unknown'],
];

describe('an annotation of Python', () => {
  it('is the type of what a call gives, and of what it takes', async () => {
    const text = await typesOf(HEAD + annotations.map(([python], at) => `def f${at}(a: ${python}, /) -> ${python}: ...\n`).join(''));
    const found = annotations.map(([python], at) => {
      const [, taken, given] = new RegExp(`^ {2}f${at}\\(a: (.*)\\): Promise<(.*)>;$`, 'm').exec(text) ?? [];
      return [python, given, taken];
    });
    assert.deepEqual(found, annotations);
  });

  it('leaves what has none unknown', async () => {
    assert.match(await typesOf('def f(a, b=1): return a'), /^ {2}f\(a: unknown, b\?: unknown\): Promise<unknown>;$/m);
  });
});

describe('a function of Python', () => {
  const lines = async (source: string): Promise<string[]> =>
    (await typesOf(source))
      .split('\n')
      .filter((line) => line.startsWith('  '))
      .map((line) => line.trim());

  it('takes arguments by name as the last one', async () => {
    assert.deepEqual(await lines('def f(a: str, b: bool = True, *, c: str, d: str = "x") -> str: ...'), [
      'f(a: string, named: NamedArguments<{ b?: boolean; c: string; d?: string }>): Promise<string>;',
      'f(a: string, b: boolean, named: NamedArguments<{ c: string; d?: string }>): Promise<string>;',
      'f(named: NamedArguments<{ a: string; b?: boolean; c: string; d?: string }>): Promise<string>;',
    ]);
    assert.deepEqual(await lines('def f(a: str, /, *rest: bool, **more) -> str: ...'), [
      'f(a: string, ...rest: readonly (boolean)[]): Promise<string>;',
      'f(a: string, named: NamedArguments<{ [name: string]: unknown }>): Promise<string>;',
    ]);
  });

  it('may have names that are words of JavaScript', async () => {
    assert.deepEqual(await lines('def f(new: str, function: str = "") -> str: ...'), [
      'f(new_: string, function_?: string): Promise<string>;',
      'f(new_: string, named: NamedArguments<{ function?: string }>): Promise<string>;',
      'f(named: NamedArguments<{ new: string; function?: string }>): Promise<string>;',
    ]);
  });

  it('has its overloads, its docstring, and is left out where its name begins with _', async () => {
    const source =
      'from typing import overload\n@overload\ndef f(a: str, /) -> str: ...\n@overload\ndef f(a: bool, /) -> bool: ...\ndef f(a): "Either. */"\ndef _g(): ...';
    assert.deepEqual(await lines(source), ['/** Either. *\\/ */', 'f(a: string): Promise<string>;', 'f(a: boolean): Promise<boolean>;']);
  });

  it('that yields gives what can be gone through', async () => {
    assert.deepEqual(await lines('def f():\n    yield 1\ndef g():\n    def inner():\n        yield 1\n    return inner'), [
      'f(): Promise<AsyncIterable<unknown>>;',
      'g(): Promise<unknown>;',
    ]);
  });
});

describe('a class of Python', () => {
  it('is a type of its objects, and a member that makes them', async () => {
    const text = await typesOf(
      'class Counter:\n    "Counts."\n    def __init__(self, start: float):\n        self.start = start\n        self._own = 1\n    def up(self) -> "Self": ...\n    @property\n    def next(self) -> "Counter": ...\n    @classmethod\n    def of(cls, a: str, /) -> "Counter": ...\n',
    );
    assert.match(
      text,
      /\/\*\* Counts\. \*\/\nexport interface Counter extends GuestHandle \{\n {2}readonly start: PromiseLike<number>;\n {2}up\(\): Promise<Counter>;\n {2}readonly next: Counter & PromiseLike<Counter>;\n\}/,
    );
    assert.match(
      text,
      /readonly Counter: \{\n {4}new \(start: number\): Promise<Counter>;\n {4}new \(named: NamedArguments<\{ start: number \}>\): Promise<Counter>;\n {4}of\(a: string\): Promise<Counter>;\n {2}\};/,
    );
  });

  it('with fields is an object', async () => {
    const text = await typesOf(
      'from dataclasses import dataclass, field\nfrom pydantic import BaseModel, Field\n@dataclass\nclass A:\n    x: float\n    y: list[str] = field(default_factory=list)\nclass B(A):\n    z: str = ""\nclass M(BaseModel):\n    a: str = Field(min_length=1)\n    b: str = Field("x")\n',
    );
    assert.match(text, /export interface A \{\n {2}x: number;\n {2}y: string\[\];\n\}/);
    assert.match(text, /export interface B extends A \{\n {2}z: string;\n\}/);
    assert.match(text, /new \(x: number, y\?: readonly string\[\], z\?: string\): Promise<B>;/);
    assert.match(text, /readonly M: \{\n {4}new \(named: NamedArguments<\{ a: string; b\?: string \}>\): Promise<M>;\n {2}\};/);
  });

  it('that has a name of TypeScript’s gets another', async () => {
    const text = await typesOf('class Map:\n    pass\ndef f() -> Map: ...\ndef g() -> dict[float, str]: ...');
    assert.match(text, /export interface Map_ extends GuestHandle \{\}/);
    assert.match(text, /f\(\): Promise<Map_>;\n {2}g\(\): Promise<Map<number, string>>;/);
  });
});

describe('the arguments of fulmar polyglot', () => {
  it('are what to do and files', () => {
    assert.deepEqual(parsePolyglotArguments(['types', 'a.py', '--out', 'a.d.ts']), {
      files: ['a.py'],
      out: 'a.d.ts',
      classPath: [],
      rbs: [],
    });
    assert.deepEqual(parsePolyglotArguments(['types', 'com.acme.Model', 'a/B.java', '--class-path', 'a.jar:b', '--class-path=lib/*']), {
      files: ['com.acme.Model', 'a/B.java'],
      out: undefined,
      classPath: ['a.jar', 'b', 'lib/*'],
      rbs: [],
    });
    assert.equal(parsePolyglotArguments(['--help']), 'help');
    assert.equal(declarationFile('com.acme.Model'), 'com.acme.Model.d.ts');
    assert.equal(declarationFile('src/model.py'), 'src/model.d.py.ts');
  });

  const wrong: readonly [argv: string[], code: string, told: RegExp][] = [
    [[], 'FULMAR_CLI_MISSING_VALUE', /fulmar polyglot types model\.py/],
    [['type', 'a.py'], 'FULMAR_CLI_INVALID_VALUE', /Did you mean "types"/],
    [['a.py'], 'FULMAR_CLI_INVALID_VALUE', /Did you mean `fulmar polyglot types a\.py`/],
    [['types'], 'FULMAR_CLI_MISSING_FILE', /needs a file/],
    [['types', 'a.py', '--rbs', 'a.rbs'], 'FULMAR_CLI_INVALID_VALUE', /--rbs is for files of Ruby \(\.rb\), and a\.py are named/],
    [['types', 'a.ts'], 'FULMAR_CLI_INVALID_VALUE', /nothing of "a\.ts"\. It reads Python's annotations \(\.py\), Ruby's RBS/],
    [['types', 'lib/a.jar'], 'FULMAR_CLI_INVALID_VALUE', /name a class, .* --class-path 'lib\/a\.jar'/],
    [['types', 'a.py', '--class-path', 'a.jar'], 'FULMAR_CLI_INVALID_VALUE', /--class-path is for Java, and a\.py is none of it/],
    [['types', 'a.py', 'b.py', '-o', 'x'], 'FULMAR_CLI_INVALID_VALUE', /--out is for one file/],
    [['types', '--nothing'], 'FULMAR_CLI_UNKNOWN_OPTION', /--nothing/],
  ];
  for (const [argv, code, told] of wrong)
    it(`refuses ${argv.join(' ') || 'nothing'}`, () =>
      assert.throws(
        () => parsePolyglotArguments(argv),
        (error: Error & { code: string }) => error.code === code && told.test(error.message),
      ));
});
