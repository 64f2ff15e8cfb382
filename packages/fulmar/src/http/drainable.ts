// The servers of this process that listen, for whoever ends the process gracefully: `fulmar run` reads the set when a signal
// comes and calls `drain()` on each. A global symbol, so that it finds them without loading this package.
import type { ServerState } from './server-state.ts';

const KEY = Symbol.for('fulmar.servers');

const registry = globalThis as unknown as Record<symbol, Set<ServerState> | undefined>;

export function addDrainable(server: ServerState): void {
  (registry[KEY] ??= new Set()).add(server);
}

export function removeDrainable(server: ServerState): void {
  registry[KEY]?.delete(server);
}
