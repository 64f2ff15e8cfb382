/**
 * How an app that listens ends, by `close()` or because the process drains its servers: its hooks first, then
 * the server, with the sockets that are open. Never met by a request.
 */
import type { Server } from 'node:http';
import { endStreams } from './open-streams.ts';
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
function hubFor({ table, settings }: Scope): Hub | null {
  for (const { value } of table.entries()) if (value.hubOf !== null) return value.hubOf(settings);
  return null;
}

/** Resolves when the last connection is gone. */
export async function closeGently(scope: Scope, server: Server): Promise<void> {
  await drain(scope);
  endStreams(scope.settings);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const hub = hubFor(scope);
  await Promise.all([closed, hub?.close()]);
  hub?.reopen();
  scope.draining = null;
}

/** The same by the server's own `drain()`, which whoever ends the process calls (`launch/lifecycle`). */
export function drainGently(scope: Scope, server: Server): void {
  const { drain: stop } = server as unknown as { drain(): void };
  const gently = async (): Promise<void> => {
    await drain(scope);
    endStreams(scope.settings);
    stop.call(server);
    await hubFor(scope)?.close();
  };
  Object.defineProperty(server, 'drain', { value: () => void gently(), configurable: true, writable: true });
}
