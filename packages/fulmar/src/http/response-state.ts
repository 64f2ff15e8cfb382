/**
 * The own fields of a response that answers an exchange, and the defaults of the rare ones. Types and
 * defaults only.
 */
import type { ServerResponse as NodeServerResponse } from 'node:http';
import type { Exchange } from '../exchange/types.ts';
import type { Borrowed } from './borrowed.ts';
import type { HeaderName } from './header-name.ts';
import type { IncomingState } from './incoming-state.ts';
import type { Lifecycle } from './lifecycle.ts';

export type DoneCallback = (error?: Error | null) => void;

/** A chunk held back while corked: data, encoding, callback. */
export interface HeldChunk {
  readonly data: string | Uint8Array;
  readonly encoding: BufferEncoding | undefined;
  readonly callback: DoneCallback | null;
  /** Of this chunk and those before it, in bytes or characters. */
  readonly length: number;
}

/** Fields set for every response, in this order: those that a plain reply changes. */
export interface ResponseFields {
  _exchange: Exchange | undefined;
  req: IncomingState;
  statusCode: number;
  statusMessage: string | undefined;
  /** `[HeaderName, value, …]` in the order of first setting, or null. */
  _out: (HeaderName | unknown)[] | null;
  /** The header block once `writeHead` has run. */
  _block: string | null;
  _flags: number;
  finished: boolean;
  _started: boolean;
  /** The head is made inside `end(chunk)`: the content's length is known. */
  _endLength: boolean;
  /** The body whose ETag the engine fills in, until somebody reads the tag. */
  _tagged: string | null;
}

/** Fields that live on the prototype until a response needs its own. */
export interface ResponseRare {
  shouldKeepAlive: boolean;
  sendDate: boolean;
  _hasBody: boolean;
  _removedContLen: boolean;
  _destroyed: boolean;
  _closed: boolean;
  _life: Lifecycle | null;
  /** Behind `_events`, Node's store of listeners: made when somebody asks for it. */
  _listeners: Record<PropertyKey, unknown> | undefined;
  /** Behind `_eventsCount`: events that somebody listens to. */
  _listened: number;
  _contentLength: number | null;
  _bytes: number;
  strictContentLength: boolean;
  chunkedEncoding: boolean;
  useChunkedEncodingByDefault: boolean;
  maxRequestsOnConnectionReached: boolean;
  _removedConnection: boolean;
  _removedTE: boolean;
  _defaultKeepAlive: boolean;
  _last: boolean;
  _trailer: string;
  _sent100: boolean;
  _expect_continue: boolean;
  _corked: number;
  _held: HeldChunk[] | null;
  _needDrain: boolean;
  _errored: Error | null | undefined;
  _drainCallbacks: DoneCallback[] | null;
  _unique: ReadonlySet<string> | null;
  _rejectBodyWrites: boolean;
  _headText: string | null;
  /** Bits of the field kinds that the head has, of those with a meaning for framing or the connection. */
  _kindsSeen: number;
  _finishSeen: boolean;
  /** What Node's own functions, called on this response, keep on it (`borrowed.ts`). */
  _borrowed: Borrowed | null;
}

export const rareDefaults: ResponseRare = {
  shouldKeepAlive: true,
  sendDate: true,
  _hasBody: true,
  _removedContLen: false,
  _destroyed: false,
  _closed: false,
  _life: null,
  _listeners: undefined,
  _listened: 0,
  _contentLength: null,
  _bytes: 0,
  strictContentLength: false,
  chunkedEncoding: false,
  useChunkedEncodingByDefault: true,
  maxRequestsOnConnectionReached: false,
  _removedConnection: false,
  _removedTE: false,
  _defaultKeepAlive: true,
  _last: false,
  _trailer: '',
  _sent100: false,
  _expect_continue: false,
  _corked: 0,
  _held: null,
  _needDrain: false,
  _errored: null,
  _drainCallbacks: null,
  _unique: null,
  _rejectBodyWrites: false,
  _headText: null,
  _kindsSeen: 0,
  _finishSeen: false,
  _borrowed: null,
};

/** A response as the functions of this folder see it. */
export type ResponseState = ResponseFields &
  ResponseRare &
  Omit<NodeServerResponse, keyof ResponseFields | keyof ResponseRare> & {
    _implicitHeader(): void;
    _finish(): void;
    _events: Record<PropertyKey, unknown>;
    _eventsCount: number;
  };
