/**
 * Members of unions that no value reaches: an earlier one takes all that they would. In JSON the first that fits is
 * what a value becomes, so that members which only the later one has would be lost.
 */
import ts from 'typescript';
import type { Shape } from '../../../fulmar/src/shape/shape.ts';
import { Analyzer } from '../analyze/analyzer.ts';
import { covers } from './covers.ts';
import type { Inspected, Report } from './inspect.ts';

interface Member {
  readonly node: ts.TypeNode;
  /** `undefined`: it is no data, and nothing is said of it. */
  readonly shape: Shape | undefined;
}

export function unreachableUnions(inspected: Inspected, report: Report): void {
  const { source } = inspected;
  const visit = (node: ts.Node): void => {
    if (ts.isUnionTypeNode(node)) lookAt(node, inspected, report);
    ts.forEachChild(node, visit);
  };
  visit(source);
}

function lookAt({ types }: ts.UnionTypeNode, { source, program, checker, codecs }: Inspected, report: Report): void {
  let isData = true;
  const analyzer = new Analyzer({ program, checker, codecs, tell: () => void (isData = false) });
  const members = types.map((node): Member => {
    isData = true;
    const shape = analyzer.shapeOf(checker.getTypeFromTypeNode(node), '');
    return { node, shape: isData ? shape : undefined };
  });
  for (const [at, { node, shape }] of members.entries()) {
    if (shape === undefined) continue;
    const before = members.slice(0, at).find((one) => one.shape !== undefined && covers(one.shape, shape, analyzer.definitions));
    if (before === undefined) continue;
    const shown = (one: ts.Node): string => one.getText(source).replaceAll(/\s+/g, ' ');
    report(node, `No value reaches ${shown(node)}: ${shown(before.node)} before it takes all that fits it. Put it first, or leave it out.`);
  }
}
