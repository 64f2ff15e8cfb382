/**
 * Fields of replies as platforms want them, and addresses as exchanges have them.
 */
import type { SocketAddress } from '../exchange/types.ts';

/** What follows from a connection, which platforms have with somebody else. */
const OF_CONNECTIONS: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding']);

/** `[name, value]` of each line that is the application's. */
export function withoutConnection(raw: readonly string[]): [name: string, value: string][] {
  const lines: [string, string][] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] as string;
    if (!OF_CONNECTIONS.has(name.toLowerCase())) lines.push([name, raw[at + 1] as string]);
  }
  return lines;
}

export function remoteOf(address: string | undefined): SocketAddress | null {
  if (address === undefined || address === '') return null;
  return { address, family: address.includes(':') ? 'IPv6' : 'IPv4', port: 0 };
}
