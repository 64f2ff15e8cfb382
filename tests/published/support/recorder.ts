/**
 * A wire between a client and a server that keeps a copy of all bytes in both directions, connection by
 * connection. It changes nothing: framing, reuse of connections, upgrades and ends are the two sides' own.
 */
import net from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export interface Recorded {
  readonly toServer: readonly Buffer[];
  readonly toClient: readonly Buffer[];
  /** Set when the server's side has ended. */
  readonly isEnded: boolean;
}

interface Wire {
  readonly toServer: Buffer[];
  readonly toClient: Buffer[];
  isEnded: boolean;
}

export class Recorder {
  readonly port: number;
  readonly #server: net.Server;
  readonly #sockets: Set<Socket>;
  readonly #wires: Wire[];

  private constructor({ server, sockets, wires }: { server: net.Server; sockets: Set<Socket>; wires: Wire[] }) {
    this.#server = server;
    this.#sockets = sockets;
    this.#wires = wires;
    this.port = (server.address() as AddressInfo).port;
  }

  /** A wire to `port` of this machine; its own port is free and the recorder's. */
  static async open(port: number): Promise<Recorder> {
    const sockets = new Set<Socket>();
    const wires: Wire[] = [];
    const server = net.createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
      const wire: Wire = { toServer: [], toClient: [], isEnded: false };
      wires.push(wire);
      const upstream = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
      join(client, upstream, wire.toServer);
      join(upstream, client, wire.toClient);
      for (const socket of [client, upstream]) sockets.add(socket.once('close', () => sockets.delete(socket)));
      upstream.once('close', () => (wire.isEnded = true));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Recorder({ server, sockets, wires });
  }

  recorded(): readonly Recorded[] {
    return this.#wires;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

function join(from: Socket, to: Socket, copy: Buffer[]): void {
  from.on('data', (data: Buffer) => {
    copy.push(data);
    if (!to.destroyed && !to.write(data)) from.pause();
  });
  to.on('drain', () => from.resume());
  from.on('end', () => to.end());
  from.on('error', () => to.destroy());
  from.on('close', () => setImmediate(() => to.end()));
}
