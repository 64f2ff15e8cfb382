/**
 * Addresses, counters and states of a socket, as accessors of its prototype.
 */
import type { AddressOut } from './handle.ts';
import type { Piece, SocketState } from './socket-state.ts';

const self = (value: unknown): SocketState => value as SocketState;

const sizeOf = (chunk: string | Uint8Array, encoding: string): number =>
  typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding as BufferEncoding) : chunk.byteLength;

function pendingBytes(data: string | Uint8Array | Piece[] | null, encoding: string): number {
  if (data === null || data === undefined) return 0;
  if (!Array.isArray(data)) return sizeOf(data, encoding);
  let bytes = 0;
  for (const piece of data) bytes += sizeOf(piece.chunk, piece.encoding);
  return bytes;
}

export const nameMembers = {
  address(): AddressOut {
    return self(this)._getsockname();
  },
  _getsockname(): AddressOut {
    const socket = self(this);
    const handle = socket._handle;
    if (handle?.getsockname === undefined) return {};
    if (!socket._sockname) {
      socket._sockname = {};
      handle.getsockname(socket._sockname);
    }
    return socket._sockname;
  },
  _getpeername(): AddressOut {
    const socket = self(this);
    const handle = socket._handle;
    if (handle?.getpeername === undefined || socket.connecting) return socket._peername ?? {};
    if (!socket._peername) {
      const name: AddressOut = {};
      if (handle.getpeername(name) !== 0) return name;
      socket._peername = name;
    }
    return socket._peername;
  },
  get remoteAddress(): string | undefined {
    return self(this)._getpeername().address;
  },
  get remotePort(): number | undefined {
    return self(this)._getpeername().port;
  },
  get remoteFamily(): string | undefined {
    return self(this)._getpeername().family;
  },
  get localAddress(): string | undefined {
    return self(this)._getsockname().address;
  },
  get localPort(): number | undefined {
    return self(this)._getsockname().port;
  },
  get localFamily(): string | undefined {
    return self(this)._getsockname().family;
  },
  get _connecting(): boolean {
    return self(this).connecting;
  },
  get pending(): boolean {
    const socket = self(this);
    return !socket._handle || socket.connecting;
  },
  get readyState(): string {
    const socket = self(this);
    if (socket.connecting) return 'opening';
    if (socket.readable) return socket.writable ? 'open' : 'readOnly';
    return socket.writable ? 'writeOnly' : 'closed';
  },
  get bufferSize(): number | undefined {
    const socket = self(this);
    return socket._handle ? socket.writableLength : undefined;
  },
  get bytesRead(): number {
    const socket = self(this);
    return socket._handle ? socket._handle.bytesRead : socket._bytesRead;
  },
  get _bytesDispatched(): number {
    const socket = self(this);
    return socket._handle ? socket._handle.bytesWritten : socket._bytesWritten;
  },
  get bytesWritten(): number | undefined {
    const socket = self(this);
    const buffered = socket._writableState?.getBuffer?.();
    if (buffered === undefined) return undefined;
    let bytes = socket._handle ? socket._handle.bytesWritten : socket._bytesWritten;
    for (const { chunk, encoding } of buffered) bytes += sizeOf(chunk, encoding);
    return bytes + pendingBytes(socket._pendingData, socket._pendingEncoding);
  },
};
