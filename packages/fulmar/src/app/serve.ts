/**
 * `app.listen(…)`: the app on a port, by a server of `fulmar/http`. In a file of its own, loaded when
 * somebody listens: an app is as good where there is no port.
 */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer, kExchangeListener, kUpgradeListener } from '../http/index.ts';
import { MemoryExchange } from '../exchange/memory-exchange.ts';
import type { Exchange } from '../exchange/types.ts';
import type { App } from './app.ts';
import { takesUpgrade } from './websocket/wants-socket.ts';
import { drainGently } from './ending.ts';

export interface ListenOptions {
  /** Default: the environment's `PORT`, else 3000. 0: any that is free. */
  readonly port?: number;
  readonly host?: string;
  /** A Unix socket instead of a port. */
  readonly path?: string;
  /** A descriptor that listens already. */
  readonly fd?: number;
  readonly backlog?: number;
  /** Closes the app when it fires. */
  readonly signal?: AbortSignal;
}

const KNOWN: ReadonlySet<string> = new Set(['port', 'host', 'path', 'fd', 'backlog', 'signal']);
const PORT_MAX = 65_535;
const DEFAULT_PORT = 3000;

export interface RunningServer extends Server {
  /** The address as a URL. */
  readonly url: string;
}

/**
 * Resolves when the server listens. @throws TypeError for options that are none; the system's error when it
 * cannot listen
 */
export default async function serve(app: App, given: number | ListenOptions = {}): Promise<RunningServer> {
  const { signal, ...target } = toTarget(given);
  await app.start();
  const listener = Object.assign((req: object, res: object) => answerMessages(app, req as never, res as never), {
    [kExchangeListener]: (exchange: Exchange) => app.handle(exchange),
    [kUpgradeListener]: (exchange: Exchange) => takesUpgrade(app.scope, exchange),
  });
  const server = createServer(listener as never) as RunningServer;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(target, () => {
      server.off('error', reject);
      resolve();
    });
  });
  drainGently(app.scope, server);
  Object.defineProperty(server, 'url', { get: () => urlOf(server), configurable: true });
  signal?.addEventListener('abort', () => void app.close(), { once: true });
  return server;
}

function toTarget(given: number | ListenOptions): ListenOptions & { port?: number } {
  const options = typeof given === 'number' ? { port: given } : given;
  for (const name of Object.keys(options))
    if (!KNOWN.has(name)) throw new TypeError(`listen() has no option ${name}; it has ${[...KNOWN].join(', ')}.`);
  if (options.path !== undefined || options.fd !== undefined) return options;
  const port = options.port ?? Number(process.env['PORT'] ?? DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 0 || port > PORT_MAX)
    throw new TypeError(`A port is 0 to ${PORT_MAX}, and this is ${String(options.port ?? process.env['PORT'])}.`);
  return { ...options, port };
}

function urlOf(server: Server): string {
  const address = server.address() as AddressInfo | string | null;
  if (address === null) return '';
  if (typeof address === 'string') return `unix:${address}`;
  const host =
    address.address === '::' || address.address === '0.0.0.0'
      ? 'localhost'
      : address.family === 'IPv6'
        ? `[${address.address}]`
        : address.address;
  return `http://${host}:${address.port}`;
}

interface MessageRequest extends AsyncIterable<Uint8Array> {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly socket: { readonly remoteAddress?: string; readonly encrypted?: boolean };
}

interface MessageResponse {
  readonly writableFinished: boolean;
  writeHead(status: number, headers: readonly string[]): void;
  write(content: Uint8Array): boolean;
  end(): void;
  destroy(): void;
  on(event: 'close' | 'drain', listener: () => void): void;
}

/** What the server says itself. */
const OF_CONNECTIONS = /^(?:date|connection|keep-alive|transfer-encoding)$/i;

/**
 * Where somebody else has seen request and response first (diagnostics, Node's own server, a router around
 * the app): the reply passes through both, piece by piece.
 */
function answerMessages(app: App, req: MessageRequest, res: MessageResponse): void {
  const address = req.socket.remoteAddress ?? '';
  const hasContent = req.rawHeaders.some((name, index) => index % 2 === 0 && /^(?:content-length|transfer-encoding)$/i.test(name));
  const request = {
    method: req.method,
    target: req.url,
    rawHeaders: req.rawHeaders,
    content: hasContent ? req : null,
    secure: req.socket.encrypted === true,
    remote: { address, family: address.includes(':') ? ('IPv6' as const) : ('IPv4' as const), port: 0 },
  };
  const exchange = new MemoryExchange(request, {
    onHead: (status, _reason, rawHeaders) =>
      res.writeHead(
        status,
        rawHeaders.filter((_, index) => !OF_CONNECTIONS.test(rawHeaders[index - (index % 2)] as string)),
      ),
    onContent: (piece) => res.write(piece),
    onEnd: () => res.end(),
    onAbort: () => res.destroy(),
  });
  res.on('drain', () => exchange.drained());
  res.on('close', () => {
    if (!res.writableFinished) exchange.left();
  });
  app.handle(exchange);
}
