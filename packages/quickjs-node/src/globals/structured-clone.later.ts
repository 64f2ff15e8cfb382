/**
 * `structuredClone`: a copy of a value with everything it holds, references among them included.
 */
import { copyOfKey } from '../crypto/key-bytes.ts';
import { coded, missingArgs } from '../shared/errors.ts';
import types from '../util/types.module.ts';
import { inspect } from '../util/show.ts';

interface Options {
  readonly transfer?: readonly unknown[];
}

const ERRORS: Readonly<Record<string, ErrorConstructor>> = {
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
};

function notCloneable(value: unknown): DOMException {
  const text = typeof value === 'object' && value !== null ? `#<${value.constructor?.name ?? 'Object'}>` : shown(value);
  return new DOMException(`${text} could not be cloned.`, 'DataCloneError');
}

function shown(value: unknown): string {
  return typeof value === 'function' ? Function.prototype.toString.call(value) : typeof value === 'symbol' ? String(value) : inspect(value);
}

function is(name: string, value: unknown): boolean {
  return types[name]?.(value) === true;
}

type Typed = Uint8Array & { constructor: new (buffer: ArrayBufferLike, offset: number, length: number) => Uint8Array };

class Cloner {
  readonly #known = new Map<object, unknown>();

  constructor(transferred: ReadonlyMap<object, unknown>) {
    for (const [from, to] of transferred) this.#known.set(from, to);
  }

  clone(value: unknown): unknown {
    if (typeof value === 'function' || typeof value === 'symbol') throw notCloneable(value);
    if (typeof value !== 'object' || value === null) return value;
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    return this.#simple(value) ?? this.#bytes(value) ?? this.#collection(value) ?? this.#object(value);
  }

  #keep<T extends object>(from: object, to: T): T {
    this.#known.set(from, to);
    return to;
  }

  #simple(value: object): object | undefined {
    if (is('isDate', value)) return this.#keep(value, new Date(Date.prototype.getTime.call(value as Date)));
    if (is('isRegExp', value)) return this.#keep(value, new RegExp((value as RegExp).source, (value as RegExp).flags));
    if (is('isSymbolObject', value)) throw notCloneable(value);
    if (is('isBoxedPrimitive', value)) return this.#keep(value, Object((value as { valueOf(): unknown }).valueOf()) as object);
    const key = copyOfKey(value);
    if (key !== undefined) return this.#keep(value, key);
    if (value instanceof DOMException) return this.#keep(value, new DOMException(value.message, value.name));
    return is('isNativeError', value) ? this.#error(value as Error) : undefined;
  }

  #error(value: Error): Error {
    const Base = ERRORS[value.name] ?? Error;
    const made = new Base(Object.hasOwn(value, 'message') ? String(value.message) : undefined);
    this.#keep(value, made);
    if (Object.hasOwn(value, 'stack')) {
      Object.defineProperty(made, 'stack', { value: String(value.stack), writable: true, configurable: true });
    }
    if (Object.hasOwn(value, 'cause')) {
      Object.defineProperty(made, 'cause', { value: this.clone(value.cause), writable: true, configurable: true });
    }
    return made;
  }

  #bytes(value: object): object | undefined {
    if (is('isArrayBuffer', value)) return this.#keep(value, (value as ArrayBuffer).slice(0));
    if (is('isSharedArrayBuffer', value)) return value;
    if (!ArrayBuffer.isView(value)) return undefined;
    const buffer = this.clone(value.buffer) as ArrayBuffer;
    if (is('isDataView', value)) return this.#keep(value, new DataView(buffer, value.byteOffset, value.byteLength));
    // The class of the engine, also for subclasses like Buffer.
    const tag = (value as Typed)[Symbol.toStringTag] as string;
    const Class = (globalThis as unknown as Record<string, Typed['constructor']>)[tag] as Typed['constructor'];
    return this.#keep(value, new Class(buffer, value.byteOffset, (value as Typed).length));
  }

  #collection(value: object): object | undefined {
    if (is('isMap', value)) {
      const copy = this.#keep(value, new Map<unknown, unknown>());
      for (const [key, held] of value as Map<unknown, unknown>) copy.set(this.clone(key), this.clone(held));
      return copy;
    }
    if (is('isSet', value)) {
      const copy = this.#keep(value, new Set<unknown>());
      for (const held of value as Set<unknown>) copy.add(this.clone(held));
      return copy;
    }
    return undefined;
  }

  #object(value: object): object {
    const refused = ['isPromise', 'isWeakMap', 'isWeakSet', 'isProxy', 'isGeneratorObject', 'isMapIterator', 'isSetIterator'];
    if (refused.some((name) => is(name, value)) || value instanceof WeakRef) throw notCloneable(value);
    const copy = this.#keep(value, Array.isArray(value) ? (new Array(value.length) as object) : {});
    for (const key of Object.keys(value)) {
      (copy as Record<string, unknown>)[key] = this.clone((value as Record<string, unknown>)[key]);
    }
    return copy;
  }
}

function transferred(list: readonly unknown[]): Map<object, unknown> {
  const moved = new Map<object, unknown>();
  list.forEach((item, index) => {
    if (typeof item !== 'object' || item === null) {
      const message = `Failed to execute 'structuredClone': transfer in Options[${index}] is not an object.`;
      throw coded(TypeError, 'ERR_INVALID_ARG_TYPE', message);
    }
    if (!is('isArrayBuffer', item) || moved.has(item)) {
      const text = is('isArrayBuffer', item) ? 'ArrayBuffer occurs more than once' : 'Value not transferable';
      throw new DOMException(text, 'DataCloneError');
    }
    moved.set(item, undefined);
  });
  for (const item of moved.keys()) moved.set(item, (item as ArrayBuffer & { transfer(): ArrayBuffer }).transfer());
  return moved;
}

export function structuredClone(value: unknown, options?: Options | null): unknown {
  if (arguments.length === 0) throw missingArgs('value');
  const list = options?.transfer ?? [];
  return new Cloner(list.length === 0 ? new Map() : transferred([...list])).clone(value);
}
