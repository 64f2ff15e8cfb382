/**
 * The fields of a message while they can still change, as members of `OutgoingMessage`.
 */
import { coded, invalidArgType } from '../shared/errors.ts';
import { validateString } from '../shared/validators.ts';
import { headersSent, invalidChar, isInvalidValue, validateHeaderName, validateHeaderValue } from './common.ts';
import { kHeaders, kUnique } from './outgoing-state.ts';
import type { HeaderMap, OutgoingState } from './outgoing-state.ts';

interface HeaderIterable extends Iterable<[string, unknown]> {
  keys: unknown;
  get: unknown;
}

function isIterable(value: unknown): value is HeaderIterable {
  if (!value || Array.isArray(value)) return false;
  const { keys, get } = value as { keys?: unknown; get?: unknown };
  return typeof keys === 'function' && typeof get === 'function';
}

const emptyMap = (): HeaderMap => Object.create(null) as HeaderMap;

/** One trailer line per value, or all in one where the name is unique. */
function trailerLines(message: OutgoingState, field: string, value: unknown): string {
  validateHeaderName(field, 'Trailer name');
  const lenient = message._isLenientHeaderValidation();
  const isUnique = message[kUnique]?.has(field.toLowerCase()) === true;
  const values: unknown[] = Array.isArray(value) ? (value.length > 1 && !isUnique ? value : [value.join('; ')]) : [value];
  let lines = '';
  for (const one of values) {
    if (isInvalidValue(one, lenient)) throw invalidChar('trailer content', field);
    lines += `${field}: ${one as string}\r\n`;
  }
  return lines;
}

export const headerMembers = {
  setHeader(this: OutgoingState, name: string, value: unknown): unknown {
    if (this._header) throw headersSent('set');
    validateHeaderName(name);
    validateHeaderValue(name, value, this._isLenientHeaderValidation());
    (this[kHeaders] ??= emptyMap())[name.toLowerCase()] = [name, value];
    return this;
  },
  setHeaders(this: OutgoingState, headers: unknown): unknown {
    if (this._header) throw headersSent('set');
    if (!isIterable(headers)) throw invalidArgType('headers', ['Headers', 'Map'], headers);
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
  appendHeader(this: OutgoingState, name: string, value: unknown): unknown {
    if (this._header) throw headersSent('append');
    validateHeaderName(name);
    validateHeaderValue(name, value, this._isLenientHeaderValidation());
    const entry = this[kHeaders]?.[name.toLowerCase()];
    if (entry === undefined) return this.setHeader(name, value as string);
    const values: unknown[] = Array.isArray(entry[1]) ? (entry[1] as unknown[]) : [entry[1]];
    if (Array.isArray(value)) for (const one of value as unknown[]) values.push(one);
    else values.push(value);
    entry[1] = values;
    return this;
  },
  getHeader(this: OutgoingState, name: string): unknown {
    validateString(name, 'name');
    return this[kHeaders]?.[name.toLowerCase()]?.[1];
  },
  getHeaderNames(this: OutgoingState): string[] {
    return Object.keys(this[kHeaders] ?? {});
  },
  getRawHeaderNames(this: OutgoingState): string[] {
    return Object.values(this[kHeaders] ?? {}).map(([name]) => name);
  },
  getHeaders(this: OutgoingState): object {
    const copy = Object.create(null) as Record<string, unknown>;
    for (const [key, [, value]] of Object.entries(this[kHeaders] ?? {})) copy[key] = value;
    return copy;
  },
  hasHeader(this: OutgoingState, name: string): boolean {
    validateString(name, 'name');
    return this[kHeaders]?.[name.toLowerCase()] !== undefined;
  },
  removeHeader(this: OutgoingState, name: string): void {
    validateString(name, 'name');
    if (this._header) throw headersSent('remove');
    const key = name.toLowerCase();
    if (key === 'connection') this._removedConnection = true;
    else if (key === 'content-length') this._removedContLen = true;
    else if (key === 'transfer-encoding') this._removedTE = true;
    else if (key === 'date') this.sendDate = false;
    const headers = this[kHeaders];
    if (headers !== null && headers !== undefined) delete headers[key];
  },
  _renderHeaders(this: OutgoingState): object {
    if (this._header) throw headersSent('render');
    const headers: Record<string, unknown> = {};
    for (const [name, value] of Object.values(this[kHeaders] ?? {})) headers[name] = value;
    return headers;
  },
  addTrailers(this: OutgoingState, headers: Record<string, unknown>): void {
    this._trailer = '';
    for (const key of Object.keys(headers)) {
      const [field, value] = Array.isArray(headers) ? (headers[key as never] as [string, unknown]) : [key, headers[key]];
      this._trailer += trailerLines(this, field, value);
    }
  },
  _implicitHeader(): void {
    throw coded(Error, 'ERR_METHOD_NOT_IMPLEMENTED', 'The _implicitHeader() method is not implemented');
  },
  get headersSent(): boolean {
    return Boolean((this as unknown as OutgoingState)._header);
  },
};
