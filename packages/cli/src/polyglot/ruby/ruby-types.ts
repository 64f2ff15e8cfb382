/**
 * Types of RBS as types of TypeScript, by what `fulmar/polyglot` makes of values: what a call gives (`out`) and what it takes (`in`)
 * differ: a symbol comes as a text, and is not made of one. What is not known is `unknown`. Pure.
 */
import { quoted, type Way } from '../annotations.ts';
import { propertyName } from '../lines.ts';
import type { RubyFunction, RubyType } from './types.ts';
import { parameterLists } from './ruby-lists.ts';
import type { RubyClass, RubyNames } from './ruby-names.ts';

/** By name: the same in both directions, or one for each. */
const PLAIN: Readonly<Record<string, string | readonly [given: string, taken: string]>> = {
  Integer: ['number', 'number | bigint'],
  int: ['number', 'number | bigint'],
  Float: 'number',
  float: 'number',
  Numeric: 'number | bigint | Decimal',
  Rational: ['number', 'GuestHandle'],
  BigDecimal: 'Decimal',
  String: ['string', 'string | Uint8Array'],
  string: ['string', 'string | Uint8Array'],
  Symbol: ['string', 'GuestHandle'],
  bool: 'boolean',
  TrueClass: 'true',
  FalseClass: 'false',
  nil: 'null',
  NilClass: 'null',
  bot: 'never',
  Time: 'Date',
  DateTime: 'Date',
  Date: ['string', 'GuestHandle'],
  Pathname: ['string', 'GuestHandle'],
  path: ['string', 'string'],
  OpenStruct: ['Record<string, unknown>', 'GuestHandle'],
  'URI::Generic': ['string', 'GuestHandle'],
  'URI::HTTP': ['string', 'GuestHandle'],
  Proc: ['((...args: readonly unknown[]) => Promise<unknown>) & GuestHandle', '((...args: never[]) => unknown) | GuestHandle'],
  Method: ['((...args: readonly unknown[]) => Promise<unknown>) & GuestHandle', 'GuestHandle'],
  class: ['GuestObject', 'GuestHandle'],
  Class: ['GuestObject', 'GuestHandle'],
  Module: ['GuestObject', 'GuestHandle'],
  IO: ['GuestObject', 'GuestHandle'],
  File: ['GuestObject', 'GuestHandle'],
  Regexp: ['GuestObject', 'GuestHandle'],
  Exception: ['GuestObject', 'GuestHandle'],
  Thread: ['GuestObject', 'GuestHandle'],
};

/** What is gone through with `for await`. */
const ONE_BY_ONE = new Set(['Range', 'range', 'Enumerator', 'Enumerator::Lazy', 'Enumerable', '_Each']);

/** A type in brackets where something is put behind it. */
const grouped = (type: string): string => (/^readonly |[|&]|=>/.test(type) ? `(${type})` : type);

function union(types: readonly string[]): string {
  const parts = [...new Set(types.map((type) => (type.includes('=>') && !type.startsWith('(') ? `(${type})` : type)))];
  return parts.includes('unknown') ? 'unknown' : parts.join(' | ');
}

const optional = (type: string): string => (/(?:^| \| )null$/.test(type) ? type : union([type, 'null']));

export class RubyTypes {
  readonly #names: RubyNames;
  /** The class that `self` is, and in which names are looked for. */
  readonly #self: RubyClass | undefined;
  readonly #within: string;
  /** Aliases that are being read. */
  readonly #open: readonly RubyType[];

  constructor(names: RubyNames, self?: RubyClass, within = self?.name ?? '', open: readonly RubyType[] = []) {
    this.#names = names;
    this.#self = self;
    this.#within = within;
    this.#open = open;
  }

  /** The same in a class. */
  in(self: RubyClass): RubyTypes {
    return new RubyTypes(this.#names, self);
  }

  /** The class whose objects a type has, where these stay with Ruby. */
  objectOf(type: RubyType): RubyClass | undefined {
    if (type.kind !== 'name') return undefined;
    const found = ['self', 'instance'].includes(type.name) ? this.#self : this.#names.classOf(type.name, this.#within);
    return found?.isData === true ? undefined : found;
  }

  typeOf(type: RubyType, way: Way): string {
    switch (type.kind) {
      case 'name':
        return this.#named(type.name, type.items, way);
      case 'literal':
        if (type.of === 'other') return type.value;
        return type.of === 'symbol' && way === 'in' ? 'GuestHandle' : quoted(type.value);
      case 'optional':
        return optional(type.items.map((one) => this.typeOf(one, way)).join());
      case 'union':
        return union(type.items.map((one) => this.typeOf(one, way)));
      case 'intersection':
        return type.items.map((one) => grouped(this.typeOf(one, way))).join(' & ');
      case 'tuple':
        return `${way === 'out' ? '' : 'readonly '}[${type.items.map((one) => this.typeOf(one, way)).join(', ')}]`;
      case 'record':
        return this.#record(type, way);
      case 'function':
        return this.functionOf(type.function, way);
      default:
        return way === 'out' ? 'GuestObject' : 'GuestHandle';
    }
  }

  /** What JavaScript gives may be a promise, what it gets always is one; what one takes the other gives. */
  functionOf(one: RubyFunction, way: Way): string {
    const lists = parameterLists(one, this, way === 'out' ? 'in' : 'out');
    const given = this.typeOf(one.returns, way);
    if (way === 'out') return `((${lists[0] ?? ''}) => Promise<${given}>) & GuestHandle`;
    return `((${lists[0] ?? ''}) => ${given === 'unknown' ? given : `${given} | Promise<${given}>`}) | GuestHandle`;
  }

  #named(name: string, items: readonly RubyType[], way: Way): string {
    if (name === 'self' || name === 'instance') return this.#self === undefined ? 'unknown' : ofClass(this.#self, way);
    const alias = this.#names.aliasOf(name, this.#within);
    if (alias !== undefined) {
      if (this.#open.includes(alias.type)) return 'unknown';
      return new RubyTypes(this.#names, this.#self, alias.within, [...this.#open, alias.type]).typeOf(alias.type, way);
    }
    const own = this.#names.classOf(name, this.#within);
    if (own !== undefined) return ofClass(own, way);
    const plain = Object.hasOwn(PLAIN, name) ? PLAIN[name] : undefined;
    if (plain !== undefined) return typeof plain === 'string' ? plain : plain[way === 'out' ? 0 : 1];
    return this.#generic(name, items, way);
  }

  #generic(name: string, items: readonly RubyType[], way: Way): string {
    const item = items[0] === undefined ? 'unknown' : this.typeOf(items[0], way);
    if (name === 'Array' || name === 'array') return `${way === 'out' ? '' : 'readonly '}${grouped(item)}[]`;
    if (name === 'Set') return `${way === 'out' ? '' : 'Readonly'}Set<${item}>`;
    if (name === 'Hash' || name === 'hash') return this.#hash(items, way);
    if (ONE_BY_ONE.has(name)) {
      if (way === 'out') return `AsyncIterable<${item}> & GuestObject`;
      return name === 'Enumerable' || name === '_Each' ? `readonly ${grouped(item)}[] | GuestHandle` : 'GuestHandle';
    }
    return 'unknown';
  }

  /** A hash without entries is an object: of its keys nothing is known while it runs. */
  #hash([keys, values]: readonly RubyType[], way: Way): string {
    const key = keys === undefined ? 'unknown' : this.typeOf(keys, way);
    const value = values === undefined ? 'unknown' : this.typeOf(values, way);
    if (way === 'in') {
      const isText = keys?.kind === 'name' && ['String', 'string'].includes(keys.name);
      if (isText || key === 'unknown')
        return `Readonly<Record<string, ${value}>> | ReadonlyMap<${isText ? 'string' : 'unknown'}, ${value}>`;
      return `ReadonlyMap<${key}, ${value}>`;
    }
    if (key === 'string') return `Record<string, ${value}>`;
    if (/^(?:'(?:[^'\\]|\\.)*'(?: \| |$))+$/.test(key)) return `Partial<Record<${key}, ${value}>>`;
    return key === 'unknown' ? `Record<string, ${value}> | Map<unknown, ${value}>` : `Map<${key}, ${value}> | Record<string, never>`;
  }

  /** What JavaScript gives has texts as keys, which are not those of a record of symbols. */
  #record({ members }: Extract<RubyType, { kind: 'record' }>, way: Way): string {
    if (way === 'in' && members.some(({ isText }) => !isText)) return 'GuestHandle';
    const lines = members.map(({ name, isOptional, type }) => `${propertyName(name)}${isOptional ? '?' : ''}: ${this.typeOf(type, way)}`);
    return lines.length === 0 ? 'Record<string, never>' : `{ ${lines.join('; ')} }`;
  }
}

/** Of objects that JavaScript gets as values Ruby wants its own. */
const ofClass = ({ isData, typeName }: RubyClass, way: Way): string => (isData && way === 'in' ? 'GuestHandle' : typeName);
