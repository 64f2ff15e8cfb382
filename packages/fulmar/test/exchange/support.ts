/** A listener on port 0, a raw client, and recorders: what the exchange tests need. */
import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

import { createListener, defaultServerConfig } from '../../src/exchange/index.ts';
import type { Exchange, Listener, ServerConfig, ServerObserver, SocketAddress } from '../../src/exchange/types.ts';

export interface Running {
  readonly listener: Listener;
  readonly port: number;
  /** Sends bytes on a fresh connection and resolves with everything received until the server ends. */
  send(bytes: string | Uint8Array): Promise<string>;
  open(): Promise<Socket>;
}

const ignore: ServerObserver = {
  onRequest() {},
  onUpgrade() {},
  onConnection() {},
  onReject() {},
  onLost() {},
  onDrop() {},
  onTimeout() {},
  onClosed() {},
};

export async function serve(
  t: TestContext,
  onRequest: (exchange: Exchange) => void,
  config: Partial<ServerConfig> = {},
  observer: Partial<ServerObserver> = {},
): Promise<Running> {
  let closed: () => void = () => {};
  const end = new Promise<void>((resolve) => (closed = resolve));
  const listener = createListener(
    { port: 0, host: '127.0.0.1' },
    { ...defaultServerConfig, ...config },
    { ...ignore, onRequest, onClosed: () => closed(), ...observer },
  );
  const { port } = listener.address() as SocketAddress;
  const open = (): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket));
      socket.once('error', reject);
    });
  t.after(async () => {
    listener.close();
    listener.closeAllConnections();
    await end;
  });
  return {
    listener,
    port,
    open,
    async send(bytes) {
      const socket = await open();
      socket.write(bytes);
      return received(socket);
    },
  };
}

/** Everything a socket receives until its end, as latin1. */
export function received(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', () => resolve(Buffer.concat(chunks).toString('latin1')));
    socket.once('error', reject);
  });
}

/** Resolves with the text once it contains `part`. */
export function until(socket: Socket, part: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const ended = (): void => reject(new Error(`the connection ended; received ${JSON.stringify(text)}`));
    const take = (chunk: Buffer): void => {
      text += chunk.toString('latin1');
      if (!text.includes(part)) return;
      socket.off('data', take).off('error', reject).off('end', ended);
      resolve(text);
    };
    socket.on('data', take).on('error', reject).on('end', ended);
  });
}
