/**
 * The vocabulary between the engine and everything above it.
 *
 * A server implements `ServerObserver`, a message pair implements `ContentSink` and `ReplySink`; the exchange
 * calls them. Nothing above this folder knows how the batch looks in memory. Types only: this file has no
 * code.
 */

/**
 * Limits and switches of one listener. Times in ms, sizes in bytes; 0 switches a limit off. Read by the
 * engine, changeable at run time.
 */
export interface ServerConfig {
  /** From the first byte of a head to its end. Default 15,000. Beyond: 408, close. */
  headersTimeoutMs: number;
  /** From the first byte of a head to the last byte of the content. Default 300,000. Beyond: 408, close. */
  requestTimeoutMs: number;
  /** Idle time between two exchanges of a connection. Default 72,000. Beyond: close. */
  keepAliveTimeoutMs: number;
  /** Inactivity of the socket (`server.timeout`). Default 0. Beyond: `ServerObserver.onTimeout`. */
  socketTimeoutMs: number;
  /** A reply that makes no progress. Default 60,000. Beyond: reset. */
  writeTimeoutMs: number;
  /** Request line and field lines together. Default 16,384. Beyond: 431, close. */
  headBytesMax: number;
  /** Request line alone. Default 8,192. Beyond: 414, close. */
  requestLineBytesMax: number;
  /** Default 2,000; 0 = no limit but the head's size. Beyond: 431, close. */
  headerCountMax: number;
  /** `maxRequestsPerSocket`. Default 0 = unlimited. */
  requestsPerConnectionMax: number;
  /**
   * `maxConnections`. Default 0 = as many as descriptors allow; -1: none at all. Beyond: closed at once,
   * `onDrop`.
   */
  connectionsMax: number;
  /** TCP_NODELAY on accepted sockets. Default true. */
  noDelay: boolean;
  /** SO_KEEPALIVE on accepted sockets. Default false. */
  keepAliveProbes: boolean;
  /** TCP_KEEPIDLE. Default 0 = the system's. */
  keepAliveInitialDelayMs: number;
  /** HTTP/1.1 requests without Host are rejected. Default true. */
  requireHostHeader: boolean;
  /**
   * `onConnection` is called for each accepted connection. Default false: connection objects are made on
   * first use.
   */
  reportConnections: boolean;
  /**
   * `onReject` is called for a broken head or framing instead of the engine's own 400/408/431 (`clientError`
   * has a listener).
   */
  reportRejects: boolean;
  /**
   * `Connection: upgrade` requests become `onUpgrade` (the server has an `upgrade` listener). Otherwise they
   * are plain requests.
   */
  acceptUpgrade: boolean;
  /** CONNECT requests become `onUpgrade`. Otherwise the connection closes. */
  acceptConnect: boolean;
  /**
   * `httpAllowHalfOpen`: a peer that has shut down its side still gets its replies. Default false: its open
   * exchanges are aborted.
   */
  allowHalfOpen: boolean;
}

/** Where to listen. One of `port` (with optional `host`), `path` (Unix socket) or `fd`. */
export interface ListenTarget {
  readonly port?: number;
  /** An IP address, already resolved. Absent: `::` with IPv4 mapped, or `0.0.0.0` where IPv6 is missing. */
  readonly host?: string;
  readonly ipv6Only?: boolean;
  readonly path?: string;
  readonly fd?: number;
  /** With `fd`: it stays the caller's, who may close it; the listener has one of its own. On Node alone. */
  readonly copyFd?: boolean;
  readonly backlog?: number;
  readonly reusePort?: boolean;
}

export interface SocketAddress {
  readonly address: string;
  readonly family: 'IPv4' | 'IPv6';
  readonly port: number;
}

/** One listening socket and the connections it accepted. */
export interface Listener {
  /** `null` after `close()`. A string for a Unix socket. */
  address(): SocketAddress | string | null;
  configure(change: Partial<ServerConfig>): void;
  /**
   * Stops accepting and closes idle connections are left alone; `ServerObserver.onClosed` follows when the
   * last connection is gone.
   */
  close(): void;
  /**
   * Graceful stop: replies carry `Connection: close`, idle connections are closed after a last read. Implies
   * `close()`.
   */
  drain(): void;
  closeIdleConnections(): void;
  closeAllConnections(): void;
  /** Connections accepted here and still open. */
  connectionCount(): number;
  ref(): void;
  unref(): void;
}

/** A head or framing the engine refused. `raw` holds the bytes received so far (at most 64 KiB). */
export interface Reject {
  /** The status the engine would send: 400, 408, 413, 414, 417, 431, 501 or 505. */
  readonly status: number;
  /**
   * Node's code for it: `HPE_INVALID_METHOD`, `HPE_HEADER_OVERFLOW`, `ERR_HTTP_REQUEST_TIMEOUT`, `ECONNRESET`
   * …
   */
  readonly code: string;
  /** In words, for people. */
  readonly reason: string;
  readonly raw: Buffer;
}

/** What a server implements. Called on the JavaScript thread, inside the batch. */
export interface ServerObserver {
  /** A complete head. Content may still be on its way: see `Exchange.contentState`. */
  onRequest(exchange: Exchange): void;
  /**
   * An Upgrade or CONNECT request that `ServerConfig` asked for. Answer with `exchange.acceptUpgrade()` or
   * `exchange.declineUpgrade()`.
   */
  onUpgrade(exchange: Exchange): void;
  onConnection(connection: Connection): void;
  /**
   * Only with `reportRejects`. The connection reads nothing more; write a reply on it and end or destroy it.
   */
  onReject(connection: Connection, reject: Reject): void;
  /**
   * Only with `reportRejects`: a connection without an observer was reset or failed. Its exchanges are
   * aborted afterwards.
   */
  onLost(connection: Connection, error: Error): void;
  /** A connection beyond `connectionsMax` was closed at once. */
  onDrop(local: SocketAddress | null, remote: SocketAddress | null): void;
  /**
   * A connection was inactive for `socketTimeoutMs`, raw or not. Told once until something moves; nothing is
   * closed by the engine.
   */
  onTimeout(connection: Connection, exchange: Exchange | null): void;
  /** `close()` or `drain()` was called and the last connection is gone. */
  onClosed(): void;
}

/** Takes the content of a request. */
export interface ContentSink {
  /**
   * A piece of content, dechunked. The buffer is the sink's to keep. Call `exchange.pauseContent()` to stop
   * the flow.
   */
  onContent(chunk: Buffer): void;
  /** All content has come. `rawTrailers` is `[name, value, …]`, empty without a trailer section. */
  onContentEnd(rawTrailers: string[]): void;
}

/** Learns the fate of an exchange. */
export interface ExchangeObserver {
  /** The reply's buffer has room again after `write()` returned false. */
  onDrain(): void;
  /**
   * The last byte of the reply is with the operating system. Called only after `notifySent()`. An error that
   * is thrown may be given to `report` before, in the asynchronous context it belongs to.
   */
  onSent(report?: (error: unknown) => void): void;
  /**
   * The connection ended before the exchange was complete: peer gone, reset, timeout, broken framing, or
   * `abort()`. Nothing follows. `connectionError` is what the operating system reported, if it did;
   * `isBroken`: the framing was.
   */
  onAbort(error: Error, connectionError: Error | null, isBroken: boolean): void;
  /** The reply is somebody else's from now on; the connection is not over. */
  onTaken?(error: Error): void;
}

/** How much of the content has arrived with the head. */
export type ContentState =
  /** The request has no content. */
  | 'none'
  /** All of it is in `inlineContent()`. */
  | 'inline'
  /** `inlineContent()` holds the beginning (maybe empty), the rest comes through `readContent()`. */
  | 'streamed';

/**
 * How the engine ends the field section of a reply. Bits, combined with `|`. Values live in `format.ts` as
 * `ReplyFlag`.
 */
export type ReplyFlags = number;

/**
 * One request and its reply.
 *
 * The head can be read at any time, also long after the reply. All reply methods are no-ops once the
 * connection is gone. A header block is a latin1 string of complete field lines:
 * `"Content-Type: text/plain\r\nX-A: 1\r\n"`; the caller has checked names and values.
 */
export interface Exchange {
  readonly method: string;
  /** The request target as sent, latin1. Origin-form, absolute-form, authority-form or `*`. */
  readonly target: string;
  readonly httpVersionMinor: 0 | 1;
  /**
   * HTTP/1.1, no expectation, no request limit reached: `requestLimit`, `expectContinue` and `expectOther`
   * need not be asked for.
   */
  readonly isPlain: boolean;
  /** Where there is no connection: what the platform that called gives beside the request. */
  readonly platform?: unknown;
  /** Number of field lines in the head. */
  readonly headerCount: number;
  /** `[name, value, …]` as sent, latin1, values trimmed of SP and HTAB. A new array on each call. */
  rawHeaders(): string[];
  /**
   * The value of a field by its name in lower case, without building all of them; of several lines joined by
   * `, `, of `cookie` by `; `.
   */
  header(name: string): string | undefined;
  /**
   * The peer's wish, from version and Connection field, unless a limit says no (`requestsPerConnectionMax`,
   * drain).
   */
  readonly keepAlive: boolean;
  /**
   * This request reached or passed `requestsPerConnectionMax`: 0 no, 1 it is the last one, 2 it is beyond
   * (answer 503).
   */
  readonly requestLimit: 0 | 1 | 2;
  /**
   * The head has If-None-Match, If-Modified-Since, If-Match, If-Unmodified-Since or If-Range. False means:
   * certainly none.
   */
  readonly conditional: boolean;
  /**
   * `Expect: 100-continue`. The engine sends 100 when content is first asked for, unless
   * `sendInterim(100, …)` came before.
   */
  readonly expectContinue: boolean;
  /** Another expectation than 100-continue. */
  readonly expectOther: boolean;
  /** A head with `Connection: upgrade` and an Upgrade field, or CONNECT. */
  readonly upgrade: boolean;
  /**
   * Of all connections that are open this one's, and which one of those that had the number. Costs no object,
   * as `connection` does.
   */
  readonly connectionSlot: number;
  readonly connectionGeneration: number;
  readonly connection: Connection;
  /** False once the connection is gone or the reply has been given in full. */
  readonly open: boolean;
  /** The reply's head is given, or nobody is left who would get one. */
  readonly begun: boolean;
  /** The connection has ended before the reply was complete: who asks for the first time now hears nothing more. */
  readonly gone: boolean;

  readonly contentState: ContentState;
  /** `contentState` is `'streamed'`. */
  readonly isStreamed: boolean;
  /**
   * The part of the content that arrived with the head; the same buffer on each call. Empty without content.
   * A trailer section makes it `'streamed'`.
   */
  inlineContent(): Buffer;
  /** The same, decoded from UTF-8. */
  inlineText(): string;
  readonly inlineBytes: number;
  /** Starts or resumes the flow of what `inlineContent()` does not hold. */
  readContent(sink: ContentSink): void;
  pauseContent(): void;
  /**
   * Content that comes is not thrown away once the reply is complete: it waits for `readContent`. For
   * streamed content; nothing when it is being read.
   */
  keepContent(sink: ContentSink): void;
  /**
   * Content is no longer wanted: read and thrown away, within limits; beyond them the connection closes after
   * the reply.
   */
  discardContent(): void;

  /** Who learns of drain, sent, abort. */
  observer: ExchangeObserver | null;

  /**
   * The complete reply in one go. A string body is written in `encoding` (`utf8` or `latin1`). Returns the
   * digest that stands in the block (`ReplyFlag.digest`) where it is known by now, as it is of a large body.
   */
  reply(
    status: number,
    reason: string | null,
    block: string,
    flags: ReplyFlags,
    body: string | Uint8Array | null,
    encoding?: 'utf8' | 'latin1',
  ): string | null;
  /**
   * Starts a streamed reply. `contentLength` >= 0 makes the engine write Content-Length; -1 leaves it to
   * flags.
   */
  start(status: number, reason: string | null, block: string, flags: ReplyFlags, contentLength: number): void;
  /**
   * A piece of the reply's content (chunked by the engine if `start` said so). False: buffered more than 64
   * KiB, wait for `onDrain`.
   */
  write(chunk: string | Uint8Array, encoding?: BufferEncoding): boolean;
  /** Ends a streamed reply. `trailers`: a block, only for chunked replies. */
  end(trailers?: string): void;
  /**
   * Sends `length` bytes of an open file from `offset` as the rest of the content, then ends the reply. The
   * engine owns and closes `fd`.
   */
  sendFile(fd: number, offset: number, length: number): void;
  /** There is a connection that `sendFile` can send to. */
  readonly takesFiles: boolean;
  /**
   * Ends the reply within the file: what is not with the operating system is not sent. False: all of it is.
   */
  cutFile(): boolean;
  /** 100, 102, 103. */
  sendInterim(status: number, block: string): void;
  /** Bytes of the reply not yet with the operating system. */
  readonly bufferedBytes: number;
  /** Asks for `onSent`. Before `reply`/`end`/`sendFile`, or at any time before the reply is out. */
  notifySent(): void;
  /** Resets the exchange: the connection is destroyed at once. */
  abort(): void;

  /**
   * Turns the connection into a raw byte stream; its first bytes are returned. Nothing more is parsed on it.
   */
  acceptUpgrade(): Buffer;
  /**
   * Treats an Upgrade request as a plain one; `onRequest` is *not* called again, the caller goes on with this
   * exchange.
   */
  declineUpgrade(): void;
}

/** What a connection object's owner implements (`fulmar/http`'s socket). */
export interface ConnectionObserver {
  /** Raw bytes, after `acceptUpgrade()`. */
  onData(chunk: Buffer): void;
  /** The peer has shut down its side (raw mode). */
  onEnd(): void;
  /** Room again after `write()` returned false. */
  onDrain(): void;
  /** The descriptor is closed. `error` is null after an orderly end. */
  onClose(error: Error | null): void;
}

/** A transport connection. Made lazily; the same object for all exchanges of a connection. */
export interface Connection {
  readonly remote: SocketAddress | null;
  readonly local: SocketAddress | null;
  /** Somebody else speaks TLS with the client. */
  readonly secure?: boolean;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  readonly open: boolean;
  observer: ConnectionObserver | null;
  /** Raw bytes, past HTTP: after an upgrade, or to answer a reject by hand. False: wait for `onDrain`. */
  write(chunk: string | Uint8Array, encoding?: BufferEncoding): boolean;
  readonly bufferedBytes: number;
  /** Sends what is buffered, then shuts down our side. */
  end(): void;
  /** Closes at once; buffered bytes are lost. `reset` sends RST. */
  destroy(reset?: boolean): void;
  /** Raw mode: flow control. */
  pause(): void;
  resume(): void;
  /** Inactivity timeout of this connection; 0 = off. */
  setTimeout(ms: number): void;
  setNoDelay(on: boolean): void;
  setKeepAlive(on: boolean, initialDelayMs: number): void;
  ref(): void;
  unref(): void;
}
