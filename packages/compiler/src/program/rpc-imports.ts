/** Which names of a source are functions of `fulmar/rpc`, and what is written as their options. Asks for no types. */
import ts from 'typescript';

const RPC_MODULE = 'fulmar/rpc';

/** The symbols of one of its functions, by whatever name; of a namespace the member itself. */
export function importedFrom(source: ts.SourceFile, checker: ts.TypeChecker, exported: string): Set<ts.Symbol> {
  const symbols = new Set<ts.Symbol>();
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    if (statement.moduleSpecifier.text !== RPC_MODULE || statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) continue;
    const bindings = statement.importClause?.namedBindings;
    if (bindings === undefined) continue;
    if (ts.isNamespaceImport(bindings)) {
      const module = checker.getSymbolAtLocation(statement.moduleSpecifier);
      const made = module === undefined ? undefined : checker.getExportsOfModule(module).find(({ name }) => name === exported);
      if (made !== undefined) symbols.add(made);
      continue;
    }
    for (const { name, propertyName, isTypeOnly } of bindings.elements) {
      const symbol = checker.getSymbolAtLocation(name);
      if (!isTypeOnly && (propertyName ?? name).text === exported && symbol !== undefined) symbols.add(symbol);
    }
  }
  return symbols;
}

/** The calls of a source that are of these symbols. */
export function callsOf(source: ts.SourceFile, checker: ts.TypeChecker, symbols: ReadonlySet<ts.Symbol>): ts.CallExpression[] {
  const found: ts.CallExpression[] = [];
  if (symbols.size === 0) return found;
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (!ts.isCallExpression(node) || node.arguments.some(ts.isSpreadElement)) return;
    const symbol = checker.getSymbolAtLocation(node.expression);
    if (symbol !== undefined && symbols.has(symbol)) found.push(node);
  };
  visit(source);
  return found;
}

/** What a literal says of one of its members: its text, `true` and `false` among others. */
export function memberText(options: ts.Expression | undefined, name: string): string | undefined {
  if (options === undefined || !ts.isObjectLiteralExpression(options)) return undefined;
  const member = options.properties.find((one) => one.name !== undefined && ts.isIdentifier(one.name) && one.name.text === name);
  if (member === undefined) return undefined;
  return ts.isPropertyAssignment(member) ? member.initializer.getText() : member.getText();
}
