/** Tuples: items by place, optional ones, and the one that may repeat with what stands behind it. */
import ts from 'typescript';
import type { Shape, TupleItem } from '../../../fulmar/src/shape/shape.ts';
import type { Analyzer } from './analyzer.ts';

export function tupleOf(type: ts.TupleTypeReference, path: string, analyzer: Analyzer): Shape {
  const { elementFlags, labeledElementDeclarations: labels } = type.target;
  const items: TupleItem[] = [];
  const last: TupleItem[] = [];
  let rest: Shape | undefined;
  for (const [at, argument] of analyzer.checker.getTypeArguments(type).entries()) {
    const flags = elementFlags[at] ?? ts.ElementFlags.Required;
    const shape = analyzer.shapeOf(argument, `${path}[${at}]`);
    if ((flags & ts.ElementFlags.Variable) !== 0) {
      rest = shape;
      continue;
    }
    const label = labels?.[at]?.name;
    const item: TupleItem = {
      shape,
      ...((flags & ts.ElementFlags.Optional) !== 0 && { optional: true }),
      ...(label !== undefined && ts.isIdentifier(label) && { name: label.text }),
    };
    (rest === undefined ? items : last).push(item);
  }
  return { kind: 'tuple', items, ...(rest !== undefined && { rest }), ...(last.length > 0 && { last }) };
}
