/**
 * `URLSearchParams`: a list of names and values; the host parses and writes its text.
 */
import ops from 'fulmar:ops';
import { coded, invalidThis, missingArgs } from '../shared/errors.ts';
import { validateFunction } from '../shared/validators.ts';
import { exposed, inspectCustom, type Inspect, type InspectOptions } from './idl.later.ts';

type Changed = (params: URLSearchParams) => void;
type Kind = 'key' | 'value' | 'entry';

/** Gives the parameters their URL, which hears of every change. */
export let linkParams: (params: URLSearchParams, changed: Changed) => void;
/** Takes the text of the URL's query. */
export let setParams: (params: URLSearchParams, text: string) => void;
let listOf: (params: URLSearchParams) => string[];

function well(value: unknown): string {
  const text = `${value as string}` as string & { toWellFormed(): string };
  return text.toWellFormed();
}

function parsed(text: string): string[] {
  const query = text.startsWith('?') ? text.slice(1) : text;
  return query === '' ? [] : ops.formParse(query);
}

function invalidTuple(): Error {
  return coded(TypeError, 'ERR_INVALID_TUPLE', 'Each query pair must be an iterable [name, value] tuple');
}

function fromPairs(pairs: Iterable<unknown>): string[] {
  const list: string[] = [];
  for (const pair of pairs) {
    const iterable = pair !== null && (typeof pair === 'object' || typeof pair === 'function');
    if (!iterable || typeof (pair as { [Symbol.iterator]?: unknown })[Symbol.iterator] !== 'function') throw invalidTuple();
    const parts = [...(pair as Iterable<unknown>)];
    if (parts.length !== 2) throw invalidTuple();
    list.push(well(parts[0]), well(parts[1]));
  }
  return list;
}

function fromRecord(record: object): string[] {
  const values = new Map<string, string>();
  for (const key of Reflect.ownKeys(record)) {
    if (Object.getOwnPropertyDescriptor(record, key)?.enumerable !== true) continue;
    // A symbol cannot be converted: this throws the TypeError that is expected.
    values.set(well(key), well((record as Record<string | symbol, unknown>)[key]));
  }
  return [...values].flat();
}

function initial(init: unknown): string[] {
  if (init === undefined || init === null) return [];
  if (typeof init !== 'object' && typeof init !== 'function') return parsed(well(init));
  const method = (init as { [Symbol.iterator]?: unknown })[Symbol.iterator];
  if (method === undefined || method === null) return fromRecord(init);
  if (typeof method !== 'function') throw coded(TypeError, 'ERR_ARG_NOT_ITERABLE', 'Query pairs must be iterable');
  return fromPairs(init as Iterable<unknown>);
}

export class URLSearchParams {
  #list: string[];
  #changed: Changed | undefined;

  static {
    linkParams = (params, changed) => {
      params.#changed = changed;
    };
    setParams = (params, text) => {
      params.#list = parsed(text);
    };
    listOf = (params) => params.#list;
  }

  constructor(init?: unknown) {
    this.#list = initial(init);
  }

  /** Checks `this` and the number of arguments. */
  static #check(self: unknown, given: number, ...names: string[]): void {
    if (typeof self !== 'object' || self === null || !(#list in self)) throw invalidThis('URLSearchParams');
    if (given < names.length) throw missingArgs(...names);
  }

  get size(): number {
    URLSearchParams.#check(this, 0);
    return this.#list.length / 2;
  }

  append(name: string, value: string): void {
    URLSearchParams.#check(this, arguments.length, 'name', 'value');
    this.#list.push(well(name), well(value));
    this.#changed?.(this);
  }

  delete(name: string, value?: string): void {
    URLSearchParams.#check(this, arguments.length, 'name');
    const wanted = well(name);
    const wantedValue = value === undefined ? undefined : well(value);
    this.#keep((key, item) => key !== wanted || (wantedValue !== undefined && item !== wantedValue));
    this.#changed?.(this);
  }

  #keep(stays: (name: string, value: string) => boolean): void {
    const list = this.#list;
    let end = 0;
    for (let at = 0; at < list.length; at += 2) {
      const name = list[at] as string;
      const value = list[at + 1] as string;
      if (!stays(name, value)) continue;
      list[end] = name;
      list[end + 1] = value;
      end += 2;
    }
    list.length = end;
  }

  get(name: string): string | null {
    URLSearchParams.#check(this, arguments.length, 'name');
    const wanted = well(name);
    const list = this.#list;
    for (let at = 0; at < list.length; at += 2) if (list[at] === wanted) return list[at + 1] as string;
    return null;
  }

  getAll(name: string): string[] {
    URLSearchParams.#check(this, arguments.length, 'name');
    const wanted = well(name);
    const list = this.#list;
    const values: string[] = [];
    for (let at = 0; at < list.length; at += 2) if (list[at] === wanted) values.push(list[at + 1] as string);
    return values;
  }

  has(name: string, value?: string): boolean {
    URLSearchParams.#check(this, arguments.length, 'name');
    const wanted = well(name);
    const wantedValue = value === undefined ? undefined : well(value);
    const list = this.#list;
    for (let at = 0; at < list.length; at += 2) {
      if (list[at] === wanted && (wantedValue === undefined || list[at + 1] === wantedValue)) return true;
    }
    return false;
  }

  set(name: string, value: string): void {
    URLSearchParams.#check(this, arguments.length, 'name', 'value');
    const wanted = well(name);
    const text = well(value);
    let found = false;
    this.#keep((key) => {
      if (key !== wanted) return true;
      const first = !found;
      found = true;
      return first;
    });
    if (found) this.#list[this.#place(wanted) + 1] = text;
    else this.#list.push(wanted, text);
    this.#changed?.(this);
  }

  #place(name: string): number {
    let at = 0;
    while (this.#list[at] !== name) at += 2;
    return at;
  }

  sort(): void {
    URLSearchParams.#check(this, 0);
    const pairs: [string, string][] = [];
    for (let at = 0; at < this.#list.length; at += 2) pairs.push([this.#list[at] as string, this.#list[at + 1] as string]);
    pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    this.#list = pairs.flat();
    this.#changed?.(this);
  }

  entries(): PairIterator {
    URLSearchParams.#check(this, 0);
    return new PairIterator(this, 'entry');
  }

  forEach(callback: (value: string, name: string, params: URLSearchParams) => void, thisArg?: unknown): void {
    URLSearchParams.#check(this, 0);
    validateFunction(callback, 'callback');
    for (let at = 0; at < this.#list.length; at += 2) {
      callback.call(thisArg, this.#list[at + 1] as string, this.#list[at] as string, this);
    }
  }

  keys(): PairIterator {
    URLSearchParams.#check(this, 0);
    return new PairIterator(this, 'key');
  }

  values(): PairIterator {
    URLSearchParams.#check(this, 0);
    return new PairIterator(this, 'value');
  }

  toString(): string {
    URLSearchParams.#check(this, 0);
    return this.#list.length === 0 ? '' : ops.formSerialize(this.#list);
  }

  [inspectCustom](depth: number, options: InspectOptions, inspect: Inspect): string {
    URLSearchParams.#check(this, 0);
    if (typeof depth === 'number' && depth < 0) return '[Object]';
    const inner = { ...options, depth: (options.depth ?? 2) - 1 };
    const pairs: string[] = [];
    for (let at = 0; at < this.#list.length; at += 2) {
      pairs.push(`${inspect(this.#list[at], inner)} => ${inspect(this.#list[at + 1], inner)}`);
    }
    const { name } = this.constructor;
    if (pairs.length === 0) return `${name} {}`;
    return pairs.join(', ').length > (options.breakLength ?? 80)
      ? `${name} {\n  ${pairs.join(',\n  ')} }`
      : `${name} { ${pairs.join(', ')} }`;
  }
}

class PairIterator {
  readonly #params: URLSearchParams;
  readonly #kind: Kind;
  #at = 0;

  constructor(params: URLSearchParams, kind: Kind) {
    this.#params = params;
    this.#kind = kind;
  }

  next(): IteratorResult<string | [string, string], undefined> {
    if (typeof this !== 'object' || this === null || !(#params in this)) throw invalidThis('URLSearchParamsIterator');
    const list = listOf(this.#params);
    const at = this.#at;
    if (at >= list.length) return { value: undefined, done: true };
    this.#at = at + 2;
    const [name, value] = [list[at] as string, list[at + 1] as string];
    return { value: this.#kind === 'key' ? name : this.#kind === 'value' ? value : [name, value], done: false };
  }

  [inspectCustom](depth: number, options: InspectOptions, inspect: Inspect): string {
    if (typeof depth === 'number' && depth < 0) return '[Object]';
    const list = listOf(this.#params).slice(this.#at);
    const shown: unknown[] = [];
    for (let at = 0; at < list.length; at += 2) {
      shown.push(this.#kind === 'key' ? list[at] : this.#kind === 'value' ? list[at + 1] : [list[at], list[at + 1]]);
    }
    return `URLSearchParams Iterator { ${shown.map((one) => inspect(one, options)).join(', ')} }`;
  }
}

Reflect.deleteProperty(PairIterator.prototype, 'constructor');
Object.setPrototypeOf(PairIterator.prototype, Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())) as object);
Object.defineProperty(PairIterator.prototype, 'next', { enumerable: true });
Object.defineProperty(PairIterator.prototype, Symbol.toStringTag, { value: 'URLSearchParams Iterator', configurable: true });

exposed(URLSearchParams);
Object.defineProperty(URLSearchParams.prototype, Symbol.iterator, {
  value: URLSearchParams.prototype.entries,
  configurable: true,
  writable: true,
});
