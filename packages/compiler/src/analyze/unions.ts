/**
 * Unions: literals become one look-up, and `true | false` a boolean again. Which member tells objects apart is
 * found later, in `discriminators.ts`.
 */
import ts from 'typescript';
import type { LiteralValue, Shape } from '../../../fulmar/src/shape/shape.ts';
import type { Analyzer } from './analyzer.ts';

export function unionOf(type: ts.UnionType, path: string, analyzer: Analyzer): Shape {
  const shapes = type.types.map((member) => analyzer.shapeOf(member, memberPath(path, member, analyzer)));
  return joined(shapes);
}

/** Which member is meant: its name where it has one. */
function memberPath(path: string, member: ts.Type, { checker }: Analyzer): string {
  const { aliasSymbol } = member;
  if (aliasSymbol === undefined || (member.flags & ts.TypeFlags.Object) === 0 || checker.isArrayType(member)) return path;
  return `${path}<${aliasSymbol.name}>`;
}

function joined(shapes: readonly Shape[]): Shape {
  const literals: LiteralValue[] = [];
  const members: Shape[] = [];
  let base: Shape | undefined;
  for (const shape of shapes) {
    if (shape.kind === 'literal') literals.push(shape.value);
    else if (shape.kind === 'enum') literals.push(...shape.values);
    else members.push(shape);
    if (shape.default !== undefined) base ??= shape;
  }
  if (literals.includes(true) && literals.includes(false)) {
    for (const value of [true, false]) literals.splice(literals.indexOf(value), 1);
    members.push({ kind: 'boolean' });
  }
  if (literals.length === 1) members.push({ kind: 'literal', value: literals[0] });
  else if (literals.length > 1) members.push({ kind: 'enum', values: literals });
  const fallback = base === undefined ? {} : { default: base.default };
  const [only] = members;
  if (members.length === 1 && only !== undefined) return { ...only, ...fallback };
  return { kind: 'union', members, ...fallback };
}
