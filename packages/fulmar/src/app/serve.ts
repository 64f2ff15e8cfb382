/**
 * `app.listen(…)`: the app on a port, by a server of `fulmar/http`. In a file of its own, loaded when
 * somebody listens: an app is as good where there is no port.
 */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { App } from './app.ts';
import { drainGently } from './ending.ts';
import { takeServer } from './server.ts';

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
  const server = takeServer(app) as RunningServer;
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
