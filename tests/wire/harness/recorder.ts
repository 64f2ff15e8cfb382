/**
 * A server in this process whose handler writes down what it saw, by the client's port.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdirSync } from 'node:fs';
import { connectedListeners, Probe, until } from './client.ts';
import { http, type WireServerOptions } from './target.ts';

export interface Call {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: string[];
  readonly headers: IncomingMessage['headers'];
  readonly chunks: Buffer[];
  /** `end`, `aborted`, `error ECONNRESET`, `close`, in order. */
  readonly events: string[];
  trailers: IncomingMessage['trailers'];
}

export type Handler = (req: IncomingMessage, res: ServerResponse, call: Call) => void;

export interface Recorder {
  readonly server: Server;
  readonly port: number;
  readonly probe: Probe;
  /** What handlers saw on the connection of this client port. */
  calls(port: number): readonly Call[];
  /** Closes everything; throws when connections or descriptors stay. */
  close(): Promise<void>;
}

/** Reads the content, then answers 200 with what it saw. */
export const echo: Handler = (req, res, call) => {
  req.on('end', () => {
    res.end(`${call.method} ${call.url} ${Buffer.concat(call.chunks).toString('latin1')}`);
  });
};

function record(req: IncomingMessage): Call {
  const call: Call = {
    method: req.method ?? '',
    url: req.url ?? '',
    rawHeaders: [...req.rawHeaders],
    headers: req.headers,
    chunks: [],
    events: [],
    trailers: {},
  };
  req.on('end', () => {
    call.trailers = req.trailers;
    call.events.push('end');
  });
  req.on('aborted', () => call.events.push('aborted'));
  req.on('error', (error: NodeJS.ErrnoException) => call.events.push(`error ${error.code ?? error.message}`));
  req.on('close', () => call.events.push('close'));
  return call;
}

export interface RecorderOptions extends WireServerOptions {
  readonly handler?: Handler;
  readonly prepare?: (server: Server) => void;
  /** Idle connections are closed quickly here: a closed probe connects again. */
  readonly probeReconnects?: boolean;
  /**
   * False: the handler reads content itself: nothing is collected for it, as for targets that begin with
   * `/early`.
   */
  readonly collect?: boolean;
}

export function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length;
}

export function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

export async function startRecorder(options: RecorderOptions = {}): Promise<Recorder> {
  const { handler = echo, prepare, collect = true, probeReconnects = false, ...rest } = options;
  const seen = new Map<number, Call[]>();
  const server = http.createServer({ keepAliveTimeout: 72_000, ...rest } as object, (req, res) => {
    if (req.url === '/probe') return void res.end('probe-ok');
    const call = record(req);
    const port = req.socket.remotePort ?? 0;
    const list = seen.get(port);
    if (list) list.push(call);
    else seen.set(port, [call]);
    if (collect && !call.url.startsWith('/early')) req.on('data', (chunk: Buffer) => call.chunks.push(chunk));
    handler(req, res, call);
  });
  prepare?.(server);
  const forget = (port: number): void => void seen.delete(port);
  connectedListeners.add(forget);
  const before = openDescriptors();
  const port = await listen(server);
  const probe = await Probe.open(port, probeReconnects);
  await probe.check();
  return {
    server,
    port,
    probe,
    calls: (clientPort) => seen.get(clientPort) ?? [],
    async close() {
      const served = probe.check().catch((error: unknown) => error);
      const failure = await served;
      probe.close();
      connectedListeners.delete(forget);
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      if (failure instanceof Error) throw failure;
      // G5: descriptors are back (the engine may keep its poll descriptors for the next server).
      await until(() => openDescriptors() <= before + 4, `descriptors are back (${before} before)`);
    },
  };
}
