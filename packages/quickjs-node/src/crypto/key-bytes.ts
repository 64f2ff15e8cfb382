/**
 * Keys as what is inside them: the bytes of secret keys, the host's state of asymmetric ones.
 */
import type { KeyState } from './more-ops.ts';
import { coded, invalidArgType } from '../shared/errors.ts';
import { ownBytes } from '../shared/validators.ts';

export type KeyContent =
  | { readonly type: 'secret'; readonly bytes: Uint8Array }
  | { readonly type: 'public' | 'private'; readonly state: KeyState };

/** A `KeyObject` or a `CryptoKey`. */
export interface WithContent {
  readonly type: string;
}

export type KeyInput = string | ArrayBuffer | ArrayBufferView | WithContent;

/** Gives back the object that it is given, so that a class that inherits from it marks that. */
const Given = function Given(object: object): object {
  return object;
} as unknown as new (object: object) => object;

/** What keys are, as a private member of theirs: nothing that an application reaches or replaces shows it. */
class Holder extends Given {
  readonly #content: KeyContent;
  readonly #copy: () => object;

  constructor(key: object, content: KeyContent, copy: () => object) {
    super(key);
    this.#content = content;
    this.#copy = copy;
  }

  static of(key: object): KeyContent | undefined {
    return #content in key ? key.#content : undefined;
  }

  static copyOf(key: object): object | undefined {
    return #content in key ? key.#copy() : undefined;
  }
}

/** Makes the object a key, once; `copy` makes another that is the same key. */
export function setContent(key: object, content: KeyContent, copy: () => object): void {
  new Holder(key, content, copy);
}

/** For `structuredClone`; `undefined` for what is no key. */
export function copyOfKey(value: object): object | undefined {
  return Holder.copyOf(value);
}

/** What a `KeyObject` or a `CryptoKey` is; `undefined` for anything else. */
export function contentOf(value: unknown): KeyContent | undefined {
  return typeof value === 'object' && value !== null ? Holder.of(value) : undefined;
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

/**
 * A view that the host reads at once, so that it need not be copied: a plain one, or what a secret key holds.
 */
export function readyBytes(key: unknown): ArrayBufferView | undefined {
  if (ArrayBuffer.isView(key)) return key;
  const content = contentOf(key);
  return content?.type === 'secret' ? content.bytes : undefined;
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

/** The key for the host: text stays text (its UTF-8 is meant), bytes are copied. */
export function secretBytes(key: unknown, encoding?: string, name = 'key', bytesOnly = false): string | Uint8Array {
  if (typeof key === 'string') {
    return encoding === undefined || encoding === 'utf8' || encoding === 'buffer' ? key : Buffer.from(key, encoding as BufferEncoding);
  }
  const content = bytesOnly ? undefined : contentOf(key);
  if (content !== undefined) {
    if (content.type !== 'secret') throw wrongKeyType(content.type, 'secret');
    return content.bytes;
  }
  if (ArrayBuffer.isView(key) || isAnyBuffer(key)) return viewOf(key).slice();
  throw invalidArgType(name, bytesOnly ? BYTES : [...BYTES, 'string', 'KeyObject', 'CryptoKey'], key);
}
