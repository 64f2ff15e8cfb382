/**
 * `fulmar/client/parts`: files and streams as parameters, and files as results. A call's JSON is the first line of the
 * content; the bytes of files stand behind it, then a line for each item of a stream. Uses nothing of the client but
 * its types, so that pages that send none do not load it.
 */
import type { ErrorParts } from './client-error.ts';
import type { Attached, ClientOptions, Outgoing, Parts, SentParts, ToWire } from './client-types.ts';
import { iteratorOf, Merged } from './merged-streams.ts';
import { uploadByXhr, xhrClass } from './xhr-upload.ts';

const PARTS_TYPE = 'application/vnd.fulmar.rpc-parts';
/** A name and a type are not longer. */
const HINT_BYTES_MAX = 64 * 1024;
const PIECE_BYTES = 64 * 1024;

export interface PartsProgress {
  /** Bytes that were handed over to the network so far. */
  readonly sent: number;
  /** Unknown where there are streams. */
  readonly total: number | undefined;
}

export interface PartsOptions {
  /** While content goes out. In browsers the call is made by `XMLHttpRequest`, and a stream that it answers with comes as a whole. */
  readonly onProgress?: (progress: PartsProgress) => void;
  /** `whole`: streams are read to their end before they are sent, for hosts whose `fetch` sends none. Default: `live`. */
  readonly streams?: 'live' | 'whole';
}

const NAMES: ReadonlySet<string> = new Set(['onProgress', 'streams']);

/** @throws TypeError for options that are none */
export function parts(options: PartsOptions = {}): Parts {
  const { streams = 'live', onProgress } = options;
  const unknown = Object.keys(options).find((name) => !NAMES.has(name));
  if (unknown !== undefined) throw new TypeError(`parts() has no option ${unknown}; it has ${[...NAMES].join(', ')}.`);
  if (streams !== 'live' && streams !== 'whole')
    throw new TypeError(`parts(): streams is 'live' or 'whole', and this is ${String(streams)}.`);
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw new TypeError(`parts(): onProgress is a function ({ sent, total }), and this is of type ${typeof onProgress}.`);
  return { begin: (toWire) => new Sending(options, toWire), type: PARTS_TYPE, read: readFile };
}

type Bytes = Uint8Array<ArrayBuffer>;
type Failure = ErrorParts<string, undefined>;

class Sending implements SentParts {
  readonly #options: PartsOptions;
  readonly #toWire: ToWire;
  readonly #files: Blob[] = [];
  readonly #streams: { readonly part: number; readonly items: AsyncIterator<unknown> }[] = [];
  #failure: Failure | undefined;
  #isSent = false;

  constructor(options: PartsOptions, toWire: ToWire) {
    this.#options = options;
    this.#toWire = toWire;
  }

  readonly special = (value: object): unknown => {
    const part = this.#files.length + this.#streams.length;
    if (value instanceof Blob) {
      this.#files.push(value);
      const { name, lastModified } = value as Partial<File>;
      return ['file', part, value.size, value.type, ...(name === undefined ? [] : [name, lastModified])];
    }
    const items = iteratorOf(value);
    if (items === undefined) return undefined;
    this.#streams.push({ part, items });
    return ['stream', part];
  };

  isUsed(): boolean {
    return this.#files.length + this.#streams.length > 0;
  }

  failure(): Failure | undefined {
    return this.#failure;
  }

  /** Ends what has not ended. */
  end(): void {
    if (this.#isSent) return;
    this.#isSent = true;
    for (const { items } of this.#streams) void Promise.resolve(items.return?.()).catch(() => {});
  }

  async attach({ url, init }: Outgoing, options: ClientOptions): Promise<Attached> {
    const before = [`${String(init.body)}\n`, ...this.#files];
    const lines = new Merged(
      this.#streams,
      (value) => this.#membersOf(value),
      (cause) => this.#failed(cause),
    );
    const isLive = this.#streams.length > 0 && this.#options.streams !== 'whole';
    const whole = isLive ? undefined : new Blob([...before, ...(await this.#collected(lines, init.signal))]);
    const { onProgress } = this.#options;
    const headers = { ...init.headers, 'Content-Type': PARTS_TYPE };
    if (whole !== undefined && onProgress === undefined) return { url, init: { ...init, headers, body: whole } };
    const XhrClass = options.fetch === undefined ? xhrClass() : undefined;
    if (whole !== undefined && onProgress !== undefined && XhrClass !== undefined) {
      if (init.credentials === 'omit') throw this.#refused(OMITTED);
      return { url, init: { ...init, headers, body: whole }, fetch: uploadByXhr(XhrClass, onProgress) };
    }
    const problem = whyNoStream(url);
    if (problem !== undefined) throw this.#refused(problem);
    const body = streamOf(whole === undefined ? before : [whole], lines, counter(onProgress, whole?.size));
    return { url, init: { ...init, headers, body, duplex: 'half' } as Outgoing['init'] };
  }

  async #collected(lines: Merged, signal: AbortSignal | null | undefined): Promise<string[]> {
    const all: string[] = [];
    const leave = (): void => lines.leave();
    signal?.addEventListener('abort', leave);
    for (let line = await lines.next(); line !== undefined; line = await lines.next()) all.push(line);
    signal?.removeEventListener('abort', leave);
    signal?.throwIfAborted();
    return all;
  }

  #membersOf(value: unknown): string {
    const { json, as } = this.#toWire(value);
    return `"value":${JSON.stringify(json)}${as === undefined ? '' : `,"as":${JSON.stringify(as)}`}`;
  }

  /** Of the application's own stream. */
  #failed(cause: unknown): void {
    const message = `A stream that was to be sent failed: ${cause instanceof Error ? cause.message : String(cause)}`;
    this.#failure ??= { type: 'aborted', status: 0, message, cause };
  }

  #refused(message: string): Error {
    this.#failure = { type: 'invalid-params', status: 0, message };
    return new TypeError(message);
  }
}

function counter(onProgress: PartsOptions['onProgress'], total: number | undefined): (bytes: number) => void {
  let sent = 0;
  return (bytes) => onProgress?.({ sent: (sent += bytes), total });
}

/** Asked for as the network takes it. */
function streamOf(before: readonly (string | Blob)[], lines: Merged, count: (bytes: number) => void): ReadableStream<Bytes> {
  const pieces = piecesOf(before, lines);
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done === true) return controller.close();
        controller.enqueue(value);
        count(value.byteLength);
      },
      async cancel() {
        lines.leave();
        await pieces.return();
      },
    },
    { highWaterMark: 0 },
  );
}

async function* piecesOf(before: readonly (string | Blob)[], lines: Merged): AsyncGenerator<Bytes, void, undefined> {
  const encoder = new TextEncoder();
  for (const one of before) {
    if (typeof one === 'string') yield encoder.encode(one);
    else for await (const piece of iterated(one.stream())) yield* slicesOf(piece);
  }
  for (let line = await lines.next(true); line !== undefined; line = await lines.next(true)) yield encoder.encode(line);
}

/** A host may give a blob as one piece, of which progress would be told once. */
function* slicesOf(piece: Bytes): Generator<Bytes, void, undefined> {
  for (let at = 0; at < piece.byteLength; at += PIECE_BYTES) yield piece.subarray(at, at + PIECE_BYTES);
}

/** Not every host has streams that are iterables. */
async function* iterated(stream: ReadableStream<Bytes>): AsyncGenerator<Bytes, void, undefined> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    void reader.cancel().catch(() => {});
  }
}

const OMITTED = "A browser tells the progress of XMLHttpRequest alone, which cannot leave credentials out: say credentials: 'same-origin'.";
const INSTEAD = "Send an array, or say parts({ streams: 'whole' }), which reads the stream to its end first.";

/** Hosts that send streams over HTTP/1.1 as well, and never ask for `duplex`. */
const SENDS_STREAMS = ['Deno', 'Bun'].some((name) => name in globalThis);

/** A host that does not know streams as content sends their name; a browser sends them over HTTP/2 alone. */
function whyNoStream(url: string): string | undefined {
  if (SENDS_STREAMS) return undefined;
  let isAsked = false;
  try {
    const init = {
      method: 'POST',
      body: new ReadableStream(),
      get duplex() {
        return ((isAsked = true), 'half');
      },
    };
    const hasType = new Request('http://localhost', init as RequestInit).headers.has('content-type');
    if (!isAsked || hasType) return `fetch of this host sends no streams. ${INSTEAD}`;
  } catch {
    return `fetch of this host sends no streams. ${INSTEAD}`;
  }
  const { location } = globalThis as { location?: { readonly href: string } };
  if (location !== undefined && new URL(url, location.href).protocol === 'http:')
    return `A browser sends streams over HTTP/2 or later alone, and so by https. ${INSTEAD}`;
  return undefined;
}

/** The hint is ASCII: a character of it is a byte. */
async function readFile(response: Response): Promise<Blob> {
  const content = await response.blob();
  const head = await content.slice(0, HINT_BYTES_MAX).text();
  const end = head.indexOf('\n');
  const { as } = JSON.parse(head.slice(0, end)) as { readonly as: readonly [string, number, number, string, string?, number?] };
  const [, , size, type, name, lastModified] = as;
  const file = content.slice(end + 1, undefined, type);
  if (file.size !== size) throw new TypeError(`The file has ${file.size} bytes, and ${size} were said.`);
  return name === undefined ? file : new File([file], name, { type, ...(lastModified === undefined ? {} : { lastModified }) });
}
