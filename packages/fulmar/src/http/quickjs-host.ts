/** What the QuickJS host offers beyond Node. */
import { readGlobal } from '../host/globals.ts';

export type { HostFrames } from '../host/globals.ts';

/** Undefined in Node. */
export const quickjsHost = readGlobal('fulmar.host');
