/**
 * Content that is there as a whole, compressed in one pass by the engine on this thread. Leaves alone what is
 * too long for that, and what is asked for where there is no addon: that is Node's.
 */
import { constants } from 'node:zlib';
import { compressor } from '../http/index.ts';
import { firstChunkBytesMax } from './limits.ts';
import { usualSettings, withLevel } from './settings.ts';

/** `undefined`: nothing was done. */
export function deflateWhole(content: Uint8Array, { isGzip, level }: { isGzip: boolean; level: number }): Uint8Array | undefined {
  const by = compressor();
  if (by === undefined || content.byteLength > firstChunkBytesMax()) return undefined;
  const id = by.nameDeflate();
  try {
    return by.deflate(id, withLevel(usualSettings(isGzip), level), constants.Z_FINISH, content) ?? undefined;
  } catch {
    by.closeDeflate(id);
    return undefined;
  }
}
