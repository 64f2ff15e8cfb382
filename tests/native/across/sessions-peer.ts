/** Either side of TLS sessions between two processes. */
import { once } from 'node:events';
import tls from 'node:tls';
import type { AddressInfo } from 'node:net';
import { certified } from '../modules/tls-peers.ts';
import { visit } from '../modules/tls-sessions.ts';

export interface Request {
  readonly role: 'server' | 'client' | 'seen';
  readonly maxVersion: tls.SecureVersion;
  readonly port?: number;
}

const VISITS = 3;
let server: tls.Server | undefined;
let seen: boolean[] = [];

async function serve(maxVersion: tls.SecureVersion): Promise<number> {
  seen = [];
  server = tls.createServer({ ...certified('leaf'), maxVersion }, (socket) => {
    socket.on('error', () => undefined);
    seen.push(socket.isSessionReused());
    socket.end('bye');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** On which visits the session of the one before went on. */
async function visits(port: number, maxVersion: tls.SecureVersion): Promise<unknown> {
  const reused: unknown[] = [];
  let session: Buffer | undefined;
  for (let count = 0; count < VISITS; count += 1) {
    const [what, made] = await visit(port, { maxVersion, session });
    reused.push((what as unknown[])[0]);
    session = made ?? session;
  }
  return reused;
}

export async function answer({ role, maxVersion, port }: Request): Promise<unknown> {
  if (role === 'client') return visits(port as number, maxVersion);
  if (role === 'server') return serve(maxVersion);
  server?.close();
  return seen;
}
