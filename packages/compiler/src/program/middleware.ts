/** Where a source makes middleware with `middleware()` of `fulmar/rpc`, and the types of what that declares. */
import ts from 'typescript';
import { callsOf, importedFrom, memberText } from './rpc-imports.ts';

const PARTS = ['values', 'headers', 'results', 'replyHeaders'] as const;
export type Part = (typeof PARTS)[number];

export interface MiddlewareUse {
  readonly node: ts.CallExpression;
  /** Behind this place stands what the compiler knows. */
  readonly end: number;
  /** Those that have a type and no schema. */
  readonly parts: readonly (readonly [part: Part, type: ts.Type])[];
}

export function middlewareUsesOf(source: ts.SourceFile, checker: ts.TypeChecker): MiddlewareUse[] {
  return callsOf(source, checker, importedFrom(source, checker, 'middleware')).flatMap((node) => {
    const [first, second] = node.arguments;
    const run = second ?? first;
    if (run === undefined || node.arguments.length > 2) return [];
    const options = second === undefined ? undefined : first;
    const wants = wantsOf(node, checker);
    const parts = PARTS.flatMap((part): MiddlewareUse['parts'][number][] => {
      const property = wants?.getProperty(part);
      if (property === undefined || memberText(options, part) !== undefined) return [];
      return [[part, checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(property, node))]];
    });
    return [{ node, end: run.end, parts }];
  });
}

/** The first argument of the `Middleware<…>` that the call gives. */
function wantsOf(node: ts.CallExpression, checker: ts.TypeChecker): ts.Type | undefined {
  const type = checker.getTypeAtLocation(node);
  if (type.getSymbol()?.name !== 'Middleware') return undefined;
  return checker.getTypeArguments(type as ts.TypeReference)[0];
}
