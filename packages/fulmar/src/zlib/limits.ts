/**
 * How much is compressed on the JavaScript thread: the numbers of this layer, and why they are what they are.
 *
 * Read when the first stream is made. Never asks again: cores do not come and go.
 */
import { availableParallelism } from 'node:os';

/**
 * A first chunk up to this goes our way where no core waits for work, in bytes: about a millisecond. Node's
 * way takes half as long again on the same core.
 */
const CHUNK_BYTES_MAX = 128 * 1_024;
/**
 * Where cores may be idle: a tenth of a millisecond, which is little more than handing it to another thread
 * costs.
 */
const CHUNK_BYTES_MAX_PARALLEL = 16 * 1_024;
/**
 * With so many cores for a process one of them is for what libuv's threads would do; with fewer, compressing
 * there delays the same work.
 */
const PARALLEL_CORES_MIN = 3;

/**
 * What of a stream's first chunk is compressed in one step, in bytes: all of it, unless it has grown since.
 */
export const FIRST_BYTES_MAX = CHUNK_BYTES_MAX;
/**
 * So much of all streams together is compressed in one turn of the event loop, their first chunks aside, in
 * bytes: less than a tenth of a millisecond. Who waits for a database in twenty steps waits for twenty turns.
 */
export const TURN_BYTES_MAX = 8 * 1_024;

let known: number | undefined;

/** The longest first chunk of a stream that is ours, in bytes. */
export function firstChunkBytesMax(): number {
  known ??= hasIdleCores() ? CHUNK_BYTES_MAX_PARALLEL : CHUNK_BYTES_MAX;
  return known;
}

/** For tests of what other machines do; `undefined` is as this machine has it. */
export function setFirstChunkBytesMax(bytes: number | undefined): void {
  known = bytes;
}

/** A worker has as good as one core: there are others for the rest. */
function hasIdleCores(): boolean {
  const { isWorker } = process.getBuiltinModule('node:cluster') as unknown as { isWorker: boolean };
  return !isWorker && availableParallelism() >= PARALLEL_CORES_MIN;
}
