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

/** A test for each member, in their order, and whether it is to be asked last; `undefined` where looks are not enough. */
export function looksOf(members: readonly Shape[], module: Module): { readonly test: string; readonly isLast: boolean }[] | undefined {
  const taken = new Set<string>();
  const looks: { test: string; isLast: boolean }[] = [];
  for (const member of members) {
    const groups = groupsOf(member, module, 0);
    if (groups.length === 0 || groups.some((group) => taken.has(group))) return undefined;
    for (const group of groups) taken.add(group);
    looks.push({ test: groups.map((group) => TESTS[group]).join(' || '), isLast: groups.includes('object') });
  }
  return looks;
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
