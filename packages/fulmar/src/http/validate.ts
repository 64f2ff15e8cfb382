/**
 * Checks of reply field values. Nothing here knows a response; errors are thrown by Node's own validators.
 */
import { nodeHttp } from './node-http.ts';

/** Up to this length a loop beats the regular expression. */
const LOOP_MAX = 48;
const NOT_PLAIN = /[^\t\x20-\x7e]/;
const INVALID_VALUE = /[^\t\x20-\x7e\x80-\xff]/;
const NON_ASCII = /[^\x00-\x7f]/;

/** Set by the first value beyond ASCII; until then no header block needs a second look. */
let beyondAscii = false;

function isInvalidText(text: string): boolean {
  if (!NOT_PLAIN.test(text)) return false;
  beyondAscii = true;
  return INVALID_VALUE.test(text);
}

/** Whether a value holds a character no field value may hold. The value is converted as Node does. */
export function hasInvalidChar(value: unknown): boolean {
  // Not String(): a symbol must throw, as it does where Node tests the value.
  const text = typeof value === 'string' ? value : `${value as string}`;
  if (text.length > LOOP_MAX) return isInvalidText(text);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if ((code < 0x20 && code !== 0x09) || code > 0x7e) return isInvalidText(text);
  }
  return false;
}

/** Throws ERR_HTTP_INVALID_HEADER_VALUE or ERR_INVALID_CHAR as Node does. */
export function checkValue(name: string, value: unknown): void {
  if (typeof value === 'number') return;
  if (value === undefined || hasInvalidChar(value)) nodeHttp.validateHeaderValue(name, value as string);
}

/** Whether a header block needs more than ASCII on the wire. */
export function hasNonAscii(block: string): boolean {
  return beyondAscii && NON_ASCII.test(block);
}
