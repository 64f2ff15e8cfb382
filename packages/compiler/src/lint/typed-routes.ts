/**
 * What comes from clients and is checked by nothing: parameters of procedures that are `any`, `unknown` or no data,
 * schemas of such types, content that a route reads as JSON without a schema.
 */
import ts from 'typescript';
import { NEVER, partsOf, type Shape } from '../../../fulmar/src/shape/shape.ts';
import { Analyzer } from '../analyze/analyzer.ts';
import { partOf } from '../analyze/parts.ts';
import { routeOf } from '../analyze/routes.ts';
import { typeAt, type Use, usesOf } from '../program/calls.ts';
import { type ProcedureUse, rpcUsesOf } from '../program/procedures.ts';
import { classOf, typedParametersOf } from '../program/typed-classes.ts';
import type { Inspected, Report } from './inspect.ts';

const OPEN = 'has any or unknown in it, of which nothing is checked. Name its type.';

/** Uses by which what comes from outside is let in. */
const OF_CLIENTS: ReadonlySet<string> = new Set(['schema', 'parse', 'assert', 'decode', 'route']);

export function typedRoutes(inspected: Inspected, report: Report): void {
  const { source, checker } = inspected;
  for (const { node, procedures } of rpcUsesOf(source, checker)) for (const one of procedures) lookAt(one, node, inspected, report);
  for (const use of usesOf(source, checker)) {
    const { name, node, type } = use;
    if (name === 'typed') typedClass(use, inspected, report);
    if (type === undefined || !OF_CLIENTS.has(name)) continue;
    const analyzer = new Analyzer({ ...inspected, tell: () => undefined });
    const given = checker.getTypeFromTypeNode(type);
    const shapes = name === 'route' ? placesOf(given, analyzer) : [analyzer.shapeOf(given, '')];
    if (shapes.some((shape) => takesAll(shape, analyzer.definitions))) report(node.parent, `${name}<${type.getText(source)}>() ${OPEN}`);
  }
  contentOf(inspected, report);
}

function typedClass(use: Use, inspected: Inspected, report: Report): void {
  const owner = classOf(use)?.owner;
  for (const { node, name, type } of owner === undefined ? [] : typedParametersOf(owner, inspected.checker)) {
    const analyzer = new Analyzer({ ...inspected, tell: () => undefined });
    if (type !== undefined && takesAll(analyzer.shapeOf(inspected.checker.getTypeFromTypeNode(type), ''), analyzer.definitions))
      report(node, `${name} ${OPEN}`);
  }
}

/** What clients send: a reply is the application's own. */
function placesOf(type: ts.Type, analyzer: Analyzer): Shape[] {
  const { response: _, ...places } = routeOf(type, '', analyzer);
  return Object.values(places).filter((one): one is Shape => 'kind' in one);
}

interface Parameter {
  readonly name: string;
  readonly type: ts.Type;
  readonly declared: ts.Node | undefined;
  readonly isRest: boolean;
}

/** What `query()` and `mutation()` make takes a list, whose items are labelled by the parameters of the function. */
function parametersOf({ params }: ProcedureUse, call: ts.Node, checker: ts.TypeChecker): Parameter[] {
  return params.flatMap(({ name, valueDeclaration: declared }, at): Parameter[] => {
    const type = checker.getTypeOfSymbolAtLocation(params[at] as ts.Symbol, call);
    const isRest = declared !== undefined && ts.isParameter(declared) && declared.dotDotDotToken !== undefined;
    if (!checker.isTupleType(type)) return [{ name, type, declared, isRest }];
    const { labeledElementDeclarations: labels, elementFlags } = (type as ts.TupleTypeReference).target;
    return checker.getTypeArguments(type as ts.TupleTypeReference).map((item, place): Parameter => {
      const label = labels?.[place];
      const title = label === undefined ? `${name}[${place}]` : label.name.getText();
      return { name: title, type: item, declared: label, isRest: ((elementFlags[place] ?? 0) & ts.ElementFlags.Rest) !== 0 };
    });
  });
}

function lookAt(procedure: ProcedureUse, call: ts.CallExpression, inspected: Inspected, report: Report): void {
  for (const [number, { name, type, declared, isRest }] of parametersOf(procedure, call, inspected.checker).entries()) {
    const at = declared !== undefined && declared.getSourceFile() === inspected.source ? declared : call.expression;
    const said = `The parameter ${name} of ${procedure.name}`;
    let problem: string | undefined;
    const analyzer = new Analyzer({ ...inspected, tell: (path, message) => void (problem ??= `${path} ${message}`) });
    // Of a file there is nothing more to say, of a stream what its items are.
    const part = partOf(type, { at: number, path: name, isOptional: false, isRest }, analyzer);
    const shape = part === undefined ? analyzer.shapeOf(type, name) : (part.items ?? NEVER);
    if (problem !== undefined) report(at, `${said} cannot be checked: ${problem}.`);
    else if (takesAll(shape, analyzer.definitions)) report(at, `${said} ${OPEN}`);
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
    report(
      node,
      'This content is whatever a client sends, and no schema says what it may be. Give the route the type of its body: route<{ body: … }>().',
    );
  };
  visit(source);
}

const isOfFulmar = (declaration: ts.Declaration): boolean => /[\\/]fulmar[\\/]/.test(declaration.getSourceFile().fileName);
