/**
 * `listen()` where a platform calls and no port is (`fulmar build --target`): the server is registered with
 * whoever calls, and told that it listens. It opens nothing and keeps no process alive.
 */
import { readGlobal } from '../host/globals.ts';
import { answerOn } from './observer.ts';
import type { ServerState } from './server-state.ts';

interface Asked {
  readonly address: string | null;
  readonly port: number | null;
}

/** Stands where Node keeps its handle: an address for those who print it. */
class RegisteredHandle {
  readonly fd = -1;
  readonly #server: ServerState;
  readonly #asked: Asked;

  constructor(server: ServerState, asked: Asked) {
    this.#server = server;
    this.#asked = asked;
  }

  getsockname(out: object): number {
    const address = this.#asked.address ?? '127.0.0.1';
    Object.assign(out, { address, family: address.includes(':') ? 'IPv6' : 'IPv4', port: Math.max(this.#asked.port ?? 0, 0) });
    return 0;
  }
  close(): void {
    process.nextTick(() => this.#server.emit('close'));
  }
  ref(): void {}
  unref(): void {}
  getAsyncId(): number {
    return 0;
  }
}

/** False: nobody calls, listen. */
export function registerInstead(server: ServerState, asked: Asked): boolean {
  const register = readGlobal('fulmar.serverless');
  if (register === undefined) return false;
  server._handle = new RegisteredHandle(server, asked);
  register((exchange) => answerOn(server, exchange));
  process.nextTick(() => server.emit('listening'));
  return true;
}
