/**
 * Classes that an application has registered with `codec('Name', Class, …)`, in the files that a source's imports lead
 * to: other files may not be loaded when a value comes. Finds the calls; what is sent is the analyzer's to look into.
 */
import ts from 'typescript';
import { MODULE } from './calls.ts';

export interface KnownCodec {
  /** `undefined`: it is not written out. */
  readonly name: string | undefined;
  readonly wire: ts.Type;
  readonly file: string;
}

export type KnownCodecs = ReadonlyMap<ts.Symbol, KnownCodec>;

export function codecsIn(files: Iterable<string>, program: ts.Program): KnownCodecs {
  const checker = program.getTypeChecker();
  const found = new Map<ts.Symbol, KnownCodec>();
  for (const name of files) {
    const file = program.getSourceFile(name);
    // A look at the text: nearly all files have none.
    if (file === undefined || file.isDeclarationFile || !file.text.includes(MODULE) || !/\bcodec\b/.test(file.text)) continue;
    const visit = (node: ts.Node): void => {
      ts.forEachChild(node, visit);
      if (!ts.isCallExpression(node) || !isCodec(node.expression, checker)) return;
      const [instance, wire] = checker.getTypeAtLocation(node).aliasTypeArguments ?? argumentsOf(checker.getTypeAtLocation(node), checker);
      const symbol = instance?.getSymbol();
      const [title] = node.arguments;
      if (symbol === undefined || wire === undefined) return;
      found.set(symbol, { name: title !== undefined && ts.isStringLiteralLike(title) ? title.text : undefined, wire, file: name });
    };
    visit(file);
  }
  return found;
}

const argumentsOf = (type: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] =>
  (type.flags & ts.TypeFlags.Object) === 0 ? [] : checker.getTypeArguments(type as ts.TypeReference);

/** `codec` of ours, by whatever name: told by where it is declared. */
function isCodec(callee: ts.Expression, checker: ts.TypeChecker): boolean {
  const symbol = checker.getSymbolAtLocation(callee);
  const target = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0 ? checker.getAliasedSymbol(symbol) : symbol;
  return (
    target?.name === 'codec' &&
    (target.declarations ?? []).some((one) => /[\\/]typed[\\/]codec\.(?:d\.)?[cm]?ts$/.test(one.getSourceFile().fileName))
  );
}
