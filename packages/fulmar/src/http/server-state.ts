/** What requests, responses and sockets know of their server. Types only. */
import type { Server as NodeServer } from 'node:http';
import type { Exchange, Listener, ServerConfig } from '../exchange/types.ts';
import type { RequestScope } from './context.ts';
import type { MessageClasses } from './message-classes.ts';

/** How requests and responses are made; depends on the options and on who listens. */
export interface MessageMakers {
  readonly listener: unknown;
  readonly Request: new (server: unknown, exchange?: Exchange) => object;
  readonly Response: new (req: object, options?: object) => object;
  /** The response class is the application's and expects Node's second argument. */
  readonly options: object | null;
  /** The request class takes a socket alone, as a subclass written for Node does. */
  readonly viaSocket: boolean;
  /** The listener takes exchanges, and nobody else listens. */
  readonly take: ((exchange: Exchange) => void) | null;
  /** Which upgrades it takes as well. */
  readonly takesUpgrade: ((exchange: Exchange) => boolean) | null;
  /** Requests until the exchange layer is shown what is made with these; 0: never, or it was. */
  untilKnown: number;
  readonly perRequest: MessageClasses['perRequest'];
}

/** `IncomingMessage` and `ServerResponse` of the server's options. */
export interface MessageClassOptions {
  readonly Request: MessageMakers['Request'] | null;
  readonly Response: MessageMakers['Response'] | null;
}

export interface ServerFields {
  _config: ServerConfig;
  _listener: Listener | null;
  _makers: MessageMakers;
  _classes: MessageClassOptions;
  _scope: RequestScope | null;
  /** Fields every response of this server starts with, or null. */
  _replyDefaults: object | null;
  _foreignConnections: number;
  /** Every listening or draining listener of this server. */
  _listeners: Set<Listener>;
  _reusePort: boolean;
  _listeningId: number;
  _connectionKey: string;
  _handle: object | null;
  _pipeName: string | undefined;
  _unref: boolean;
  _events: Record<PropertyKey, unknown>;
  highWaterMark: number;
  noDelay: boolean;
  keepAlive: boolean;
  keepAliveInitialDelay: number;
  joinDuplicateHeaders: boolean | undefined;
  requireHostHeader: boolean;
  rejectNonStandardBodyWrites: boolean | undefined;
  maxHeaderSize: number | undefined;
  keepAliveTimeout: number;
  maxRequestsPerSocket: number | null;
  shouldUpgradeCallback?: (req: unknown) => boolean;
  insecureHTTPParser?: boolean;
  httpValidation?: string;
  _emitCloseIfDrained(): void;
}

/** A server as the functions of this folder see it. */
export type ServerState = ServerFields & Omit<NodeServer, keyof ServerFields>;
