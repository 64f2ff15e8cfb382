/**
 * The answer to a request at a WebSocket's path: a refusal that any client of HTTP understands, or a reply
 * that becomes the socket when everything around the route is done with it. Loads `ws` for that alone.
 */
import type { AnyContext } from '../context.ts';
import { HttpError } from '../http-error.ts';
import { isOfHere } from '../origins.ts';
import { OwnReply } from '../reply-value.ts';
import { hubOf } from './hub.ts';
import type { SocketRoute } from './socket-route.ts';
import { wantsSocket } from './wants-socket.ts';

const VERSION = '13';
const KEY = /^[+/0-9A-Za-z]{22}==$/;

/** @throws HttpError for a request that cannot become a socket */
export function handshake(c: AnyContext, route: SocketRoute): unknown {
  if (!c.exchange.upgrade || !wantsSocket(c.exchange)) {
    if (route.handlers.request !== undefined) return route.handlers.request(c);
    throw new HttpError(426, `A WebSocket is at ${c.pathname}: ask for an upgrade.`, { headers: { Upgrade: 'websocket' } });
  }
  checkHead(c);
  const protocol = protocolFor(c, route.protocols);
  return proceed(c, route, protocol);
}

function checkHead(c: AnyContext): void {
  // What came behind the head would be taken for frames.
  const hasContent = c.header('transfer-encoding') !== undefined || (c.header('content-length') ?? '0') !== '0';
  if (hasContent || c.exchange.httpVersionMinor === 0)
    throw new HttpError(400, 'A WebSocket is asked for by HTTP/1.1 and without content.');
  if (hubOf(c.settings).isClosing) throw new HttpError(503, 'The server is going away.');
  if (c.header('sec-websocket-version') !== VERSION)
    throw new HttpError(426, `The version of the protocol is ${VERSION} (Sec-WebSocket-Version).`, {
      headers: { Upgrade: 'websocket', 'Sec-WebSocket-Version': VERSION },
    });
  if (!KEY.test(c.header('sec-websocket-key') ?? '')) throw new HttpError(400, 'Sec-WebSocket-Key is missing, or is no key.');
}

/** The first of ours that the client offers. */
function protocolFor(c: AnyContext, protocols: readonly string[]): string {
  const offered = (c.header('sec-websocket-protocol') ?? '').split(',').map((name) => name.trim());
  if (protocols.length === 0 || (offered.length === 1 && offered[0] === '')) return '';
  const chosen = protocols.find((name) => offered.includes(name));
  if (chosen === undefined) throw new HttpError(400, `None of the subprotocols that are offered is spoken here: ${protocols.join(', ')}.`);
  return chosen;
}

async function proceed(c: AnyContext, route: SocketRoute, protocol: string): Promise<unknown> {
  const origin = c.header('origin');
  // Browsers say which page asks, and nothing else keeps one of another site from using a visitor's cookies.
  if (origin !== undefined && !(await (route.isFrom === null ? isOfHere(c, origin) : route.isFrom(origin, c))))
    throw new HttpError(403, `Pages of ${origin} may not connect here.`);
  const data = route.handlers.upgrade === undefined ? {} : await route.handlers.upgrade(c);
  return new OwnReply((of) => route.become()(of, { route, protocol, data }));
}
