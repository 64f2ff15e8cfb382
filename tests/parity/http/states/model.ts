/**
 * The vocabulary of the tables in this folder: a state a connection is brought into, and the ways its client
 * leaves. Types and names only; runs nothing.
 */
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Client } from './client.ts';
import type { Journal } from './journal.ts';

/**
 * How the client goes: reset (SO_LINGER 0), close of the whole connection, or end of its own side while it
 * goes on reading.
 */
export const leaves = ['reset', 'close', 'half-close'] as const;
export type Leave = (typeof leaves)[number];

/**
 * What the program listens to. Who listens decides, in `fulmar/http`, which objects are made and what the
 * engine reports, so that every state is left under each: `everything` (server, socket, request, response),
 * `messages` (request and response only), `closes` (only `close` of both, and no `error`).
 */
export const watchings = ['everything', 'messages', 'closes'] as const;
export type Watching = (typeof watchings)[number];

/** One request at its handler. */
export interface Call {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** 1 for the first request of the connection. */
  readonly number: number;
  readonly journal: Journal;
}

/** A state of a connection: the program that stays in it, and what the client sends to bring it there. */
export interface State {
  /** A clause after "a client leaves while". */
  readonly name: string;
  /** What the handler does after the request was noted; default: it waits for ever. */
  readonly serve?: (call: Call) => void;
  /** Listeners of the server beyond `request`. */
  readonly arrange?: (server: Server, stage: Stage) => void;
  readonly options?: ServerOptions;
  /** Brings the connection into the state; the runner waits afterwards until nothing moves any more. */
  readonly approach: (client: Client, stage: Stage) => Promise<void> | void;
  /** The state is left as soon as `approach` is done, because it is one in which something moves. */
  readonly isMoving?: boolean;
  /** The handler goes on writing by itself, so that nothing is written late. */
  readonly isWriting?: boolean;
  readonly leaves?: readonly Leave[];
}

/** What a state's own listeners and its client script get besides the journal. */
export interface Stage {
  readonly journal: Journal;
  readonly server: Server;
  /** Notes a request and runs the state's handler, for requests that do not come by `request`. */
  readonly take: (req: IncomingMessage, res: ServerResponse) => void;
  /** Notes the events of a socket that has become the application's, and writes to it later. */
  readonly own: (socket: import('node:net').Socket) => void;
}

/** Everything one side showed, line by line, in order; a line of dashes begins a part. */
export type Log = readonly string[];
