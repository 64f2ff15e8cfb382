/**
 * The servers of this process that listen, and how they are ended gracefully.
 *
 * Knows them by a set that `fulmar/http` keeps; loads nothing of it.
 */
import { readGlobal } from '../../host/globals.ts';
import { STOP_MS_MAX, STOP_PART } from '../settings.ts';

interface DrainableServer {
  readonly listening: boolean;
  /** Connections that are open. */
  readonly _connections: number;
  /** Stops accepting, closes idle connections, marks replies with `Connection: close`. */
  drain(): unknown;
  /** `close` follows when the last connection is gone. */
  once(event: 'close', listener: () => void): unknown;
  closeAllConnections(): void;
  /** Its application is ending it, and may still answer meanwhile. */
  readonly isEnding?: boolean;
  /** What its application does when nothing is answered any more. */
  readonly afterDrain?: (() => Promise<void>) | undefined;
}

function servers(): readonly DrainableServer[] {
  return [...((readGlobal('fulmar.servers') ?? []) as Iterable<DrainableServer>)];
}

/** Those that accept connections. */
export function listeningServers(): readonly Pick<DrainableServer, 'listening' | 'isEnding'>[] {
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

/**
 * Drains all of them; when the last connection is gone, their applications do what they do at their end, in the
 * opposite order of their start. A part of the time is theirs: connections that are still open then are closed.
 * Resolves to whether applications have ended in time. @throws what they throw, when all have ended
 */
export async function drainServers(limitMs: number): Promise<boolean> {
  const all = servers();
  const last = all.flatMap(({ afterDrain }) => afterDrain ?? []).reverse();
  const keptMs = last.length === 0 ? 0 : Math.min(limitMs / STOP_PART, STOP_MS_MAX);
  const end = performance.now() + limitMs;
  const closed = all.map((server) => {
    const done = new Promise<void>((resolve) => void server.once('close', resolve));
    server.drain();
    return done;
  });
  // The servers keep the process alive while it waits for them, not this.
  await Promise.race([Promise.all(closed), new Promise((resolve) => void setTimeout(resolve, limitMs - keptMs).unref())]);
  if (last.length === 0) return true;
  for (const server of servers()) server.closeAllConnections();
  return Promise.race([
    endAll(last).then(() => true),
    new Promise<false>((resolve) => void setTimeout(resolve, end - performance.now(), false)),
  ]);
}

async function endAll(ends: readonly (() => Promise<void>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const end of ends) await end().catch((error: unknown) => void errors.push(error));
  if (errors.length > 0) throw errors[0];
}
