/**
 * The reply's header fields while they can still change: a flat list of interned names and values, in the
 * order of first setting. Semantics of Node's OutgoingMessage; a response without an exchange is Node's own
 * business.
 */
import { headersSent, throwHeadersSent, throwInvalidHeaders } from './errors.ts';
import { headerName, lookupName } from './header-name.ts';
import type { HeaderName } from './header-name.ts';
import { nodeHttp, nodeMethod } from './node-http.ts';
import type { ResponseState } from './response-state.ts';
import { checkValue } from './validate.ts';

const parent = nodeHttp.ServerResponse.prototype;
const foreign = {
  setHeader: nodeMethod(parent, 'setHeader'),
  setHeaders: nodeMethod(parent, 'setHeaders'),
  appendHeader: nodeMethod(parent, 'appendHeader'),
  getHeader: nodeMethod(parent, 'getHeader'),
  getHeaderNames: nodeMethod(parent, 'getHeaderNames'),
  getRawHeaderNames: nodeMethod(parent, 'getRawHeaderNames'),
  getHeaders: nodeMethod(parent, 'getHeaders'),
  hasHeader: nodeMethod(parent, 'hasHeader'),
  removeHeader: nodeMethod(parent, 'removeHeader'),
  renderHeaders: nodeMethod(parent, '_renderHeaders'),
};

export type HeaderList = (HeaderName | unknown)[];

/**
 * Lists of more elements than this, two for each field, are looked up in an index: no reply of an ordinary
 * application has so many.
 */
const SCANNED_MAX = 2 * 64;
/** Where each field stands in its list. What was appended since an index was used last is missing there. */
const indexes = new WeakMap<HeaderList, Map<string, number>>();

function indexedOf(list: HeaderList, lower: string): number {
  let index = indexes.get(list);
  if (index === undefined) indexes.set(list, (index = new Map()));
  for (let i = 2 * index.size; i < list.length; i += 2) index.set((list[i] as HeaderName).lower, i);
  return index.get(lower) ?? -1;
}

const scan = (list: HeaderList, lower: string): number => {
  for (let i = 0; i < list.length; i += 2) if ((list[i] as HeaderName).lower === lower) return i;
  return -1;
};

const indexOf = (list: HeaderList, lower: string): number => (list.length > SCANNED_MAX ? indexedOf(list, lower) : scan(list, lower));

/** Sets a field whose name and value are already checked. */
export function putHeader(res: ResponseState, name: HeaderName, value: unknown): void {
  const list = res._out;
  if (list === null) {
    res._out = [name, value];
    return;
  }
  const at = indexOf(list, name.lower);
  if (at < 0) list.push(name, value);
  else {
    list[at] = name;
    list[at + 1] = value;
  }
}

/** The value of a field by its lower-case name, without any check. */
export function peekHeader(res: ResponseState, lower: string): unknown {
  if (res._out === null) return undefined;
  const at = indexOf(res._out, lower);
  return at < 0 ? undefined : res._out[at + 1];
}

/**
 * The fields in the order Node would write them: integer-like names come first in its store, an object. Rare
 * enough to sort only when asked.
 */
export function ordered(list: HeaderList): HeaderList {
  for (let i = 0; i < list.length; i += 2) if ((list[i] as HeaderName).isNumeric) return sortIntegers(list);
  return list;
}

function sortIntegers(list: HeaderList): HeaderList {
  const byKey: Record<string, [HeaderName, unknown]> = Object.create(null) as Record<string, [HeaderName, unknown]>;
  for (let i = 0; i < list.length; i += 2) byKey[(list[i] as HeaderName).lower] = [list[i] as HeaderName, list[i + 1]];
  return Object.values(byKey).flat(1);
}

interface TagResolver {
  /** Computes the digest, for whoever reads the fields. */
  resolve: (res: ResponseState) => void;
  /** The digest is known, and the text no longer needed. */
  fill: (res: ResponseState, digest: string) => void;
  /** Whether the engine finds the place for the digest at the end of a block. */
  isLast: (block: string) => boolean;
}

/** The engine fills in an entity tag; the fields get it, too. Set by `trusted-reply.ts`. */
export const tagResolver: TagResolver = { resolve: () => undefined, fill: () => undefined, isLast: () => true };

/** The fields as somebody sees them. */
export function visibleHeaders(res: ResponseState): HeaderList {
  if (res._tagged !== null) tagResolver.resolve(res);
  return res._out === null ? [] : ordered(res._out);
}

interface HeaderIterable extends Iterable<[string, unknown]> {
  keys: unknown;
  get: unknown;
}

function isHeaderIterable(value: unknown): value is HeaderIterable {
  if (value === null || value === undefined || Array.isArray(value)) return false;
  const { keys, get } = value as { keys?: unknown; get?: unknown };
  return typeof keys === 'function' && typeof get === 'function';
}

function append(res: ResponseState, name: HeaderName, value: unknown): void {
  const list = res._out as HeaderList;
  const at = indexOf(list, name.lower);
  const before = list[at + 1];
  const values: unknown[] = Array.isArray(before) ? before : [before];
  if (Array.isArray(value)) for (const one of value) values.push(one);
  else values.push(value);
  list[at + 1] = values;
}

function remove(res: ResponseState, lower: string): void {
  if (lower === 'connection') res._removedConnection = true;
  else if (lower === 'content-length') res._removedContLen = true;
  else if (lower === 'transfer-encoding') res._removedTE = true;
  else if (lower === 'date') res.sendDate = false;
  dropHeader(res, lower);
}

/** Takes a field away by its lower-case name, and nothing more. */
export function dropHeader(res: ResponseState, lower: string): void {
  if (res._out === null) return;
  const at = scan(res._out, lower);
  if (at < 0) return;
  if (res._out.length > SCANNED_MAX) indexes.delete(res._out);
  res._out.splice(at, 2);
}

export const headerMembers = {
  setHeader(this: ResponseState, name: string, value: unknown): unknown {
    if (this._exchange === undefined) return foreign.setHeader.call(this, name, value);
    if (this._block !== null) throwHeadersSent('setHeader');
    const interned = headerName(name);
    if (interned.checked !== value || value === undefined) {
      checkValue(name, value);
      if (typeof value === 'string') interned.checked = value;
    }
    putHeader(this, interned, value);
    return this;
  },
  setHeaders(this: ResponseState, headers: unknown): unknown {
    if (this._exchange === undefined) return foreign.setHeaders.call(this, headers);
    if (this._block !== null) throwHeadersSent('setHeaders');
    if (!isHeaderIterable(headers)) throwInvalidHeaders(headers);
    let cookies: unknown[] | null = null;
    for (const [name, value] of headers) {
      if (name !== 'set-cookie') this.setHeader(name, value as string);
      else {
        cookies ??= [];
        if (Array.isArray(value)) cookies.push(...(value as unknown[]));
        else cookies.push(value);
      }
    }
    if (cookies !== null) this.setHeader('set-cookie', cookies as string[]);
    return this;
  },
  appendHeader(this: ResponseState, name: string, value: unknown): unknown {
    if (this._exchange === undefined) return foreign.appendHeader.call(this, name, value);
    if (this._block !== null) throwHeadersSent('appendHeader');
    const interned = headerName(name);
    checkValue(name, value);
    if (!peekHeader(this, interned.lower) && (this._out === null || indexOf(this._out, interned.lower) < 0)) {
      return this.setHeader(name, value as string);
    }
    append(this, interned, value);
    return this;
  },
  getHeader(this: ResponseState, name: string): unknown {
    if (this._exchange === undefined) return foreign.getHeader.call(this, name);
    if (this._tagged !== null) tagResolver.resolve(this);
    return peekHeader(this, lookupName(name));
  },
  hasHeader(this: ResponseState, name: string): unknown {
    if (this._exchange === undefined) return foreign.hasHeader.call(this, name);
    const lower = lookupName(name);
    return this._out !== null && indexOf(this._out, lower) >= 0;
  },
  getHeaderNames(this: ResponseState): unknown {
    if (this._exchange === undefined) return foreign.getHeaderNames.call(this);
    const list = visibleHeaders(this);
    const names: string[] = [];
    for (let i = 0; i < list.length; i += 2) names.push((list[i] as HeaderName).lower);
    return names;
  },
  getRawHeaderNames(this: ResponseState): unknown {
    if (this._exchange === undefined) return foreign.getRawHeaderNames.call(this);
    const list = visibleHeaders(this);
    const names: string[] = [];
    for (let i = 0; i < list.length; i += 2) names.push((list[i] as HeaderName).name);
    return names;
  },
  getHeaders(this: ResponseState): unknown {
    if (this._exchange === undefined) return foreign.getHeaders.call(this);
    const list = visibleHeaders(this);
    const headers = Object.create(null) as Record<string, unknown>;
    for (let i = 0; i < list.length; i += 2) headers[(list[i] as HeaderName).lower] = list[i + 1];
    return headers;
  },
  removeHeader(this: ResponseState, name: string): unknown {
    if (this._exchange === undefined) return foreign.removeHeader.call(this, name);
    const lower = lookupName(name);
    if (this._block !== null) throwHeadersSent('removeHeader');
    remove(this, lower);
    return undefined;
  },
  _renderHeaders(this: ResponseState): unknown {
    if (this._exchange === undefined) return foreign.renderHeaders.call(this);
    if (this._block !== null) throw headersSent('render');
    const list = visibleHeaders(this);
    const headers: Record<string, unknown> = {};
    for (let i = 0; i < list.length; i += 2) headers[(list[i] as HeaderName).name] = list[i + 1];
    return headers;
  },
};
