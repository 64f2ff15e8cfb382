/**
 * A call whose parameters have files and streams: behind a line with the call stand the bytes of its files, then a
 * line for each item of its streams. Read as fast as the procedure reads: what it does not ask for stays with the
 * client. Of parts that come before the one that is asked for, a bounded rest is kept.
 */
import { HttpError } from '../../app/index.ts';
import { fromWire } from '../../shape/wire-hints.ts';
import { isMembers, parse } from '../request.ts';
import type { Content } from './content.ts';
import { incomingFile } from './incoming-file.ts';
import { IncomingStream } from './incoming-stream.ts';

/** What a media type must be for a browser to ask before it sends another site's request. */
export const PARTS_TYPE = 'application/vnd.fulmar.rpc-parts';

/** Streams of one call. */
const STREAMS_MAX = 10;

export interface PartLimits {
  /** Files of a call. */
  readonly files: number;
  /** Bytes of each. */
  readonly fileSize: number;
  /** Bytes of an item of a stream, and of what is kept of parts that nobody reads yet. */
  readonly lineBytes: number;
}

/** What its reader asks for; undefined: it has ended. */
export interface PartSource {
  next(): Promise<{ readonly value: unknown } | undefined>;
  /** Nobody reads on. */
  leave(): void;
}

interface Kept {
  readonly value: unknown;
  readonly bytes: number;
}

/** One file or stream. */
class Part {
  readonly kept: Kept[] = [];
  /** Bytes of a file that are still to come. */
  left: number;
  isEnded = false;
  isLeft = false;

  constructor(left: number) {
    this.left = left;
  }
}

export class Parts {
  readonly #content: Content;
  readonly #limits: PartLimits;
  readonly #files = new Map<number, Part>();
  readonly #streams = new Map<number, Part>();
  /** Readers that wait for what comes next. */
  #waiting: (() => void)[] = [];
  /** Files that are not complete, in the order of their bytes. */
  #order: Part[] = [];
  #keptBytes = 0;
  #isReading = false;
  #isOver = false;
  #error: unknown;

  constructor(content: Content, limits: PartLimits) {
    this.#content = content;
    this.#limits = limits;
  }

  /** What a hint stands for. @throws TypeError for a hint that is none, HttpError 413 for too many or too long a file */
  readonly resolve = (hint: readonly unknown[]): unknown => {
    const [kind, number] = hint;
    if (!Number.isInteger(number) || this.#files.has(number as number) || this.#streams.has(number as number))
      throw new TypeError(`${JSON.stringify(number) ?? 'nothing'} is no number of a part, or of two`);
    if (kind === 'file') return this.#file(number as number, hint);
    if (kind !== 'stream') throw new TypeError(`${JSON.stringify(kind)} is no kind`);
    if (this.#streams.size >= STREAMS_MAX) throw new HttpError(413, `${STREAMS_MAX} streams are taken in one call.`);
    const part = new Part(0);
    this.#streams.set(number as number, part);
    return new IncomingStream(this.#sourceOf(part));
  };

  #file(number: number, [, , size, type, name, lastModified]: readonly unknown[]): unknown {
    const isFine =
      Number.isSafeInteger(size) &&
      (size as number) >= 0 &&
      typeof type === 'string' &&
      (name === undefined || typeof name === 'string') &&
      (lastModified === undefined || Number.isSafeInteger(lastModified));
    if (!isFine) throw new TypeError('a file is ["file", number, size, type], and name and time of a change behind that');
    const { files, fileSize } = this.#limits;
    if (this.#files.size >= files) throw new HttpError(413, `${files} files are taken in one call.`, { details: { files } });
    if ((size as number) > fileSize)
      throw new HttpError(413, `Files of ${fileSize} bytes are taken at most, and one is of ${String(size)}.`, { details: { fileSize } });
    const part = new Part(size as number);
    part.isEnded = size === 0;
    this.#files.set(number, part);
    const info = { size: size as number, type, name: name ?? '', lastModified: (lastModified as number | undefined) ?? Date.now() };
    return incomingFile(info, this.#sourceOf(part));
  }

  /** All hints have been met: parts have the numbers from 0. @throws HttpError 400 */
  begin(): void {
    const count = this.#files.size + this.#streams.size;
    for (let at = 0; at < count; at += 1)
      if (!this.#files.has(at) && !this.#streams.has(at))
        throw new HttpError(400, `Parts have the numbers 0 to ${count - 1}, and no hint has ${at}.`);
    const numbers = [...this.#files.keys()].sort((a, b) => a - b);
    this.#order = numbers.map((number) => this.#files.get(number) as Part).filter((part) => !part.isEnded);
  }

  /** The call is over, or its client has left: who still reads is told why. */
  end(why: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#error ??= why;
    for (const part of [...this.#files.values(), ...this.#streams.values()]) this.#forget(part);
    this.#content.leave();
    this.#wake();
  }

  #sourceOf(part: Part): PartSource {
    return {
      next: () => this.#next(part),
      leave: () => {
        part.isLeft = true;
        this.#forget(part);
      },
    };
  }

  #forget(part: Part): void {
    for (const { bytes } of part.kept.splice(0)) this.#keptBytes -= bytes;
  }

  async #next(part: Part): Promise<{ readonly value: unknown } | undefined> {
    for (;;) {
      const kept = part.kept.shift();
      if (kept !== undefined) {
        this.#keptBytes -= kept.bytes;
        return kept;
      }
      if (part.isEnded) return undefined;
      if (this.#error !== undefined) throw this.#error;
      if (!this.#isReading) void this.#read();
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** One step for all who wait. */
  async #read(): Promise<void> {
    this.#isReading = true;
    try {
      await (this.#order.length > 0 ? this.#readFile(this.#order[0] as Part) : this.#readItem());
    } catch (error) {
      this.#error ??= error;
      this.#content.leave();
    }
    this.#isReading = false;
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  async #readFile(part: Part): Promise<void> {
    const value = await this.#content.some(part.left);
    if (value === undefined) throw new HttpError(400, `The content ended ${part.left} bytes before the end of a file.`);
    part.left -= value.byteLength;
    if (part.left === 0) {
      part.isEnded = true;
      this.#order.shift();
    }
    this.#keep(part, { value, bytes: value.byteLength });
  }

  async #readItem(): Promise<void> {
    const line = await this.#content.line(this.#limits.lineBytes);
    if (line === undefined) throw new HttpError(400, 'The content ended before its streams did.');
    // A client whose streams rest keeps its connection alive.
    if (line.trim() === '') return;
    const members = parse(line, 'An item of a stream');
    const part = isMembers(members) ? this.#streams.get(members['part'] as number) : undefined;
    if (!isMembers(members) || part === undefined || part.isEnded)
      throw new HttpError(400, 'An item of a stream is { part, value }, with the number of a stream that has not ended.');
    if (members['done'] === true) part.isEnded = true;
    else this.#keep(part, { value: valueIn(members), bytes: line.length });
  }

  #keep(part: Part, kept: Kept): void {
    if (part.isLeft || this.#isOver) return;
    part.kept.push(kept);
    this.#keptBytes += kept.bytes;
    const { lineBytes } = this.#limits;
    // One piece more than that is there when its reader comes.
    if (this.#keptBytes - kept.bytes > lineBytes)
      throw new HttpError(413, `Files and streams are read in the order in which they come: ${lineBytes} bytes of others are kept.`);
  }
}

function valueIn({ value, as }: Readonly<Record<string, unknown>>): unknown {
  try {
    return fromWire(value, as);
  } catch (error) {
    if (error instanceof TypeError) throw new HttpError(400, `as does not fit an item of a stream: ${error.message}.`);
    throw error;
  }
}
