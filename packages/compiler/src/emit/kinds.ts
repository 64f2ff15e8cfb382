/**
 * Members of a union that a look at the value tells apart: of these none has to be checked to know which is meant,
 * where each check of a type that contains itself would go through all that is within.
 */
import type { LiteralValue, Shape } from '../../../fulmar/src/shape/shape.ts';
import type { Module } from './module.ts';

/** Tests of `v` by group; an object is what is left of those that are one. */
const TESTS: Readonly<Record<string, string>> = {
  null: 'v === null',
  undefined: 'v === undefined',
  boolean: 'typeof v === "boolean"',
  number: 'typeof v === "number"',
  string: 'typeof v === "string"',
  bigint: 'typeof v === "bigint"',
  array: 'Array.isArray(v)',
  date: 'v instanceof Date',
  map: 'v instanceof Map',
  set: 'v instanceof Set',
  bytes: '(ArrayBuffer.isView(v) || v instanceof ArrayBuffer)',
  object: 'typeof v === "object" && v !== null',
};
const CHAIN_MAX = 20;

interface Choice {
  readonly test: string;
  /** The member's place. */
  readonly at: number;
}

/** A test of `v` for each member, in the order in which they are asked: looks where they are enough, else its `check`. */
export function choicesOf(members: readonly Shape[], module: Module, check: (member: Shape) => string): readonly Choice[] {
  const groups = members.map((member) => groupsOf(member, module, 0));
  const all = groups.flat();
  if (groups.some(({ length }) => length === 0) || new Set(all).size < all.length)
    return members.map((member, at) => ({ test: check(member), at }));
  const looks = groups.map((own, at) => ({ test: own.map((group) => TESTS[group]).join(' || '), at }));
  // An object is asked for behind whatever else is one.
  return looks.toSorted((one, other) => Number(groups[one.at]?.includes('object')) - Number(groups[other.at]?.includes('object')));
}

/** Groups that values of the shape belong to; none where that cannot be told. */
function groupsOf(shape: Shape, module: Module, depth: number): readonly string[] {
  switch (shape.kind) {
    case 'literal':
      return [groupOf(shape.value)];
    case 'enum':
      return [...new Set(shape.values.map(groupOf))];
    case 'template':
      return ['string'];
    case 'tuple':
      return ['array'];
    case 'bytes':
      return shape.type === 'SharedArrayBuffer' ? [] : ['bytes'];
    case 'reference':
      return depth > CHAIN_MAX ? [] : groupsOf(module.definitions[shape.name] ?? { kind: 'never' }, module, depth + 1);
    case 'union': {
      const inner = shape.members.map((member) => groupsOf(member, module, depth + 1));
      return depth > CHAIN_MAX || inner.some(({ length }) => length === 0) ? [] : [...new Set(inner.flat())];
    }
    default:
      return shape.kind in TESTS ? [shape.kind] : [];
  }
}

const groupOf = (value: LiteralValue): string => (value === null ? 'null' : typeof value);
