/**
 * JSON of single values, for code that is made of types. A value of another type is an error rather than a
 * text that is no JSON: types are promises, and some are broken.
 */
import { BIGINT_DIGITS_MAX, DEPTH_MAX } from './limits.ts';
import { dateJsonText } from '../shape/iso-text.ts';
import { nameOfKind } from '../shape/validate/kind.ts';

/** The version of V8 since which its own JSON of a text is faster than a loop, but for a few characters. */
const FAST_V8 = [13, 8] as const;
/** Up to here a text is looked through by a loop, behind it by a pattern, and long ones are left to the engine. */
const LOOPED_MAX = isLoopFaster() ? 40 : 7;
const MATCHED_MAX = isLoopFaster() ? 4096 : 0;
/** Is one JSON.stringify of a copy faster than a text of many pieces? */
export const isJsonFast = !isLoopFaster();
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SURROGATES = 0xd800;
const PRIVATE_USE = 0xe000;

export function text(value: unknown): string {
  if (typeof value !== 'string') throw misfit(value, 'a text');
  const { length } = value;
  if (length > LOOPED_MAX) return length > MATCHED_MAX || ESCAPED.test(value) ? JSON.stringify(value) : `"${value}"`;
  for (let at = 0; at < length; at += 1) {
    const code = value.charCodeAt(at);
    if (code < SPACE || code === QUOTE || code === BACKSLASH || (code >= SURROGATES && code < PRIVATE_USE)) return JSON.stringify(value);
  }
  return `"${value}"`;
}

export function numberJson(value: unknown): string {
  if (typeof value !== 'number') throw misfit(value, 'a number');
  return value !== value || value === Infinity || value === -Infinity ? 'null' : '' + value;
}

/** QuickJS, too, is faster by itself than a loop that it interprets. */
function isLoopFaster(): boolean {
  const { process } = globalThis as { process?: { versions?: { v8?: string } } };
  const [major = Infinity, minor = 0] = (process?.versions?.v8 ?? '').split('.').map(Number);
  return major !== Infinity && major !== 0 && (major < FAST_V8[0] || (major === FAST_V8[0] && minor < FAST_V8[1]));
}

const NONE: readonly unknown[] & { readonly toJSON?: unknown } = [];

/** The JSON of what was made, or looked through, for JSON.stringify; `undefined` where that would ask others. */
export function projected(copy: object | undefined): string | undefined {
  return copy === undefined || NONE.toJSON !== undefined ? undefined : JSON.stringify(copy);
}

export function bigintJson(value: unknown): string {
  if (typeof value !== 'bigint') throw misfit(value, 'a bigint');
  const digits = String(value);
  if (digits.length > BIGINT_DIGITS_MAX)
    throw new TypeError(`a bigint of more than ${BIGINT_DIGITS_MAX} digits is not read by others: send it as bytes`);
  return `"${digits}"`;
}

export function dateJson(value: unknown): string {
  if (!(value instanceof Date)) throw misfit(value, 'a Date');
  // Classes of others may have a form of their own.
  const iso = dateJsonText(value) ?? (Number.isNaN(value.getTime()) ? undefined : value.toISOString());
  return iso === undefined ? 'null' : `"${iso}"`;
}

export const urlJson = (value: unknown): string => JSON.stringify(String(value));
export const regexpJson = urlJson;

/** Base64, as every platform of ours can read it. */
export function bytesJson(value: unknown): string {
  const bytes = ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : new Uint8Array(value as ArrayBuffer);
  if (typeof Buffer === 'function') return `"${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}"`;
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return `"${btoa(binary)}"`;
}

/** Texts, numbers, booleans, bigints, null; `undefined` as in an array. */
export function scalar(value: unknown): string {
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number') return numberJson(value);
  if (typeof value === 'bigint') return bigintJson(value);
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (value === null || value === undefined) return 'null';
  throw misfit(value, 'a text, a number, a boolean or null');
}

/** What no type tells of, as JSON.stringify has it. */
export const json = (value: unknown): string | undefined => JSON.stringify(value);

export function noMember(value: unknown): never {
  throw misfit(value, 'one of the members of its union');
}

export function tooDeep(): never {
  throw new TypeError(`a value that contains itself, or is nested deeper than ${DEPTH_MAX} levels, has no JSON`);
}

const misfit = (value: unknown, expected: string): TypeError =>
  new TypeError(`stringify: ${expected} is expected by the type, and this is ${nameOfKind(value)}`);
