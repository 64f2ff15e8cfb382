/**
 * A result that is a `Blob` or a `File`: a line with its hint, and its bytes behind that, as a client sends one. Of a
 * type of its own, so that no browser takes what a user has once sent for a page.
 */
import type { AnyContext } from '../../app/index.ts';
import { VERSION } from '../request.ts';
import { isIncomingFile } from './incoming-file.ts';
import { PARTS_TYPE } from './parts.ts';

export interface FileReply {
  /** Default: no cache keeps it, as it may be large. */
  readonly cacheControl?: string | undefined;
  /** Of a call with parts. */
  readonly whenOver?: (() => void) | undefined;
}

export function sendFile(c: AnyContext, file: Blob, { cacheControl = 'no-store', whenOver }: FileReply): unknown {
  const hint: unknown[] = ['file', 0, file.size, file.type];
  if (file instanceof File) hint.push(file.name, file.lastModified);
  const line = `${ascii(JSON.stringify({ rpc: VERSION, value: null, as: hint }))}\n`;
  c.header('Cache-Control', cacheControl);
  // What is still on its way cannot be a part of another blob.
  if (isIncomingFile(file)) return c.stream(passedOn(line, file, whenOver), { type: PARTS_TYPE });
  whenOver?.();
  return new Blob([line, file], { type: PARTS_TYPE });
}

/** So that its reader, who has the whole as one blob, finds the end of the line by counting characters. */
const ascii = (json: string): string => json.replaceAll(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

async function* passedOn(line: string, file: Blob, whenOver?: () => void): AsyncGenerator<string | Uint8Array, void, undefined> {
  try {
    yield line;
    yield* file.stream() as unknown as AsyncIterable<Uint8Array>;
  } finally {
    whenOver?.();
  }
}
