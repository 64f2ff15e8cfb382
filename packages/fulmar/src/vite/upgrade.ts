/**
 * An upgrade of Vite's server: it goes through Vite's middleware as a request does, so that a page of another site that
 * has a name of its own lead here is refused alike, then on to a port of the app's: its head as it came, then bytes both ways.
 */
import { type IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream';
import type { Middlewares } from './vite-types.ts';

/** Of pages that Vite serves: their updates. */
const OF_VITE: ReadonlySet<string> = new Set(['vite-hmr', 'vite-ping']);

export const isOfVite = ({ headers }: IncomingMessage): boolean => OF_VITE.has(headers['sec-websocket-protocol'] ?? '');

export interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Upgrades on their way through middleware. */
export class Upgrades {
  readonly #open = new WeakMap<IncomingMessage, Upgrade>();

  /** Who refuses it answers by the response. */
  ask(req: IncomingMessage, upgrade: Upgrade, middlewares: Middlewares): void {
    const { socket } = upgrade;
    socket.on('error', () => undefined);
    const res = new ServerResponse(req);
    res.shouldKeepAlive = false;
    res.assignSocket(socket as IncomingMessage['socket']);
    res.on('finish', () => socket.end());
    this.#open.set(req, upgrade);
    middlewares(req, res, () => socket.destroy());
  }

  /** Nobody has refused it; undefined: it is a request. */
  take(req: IncomingMessage, res: ServerResponse): Upgrade | undefined {
    const upgrade = this.#open.get(req);
    if (upgrade !== undefined) res.detachSocket(upgrade.socket as IncomingMessage['socket']);
    return upgrade;
  }
}

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
