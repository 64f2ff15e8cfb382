/**
 * Request targets as strings. Most requests of an application have one of a few targets: those before are
 * compared with, byte by byte, which costs less than to make a string, and a string that was a key before is
 * found quicker the next time. Holds targets of all clients, as few and as short as its table, and gives each
 * only for its own bytes. Never calls what an application may have replaced.
 */
import { bytesOf, type NativeBuffer } from './node-buffer.ts';

const PLACES = 64;
/** Longer targets are rarely the same, and take longer to compare. */
const BYTES_MAX = 64;
/**
 * Of targets that are not there, whatever their place, one of so many is taken in: not each, so that targets
 * that are all different are not all kept.
 */
const MISSES_PER_REPLACEMENT = 4;

const texts = new Array<string>(PLACES).fill(''); // Without holes: setters of `Array.prototype` are not asked.
const known = bytesOf(PLACES * BYTES_MAX);
const lengths = bytesOf(PLACES);
let misses = 0;

/** The latin1 text of `length` bytes at `start`. */
export function targetText(bytes: NativeBuffer, start: number, length: number): string {
  if (length === 0 || length > BYTES_MAX) return bytes.latin1Slice(start, start + length);
  const place = (length * 7 + bytes[start + length - 1]!) & (PLACES - 1);
  const at = place * BYTES_MAX;
  if (lengths[place] === length) {
    let i = length - 1;
    while (i >= 0 && bytes[start + i] === known[at + i]) i--;
    if (i < 0) return texts[place]!;
  }
  const text = bytes.latin1Slice(start, start + length);
  if (lengths[place] === 0 || (++misses & (MISSES_PER_REPLACEMENT - 1)) === 0) {
    texts[place] = text;
    lengths[place] = length;
    for (let i = 0; i < length; i++) known[at + i] = bytes[start + i]!;
  }
  return text;
}
