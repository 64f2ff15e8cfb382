/**
 * A program that only exports its application, as for Bun, Deno and Hono: it is served. Loaded by `fulmar run` and
 * built files when the entry has run and nothing listens; what the entry does itself goes before.
 */
import { defaultPort, portOf } from './port.ts';
import { type Exported, exportedOf } from './exported.ts';
import { readGlobal } from '../../host/globals.ts';

interface Given {
  /** What the entry exports. */
  readonly exports: unknown;
  /** Loads a bundle of ours: `app`, `http`. */
  readonly load: (bundle: 'app' | 'http') => unknown;
  readonly args: readonly string[];
  /** Tells what is served. */
  readonly tell: ((line: string) => void) | null;
}

interface Running {
  address(): unknown;
}
type Listen = (target: { port: number; host?: string }) => Promise<Running>;

/**
 * What can only be meant to be served is, as soon as its module has run. An Express or Koa application may still be
 * made to listen, behind a database's answer: it is when nothing is left to do.
 */
export function serveExport({ exports, ...given }: Given): void {
  const exported = exportedOf(exports);
  if (exported === undefined) return;
  if (exported.kind === 'express' || exported.kind === 'koa') process.once('beforeExit', () => begin(exported, given));
  // Behind servers that begin to listen in the same turn.
  else setImmediate(() => begin(exported, given));
}

/** Servers that listen, or wait for the address of a name; those of other layers are Node's handles. */
function isListening(exported: Exported): boolean {
  if ((readGlobal('fulmar.servers')?.size ?? 0) > 0 || (readGlobal('fulmar.listen-hosts')?.size ?? 0) > 0) return true;
  if ((exported.value as { readonly isListening?: unknown }).isListening === true) return true;
  return process.getActiveResourcesInfo().some((name) => name === 'TCPServerWrap' || name === 'PipeServerWrap');
}

function begin(exported: Exported, { load, args, tell }: Omit<Given, 'exports'>): void {
  if (isListening(exported)) return;
  const target = targetOf(exported, args);
  void listenOf(
    exported,
    load,
  )(target).then((server) => tell?.(`serving ${exported.title} that it exports on ${urlOf(server, target.host)}`));
}

/**
 * The same for `fulmar dev`, which knows when. Resolves to where it listens; undefined: nothing that could be served.
 *
 * @throws what `listen` throws
 */
export async function listenExport({ exports, load, args }: Omit<Given, 'tell'>): Promise<string | undefined> {
  const exported = exportedOf(exports);
  if (exported === undefined) return undefined;
  if ((exported.value as { readonly isListening?: unknown }).isListening === true) return undefined;
  const target = targetOf(exported, args);
  return urlOf(await listenOf(exported, load)(target), target.host);
}

function targetOf({ port, hostname }: Exported, args: readonly string[]): { port: number; host?: string } {
  return {
    port: portOf(args, process.env['PORT'], port) ?? defaultPort,
    ...(typeof hostname === 'string' ? { host: hostname } : {}),
  };
}

function listenOf({ kind, value }: Exported, load: Given['load']): Listen {
  if (kind === 'app') return (target) => (value as { listen: Listen }).listen(target);
  if (kind === 'fetch') {
    const { createApp } = load('app') as { createApp(): { mount(prefix: string, given: object, style: 'fetch'): { listen: Listen } } };
    return (target) => createApp().mount('/', value, 'fetch').listen(target);
  }
  const { createServer } = load('http') as typeof import('node:http');
  const listener = kind === 'koa' ? (value as { callback(): never }).callback() : value;
  return (target) =>
    new Promise((resolve, reject) => {
      const server = createServer(listener as never);
      server.once('error', reject);
      server.listen(target, () => {
        server.off('error', reject);
        resolve(server);
      });
    });
}

function urlOf(server: Running, host: string | undefined): string {
  const address = server.address();
  if (typeof address !== 'object' || address === null) return String(address);
  const name = host === undefined || host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${(address as { port: number }).port}`;
}
