/**
 * The files that a source's imports lead to: any of them may say what a type is. TypeScript's own libraries
 * are left out, they change with its version.
 */
import ts from 'typescript';

export function filesBehind(source: ts.SourceFile, program: ts.Program): Set<string> {
  const checker = program.getTypeChecker();
  const found = new Set<string>();
  const waiting = [source];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file.fileName) || program.isSourceFileDefaultLibrary(file)) continue;
    found.add(file.fileName);
    for (const specifier of specifiersOf(file)) {
      for (const declaration of checker.getSymbolAtLocation(specifier)?.declarations ?? []) {
        if (ts.isSourceFile(declaration)) waiting.push(declaration);
      }
    }
  }
  return found;
}

/** `import … from`, `export … from`, and `import('…')` among types. */
function specifiersOf(file: ts.SourceFile): ts.Expression[] {
  const found: ts.Expression[] = [];
  for (const statement of file.statements) {
    if ((ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) && statement.moduleSpecifier !== undefined)
      found.push(statement.moduleSpecifier);
  }
  if (!file.text.includes('import(')) return found;
  const visit = (node: ts.Node): void => {
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal))
      found.push(node.argument.literal);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
