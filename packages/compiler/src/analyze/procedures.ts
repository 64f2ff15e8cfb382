/** The shapes of a procedure of an API: of its parameters as one list, and of what its clients are given. */
import ts from 'typescript';
import type { Shape, TupleItem } from '../../../fulmar/src/shape/shape.ts';
import type { ProcedureUse } from '../program/procedures.ts';
import type { Analyzer } from './analyzer.ts';
import { tupleOf } from './tuples.ts';

/** Errors that are returned are not results: each is written by the server in one way. */
const FAILURE = 'RpcFailure';
/** Results that come item by item: the shape is that of an item. */
const STREAMS: ReadonlySet<string> = new Set(['AsyncIterable', 'AsyncIterableIterator', 'AsyncGenerator', 'AsyncIteratorObject']);

export function paramsOf({ name, params }: ProcedureUse, at: ts.Node, analyzer: Analyzer): Shape {
  const items: TupleItem[] = [];
  for (const param of params) {
    const type = analyzer.checker.getTypeOfSymbolAtLocation(param, at);
    const path = `the parameters of ${name}`;
    const declaration = param.valueDeclaration;
    const isParameter = declaration !== undefined && ts.isParameter(declaration);
    if (isParameter && declaration.dotDotDotToken !== undefined) {
      if (!analyzer.checker.isTupleType(type)) {
        const list = analyzer.shapeOf(type, path);
        return { kind: 'tuple', items, rest: list.kind === 'array' ? list.items : { kind: 'any' } };
      }
      const tuple = tupleOf(type as ts.TupleTypeReference, path, analyzer);
      return tuple.kind === 'tuple' ? { ...tuple, items: [...items, ...tuple.items] } : tuple;
    }
    const isOptional = isParameter && (declaration.questionToken !== undefined || declaration.initializer !== undefined);
    items.push({ shape: analyzer.shapeOf(type, `${path}[${items.length}]`), name: param.name, ...(isOptional && { optional: true }) });
  }
  return { kind: 'tuple', items };
}

export function resultOf({ name, returns }: ProcedureUse, analyzer: Analyzer): Shape {
  const path = `the result of ${name}`;
  const types = membersOf(analyzer.checker.getAwaitedType(returns) ?? returns).flatMap((type) => {
    if (!STREAMS.has(type.getSymbol()?.name ?? '')) return [type];
    const [item] = analyzer.checker.getTypeArguments(type as ts.TypeReference);
    return item === undefined ? [] : membersOf(item);
  });
  const [first, ...others] = types.map((type) => analyzer.shapeOf(type, path));
  if (first === undefined) return { kind: 'undefined' };
  return others.length === 0 ? first : { kind: 'union', members: [first, ...others] };
}

/** `boolean` is a union to TypeScript and none to us; a union with a failure in it is told apart. */
function membersOf(type: ts.Type): ts.Type[] {
  if (!type.isUnion() || (type.flags & ts.TypeFlags.Boolean) !== 0) return type.getSymbol()?.name === FAILURE ? [] : [type];
  const isApart = (one: ts.Type): boolean => [FAILURE, ...STREAMS].includes(one.getSymbol()?.name ?? '');
  return type.types.some(isApart) ? type.types.filter((one) => one.getSymbol()?.name !== FAILURE) : [type];
}
