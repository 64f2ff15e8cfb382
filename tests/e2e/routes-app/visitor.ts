/** A visitor of the logbook: signs in, listens to its live page. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { Client, field } from '../support/client.ts';

const PATIENCE_MS = 20_000;

export const valueOf = (reply: { readonly content: Buffer }): unknown => JSON.parse(reply.content.toString());
export const cookiesOf = (visitor: Client): string => [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

export async function signIn(port: number, name = 'ada', password = 'kittiwake'): Promise<Client> {
  const visitor = new Client(port);
  const reply = await visitor.form('/account', { name, password });
  assert.deepEqual([reply.status, field(reply, 'location')], [303, '/'], reply.content.toString());
  return visitor;
}

/** Lines of the live page. */
export class Listener {
  readonly closed: Promise<number>;
  readonly #socket: WebSocket;
  readonly #lines: string[] = [];
  #wake: () => void = () => undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    this.closed = once(socket, 'close').then(([code]) => code as number);
    socket.on('message', (data: Buffer) => {
      this.#lines.push(data.toString());
      this.#wake();
    });
  }

  static async connect(port: number, cookie: string): Promise<Listener> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/live`, { headers: cookie === '' ? {} : { Cookie: cookie } });
    const listener = new Listener(socket);
    await once(socket, 'open', { signal: AbortSignal.timeout(PATIENCE_MS) });
    return listener;
  }

  say(line: string): void {
    this.#socket.send(line);
  }

  close(): void {
    this.#socket.close();
  }

  /** Resolves when the line has come. */
  async hears(line: string): Promise<void> {
    const late = AbortSignal.timeout(PATIENCE_MS);
    while (!this.#lines.includes(line)) {
      late.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        this.#wake = resolve;
        late.addEventListener('abort', () => reject(new Error(`no line ${JSON.stringify(line)} among ${JSON.stringify(this.#lines)}`)), {
          once: true,
        });
      });
    }
  }
}
