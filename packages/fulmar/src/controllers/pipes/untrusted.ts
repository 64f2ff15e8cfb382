/**
 * What is taken off values that clients have made before libraries see them: keys that reach prototypes, and the gaps of
 * lists, which their copies would leave out. In place, without recursion: how deep a value is, its client decides.
 */
import { isRecord } from './rejection.ts';

/** Not data: nothing in them is a client's. */
const BUILT_IN: readonly Function[] = [Date, RegExp, Error, Map, Set, WeakMap, WeakSet];
const INDEX_MAX = 2 ** 32 - 2;

const isData = (value: unknown): value is Record<PropertyKey, unknown> =>
  isRecord(value) && (!ArrayBuffer.isView(value) || value instanceof DataView) && !BUILT_IN.some((type) => value instanceof type);

/** Calls `visit` with each object once; it returns what is to be looked at behind it. */
function walk(value: unknown, visit: (one: Record<PropertyKey, unknown>) => Iterable<unknown>): void {
  const seen = new WeakSet();
  const waiting = [value];
  while (waiting.length > 0) {
    const one = waiting.pop();
    if (!isData(one) || seen.has(one)) continue;
    seen.add(one);
    for (const inner of visit(one)) waiting.push(inner);
  }
}

export function stripProtoKeys(value: unknown): void {
  walk(value, (one) => {
    // A list may say that it is long and have little: `Object.values()` leaves its gaps out.
    if (Array.isArray(one)) return Object.values(one as unknown[]);
    delete one['__proto__'];
    delete one['prototype'];
    if (!BUILT_IN.includes(one['constructor'] as Function)) delete (one as { constructor?: unknown }).constructor;
    const inner: unknown[] = [];
    for (const key in one) inner.push(one[key]);
    return inner;
  });
}

function isIndex(key: string): boolean {
  const index = Number(key);
  return Number.isInteger(index) && index >= 0 && index <= INDEX_MAX && String(index) === key;
}

/** The list itself where it has none. */
export function withoutGaps(list: unknown[]): unknown[] {
  const indexes = Object.keys(list).filter(isIndex);
  return indexes.length === list.length ? list : indexes.map((index) => list[Number(index)]);
}

export function closeGaps(value: unknown): void {
  walk(value, (one) => {
    if (!Array.isArray(one)) return Object.values(one);
    const items = withoutGaps(one);
    if (items !== one && Object.isExtensible(one)) {
      items.forEach((item, index) => (one[index] = item));
      one.length = items.length;
    }
    return items;
  });
}
