/**
 * The exchange layer: the only one that knows the engine's addon and the batch. See `types.ts` for the
 * vocabulary.
 */
import { type Binding, binding, loadedBinding } from './binding.ts';
import { sharedLoop } from './batch-loop.ts';
import type { ServerConfig } from './types.ts';

export { createListener } from './listener.ts';
export { ReplyFlag } from './format.ts';
export { keepShapes, REQUESTS_BEFORE_SHAPES } from './kept-shapes.ts';

/** Defaults of a listener; the table of SECURITY.md. */
export const defaultServerConfig: Readonly<ServerConfig> = {
  headersTimeoutMs: 15_000,
  requestTimeoutMs: 300_000,
  keepAliveTimeoutMs: 72_000,
  socketTimeoutMs: 0,
  writeTimeoutMs: 60_000,
  headBytesMax: 16_384,
  requestLineBytesMax: 8_192,
  headerCountMax: 2_000,
  requestsPerConnectionMax: 0,
  connectionsMax: 0,
  noDelay: true,
  keepAliveProbes: false,
  keepAliveInitialDelayMs: 0,
  requireHostHeader: true,
  reportConnections: false,
  reportRejects: false,
  acceptUpgrade: false,
  acceptConnect: false,
  allowHalfOpen: false,
};

/** SHA-1 of `bytes` in base64 without padding, as entity tags use it. */
export function sha1Base64(bytes: Uint8Array): string {
  return binding().sha1Base64(bytes);
}

/** What is known of a file from `stat`. */
interface FileIdentity {
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
}

/**
 * Opens the file that `stat` describes, to send `length` bytes of it from `offset`: a descriptor, which is
 * the caller's. -1 if it cannot be opened, is not that file (any more), or if sending would have to wait for
 * a disk.
 */
export function openFile(path: string, stat: FileIdentity, part: { offset: number; length: number }): number {
  return binding().openFile(path, stat.dev, stat.ino, stat.size, part.offset, part.length);
}

/**
 * Whether `count` files can be opened for replies without the last descriptors of the system, which are for
 * what is loaded late. Where no server has loaded the addon none of ours replies, and nothing is held back.
 */
export function hasDescriptors(count: number): boolean {
  return loadedBinding()?.hasDescriptors(count) !== 0;
}

export { bytesIn } from './node-buffer.ts';

/**
 * What compresses replies (see `Binding`); absent until a server has loaded the addon, and where it has none.
 */
export function compressor(): Pick<Required<Binding>, 'nameDeflate' | 'deflate' | 'closeDeflate'> | undefined {
  const loaded = loadedBinding();
  return loaded?.deflate === undefined ? undefined : (loaded as Required<Binding>);
}

/** The engine's counters of this thread; `open` is the number of connections. */
export function engineStats(): Record<string, number> {
  return sharedLoop().binding.stats();
}
