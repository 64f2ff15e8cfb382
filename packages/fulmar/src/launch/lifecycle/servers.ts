/**
 * The servers of this process that listen, and how they are ended gracefully.
 *
 * Knows them by a set that `fulmar/http` keeps; loads nothing of it.
 */
import { readGlobal } from '../../host/globals.ts';

interface DrainableServer {
  readonly listening: boolean;
  /** Connections that are open. */
  readonly _connections: number;
  /** Stops accepting, closes idle connections, marks replies with `Connection: close`. */
  drain(): unknown;
  /** `close` follows when the last connection is gone. */
  once(event: 'close', listener: () => void): unknown;
}

function servers(): readonly DrainableServer[] {
  return [...((readGlobal('fulmar.servers') ?? []) as Iterable<DrainableServer>)];
}

/** Those that accept connections. */
export function listeningServers(): readonly Pick<DrainableServer, 'listening'>[] {
  return servers().filter(({ listening }) => listening);
}

/** Is there one with connections at least? */
export function hasServers(): boolean {
  return servers().length > 0;
}

/** Connections of all of them that are open. */
export function connectionCount(): number {
  return servers().reduce((sum, { _connections }) => sum + _connections, 0);
}

/** Resolves after the last connection of all of them, and at the deadline. */
export function drainServers(deadlineMs: number): Promise<void> {
  const closed = servers().map((server) => {
    const done = new Promise<void>((resolve) => void server.once('close', resolve));
    server.drain();
    return done;
  });
  const deadline = new Promise<void>((resolve) => void setTimeout(resolve, deadlineMs).unref());
  return Promise.race([Promise.all(closed).then(() => undefined), deadline]);
}
