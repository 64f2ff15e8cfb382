/**
 * `atob`, `btoa`, `isUtf8`, `isAscii`, `transcode`.
 */
import ops from 'fulmar:ops';
import { invalidArgType, missingArgs } from '../shared/errors.ts';
import { Buffer } from './class.ts';
import { encodingNumber, UTF16LE, UTF8 } from './encodings.ts';
import { isAnyArrayBuffer, isUint8Array } from './methods.ts';

export function atob(input: unknown): string {
  if (arguments.length === 0) throw missingArgs('input');
  const decoded = ops.atob(String(input));
  if (decoded === -2) throw new DOMException('Invalid character', 'InvalidCharacterError');
  if (decoded === -1) {
    throw new DOMException('The string to be decoded is not correctly encoded.', 'InvalidCharacterError');
  }
  return decoded as string;
}

export function btoa(input: unknown): string {
  if (arguments.length === 0) throw missingArgs('input');
  const encoded = ops.btoa(String(input));
  if (encoded === -1) throw new DOMException('Invalid character', 'InvalidCharacterError');
  return encoded as string;
}

function checked(input: unknown): Uint8Array {
  const typed = ArrayBuffer.isView(input) && !(input instanceof DataView);
  if (!typed && !isAnyArrayBuffer(input)) throw invalidArgType('input', ['ArrayBuffer', 'Buffer', 'TypedArray'], input);
  return input as Uint8Array;
}

export function isUtf8(input: unknown): boolean {
  return ops.isUtf8(checked(input));
}

export function isAscii(input: unknown): boolean {
  return ops.isAscii(checked(input));
}

/** ASCII, UTF-8, UTF-16 and latin1 in each other; `?` stands for what the target does not have. */
export function transcode(source: unknown, fromEncoding: unknown, toEncoding: unknown): Uint8Array {
  if (!isUint8Array(source)) throw invalidArgType('source', ['Buffer', 'Uint8Array'], source);
  if (source.length === 0) return Buffer.alloc(0);
  const [from, to] = [encodingNumber(fromEncoding), encodingNumber(toEncoding)];
  if (!isTranscodable(from) || !isTranscodable(to)) {
    throw Object.assign(new Error('Unable to transcode Buffer [U_ILLEGAL_ARGUMENT_ERROR]'), {
      code: 'U_ILLEGAL_ARGUMENT_ERROR',
      errno: 1,
    });
  }
  const text = ops.toText(source, from, 0, source.length);
  if (to === UTF8 || to === UTF16LE) return ops.fromText(text, to);
  const above = to === 0 ? /[^\u0000-\u007f]/gu : /[^\u0000-\u00ff]/gu;
  return ops.fromText(text.replace(above, '?'), to);
}

function isTranscodable(encoding: number | undefined): encoding is number {
  return encoding === 0 || encoding === UTF8 || encoding === UTF16LE || encoding === 4;
}
