/**
 * The peer of one connection: writes what a state asks for, reads or does not read, leaves. Never looks at
 * the server.
 */
import { connect, type Socket } from 'node:net';
import type { Leave } from './model.ts';

/** Above this, how much a client got says how much the operating system buffers, not what the server did. */
const EXACT_BYTES_MAX = 4_096;
const KEPT_BYTES_MAX = 65_536;

export class Client {
  readonly socket: Socket;
  #text = '';
  #bytes = 0;
  #ending = 'open';
  #wake: (() => void)[] = [];

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#bytes += chunk.length;
      if (this.#text.length < KEPT_BYTES_MAX) this.#text += chunk.toString('latin1');
      this.#notify();
    });
    socket.on('end', () => this.#end('end'));
    socket.on('error', (error: NodeJS.ErrnoException) => this.#end(error.code ?? error.message));
    socket.on('close', () => this.#notify());
  }

  /** Changes whenever anything moved on this side. */
  get moves(): string {
    const { bytesRead, writableLength } = this.socket;
    return `${bytesRead} ${writableLength} ${this.#ending}`;
  }

  send(text: string | Uint8Array): void {
    this.socket.write(text);
  }

  /** Waits until the reply so far contains `text`, or the connection is over. */
  async until(text: string): Promise<void> {
    while (!this.#text.includes(text) && this.#ending === 'open' && !this.socket.destroyed) {
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  /** From here on the server's bytes stay in the operating system. */
  stopReading(): void {
    this.socket.pause();
  }

  goOnReading(): void {
    this.socket.resume();
  }

  leave(how: Leave): void {
    if (how === 'reset') this.socket.resetAndDestroy();
    else if (how === 'close') this.socket.destroy();
    else this.socket.end();
  }

  /**
   * What came, without what two runs cannot have in common: times, and how much the operating system takes.
   */
  summary(): string {
    const lines = this.#text.match(/HTTP\/1\.1 \d{3} [^\r\n]*/g) ?? [];
    const bytes = this.#bytes > EXACT_BYTES_MAX ? `more than ${EXACT_BYTES_MAX}` : this.#bytes - this.#varying();
    return `client: ${bytes} bytes, ${JSON.stringify(lines)}, ${this.#ending}`;
  }

  #varying(): number {
    const fields = this.#text.match(/^(Date|Keep-Alive): [^\r\n]*\r\n/gm) ?? [];
    return fields.reduce((sum, field) => sum + field.length, 0);
  }

  #end(how: string): void {
    if (this.#ending === 'open') this.#ending = how;
    this.#notify();
  }

  #notify(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}

export function openClient(port: number): Promise<Client> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(new Client(socket));
    });
  });
}
