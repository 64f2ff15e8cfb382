/**
 * How an app that listens ends, by `close()` or because the process drains its servers: its hooks first, then
 * the server, with the sockets that are open. Never met by a request.
 */
import type { Server } from 'node:http';
import { runHooks } from './hooks.ts';
import { allowStreams, endStreams } from './open-streams.ts';
import type { Scope } from './scope.ts';
import type { Hub } from './websocket/hub.ts';

/** Runs the hooks before the end once, whoever brings it about; what one throws is for the log. */
function drain(scope: Scope): Promise<void> {
  const run = async (): Promise<void> => {
    const hooks = [...scope.all()].flatMap(({ hooks: { drain: of } }) => of);
    const tell = (error: unknown): void => scope.settings.logger.error('onDrain', error);
    await Promise.all(hooks.map((hook) => Promise.resolve().then(hook).catch(tell)));
  };
  return (scope.draining ??= run());
}

/** Null: no route of its is a WebSocket's. */
function hubFor({ routes, settings }: Scope): Hub | null {
  for (const { hubOf } of routes) if (hubOf !== null) return hubOf(settings);
  return null;
}

/** The server's own way, past the one that `drainGently` has put before it. */
function stopListening(server: Server): void {
  (Object.getPrototypeOf(server) as { drain(this: Server): void }).drain.call(server);
}

/** Resolves when the last connection is gone. */
export async function closeGently(scope: Scope, server: Server): Promise<void> {
  await drain(scope);
  endStreams(scope.settings);
  const closed = new Promise<void>((resolve) => server.once('close', () => resolve()));
  // Not `close()`: behind a stream that has just ended, that leaves its connection to the keep-alive time.
  stopListening(server);
  server.closeIdleConnections();
  const hub = hubFor(scope);
  await Promise.all([closed, hub?.close()]);
  hub?.reopen();
  allowStreams(scope.settings);
  scope.draining = null;
}

/**
 * Runs the hooks of the end once, whoever brings it about, until the app starts again. @throws what hooks throw,
 * when all have run
 */
export function stop(scope: Scope): Promise<void> {
  return (scope.stopping ??= runHooks(scope, 'stop'));
}

/**
 * The same for whoever ends the process (`launch/lifecycle`): the server's own `drain()`, and what comes behind
 * the last connection of all servers of the process, as they may share what a hook ends.
 */
export function drainGently(scope: Scope, server: Server): void {
  const gently = async (): Promise<void> => {
    await drain(scope);
    endStreams(scope.settings);
    stopListening(server);
    await hubFor(scope)?.close();
  };
  const hasHooks = (): boolean => [...scope.all()].some(({ hooks }) => hooks.stop.length > 0);
  Object.defineProperties(server, {
    drain: { value: () => void gently(), configurable: true, writable: true },
    isEnding: { get: () => scope.draining !== null, configurable: true },
    afterDrain: { get: () => (hasHooks() ? () => stop(scope) : undefined), configurable: true },
  });
}
