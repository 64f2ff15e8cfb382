/**
 * Intersections. Objects are one object, as the checker sees it; a tag is a rule of what it stands beside;
 * the objects by which applications brand their texts and numbers are phantoms and vanish.
 */
import ts from 'typescript';
import type { Shape } from '../../../fulmar/src/shape/shape.ts';
import type { Analyzer } from './analyzer.ts';
import { objectOf, whyNoData } from './objects.ts';
import { withRule } from './rules.ts';
import { isTag, tagsOf } from './tags.ts';

export function intersectionOf(type: ts.IntersectionType, path: string, analyzer: Analyzer): Shape {
  const { checker } = analyzer;
  const tags = type.types.filter((member) => isTag(member, checker));
  const members = type.types.filter((member) => !tags.includes(member));
  let shape = bodyOf(type, members, path, analyzer);
  for (const { name, value } of tags.flatMap((tag) => tagsOf(tag, checker))) {
    const target = shape.kind === 'reference' ? (analyzer.definitions[shape.name] ?? shape) : shape;
    const ruled = withRule(target, name, value);
    if ('wrong' in ruled) analyzer.tell(path, ruled.wrong);
    else shape = ruled.shape;
  }
  return shape;
}

const PRIMITIVE = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BigIntLike | ts.TypeFlags.BooleanLike;

function bodyOf(whole: ts.IntersectionType, members: readonly ts.Type[], path: string, analyzer: Analyzer): Shape {
  const [only] = members;
  if (members.length === 1 && only !== undefined) return analyzer.shapeOf(only, path);
  const primitives = members.filter((member) => (member.flags & PRIMITIVE) !== 0);
  const [first] = primitives;
  if (primitives.length === 1 && first !== undefined) return analyzer.shapeOf(first, path);
  if (primitives.length > 1) return { kind: 'intersection', members: primitives.map((member) => analyzer.shapeOf(member, path)) };
  const isPlainObject = members.every((member) => isObject(member, analyzer));
  if (!isPlainObject) return { kind: 'intersection', members: members.map((member) => analyzer.shapeOf(member, path)) };
  const problem = members.map((member) => whyNoData(member, analyzer)).find((one) => one !== undefined);
  if (problem !== undefined) return analyzer.tell(path, problem);
  const shape = objectOf(whole, path, analyzer) as Shape & { kind: 'object' };
  return members.length === whole.types.length
    ? shape
    : { ...shape, properties: shape.properties.filter(({ name }) => name !== '~fulmar') };
}

function isObject(type: ts.Type, { checker }: Analyzer): boolean {
  if (type.isIntersection()) return false;
  return (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.NonPrimitive)) !== 0 && !checker.isArrayType(type) && !checker.isTupleType(type);
}
