// The program of the native side: takes requests as lines of JSON and answers each with one.
import readline from 'node:readline';
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

async function answer({ role, name, index, port }: Request): Promise<unknown> {
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

export async function run(): Promise<void> {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const result = await answer(JSON.parse(line) as Request);
    process.stdout.write(`${JSON.stringify({ result })}\n`);
  }
}
