/** An upgrade of Vite's server goes on to a port of the app's: its head as it came, then bytes both ways. */
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream';

/** Of pages that Vite serves: their updates. */
const OF_VITE: ReadonlySet<string> = new Set(['vite-hmr', 'vite-ping']);

export const isOfVite = ({ headers }: IncomingMessage): boolean => OF_VITE.has(headers['sec-websocket-protocol'] ?? '');

export function forwardUpgrade(req: IncomingMessage, socket: Duplex, head: Buffer, port: number): void {
  const upstream = connect(port, '127.0.0.1', () => {
    const lines = [`${req.method} ${req.url} HTTP/1.1`];
    for (let at = 0; at < req.rawHeaders.length; at += 2) lines.push(`${req.rawHeaders[at]}: ${req.rawHeaders[at + 1]}`);
    upstream.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
    upstream.write(head);
  });
  // One that breaks ends the other; there is nobody to be told.
  pipeline(socket, upstream, () => undefined);
  pipeline(upstream, socket, () => undefined);
}
