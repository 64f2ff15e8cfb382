/**
 * How values of a shape lie in bytes, as far as writer and reader have to agree: orders, what takes no byte, and
 * the fingerprint by which one of them notices that the other was made of another type. The order of members of
 * unions is not TypeScript's, which depends on what else a program contains.
 */
import { createHash } from 'node:crypto';
import {
  type EnumShape,
  type IndexRule,
  type LiteralValue,
  type ObjectShape,
  partsOf,
  type Property,
  type Shape,
  type TupleShape,
  type UnionShape,
} from '../../../fulmar/src/shape/shape.ts';
import { literal } from './literals.ts';
import type { Module } from './module.ts';

/** Types within named types that the fingerprint looks into; a type that contains itself has no end. */
const LEVELS_MAX = 32;
const HASH_CHARS = 16;

/** What a reader sees to; whatever else a shape says is checked behind it. */
const READ: Readonly<Partial<Record<Shape['kind'], readonly string[]>>> = {
  literal: ['value'],
  enum: ['values'],
  number: ['integer'],
  array: ['items'],
  tuple: ['items', 'rest', 'last'],
  object: ['properties', 'index', 'unknown'],
  map: ['key', 'value'],
  set: ['items'],
  bytes: ['type'],
  union: ['members', 'discriminator'],
  reference: ['name'],
  codec: ['name', 'wire'],
};
const BY_ALL = ['kind', 'notes', 'default'];

const LETTERS: Readonly<Partial<Record<Shape['kind'], string>>> = {
  any: '*',
  never: '!',
  undefined: 'u',
  null: 'n',
  boolean: 'b',
  number: 'd',
  string: 's',
  template: 's',
  bigint: 'g',
  date: 't',
  url: 'l',
  regexp: 'r',
};

const byText =
  <T>(textOf: (one: T) => string) =>
  (a: T, b: T): number => {
    const [one, other] = [textOf(a), textOf(b)];
    return one < other ? -1 : one > other ? 1 : 0;
  };

export class Layout {
  readonly #module: Module;
  /** Of definitions, by name and levels that are left. */
  readonly #texts = new Map<string, string>();

  constructor(module: Module) {
    this.#module = module;
  }

  /** Changes with whatever changes the bytes; not with formats, ranges and names of types. */
  fingerprint(shape: Shape): number {
    return Number.parseInt(hash(this.#text(shape, LEVELS_MAX)).slice(0, 8), 16);
  }

  /** Members with their place in the shape, in the order of their numbers. */
  members({ members }: UnionShape): readonly (readonly [member: Shape, at: number])[] {
    return members
      .map((member, at) => [member, at, this.#text(member, LEVELS_MAX)] as const)
      .sort(byText(([, , text]) => text))
      .map(([member, at]) => [member, at]);
  }

  values({ values }: EnumShape): readonly LiteralValue[] {
    return values.toSorted(byText((value) => `${typeof value} ${String(value)}`));
  }

  properties({ properties }: ObjectShape): readonly Property[] {
    return properties.toSorted(byText(({ name }) => name));
  }

  index({ index = [] }: ObjectShape): readonly IndexRule[] {
    return index.toSorted(byText(({ key, value }) => `${keyText(key)} ${this.#text(value, LEVELS_MAX)}`));
  }

  /** Takes no byte: what is read of it is known. */
  isEmpty(shape: Shape, open: ReadonlySet<string> = new Set()): boolean {
    switch (shape.kind) {
      case 'never':
      case 'undefined':
      case 'null':
      case 'literal':
        return true;
      case 'tuple':
        return !isOpen(shape) && shape.items.every((item) => this.isEmpty(item.shape, open));
      case 'object':
        return !hasOthers(shape) && shape.properties.every((property) => !mayMiss(property) && this.isEmpty(property.shape, open));
      case 'intersection':
        return this.isEmpty(shape.members[0] ?? { kind: 'any' }, open);
      case 'codec':
        return this.isEmpty(shape.wire, open);
      case 'reference':
        return open.has(shape.name) || this.isEmpty(this.#definition(shape.name), new Set([...open, shape.name]));
      default:
        return false;
    }
  }

  /** Does the shape say more than what a reader sees to? */
  isChecked(shape: Shape): boolean {
    const seen = new Set<string>();
    const waiting: Shape[] = [shape];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (saysMore(next)) return true;
      waiting.push(...partsOf(next));
      if (next.kind !== 'reference' || seen.has(next.name)) continue;
      seen.add(next.name);
      waiting.push(this.#definition(next.name));
    }
    return false;
  }

  #definition(name: string): Shape {
    return this.#module.definitions[name] ?? { kind: 'never' };
  }

  #text(shape: Shape, left: number): string {
    const letter = LETTERS[shape.kind];
    if (letter !== undefined) return letter;
    const inner = (one: Shape): string => this.#text(one, left);
    switch (shape.kind) {
      case 'literal':
        return `=${literal(shape.value)}`;
      case 'enum':
        return hash(`= ${this.values(shape).map(literal).join()}`);
      case 'bytes':
        return `y${shape.type === 'Buffer' ? 'Uint8Array' : shape.type}`;
      case 'array':
      case 'set':
        return hash(`${shape.kind} ${inner(shape.items)}`);
      case 'map':
        return hash(`map ${inner(shape.key)} ${inner(shape.value)}`);
      case 'union':
        return hash(`| ${shape.members.map(inner).sort().join()}`);
      case 'tuple':
        return hash(tupleText(shape, inner));
      case 'object':
        return hash(this.#objectText(shape, inner));
      case 'intersection':
        return inner(shape.members[0] ?? { kind: 'any' });
      case 'codec':
        return hash(`codec ${shape.name} ${inner(shape.wire)}`);
      case 'reference':
        return this.#referenceText(shape.name, left);
      default:
        throw new TypeError(`a shape of the kind ${shape.kind} does not come from a type`);
    }
  }

  #referenceText(name: string, left: number): string {
    if (left === 0) return '@';
    const key = `${left} ${name}`;
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const text = this.#text(this.#definition(name), left - 1);
    this.#texts.set(key, text);
    return text;
  }

  #objectText(shape: ObjectShape, inner: (shape: Shape) => string): string {
    const own = this.properties(shape).map((one) => `${literal(one.name)}${mayMiss(one) ? '?' : ''}:${inner(one.shape)}`);
    const index = (shape.index ?? []).map(({ key, value }) => `[${keyText(key)}]:${inner(value)}`).sort();
    return `{ ${[...own, ...index, ...(shape.unknown === 'keep' ? ['*'] : [])].join()} }`;
  }
}

/** Members that may not be there have a bit before all members. */
export const mayMiss = ({ presence, shape }: Property): boolean => presence !== 'required' || shape.default !== undefined;
/** Members without a place of their own: names stand beside the values. */
export const hasOthers = ({ index = [], unknown }: ObjectShape): boolean => index.length > 0 || unknown === 'keep';
/** Tuples of more than one length. */
export const isOpen = ({ items, rest }: TupleShape): boolean => rest !== undefined || items.some((item) => item.optional === true);

function saysMore(shape: Shape): boolean {
  if (shape.kind === 'template' || shape.kind === 'intersection') return true;
  if (shape.kind === 'object' && (shape.index?.length ?? 0) + (shape.properties.length > 0 ? 1 : 0) > 1) return true;
  const read = READ[shape.kind] ?? [];
  return Object.entries(shape).some(([key, value]) => value !== undefined && !BY_ALL.includes(key) && !read.includes(key));
}

function tupleText({ items, rest, last = [] }: TupleShape, inner: (shape: Shape) => string): string {
  const texts = items.map((item) => `${inner(item.shape)}${item.optional === true ? '?' : ''}`);
  return `( ${[...texts, ...(rest === undefined ? [] : [`...${inner(rest)}`]), ...last.map((item) => inner(item.shape))].join()} )`;
}

const keyText = (key: Shape): string => literal({ ...key, notes: undefined });

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, HASH_CHARS);
