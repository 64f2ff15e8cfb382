/**
 * Deep equality: loose (`assert.deepEqual`), strict (`util.isDeepStrictEqual`), and partial (all that is
 * expected is there).
 */
import ops from 'fulmar:ops';
import types from './types.module.ts';

type Mode = 'loose' | 'strict' | 'partial' | 'no-prototype';
type Bag = Record<PropertyKey, unknown>;

function is(name: string, value: unknown): boolean {
  return types[name]?.(value) === true;
}

function bytesOf(value: unknown): Uint8Array {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return new Uint8Array(value as ArrayBuffer);
}

function isNaNPair(a: unknown, b: unknown): boolean {
  return Number.isNaN(a) && Number.isNaN(b);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function enumerableSymbols(value: object): symbol[] {
  return Object.getOwnPropertySymbols(value).filter((key) => Object.prototype.propertyIsEnumerable.call(value, key));
}

/** Whether the bytes of `b` are in `a`, in their order. */
function containsBytes(a: Uint8Array, b: Uint8Array): boolean {
  let at = 0;
  for (const byte of b) {
    at = a.indexOf(byte, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

class Comparison {
  readonly #mode: Mode;
  /** Objects of the first value that are being compared, with their counterparts. */
  readonly #open = new Map<object, object>();

  constructor(mode: Mode) {
    this.#mode = mode;
  }

  equal(a: unknown, b: unknown): boolean {
    const loose = this.#mode === 'loose';
    if (a === b) return a !== 0 || loose || Object.is(a, b);
    if (!isObject(a) || !isObject(b)) {
      if (!loose) return typeof a === 'number' && isNaNPair(a, b);
      // oxlint-disable-next-line eqeqeq -- loose equality is what is asked for
      return !isObject(a) && !isObject(b) && (a == b || isNaNPair(a, b));
    }
    return this.#objects(a, b);
  }

  #objects(a: object, b: object): boolean {
    if (this.#mode === 'strict' && Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
    if (Object.prototype.toString.call(a) !== Object.prototype.toString.call(b)) return false;
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    return this.#sameKind(a, b) && this.#cycle(a, b);
  }

  /** What is no property: times, sources, bytes, boxed values. */
  #sameKind(a: object, b: object): boolean {
    const both = (name: string): boolean => is(name, a) || is(name, b);
    if (is('isDate', a)) return is('isDate', b) && Object.is((a as Date).getTime(), (b as Date).getTime());
    if (is('isRegExp', a)) return is('isRegExp', b) && this.#sameExpression(a as RegExp, b as RegExp);
    if (is('isNativeError', a) || a instanceof Error) return this.#sameError(a as Error, b as Error);
    if (ArrayBuffer.isView(a)) return ArrayBuffer.isView(b) && this.#sameBytes(a, b);
    if (is('isAnyArrayBuffer', a)) return is('isAnyArrayBuffer', b) && ops.compareBytes(bytesOf(a), bytesOf(b)) === 0;
    if (is('isBoxedPrimitive', a)) return is('isBoxedPrimitive', b) && Object.is(a.valueOf(), b.valueOf());
    for (const name of ['isWeakMap', 'isWeakSet', 'isPromise', 'isDate', 'isRegExp', 'isAnyArrayBuffer', 'isBoxedPrimitive']) {
      if (both(name)) return false;
    }
    if (both('isMap') || both('isSet')) return is('isMap', a) === is('isMap', b) && is('isSet', a) === is('isSet', b);
    return !ArrayBuffer.isView(b) && !(b instanceof Error) && this.#sameUrl(a, b);
  }

  #sameUrl(a: object, b: object): boolean {
    const known = (globalThis as unknown as { URL?: new () => object }).URL;
    if (known === undefined || !(a instanceof known)) return true;
    return b instanceof known && (a as unknown as URL).href === (b as unknown as URL).href;
  }

  #sameExpression(a: RegExp, b: RegExp): boolean {
    return a.source === b.source && a.flags === b.flags && a.lastIndex === b.lastIndex;
  }

  #sameError(a: Error, b: Error): boolean {
    if (!(is('isNativeError', b) || b instanceof Error)) return false;
    return (['message', 'name', 'cause', 'errors'] as const).every((key) => {
      const [first, second] = [(a as unknown as Bag)[key], (b as unknown as Bag)[key]];
      if (Object.prototype.propertyIsEnumerable.call(b, key)) return true;
      if (this.#mode === 'partial' && (second === undefined || (key === 'message' && second === ''))) return true;
      return this.equal(first, second);
    });
  }

  #sameBytes(a: ArrayBufferView, b: ArrayBufferView): boolean {
    if (this.#mode === 'partial') return containsBytes(bytesOf(a), bytesOf(b));
    if (a.byteLength !== b.byteLength) return false;
    const floats = is('isFloat32Array', a) || is('isFloat64Array', a) || is('isFloat16Array', a);
    if (this.#mode === 'loose' && floats) {
      const [first, second] = [a as Float64Array, b as Float64Array];
      return first.every((item, at) => item === second[at]);
    }
    return ops.compareBytes(bytesOf(a), bytesOf(b)) === 0;
  }

  #cycle(a: object, b: object): boolean {
    const known = this.#open.get(a);
    if (known !== undefined) return known === b;
    this.#open.set(a, b);
    const result = this.#contents(a, b);
    this.#open.delete(a);
    return result;
  }

  #contents(a: object, b: object): boolean {
    if (Array.isArray(a)) {
      const other = b as unknown[];
      if (this.#mode === 'partial') return this.#partialArray(a, other) && this.#keys(a, b, true);
      return a.length === other.length && this.#keys(a, b, false);
    }
    const partial = this.#mode === 'partial';
    if (is('isSet', a)) {
      const [first, second] = [a as Set<unknown>, b as Set<unknown>];
      if (partial ? first.size < second.size : first.size !== second.size) return false;
      if (
        !this.#matched(
          [...second],
          [...first],
          (x, y) => this.equal(y, x),
          (item) => first.has(item),
        )
      )
        return false;
    } else if (is('isMap', a)) {
      const [first, second] = [a as Map<unknown, unknown>, b as Map<unknown, unknown>];
      if (partial ? first.size < second.size : first.size !== second.size) return false;
      const same = (x: [unknown, unknown], y: [unknown, unknown]): boolean => this.equal(y[0], x[0]) && this.equal(y[1], x[1]);
      const direct = ([key, value]: [unknown, unknown]): boolean => !isObject(key) && first.has(key) && this.equal(first.get(key), value);
      if (!this.#matched([...second], [...first], same, direct)) return false;
    }
    return this.#keys(a, b, ArrayBuffer.isView(a));
  }

  /** Each of `wanted` has one of `found` for itself. */
  #matched<T>(wanted: T[], found: T[], same: (wanted: T, found: T) => boolean, direct: (wanted: T) => boolean): boolean {
    const left = new Set(found);
    return wanted.every((item) => {
      if (!isObject(item) && direct(item)) {
        left.delete(item);
        return true;
      }
      for (const candidate of left) {
        if (!same(item, candidate)) continue;
        left.delete(candidate);
        return true;
      }
      return false;
    });
  }

  /** The items of `b` are in `a` in their order. */
  #partialArray(a: readonly unknown[], b: readonly unknown[]): boolean {
    let at = 0;
    return Array.from(b.keys()).every((index) => {
      const gap = !Object.hasOwn(b, index);
      while (at < a.length && (Object.hasOwn(a, at) === gap || !this.equal(a[at], b[index]))) at += 1;
      at += 1;
      return at <= a.length;
    });
  }

  #keys(a: object, b: object, withoutIndices: boolean): boolean {
    const names = (value: object): string[] =>
      withoutIndices ? Object.keys(value).filter((key) => !/^(0|[1-9]\d*)$/.test(key)) : Object.keys(value);
    let keys: PropertyKey[] = names(b);
    const owns = (key: PropertyKey): boolean => Object.prototype.propertyIsEnumerable.call(a, key);
    if (this.#mode !== 'partial' && names(a).length !== keys.length) return false;
    if (!keys.every(owns)) return false;
    if (this.#mode !== 'loose') {
      const symbols = enumerableSymbols(b);
      if (this.#mode !== 'partial' && enumerableSymbols(a).length !== symbols.length) return false;
      if (!symbols.every(owns)) return false;
      keys = [...keys, ...symbols];
    }
    return keys.every((key) => this.equal((a as Bag)[key], (b as Bag)[key]));
  }
}

export function isDeepEqual(a: unknown, b: unknown): boolean {
  return new Comparison('loose').equal(a, b);
}

export function isDeepStrictEqual(a: unknown, b: unknown, skipPrototype = false): boolean {
  return new Comparison(skipPrototype ? 'no-prototype' : 'strict').equal(a, b);
}

export function isPartialStrictEqual(a: unknown, b: unknown): boolean {
  return new Comparison('partial').equal(a, b);
}
