/**
 * What comes from clients and is checked by nothing: parameters of procedures that are `any`, `unknown` or no data,
 * schemas of such types, content that a route reads as JSON without a schema.
 */
import ts from 'typescript';
import { partsOf, type Shape } from '../../../fulmar/src/shape/shape.ts';
import { Analyzer } from '../analyze/analyzer.ts';
import { partOf } from '../analyze/parts.ts';
import { typeAt, usesOf } from '../program/calls.ts';
import { type ProcedureUse, rpcUsesOf } from '../program/procedures.ts';
import type { Inspected, Report } from './inspect.ts';

const OPEN = 'has any or unknown in it, of which nothing is checked. Name its type.';

/** Uses by which what comes from outside is let in. */
const OF_CLIENTS: ReadonlySet<string> = new Set(['schema', 'parse', 'assert']);

export function typedRoutes(inspected: Inspected, report: Report): void {
  const { source, checker } = inspected;
  for (const { node, procedures } of rpcUsesOf(source, checker)) for (const one of procedures) lookAt(one, node, inspected, report);
  for (const { name, node, type } of usesOf(source, checker)) {
    if (type === undefined || !OF_CLIENTS.has(name)) continue;
    const analyzer = new Analyzer({ ...inspected, tell: () => undefined });
    const shape = analyzer.shapeOf(checker.getTypeFromTypeNode(type), '');
    if (takesAll(shape, analyzer.definitions)) report(node.parent, `${name}<${type.getText(source)}>() ${OPEN}`);
  }
  contentOf(inspected, report);
}

interface Parameter {
  readonly name: string;
  readonly type: ts.Type;
  readonly declared: ts.Node | undefined;
}

/** What `query()` and `mutation()` make takes a list, whose items are labelled by the parameters of the function. */
function parametersOf({ params }: ProcedureUse, call: ts.Node, checker: ts.TypeChecker): Parameter[] {
  return params.flatMap(({ name, valueDeclaration: declared }, at): Parameter[] => {
    const type = checker.getTypeOfSymbolAtLocation(params[at] as ts.Symbol, call);
    if (!checker.isTupleType(type)) return [{ name, type, declared }];
    const { labeledElementDeclarations: labels } = (type as ts.TupleTypeReference).target;
    return checker.getTypeArguments(type as ts.TupleTypeReference).map((item, place): Parameter => {
      const label = labels?.[place];
      return { name: label === undefined ? `${name}[${place}]` : label.name.getText(), type: item, declared: label };
    });
  });
}

function lookAt(procedure: ProcedureUse, call: ts.CallExpression, inspected: Inspected, report: Report): void {
  for (const { name, type, declared } of parametersOf(procedure, call, inspected.checker)) {
    const at = declared !== undefined && declared.getSourceFile() === inspected.source ? declared : call.expression;
    const said = `The parameter ${name} of ${procedure.name}`;
    let problem: string | undefined;
    const analyzer = new Analyzer({ ...inspected, tell: (path, message) => void (problem ??= `${path} ${message}`) });
    const part = partOf(type, { at: 0, path: name, isOptional: false, isRest: false }, analyzer);
    // Of a file nothing is left open; of a stream its items may be.
    const shape = part === undefined ? analyzer.shapeOf(type, name) : part.items;
    if (problem !== undefined) report(at, `${said} cannot be checked: ${problem}.`);
    else if (shape !== undefined && takesAll(shape, analyzer.definitions)) report(at, `${said} ${OPEN}`);
  }
}

/** Is `any` or `unknown` in it somewhere? */
function takesAll(shape: Shape, definitions: Readonly<Record<string, Shape>>, seen = new Set<string>()): boolean {
  if (shape.kind === 'any') return true;
  if (shape.kind !== 'reference') return partsOf(shape).some((part) => takesAll(part, definitions, seen));
  if (seen.has(shape.name)) return false;
  seen.add(shape.name);
  return takesAll(definitions[shape.name] ?? { kind: 'never' }, definitions, seen);
}

/** `c.body.json()`: there is such a reader only where the route has no schema for its content. */
function contentOf({ source, checker }: Inspected, report: Report): void {
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression) || node.expression.name.text !== 'json') return;
    const reader = typeAt(node.expression.expression, checker).getSymbol();
    if (reader?.name !== 'BodyReader' || !(reader.declarations ?? []).some(isOfFulmar)) return;
    report(node, 'This content is whatever a client sends, and no schema says what it may be. Give the route a body: body: schema<…>().');
  };
  visit(source);
}

const isOfFulmar = (declaration: ts.Declaration): boolean => /[\\/]fulmar[\\/]/.test(declaration.getSourceFile().fileName);
