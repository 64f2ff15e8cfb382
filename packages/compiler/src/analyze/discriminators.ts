/**
 * Which member of a union of objects a value is meant to be: found when all definitions are known, since
 * members may be named types that contain the union itself.
 */
import type { Discriminator, LiteralValue, ObjectShape, Shape } from '../../../fulmar/src/shape/shape.ts';
import { mapParts } from './map-parts.ts';

type Definitions = Readonly<Record<string, Shape>>;

/** The same shape, whose unions say by which member they are told, where there is one. */
export function withDiscriminators(shape: Shape, definitions: Definitions): Shape {
  const mapped = mapParts(shape, (one) => withDiscriminators(one, definitions));
  if (mapped.kind !== 'union') return mapped;
  const discriminator = discriminatorOf(mapped.members, definitions);
  return discriminator === undefined ? mapped : { ...mapped, discriminator };
}

/** A member that every object of the union requires, with values of its own in each. */
function discriminatorOf(members: readonly Shape[], definitions: Definitions): Discriminator | undefined {
  const objects = members.map((member) => resolved(member, definitions)).filter((one) => one.kind === 'object');
  const [first] = objects;
  if (first === undefined || objects.length < 2 || objects.length !== members.length) return undefined;
  for (const { name } of first.properties) {
    const cases = casesOf(name, objects);
    if (cases !== undefined) return { key: name, cases };
  }
  return undefined;
}

function casesOf(name: string, objects: readonly ObjectShape[]): [LiteralValue, number][] | undefined {
  const cases: [LiteralValue, number][] = [];
  for (const [at, { properties }] of objects.entries()) {
    const values = valuesOf(properties.find((property) => property.name === name && property.presence === 'required')?.shape);
    if (values.length === 0) return undefined;
    for (const value of values) cases.push([value, at]);
  }
  return new Set(cases.map(([value]) => value)).size === cases.length ? cases : undefined;
}

function resolved(shape: Shape, definitions: Definitions): Shape {
  const seen = new Set<string>();
  let found = shape;
  while (found.kind === 'reference' && !seen.has(found.name)) {
    seen.add(found.name);
    found = definitions[found.name] ?? found;
  }
  return found;
}

function valuesOf(shape: Shape | undefined): readonly LiteralValue[] {
  if (shape?.kind === 'literal') return [shape.value];
  return shape?.kind === 'enum' ? shape.values : [];
}
