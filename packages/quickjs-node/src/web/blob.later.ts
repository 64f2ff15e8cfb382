/**
 * `Blob` and `File`: bytes that do not change.
 */
import { coded, invalidArgType, missingArgs } from '../shared/errors.ts';
import { exposed, inspectCustom, shown, type Inspect, type InspectOptions } from './idl.later.ts';

type Part = ArrayBuffer | ArrayBufferView | Blob | string;

interface BlobOptions {
  readonly type?: string;
  readonly endings?: 'transparent' | 'native';
}

/** How much `stream()` gives at once, in bytes. */
const CHUNK_BYTES = 65_536;

/** What a stream of bytes gives its source. */
interface ByteController {
  enqueue(bytes: Uint8Array): void;
  close(): void;
  readonly byobRequest: { respond(bytes: number): void } | null;
}

let bytesOf: (blob: Blob) => Uint8Array;

function toBytes(part: unknown, endings: string): Uint8Array {
  if (part instanceof Blob) return bytesOf(part);
  if (ArrayBuffer.isView(part)) return new Uint8Array(part.buffer, part.byteOffset, part.byteLength).slice();
  if (part instanceof ArrayBuffer) return new Uint8Array(part).slice();
  const text = `${part as string}`;
  return new TextEncoder().encode(endings === 'native' ? text.replaceAll(/\r?\n|\r/g, '\n') : text);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0] as Uint8Array;
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function normalType(type: unknown): string {
  const text = `${type as string}`;
  return /[^\u0020-\u007e]/.test(text) ? '' : text.toLowerCase();
}

export class Blob {
  readonly #bytes: Uint8Array;
  readonly #type: string;

  static {
    bytesOf = (blob) => blob.#bytes;
  }

  constructor(sources: Iterable<Part> = [], options: BlobOptions = {}) {
    const iterable = typeof sources === 'object' && sources !== null && typeof sources[Symbol.iterator] === 'function';
    if (!iterable) throw coded(TypeError, 'ERR_INVALID_ARG_TYPE', 'Value cannot be converted to sequence.');
    if (typeof options !== 'object' && typeof options !== 'function') throw invalidArgType('options', 'Object', options);
    const { endings = 'transparent', type = '' } = options ?? {};
    this.#bytes = joined([...sources].map((part) => toBytes(part, endings)));
    this.#type = normalType(type);
  }

  get size(): number {
    return this.#bytes.length;
  }
  get type(): string {
    return this.#type;
  }

  slice(start = 0, end: number = this.size, type = ''): Blob {
    return new Blob([this.#bytes.subarray(...range(start, end, this.size))], { type });
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return Promise.resolve(this.#bytes.slice().buffer as ArrayBuffer);
  }
  bytes(): Promise<Uint8Array> {
    return Promise.resolve(this.#bytes.slice());
  }
  text(): Promise<string> {
    return Promise.resolve(new TextDecoder().decode(this.#bytes));
  }

  stream(): ReadableStream<Uint8Array> {
    let at = 0;
    const bytes = this.#bytes;
    return new ReadableStream<Uint8Array>({
      type: 'bytes',
      pull(controller: ByteController) {
        if (at < bytes.length) controller.enqueue(bytes.slice(at, (at += CHUNK_BYTES)));
        if (at >= bytes.length) {
          controller.close();
          controller.byobRequest?.respond(0);
        }
      },
    } as never) as ReadableStream<Uint8Array>;
  }

  [inspectCustom](depth: number, options: InspectOptions, inspect: Inspect): string {
    return shown(this, { size: this.size, type: this.type }, depth, options, inspect);
  }
}

function range(start: number, end: number, size: number): [number, number] {
  const place = (value: number): number => {
    const whole = Math.trunc(Number(value)) || 0;
    return whole < 0 ? Math.max(size + whole, 0) : Math.min(whole, size);
  };
  const from = place(start);
  return [from, Math.max(place(end), from)];
}

exposed(Blob);

export class File extends Blob {
  readonly #name: string;
  readonly #lastModified: number;

  constructor(sources: Iterable<Part>, name: string, options: BlobOptions & { readonly lastModified?: number } = {}) {
    if (arguments.length < 2) throw missingArgs('fileBits', 'fileName');
    super(sources, options);
    this.#name = `${name}`;
    const { lastModified } = options ?? {};
    this.#lastModified = lastModified === undefined ? Date.now() : Math.trunc(Number(lastModified)) || 0;
  }

  get name(): string {
    return this.#name;
  }
  get lastModified(): number {
    return this.#lastModified;
  }

  override [inspectCustom](depth: number, options: InspectOptions, inspect: Inspect): string {
    const { size, type, name, lastModified } = this;
    return shown(this, { size, type, name, lastModified }, depth, options, inspect);
  }
}

exposed(File);

/** `URL.createObjectURL`: blobs by their URLs, until they are revoked. */
const urls = new Map<string, Blob>();

/** A blob's URL without query and fragment, which name no other blob. */
const keyOf = (url: unknown): string => `${url as string}`.replace(/[?#].*$/s, '');

Object.defineProperty(Blob, Symbol.for('fulmar.objectUrls'), {
  value: {
    create(blob: unknown): string {
      if (!(blob instanceof Blob)) throw invalidArgType('obj', 'Blob', blob);
      const url = `blob:nodedata:${process.getBuiltinModule('node:crypto').randomUUID()}`;
      urls.set(url, blob);
      return url;
    },
    revoke(url: string): void {
      urls.delete(keyOf(url));
    },
    find: (url: string): Blob | undefined => urls.get(keyOf(url)),
  },
});

/** `buffer.resolveObjectURL`: the bytes behind a URL, as a `Blob` of its own. */
export function resolveObjectURL(url: unknown): Blob | undefined {
  const found = urls.get(keyOf(url));
  return found?.slice(0, found.size, found.type);
}
