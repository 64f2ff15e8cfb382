/** A Koa application on the engine and one request to it, for what the parity suites cannot see. */
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import Koa from '../../src/koa/index.ts';
import type { KoaApplication, KoaContext } from '../../src/koa/types.ts';

export type { KoaApplication, KoaContext };

export const createApp = (options?: object): KoaApplication => new Koa(options);

export interface Served {
  readonly port: number;
  close(): Promise<void>;
}

export async function serve(app: KoaApplication): Promise<Served> {
  const server = (app as unknown as { listen(port: number, host: string): import('node:http').Server }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { port, close };
}

export function dial(port: number): Socket {
  return connect(port, '127.0.0.1').on('error', () => undefined);
}

/** All bytes of the reply to one request on a connection of its own. */
export async function ask(port: number, path = '/'): Promise<string> {
  const socket = dial(port);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  await once(socket, 'close');
  return text;
}

/** Runs one request through middleware and gives what `look` makes of its context. */
export async function inspect<T>(look: (ctx: KoaContext) => T, app = createApp()): Promise<T> {
  let seen: { readonly value: T } | undefined;
  app.use((ctx) => {
    seen = { value: look(ctx) };
    ctx.body = 'seen';
  });
  const served = await serve(app);
  try {
    await ask(served.port);
  } finally {
    await served.close();
  }
  if (seen === undefined) throw new Error('expected the middleware to run, it did not');
  return seen.value;
}
