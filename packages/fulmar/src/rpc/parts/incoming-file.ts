/**
 * A file that is still on its way: a `File` whose bytes are those that come, read once. It knows its name, type and
 * size before; they are what the client says, and the size is right, or reading fails.
 */
import type { PartSource } from './parts.ts';

export interface FileInfo {
  readonly size: number;
  readonly type: string;
  /** Empty: the client had a `Blob`. */
  readonly name: string;
  readonly lastModified: number;
}

const incoming = new WeakSet<object>();

export const isIncomingFile = (value: unknown): value is File => typeof value === 'object' && value !== null && incoming.has(value);

/** By the host's own class, and not one of ours: schemas of others ask `instanceof File`. */
export function incomingFile({ size, type, name, lastModified }: FileInfo, source: PartSource): File {
  const file = new File([], baseName(name), { type, lastModified });
  let isTaken = false;
  const stream = (): ReadableStream<Uint8Array> => {
    if (isTaken) throw new TypeError(`The file ${JSON.stringify(name)} has been read already: what is sent is read once.`);
    isTaken = true;
    return toStream(source);
  };
  const bytes = async (): Promise<Uint8Array<ArrayBuffer>> => collected(stream(), size);
  const members = {
    stream,
    bytes,
    arrayBuffer: async () => (await bytes()).buffer,
    text: async () => new TextDecoder().decode(await bytes()),
    slice: () => {
      throw new TypeError('A file that is on its way has no slices: take them of new Blob([await file.bytes()]).');
    },
  };
  for (const [key, value] of Object.entries(members)) Object.defineProperty(file, key, { value, configurable: true, writable: true });
  Object.defineProperty(file, 'size', { value: size, configurable: true });
  incoming.add(file);
  return file;
}

/** What folders are named by: themselves, and the one above. */
const FOLDER = /^\.{1,2}$/;

/** A name, never a path: looked for in all of it, as `.` would stop at U+2028, which a slash may stand behind. */
function baseName(name: string): string {
  // oxlint-disable-next-line no-control-regex -- what no name of a file has
  const plain = name.replaceAll(/[\0-\x1f\x7f]/g, '');
  const last = plain.slice(Math.max(plain.lastIndexOf('/'), plain.lastIndexOf('\\')) + 1);
  return FOLDER.test(last) ? '' : last;
}

function toStream(source: PartSource): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await source.next();
        if (next === undefined) controller.close();
        else controller.enqueue(next.value as Uint8Array);
      },
      cancel: () => source.leave(),
    },
    { highWaterMark: 0 },
  );
}

/** The size is within the limit of files, and no more comes. */
async function collected(stream: ReadableStream<Uint8Array>, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream as unknown as AsyncIterable<Uint8Array>) pieces.push(piece);
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}
