/**
 * Memory that the application never sees, and the encoders that work on it.
 *
 * `Buffer`'s methods end in `latin1Slice` and its relatives after checking their arguments, which costs more
 * than the encoding of a short head; they have been stable and public in effect since Node 0.12. They are
 * taken from the prototypes while this file loads and lie on the buffers themselves: an application that
 * replaces a method or a getter of `Buffer` or `Uint8Array` is not handed our memory.
 */
export interface NativeBuffer extends Buffer {
  latin1Slice(start: number, end: number): string;
  utf8Slice(start: number, end: number): string;
  latin1Write(text: string, offset: number, length: number): number;
  utf8Write(text: string, offset: number, length: number): number;
}

const Bytes = Uint8Array;
const Words = Uint32Array;
const { apply } = Reflect;
const { allocUnsafeSlow } = Buffer;
const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;
const copyInto = typedArray.set;
const getterOf = (name: string): (() => unknown) => (Object.getOwnPropertyDescriptor(typedArray, name) as { get: () => unknown }).get;
const readLength = getterOf('length');
const readByteLength = getterOf('byteLength');
const readOffset = getterOf('byteOffset');
const readBuffer = getterOf('buffer');
const { latin1Slice, utf8Slice, latin1Write, utf8Write } = Buffer.prototype as NativeBuffer;

/**
 * The constructor of a class whose fields are defined on the object given to it: for V8 much less than
 * `defineProperty`.
 */
const Given = function (object: object): object {
  return object;
} as unknown as new (object: object) => object;

/** Gives a buffer its own encoders, and what Node's ask it for, since version 26 in JavaScript. */
class Encoders extends Given {
  byteLength = apply(readByteLength, this, []);
  latin1Slice = latin1Slice;
  utf8Slice = utf8Slice;
  latin1Write = latin1Write;
  utf8Write = utf8Write;

  /**
   * Written out: the one that is left out calls the iterator of arrays in Node 20, which may be the
   * application's.
   */
  constructor(bytes: Uint8Array) {
    super(bytes);
  }
}

const asNative = (bytes: Uint8Array): NativeBuffer => new Encoders(bytes) as unknown as NativeBuffer;

export function allocateNative(bytes: number): NativeBuffer {
  return asNative(apply(allocUnsafeSlow, Buffer, [bytes]) as Buffer);
}

/** Plain bytes of ours, all 0. */
export function bytesOf(length: number): Uint8Array {
  return new Bytes(length);
}

/** What `bytes` is a view of. */
export function memoryOf(bytes: NativeBuffer): ArrayBuffer {
  return apply(readBuffer, bytes, []) as ArrayBuffer;
}

/** All of `memory` as 32-bit words. */
export function wordsOf(memory: ArrayBuffer): Uint32Array {
  return new Words(memory);
}

/** A view of all of `memory`. */
export function nativeView(memory: ArrayBuffer): NativeBuffer {
  return asNative(new Bytes(memory));
}

/**
 * A part of our memory in memory of its own, exactly as large, that the application may do with as it likes.
 */
export function copyOut(memory: ArrayBuffer, start: number, length: number): Buffer {
  const copy = apply(allocUnsafeSlow, Buffer, [length]) as Buffer;
  apply(copyInto, copy, [new Bytes(memory, start, length), 0]);
  return copy;
}

/** Copies bytes of the application's into ours. */
export function copyIn(target: NativeBuffer, bytes: Uint8Array, at: number): void {
  apply(copyInto, target, [bytes, at]);
}

/** How many bytes there are, whatever the object says of itself. */
export function bytesIn(bytes: Uint8Array): number {
  return apply(readLength, bytes, []) as number;
}

/** A view of the first `count` bytes, whatever the object makes of its methods. */
export function firstBytes(bytes: Uint8Array, count: number): Uint8Array {
  return new Bytes(apply(readBuffer, bytes, []) as ArrayBuffer, apply(readOffset, bytes, []) as number, count);
}
