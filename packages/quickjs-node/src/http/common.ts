/**
 * What is a field name and a field value, and the errors of messages. Shared by both directions and both
 * ends.
 */
import { coded } from '../shared/errors.ts';
import type { CodedError } from '../shared/errors.ts';

const TOKEN = /^[\^_`a-zA-Z\-0-9!#$%&'*+.|~]+$/;
const INVALID_VALUE = /[^\t\x20-\x7e\x80-\xff]/;
const INVALID_LENIENT = /[\x00\x0a\x0d]|[^\x00-\xff]/;

export const isToken = (text: unknown): boolean => typeof text === 'string' && TOKEN.test(text);

export function isInvalidValue(value: unknown, lenient = false): boolean {
  return (lenient ? INVALID_LENIENT : INVALID_VALUE).test(value as string);
}

export const headersSent = (verb: string): CodedError =>
  coded(Error, 'ERR_HTTP_HEADERS_SENT', `Cannot ${verb} headers after they are sent to the client`);

export const invalidToken = (what: string, value: unknown): CodedError =>
  coded(TypeError, 'ERR_INVALID_HTTP_TOKEN', `${what} must be a valid HTTP token ["${shown(value)}"]`);

/** As `%s` of `util.format`. */
const shown = (value: unknown): string => (typeof value === 'string' ? value : process.getBuiltinModule('node:util').format('%s', value));

export const invalidChar = (what: string, field?: string): CodedError =>
  coded(TypeError, 'ERR_INVALID_CHAR', `Invalid character in ${what}${field === undefined ? '' : ` ["${field}"]`}`);

const invalidHeaderValue = (value: unknown, name: string): CodedError =>
  coded(TypeError, 'ERR_HTTP_INVALID_HEADER_VALUE', `Invalid value "${String(value)}" for header "${name}"`);

export function validateHeaderName(name: unknown, label?: string): void {
  if (typeof name !== 'string' || name === '' || !TOKEN.test(name)) throw invalidToken(label || 'Header name', name);
}

export function validateHeaderValue(name: string, value: unknown, lenient = false): void {
  if (value === undefined) throw invalidHeaderValue(value, name);
  if (isInvalidValue(value, lenient)) throw invalidChar('header content', name);
}

const SECOND_MS = 1000;
let date = '';
let dateSecond = 0;

/** The Date field's value; made once per second. */
export function utcDate(): string {
  const now = Date.now();
  const second = Math.floor(now / SECOND_MS);
  if (second !== dateSecond) {
    date = new Date(now).toUTCString();
    dateSecond = second;
  }
  return date;
}

export const CHUNKED = /(?:^|\W)chunked(?:$|\W)/i;
export const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i;
export const CLOSE = /(?:^|\W)close(?:$|\W)/i;

/** `uniqueHeaders` of the options. */
export function uniqueSet(names: unknown): ReadonlySet<string> | null {
  return Array.isArray(names) ? new Set(names.map((name: string) => name.toLowerCase())) : null;
}
