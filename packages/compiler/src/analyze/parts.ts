/**
 * Parameters of a procedure that are no JSON: files (`File`, `Blob`, lists of them) and streams (`AsyncIterable<T>`,
 * `ReadableStream<T>`). Only as a parameter: within an object they stay what has no form.
 */
import ts from 'typescript';
import type { Shape } from '../../../fulmar/src/shape/shape.ts';
import type { Analyzer } from './analyzer.ts';
import { isOfPlatform } from './builtins.ts';

/** What comes item by item; as a result, too. */
export const STREAMS: ReadonlySet<string> = new Set([
  'AsyncIterable',
  'AsyncIterableIterator',
  'AsyncGenerator',
  'AsyncIteratorObject',
  'ReadableStream',
]);
const FILES: ReadonlySet<string> = new Set(['File', 'Blob']);

export interface PartParam {
  readonly at: number;
  readonly kind: 'file' | 'stream';
  readonly isOptional: boolean;
  readonly many?: 'list' | 'rest';
  /** Of an item of a stream. */
  readonly items?: Shape;
}

/** Where a parameter stands, and how. */
export interface Place {
  readonly at: number;
  readonly path: string;
  readonly isOptional: boolean;
  readonly isRest: boolean;
}

export const isFile = (type: ts.Type, analyzer: Analyzer): boolean => {
  const symbol = type.getSymbol();
  return symbol !== undefined && FILES.has(symbol.name) && isOfPlatform(symbol, analyzer.program);
};

/** Undefined: it is JSON. */
export function partOf(given: ts.Type, { at, path, isOptional, isRest }: Place, analyzer: Analyzer): PartParam | undefined {
  const { checker } = analyzer;
  if (given.isUnion() && given.types.some(({ flags }) => (flags & ts.TypeFlags.Null) !== 0)) return undefined;
  const type = checker.getNonNullableType(given);
  const place = { at, isOptional: isOptional || type !== given };
  if (isFile(type, analyzer)) return { ...place, kind: 'file', ...(isRest && { many: 'rest' as const }) };
  if (checker.isArrayType(type)) {
    const [one] = checker.getTypeArguments(type as ts.TypeReference);
    if (one !== undefined && isFile(one, analyzer)) return { ...place, kind: 'file', many: isRest ? 'rest' : 'list' };
  }
  if (isRest || !STREAMS.has(type.getSymbol()?.name ?? '')) return undefined;
  const [item] = checker.getTypeArguments(type as ts.TypeReference);
  return { ...place, kind: 'stream', items: item === undefined ? { kind: 'any' } : analyzer.shapeOf(item, `${path}<>`) };
}

/** What stands for it among parameters that are JSON: what it is, is looked at behind them. */
export function shapeOfPart({ many, isOptional }: PartParam): Shape {
  const list: Shape = { kind: 'array', items: { kind: 'any' } };
  if (many !== 'list') return { kind: 'any' };
  return isOptional ? { kind: 'union', members: [list, { kind: 'undefined' }] } : list;
}
