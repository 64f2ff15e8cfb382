/**
 * Buffer's direct encoders. `toString` and `write` end in these after checking their arguments, which costs more than the
 * encoding of a short head; they have been stable and public in effect since Node 0.12.
 */
export interface NativeBuffer extends Buffer {
  latin1Slice(start: number, end: number): string;
  utf8Slice(start: number, end: number): string;
  latin1Write(text: string, offset: number, length: number): number;
  utf8Write(text: string, offset: number, length: number): number;
}

export function allocateNative(bytes: number): NativeBuffer {
  return Buffer.allocUnsafeSlow(bytes) as NativeBuffer;
}
