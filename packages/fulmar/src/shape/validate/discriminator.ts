/**
 * Which member of its objects tells what a union's value is: found where nobody has said it.
 */
import type { Discriminator, LiteralValue, ObjectShape, Shape, UnionShape } from '../shape.ts';

type Definitions = Readonly<Record<string, Shape>>;

/** Steps through references, which may go in a circle. */
const STEPS_MAX = 16;

/** A required member that has other values in each of the union's objects, of which there are two at least. */
export function discriminatorOf(union: UnionShape, definitions: Definitions): Discriminator | undefined {
  if (union.discriminator !== undefined) return union.discriminator;
  const objects: (readonly [ObjectShape, number])[] = [];
  for (const [at, member] of union.members.entries()) {
    const shape = followed(member, definitions);
    if (shape.kind === 'object') objects.push([shape, at]);
    // What might be an object, too, cannot be told by a member.
    else if (['any', 'union', 'intersection', 'not', 'condition', 'reference', 'equal', 'codec', 'date'].includes(shape.kind))
      return undefined;
  }
  const [first] = objects;
  if (first === undefined || objects.length < 2) return undefined;
  for (const { name } of first[0].properties) {
    const cases = casesOf(name, objects);
    if (cases !== undefined) return { key: name, cases };
  }
  return undefined;
}

function casesOf(key: string, objects: readonly (readonly [ObjectShape, number])[]): Discriminator['cases'] | undefined {
  const cases: (readonly [LiteralValue, number])[] = [];
  for (const [{ properties }, at] of objects) {
    const property = properties.find(({ name, presence }) => name === key && presence === 'required');
    const { shape } = property ?? {};
    if (shape?.kind === 'literal') cases.push([shape.value, at]);
    else if (shape?.kind === 'enum') for (const value of shape.values) cases.push([value, at]);
    else return undefined;
  }
  return new Set(cases.map(([value]) => value)).size === cases.length ? cases : undefined;
}

function followed(shape: Shape, definitions: Definitions): Shape {
  let found = shape;
  for (let steps = 0; found.kind === 'reference' && steps < STEPS_MAX; steps += 1) found = definitions[found.name] ?? found;
  return found;
}
