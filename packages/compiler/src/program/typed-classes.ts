/**
 * A class of controllers with `@typed()`: the parameters of its methods that a type is the schema of. Those with pipes or a
 * schema of their own are theirs, and so are classes whose members have decorators (class-validator). Looks at
 * syntax; of types it asks only what a class is.
 */
import ts from 'typescript';
import type { Use } from './calls.ts';

/** By name, from whichever package: the class has asked for it. */
const PLACES: ReadonlySet<string> = new Set(['Body', 'Query', 'Param', 'Headers', 'Cookies']);

export interface TypedParameter {
  readonly method: string;
  readonly index: number;
  readonly name: string;
  readonly node: ts.ParameterDeclaration;
  /** Missing: it has no annotation. */
  readonly type: ts.TypeNode | undefined;
  /** What is not there is no mistake: it has a question mark, or a default. */
  readonly isOptional: boolean;
}

/** The call that the decorator is; `undefined` where it is none, or stands on no class. */
export function classOf({ node }: Use): { readonly call: ts.CallExpression; readonly owner: ts.ClassLikeDeclaration } | undefined {
  const call = node.parent;
  if (!ts.isCallExpression(call) || call.expression !== node || call.arguments.length > 0) return undefined;
  const decorator = call.parent;
  if (!ts.isDecorator(decorator) || !ts.isClassLike(decorator.parent)) return undefined;
  return { call, owner: decorator.parent };
}

export function typedParametersOf(owner: ts.ClassLikeDeclaration, checker: ts.TypeChecker): TypedParameter[] {
  return owner.members.flatMap((member) => {
    if (!ts.isMethodDeclaration(member) || member.body === undefined || isStatic(member)) return [];
    const method = nameOf(member.name);
    if (method === undefined) return [];
    return member.parameters.flatMap((node, index): TypedParameter[] => {
      if (!(ts.getDecorators(node) ?? []).some(isOfPlace)) return [];
      if (node.type !== undefined && isOfPipes(checker.getTypeFromTypeNode(node.type))) return [];
      const isOptional = node.questionToken !== undefined || node.initializer !== undefined;
      return [{ method, index, name: node.name.getText(), node, type: node.type, isOptional }];
    });
  });
}

const isStatic = (member: ts.MethodDeclaration): boolean =>
  member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) === true;

const nameOf = (name: ts.PropertyName): string | undefined =>
  ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : undefined;

/** `@Body()`, `@Query('page')`: nothing but a name is given. */
function isOfPlace({ expression }: ts.Decorator): boolean {
  if (!ts.isCallExpression(expression)) return false;
  const { expression: callee, arguments: given } = expression;
  const name = ts.isPropertyAccessExpression(callee) ? callee.name.text : ts.isIdentifier(callee) ? callee.text : '';
  return PLACES.has(name) && (given.length === 0 || (given.length === 1 && given[0] !== undefined && ts.isStringLiteralLike(given[0])));
}

function isOfPipes(type: ts.Type): boolean {
  const declared = type.getSymbol()?.declarations?.find(ts.isClassLike);
  return declared?.members.some((member) => ts.canHaveDecorators(member) && (ts.getDecorators(member) ?? []).length > 0) === true;
}
