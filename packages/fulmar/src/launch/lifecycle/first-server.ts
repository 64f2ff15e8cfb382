/**
 * The moment before the first server of this process is among those that listen: whoever has something to do
 * then and no earlier.
 *
 * Knows the set that `fulmar/http` keeps; loads nothing of it.
 */
import { readGlobal, setGlobal } from '../../host/globals.ts';

/**
 * Calls `then` once, with that server, before its own listeners hear that it listens; after those who asked
 * later.
 */
export function beforeFirstServer(then: (server: unknown) => void): void {
  const servers = readGlobal('fulmar.servers') ?? new Set();
  setGlobal('fulmar.servers', servers);
  // That of another who asked, or the set's own.
  const { add } = servers;
  servers.add = (server) => {
    Reflect.deleteProperty(servers, 'add');
    then(server);
    return add.call(servers, server);
  };
}
