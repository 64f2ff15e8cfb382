/**
 * A request becomes a WebSocket: the handshake's reply and the frames are the package `ws`'s. Loaded with the
 * first; needs a connection, and so what `fulmar/http` has.
 */
import type { IncomingMessage } from 'node:http';
import { WebSocketServer } from 'ws';
import { acceptUpgrade, createServer } from '../../http/index.ts';
import type { AnyContext } from '../context.ts';
import { hubOf } from './hub.ts';
import { type RawSocket, ServerSocket } from './server-socket.ts';
import type { SocketRoute } from './socket-route.ts';

export interface Upgrading {
  readonly route: SocketRoute;
  readonly protocol: string;
  readonly data: unknown;
}

/** What `ws` is given for a request: it reads these alone. */
interface Asked {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly protocol: string;
  /** Field lines of the reply, with their ends. */
  readonly block: string;
}

const READ = ['upgrade', 'sec-websocket-key', 'sec-websocket-version', 'sec-websocket-extensions', 'sec-websocket-protocol'];

/** Never listens: what sockets ask their server for are its defaults. */
let server: object | undefined;
/** One for each route: they differ in limits. */
const servers = new WeakMap<SocketRoute, WebSocketServer>();

export default function upgrade(c: AnyContext, { route, protocol, data }: Upgrading): void {
  const { exchange } = c;
  // The client has left meanwhile.
  if (!exchange.open) return;
  server ??= createServer();
  const { observer } = exchange;
  const { socket, head } = acceptUpgrade(server as never, exchange);
  // The reply is out as far as anybody who watches this exchange is concerned.
  observer?.onSent();
  const asked: Asked = {
    method: exchange.method,
    headers: Object.fromEntries(READ.map((name) => [name, exchange.header(name)])),
    protocol,
    block: c.lines?.block() ?? '',
  };
  socketsOf(route).handleUpgrade(asked as unknown as IncomingMessage, socket as never, head, (ws) => {
    new ServerSocket(c, ws, socket as unknown as RawSocket, route, data, hubOf(c.settings)).begin();
  });
}

function socketsOf(route: SocketRoute): WebSocketServer {
  const known = servers.get(route);
  if (known !== undefined) return known;
  const { limits, perMessageDeflate } = route;
  const made = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: limits.maxPayload,
    perMessageDeflate: perMessageDeflate as never,
    // In `@types/ws` with the next release.
    ...({ closeTimeout: limits.closeTimeoutMs } as object),
    handleProtocols: (_offered, asked) => (asked as unknown as Asked).protocol || false,
  });
  made.on('headers', (lines, asked) => {
    const { block } = asked as unknown as Asked;
    if (block !== '') lines.push(block.replace(/\r\n$/, ''));
  });
  servers.set(route, made);
  return made;
}
