/**
 * A socket as the functions of this folder see it. Types only.
 */
import type { Socket as NodeSocket } from 'node:net';
import type { AddressOut, StreamHandle } from './handle.ts';

export type DoneCallback = (error?: Error | null) => void;

export interface Piece {
  readonly chunk: string | Uint8Array;
  readonly encoding: string;
}

export interface SocketFields {
  connecting: boolean;
  _hadError: boolean;
  _handle: StreamHandle | null;
  _parent: SocketState | null;
  _host: string | null;
  _pendingData: string | Uint8Array | Piece[] | null;
  _pendingEncoding: string;
  _sockname: AddressOut | null;
  _peername: AddressOut | null;
  _server: ServerLike | null;
  server: unknown;
  _closeAfterHandlingError: boolean;
  _timer: NodeJS.Timeout | null;
  _lastQueue: number;
  _bytesRead: number;
  _bytesWritten: number;
  _noDelay: boolean;
  _keepAlive: boolean;
  _keepAliveSeconds: number;
  _onread: OnRead | null;
  _aborted?: boolean;
  blockList?: { check(address: string, family: string): boolean };
  resetAndClosing?: boolean;
  timeout?: number;
  readable: boolean;
  write: unknown;
  _writableState: { getBuffer?: () => { chunk: string | Uint8Array; encoding: BufferEncoding }[] };
  autoSelectFamilyAttemptedAddresses?: string[];
  _unrefTimer(): void;
  _undestroy?(): void;
  _reset(): unknown;
  _getsockname(): AddressOut;
  _getpeername(): AddressOut;
  _writeGeneric(writev: boolean, data: string | Uint8Array | Piece[], encoding: string, done: DoneCallback): unknown;
  _final(done: DoneCallback): unknown;
  _read(size: number): void;
}

/** `onread` of the options: data goes into a buffer of the caller. */
export interface OnRead {
  buffer: Uint8Array;
  readonly next: (() => unknown) | null;
  readonly callback: (bytes: number, buffer: Uint8Array) => unknown;
}

export interface ServerLike {
  _connections: number;
  _emitCloseIfDrained?(): void;
}

export type SocketState = SocketFields & Omit<NodeSocket, keyof SocketFields>;
