/**
 * Writes any value as JSON that keeps what JSON loses: types, special numbers, bytes, errors, cycles. Runs in
 * the child, on both hosts, hence uses the language alone.
 */

export type Written = null | boolean | number | string | readonly unknown[] | { readonly [key: string]: unknown };

const DEPTH_MAX = 12;

interface Walk {
  readonly path: readonly unknown[];
}

export function serialise(value: unknown, walk: Walk = { path: [] }): Written {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0) ? value : tag('number', Object.is(value, -0) ? '-0' : String(value));
    case 'undefined':
      return tag('undefined');
    case 'bigint':
      return tag('bigint', String(value));
    case 'symbol':
      return tag('symbol', String(value));
    case 'function':
      return tag('function', value.name);
    default:
      return value === null ? null : serialiseObject(value as object, walk);
  }
}

const tag = (type: string, ...values: unknown[]): Written => ({
  '': type,
  ...(values.length > 0 ? { is: values.length === 1 ? values[0] : values } : {}),
});

function serialiseObject(value: object, walk: Walk): Written {
  const at = walk.path.indexOf(value);
  if (at >= 0) return tag('cycle', at);
  if (walk.path.length >= DEPTH_MAX) return tag('too deep');
  const deeper: Walk = { path: [...walk.path, value] };
  const inner = (item: unknown): Written => serialise(item, deeper);
  if (Array.isArray(value)) return serialiseArray(value, inner);
  if (isError(value)) return serialiseError(value, inner);
  return serialiseKnown(value, inner) ?? serialisePlain(value, inner);
}

function serialiseArray(value: readonly unknown[], inner: (item: unknown) => Written): Written {
  return Array.from(value, (item, index) => (index in value ? inner(item) : tag('hole')));
}

const brand = (value: object): string => Object.prototype.toString.call(value).slice('[object '.length, -1);

/** Errors of any realm; `DOMException` is one where the host says so. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || (typeof value === 'object' && value !== null && brand(value) === 'Error');
}

/** Everything an error shows except its stack, which names files and differs between engines. */
export function serialiseError(error: Error, inner: (item: unknown) => Written): Written {
  const fields: Record<string, Written> = {};
  for (const key of Object.keys(error).sort()) {
    if (key !== 'stack' && key !== 'message' && key !== 'name') fields[key] = inner(Reflect.get(error, key));
  }
  const code = Reflect.get(error, 'code') as unknown;
  if (code !== undefined) fields['code'] = inner(code);
  if (Object.hasOwn(error, 'cause')) fields['cause'] = inner(error.cause);
  return { '': 'error', class: constructorName(error), name: String(error.name), message: String(error.message), ...fields };
}

function serialiseKnown(value: object, inner: (item: unknown) => Written): Written | undefined {
  if (value instanceof Date) return tag('Date', Number.isNaN(value.getTime()) ? 'invalid' : value.toISOString());
  if (value instanceof RegExp) return tag('RegExp', String(value));
  if (value instanceof Map) return { '': 'Map', entries: Array.from(value, ([key, item]) => [inner(key), inner(item)]) };
  if (value instanceof Set) return { '': 'Set', items: Array.from(value, inner) };
  if (value instanceof Promise) return tag('Promise');
  if (value instanceof ArrayBuffer) return tag('ArrayBuffer', hex(new Uint8Array(value)));
  if (value instanceof DataView) return tag('DataView', hex(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)));
  if (ArrayBuffer.isView(value)) return serialiseTyped(value as Uint8Array, inner);
  if (value instanceof String || value instanceof Number || value instanceof Boolean) return { '': 'boxed', is: inner(value.valueOf()) };
  return undefined;
}

function serialiseTyped(value: Uint8Array, inner: (item: unknown) => Written): Written {
  const name = constructorName(value);
  return name === 'Buffer' || name === 'Uint8Array' ? tag(name, hex(value)) : { '': name, is: Array.from(value, inner) };
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Plain objects by their fields, in order; instances of any other class by its name, as their fields are the
 * host's own affair.
 */
function serialisePlain(value: object, inner: (item: unknown) => Written): Written {
  const prototype = Object.getPrototypeOf(value) as object | null;
  const name = prototype === null ? '[null prototype]' : constructorName(value);
  if (prototype !== null && name !== 'Object') return tag('instance', name);
  const fields = Reflect.ownKeys(value).filter((key) => Object.prototype.propertyIsEnumerable.call(value, key));
  return { '': name, fields: fields.map((key) => [typeof key === 'string' ? key : String(key), inner(read(value, key))]) };
}

function read(value: object, key: string | symbol): unknown {
  try {
    return Reflect.get(value, key) as unknown;
  } catch (error) {
    return error;
  }
}

function constructorName(value: object): string {
  const constructor = (value as { constructor?: unknown }).constructor;
  return typeof constructor === 'function' ? constructor.name : '[no constructor]';
}
