/**
 * Types of the standard library and of Node that have a shape of their own, and those of which a message can
 * say more than that they have functions. Told by name and by where they are declared: a class `Map` of the
 * application's is none of them.
 */
import ts from 'typescript';
import type { BytesType, Shape } from '../../../fulmar/src/shape/shape.ts';

const BYTES: ReadonlySet<string> = new Set<BytesType>([
  'ArrayBuffer',
  'SharedArrayBuffer',
  'DataView',
  'Buffer',
  'Uint8Array',
  'Uint8ClampedArray',
  'Uint16Array',
  'Uint32Array',
  'Int8Array',
  'Int16Array',
  'Int32Array',
  'Float16Array',
  'Float32Array',
  'Float64Array',
  'BigInt64Array',
  'BigUint64Array',
]);

/** Classes of `Temporal` that are sent as their text. */
const TEMPORAL: ReadonlySet<string> = new Set([
  'Instant',
  'PlainDate',
  'PlainDateTime',
  'PlainMonthDay',
  'PlainTime',
  'PlainYearMonth',
  'ZonedDateTime',
  'Duration',
]);

/** What has no form outside of its process, and what to do instead. */
const ADVICE: Readonly<Record<string, string>> = {
  Promise: 'is a promise: await the value and name its type',
  PromiseLike: 'is a promise: await the value and name its type',
  String: 'is the object String: write string',
  Number: 'is the object Number: write number',
  Boolean: 'is the object Boolean: write boolean',
  Symbol: 'is a symbol, which no other process knows',
  BigInt: 'is the object BigInt: write bigint',
  Function: 'is a function, which cannot be sent',
  WeakMap: 'is a WeakMap, whose members cannot be listed: use a Map',
  WeakSet: 'is a WeakSet, whose members cannot be listed: use a Set',
  Error: 'is an Error: name what of it is sent, as { message: string }',
  Blob: 'is a Blob, whose bytes are read later: make it a parameter of its own, of an RPC procedure, or use Uint8Array',
  File: 'is a File, whose bytes are read later: make it a parameter of its own, of an RPC procedure, or use Uint8Array',
  ReadableStream: 'is a stream, which is read once: make it a parameter of its own, of an RPC procedure, or the whole result',
  Iterator: 'is an iterator, which is read once: use an array',
  Generator: 'is an iterator, which is read once: use an array',
  AsyncGenerator: 'is an iterator, which is read once: use an array',
};

export type Builtin =
  | { readonly kind: 'shape'; readonly shape: Shape }
  | { readonly kind: 'map' | 'set' }
  | { readonly kind: 'problem'; readonly message: string };

/** What `type` is, if it is one of the platform's. */
export function builtinOf(type: ts.Type, program: ts.Program): Builtin | undefined {
  const symbol = type.getSymbol();
  if (symbol === undefined || !isOfPlatform(symbol, program)) return undefined;
  const { name } = symbol;
  const space = (symbol as ts.Symbol & { readonly parent?: ts.Symbol }).parent?.name;
  if (space === 'Temporal' && TEMPORAL.has(name))
    return { kind: 'shape', shape: { kind: 'codec', name: `Temporal.${name}`, wire: { kind: 'string' } } };
  if (BYTES.has(name)) return { kind: 'shape', shape: { kind: 'bytes', type: name as BytesType } };
  if (name === 'Date') return { kind: 'shape', shape: { kind: 'date' } };
  if (name === 'RegExp') return { kind: 'shape', shape: { kind: 'regexp' } };
  if (name === 'URL') return { kind: 'shape', shape: { kind: 'url' } };
  if (name === 'Map' || name === 'ReadonlyMap') return { kind: 'map' };
  if (name === 'Set' || name === 'ReadonlySet') return { kind: 'set' };
  const advice = Object.hasOwn(ADVICE, name) ? ADVICE[name] : undefined;
  return advice === undefined ? undefined : { kind: 'problem', message: advice };
}

/** Declared by TypeScript's libraries or by Node's types, at least once: interfaces may be added to. */
export function isOfPlatform(symbol: ts.Symbol, program: ts.Program): boolean {
  return (symbol.declarations ?? []).some((declaration) => {
    const file = declaration.getSourceFile();
    return (
      program.isSourceFileDefaultLibrary(file) ||
      /[\\/]node_modules[\\/](?:@types[\\/]node|undici-types|bun-types)[\\/]/.test(file.fileName)
    );
  });
}
