/**
 * Values on their way through JSON and back: what JSON has no form for becomes a text, a list or null, and a
 * hint beside it says what it was. Used by both ends of an RPC; knows no types and trusts no hint.
 */

/** A kind; a kind of collection with the hint of its list; or hints by key, for all items of a list under `*`. */
export type Hint = string | readonly [kind: string, inner: Hint | null, ...rest: unknown[]] | { readonly [key: string]: Hint };

export interface Wire {
  /** What `JSON.stringify` writes without losing anything. */
  readonly json: unknown;
  readonly as: Hint | undefined;
}

/** Levels of nesting, on both ways: a value that contains itself has no end. */
export const WIRE_DEPTH_MAX = 128;
/** Converting a bigint takes time by the square of its digits. */
const BIGINT_DIGITS_MAX = 1000;
const BIGINT = /^-?\d+$/;
const BYTES_PER_CALL = 8192;

/** A value that stands for itself in hints, beside those of JSON: a reference to another call. */
export type Special = (value: object) => Hint | undefined;

/** @throws TypeError for what cannot be sent: functions, symbols, what is nested too deep */
export function toWire(value: unknown, special?: Special, depth = 0): Wire {
  if (depth > WIRE_DEPTH_MAX)
    throw new TypeError(`a value nested deeper than ${WIRE_DEPTH_MAX} levels, or one that contains itself, cannot be sent`);
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return { json: value, as: undefined };
    case 'number':
      if (Number.isFinite(value)) return { json: value, as: undefined };
      return { json: null, as: Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf' };
    case 'bigint':
      return { json: String(value), as: 'bigint' };
    case 'undefined':
      return { json: null, as: 'undefined' };
    case 'object':
      return value === null ? { json: null, as: undefined } : objectToWire(value, special, depth);
    default:
      if (typeof value === 'function' && special?.(value) !== undefined) return { json: null, as: special(value) };
      throw new TypeError(`a ${typeof value} cannot be sent`);
  }
}

function objectToWire(value: object, special: Special | undefined, depth: number): Wire {
  const known = special?.(value);
  if (known !== undefined) return { json: null, as: known };
  if (Array.isArray(value)) return listToWire(value, special, depth);
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? { json: null, as: 'nodate' } : { json: value.toISOString(), as: 'date' };
  if (value instanceof URL) return { json: value.href, as: 'url' };
  if (value instanceof Uint8Array) return { json: toBase64(value), as: 'bytes' };
  if (value instanceof Map || value instanceof Set) {
    const { json, as } = listToWire([...(value as Iterable<unknown>)], special, depth);
    return { json, as: [value instanceof Map ? 'map' : 'set', as ?? null] };
  }
  refuseReadLater(value);
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return toWire((toJSON as () => unknown).call(value), special, depth + 1);
  const json: Record<string, unknown> = {};
  const hints: Record<string, Hint> = {};
  for (const key of Object.keys(value)) {
    const member = (value as Readonly<Record<string, unknown>>)[key];
    if (member === undefined) continue;
    const wire = toWire(member, special, depth + 1);
    put(json, key, wire.json);
    if (wire.as !== undefined) put(hints, key, wire.as);
  }
  return { json, as: Object.keys(hints).length === 0 ? undefined : hints };
}

/** Files, streams, generators: JSON would be an empty object. @throws TypeError */
export function refuseReadLater(value: object): void {
  if (Object.getPrototypeOf(value) === Object.prototype) return;
  // QuickJS loads the class with its first use.
  if (Symbol.asyncIterator in value || 'getReader' in value || ('arrayBuffer' in value && value instanceof Blob))
    throw new TypeError('a file or a stream cannot be sent here: clients send them as parameters, with fulmar/client/parts');
}

function listToWire(items: readonly unknown[], special: Special | undefined, depth: number): Wire {
  const wires = Array.from(items, (item) => toWire(item, special, depth + 1));
  return { json: wires.map((wire) => wire.json), as: hintOfList(wires.map(({ as }) => as)) };
}

/** Items that are alike have one hint. */
export function hintOfList(hints: readonly (Hint | undefined)[]): Hint | undefined {
  const [first] = hints;
  if (hints.every((as) => as === undefined)) return undefined;
  const text = JSON.stringify(first);
  if (first !== undefined && hints.every((as) => JSON.stringify(as) === text)) return { '*': first };
  return Object.fromEntries(hints.flatMap((as, at) => (as === undefined ? [] : [[String(at), as] as const])));
}

/** What a hint leads to that is no kind of ours; throws for what is none at all. */
export type Resolve = (hint: readonly unknown[]) => unknown;

/** The value again, changed in place. @throws TypeError for a hint that is none or does not fit */
export function fromWire(json: unknown, as: unknown, resolve?: Resolve): unknown {
  if (as === undefined) return json;
  if (typeof as === 'string') return single(json, as);
  if (Array.isArray(as)) return collection(json, as as readonly unknown[], resolve);
  if (typeof as !== 'object' || as === null || typeof json !== 'object' || json === null) throw misfit(as);
  const target = json as Record<string, unknown>;
  for (const key of Object.keys(as)) {
    const hint = (as as Readonly<Record<string, unknown>>)[key];
    if (key === '*' && Array.isArray(json)) {
      for (let at = 0; at < json.length; at += 1) json[at] = fromWire(json[at], hint, resolve);
    } else if (Object.hasOwn(target, key) && !(Array.isArray(json) && key === 'length')) target[key] = fromWire(target[key], hint, resolve);
    // What was left out of the value on its way has no need of its hint.
  }
  return json;
}

function collection(json: unknown, as: readonly unknown[], resolve: Resolve | undefined): unknown {
  const [kind, inner] = as;
  if (kind !== 'map' && kind !== 'set') {
    if (resolve === undefined) throw misfit(as);
    return resolve(as);
  }
  const list = fromWire(json, inner ?? undefined, resolve);
  if (!Array.isArray(list)) throw misfit(as);
  if (kind === 'set') return new Set(list);
  if (!list.every((entry) => Array.isArray(entry) && entry.length === 2)) throw misfit(as);
  return new Map(list as [unknown, unknown][]);
}

function single(json: unknown, kind: string): unknown {
  if (json === null) {
    if (kind === 'undefined') return undefined;
    if (kind === 'nan') return NaN;
    if (kind === 'inf') return Infinity;
    if (kind === '-inf') return -Infinity;
    if (kind === 'nodate') return new Date(NaN);
  }
  if (typeof json !== 'string') throw misfit(kind);
  if (kind === 'date') {
    const date = new Date(json);
    if (!Number.isNaN(date.getTime())) return date;
  }
  if (kind === 'bigint' && json.length <= BIGINT_DIGITS_MAX && BIGINT.test(json)) return BigInt(json);
  if (kind === 'url' && URL.canParse(json)) return new URL(json);
  if (kind === 'bytes') return fromBase64(json);
  throw misfit(kind);
}

const misfit = (hint: unknown): TypeError =>
  new TypeError(`the hint ${(JSON.stringify(hint) ?? typeof hint).slice(0, 60)} does not fit its value`);

function fromBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    throw misfit('bytes');
  }
}

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += BYTES_PER_CALL) binary += String.fromCharCode(...bytes.subarray(at, at + BYTES_PER_CALL));
  return btoa(binary);
}

/** An assignment to `__proto__` would not be a member. */
function put(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
  else object[key] = value;
}
