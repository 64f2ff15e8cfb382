/** A client of the example's chat: connects with the cookies of a visitor and waits for messages that it is asked for. */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Client } from '../support/client.ts';

export interface Heard {
  readonly kind: string;
  readonly from?: string;
  readonly say?: string;
  readonly count?: number;
  readonly species?: string;
  readonly why?: string;
}

const PATIENCE_MS = 20_000;

export class ChatClient {
  readonly heard: Heard[] = [];
  /** The code that it was closed with. */
  readonly closed: Promise<number>;
  readonly #socket: WebSocket;
  #wake: () => void = () => undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('message', (data: Buffer) => {
      this.heard.push(JSON.parse(data.toString()) as Heard);
      this.#wake();
    });
  }

  static async connect(visitor: Client): Promise<ChatClient> {
    const socket = new WebSocket(`ws://127.0.0.1:${visitor.port}/chat`, { headers: { Cookie: cookiesOf(visitor) } });
    const client = new ChatClient(socket);
    await once(socket, 'open', { signal: AbortSignal.timeout(PATIENCE_MS) });
    return client;
  }

  /** The status of the reply that refuses the handshake. */
  static async refused(port: number, headers: Record<string, string>): Promise<number> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/chat`, { headers });
    // The request ends with the answer to it, and its socket with an error.
    socket.on('error', () => undefined);
    const [, reply] = (await once(socket, 'unexpected-response', { signal: AbortSignal.timeout(PATIENCE_MS) })) as [
      unknown,
      { statusCode: number; destroy(): void },
    ];
    reply.destroy();
    return reply.statusCode;
  }

  send(text: string): void {
    this.#socket.send(text);
  }

  /** The first message like that, of those that came and those that will. */
  async hear(wanted: (message: Heard) => boolean): Promise<Heard> {
    const late = AbortSignal.timeout(PATIENCE_MS);
    for (;;) {
      const found = this.heard.find(wanted);
      if (found !== undefined) return found;
      await new Promise<void>((resolve, reject) => {
        this.#wake = resolve;
        late.addEventListener('abort', () => reject(new Error(`not heard; this was: ${JSON.stringify(this.heard)}`)), { once: true });
      });
    }
  }

  async close(): Promise<void> {
    this.#socket.close();
    await this.closed;
  }
}

export const cookiesOf = (visitor: Client): string => [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
