/**
 * The raw client: one TCP connection, bytes out, replies in, and what became of the connection. Second step
 * of a case. It waits for events and deadlines only, never for a fixed time, and never retries a request that
 * was answered.
 */
import { connect as connectTcp, type Socket } from 'node:net';
import type { RawConnection, ReplyOutcome } from './case.ts';
import { emptyReply, readReply, valueOf } from './reader.ts';

const DEADLINE_MS = 4_000;

export class Connection implements RawConnection {
  readonly socket: Socket;
  #bytes: Buffer = Buffer.alloc(0);
  #ended = false;
  #failure: string | undefined;
  #wake: (() => void) | undefined;
  readonly #deadlineMs: number;

  constructor(socket: Socket, deadlineMs: number) {
    this.socket = socket;
    this.#deadlineMs = deadlineMs;
    socket.on('data', (chunk: Buffer) => {
      this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
      this.#wake?.();
    });
    socket.on('end', () => this.#end('closed'));
    socket.on('error', () => this.#end('closed'));
    socket.on('close', () => this.#end('closed'));
  }

  #end(failure: string): void {
    this.#ended = true;
    this.#failure ??= failure;
    this.#wake?.();
  }

  get ended(): boolean {
    return this.#ended;
  }

  write(bytes: string | Uint8Array): void {
    if (this.socket.destroyed) return;
    this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  async read(method = 'GET'): Promise<ReplyOutcome> {
    const result = await this.#wait(() => readReply(this.#bytes, method, this.#ended));
    if (result !== undefined) {
      this.#bytes = this.#bytes.subarray(result.consumed);
      return result.reply;
    }
    const partial = this.#bytes.toString('latin1');
    this.#bytes = Buffer.alloc(0);
    return { ...emptyReply(), failure: this.#failure ?? 'no answer', ...(partial === '' ? {} : { partial }) };
  }

  async closed(): Promise<string> {
    const ended = await this.#wait(() => (this.#ended ? true : undefined));
    return ended === true ? this.#bytes.toString('latin1') : 'still open';
  }

  /**
   * Tries `attempt` now and after every event, until it yields a value, the connection ends, or the deadline.
   */
  async #wait<T>(attempt: () => T | undefined): Promise<T | undefined> {
    const start = performance.now();
    for (;;) {
      const value = attempt();
      if (value !== undefined || this.#ended) return value ?? attempt();
      const left = this.#deadlineMs - (performance.now() - start);
      if (left <= 0) return undefined;
      await this.#event(left);
    }
  }

  #event(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
    });
  }
}

/** Opens a connection to a port of the loopback address. */
export function openConnection(port: number, deadlineMs: number = DEADLINE_MS): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ port, host: '127.0.0.1', noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(new Connection(socket, deadlineMs));
    });
  });
}

/** True when the reply announces that the server closes the connection after it. */
export function announcesClose(reply: ReplyOutcome): boolean {
  if (reply.failure !== undefined || reply.framing === 'close') return true;
  const connection = valueOf(reply.headers, 'connection')?.toLowerCase();
  return connection === 'close' || (reply.statusLine.startsWith('HTTP/1.0') && connection !== 'keep-alive');
}
