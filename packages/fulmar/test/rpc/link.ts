/**
 * A link between a client and a server that is as bad as a test wants: it carries so many bytes of a direction, then
 * holds what comes, or breaks off. By counts and not by time, so that what happens is the same in every run.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket, connect } from 'node:net';

/** `up`: to the server. */
export type Direction = 'up' | 'down';

export interface Fault {
  /** Bytes that still go through. */
  readonly after: number;
  /** `hold`: nothing more comes, and nothing is said; `end`: an end in the middle; `reset`: a broken connection. */
  readonly then: 'end' | 'hold' | 'reset';
}

export class Link {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  readonly #faults: Partial<Record<Direction, { left: number; readonly then: Fault['then'] }>> = {};
  #reached: () => void = () => {};
  #bytesPerTurn = Infinity;
  #broken: 'end' | 'reset' | undefined;

  private constructor(port: number) {
    this.#server = createServer({ allowHalfOpen: true }, (near) => {
      // A browser asks again, by another connection.
      if (this.#broken !== undefined) return breakOff(near, this.#broken);
      const far = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      this.#carry(near, far, 'up');
      this.#carry(far, near, 'down');
    });
  }

  static async to(port: number): Promise<Link> {
    const link = new Link(port);
    link.#server.listen(0, '127.0.0.1');
    await once(link.#server, 'listening');
    return link;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Resolves when so much has been carried, from now on. */
  fail(direction: Direction, { after, then }: Fault): Promise<void> {
    this.#faults[direction] = { left: after, then };
    return new Promise((resolve) => (this.#reached = resolve));
  }

  /** Carries so many bytes in a turn, and reads no further meanwhile. */
  slow(bytes: number): void {
    this.#bytesPerTurn = bytes;
  }

  /** What is held is lost, and what is behind it is seen: who has left. */
  drain(): void {
    for (const socket of this.#open) socket.resume();
  }

  break(then: 'end' | 'reset'): void {
    this.#broken = then;
    for (const socket of this.#open) breakOff(socket, then);
  }

  close(): void {
    this.break('end');
    this.#server.close();
  }

  #carry(from: Socket, to: Socket, direction: Direction): void {
    this.#open.add(from);
    from.on('error', () => to.resetAndDestroy());
    from.on('close', () => {
      this.#open.delete(from);
      to.destroy();
    });
    from.on('end', () => to.end());
    from.on('data', (piece: Buffer) => {
      if (piece.length > this.#bytesPerTurn) return this.#crawl(from, to, piece);
      const fault = this.#faults[direction];
      if (fault?.left === 0) return;
      if (fault === undefined || piece.length < fault.left) {
        if (fault !== undefined) fault.left -= piece.length;
        if (to.write(piece)) return;
        from.pause();
        to.once('drain', () => from.resume());
        return;
      }
      from.pause();
      const rest = piece.subarray(0, fault.left);
      fault.left = 0;
      to.write(rest, () => {
        if (fault.then !== 'hold') this.break(fault.then);
        this.#reached();
      });
    });
  }

  #crawl(from: Socket, to: Socket, piece: Buffer): void {
    from.pause();
    to.write(piece.subarray(0, this.#bytesPerTurn));
    const rest = piece.subarray(this.#bytesPerTurn);
    setImmediate(() => {
      if (rest.length > 0) this.#crawl(from, to, rest);
      else from.resume();
    });
  }
}

function breakOff(socket: Socket, then: 'end' | 'reset'): void {
  if (then === 'reset') socket.resetAndDestroy();
  else socket.destroy();
}
