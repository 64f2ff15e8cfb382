/**
 * Codes and reasons of a close (RFC 6455, 7.4), checked where they are given: a wrong one would be thrown by
 * nobody who knows where it came from.
 */
import { shown } from '../checked-options.ts';

/** What a control frame has room for, beside the code. */
const REASON_BYTES_MAX = 123;

export const CloseCode = { normal: 1000, invalid: 1007, failed: 1011, tooSlow: 1013 } as const;

const RESERVED: ReadonlySet<number> = new Set([1004, 1005, 1006]);

/** @throws RangeError for a code that may not be sent, or a reason that is too long */
export function checkClose(code: unknown, reason: unknown): void {
  const isDefined = Number.isInteger(code) && (code as number) >= 1000 && (code as number) <= 1014 && !RESERVED.has(code as number);
  const isFree = Number.isInteger(code) && (code as number) >= 3000 && (code as number) <= 4999;
  if (!isDefined && !isFree)
    throw new RangeError(
      `A close's code is 1000 to 1003, 1007 to 1014 or 3000 to 4999 (4000 and up are the application's), and this is ${shown(code)}.`,
    );
  if (typeof reason !== 'string') throw new TypeError(`A close's reason is a text, and this is ${shown(reason)}.`);
  const bytes = new TextEncoder().encode(reason).byteLength;
  if (bytes > REASON_BYTES_MAX)
    throw new RangeError(
      `A close's reason has at most ${REASON_BYTES_MAX} bytes, and this one has ${bytes}: send the rest as a message before.`,
    );
}
