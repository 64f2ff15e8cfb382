/**
 * One observation of a known difference: the same server program on `node:http` and on `fulmar/http`, the
 * same bytes, what the peer sees.
 */
import { createRequire } from 'node:module';
import nodeHttp from 'node:http';
import type { RequestListener, Server, ServerOptions } from 'node:http';
import net from 'node:net';
import type { AddressInfo } from 'node:net';

const require = createRequire(import.meta.url);

export type Http = typeof nodeHttp;
export const sides: Readonly<Record<'stock' | 'ours', Http>> = { stock: nodeHttp, ours: require('fulmar/http') as Http };

/** Longer than any of the programs needs on a busy machine; a peer that waits for it has waited in vain. */
const PATIENCE_MS = 20_000;

export interface Program {
  readonly options?: ServerOptions;
  readonly handler?: RequestListener;
  /** Further set-up before listening. */
  readonly prepare?: (server: Server, note: (text: string) => void) => void;
  /** Sent one after the other, each as soon as something new has come back for the one before. */
  readonly send: readonly string[];
  /** Ends its side of the connection as soon as everything is sent. */
  readonly halfClose?: boolean;
  /** Reading stops when the text received matches; otherwise when the server closes. */
  readonly until?: RegExp;
}

/** What the peer got, followed by `[closed]` or `[open]`, and by notes of the program. */
export async function observe(http: Http, program: Program): Promise<string> {
  const notes: string[] = [];
  const server = http.createServer(program.options ?? {}, program.handler ?? ((_req, res) => res.end('ok')));
  program.prepare?.(server, (text) => notes.push(text));
  const port = await listen(server);
  try {
    const text = await talk(port, program);
    return [text, ...notes].join('\n');
  } finally {
    await close(server);
  }
}

export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

export async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

async function talk(port: number, { send, until, halfClose }: Program): Promise<string> {
  const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.setEncoding('latin1');
  let text = '';
  let sent = 0;
  const next = (): void => {
    const piece = send[sent++];
    if (piece !== undefined) socket.write(piece);
    if (halfClose === true && sent === send.length) socket.end();
  };
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => finish(new Error(`neither closed nor ${String(until)} after ${PATIENCE_MS} ms: ${text}`)), PATIENCE_MS);
    const finish = (error: Error | undefined, state = ''): void => {
      clearTimeout(late);
      socket.destroy();
      if (error) reject(error);
      else resolve(`${text}[${state}]`);
    };
    socket.on('connect', next);
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (until?.test(text)) finish(undefined, 'open');
      else next();
    });
    socket.on('end', () => finish(undefined, 'closed'));
    socket.on('error', () => finish(undefined, 'closed'));
  });
}
