/**
 * Values that no type tells of, each with a tag before it: what `wire-hints.ts` is for JSON, in bytes. Knows the
 * same kinds, and all classes of bytes; lists of numbers, and of objects of the same members, are written closely.
 */
import { isPlainObject } from '../validate/kind.ts';
import { BYTES_CLASSES, nameOfBytes } from '../bytes-classes.ts';
import { isReadLater, readLater } from '../read-later.ts';
import { Head, INLINE_MIN, Tag, VALUE_DEPTH_MAX } from './form.ts';
import { Reader } from './reader.ts';
import { toBytes, type Writer, written } from './writer.ts';

/** From here on it is asked whether a list can be written closely. */
const CLOSE_MIN = 2;

/** A list of objects of the same members, in a form that can be written at once. At least one name, and a value for each row. */
export class Columns {
  readonly names: readonly string[];
  readonly columns: readonly (readonly unknown[])[];

  constructor(names: readonly string[], columns: readonly (readonly unknown[])[]) {
    this.names = names;
    this.columns = columns;
  }
}

type Members = Readonly<Record<string, unknown>>;

/** @throws TypeError for what cannot be sent: functions, symbols, what is nested too deep */
export function writeValue(w: Writer, value: unknown, depth = 0): void {
  switch (typeof value) {
    case 'number':
      return w.anyNumber(value);
    case 'string':
      w.byte(Tag.TEXT);
      return w.text(value);
    case 'boolean':
      return w.byte(value ? Tag.TRUE : Tag.FALSE);
    case 'undefined':
      return w.byte(Tag.UNDEFINED);
    case 'bigint':
      w.byte(Tag.BIGINT);
      return w.bigint(value);
    case 'object':
      if (value === null) return w.byte(Tag.NULL);
      if (depth > VALUE_DEPTH_MAX)
        throw new TypeError(`a value nested deeper than ${VALUE_DEPTH_MAX} levels, or one that contains itself, cannot be sent`);
      return writeObject(w, value, depth);
    default:
      throw new TypeError(`a ${typeof value} cannot be sent`);
  }
}

function writeObject(w: Writer, value: object, depth: number): void {
  if (Array.isArray(value)) return writeList(w, value, depth);
  if (value instanceof Columns) return writeRows(w, value, depth);
  if (isReadLater(value)) throw readLater();
  if (isMembers(value)) return writeMembers(w, value, depth);
  if (value instanceof Date) {
    w.byte(Tag.DATE);
    return w.time(value.getTime());
  }
  if (value instanceof URL) {
    w.byte(Tag.URL);
    return w.text(value.href);
  }
  if (value instanceof Map || value instanceof Set) return writeCollection(w, value, depth);
  if (toBytes(value) !== undefined) return writeBytes(w, value);
  return writeValue(w, (value as { toJSON(): unknown }).toJSON(), depth + 1);
}

/** An object as it is written in a program, whose members are its own. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && typeof (value as Members)['toJSON'] !== 'function';
}

/** Nothing but members: no class that has a form of its own. */
function isMembers(value: object): boolean {
  if (isPlain(value)) return true;
  if (value instanceof Date || value instanceof URL || value instanceof Map || value instanceof Set) return false;
  return toBytes(value) === undefined && typeof (value as Members)['toJSON'] !== 'function';
}

function writeList(w: Writer, list: readonly unknown[], depth: number): void {
  if (list.length >= CLOSE_MIN) {
    if (areNumbers(list)) {
      w.byte(Tag.NUMBERS);
      return w.packed(list, false);
    }
    const names = commonNames(list);
    if (names !== undefined) return writeRows(w, columnsOf(list as readonly Members[], names), depth);
  }
  w.byte(Tag.LIST);
  w.size(list.length);
  for (let at = 0; at < list.length; at += 1) writeValue(w, list[at], depth + 1);
}

function areNumbers(list: readonly unknown[]): boolean {
  for (let at = 0; at < list.length; at += 1) if (typeof list[at] !== 'number') return false;
  return true;
}

/** Of objects that have the same members in the same order, all of them with a value. */
function commonNames(list: readonly unknown[]): readonly string[] | undefined {
  const [first] = list;
  if (!isPlainObject(first) || !isPlain(first)) return undefined;
  const names = Object.keys(first);
  if (names.length === 0) return undefined;
  for (let at = 0; at < list.length; at += 1) {
    const item = list[at];
    if (!isPlainObject(item) || !isPlain(item)) return undefined;
    let found = 0;
    for (const name in item) {
      if (names[found] !== name || item[name] === undefined) return undefined;
      found += 1;
    }
    if (found !== names.length) return undefined;
  }
  return names;
}

/** Column by column, so that numbers of many objects are one block. */
function writeRows(w: Writer, { names, columns }: Columns, depth: number): void {
  w.byte(Tag.ROWS);
  w.size(names.length);
  for (const name of names) writeName(w, name);
  for (const column of columns) writeList(w, column, depth + 1);
}

const columnsOf = (rows: readonly Members[], names: readonly string[]): Columns =>
  new Columns(
    names,
    names.map((name) => rows.map((row) => row[name])),
  );

function writeMembers(w: Writer, value: object, depth: number): void {
  const names = Object.keys(value).filter((name) => (value as Members)[name] !== undefined);
  w.byte(Tag.OBJECT);
  w.size(names.length);
  for (const name of names) {
    writeName(w, name);
    writeValue(w, (value as Members)[name], depth + 1);
  }
}

/** As in JSON: a member of that name would be refused where it arrives. */
function writeName(w: Writer, name: string): void {
  if (name === '__proto__') throw new TypeError('a member __proto__ cannot be sent: rename it');
  w.text(name);
}

function writeCollection(w: Writer, value: ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>, depth: number): void {
  w.byte(value instanceof Map ? Tag.MAP : Tag.SET);
  w.size(value.size);
  if (value instanceof Map) {
    for (const [key, member] of value) {
      writeValue(w, key, depth + 1);
      writeValue(w, member, depth + 1);
    }
  } else for (const item of value as ReadonlySet<unknown>) writeValue(w, item, depth + 1);
}

function writeBytes(w: Writer, value: object): void {
  w.byte(Tag.BYTES);
  w.byte(BYTES_CLASSES.indexOf(nameOfBytes(value)));
  w.bytesOf(value);
}

/** @throws DecodeError */
export function readValue(r: Reader, depth = 0): unknown {
  const head = r.byte();
  if (head < Head.INT16) return head + INLINE_MIN;
  switch (head) {
    case Tag.TEXT:
      return r.text();
    case Tag.NULL:
      return null;
    case Tag.UNDEFINED:
      return undefined;
    case Tag.FALSE:
      return false;
    case Tag.TRUE:
      return true;
    case Tag.BIGINT:
      return r.bigint();
    case Tag.DATE:
      return r.anyDate();
    case Tag.URL:
      return r.url();
    case Tag.BYTES:
      return readBytes(r);
    case Tag.NUMBERS:
      return r.packed();
    default:
      return head < Tag.LIST ? r.numberOf(head) : readObject(r, head, depth);
  }
}

function readObject(r: Reader, head: number, depth: number): unknown {
  if (depth > VALUE_DEPTH_MAX) return r.refuse(`a value nested ${VALUE_DEPTH_MAX} levels deep at most`, 'a deeper one');
  switch (head) {
    case Tag.LIST: {
      const list: unknown[] = [];
      for (let count = r.count(); count > 0; count -= 1) list.push(readValue(r, depth + 1));
      return list;
    }
    case Tag.OBJECT: {
      const made: Record<string, unknown> = {};
      for (let count = r.count(); count > 0; count -= 1) made[nameOf(r)] = readValue(r, depth + 1);
      return made;
    }
    case Tag.ROWS:
      return readRows(r, depth);
    case Tag.MAP: {
      const map = new Map<unknown, unknown>();
      for (let count = r.entries(); count > 0; count -= 1) map.set(readValue(r, depth + 1), readValue(r, depth + 1));
      return map;
    }
    case Tag.SET: {
      const set = new Set<unknown>();
      for (let count = r.entries(); count > 0; count -= 1) set.add(readValue(r, depth + 1));
      return set;
    }
    default:
      return r.refuse('a value', `the byte ${head}`);
  }
}

function readRows(r: Reader, depth: number): unknown {
  const names: string[] = [];
  for (let count = r.count(); count > 0; count -= 1) names.push(nameOf(r));
  if (names.length === 0) return r.refuse('names of members', 'none');
  const columns = names.map(() => readColumn(r, depth + 1));
  const { length } = columns[0] as unknown[];
  if (columns.some((column) => column.length !== length)) return r.refuse('columns of the same length', 'others');
  const rows: object[] = [];
  for (let at = 0; at < length; at += 1) {
    const row: Record<string, unknown> = {};
    // No name is `__proto__`.
    for (let place = 0; place < names.length; place += 1) row[names[place] as string] = columns[place]?.[at];
    rows.push(row);
  }
  return rows;
}

function readColumn(r: Reader, depth: number): readonly unknown[] {
  const column = readValue(r, depth);
  return Array.isArray(column) ? column : r.refuse('a list', 'another value');
}

function nameOf(r: Reader): string {
  const name = r.text();
  return name === '__proto__' ? r.refuse('the name of a member', '__proto__, which is none') : name;
}

function readBytes(r: Reader): unknown {
  const name = BYTES_CLASSES[r.choice(BYTES_CLASSES.length)] ?? 'Uint8Array';
  const made = globalThis[name] as unknown as { new (buffer: ArrayBuffer): unknown; readonly BYTES_PER_ELEMENT?: number };
  const bytes = r.bytesCopy(made.BYTES_PER_ELEMENT ?? 1);
  return name === 'Uint8Array' ? bytes : name === 'ArrayBuffer' ? bytes.buffer : new made(bytes.buffer);
}

/** @throws TypeError for what cannot be sent */
export const toBinary = (value: unknown): Uint8Array<ArrayBuffer> => written(writeValue, value);

/** @throws DecodeError for what is none, and for a member `__proto__` */
export function fromBinary(bytes: unknown): unknown {
  const reader = new Reader(bytes);
  reader.begin();
  const value = readValue(reader);
  reader.finish();
  return value;
}
