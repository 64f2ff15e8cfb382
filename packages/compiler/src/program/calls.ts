/**
 * Where a source uses what `fulmar/types` exports: calls with a type (`validate<User>(x)`), functions that are
 * named with one (`validate<User>`), and uses that cannot be compiled. Looks at names, resolves no types.
 */
import ts from 'typescript';

export const MODULE = 'fulmar/types';

const FUNCTIONS = [
  'validate',
  'assert',
  'errors',
  'parse',
  'stringify',
  'encode',
  'decode',
  'schemaOf',
  'schema',
  'sample',
  'route',
  'typed',
] as const;
export type FunctionName = (typeof FUNCTIONS)[number];

/** The one type argument, or an expression whose type it is. */
export interface Use {
  readonly name: FunctionName;
  /** From here to `end` stands what is replaced: the name and its type arguments. */
  readonly start: number;
  readonly end: number;
  readonly node: ts.Node;
  readonly type: ts.TypeNode | undefined;
  /** `stringify(user)`, `encode(user)`: the type is that of the value. */
  readonly value: ts.Expression | undefined;
}

interface Imported {
  readonly names: ReadonlyMap<string, FunctionName>;
  readonly namespaces: ReadonlySet<string>;
  /** The local names' nodes, by which a use is told from another variable of that name. */
  readonly symbols: ReadonlySet<ts.Symbol>;
}

const isFunction = (name: string): name is FunctionName => (FUNCTIONS as readonly string[]).includes(name);

/**
 * The type of an expression. The calls around it are resolved first, from without to within: what the parameter of a
 * handler is follows from the call that it is handed to, and asked the other way round, overloads say `any`.
 */
export function typeAt(expression: ts.Expression, checker: ts.TypeChecker): ts.Type {
  const around: ts.CallExpression[] = [];
  for (let node: ts.Node = expression.parent; node !== undefined; node = node.parent) if (ts.isCallExpression(node)) around.push(node);
  for (const call of around.toReversed()) checker.getResolvedSignature(call);
  return checker.getTypeAtLocation(expression);
}

export function usesOf(source: ts.SourceFile, checker: ts.TypeChecker): Use[] {
  const imported = importsOf(source, checker);
  if (imported.symbols.size === 0) return [];
  const found: Use[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node))) return;
    const use = useOf(node, source, imported, checker);
    if (use !== undefined) found.push(use);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function importsOf(source: ts.SourceFile, checker: ts.TypeChecker): Imported {
  const names = new Map<string, FunctionName>();
  const namespaces = new Set<string>();
  const symbols = new Set<ts.Symbol>();
  const note = (name: ts.Identifier): void => {
    const symbol = checker.getSymbolAtLocation(name);
    if (symbol !== undefined) symbols.add(symbol);
  };
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier) || statement.moduleSpecifier.text !== MODULE)
      continue;
    const bindings = statement.importClause?.namedBindings;
    if (statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword || bindings === undefined) continue;
    if (ts.isNamespaceImport(bindings)) {
      namespaces.add(bindings.name.text);
      note(bindings.name);
      continue;
    }
    for (const { name, propertyName, isTypeOnly } of bindings.elements) {
      const given = (propertyName ?? name).text;
      if (isTypeOnly || !isFunction(given)) continue;
      names.set(name.text, given);
      note(name);
    }
  }
  return { names, namespaces, symbols };
}

/** `node` names one of the functions: as a call, with a type, or in a way that says no type. */
function useOf(node: ts.Node, source: ts.SourceFile, imported: Imported, checker: ts.TypeChecker): Use | undefined {
  const callee = calleeOf(node);
  const name = callee === undefined ? undefined : functionOf(callee, imported, checker);
  if (callee === undefined || name === undefined) return undefined;
  const holder = callee.parent;
  const isCall = ts.isCallExpression(holder) && holder.expression === callee;
  const types = isCall ? holder.typeArguments : ts.isExpressionWithTypeArguments(holder) ? holder.typeArguments : undefined;
  const value = isCall && types === undefined && (name === 'stringify' || name === 'encode') ? holder.arguments[0] : undefined;
  // Not the next `>` of the text: it may stand in a comment.
  const close = types && holder.getChildren(source).find(({ kind, pos }) => kind === ts.SyntaxKind.GreaterThanToken && pos >= types.end);
  const end = close?.end ?? callee.end;
  return { name, start: callee.getStart(source), end, node: callee, type: types?.[0], value };
}

/** `validate`, or `types.validate` where `types` is the namespace; not the names within such an expression. */
function calleeOf(node: ts.Node): ts.Identifier | ts.PropertyAccessExpression | undefined {
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) return node;
  if (!ts.isIdentifier(node)) return undefined;
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isQualifiedName(parent)) return undefined;
  if (ts.isPropertyAssignment(parent) && parent.name === node) return undefined;
  return node;
}

function functionOf(
  callee: ts.Identifier | ts.PropertyAccessExpression,
  imported: Imported,
  checker: ts.TypeChecker,
): FunctionName | undefined {
  if (ts.isIdentifier(callee)) {
    const name = imported.names.get(callee.text);
    return name !== undefined && isImported(callee, imported, checker) ? name : undefined;
  }
  const { expression, name } = callee;
  if (!ts.isIdentifier(expression) || !imported.namespaces.has(expression.text) || !isFunction(name.text)) return undefined;
  return isImported(expression, imported, checker) ? name.text : undefined;
}

/** A shorthand property (`{ validate }`) names the variable in another way. */
function isImported(name: ts.Identifier, { symbols }: Imported, checker: ts.TypeChecker): boolean {
  const isShorthand = ts.isShorthandPropertyAssignment(name.parent);
  const symbol = isShorthand ? checker.getShorthandAssignmentValueSymbol(name.parent) : checker.getSymbolAtLocation(name);
  return symbol !== undefined && symbols.has(symbol);
}
