/**
 * Which streams are ours: the one place where that is decided, when a stream is made and its options are
 * known to be valid.
 */
import type { ZlibOptions } from 'node:zlib';
import { constants } from 'node:zlib';
import type { NodeStream } from './node-stream.ts';

/**
 * Where the fields of a compressor's settings lie in their number; `Settings::unpack` of the addon reads
 * them.
 */
const WINDOW_SHIFT = 4;
const MEMORY_SHIFT = 8;
const STRATEGY_SHIFT = 12;
const GZIP_FLAG = 0x8000;

const LEVEL_DEFAULT = 6;
const WINDOW_BITS_DEFAULT = 15;
/** zlib makes 9 of 8, and says so in no header: left to it. */
const WINDOW_BITS_MIN = 9;
const MEMORY_LEVEL_DEFAULT = 8;

/** What our streams do not do, or do not know: objects for chunks, dictionaries. */
const foreign = ['dictionary', 'objectMode', 'readableObjectMode', 'writableObjectMode', 'encoding'] as const;

/**
 * The settings of a stream that can be ours, but for its level; `undefined`: it stays Node's. `stream` has
 * been made with `options`.
 */
export function toSettings(stream: NodeStream, options: ZlibOptions | null | undefined, gzip: boolean): number | undefined {
  const given = options ?? {};
  if (foreign.some((name) => Reflect.get(given, name))) return undefined;
  if (stream._defaultFlushFlag === constants.Z_FINISH) return undefined;
  const windowBits = given.windowBits ?? WINDOW_BITS_DEFAULT;
  const memoryLevel = given.memLevel ?? MEMORY_LEVEL_DEFAULT;
  if (![windowBits, memoryLevel, stream._level, stream._strategy].every(Number.isInteger) || windowBits < WINDOW_BITS_MIN) return undefined;
  return (windowBits << WINDOW_SHIFT) | (memoryLevel << MEMORY_SHIFT) | (stream._strategy << STRATEGY_SHIFT) | (gzip ? GZIP_FLAG : 0);
}

/** Those of a stream that nobody has given options for. */
export function usualSettings(gzip: boolean): number {
  return (WINDOW_BITS_DEFAULT << WINDOW_SHIFT) | (MEMORY_LEVEL_DEFAULT << MEMORY_SHIFT) | (gzip ? GZIP_FLAG : 0);
}

/** The settings with a level, as the addon takes them. */
export function withLevel(settings: number, level: number): number {
  return settings | (level === constants.Z_DEFAULT_COMPRESSION ? LEVEL_DEFAULT : level);
}
