/**
 * Where a source makes an API with `rpc()` of `fulmar/rpc`, and which procedures stand in it. Looks into the type
 * of the API, so that parts may come from other files; asks for no shapes.
 */
import ts from 'typescript';

const RPC_MODULE = 'fulmar/rpc';

/** Objects within objects; one that contains itself has no end. */
const DEPTH_MAX = 32;

export interface ProcedureUse {
  /** As in `users.get`. */
  readonly name: string;
  readonly params: readonly ts.Symbol[];
  readonly returns: ts.Type;
}

export interface RpcUse {
  readonly node: ts.CallExpression;
  /** Behind this place stands what the compiler knows. */
  readonly end: number;
  readonly hasOptions: boolean;
  readonly procedures: readonly ProcedureUse[];
}

export function rpcUsesOf(source: ts.SourceFile, checker: ts.TypeChecker): RpcUse[] {
  const makers = importedMakers(source, checker);
  if (makers.size === 0) return [];
  const found: RpcUse[] = [];
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (!ts.isCallExpression(node)) return;
    const symbol = checker.getSymbolAtLocation(node.expression);
    const [api, options] = node.arguments;
    if (symbol === undefined || !makers.has(symbol) || api === undefined || node.arguments.length > 2) return;
    if ([api, options].some((one) => one !== undefined && ts.isSpreadElement(one))) return;
    const procedures = [...proceduresOf(checker.getTypeAtLocation(api), { at: node, checker, names: [] })];
    found.push({ node, end: (options ?? api).end, hasOptions: options !== undefined, procedures });
  };
  visit(source);
  return found;
}

/** The symbols of `rpc`, by whatever name; of a namespace the member itself. */
function importedMakers(source: ts.SourceFile, checker: ts.TypeChecker): Set<ts.Symbol> {
  const symbols = new Set<ts.Symbol>();
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    if (statement.moduleSpecifier.text !== RPC_MODULE || statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) continue;
    const bindings = statement.importClause?.namedBindings;
    if (bindings === undefined) continue;
    if (ts.isNamespaceImport(bindings)) {
      const module = checker.getSymbolAtLocation(statement.moduleSpecifier);
      const made = module === undefined ? undefined : checker.getExportsOfModule(module).find(({ name }) => name === 'rpc');
      if (made !== undefined) symbols.add(made);
      continue;
    }
    for (const { name, propertyName, isTypeOnly } of bindings.elements) {
      const symbol = checker.getSymbolAtLocation(name);
      if (!isTypeOnly && (propertyName ?? name).text === 'rpc' && symbol !== undefined) symbols.add(symbol);
    }
  }
  return symbols;
}

interface Walk {
  readonly at: ts.Node;
  readonly checker: ts.TypeChecker;
  readonly names: readonly string[];
}

function* proceduresOf(type: ts.Type, { at, checker, names }: Walk): Generator<ProcedureUse> {
  if (names.length > DEPTH_MAX) return;
  for (const property of checker.getPropertiesOfType(type)) {
    const path = [...names, property.name];
    const inner = checker.getTypeOfSymbolAtLocation(property, at);
    const run = signatureOf(inner, at, checker);
    if (run === undefined) {
      if ((inner.flags & ts.TypeFlags.Object) !== 0) yield* proceduresOf(inner, { at, checker, names: path });
    } else if (!isSaid(property)) {
      yield { name: path.join('.'), params: run.getParameters().slice(1), returns: run.getReturnType() };
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

/** The program says itself what its parameters are: `query({ params: […] }, …)`, or that they are not looked at. */
function isSaid({ valueDeclaration }: ts.Symbol): boolean {
  if (valueDeclaration === undefined || !ts.isPropertyAssignment(valueDeclaration)) return false;
  const { initializer } = valueDeclaration;
  if (!ts.isCallExpression(initializer)) return false;
  const [options] = initializer.arguments;
  if (options === undefined || !ts.isObjectLiteralExpression(options)) return false;
  return options.properties.some(
    (one) =>
      one.name !== undefined &&
      ts.isIdentifier(one.name) &&
      (one.name.text === 'params' ||
        (one.name.text === 'validateParams' && ts.isPropertyAssignment(one) && one.initializer.kind === ts.SyntaxKind.FalseKeyword)),
  );
}
