/**
 * The server of an app: one that is there before it listens is the one that listens. Loaded with a port.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { messageExchange } from '../exchange/message-exchange.ts';
import type { Exchange } from '../exchange/types.ts';
import { createServer, kExchangeListener, kUpgradeListener } from '../http/index.ts';
import type { App } from './app.ts';
import { takesUpgrade } from './websocket/wants-socket.ts';

/** Those that do not listen yet. */
const waiting = new WeakMap<App, Server>();

export function serverFor(app: App): Server {
  let server = waiting.get(app);
  if (server === undefined) waiting.set(app, (server = makeServer(app)));
  return server;
}

/** It listens from now on: when it has closed, another one will. */
export function takeServer(app: App): Server {
  const server = serverFor(app);
  server.once('close', () => waiting.delete(app));
  return server;
}

function makeServer(app: App): Server {
  // Where somebody else has seen request and response first (diagnostics, a router around the app), both are used.
  const listener = Object.assign(
    (req: IncomingMessage, res: ServerResponse) => app.handle(messageExchange(req, res, { target: req.url ?? '/' })),
    {
      [kExchangeListener]: (exchange: Exchange) => app.handle(exchange),
      [kUpgradeListener]: (exchange: Exchange) => takesUpgrade(app.scope, exchange),
    },
  );
  return createServer(listener as never);
}
