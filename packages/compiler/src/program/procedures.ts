/**
 * Where a source makes an API with `rpc()` of `fulmar/rpc`, and which procedures stand in it. Looks into the type
 * of the API, so that parts may come from other files; asks for no shapes.
 */
import ts from 'typescript';
import { callsOf, importedFrom, memberText } from './rpc-imports.ts';

/** Objects within objects; one that contains itself has no end. */
const DEPTH_MAX = 32;

export interface ProcedureUse {
  /** As in `users.get`. */
  readonly name: string;
  readonly params: readonly ts.Symbol[];
  readonly returns: ts.Type;
  /** Members that the types do not have are refused. */
  readonly isStrict: boolean;
}

export interface RpcUse {
  readonly node: ts.CallExpression;
  /** Behind this place stands what the compiler knows. */
  readonly end: number;
  readonly hasOptions: boolean;
  readonly procedures: readonly ProcedureUse[];
}

export function rpcUsesOf(source: ts.SourceFile, checker: ts.TypeChecker): RpcUse[] {
  return callsOf(source, checker, importedFrom(source, checker, 'rpc')).flatMap((node) => {
    const [api, options] = node.arguments;
    if (api === undefined || node.arguments.length > 2) return [];
    const isStrict = memberText(options, 'strictTypes') === 'true';
    const procedures = [...proceduresOf(checker.getTypeAtLocation(api), { at: node, checker, names: [], isStrict })];
    return [{ node, end: (options ?? api).end, hasOptions: options !== undefined, procedures }];
  });
}

interface Walk {
  readonly at: ts.Node;
  readonly checker: ts.TypeChecker;
  readonly names: readonly string[];
  /** `strictTypes` of the whole API. */
  readonly isStrict: boolean;
}

function* proceduresOf(type: ts.Type, { at, checker, names, isStrict }: Walk): Generator<ProcedureUse> {
  if (names.length > DEPTH_MAX) return;
  for (const property of checker.getPropertiesOfType(type)) {
    // A symbol, by which parts say what middleware stands around them.
    if (property.name.startsWith('__@')) continue;
    const path = [...names, property.name];
    const inner = checker.getTypeOfSymbolAtLocation(property, at);
    const run = signatureOf(inner, at, checker);
    if (run === undefined) {
      if ((inner.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0)
        yield* proceduresOf(inner, { at, checker, names: path, isStrict });
    } else {
      const options = optionsOf(property, checker);
      if (isSaid(options)) continue;
      const name = path.join('.');
      yield { name, params: run.getParameters().slice(1), returns: run.getReturnType(), isStrict: strictness(options, isStrict) };
    }
  }
}

/** Of a function alone, or of what `query()` and `mutation()` make. */
function signatureOf(type: ts.Type, at: ts.Node, checker: ts.TypeChecker): ts.Signature | undefined {
  const [own] = type.getCallSignatures();
  if (own !== undefined) return own;
  const run = type.getProperty('run');
  if (run === undefined || type.getProperty('kind') === undefined) return undefined;
  return checker.getTypeOfSymbolAtLocation(run, at).getCallSignatures()[0];
}

/** The options of `query({ … }, …)`, where they stand there, or in a constant of that name. */
function optionsOf(property: ts.Symbol, checker: ts.TypeChecker): ts.Expression | undefined {
  const [declaration] = property.declarations ?? [];
  let made: ts.Expression | undefined;
  if (declaration !== undefined && ts.isPropertyAssignment(declaration)) made = declaration.initializer;
  const named =
    declaration !== undefined && ts.isShorthandPropertyAssignment(declaration)
      ? checker.getShorthandAssignmentValueSymbol(declaration)
      : made !== undefined && ts.isIdentifier(made)
        ? checker.getSymbolAtLocation(made)
        : undefined;
  const variable = named?.valueDeclaration;
  if (variable !== undefined && ts.isVariableDeclaration(variable)) made = variable.initializer;
  if (made === undefined || !ts.isCallExpression(made) || made.arguments.length < 2) return undefined;
  return made.arguments[0];
}

/** The program says itself what its parameters are, `query({ params: […] }, …)`, or that they are not looked at. */
const isSaid = (options: ts.Expression | undefined): boolean =>
  memberText(options, 'params') !== undefined || memberText(options, 'validateParams') === 'false';

function strictness(options: ts.Expression | undefined, ofAll: boolean): boolean {
  const said = memberText(options, 'strictTypes');
  return said === undefined ? ofAll : said === 'true';
}
