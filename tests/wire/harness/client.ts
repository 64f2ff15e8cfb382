/**
 * A raw TCP client: sends bytes in given pieces, reads until the server closes, tells how it closed.
 *
 * It never interprets what it sends.
 */
import net from 'node:net';
import { parseReplies, type Reply } from './reply.ts';

export interface Exchanged {
  readonly raw: Buffer;
  readonly replies: Reply[];
  /** `fin`: orderly; `rst`: reset before an orderly end; `open`: still open at the deadline. */
  readonly closed: 'fin' | 'rst' | 'open';
  /** The connection was reset after the orderly end: the server did not linger. */
  readonly resetAfterEnd: boolean;
  /** From the last piece sent to the end. */
  readonly tookMs: number;
  /** The client's port: the server's tests find their handler calls by it. */
  readonly port: number;
}

export interface SendOptions {
  readonly deadlineMs?: number;
  /** Send FIN after the last piece. */
  readonly halfClose?: boolean;
  /** Indexes of replies to HEAD requests. */
  readonly heads?: readonly number[];
  /** Between two pieces; 0: a few turns of the event loop, enough for a server in this process. */
  readonly gapMs?: number;
  /** Do not parse replies. */
  readonly rawOnly?: boolean;
}

const DEADLINE_MS = 6_000;
/** Poll phases between two pieces: one to accept, one to read, one to spare. */
const TURNS = 3;

export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function breathe(gapMs: number): Promise<void> {
  if (gapMs > 0) return pause(gapMs);
  for (let i = 0; i < TURNS; i++) await turn();
}

/** Called with the client's port before the first byte: ports are used again. */
export const connectedListeners = new Set<(port: number) => void>();

export function connect(port: number, host = '127.0.0.1'): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host, allowHalfOpen: true, noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.removeListener('error', reject);
      socket.on('error', () => {});
      for (const listener of connectedListeners) listener(socket.localPort ?? 0);
      resolve(socket);
    });
  });
}

class Watch {
  readonly chunks: Buffer[] = [];
  ended = false;
  error: NodeJS.ErrnoException | null = null;
  readonly over: Promise<void>;

  constructor(socket: net.Socket) {
    socket.on('data', (chunk: Buffer) => this.chunks.push(chunk));
    this.over = new Promise((resolve) => {
      socket.once('end', () => {
        this.ended = true;
        resolve();
      });
      socket.once('error', (error) => {
        this.error = error;
        resolve();
      });
      socket.once('close', () => resolve());
    });
  }

  verdict(): Exchanged['closed'] {
    if (this.ended) return 'fin';
    return this.error === null ? 'open' : 'rst';
  }
}

/**
 * Ends our side and waits until the descriptor is gone: a server that did not linger answers late bytes with
 * a reset.
 */
async function finish(socket: net.Socket): Promise<void> {
  if (socket.destroyed) return;
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.end();
  const timer = setTimeout(() => socket.destroy(), 1_000);
  await closed;
  clearTimeout(timer);
}

/** Sends `pieces` on a fresh connection, one per turn, and reads until the server closes. */
export async function send(port: number, pieces: readonly Buffer[], options: SendOptions = {}): Promise<Exchanged> {
  const socket = await connect(port);
  const watch = new Watch(socket);
  const localPort = socket.localPort ?? 0;
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await breathe(options.gapMs ?? 0);
    if (socket.destroyed) break;
    socket.write(piece);
  }
  const sentAt = performance.now();
  if (options.halfClose) socket.end();
  const deadline = setTimeout(() => socket.destroy(), options.deadlineMs ?? DEADLINE_MS);
  await watch.over;
  clearTimeout(deadline);
  const tookMs = performance.now() - sentAt;
  const closed = watch.verdict();
  await finish(socket);
  const raw = Buffer.concat(watch.chunks);
  const resetAfterEnd = closed === 'fin' && watch.error?.code === 'ECONNRESET';
  const replies = options.rawOnly ? [] : parseReplies(raw, options.heads);
  return { raw, replies, closed, resetAfterEnd, tookMs, port: localPort };
}

/** A keep-alive connection that asks one thing again and again: are others still served? */
export class Probe {
  #socket: net.Socket | null = null;
  #text = '';
  #wake: (() => void) | null = null;
  readonly #port: number;
  readonly #reconnects: boolean;

  private constructor(port: number, reconnects: boolean) {
    this.#port = port;
    this.#reconnects = reconnects;
  }

  static async open(port: number, reconnects = false): Promise<Probe> {
    const probe = new Probe(port, reconnects);
    await probe.#connect();
    return probe;
  }

  async #connect(): Promise<net.Socket> {
    const socket = await connect(this.#port);
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      this.#text += text;
      this.#wake?.();
    });
    socket.on('end', () => this.#wake?.());
    socket.on('close', () => this.#wake?.());
    this.#socket = socket;
    return socket;
  }

  async #usable(): Promise<net.Socket> {
    const socket = this.#socket;
    if (socket && !(this.#reconnects && (socket.destroyed || socket.readableEnded))) return socket;
    socket?.destroy();
    return this.#connect();
  }

  /** One request, one reply; the time it took in ms. Throws when no 200 came within the deadline. */
  async check(deadlineMs = 3_000): Promise<number> {
    const from = performance.now();
    this.#text = '';
    const socket = await this.#usable();
    socket.write('GET /probe HTTP/1.1\r\nHost: probe\r\n\r\n');
    while (!/\r\n\r\n[^]*probe-ok/.test(this.#text)) {
      const left = deadlineMs - (performance.now() - from);
      const closed = socket.destroyed || socket.readableEnded;
      if (closed && this.#reconnects && this.#text === '' && left > 0) return this.check(left);
      if (left <= 0 || closed) {
        throw new Error(`another connection was not served: ${JSON.stringify(this.#text)}`);
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    if (!this.#text.startsWith('HTTP/1.1 200 ')) throw new Error(`the probe got ${JSON.stringify(this.#text)}`);
    return performance.now() - from;
  }

  close(): void {
    this.#socket?.destroy();
  }
}

/** Runs `jobs` with at most `width` at a time; results in order. */
export async function pool<T>(jobs: readonly (() => Promise<T>)[], width = 64): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < jobs.length; index = next++) {
      const job = jobs[index];
      if (job) results[index] = await job();
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, jobs.length) }, lane));
  return results;
}

/** Waits until `test` holds; throws with `what` after the deadline. */
export async function until(test: () => boolean | Promise<boolean>, what: string, deadlineMs = 5_000): Promise<void> {
  const from = performance.now();
  while (!(await test())) {
    if (performance.now() - from > deadlineMs) throw new Error(`not within ${deadlineMs} ms: ${what}`);
    await pause(5);
  }
}
