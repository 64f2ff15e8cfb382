/**
 * The servers of a process: whose they are, where they listen, who listens to them; and, once watched, the
 * requests they get.
 */
import type { Server as NetServer } from 'node:net';
import type { IncomingState } from '../../../../fulmar/src/http/incoming-state.ts';
import type { ResponseState } from '../../../../fulmar/src/http/response-state.ts';
import type { ServerState } from '../../../../fulmar/src/http/server-state.ts';
import type { ServerFacts } from '../protocol-types.ts';
import { classesSymbolOf } from './express-tree.ts';
import { recordOf, toHandlerFacts } from './handlers.ts';
import { beginVisit } from './visits.ts';

export type WatchedServer = NetServer & Partial<Pick<ServerState, '_makers' | '_listeners' | '_classes' | '_events'>>;

/** Events of a server that say what it is for. */
const told = [
  'request',
  'upgrade',
  'connect',
  'connection',
  'secureConnection',
  'stream',
  'checkContinue',
  'checkExpectation',
  'clientError',
];

function isOurs(server: WatchedServer): boolean {
  return server._makers !== undefined && server._listeners instanceof Set;
}

/** `idOf` knows the applications. */
export function describeServer(server: WatchedServer, id: string, idOf: (listener: unknown) => string | undefined): ServerFacts {
  const requestListeners = server.listeners('request');
  const [only] = requestListeners;
  const application = requestListeners.length === 1 ? idOf(only) : undefined;
  const plain = requestListeners.filter((listener) => idOf(listener) === undefined);
  const handlers = plain.map((listener, index) => toHandlerFacts(recordOf(listener, `${id}.listener${index}`)));
  const counted = told.map((event) => ({ event, names: server.listeners(event).map(({ name }) => name || 'anonymous') }));
  return {
    id,
    host: isOurs(server) ? 'Fulmar' : 'Node',
    kind: kindOf(server),
    address: addressOf(server),
    listeners: counted.filter(({ names }) => names.length > 0),
    handlers,
    ...(application !== undefined && { application }),
    hasOwnClasses: isOurs(server) && bringsClasses(server, only, requestListeners.length),
  };
}

function bringsClasses(server: WatchedServer, listener: unknown, count: number): boolean {
  if (count !== 1 || typeof listener !== 'function' || server._classes?.Request !== null) return false;
  const symbol = classesSymbolOf(listener);
  return symbol !== undefined && Reflect.get(listener, symbol) !== undefined;
}

function kindOf(server: WatchedServer): ServerFacts['kind'] {
  if (isOurs(server)) return 'http';
  const names: string[] = [];
  for (let part: object | null = server; part !== null; part = Object.getPrototypeOf(part) as object | null)
    names.push(part.constructor.name);
  if (names.some((name) => name.startsWith('Http2'))) return 'http2';
  const { Server: HttpsServer } = process.getBuiltinModule('node:https');
  if (server instanceof HttpsServer) return 'https';
  return server instanceof process.getBuiltinModule('node:http').Server ? 'http' : 'tcp';
}

function addressOf(server: WatchedServer): ServerFacts['address'] {
  const address = server.address();
  if (typeof address === 'string') return { path: address };
  return address === null ? undefined : { host: address.address, port: address.port };
}

const watched = new WeakSet<WatchedServer>();

/**
 * From now on each request of this server is followed. Replaces `emit` of this server alone, as tracing tools
 * do.
 */
export function watchServer(server: WatchedServer, id: string): void {
  if (!isOurs(server) || watched.has(server)) return;
  watched.add(server);
  const { emit } = server;
  const value = function (this: WatchedServer, event: string, ...args: unknown[]): boolean {
    if (event === 'request') {
      const [listener] = this.listeners('request');
      beginVisit(args[0] as IncomingState, args[1] as ResponseState, id, recordOf(listener, `${id}.listener0`));
    }
    return Reflect.apply(emit, this, [event, ...args]) as boolean;
  };
  Object.defineProperty(server, 'emit', { value, writable: true, configurable: true });
}
