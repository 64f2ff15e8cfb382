/**
 * Whether `node:cluster` is used at all. It is loaded only then: most servers are one process, and it costs a
 * start as much as a listener.
 */
import { cluster } from './lazy.ts';
import { quickjsHost } from './quickjs-host.ts';

/** Only a process with a channel to its parent can be a worker. */
export const isClusterWorker = (): boolean => process.connected && cluster().isWorker();

/** What the first worker brings about in Node's primary. */
const FORKING = 'internalMessage';

function onNewListener(event: string | symbol): void {
  if (event !== FORKING) return;
  process.removeListener('newListener', onNewListener);
  cluster().servePrimary();
}

/** Called once when this package is loaded: from its first worker on, a primary answers them. */
export function servePrimary(): void {
  // An executable is one process.
  if (quickjsHost !== undefined) return;
  if (process.listenerCount(FORKING) > 0) cluster().servePrimary();
  else process.on('newListener', onNewListener);
}
