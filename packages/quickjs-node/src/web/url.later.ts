/**
 * `URL`. The host parses; this class keeps the text and the places of its parts.
 */
import ops from 'fulmar:ops';
import { coded, invalidThis, missingArgs } from '../shared/errors.ts';
import { exposed, inspectCustom, type Inspect, type InspectOptions } from './idl.later.ts';
import { linkParams, setParams, URLSearchParams } from './url-search-params.later.ts';

type Parsed = readonly [href: string, ...places: number[]];
type Part = 'protocol' | 'username' | 'password' | 'host' | 'hostname' | 'port' | 'pathname' | 'search' | 'hash';

/** The places in `Parsed`, as `ops/url.rs` lists them. */
const AFTER_SCHEME = 1;
const BEFORE_USERNAME = 2;
const AFTER_USERNAME = 3;
const BEFORE_PASSWORD = 4;
const AFTER_PASSWORD = 5;
const BEFORE_HOST = 6;
const AFTER_HOST = 7;
const BEFORE_PORT = 8;
const AFTER_PORT = 9;
const BEFORE_PATH = 10;
const AFTER_PATH = 11;
const AFTER_QUERY = 12;

const WITH_ORIGIN: ReadonlySet<string> = new Set(['http:', 'https:', 'ws:', 'wss:', 'ftp:']);

/** Says to the constructor that it gets a parsed URL. */
const PARSED = Symbol('parsed');

function invalidUrl(input: string, base: string | undefined): Error {
  const error = coded(TypeError, 'ERR_INVALID_URL', 'Invalid URL');
  return Object.assign(error, base === undefined ? { input } : { input, base });
}

function parse(input: string, base: string | undefined): Parsed | null {
  return ops.urlParse(input, base) as Parsed | null;
}

export class URL {
  #parsed: Parsed;
  #params: URLSearchParams | undefined;

  constructor(input: string | { toString(): string }, base?: string | URL, parsed?: unknown) {
    if (arguments.length === 0) throw missingArgs('url');
    if (parsed === PARSED) {
      this.#parsed = input as unknown as Parsed;
      return;
    }
    const text = `${input as string}`;
    const baseText = base === undefined ? undefined : `${base as string}`;
    const result = parse(text, baseText);
    if (result === null) throw invalidUrl(text, baseText);
    this.#parsed = result;
  }

  static canParse(input: unknown, base?: unknown): boolean {
    if (arguments.length === 0) throw missingArgs('url');
    return base === undefined ? ops.urlCanParse(`${input as string}`) : ops.urlCanParse(`${input as string}`, `${base as string}`);
  }

  static parse(input: unknown, base?: unknown): URL | null {
    if (arguments.length === 0) throw missingArgs('url');
    const result = parse(`${input as string}`, base === undefined ? undefined : `${base as string}`);
    return result === null ? null : new URL(result as never, undefined, PARSED);
  }

  static createObjectURL(blob: unknown): string {
    return objectUrls().create(blob);
  }

  static revokeObjectURL(url: unknown): void {
    if (arguments.length === 0) throw missingArgs('url');
    objectUrls().revoke(`${url as string}`);
  }

  #part(from: number, to: number): string {
    return this.#parsed[0].slice(this.#parsed[from] as number, this.#parsed[to] as number);
  }

  #set(part: Part, value: unknown): void {
    const before = this.search;
    this.#parsed = ops.urlSet(this.#parsed[0], part, `${value as string}`) as Parsed;
    if (this.#params !== undefined && this.search !== before) setParams(this.#params, this.search);
  }

  get href(): string {
    return this.#parsed[0];
  }
  set href(value: string) {
    const text = `${value}`;
    const result = parse(text, undefined);
    if (result === null) throw invalidUrl(text, undefined);
    this.#parsed = result;
    if (this.#params !== undefined) setParams(this.#params, this.search);
  }

  get origin(): string {
    const { protocol } = this;
    if (WITH_ORIGIN.has(protocol)) return `${protocol}//${this.host}`;
    const inner = protocol === 'blob:' ? URL.parse(this.pathname) : null;
    return inner !== null && (inner.protocol === 'http:' || inner.protocol === 'https:') ? inner.origin : 'null';
  }

  get protocol(): string {
    return this.#parsed[0].slice(0, (this.#parsed[AFTER_SCHEME] as number) + 1);
  }
  set protocol(value: string) {
    this.#set('protocol', value);
  }

  get username(): string {
    return this.#part(BEFORE_USERNAME, AFTER_USERNAME);
  }
  set username(value: string) {
    this.#set('username', value);
  }

  get password(): string {
    return this.#part(BEFORE_PASSWORD, AFTER_PASSWORD);
  }
  set password(value: string) {
    this.#set('password', value);
  }

  get host(): string {
    return this.#part(BEFORE_HOST, AFTER_PORT);
  }
  set host(value: string) {
    this.#set('host', value);
  }

  get hostname(): string {
    return this.#part(BEFORE_HOST, AFTER_HOST);
  }
  set hostname(value: string) {
    this.#set('hostname', value);
  }

  get port(): string {
    return this.#part(BEFORE_PORT, AFTER_PORT);
  }
  set port(value: string) {
    this.#set('port', value);
  }

  get pathname(): string {
    return this.#part(BEFORE_PATH, AFTER_PATH);
  }
  set pathname(value: string) {
    this.#set('pathname', value);
  }

  get search(): string {
    const text = this.#part(AFTER_PATH, AFTER_QUERY);
    return text === '?' ? '' : text;
  }
  set search(value: string) {
    this.#set('search', value);
  }

  get searchParams(): URLSearchParams {
    if (this.#params === undefined) {
      this.#params = new URLSearchParams(this.search);
      linkParams(this.#params, (params) => {
        const text = String(params);
        this.#parsed = ops.urlSet(this.#parsed[0], 'search', text === '' ? '' : `?${text}`) as Parsed;
      });
    }
    return this.#params;
  }

  get hash(): string {
    const text = this.#parsed[0].slice(this.#parsed[AFTER_QUERY] as number);
    return text === '#' ? '' : text;
  }
  set hash(value: string) {
    this.#set('hash', value);
  }

  toString(): string {
    if (typeof this !== 'object' || this === null || !(#parsed in this)) throw invalidThis('URL');
    return this.#parsed[0];
  }

  toJSON(): string {
    return this.toString();
  }

  [inspectCustom](depth: number, options: InspectOptions, inspect: Inspect): unknown {
    if (typeof depth === 'number' && depth < 0) return this;
    const members: Record<string, unknown> = {};
    for (const name of SHOWN) members[name] = this[name];
    return `${this.constructor.name} ${inspect(members, options)}`;
  }
}

const SHOWN = [
  'href',
  'origin',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'searchParams',
  'hash',
] as const;

exposed(URL);
for (const name of ['canParse', 'parse', 'createObjectURL', 'revokeObjectURL']) Object.defineProperty(URL, name, { enumerable: true });

interface ObjectUrls {
  create(blob: unknown): string;
  revoke(url: string): void;
}

/** The registry belongs to `Blob`, which is loaded only now. */
function objectUrls(): ObjectUrls {
  return (globalThis as unknown as { Blob: { [key: symbol]: ObjectUrls } }).Blob[Symbol.for('fulmar.objectUrls')] as ObjectUrls;
}

export { URLSearchParams };
