/** The native side: what it is asked to do as a server or a client. */
import { connect, listen, settled } from '../modules/tls-peers.ts';
import type { Listening } from '../modules/tls-peers.ts';
import { CONVERSATIONS } from '../modules/tls-trust.ts';

export interface Request {
  readonly role: 'server' | 'client' | 'seen';
  readonly name: string;
  readonly index: number;
  readonly port?: number;
}

let server: Listening | undefined;

export async function answer({ role, name, index, port }: Request): Promise<unknown> {
  const peers = CONVERSATIONS[name]?.[index] ?? {};
  if (role === 'client') return connect(port as number, peers).catch((error: NodeJS.ErrnoException) => ['not opened', error.code]);
  if (role === 'server') {
    server = await listen(peers);
    return server.port;
  }
  const { seen = [] } = server ?? {};
  await settled(seen);
  server?.close();
  return seen;
}
