/**
 * A message that is being sent, as the functions of this folder see it. Types and the keys of hidden fields
 * only.
 */
import type { OutgoingMessage } from 'node:http';
import type { Socket } from 'node:net';

export type DoneCallback = (error?: Error | null) => void;
export type HeaderEntry = [name: string, value: unknown];
export type HeaderMap = Record<string, HeaderEntry>;

export const kHeaders: unique symbol = Symbol('kOutHeaders');
export const kSocket: unique symbol = Symbol('kSocket');
export const kCorked: unique symbol = Symbol('corked');
export const kChunks: unique symbol = Symbol('kChunkedBuffer');
export const kChunkBytes: unique symbol = Symbol('kChunkedLength');
export const kUnique: unique symbol = Symbol('kUniqueHeaders');
export const kBytes: unique symbol = Symbol('kBytesWritten');
export const kErrored: unique symbol = Symbol('errored');
export const kFinished: unique symbol = Symbol('kWritableFinished');
export const kEndCallbacks: unique symbol = Symbol('kEndCallbacks');
export const kFlushError: unique symbol = Symbol('kFlushError');
export const kHighWaterMark: unique symbol = Symbol('kHighWaterMark');
export const kRejectBody: unique symbol = Symbol('kRejectNonStandardBodyWrites');
export const kNeedDrain: unique symbol = Symbol('kNeedDrain');

export interface Queued {
  data: string | Uint8Array | null;
  readonly encoding: string | null | undefined;
  readonly callback: DoneCallback | null | undefined;
}

/** A chunk that waits for the end of the tick. */
export interface CorkedChunk {
  readonly data: string | Uint8Array;
  readonly encoding: string | null | undefined;
  readonly callback: DoneCallback;
}

export interface OutgoingFields {
  outputData: Queued[];
  outputSize: number;
  writable: boolean;
  destroyed: boolean;
  _last: boolean;
  chunkedEncoding: boolean;
  shouldKeepAlive: boolean;
  maxRequestsOnConnectionReached: boolean;
  _defaultKeepAlive: boolean;
  useChunkedEncodingByDefault: boolean;
  sendDate: boolean;
  _removedConnection: boolean;
  _removedContLen: boolean;
  _removedTE: boolean;
  strictContentLength: boolean;
  _contentLength: number | null;
  _hasBody: boolean;
  _trailer: string;
  finished: boolean;
  _headerSent: boolean;
  _closed: boolean;
  _header: string | null;
  _keepAliveTimeout: number;
  _maxRequestsPerSocket?: number | null;
  statusCode?: number;
  agent?: unknown;
  httpValidation?: string;
  insecureHTTPParser?: boolean;
  req?: { socket?: { server?: { httpValidation?: string; insecureHTTPParser?: boolean } } };
  _onPendingData: (delta: number) => void;
  [kHeaders]: HeaderMap | null;
  [kSocket]: SocketLike | null;
  [kCorked]: number;
  [kChunks]: CorkedChunk[];
  [kChunkBytes]: number;
  [kUnique]: ReadonlySet<string> | null | undefined;
  [kBytes]: number;
  [kErrored]: Error | null | undefined;
  [kFinished]: boolean;
  [kEndCallbacks]: DoneCallback[] | null;
  [kFlushError]: Error | null;
  [kHighWaterMark]: number;
  [kRejectBody]: boolean;
  [kNeedDrain]: boolean;
  _implicitHeader(): void;
  _isLenientHeaderValidation(): boolean;
  _send(data: string | Uint8Array, encoding?: string | null, callback?: DoneCallback | null, size?: number): boolean;
  _writeRaw(data: string | Uint8Array, encoding?: unknown, callback?: unknown, size?: number): boolean;
  _storeHeader(firstLine: string, headers: unknown): void;
  _finish(): void;
  _flush(): void;
  _flushOutput(socket: SocketLike): boolean | undefined;
}

/** The connection of a message: a `net.Socket` or whatever stream an application gives. */
export type SocketLike = Socket & {
  _httpMessage?: unknown;
  _writableState?: { corked: number; errored?: Error | null };
  _hadError?: boolean;
};

export type OutgoingState = OutgoingFields & Omit<OutgoingMessage, keyof OutgoingFields>;
