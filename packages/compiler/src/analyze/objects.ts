/**
 * Objects: properties in the order of their declarations, index signatures, and what makes an object
 * something else than data.
 */
import ts from 'typescript';
import type { IndexRule, ObjectShape, Property, Shape } from '../../../fulmar/src/shape/shape.ts';
import type { Analyzer } from './analyzer.ts';
import { withDocs } from './docs.ts';

/** Why values of a type cannot be told by their members; `undefined` where they can. */
export function whyNoData(type: ts.Type, { checker }: Analyzer): string | undefined {
  if (type.getCallSignatures().length > 0) return 'is a function, which cannot be sent';
  if (type.getConstructSignatures().length > 0) return 'is a class, which cannot be sent: name what its instances are';
  const symbol = type.getSymbol();
  if (symbol === undefined || (symbol.flags & ts.SymbolFlags.Class) === 0) return undefined;
  const methods = checker
    .getPropertiesOfType(type)
    .filter((member) => (member.flags & (ts.SymbolFlags.Method | ts.SymbolFlags.Accessor)) !== 0);
  const [method] = methods;
  if (method !== undefined) return `is a class with the member ${method.name}(), and what comes in has none: name an interface of its data`;
  const hidden = checker.getPropertiesOfType(type).find((member) => isHidden(member));
  return hidden === undefined
    ? undefined
    : `is a class with the member ${hidden.name}, which others cannot see: name an interface of its data`;
}

const isHidden = (member: ts.Symbol): boolean =>
  (member.declarations ?? []).some(
    (one) => (ts.getCombinedModifierFlags(one) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0,
  );

export function objectOf(type: ts.Type, path: string, analyzer: Analyzer): Shape {
  const properties = analyzer.checker.getPropertiesOfType(type).flatMap((member): Property[] => {
    const property = propertyOf(member, path, analyzer);
    return property === undefined ? [] : [property];
  });
  const index = analyzer.checker.getIndexInfosOfType(type).flatMap((info) => indexOf(info, path, analyzer));
  return {
    kind: 'object',
    properties,
    ...(index.length > 0 && { index }),
    unknown: properties.length === 0 && index.length === 0 ? 'keep' : 'strip',
  } satisfies ObjectShape;
}

function propertyOf(member: ts.Symbol, path: string, analyzer: Analyzer): Property | undefined {
  const { checker, program } = analyzer;
  const name = ts.unescapeLeadingUnderscores(member.escapedName);
  if (name.startsWith('__@')) {
    analyzer.tell(path, 'has a member that is named by a symbol, which no other process knows');
    return undefined;
  }
  const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0;
  const isExact = isOptional && program.getCompilerOptions().exactOptionalPropertyTypes === true;
  const where = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
  analyzer.noteFiles(member);
  const type = checker.getTypeOfSymbol(member);
  const plain = isOptional ? withoutMissing(analyzer.shapeOf(type, where), isExact && takesUndefined(type)) : analyzer.shapeOf(type, where);
  const shape = withDocs(plain, member, checker, (message) => void analyzer.tell(where, message));
  return { name, shape, presence: isExact ? 'exact' : isOptional ? 'optional' : 'required' };
}

/** Under `exactOptionalPropertyTypes` what may be missing is told apart from what may be `undefined`. */
function takesUndefined(type: ts.Type): boolean {
  const isTold = (one: ts.Type): boolean =>
    (one.flags & ts.TypeFlags.Undefined) !== 0 &&
    (one as ts.Type & { readonly debugIntrinsicName?: string }).debugIntrinsicName === undefined;
  return type.isUnion() ? type.types.some(isTold) : isTold(type);
}

/** The `undefined` that `?` brings is the presence's to say. */
function withoutMissing(shape: Shape, isMeant: boolean): Shape {
  if (isMeant) return shape;
  if (shape.kind === 'undefined') return { kind: 'never' };
  if (shape.kind === 'enum') {
    const values = shape.values.filter((value) => value !== undefined);
    return values.length === 1 ? { kind: 'literal', value: values[0] } : { ...shape, values };
  }
  if (shape.kind !== 'union') return shape;
  const kept = shape.members.filter((member) => member.kind !== 'undefined');
  if (kept.length === shape.members.length) return shape;
  if (kept.length === 1) return kept[0] as Shape;
  return { ...shape, members: kept };
}

function indexOf({ keyType, type }: ts.IndexInfo, path: string, analyzer: Analyzer): IndexRule[] {
  if ((keyType.flags & ts.TypeFlags.ESSymbolLike) !== 0) {
    analyzer.tell(path, 'has members that are named by symbols, which no other process knows');
    return [];
  }
  return [{ key: analyzer.shapeOf(keyType, `${path}[key]`), value: analyzer.shapeOf(type, `${path}[]`) }];
}
