/**
 * Does one shape take every value that another takes? Says yes only where that is certain: rules of texts and
 * numbers are compared as they are written, and what is not known here is equal to itself alone.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ObjectShape, Property, Shape } from '../../../fulmar/src/shape/shape.ts';

type Definitions = Readonly<Record<string, Shape>>;

/** Shapes within shapes; deeper, nothing is certain. */
const DEPTH_MAX = 16;

/** What is said of a shape for people, and changes no value that it takes. */
const NOTES: ReadonlySet<string> = new Set(['kind', 'id', 'title', 'description', 'examples', 'deprecated']);

export function covers(outer: Shape, inner: Shape, definitions: Definitions, depth = 0): boolean {
  if (depth > DEPTH_MAX) return false;
  const within = (one: Shape, other: Shape): boolean => covers(one, other, definitions, depth + 1);
  if (inner.kind === 'reference' || outer.kind === 'reference') {
    if (inner.kind === 'reference' && outer.kind === 'reference' && inner.name === outer.name) return true;
    return within(resolved(outer, definitions), resolved(inner, definitions));
  }
  if (outer.kind === 'any') return true;
  if (inner.kind === 'union') return inner.members.every((member) => within(outer, member));
  if (inner.kind === 'enum') return inner.values.every((value) => within(outer, { kind: 'literal', value }));
  if (outer.kind === 'union') return outer.members.some((member) => within(member, inner));
  if (inner.kind === 'literal') return takesLiteral(outer, inner.value);
  if (outer.kind === 'string' && inner.kind === 'template') return isPlain(outer);
  if (outer.kind === 'array' && inner.kind === 'array')
    return (isPlain(outer, 'items') || sameRules(outer, inner, 'items')) && within(outer.items, inner.items);
  if (outer.kind === 'object' && inner.kind === 'object') return coversObject(outer, inner, within);
  if (outer.kind !== inner.kind) return false;
  return isScalar(outer) && isPlain(outer) ? true : sameRules(outer, inner);
}

const resolved = (shape: Shape, definitions: Definitions): Shape =>
  shape.kind === 'reference' ? (definitions[shape.name] ?? { kind: 'never' }) : shape;

const isScalar = ({ kind }: Shape): boolean => kind === 'string' || kind === 'number' || kind === 'bigint' || kind === 'date';

function takesLiteral(outer: Shape, value: unknown): boolean {
  if (outer.kind === 'literal') return outer.value === value;
  if (outer.kind === 'enum') return (outer.values as readonly unknown[]).includes(value);
  if (value === null || value === undefined) return outer.kind === String(value);
  return outer.kind === typeof value && isPlain(outer);
}

/** It has no rules but those of `apart`. */
const isPlain = (shape: Shape, ...apart: string[]): boolean =>
  Object.entries(shape).every(([name, value]) => value === undefined || NOTES.has(name) || apart.includes(name));

function sameRules(outer: Shape, inner: Shape, ...apart: string[]): boolean {
  const rules = (shape: Shape): object =>
    Object.fromEntries(
      Object.entries(shape).filter(
        ([name, value]) => value !== undefined && !apart.includes(name) && (name === 'kind' || !NOTES.has(name)),
      ),
    );
  return isDeepStrictEqual(rules(outer), rules(inner));
}

/**
 * Every member that the outer one looks at is one that the inner one is sure of. One that the inner one does not know
 * may be anything, also where the outer one does without.
 */
function coversObject(outer: ObjectShape, inner: ObjectShape, within: (one: Shape, other: Shape) => boolean): boolean {
  if (!isPlain(outer, 'properties', 'unknown') || outer.unknown === 'reject' || typeof outer.unknown === 'object') return false;
  const known = new Map(inner.properties.map((property) => [property.name, property]));
  return outer.properties.every((property) => {
    const other = known.get(property.name);
    return other !== undefined && isAsPresent(property, other) && within(property.shape, other.shape);
  });
}

/** `exact` takes no `undefined`, which `optional` does. */
const isAsPresent = ({ presence }: Property, other: Property): boolean =>
  presence === 'optional' || other.presence === 'required' || presence === other.presence;
