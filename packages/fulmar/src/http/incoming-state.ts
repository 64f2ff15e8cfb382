/** The own fields of a request that comes from an exchange. Types and the phases of its content only. */
import type { IncomingMessage as NodeIncomingMessage } from 'node:http';
import type { Exchange } from '../exchange/types.ts';
import type { ResponseState } from './response-state.ts';
import type { ServerState } from './server-state.ts';
import type { FulmarSocket } from './socket.ts';

/** How far the content of a request has come. */
export const ContentPhase = {
  /** The handler runs; nothing is delivered before it returns, as in Node. */
  handling: 0,
  /** The handler runs and has asked. */
  wanted: 1,
  /** Nobody has asked. */
  idle: 2,
  /** Content flows, or has flowed, into the stream. */
  reading: 3,
  /** Everything is in the stream. */
  ended: 4,
  /** All of it was taken at once, without a stream. */
  taken: 6,
  /** The exchange is over and nobody read the content. */
  settled: 5,
} as const;

/** What `stream.Readable` keeps; the part this folder touches. */
export interface ReadableStateLike {
  readingMore: boolean;
  ended: boolean;
  flowing: boolean | null;
  dataEmitted: boolean;
  endEmitted: boolean;
  destroyed: boolean;
  closed: boolean;
  closeEmitted: boolean;
  errored: unknown;
  resumeScheduled: boolean;
}

export interface IncomingFields {
  _exchange: Exchange | undefined;
  _server: ServerState;
  url: string;
  method: string;
  _phase: number;
  _headers: Record<string, string | string[] | undefined> | null;
  _rawHeaders: string[] | null;
  _response: ResponseState | null;
}

/** On the prototype until a request needs its own. */
export interface IncomingRare {
  _stream: ReadableStateLike | null;
  _socket: FulmarSocket | null;
  aborted: boolean;
  /** Behind `_consuming`: somebody reads the content, or has read it. */
  _isRead: boolean;
  _dumped: boolean;
  /** Behind `_events`, Node's store of listeners: made when somebody asks for it. */
  _listeners: Record<PropertyKey, unknown> | undefined;
  /** Behind `_eventsCount`: events that somebody listens to. */
  _listened: number;
  _complete: boolean;
  _paused: boolean;
  _rawTrailers: string[] | null;
  _trailers: Record<string, string | string[] | undefined> | null;
  _distinct: NodeJS.Dict<string[]> | null;
  _trailersDistinct: NodeJS.Dict<string[]> | null;
  _abort: AbortController | null;
  joinDuplicateHeaders: boolean;
  upgrade: boolean;
}

export const incomingDefaults: IncomingRare = {
  _stream: null,
  _socket: null,
  aborted: false,
  _isRead: false,
  _dumped: false,
  _listeners: undefined,
  _listened: 0,
  _complete: false,
  _paused: false,
  _rawTrailers: null,
  _trailers: null,
  _distinct: null,
  _trailersDistinct: null,
  _abort: null,
  joinDuplicateHeaders: false,
  upgrade: false,
};

/** A request as the functions of this folder see it. */
export type IncomingState = IncomingFields &
  IncomingRare &
  Omit<NodeIncomingMessage, keyof IncomingFields | keyof IncomingRare | 'socket'> & { socket: FulmarSocket };
