/**
 * What a type says of its values beyond TypeScript: members of an intersection that `fulmar/types` exports
 * (`string & MinLength<2>`). They are phantoms: no value has them.
 */
import ts from 'typescript';

/** The only property of a tag's type. */
const TAG = '~fulmar';

export interface TagValue {
  readonly name: string;
  readonly value: unknown;
}

export function isTag(type: ts.Type, checker: ts.TypeChecker): boolean {
  const properties = (type.flags & ts.TypeFlags.Object) === 0 ? [] : checker.getPropertiesOfType(type);
  return properties.length === 1 && properties[0]?.name === TAG;
}

/** Rules that a tag holds; `undefined` is a value that is no literal. */
export function tagsOf(type: ts.Type, checker: ts.TypeChecker): TagValue[] {
  const property = type.getProperty(TAG);
  if (property === undefined) return [];
  const rules = checker.getNonNullableType(checker.getTypeOfSymbol(property));
  return checker.getPropertiesOfType(rules).map((rule) => ({ name: rule.name, value: literalOf(checker.getTypeOfSymbol(rule), checker) }));
}

/** The value of a type that has one value, arrays and objects included. */
function literalOf(type: ts.Type, checker: ts.TypeChecker): unknown {
  if (type.isStringLiteral() || type.isNumberLiteral()) return type.value;
  if ((type.flags & ts.TypeFlags.BigIntLiteral) !== 0) return bigintOf(type as ts.BigIntLiteralType);
  if ((type.flags & ts.TypeFlags.BooleanLiteral) !== 0) return checker.typeToString(type) === 'true';
  if ((type.flags & ts.TypeFlags.Null) !== 0) return null;
  if (checker.isTupleType(type)) return checker.getTypeArguments(type as ts.TypeReference).map((item) => literalOf(item, checker));
  if ((type.flags & ts.TypeFlags.Object) === 0 || type.getCallSignatures().length > 0) return undefined;
  return Object.fromEntries(type.getProperties().map((member) => [member.name, literalOf(checker.getTypeOfSymbol(member), checker)]));
}

export function bigintOf({ value }: ts.BigIntLiteralType): bigint {
  return BigInt(`${value.negative ? '-' : ''}${value.base10Value}`);
}
