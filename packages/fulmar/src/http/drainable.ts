/**
 * The servers of this process that listen, for whoever ends the process gracefully: `fulmar run` reads the
 * set when a signal comes and calls `drain()` on each. It finds them without loading this package.
 */
import { readGlobal, setGlobal } from '../host/globals.ts';
import type { ServerState } from './server-state.ts';

export function addDrainable(server: ServerState): void {
  const servers = readGlobal('fulmar.servers') ?? new Set();
  servers.add(server);
  setGlobal('fulmar.servers', servers);
}

export function removeDrainable(server: ServerState): void {
  readGlobal('fulmar.servers')?.delete(server);
}
