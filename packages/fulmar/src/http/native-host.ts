/** What the native host offers beyond Node. */
import { readGlobal } from '../host/globals.ts';

export type { HostFrames } from '../host/globals.ts';

/** Undefined in Node. */
export const nativeHost = readGlobal('fulmar.host');
