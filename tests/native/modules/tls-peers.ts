/** Two peers that talk over TLS, and what each of them sees; in one process or, by `role`, in two. */
import tls from 'node:tls';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { CERTIFICATES, KEY } from './tls-certificates.ts';
import type { CertificateName } from './tls-certificates.ts';

type Seen = unknown[];
export type Behaviour = (socket: tls.TLSSocket, seen: Seen) => void;

export interface Peers {
  readonly server?: tls.TlsOptions;
  readonly client?: tls.ConnectionOptions;
  /** What the server does with a connection; it says `bye` and ends it if nothing else is said. */
  readonly serve?: Behaviour;
  /** What the client does; it says `hi` if nothing else is said. */
  readonly ask?: Behaviour;
}

/** Ends what hangs, which then differs from what does not. */
const DEADLINE_MS = 3000;

export const certified = (name: CertificateName, ...more: CertificateName[]): { key: string; cert: string } => ({
  key: KEY,
  cert: [name, ...more].map((one) => CERTIFICATES[one]).join('\n'),
});
export const trusting = (...names: CertificateName[]): { ca: string[] } => ({ ca: names.map((name) => CERTIFICATES[name]) });

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException | undefined)?.code;

function watch(socket: tls.TLSSocket, seen: Seen): void {
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk)));
  socket.on('end', () => seen.push(['end', text]));
  socket.on('finish', () => seen.push('finish'));
  socket.on('error', (error) => seen.push(['error', codeOf(error) ?? error.message]));
  socket.on('close', (hadError) => seen.push(['close', hadError]));
}

export interface Listening {
  readonly port: number;
  readonly seen: Seen;
  close(): void;
}

export async function listen({ server: options, serve }: Peers): Promise<Listening> {
  const seen: Seen = [];
  const sockets = new Set<tls.TLSSocket>();
  const server = tls.createServer({ ...certified('leaf'), ...options }, (socket) => {
    sockets.add(socket);
    const { authorized, authorizationError, servername, alpnProtocol } = socket;
    seen.push(['secure', authorized, authorizationError, servername, alpnProtocol]);
    watch(socket, seen);
    if (serve === undefined) socket.end('bye');
    else serve(socket, seen);
  });
  server.on('tlsClientError', (error, socket) => {
    sockets.add(socket);
    seen.push(['not secure', codeOf(error) ?? error.message]);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** What a client sees until its connection is closed. */
export async function connect(port: number, { client: options, ask }: Peers): Promise<Seen> {
  const seen: Seen = [];
  const socket = tls.connect({ host: '127.0.0.1', port, servername: 'localhost', ...trusting('root'), ...options });
  socket.on('secureConnect', () => {
    const { authorized, authorizationError, alpnProtocol } = socket;
    seen.push(['secure', authorized, authorizationError, alpnProtocol]);
  });
  watch(socket, seen);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const timer = setTimeout(() => {
    seen.push('it hangs');
    socket.destroy();
  }, DEADLINE_MS);
  if (ask === undefined) socket.write('hi');
  else ask(socket, seen);
  await closed;
  clearTimeout(timer);
  return seen;
}

/** The server's own end of a connection may come after the client's. */
export const settled = async (seen: Seen): Promise<void> => {
  const isOver = (): boolean => seen.some((event) => Array.isArray(event) && (event[0] === 'close' || event[0] === 'not secure'));
  for (let waited = 0; !isOver() && waited < 50; waited += 1) await new Promise((resolve) => setTimeout(resolve, 10));
};

/** What both sides see. */
export async function conversation(peers: Peers): Promise<unknown> {
  const server = await listen(peers);
  try {
    const client = await connect(server.port, peers).catch((error: unknown) => ['not opened', codeOf(error)]);
    await settled(server.seen);
    return { client, server: server.seen };
  } finally {
    server.close();
  }
}
