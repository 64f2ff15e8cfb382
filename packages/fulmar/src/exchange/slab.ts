/**
 * Receive memory. The engine fills a slab from front to back; exchanges read their heads from it at any time. A slab is never
 * written again, so a late read needs no copy; the garbage collector frees it when nothing refers to it.
 */
import { allocateNative, type NativeBuffer } from './native-buffer.ts';

/** Bytes of a slab: a few hundred small requests, or one large receive. */
const SLAB_BYTES = 128 * 1024;
/** Content up to this size is copied out, so that a small chunk that someone keeps does not keep a slab, in bytes. */
const COPY_MAX = 4 * 1024;

export class Slab {
  readonly bytes: NativeBuffer;
  readonly words: Uint32Array;
  /** Holds a single head, copied out of a shared slab. */
  readonly isDetached: boolean;

  constructor(size: number, isDetached = false) {
    this.isDetached = isDetached;
    this.bytes = allocateNative(size);
    this.words = new Uint32Array(this.bytes.buffer, 0, size >>> 2);
  }

  /** A copy of one head at offset 0 with its table of field lines behind it. */
  detached(headStart: number, headLength: number, tableStart: number, count: number): Slab {
    const tableAt = alignToWord(headLength);
    const copy = new Slab(tableAt + count * 16, true);
    this.bytes.copy(copy.bytes, 0, headStart, headStart + headLength);
    this.bytes.copy(copy.bytes, tableAt, tableStart, tableStart + count * 16);
    return copy;
  }

  /** A part as a buffer that the receiver may keep. */
  chunk(start: number, length: number): Buffer {
    const view = this.bytes.subarray(start, start + length);
    return length <= COPY_MAX ? Buffer.from(view) : view;
  }

  /**
   * `[name, value, …]` of a table of field lines. `text` is the latin1 text that the table's offsets are relative to.
   */
  fields(text: string, tableStart: number, count: number): string[] {
    const words = this.words;
    const out: string[] = [];
    let at = tableStart >>> 2;
    for (let i = 0; i < count; i++, at += 4) {
      const name = words[at]!;
      const value = words[at + 2]!;
      out.push(text.slice(name, name + words[at + 1]!), text.slice(value, value + words[at + 3]!));
    }
    return out;
  }
}

export function alignToWord(offset: number): number {
  return (offset + 3) & ~3;
}

/** Bytes a slab must have so that a head of the configured size and its table fit with room to spare. */
export function slabBytesFor(headBytesMax: number, headerCountMax: number): number {
  return Math.max(SLAB_BYTES, Math.ceil((headBytesMax * 4 + headerCountMax * 16 + SLAB_BYTES / 2) / 4096) * 4096);
}
