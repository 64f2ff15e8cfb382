/**
 * A client of WebSockets that may do everything wrong: it writes frames as they are told, and gives the frames
 * that come.
 */
import { randomBytes } from 'node:crypto';
import { createConnection, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { createApp, type App, type AppOptions } from '../../../src/app/index.ts';
import { serverOf } from '../server.ts';

export interface Frame {
  readonly opcode: number;
  readonly payload: Buffer;
}

interface FrameOptions {
  readonly fin?: boolean;
  readonly mask?: boolean;
  readonly rsv?: number;
}

export const Opcode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';

export const handshakeOf = (path: string, headers: Readonly<Record<string, string>> = {}): string => {
  const lines = {
    Host: 'localhost',
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': KEY,
    ...headers,
  };
  const text = Object.entries(lines).map(([name, value]) => (value === '' ? '' : `${name}: ${value}\r\n`));
  return `GET ${path} HTTP/1.1\r\n${text.join('')}\r\n`;
};

export class Peer {
  readonly socket: Socket;
  /** Of the reply to the handshake. */
  head = '';
  readonly closed: Promise<void>;
  #bytes = Buffer.alloc(0);
  readonly #pieces: Buffer[] = [];
  #length = 0;
  /** Fewer than these are no frame yet. */
  #wanted = 0;
  #wake: () => void = () => {};
  #isOver = false;

  constructor(port: number) {
    this.socket = createConnection(port, '127.0.0.1');
    this.socket.on('error', () => {});
    this.socket.on('data', (bytes: Buffer) => {
      this.#pieces.push(bytes);
      this.#length += bytes.length;
      if (this.#length >= this.#wanted) this.#wake();
    });
    this.closed = new Promise<void>((resolve) => {
      this.socket.once('close', () => {
        this.#isOver = true;
        this.#wake();
        resolve();
      });
    });
  }

  static async open(
    port: number,
    path: string,
    headers?: Readonly<Record<string, string>>,
    extra: Uint8Array = new Uint8Array(0),
  ): Promise<Peer> {
    const peer = new Peer(port);
    peer.socket.write(Buffer.concat([Buffer.from(handshakeOf(path, headers)), extra]));
    await peer.readHead();
    return peer;
  }

  async readHead(): Promise<string> {
    for (let end = -1; ;) {
      end = this.#bytes.indexOf('\r\n\r\n');
      if (end >= 0 || (this.#isOver && this.#length === 0)) {
        this.head = this.#bytes.subarray(0, end < 0 ? undefined : end).toString('latin1');
        this.#bytes = this.#bytes.subarray(end < 0 ? this.#bytes.length : end + 4);
        return this.head;
      }
      await this.#more();
    }
  }

  get status(): number {
    return Number(this.head.split(' ')[1] ?? 0);
  }

  send(opcode: number, payload: string | Uint8Array = '', options: FrameOptions = {}): this {
    this.socket.write(frame(opcode, payload, options));
    return this;
  }

  /** The next frame; undefined at the end. */
  async next(): Promise<Frame | undefined> {
    for (;;) {
      const taken = take(this.#bytes);
      if (taken.frame !== undefined) {
        this.#bytes = this.#bytes.subarray(taken.length);
        return taken.frame;
      }
      if (this.#isOver && this.#length === 0) return undefined;
      await this.#more(taken.length);
    }
  }

  async text(): Promise<string> {
    const came = await this.next();
    if (came === undefined) return 'nothing: the connection has ended';
    return came.opcode === Opcode.close ? `close ${codeOf(came)}` : came.payload.toString();
  }

  /** Content of a reply that is none of ours. */
  async skip(length: number): Promise<void> {
    while (this.#bytes.length < length && !this.#isOver) await this.#more(length);
    this.#bytes = this.#bytes.subarray(length);
  }

  /** The code of the close that comes, whatever comes before. */
  async closeCode(): Promise<number> {
    for (;;) {
      const came = await this.next();
      if (came === undefined) return 0;
      if (came.opcode === Opcode.close) return codeOf(came);
    }
  }

  async #more(wanted = 0): Promise<void> {
    this.#wanted = wanted - this.#bytes.length;
    if (!this.#isOver && (this.#length === 0 || this.#length < this.#wanted)) await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#bytes = Buffer.concat([this.#bytes, ...this.#pieces.splice(0)]);
    this.#length = 0;
  }
}

const codeOf = ({ payload }: Frame): number => (payload.length >= 2 ? payload.readUInt16BE(0) : 1005);

export function closeFrame(code: number, reason = ''): Buffer {
  const payload = Buffer.alloc(2 + Buffer.byteLength(reason));
  payload.writeUInt16BE(code, 0);
  payload.write(reason, 2);
  return payload;
}

export function frame(opcode: number, given: string | Uint8Array = '', { fin = true, mask = true, rsv = 0 }: FrameOptions = {}): Buffer {
  const payload = Buffer.from(given as string);
  const size = payload.length < 126 ? 0 : payload.length < 65_536 ? 2 : 8;
  const head = Buffer.alloc(2 + size);
  head[0] = (fin ? 0x80 : 0) | (rsv << 4) | opcode;
  head[1] = (mask ? 0x80 : 0) | (size === 0 ? payload.length : size === 2 ? 126 : 127);
  if (size === 2) head.writeUInt16BE(payload.length, 2);
  if (size === 8) head.writeBigUInt64BE(BigInt(payload.length), 2);
  if (!mask) return Buffer.concat([head, payload]);
  const key = randomBytes(4);
  return Buffer.concat([head, key, payload.map((byte, at) => byte ^ (key[at % 4] as number))]);
}

/** The first frame, or how many bytes it takes at least. */
function take(bytes: Buffer): { frame?: Frame; length: number } {
  if (bytes.length < 2) return { length: 2 };
  const short = (bytes[1] as number) & 0x7f;
  const size = short === 126 ? 2 : short === 127 ? 8 : 0;
  if (bytes.length < 2 + size) return { length: 2 + size };
  const length = size === 0 ? short : size === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const end = 2 + size + length;
  if (bytes.length < end) return { length: end };
  return { frame: { opcode: (bytes[0] as number) & 0x0f, payload: Buffer.from(bytes.subarray(2 + size, end)) }, length: end };
}

export interface Served {
  readonly app: App;
  readonly port: number;
  /** What the log was told. */
  readonly logged: unknown[][];
}

/** An app on a port until the test is over. */
export async function served(t: TestContext, define: (app: App) => unknown, options: AppOptions = {}): Promise<Served> {
  const logged: unknown[][] = [];
  const app = createApp({ logger: { error: (...what) => logged.push(what) }, ...options });
  await define(app);
  const { url } = await serverOf(app);
  t.after(() => app.close());
  return { app, port: Number(new URL(url).port), logged };
}

const LOOKS_MAX = 500;

/** Waits until something has become true. @throws when it does not */
export async function until(isTrue: () => boolean): Promise<void> {
  for (let looks = 0; !isTrue(); looks += 1) {
    if (looks > LOOKS_MAX) throw new Error('It has not become true.');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
