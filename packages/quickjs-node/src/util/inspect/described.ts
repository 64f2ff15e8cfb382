/**
 * What kind of object it is: the text in front, the braces, which properties, what is inside.
 */
import types from '../types.module.ts';
import type { Context } from './context.ts';
import { arrayBufferEntries, arrayEntries, mapEntries, promiseEntries, setEntries, typedArrayEntries, unknownEntries } from './entries.ts';
import { errorText, isError } from './errors.ts';
import { boxedKind, boxedText, functionText } from './functions.ts';
import type { Entries } from './layout.ts';
import { type Named, objectPrefix, prefixOf } from './names.ts';
import { shownNumber } from './text.ts';

export interface Described {
  base: string;
  braces: [string, string];
  keys: PropertyKey[];
  extraKeys: readonly string[];
  entries: Entries;
  typedArray: boolean;
  inside: (depth: number) => string[];
}

export interface Subject {
  context: Context;
  value: object;
  named: Named;
  depth: number;
  /** The buffer of a typed array, which has been shown. */
  typedArray: boolean;
  /** Properties of prototypes will be shown. */
  inherited: boolean;
}

const none = (): string[] => [];

function is(name: string, value: unknown): boolean {
  return types[name]?.(value) === true;
}

function isEnumerable(value: object, key: PropertyKey): boolean {
  return Object.prototype.propertyIsEnumerable.call(value, key);
}

function keysOf({ context, value }: Subject): PropertyKey[] {
  if (context.showHidden) return [...Object.getOwnPropertyNames(value), ...Object.getOwnPropertySymbols(value)];
  return [...Object.keys(value), ...Object.getOwnPropertySymbols(value).filter((key) => isEnumerable(value, key))];
}

/** Keys of an array other than its indices. */
function namedKeys({ context, value }: Subject): PropertyKey[] {
  return Reflect.ownKeys(value).filter((key) => {
    if (typeof key === 'string' && /^(0|[1-9]\d*)$/.test(key)) return false;
    return context.showHidden || isEnumerable(value, key);
  });
}

function shape(keys: PropertyKey[], braces: [string, string], more: Partial<Described> = {}): Described {
  return { base: '', braces, keys, extraKeys: [], entries: 'object', typedArray: false, inside: none, ...more };
}

/** The kind of an object, or its whole text when there is nothing inside. */
export function described(subject: Subject): Described | string {
  const { value, named } = subject;
  if (Symbol.iterator in value || named.constructor === null) {
    const found = iterable(subject);
    if (found !== undefined) return found;
  }
  return other(subject);
}

function iterable(subject: Subject): Described | string | undefined {
  const { context, value, named, inherited } = subject;
  if (Array.isArray(value)) {
    const plain = named.constructor === 'Array' && named.tag === '';
    const open = `${plain ? '' : prefixOf(named, 'Array', `(${value.length})`)}[`;
    const keys = namedKeys(subject);
    if (value.length === 0 && keys.length === 0 && !inherited) return `${open}]`;
    return shape(keys, [open, ']'], { entries: 'array-extras', inside: (depth) => arrayEntries(context, value, depth) });
  }
  if (is('isSet', value)) return collection(subject, 'Set', (depth) => setEntries(context, value as Set<unknown>, depth));
  if (is('isMap', value)) {
    return collection(subject, 'Map', (depth) => mapEntries(context, value as Map<unknown, unknown>, depth));
  }
  if (is('isTypedArray', value)) return typedArray(subject);
  for (const kind of ['Map', 'Set']) {
    if (!is(`is${kind}Iterator`, value)) continue;
    const tag = named.tag === `${kind} Iterator` || named.tag === '' ? `${kind} Iterator` : `${named.tag}] [${kind} Iterator`;
    // QuickJS tells nothing of what an iterator has yet to give.
    return shape(keysOf(subject), [`[${tag}] {`, '}'], { inside: () => unknownEntries(context) });
  }
  return undefined;
}

function sizeOf(value: object, kind: 'Map' | 'Set'): number {
  const prototype = kind === 'Map' ? Map.prototype : Set.prototype;
  return Object.getOwnPropertyDescriptor(prototype, 'size')?.get?.call(value) as number;
}

function collection(subject: Subject, kind: 'Map' | 'Set', inside: (depth: number) => string[]): Described | string {
  const size = sizeOf(subject.value, kind);
  const prefix = prefixOf(subject.named, kind, `(${size})`);
  const keys = keysOf(subject);
  if (size === 0 && keys.length === 0 && !subject.inherited) return `${prefix}{}`;
  return shape(keys, [`${prefix}{`, '}'], { inside });
}

const TYPED_ARRAY_KEYS = ['BYTES_PER_ELEMENT', 'length', 'byteLength', 'byteOffset', 'buffer'];

function typedArray(subject: Subject): Described | string {
  const { context, named } = subject;
  const value = subject.value as Uint8Array;
  const tag = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)?.get?.call(value) as string;
  const open = `${prefixOf(named, named.constructor === null ? tag : '', `(${value.length})`)}[`;
  const keys = namedKeys(subject);
  if (value.length === 0 && keys.length === 0 && !context.showHidden) return `${open}]`;
  const extras = context.showHidden ? { extraKeys: TYPED_ARRAY_KEYS, typedArray: true } : {};
  return shape(keys, [open, ']'], { entries: 'array-extras', inside: () => typedArrayEntries(context, value), ...extras });
}

function other(subject: Subject): Described | string {
  const { context, value, named } = subject;
  const keys = keysOf(subject);
  const alone = keys.length === 0 && !subject.inherited;
  if (typeof value === 'function') {
    const base = functionText(context, value as { name: unknown }, named);
    return alone ? context.stylize(base, 'special') : shape(keys, ['{', '}'], { base });
  }
  if (named.constructor === 'Object') {
    const argumentsObject = is('isArgumentsObject', value);
    const open = argumentsObject ? '[Arguments] {' : named.tag === '' ? '{' : `${prefixOf(named, 'Object')}{`;
    return alone ? `${open}}` : shape(keys, [open, '}']);
  }
  return withBase(subject, keys, alone) ?? holder(subject, keys) ?? plainObject(subject, keys, alone);
}

/** Objects that are text of their own: expressions, dates, errors, boxed primitives, URLs. */
function withBase(subject: Subject, keys: PropertyKey[], alone: boolean): Described | string | undefined {
  const { context, value, named, depth } = subject;
  const prefixed = (kind: string, text: string): string => {
    const prefix = prefixOf(named, kind);
    return prefix === `${kind} ` ? text : prefix + text;
  };
  const deep = context.depth !== null && depth > context.depth;
  if (is('isRegExp', value)) {
    const base = context.stylize(prefixed('RegExp', RegExp.prototype.toString.call(value)), 'regexp');
    return alone || deep ? base : shape(keys, ['{', '}'], { base });
  }
  if (is('isDate', value)) {
    const date = value as Date;
    const time = Date.prototype.getTime.call(date);
    const base = prefixed('Date', Number.isNaN(time) ? Date.prototype.toString.call(date) : Date.prototype.toISOString.call(date));
    return alone ? context.stylize(base, 'date') : shape(keys, ['{', '}'], { base });
  }
  if (isError(value)) {
    const base = errorText(context, value, named, keys);
    return keys.length === 0 && !subject.inherited ? base : shape(keys, ['{', '}'], { base });
  }
  const boxed = boxedKind(value);
  if (boxed !== undefined) {
    const base = boxedText(context, value, boxed, keys, named);
    return keys.length === 0 && !subject.inherited ? base : shape(keys, ['{', '}'], { base });
  }
  if (named.constructor === 'URL' && value instanceof URL && !deep) {
    return keys.length === 0 && !subject.inherited ? value.href : shape(keys, ['{', '}'], { base: value.href });
  }
  return undefined;
}

/** Objects that hold something that is no property. */
function holder(subject: Subject, keys: PropertyKey[]): Described | string | undefined {
  const { context, value, named } = subject;
  const open = (kind: string): [string, string] => [`${prefixOf(named, kind)}{`, '}'];
  if (is('isAnyArrayBuffer', value)) {
    const buffer = value as ArrayBuffer;
    const kind = is('isArrayBuffer', value) ? 'ArrayBuffer' : 'SharedArrayBuffer';
    if (subject.typedArray && keys.length === 0) {
      return `${prefixOf(named, kind)}{ [byteLength]: ${shownNumber(context.stylize, buffer.byteLength, false)} }`;
    }
    const inside = subject.typedArray ? none : (): string[] => arrayBufferEntries(context, buffer);
    return shape(keys, open(kind), { extraKeys: ['byteLength'], inside });
  }
  if (is('isDataView', value)) return shape(keys, open('DataView'), { extraKeys: ['byteLength', 'byteOffset', 'buffer'] });
  if (is('isPromise', value)) {
    return shape(keys, open('Promise'), { inside: (depth) => promiseEntries(context, value as Promise<unknown>, depth) });
  }
  for (const kind of ['WeakSet', 'WeakMap']) {
    if (is(`is${kind}`, value)) return shape(keys, open(kind), { inside: () => unknownEntries(context) });
  }
  return is('isModuleNamespaceObject', value) ? shape(keys, open('Module')) : undefined;
}

function plainObject({ value, named }: Subject, keys: PropertyKey[], alone: boolean): Described | string {
  const prefix = objectPrefix(value, named);
  return alone ? `${prefix}{}` : shape(keys, [`${prefix}{`, '}']);
}
