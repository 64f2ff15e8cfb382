/**
 * Receive memory. The engine fills a slab from front to back; exchanges read their heads from it at any time.
 * What a head refers to is never written again, so a late read needs no copy; the garbage collector frees a
 * slab when nothing refers to it.
 *
 * It holds the bytes of many clients, so it is never handed out: strings are made of it, content is copied
 * out of it.
 */
import { joined } from './field-value.ts';
import { allocateNative, copyOut, memoryOf, type NativeBuffer, wordsOf } from './node-buffer.ts';

/**
 * Bytes of a slab: a few hundred small requests. Larger ones live so long that their memory piles up
 * (docs/internals/memory.md).
 */
const SLAB_BYTES = 32 * 1024;

/**
 * Words of the record that the engine writes before a head's table of field lines, each line's names and
 * values by offset and length.
 */
const Record = { headStart: 0, headLength: 1, contentStart: 2, contentLength: 3, lines: 4, table: 5 } as const;
const LINE_WORDS = 4;

export class Slab {
  readonly bytes: NativeBuffer;
  readonly #words: Uint32Array;
  readonly #memory: ArrayBuffer;

  /** `bytesMin`: what the engine asks for when the usual size is too small. */
  constructor(bytesMin = 0) {
    this.bytes = allocateNative(Math.max(bytesMin + (-bytesMin & 3), SLAB_BYTES));
    this.#memory = memoryOf(this.bytes);
    this.#words = wordsOf(this.#memory);
  }

  /** A part in memory of its own. */
  chunk(start: number, length: number): Buffer {
    return copyOut(this.#memory, start, length);
  }

  /** The content that came with a head, in memory of its own. */
  content(record: number): Buffer {
    const words = this.#words;
    const at = record >>> 2;
    return this.chunk(words[at + Record.contentStart]!, words[at + Record.contentLength]!);
  }

  contentText(record: number): string {
    const words = this.#words;
    const at = record >>> 2;
    const start = words[at + Record.contentStart]!;
    return this.bytes.utf8Slice(start, start + words[at + Record.contentLength]!);
  }

  /** Number of field lines of a head. */
  lineCount(record: number): number {
    return this.#words[(record >>> 2) + Record.lines]!;
  }

  /** `[name, value, …]` of a head. */
  head(record: number): string[] {
    const words = this.#words;
    const at = record >>> 2;
    const start = words[at + Record.headStart]!;
    const text = this.bytes.latin1Slice(start, start + words[at + Record.headLength]!);
    return this.#lines(text, at + Record.table, words[at + Record.lines]!);
  }

  /** The value of a head's field by its name in lower case; those of several lines joined. */
  field(record: number, name: string): string | undefined {
    const words = this.#words;
    const at = record >>> 2;
    const start = words[at + Record.headStart]!;
    const length = name.length;
    let found: string | undefined;
    for (let line = at + Record.table, left = words[at + Record.lines]!; left > 0; left--, line += LINE_WORDS) {
      if (words[line + 1] !== length) continue;
      const nameAt = start + words[line]!;
      const given = this.bytes.latin1Slice(nameAt, nameAt + length);
      if (given !== name && given.toLowerCase() !== name) continue;
      const valueAt = start + words[line + 2]!;
      found = joined(name, found, this.bytes.latin1Slice(valueAt, valueAt + words[line + 3]!));
    }
    return found;
  }

  /** `[name, value, …]` of a trailer section, whose table stands at the offset `table`. */
  trailers(start: number, length: number, table: number, count: number): string[] {
    return this.#lines(this.bytes.latin1Slice(start, start + length), table >>> 2, count);
  }

  /** The lines of a table. `text` is the latin1 text that its offsets are relative to. */
  #lines(text: string, table: number, count: number): string[] {
    const words = this.#words;
    const out: string[] = [];
    for (let i = 0, at = table; i < count; i++, at += LINE_WORDS) {
      const name = words[at]!;
      const value = words[at + 2]!;
      out.push(text.slice(name, name + words[at + 1]!), text.slice(value, value + words[at + 3]!));
    }
    return out;
  }
}
