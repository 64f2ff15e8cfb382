/**
 * The vocabulary of a parity case: a program, the bytes sent to it, and what both sides are asked to show.
 * Stands before everything else in the harness; never does I/O.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ExpressModule } from './express-api.ts';

/** The part of `node:http` a case may use; both `node:http` and `fulmar/http` have this shape. */
export type HttpModule = typeof import('node:http');

/** `'upstream'` is npm's express on `node:http`; `'ours'` is `fulmar/express` on `fulmar/http`. */
export type SideName = 'upstream' | 'ours';

export interface Side {
  readonly name: SideName;
  readonly express: ExpressModule;
  readonly http: HttpModule;
}

/**
 * One request. A string is `'GET /path'`; `raw` is sent untouched and `answers` says how many replies to read
 * for it.
 */
export type RequestInput = string | StructuredRequest | RawRequest;

export interface StructuredRequest {
  readonly method?: string;
  readonly path?: string;
  /** Names and values in order; `host` and, for a body, `content-length` are added unless present. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
  /** Leaves out the `Host` field that is otherwise added. */
  readonly noHost?: boolean;
  readonly version?: '1.0' | '1.1';
}

export interface RawRequest {
  /** latin1 text or bytes, sent as they are. */
  readonly raw: string | Uint8Array;
  /**
   * Methods of the requests inside `raw`, one reply is read for each; default: the method of the first line.
   */
  readonly methods?: readonly string[];
}

/** What a program may use besides its framework: a notebook that is compared, and ways to wait. */
export interface CaseContext {
  readonly side: SideName;
  /**
   * Notes an observation; the notes of both sides must be equal. Errors are reduced to name, message and
   * plain fields.
   */
  record(...values: unknown[]): void;
  /**
   * Announces something that ends after the reply; the harness waits until the returned function is called.
   */
  pending(): () => void;
  /** Calls `fn` and records its result, or the error it throws. */
  attempt(label: string, fn: () => unknown): void;
}

/** What a scripted client may do; used by cases that are more than "send, then read". */
export interface ClientContext extends CaseContext {
  readonly port: number;
  /** Opens a raw connection that is destroyed when the case ends. */
  connect(): Promise<RawConnection>;
}

export interface RawConnection {
  readonly socket: Socket;
  write(bytes: string | Uint8Array): void;
  /** The next final reply (interim replies are attached to it), or how the connection ended instead. */
  read(method?: string): Promise<ReplyOutcome>;
  /**
   * Resolves with the bytes that came after the last reply once the peer has ended or reset the connection.
   */
  closed(): Promise<string>;
}

export interface CaseOptions {
  /** `shared` (default): one request after the other on one connection, reopened when closed. `each`: a connection per
   * request. `pipelined`: all requests in one write. */
  readonly connection?: 'shared' | 'each' | 'pipelined';
  /**
   * After the last reply ask the harness's own probe handler whether the connection is still served. Default
   * true for `app`.
   */
  readonly probe?: boolean;
  /** Environment variables while the case runs. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** `Date.now()` stands still while the case runs (for `Expires` made from `maxAge`). */
  readonly frozenNow?: boolean;
  /** How long one reply may take before it is noted as `no answer`. Default 4,000. */
  readonly deadlineMs?: number;
}

/** An Express program: returns the app (or any request listener). */
export type AppProgram = (express: ExpressModule, ctx: CaseContext) => RequestListener;

export interface ParityCase {
  /** A behaviour, as a sentence. */
  readonly name: string;
  readonly app?: AppProgram;
  /** A `node:http` program: returns a server that does not listen yet. */
  readonly server?: (http: HttpModule, ctx: CaseContext) => Server;
  readonly requests?: readonly RequestInput[];
  /** Runs after `requests`, for cases that need their own conversation. */
  readonly client?: (client: ClientContext) => Promise<void>;
  readonly options?: CaseOptions;
}

export interface ReplyOutcome {
  readonly statusLine: string;
  readonly headers: readonly (readonly [string, string])[];
  /** latin1 text, so that every byte is visible. */
  readonly body: string;
  readonly framing: 'length' | 'chunked' | 'close' | 'none';
  readonly trailers: readonly (readonly [string, string])[];
  readonly interim: readonly string[];
  /** `no answer`, `closed`, `reset`, `malformed …` in place of a reply. */
  readonly failure?: string;
  /** Bytes of an unfinished reply when the connection ended. */
  readonly partial?: string;
  /** What became of the connection after this reply. */
  readonly fate?: 'open' | 'closed';
}

/** Everything one side showed. */
export interface Outcome {
  readonly replies: readonly ReplyOutcome[];
  readonly records: readonly unknown[];
  readonly console: readonly string[];
  readonly uncaught: readonly string[];
  /** The error of `app()`/`server()` itself, when it threw. */
  readonly setup?: string;
}

export type NodeRequest = IncomingMessage;
export type NodeResponse = ServerResponse;
