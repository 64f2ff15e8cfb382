/** TLS sessions that go on in later connections: what both sides see of them. */
import tls from 'node:tls';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { certified, trusting } from './tls-peers.ts';

export interface Meeting {
  readonly server?: tls.TlsOptions;
  /** Of each connection. */
  readonly clients: readonly tls.ConnectionOptions[];
  /** Before each connection but the first. */
  readonly between?: (server: tls.Server) => unknown;
  /** What a client offers; the session that it got last if nothing else is said. */
  readonly offered?: (session: Buffer | undefined) => Buffer | undefined;
}

type Seen = readonly [client: unknown[], server: unknown[]];

/** One connection: what the client sees, and its last session. */
export async function visit(port: number, options: tls.ConnectionOptions): Promise<readonly [unknown, Buffer | undefined]> {
  let session: Buffer | undefined;
  const socket = tls.connect({ host: '127.0.0.1', port, servername: 'localhost', ...trusting('root'), ...options });
  const events: string[] = [];
  socket.on('secureConnect', () => events.push('secureConnect'));
  socket.on('session', (made) => {
    // Whether a session that goes on gives another one is the server's choice.
    if (session === undefined && !socket.isSessionReused()) events.push('session');
    session = made;
  });
  try {
    await once(socket, 'secureConnect');
    const reused = socket.isSessionReused();
    socket.resume();
    await once(socket, 'end');
    return [[reused, socket.authorized, socket.authorizationError, events, Buffer.isBuffer(socket.getSession())], session];
  } catch (error) {
    return [[(error as NodeJS.ErrnoException).code, events], session];
  } finally {
    socket.destroy();
  }
}

export async function meet({ server: options, clients, between, offered = (session) => session }: Meeting): Promise<Seen> {
  const ofServer: unknown[] = [];
  const server = tls.createServer({ ...certified('leaf'), ...options }, (socket) => {
    socket.on('error', () => undefined);
    ofServer.push([socket.isSessionReused(), socket.authorized]);
    socket.end('bye');
  });
  server.on('tlsClientError', () => ofServer.push('not secure'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ofClient: unknown[] = [];
  let session: Buffer | undefined;
  for (const [index, client] of clients.entries()) {
    if (index > 0) await between?.(server);
    const [seen, made] = await visit(port, { ...(index > 0 ? { session: offered(session) } : {}), ...client } as tls.ConnectionOptions);
    ofClient.push(seen);
    session = made ?? session;
  }
  server.close();
  return [ofClient, ofServer];
}

/** Requests one after the other by one agent: on which of them the session went on. */
export async function requests(agentOptions: https.AgentOptions, count: number): Promise<unknown> {
  const server = https.createServer(certified('leaf'), (req, res) => res.end(String((req.socket as tls.TLSSocket).isSessionReused())));
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new https.Agent(agentOptions);
  const seen: unknown[] = [];
  for (let index = 0; index < count; index += 1) {
    seen.push(
      await new Promise((resolve, reject) => {
        const request = https.get({ host: '127.0.0.1', port, servername: 'localhost', agent, ...trusting('root') }, (response) => {
          const reused = (response.socket as tls.TLSSocket).isSessionReused();
          let text = '';
          response.on('data', (chunk) => (text += String(chunk)));
          request.on('close', () => resolve([reused, text]));
        });
        request.on('error', reject);
      }),
    );
  }
  agent.destroy();
  server.close();
  return seen;
}
