/**
 * Keys as what is inside them: the bytes of secret keys, the runtime's state of asymmetric ones.
 */
import type { KeyState } from './more-ops.ts';
import { coded, invalidArgType } from '../errors.ts';
import { ownBytes } from '../validators.ts';

/** Where a `KeyObject` and a `CryptoKey` keep what they are. */
export const keyContent: unique symbol = Symbol.for('fulmar.keyContent') as never;

export type KeyContent =
  | { readonly type: 'secret'; readonly bytes: Uint8Array }
  | { readonly type: 'public' | 'private'; readonly state: KeyState };

export interface WithContent {
  readonly [keyContent]: KeyContent;
}

export type KeyInput = string | ArrayBuffer | ArrayBufferView | WithContent;

export function hasContent(value: unknown): value is WithContent {
  return typeof value === 'object' && value !== null && keyContent in value;
}

/** The bytes of a view or of memory; none where the memory is gone. */
export function viewOf(value: ArrayBuffer | ArrayBufferView): Uint8Array {
  if (ArrayBuffer.isView(value)) return ownBytes(value);
  try {
    return new Uint8Array(value);
  } catch {
    return new Uint8Array(0);
  }
}

export function isAnyBuffer(value: unknown): value is ArrayBuffer {
  return value instanceof ArrayBuffer || (typeof SharedArrayBuffer === 'function' && value instanceof SharedArrayBuffer);
}

export function wrongKeyType(found: string, expected: string): Error {
  return coded(TypeError, 'ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE', `Invalid key object type ${found}, expected ${expected}.`);
}

/** A view that the runtime reads at once, so that it need not be copied: a plain one, or what a secret key holds. */
export function readyBytes(key: unknown): ArrayBufferView | undefined {
  if (ArrayBuffer.isView(key)) return key;
  return hasContent(key) && key[keyContent].type === 'secret' ? key[keyContent].bytes : undefined;
}

const ALL_BYTES = ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];

/** Text, a view or memory, where anything of these is taken; `kinds` in Node's order. */
export function checkBytes(
  value: unknown,
  name: string,
  kinds: readonly string[] = ALL_BYTES,
): asserts value is string | ArrayBuffer | ArrayBufferView {
  if (typeof value !== 'string' && !ArrayBuffer.isView(value) && !isAnyBuffer(value)) throw invalidArgType(name, kinds, value);
}

const BYTES = ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];

/** The key for the runtime: text stays text (its UTF-8 is meant), bytes are copied. */
export function secretBytes(key: unknown, encoding?: string, name = 'key', bytesOnly = false): string | Uint8Array {
  if (typeof key === 'string') {
    return encoding === undefined || encoding === 'utf8' || encoding === 'buffer' ? key : Buffer.from(key, encoding as BufferEncoding);
  }
  if (hasContent(key) && !bytesOnly) {
    const content = key[keyContent];
    if (content.type !== 'secret') throw wrongKeyType(content.type, 'secret');
    return content.bytes;
  }
  if (ArrayBuffer.isView(key) || isAnyBuffer(key)) return viewOf(key).slice();
  throw invalidArgType(name, bytesOnly ? BYTES : [...BYTES, 'string', 'KeyObject', 'CryptoKey'], key);
}
