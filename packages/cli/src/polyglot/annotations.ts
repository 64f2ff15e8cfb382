/**
 * Types of Python as types of TypeScript, by what `fulmar/polyglot` makes of values: what a call gives (`out`) and what
 * it takes (`in`) differ. A type that is not known is `unknown`, never a guess. Pure.
 */
import type { Expression } from './python-module.ts';
import { lastOf, type PythonClass, type Scope } from './scope.ts';

export type Way = 'in' | 'out';

/** What the declarations import of `fulmar/polyglot`. */
const IMPORTED = ['Decimal', 'GuestHandle', 'GuestObject', 'NamedArguments', 'NdArray', 'TypedArray'] as const;
export type Imported = (typeof IMPORTED)[number];

/** By name: the same in both directions, or one for each. Without a counterpart that Python would take, a handle is. */
const PLAIN: Readonly<Record<string, string | readonly [given: string, taken: string]>> = {
  int: ['number', 'number | bigint'],
  float: 'number',
  bool: 'boolean',
  str: 'string',
  Text: 'string',
  LiteralString: 'string',
  AnyStr: ['string | Uint8Array', 'string | Uint8Array'],
  bytes: 'Uint8Array',
  bytearray: 'Uint8Array',
  memoryview: ['Uint8Array | TypedArray | NdArray', 'Uint8Array'],
  Buffer: 'Uint8Array',
  None: 'null',
  NoneType: 'null',
  datetime: 'Date',
  date: ['string', 'Date'],
  time: ['string', 'GuestObject'],
  timedelta: ['number', 'GuestObject'],
  UUID: ['string', 'GuestObject'],
  Path: 'string',
  PurePath: 'string',
  PosixPath: 'string',
  PathLike: 'string',
  Decimal: 'Decimal',
  complex: 'GuestObject',
  Fraction: 'GuestObject',
  ndarray: ['TypedArray | NdArray', 'TypedArray | NdArray'],
  ArrayLike: ['TypedArray | NdArray', 'TypedArray | NdArray | readonly unknown[]'],
  DataFrame: ['Record<string, ArrayLike<unknown>>', 'GuestObject'],
  Series: ['ArrayLike<unknown>', 'GuestObject'],
  ModuleType: 'GuestObject',
  NoReturn: 'never',
  Never: 'never',
};

const LISTS = new Set(['list', 'List', 'Sequence', 'MutableSequence', 'Collection']);
const SETS = new Set(['set', 'Set', 'frozenset', 'FrozenSet', 'AbstractSet', 'MutableSet']);
const DICTS = new Set(['dict', 'Dict', 'Mapping', 'MutableMapping', 'OrderedDict', 'defaultdict', 'DefaultDict', 'Counter']);
const ONE_BY_ONE = new Set(['Iterator', 'Generator', 'AsyncIterator', 'AsyncIterable', 'AsyncGenerator']);
/** What stands around a type and says nothing of values. */
const AROUND = new Set(['Annotated', 'ClassVar', 'Final', 'Required', 'NotRequired', 'ReadOnly', 'InitVar', 'Unpack']);
const AWAITED = new Set(['Awaitable', 'Future', 'Task']);
const OTHERS = [
  'Optional',
  'Union',
  'Literal',
  'Callable',
  'tuple',
  'Tuple',
  'Iterable',
  'Coroutine',
  'type',
  'Type',
  'Any',
  'NDArray',
  'Self',
];
const KNOWN = new Set([...Object.keys(PLAIN), ...LISTS, ...SETS, ...DICTS, ...ONE_BY_ONE, ...AROUND, ...AWAITED, ...OTHERS]);

/** numpy's types of elements, by the arrays that JavaScript has of them. */
const ELEMENTS: Readonly<Record<string, string>> = {
  float64: 'Float64Array',
  double: 'Float64Array',
  float32: 'Float32Array',
  int8: 'Int8Array',
  int16: 'Int16Array',
  int32: 'Int32Array',
  int64: 'BigInt64Array',
  uint8: 'Uint8Array',
  uint16: 'Uint16Array',
  uint32: 'Uint32Array',
  uint64: 'BigUint64Array',
};

/** Is that an expression of types, as `Optional[int]`? Plain names may be values. */
export function isType(expression: Expression): boolean {
  if (expression.kind === 'or') return expression.items.every((one) => one.kind === 'name' || isType(one) || isNone(one));
  return expression.kind === 'index' && expression.of.kind === 'name' && KNOWN.has(lastOf(expression.of.name));
}

const isNone = (expression: Expression): boolean => expression.kind === 'constant' && expression.type === 'none';

/** A type in brackets where something is put behind it. */
const grouped = (type: string): string => (/^readonly | \| |=>/.test(type) ? `(${type})` : type);

function union(types: readonly string[]): string {
  const parts = [...new Set(types.map((type) => (type.includes('=>') ? `(${type})` : type)))];
  return parts.includes('unknown') ? 'unknown' : parts.join(' | ');
}

export class Annotations {
  readonly #scope: Scope;
  /** The class that `Self` is. */
  readonly #self: PythonClass | undefined;
  readonly #within: readonly string[];

  constructor(scope: Scope, self?: PythonClass, within: readonly string[] = []) {
    this.#scope = scope;
    this.#self = self;
    this.#within = within;
  }

  /** The same in a class. */
  in(self: PythonClass): Annotations {
    return new Annotations(this.#scope, self);
  }

  /** Is that the name of a class whose objects stay with Python? */
  isObject(type: string): boolean {
    return this.#scope.classes.some(({ name, kind }) => kind === 'object' && name === type);
  }

  typeOf(expression: Expression | null | undefined, way: Way): string {
    if (expression === null || expression === undefined) return 'unknown';
    switch (expression.kind) {
      case 'name':
        return this.#named(expression.name, [], way);
      case 'index':
        return expression.of.kind === 'name' ? this.#named(expression.of.name, expression.items, way) : 'unknown';
      case 'or':
        return union(expression.items.map((one) => this.typeOf(one, way)));
      case 'constant':
        if (expression.type === 'none') return 'null';
        return expression.parsed === undefined ? 'unknown' : this.typeOf(expression.parsed, way);
      default:
        return 'unknown';
    }
  }

  /** Of what a value is, where no type is written. */
  typeOfValue(value: Expression | null): string {
    if (value === null) return 'unknown';
    if (value.kind === 'constant') {
      const types: Readonly<Record<string, string>> = {
        str: 'string',
        int: 'number',
        float: 'number',
        bool: 'boolean',
        bytes: 'Uint8Array',
      };
      return types[value.type] ?? 'unknown';
    }
    if (value.kind === 'list' || value.kind === 'tuple')
      return `${grouped(union([...value.items.map((one) => this.typeOfValue(one)), ...(value.items.length === 0 ? ['unknown'] : [])]))}[]`;
    if (value.kind === 'call' && value.of.kind === 'name') {
      const found = this.#scope.classOf(value.of.name);
      if (found !== undefined) return found.name;
    }
    return 'unknown';
  }

  #named(written: string, items: readonly Expression[], way: Way): string {
    const local = this.#scope.classOf(written);
    if (local !== undefined) return ofClass(local, way);
    const alias = this.#scope.aliasOf(written);
    if (alias !== undefined) {
      if (this.#within.includes(written)) return 'unknown';
      return new Annotations(this.#scope, this.#self, [...this.#within, written]).typeOf(alias, way);
    }
    const full = this.#scope.fullName(written);
    const name = lastOf(full);
    if (name === 'Self' && this.#self !== undefined) return ofClass(this.#self, way);
    if (full.startsWith('numpy.') && name !== 'ndarray' && name !== 'NDArray') return ofNumpy(name);
    const plain = Object.hasOwn(PLAIN, name) && (name !== 'ndarray' || items.length === 0) ? PLAIN[name] : undefined;
    if (plain !== undefined) return typeof plain === 'string' ? plain : plain[way === 'out' ? 0 : 1];
    return this.#generic(name, items, way);
  }

  #generic(name: string, items: readonly Expression[], way: Way): string {
    const item = (at: number): string => this.typeOf(items[at], way);
    const isOut = way === 'out';
    if (AROUND.has(name) || AWAITED.has(name)) return item(0);
    if (LISTS.has(name)) return `${isOut ? '' : 'readonly '}${grouped(item(0))}[]`;
    if (SETS.has(name)) return `${isOut ? '' : 'Readonly'}Set<${item(0)}>`;
    if (DICTS.has(name)) return this.#dict(name, items, way);
    // What is asked for one value after the other; JavaScript gives lists.
    if (ONE_BY_ONE.has(name))
      return isOut ? `AsyncIterable<${item(0)}>` : name.startsWith('Async') ? 'GuestObject' : `readonly ${grouped(item(0))}[]`;
    switch (name) {
      case 'Optional':
        return union([item(0), 'null']);
      case 'Union':
        return union(items.map((one) => this.typeOf(one, way)));
      case 'Literal':
        return union(items.map((one) => this.#literal(one, way)));
      case 'Callable':
        return this.#callable(items, way);
      case 'tuple':
      case 'Tuple':
        return this.#tuple(items, way);
      case 'Iterable':
        return isOut ? `Iterable<${item(0)}> | AsyncIterable<${item(0)}>` : `readonly ${grouped(item(0))}[]`;
      case 'Coroutine':
        return item(2);
      case 'ndarray':
      case 'NDArray':
        return ofArray(items.at(-1));
      case 'type':
      case 'Type':
        return 'GuestObject';
      default:
        return 'unknown';
    }
  }

  #literal(expression: Expression, way: Way): string {
    if (expression.kind === 'name') return this.#named(expression.name.replace(/\.\w+$/, ''), [], way);
    if (expression.kind !== 'constant') return 'unknown';
    const { type, value } = expression;
    if (type === 'none') return 'null';
    if (type === 'str') return quoted(String(value));
    return value === undefined ? 'unknown' : String(value);
  }

  #tuple(items: readonly Expression[], way: Way): string {
    const readonly = way === 'out' ? '' : 'readonly ';
    const [first, second] = items;
    if (first === undefined) return `${readonly}unknown[]`;
    if (first.kind === 'tuple') return `${readonly}[]`;
    if (second?.kind === 'constant' && second.type === 'ellipsis') return `${readonly}${grouped(this.typeOf(first, way))}[]`;
    return `${readonly}[${items.map((one) => this.typeOf(one, way)).join(', ')}]`;
  }

  #dict(name: string, items: readonly Expression[], way: Way): string {
    const key = this.typeOf(items[0], way);
    const value = name === 'Counter' ? 'number' : this.typeOf(items[1], way);
    const record = `Record<string, ${value}>`;
    const isLiteral = /^(?:'[^']*'(?: \| |$))+$/.test(key);
    if (isLiteral) return way === 'out' ? `Partial<Record<${key}, ${value}>>` : `Readonly<Partial<Record<${key}, ${value}>>>`;
    if (way === 'out')
      return key === 'string' ? record : key === 'unknown' ? `${record} | Map<unknown, ${value}>` : `Map<${key}, ${value}>`;
    return key === 'string' || key === 'unknown' ? `Readonly<${record}> | ReadonlyMap<${key}, ${value}>` : `ReadonlyMap<${key}, ${value}>`;
  }

  /** Python's function gives a promise, JavaScript's may; what one takes the other gives. */
  #callable([parameters, result]: readonly Expression[], way: Way): string {
    const other: Way = way === 'out' ? 'in' : 'out';
    const types =
      parameters?.kind === 'list' ? parameters.items.map((one, at) => `argument${at + 1}: ${this.typeOf(one, other)}`) : undefined;
    const list = types?.join(', ') ?? (way === 'out' ? '...args: readonly unknown[]' : '...args: never[]');
    const given = this.typeOf(result, way);
    return way === 'out'
      ? `(${list}) => Promise<${given}>`
      : `(${list}) => ${given === 'unknown' ? given : `${grouped(given)} | Promise<${given}>`}`;
  }
}

/** Of objects that JavaScript gets as values Python wants its own: handles. A dict is one, and so is the text of a `StrEnum`. */
function ofClass({ kind, name, declaration }: PythonClass, way: Way): string {
  if (way === 'out' || kind === 'object' || kind === 'dict') return name;
  if (kind === 'data') return 'GuestObject';
  const isValue = declaration.bases.some((base) => base.kind === 'name' && /^(?:str|int|StrEnum|IntEnum|IntFlag)$/.test(lastOf(base.name)));
  return isValue ? name : 'GuestObject';
}

function ofNumpy(name: string): string {
  if (name === 'bool_' || name === 'bool') return 'boolean';
  if (name === 'str_') return 'string';
  return /^(?:u?int|float)(?:\d+|_|c|p)?$|^(?:integer|floating|number|double)$/.test(name) ? 'number' : 'unknown';
}

/** `NDArray[np.float64]`, or what `ndarray[Any, np.dtype[np.float64]]` has last. */
function ofArray(element: Expression | undefined): string {
  const inner = element?.kind === 'index' ? element.items[0] : element;
  const found = inner?.kind === 'name' ? ELEMENTS[lastOf(inner.name)] : undefined;
  return found === undefined ? 'TypedArray | NdArray' : `${found} | NdArray<${found}>`;
}

export const quoted = (text: string): string => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** Which of `fulmar/polyglot` a text uses. */
export const importedBy = (text: string): Imported[] => IMPORTED.filter((name) => new RegExp(`(?<![\\w.'"])${name}\\b(?!['"])`).test(text));
