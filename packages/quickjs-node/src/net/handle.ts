/**
 * Stream handles beneath `net.Socket`: what a socket asks of whatever carries its bytes. `TCP` and `Pipe` are
 * the host's own sockets; TLS puts a handle of its own kind on top. Numbers are negative errnos, 0 is
 * success.
 */
import ops from 'fulmar:ops';
import type { SocketName } from 'fulmar:ops';

const EBADF = -9;
const ENOTCONN = -107;
const ECANCELED = -125;

/** What the host tells a socket's function (`ops/net.rs`). */
const SocketEvent = { connected: 1, data: 2, end: 3, drained: 4, shut: 5, readFailed: 6, writeFailed: 7, accepted: 8 } as const;

export interface AddressOut {
  address?: string;
  family?: string;
  port?: number;
}

export type Done = (errno: number) => void;

/** What carries the bytes of a socket. */
export interface StreamHandle {
  reading: boolean;
  /** A chunk; or null with 0 for the peer's end, with an errno for a failure. */
  onread: (chunk: Buffer | null, errno: number) => void;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
  readonly fd: number;
  readStart(): number;
  readStop(): number;
  /** 0: written. 1: `done` will be called. Negative: failed. */
  write(data: string | Uint8Array, encoding: string, done: Done): number;
  shutdown(done: Done): number;
  close(done?: () => void): void;
  reset?(done?: () => void): number;
  ref(): void;
  unref(): void;
  hasRef(): boolean;
  getAsyncId(): number;
  getsockname?(out: AddressOut): number;
  getpeername?(out: AddressOut): number;
  setNoDelay?(on: boolean): number;
  setKeepAlive?(on: boolean, seconds: number): number;
}

const nop = (): void => undefined;

function fill(out: AddressOut, name: SocketName | undefined): number {
  if (name === undefined) return ENOTCONN;
  if (typeof name === 'string') return 0;
  [out.address, out.family, out.port] = name;
  return 0;
}

function runDone(done: () => void): void {
  done();
}

function closed(written: Done | null, shut: Done | null, done: (() => void) | undefined): void {
  written?.(ECANCELED);
  shut?.(ECANCELED);
  done?.();
}

/** What the runtime knows by a number, 0 for what is not open. */
class NumberedHandle {
  id: number;
  referenced = true;

  constructor(id = 0) {
    this.id = id;
  }

  ref(): void {
    this.referenced = true;
    if (this.id !== 0) ops.net.reference(this.id, true);
  }

  unref(): void {
    this.referenced = false;
    if (this.id !== 0) ops.net.reference(this.id, false);
  }

  hasRef(): boolean {
    return this.referenced;
  }

  getAsyncId(): number {
    return 0;
  }
}

/** A socket of the runtime: connected or connecting. */
class SystemHandle extends NumberedHandle implements StreamHandle {
  reading = false;
  onread: StreamHandle['onread'] = nop;
  bytesRead = 0;
  bytesWritten = 0;
  writeQueueSize = 0;
  readonly fd = -1;
  onConnected: Done = nop;
  writeDone: Done | null = null;
  shutDone: Done | null = null;
  bound: { address: string; port: number } | null = null;

  /** `id` is a connection that is open already, 0 a handle that will connect. */
  constructor(id = 0) {
    super(id);
    if (id > 0) this.start();
  }

  start(): void {
    ops.net.start(this.id, (kind, value) => this.told(kind, value));
    if (!this.referenced) ops.net.reference(this.id, false);
  }

  told(kind: number, value: unknown): void {
    switch (kind) {
      case SocketEvent.data: {
        const chunk = Buffer.from(value as ArrayBuffer);
        this.bytesRead += chunk.length;
        this.onread(chunk, 0);
        break;
      }
      case SocketEvent.end:
        this.onread(null, 0);
        break;
      case SocketEvent.readFailed:
        this.onread(null, value as number);
        break;
      case SocketEvent.connected:
        this.onConnected(value as number);
        break;
      default:
        this.toldWriter(kind, value as number);
    }
  }

  toldWriter(kind: number, errno: number): void {
    if (kind === SocketEvent.drained || kind === SocketEvent.writeFailed) {
      this.writeQueueSize = 0;
      const done = this.writeDone;
      this.writeDone = null;
      done?.(kind === SocketEvent.drained ? 0 : errno);
    }
    if (kind === SocketEvent.drained) return;
    // The end of the write side means that what was queued has left.
    const written = this.writeDone;
    this.writeDone = null;
    written?.(0);
    const done = this.shutDone;
    this.shutDone = null;
    done?.(errno);
  }

  readStart(): number {
    this.reading = true;
    if (this.id === 0) return ENOTCONN;
    ops.net.read(this.id, true);
    return 0;
  }

  readStop(): number {
    this.reading = false;
    if (this.id !== 0) ops.net.read(this.id, false);
    return 0;
  }

  write(data: string | Uint8Array, encoding: string, done: Done): number {
    if (this.id === 0) return EBADF;
    const isLatin1 = encoding === 'latin1' || encoding === 'binary';
    const size = typeof data !== 'string' ? data.byteLength : isLatin1 ? data.length : Buffer.byteLength(data);
    const waiting = ops.net.write(this.id, data, isLatin1);
    if (waiting < 0) return waiting;
    this.bytesWritten += size;
    this.writeQueueSize = waiting;
    if (waiting === 0) return 0;
    this.writeDone = done;
    return 1;
  }

  shutdown(done: Done): number {
    if (this.id === 0) return ENOTCONN;
    this.shutDone = done;
    ops.net.shutdown(this.id);
    return 0;
  }

  close(done?: () => void): void {
    this.closeAs(false, done);
  }

  reset(done?: () => void): number {
    this.closeAs(true, done);
    return 0;
  }

  closeAs(reset: boolean, done?: () => void): void {
    if (this.id !== 0) ops.net.close(this.id, reset);
    this.id = 0;
    // As libuv: closing is told in the loop's next turn.
    setImmediate(closed, this.writeDone, this.shutDone, done);
    this.writeDone = null;
    this.shutDone = null;
  }

  /** Takes over a descriptor. */
  open(fd: number): number {
    const id = ops.net.adopt(fd);
    if (id < 0) return id;
    this.id = id;
    this.start();
    return 0;
  }

  begin(id: number, connected: Done): number {
    if (id < 0) return id;
    this.id = id;
    this.onConnected = connected;
    this.start();
    return 0;
  }
}

/** A TCP socket. */
export class TCP extends SystemHandle {
  /** Kept until connecting, when the system is asked for both at once. */
  bind(address: string, port: number): number {
    this.bound = { address, port };
    return 0;
  }

  connect(address: string, port: number, connected: Done): number {
    const from = this.bound;
    return this.begin(ops.net.connect(address, port, from?.address ?? '', from?.port ?? 0), connected);
  }

  getsockname(out: AddressOut): number {
    return this.id === 0 ? EBADF : fill(out, ops.net.localName(this.id));
  }

  getpeername(out: AddressOut): number {
    return this.id === 0 ? EBADF : fill(out, ops.net.peerName(this.id));
  }

  setNoDelay(on: boolean): number {
    return this.id === 0 ? EBADF : ops.net.setNoDelay(this.id, on);
  }

  setKeepAlive(on: boolean, seconds: number): number {
    return this.id === 0 ? EBADF : ops.net.setKeepAlive(this.id, on, Math.max(0, seconds | 0));
  }
}

/** A Unix socket or a pipe. */
export class Pipe extends SystemHandle {
  connect(path: string, connected: Done): number {
    return this.begin(ops.net.connectPath(path), connected);
  }
}

/** A listener of the runtime, for servers that are not the engine's. */
export class ListenHandle extends NumberedHandle {
  readonly fd = -1;
  readonly isPipe: boolean;
  readonly bind: () => number;
  onconnection: (errno: number, client: SystemHandle | undefined) => void = nop;
  readonly getsockname?: (out: AddressOut) => number;

  /** `bind` opens the listener and returns its number or an errno. */
  constructor(isPipe: boolean, bind: () => number) {
    super();
    this.isPipe = isPipe;
    this.bind = bind;
    if (!isPipe) this.getsockname = (out) => (this.id === 0 ? EBADF : fill(out, ops.net.localName(this.id)));
  }

  listen(): number {
    const id = this.bind();
    if (id < 0) return id;
    this.id = id;
    ops.net.start(id, (_kind, value) => this.accepted(value as number));
    if (!this.referenced) ops.net.reference(id, false);
    return 0;
  }

  accepted(id: number): void {
    if (id < 0) this.onconnection(id, undefined);
    else this.onconnection(0, this.isPipe ? new Pipe(id) : new TCP(id));
  }

  close(done?: () => void): void {
    if (this.id !== 0) ops.net.close(this.id, false);
    this.id = 0;
    if (done !== undefined) setImmediate(runDone, done);
  }
}
