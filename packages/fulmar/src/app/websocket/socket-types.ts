/** What the type checker knows of a WebSocket route: its handlers, its options, its sockets. */
import type { OriginRule } from '../origins.ts';
import type { Handler, Middleware } from '../chain.ts';
import type { AnyContext } from '../context.ts';
import type { OutputOr, RouteOptions, ValidContext } from '../route-types.ts';
import type { StandardSchemaV1 } from '../standard-schema.ts';

/** A message without a schema: text as a string, bytes as they are. */
export type SocketMessage = string | Uint8Array;

/** Why a message does not fit its schema. */
export interface MessageError {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** One WebSocket, as its handlers have it. In a `for await` it gives the messages that come. */
export interface Socket<Message = SocketMessage, Data = unknown, C = AnyContext> extends AsyncIterable<Message> {
  /** What `upgrade(c)` returned; without it an empty object. */
  data: Data;
  /** The context of the request that became this socket. Its `signal` fires when the socket is closed. */
  readonly c: C;
  /** The subprotocol that was agreed on; empty without one. */
  readonly protocol: string;
  readonly isOpen: boolean;
  readonly remoteAddress: string;
  /** Bytes that were sent and that the connection has not taken yet. */
  readonly bufferedAmount: number;
  readonly topics: readonly string[];
  /**
   * Sends text and bytes as they are, anything else as JSON. Resolves to `true` when the connection has taken
   * it, to `false` when it is closed or, where slow receivers lose messages, was too slow. Never rejects.
   * @throws TypeError for what cannot be sent
   */
  send(message: unknown): Promise<boolean>;
  ping(): void;
  /**
   * 1000 without a code. What was sent before goes out first. @throws RangeError for a code that may not be
   * sent, or a reason of more than 123 bytes
   */
  close(code?: number, reason?: string): void;
  /** Ends the connection at once. */
  terminate(): void;
  /** From now on what is published on `topic` is sent to this socket. */
  subscribe(topic: string): this;
  unsubscribe(topic: string): this;
  isSubscribed(topic: string): boolean;
  /** To all others that have subscribed; how many they are. */
  publish(topic: string, message: unknown): number;
}

/** Called one after the other for each socket: what one returns is waited for. */
export interface SocketHandlers<Message = SocketMessage, Data = unknown, C = AnyContext> {
  /**
   * Before the connection becomes a socket: an error that is thrown refuses it; what is returned is the
   * socket's `data`.
   */
  upgrade?(c: C): Data | Promise<Data>;
  open?(socket: Socket<Message, Data, C>): unknown;
  message?(socket: Socket<Message, Data, C>, message: Message): unknown;
  /** 1006: the connection ended without a word; 1005: the peer gave no code. */
  close?(socket: Socket<Message, Data, C>, code: number, reason: string): unknown;
  /** There is room again for who has sent more than the connection takes. */
  drain?(socket: Socket<Message, Data, C>): unknown;
  /** An error of a handler, else logged, or of what the peer sent. The socket closes. */
  error?(socket: Socket<Message, Data, C>, error: unknown): unknown;
  /** A message that does not fit; without this handler the socket closes with 1007. */
  invalid?(socket: Socket<Message, Data, C>, errors: readonly MessageError[]): unknown;
  /** A request that wants no socket; without it 426. */
  request?: Handler<C>;
}

/** What happens to a receiver that takes less than it is sent. */
export type SlowPolicy = 'close' | 'drop';

export interface SocketLimits {
  /** The longest message that is taken, in bytes, decompressed. Beyond: 1009. Default: 1 MiB. */
  readonly maxPayload?: number | undefined;
  /** Bytes that wait for a slow receiver. Default: 1 MiB. */
  readonly backpressureLimit?: number | undefined;
  /** Beyond them: the socket closes with 1013, or the message is lost. Default: `close`. */
  readonly slow?: SlowPolicy | undefined;
  /** Messages that wait for their handler, before nothing more is read. Default: 64. */
  readonly queueMax?: number | undefined;
  /** Topics of one socket. Default: 100. */
  readonly topicsMax?: number | undefined;
  /** A ping as often as that; 0: none. Default: 30 s. */
  readonly heartbeatMs?: number | undefined;
  /** How long a peer may say nothing, not even a pong. Default: twice `heartbeatMs`. */
  readonly timeoutMs?: number | undefined;
  /** How long a peer may take to answer a close. Default: 5 s. */
  readonly closeTimeoutMs?: number | undefined;
}

/** Options of permessage-deflate, by the names of the package `ws`. */
export interface DeflateOptions {
  readonly serverNoContextTakeover?: boolean;
  readonly clientNoContextTakeover?: boolean;
  readonly serverMaxWindowBits?: number;
  readonly clientMaxWindowBits?: number;
  /** Bytes from which on messages are compressed. */
  readonly threshold?: number;
  readonly concurrencyLimit?: number;
  readonly zlibDeflateOptions?: object;
  readonly zlibInflateOptions?: object;
}

type Schema = StandardSchemaV1 | undefined;

/** The schemas are parameters one by one: so they are known even where functions stand beside them. */
// oxlint-disable-next-line typescript/max-params -- one for each schema
export interface SocketOptions<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Headers extends Schema = Schema,
  Cookies extends Schema = Schema,
  Message extends Schema = Schema,
>
  extends Omit<RouteOptions, 'params' | 'query' | 'headers' | 'cookies' | 'body'>, SocketLimits {
  readonly params?: Params;
  readonly query?: Query;
  readonly headers?: Headers;
  readonly cookies?: Cookies;
  /** Of each message, as the handlers are given it; text is read as JSON first. */
  readonly message?: Message;
  /** Around the handshake, as the middleware of any route. */
  readonly use?: readonly Middleware[] | undefined;
  /** Subprotocols there are: the first of them that the client offers. */
  readonly protocols?: readonly string[] | undefined;
  /** Pages that may connect, as with `cors()`; `*`: any. Default: those of the same host. */
  readonly origin?: OriginRule | undefined;
  readonly perMessageDeflate?: boolean | DeflateOptions | undefined;
}

/** `app.websocket(path, handlers, options)`. */
export type AddSocketRoute<Self, OfContexts = unknown> = <
  Path extends string,
  Data = Record<string, unknown>,
  Params extends Schema = undefined,
  Query extends Schema = undefined,
  Headers extends Schema = undefined,
  Cookies extends Schema = undefined,
  Message extends Schema = undefined,
>(
  path: Path,
  handlers: SocketHandlers<
    OutputOr<{ readonly message: Message }, 'message', SocketMessage>,
    Data,
    ValidContext<Path, { readonly params: Params; readonly query: Query; readonly headers: Headers; readonly cookies: Cookies }> &
      OfContexts
  >,
  options?: SocketOptions<Params, Query, Headers, Cookies, Message>,
) => Self;

/** Any socket, for functions that take one of each route. */
export type AnySocket = Socket<unknown, unknown, unknown>;

export interface PublishOptions {
  /** Sockets that are not to get it. */
  readonly except?: AnySocket | readonly AnySocket[];
}
