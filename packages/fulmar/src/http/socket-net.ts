/**
 * What a socket object has of net.Socket besides its streams: options, addresses, counters. Everything is
 * asked of the connection. Never reads or writes bytes.
 */
import type { Socket as NodeSocket } from 'node:net';
import { codedError } from './errors.ts';
import { nodeNet } from './node-http.ts';
import type { FulmarSocket } from './socket.ts';

export const netMethods = {
  setTimeout(this: FulmarSocket, msecs: number, callback?: () => void): unknown {
    if (typeof msecs !== 'number' || !(msecs >= 0))
      nodeNet.Socket.prototype.setTimeout.call(Object.create(nodeNet.Socket.prototype) as NodeSocket, msecs, callback);
    this.timeout = msecs;
    if (callback !== undefined) {
      if (msecs === 0) this.removeListener('timeout', callback);
      else this.once('timeout', callback);
    }
    this._connection.setTimeout(msecs);
    return this;
  },
  setNoDelay(this: FulmarSocket, on?: boolean): unknown {
    this._connection.setNoDelay(on === undefined ? true : Boolean(on));
    return this;
  },
  setKeepAlive(this: FulmarSocket, on?: boolean, delay?: number): unknown {
    this._connection.setKeepAlive(Boolean(on), Math.max(0, Math.trunc(Number(delay ?? 0)) || 0));
    return this;
  },
  ref(this: FulmarSocket): unknown {
    this._connection.ref();
    return this;
  },
  unref(this: FulmarSocket): unknown {
    this._connection.unref();
    return this;
  },
  address(this: FulmarSocket): object {
    const { local } = this._connection;
    return local === null ? {} : { address: local.address, family: local.family, port: local.port };
  },
  resetAndDestroy(this: FulmarSocket): unknown {
    this._connection.destroy(true);
    return this.destroy();
  },
  connect(): never {
    throw codedError('ERR_INVALID_STATE', 'a server connection cannot be connected again', TypeError);
  },
  _unrefTimer(): void {
    // Activity is seen by the engine.
  },
};

const self = (value: unknown): FulmarSocket => value as FulmarSocket;

export const netFields = {
  connecting: false,
  _paused: false,
  _parent: null,
  _host: null,
  get _handle(): null {
    return null;
  },
  set _handle(_value: unknown) {
    // A descriptor cannot be given to this socket.
  },
  get pending(): boolean {
    return !self(this)._connection.open;
  },
  get remoteAddress(): string | undefined {
    return self(this)._connection.remote?.address;
  },
  get remotePort(): number | undefined {
    return self(this)._connection.remote?.port;
  },
  get remoteFamily(): string | undefined {
    return self(this)._connection.remote?.family;
  },
  get localAddress(): string | undefined {
    return self(this)._connection.local?.address;
  },
  get localPort(): number | undefined {
    return self(this)._connection.local?.port;
  },
  get localFamily(): string | undefined {
    return self(this)._connection.local?.family;
  },
  get bytesRead(): number {
    return self(this)._connection.bytesRead;
  },
  get bytesWritten(): number {
    return self(this)._connection.bytesWritten;
  },
  get bufferSize(): number {
    return self(this).writableLength;
  },
};
