/**
 * Decodes, in a thread whose heap is small, what `binary-fuzz.test.ts` hands in: a decoder that makes more than its
 * bytes are for ends it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { runBody } from './support.ts';

export interface Given {
  /** A source that was compiled: a decoder for each type. */
  readonly body: string;
  /** Bytes that are written once, and those that follow over and over. */
  readonly cases: readonly (readonly [name: string, head: Uint8Array, pattern: Uint8Array])[];
  readonly length: number;
  readonly good: readonly (readonly [name: string, bytes: Uint8Array])[];
}

const { body, cases, good, length } = workerData as Given;
const decoders = runBody<Readonly<Record<string, (bytes: Uint8Array) => unknown>>>(body);

function filled(head: Uint8Array, pattern: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(length);
  bytes.set(head);
  bytes.set(pattern, head.length);
  for (let end = head.length + pattern.length; end < length; end += end - head.length) bytes.copyWithin(end, head.length, end);
  return bytes;
}

/** How many of them are values. */
function decodeAll(all: Iterable<readonly [name: string, bytes: Uint8Array]>): number {
  let decoded = 0;
  for (const [name, bytes] of all) {
    try {
      decoders[name]?.(bytes);
      decoded += 1;
    } catch (error) {
      if (!String((error as { code?: unknown }).code).startsWith('FULMAR_')) throw error;
    }
  }
  return decoded;
}

function* lies(): Generator<readonly [string, Uint8Array]> {
  for (const [name, head, pattern] of cases) yield [name, filled(head, pattern)];
}

parentPort?.postMessage([decodeAll(lies()), decodeAll(good)]);
