/** The shapes of a procedure of an API: of its parameters as one list, and of what its clients are given. */
import ts from 'typescript';
import type { Shape, TupleItem } from '../../../fulmar/src/shape/shape.ts';
import type { ProcedureUse } from '../program/procedures.ts';
import type { Analyzer } from './analyzer.ts';
import { mapParts } from './map-parts.ts';
import { isFile, type PartParam, partOf, shapeOfPart, STREAMS } from './parts.ts';
import { strictOf } from './strict.ts';
import { tupleOf } from './tuples.ts';

/** Errors that are returned are not results: each is written by the server in one way. */
const FAILURE = 'RpcFailure';

export interface ParamShapes {
  readonly shape: Shape;
  /** Those of them that are no JSON. */
  readonly parts: readonly PartParam[];
}

export function paramsOf(use: ProcedureUse, at: ts.Node, analyzer: Analyzer): ParamShapes {
  const found = looseParamsOf(use, at, analyzer);
  return use.isStrict ? strictParamsOf(found, `the parameters of ${use.name}`, analyzer) : found;
}

/** What stands for a file or a stream is `any`, and looked at by what reads it; items of streams are as strict as parameters. */
function strictParamsOf({ shape, parts }: ParamShapes, path: string, analyzer: Analyzer): ParamShapes {
  const isPart = new Set(parts.map(({ at }) => at));
  const inner = (part: Shape, step: string): Shape => strictOf(part, path + step, analyzer);
  return {
    shape: mapParts(shape, (part, step) => {
      const at = step === '[]' && shape.kind === 'tuple' ? shape.items.length : Number(/^\[(\d+)\]$/.exec(step)?.[1]);
      return isPart.has(at) ? part : inner(part, step);
    }),
    parts: parts.map((part) => (part.items === undefined ? part : { ...part, items: inner(part.items, `[${part.at}]<>`) })),
  };
}

function looseParamsOf(use: ProcedureUse, at: ts.Node, analyzer: Analyzer): ParamShapes {
  const items: TupleItem[] = [];
  const parts: PartParam[] = [];
  for (const { type, name, isOptional, rest } of slotsOf(use, at, analyzer.checker)) {
    const path = `the parameters of ${use.name}`;
    const place = `${path}[${items.length}]`;
    const part = partOf(type, { at: items.length, path: place, isOptional, isRest: rest !== 'no' }, analyzer);
    if (part !== undefined) parts.push(part);
    if (rest === 'list' && part === undefined) return { shape: restOf(type, { items, path }, analyzer), parts };
    const shape = part === undefined ? analyzer.shapeOf(type, place) : shapeOfPart(part);
    if (rest !== 'no') return { shape: { kind: 'tuple', items, rest: shape }, parts };
    items.push({ shape, ...(name !== undefined && { name }), ...(isOptional && { optional: true }) });
  }
  return { shape: { kind: 'tuple', items }, parts };
}

interface Slot {
  readonly type: ts.Type;
  readonly name: string | undefined;
  readonly isOptional: boolean;
  /** The last one, which takes all that come: an array or, where more is behind that, a tuple; `item`: the type of one of them. */
  readonly rest: 'no' | 'list' | 'item';
}

/** Parameters one by one: of `(c, ...args: [id: number, file?: File])`, as `query()` has it, those of the tuple. */
function* slotsOf({ params }: ProcedureUse, at: ts.Node, checker: ts.TypeChecker): Generator<Slot> {
  for (const param of params) {
    const type = checker.getTypeOfSymbolAtLocation(param, at);
    const { name, valueDeclaration: declaration } = param;
    const isParameter = declaration !== undefined && ts.isParameter(declaration);
    const isRest = isParameter && declaration.dotDotDotToken !== undefined;
    const isOptional = isParameter && (declaration.questionToken !== undefined || declaration.initializer !== undefined);
    if (!isRest || !checker.isTupleType(type)) yield { type, name, isOptional, rest: isRest ? 'list' : 'no' };
    else yield* slotsOfTuple(type as ts.TupleTypeReference, checker);
  }
}

function* slotsOfTuple(type: ts.TupleTypeReference, checker: ts.TypeChecker): Generator<Slot> {
  const { elementFlags, labeledElementDeclarations: labels } = type.target;
  const variable = elementFlags.findIndex((flags) => (flags & ts.ElementFlags.Variable) !== 0);
  if (variable >= 0 && variable < elementFlags.length - 1) return yield { type, name: undefined, isOptional: false, rest: 'list' };
  for (const [at, argument] of checker.getTypeArguments(type).entries()) {
    const label = labels?.[at]?.name;
    const name = label !== undefined && ts.isIdentifier(label) ? label.text : undefined;
    yield {
      type: argument,
      name,
      isOptional: ((elementFlags[at] ?? 0) & ts.ElementFlags.Optional) !== 0,
      rest: at === variable ? 'item' : 'no',
    };
  }
}

interface Before {
  readonly items: readonly TupleItem[];
  readonly path: string;
}

function restOf(type: ts.Type, { items, path }: Before, analyzer: Analyzer): Shape {
  if (!analyzer.checker.isTupleType(type)) {
    const list = analyzer.shapeOf(type, path);
    return { kind: 'tuple', items, rest: list.kind === 'array' ? list.items : { kind: 'any' } };
  }
  const tuple = tupleOf(type as ts.TupleTypeReference, path, analyzer);
  return tuple.kind === 'tuple' ? { ...tuple, items: [...items, ...tuple.items] } : tuple;
}

export function resultOf({ name, returns }: ProcedureUse, analyzer: Analyzer): Shape {
  const path = `the result of ${name}`;
  const types = membersOf(analyzer.checker.getAwaitedType(returns) ?? returns).flatMap((type) => {
    if (isFile(type, analyzer)) return [];
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
  const isApart = (one: ts.Type): boolean => [FAILURE, 'Blob', 'File', ...STREAMS].includes(one.getSymbol()?.name ?? '');
  return type.types.some(isApart) ? type.types.filter((one) => one.getSymbol()?.name !== FAILURE) : [type];
}
