/**
 * `net.Socket`: a Duplex on a stream handle. Construction, timeouts, options and the end are here; bytes are
 * in `transfer.ts`, connecting is in `net/connect.later.ts`, which is loaded when a socket connects.
 */
import { Duplex } from 'node:stream';
import later from 'fulmar:later';
import type * as NodeNet from 'node:net';
import { coded, invalidArgValue, outOfRange } from '../shared/errors.ts';
import { errnoException } from '../shared/errno.ts';
import { validateAbortSignal, validateFunction, validateNumber } from '../shared/validators.ts';
import { isNormalized, normalizeArgs } from './arguments.ts';
import { TCP } from './handle.ts';
import type { StreamHandle } from './handle.ts';
import { blockListOf } from './block-list.ts';
import { openDescriptor } from './descriptor.ts';
import { nameMembers } from './names.ts';
import type { OnRead, SocketState } from './socket-state.ts';
import { attach, startReading, transferMembers, writeAfterFin } from './transfer.ts';

type SocketOptions = Record<string, unknown>;
type DuplexCall = (this: unknown, options: object) => void;
const duplex = Duplex.prototype as unknown as Record<string, (this: unknown, ...args: unknown[]) => unknown>;

function checkOptions(options: SocketOptions): void {
  if (options['objectMode']) throw invalidArgValue('options.objectMode', options['objectMode'], 'is not supported');
  for (const name of ['readableObjectMode', 'writableObjectMode']) {
    if (options[name]) throw invalidArgValue(`options.${name}`, options[name], 'is not supported');
  }
  const delay = options['keepAliveInitialDelay'];
  if (delay !== undefined) {
    validateNumber(delay, 'options.keepAliveInitialDelay');
    if (delay < 0) options['keepAliveInitialDelay'] = 0;
  }
}

function onReadOf(value: unknown): OnRead | null {
  if (value === null || typeof value !== 'object') return null;
  const { buffer, callback } = value as { buffer?: unknown; callback?: unknown };
  if (typeof callback !== 'function') return null;
  if (typeof buffer === 'function') {
    const next = buffer as () => unknown;
    return { buffer: next() as Uint8Array, next, callback: callback as OnRead['callback'] };
  }
  return buffer instanceof Uint8Array ? { buffer, next: null, callback: callback as OnRead['callback'] } : null;
}

function initFields(socket: SocketState): void {
  socket.connecting = false;
  socket._hadError = false;
  socket._handle = null;
  socket._parent = null;
  socket._host = null;
  socket._lastQueue = 0;
  socket._timer = null;
  socket._closeAfterHandlingError = false;
}

export function Socket(this: SocketState, given?: unknown): unknown {
  if (!(this instanceof (Socket as unknown as new () => object)))
    return new (Socket as unknown as typeof NodeNet.Socket)(given as NodeNet.SocketConstructorOpts);
  const options: SocketOptions = typeof given === 'number' ? { fd: given } : { ...(given as SocketOptions | undefined) };
  checkOptions(options);
  initFields(this);
  options['allowHalfOpen'] = Boolean(options['allowHalfOpen']);
  options['emitClose'] = false;
  options['autoDestroy'] = true;
  options['decodeStrings'] = false;
  (Duplex as unknown as DuplexCall).call(this, options);
  if (options['handle']) this._handle = options['handle'] as StreamHandle;
  else if (options['fd'] !== undefined) this._handle = openDescriptor(options['fd']);
  this._onread = onReadOf(options['onread']);
  this._noDelay = Boolean(options['noDelay']);
  this._keepAlive = Boolean(options['keepAlive']);
  this._keepAliveSeconds = ~~((options['keepAliveInitialDelay'] as number) / 1000);
  this.on('end', onEnd);
  attach(this);
  this._pendingData = null;
  this._pendingEncoding = '';
  if (this._handle !== null && options['readable'] !== false) firstRead(this, options);
  if (options['signal']) abortWith(this, options['signal']);
  this.server = null;
  this._server = null;
  this._bytesRead = 0;
  this._bytesWritten = 0;
  if (options['blockList']) this.blockList = blockListOf(options['blockList']);
  return undefined;
}

function firstRead(socket: SocketState, options: SocketOptions): void {
  if (options['pauseOnCreate']) {
    const handle = socket._handle as StreamHandle;
    handle.reading = false;
    handle.readStop();
    (socket as { readableFlowing: boolean | null }).readableFlowing = false;
  } else if (!options['manualStart']) socket.read(0);
}

function abortWith(socket: SocketState, signal: unknown): void {
  validateAbortSignal(signal, 'options.signal');
  const { addAbortSignal } = process.getBuiltinModule('node:stream');
  addAbortSignal(signal as AbortSignal, socket as unknown as Duplex);
}

function onEnd(this: SocketState): void {
  if (!this.allowHalfOpen) this.write = writeAfterFin;
}

function emitCloseLater(socket: SocketState): void {
  socket.emit('close', socket._hadError);
}

/** Closes the handle; `close` is emitted when that has happened. */
function closeHandle(socket: SocketState, hadError: boolean, deferred: boolean): void {
  const handle = socket._handle;
  if (handle === null) return;
  const closed = (): void => {
    socket.emit('close', hadError);
    if (deferred) socket._handle = null;
  };
  if (socket.resetAndClosing === true && handle.reset !== undefined) {
    socket.resetAndClosing = false;
    const errno = handle.reset(closed);
    if (errno !== 0) socket.emit('error', errnoException(errno, 'reset'));
  } else handle.close(closed);
}

function onTimer(socket: SocketState): void {
  (socket as unknown as { _onTimeout(): void })._onTimeout();
}

/** Node's check of a duration. */
function duration(msecs: unknown): number {
  validateNumber(msecs, 'msecs');
  if (msecs < 0 || !Number.isFinite(msecs)) throw outOfRange('msecs', 'a non-negative finite number', msecs);
  return Math.min(msecs, 2 ** 31 - 1);
}

/** The timers of a socket and of those it stands on. */
function eachParent(first: SocketState, call: (timer: NodeJS.Timeout) => void): void {
  for (let socket: SocketState | null = first; socket !== null && socket !== undefined; socket = socket._parent) {
    if (socket._timer) call(socket._timer);
  }
}

const endMembers = {
  _destroy(this: SocketState, error: Error | null, done: (error?: Error | null) => void): void {
    this.connecting = false;
    eachParent(this, (timer) => clearTimeout(timer));
    const handle = this._handle;
    if (handle === null) {
      done(error);
      process.nextTick(emitCloseLater, this);
    } else {
      const hadError = Boolean(error);
      this._bytesRead = handle.bytesRead;
      this._bytesWritten = handle.bytesWritten;
      if (this._closeAfterHandlingError) queueMicrotask(() => closeHandle(this, hadError, true));
      else {
        closeHandle(this, hadError, false);
        handle.onread = () => undefined;
        this._handle = null;
        this._sockname = null;
      }
      done(error);
    }
    if (this._server !== null && this._server !== undefined) {
      this._server._connections--;
      this._server._emitCloseIfDrained?.();
    }
  },
  destroySoon(this: SocketState): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', this.destroy);
  },
  end(this: SocketState, data?: unknown, encoding?: unknown, callback?: unknown): unknown {
    duplex['end']?.call(this, data, encoding, callback);
    return this;
  },
  _reset(this: SocketState): unknown {
    this.resetAndClosing = true;
    return this.destroy();
  },
  resetAndDestroy(this: SocketState): unknown {
    if (this._handle === null) return this.destroy(coded(Error, 'ERR_SOCKET_CLOSED', 'Socket is closed'));
    if (!(this._handle instanceof TCP)) throw coded(TypeError, 'ERR_INVALID_HANDLE_TYPE', 'This handle type cannot be sent');
    if (this.connecting) this.once('connect', () => this._reset());
    else this._reset();
    return this;
  },
};

const timeoutMembers = {
  setTimeout(this: SocketState, msecs: number, callback?: () => void): unknown {
    if (this.destroyed) return this;
    this.timeout = msecs;
    const wait = duration(msecs);
    if (this._timer !== null) clearTimeout(this._timer);
    if (callback !== undefined) validateFunction(callback, 'callback');
    if (wait === 0) {
      if (callback !== undefined) this.removeListener('timeout', callback);
      return this;
    }
    this._timer = setTimeout(onTimer, wait, this);
    this._timer.unref();
    if (callback !== undefined) this.once('timeout', callback);
    return this;
  },
  _onTimeout(this: SocketState): void {
    const handle = this._handle;
    if (this._lastQueue > 0 && handle !== null && handle.writeQueueSize !== this._lastQueue) {
      // A write is under way.
      this._lastQueue = handle.writeQueueSize;
      this._unrefTimer();
      return;
    }
    this.emit('timeout');
  },
  _unrefTimer(this: SocketState): void {
    eachParent(this, (timer) => void timer.refresh());
  },
};

interface KeepAliveOptions {
  enable?: unknown;
  initialDelay?: number;
}

const optionMembers = {
  setNoDelay(this: SocketState, on?: unknown): unknown {
    const enable = Boolean(on === undefined ? true : on);
    if (enable === this._noDelay) return this;
    this._noDelay = enable;
    this._handle?.setNoDelay?.(enable);
    return this;
  },
  setKeepAlive(this: SocketState, on?: unknown, delay?: number): unknown {
    const given = on !== null && typeof on === 'object' ? (on as KeepAliveOptions) : { enable: on, initialDelay: delay };
    const enable = Boolean(given.enable);
    const seconds = ~~((given.initialDelay ?? 0) / 1000);
    if (enable === this._keepAlive && (!enable || seconds === this._keepAliveSeconds)) return this;
    this._keepAlive = enable;
    this._keepAliveSeconds = seconds;
    this._handle?.setKeepAlive?.(enable, seconds);
    return this;
  },
  ref(this: SocketState): unknown {
    if (this._handle === null) this.once('connect', this.ref);
    else this._handle.ref();
    return this;
  },
  unref(this: SocketState): unknown {
    if (this._handle === null) this.once('connect', this.unref);
    else this._handle.unref();
    return this;
  },
};

const connectMembers = {
  connect(this: SocketState, ...args: unknown[]): unknown {
    const normalized = isNormalized(args[0]) ? args[0] : normalizeArgs(args);
    const { connectSocket } = later<typeof import('./connect.later.ts')>();
    connectSocket(this, normalized);
    return this;
  },
};

const readMembers = {
  pause(this: SocketState): unknown {
    const handle = this._handle;
    if (this._onread !== null && !this.connecting && handle !== null && handle.reading) {
      handle.reading = false;
      if (!this.destroyed) handle.readStop();
    }
    return duplex['pause']?.call(this);
  },
  resume(this: SocketState): unknown {
    if (this._onread !== null) startReading(this);
    return duplex['resume']?.call(this);
  },
  read(this: SocketState, size?: number): unknown {
    if (this._onread !== null) startReading(this);
    return duplex['read']?.call(this, size);
  },
};

Object.setPrototypeOf(Socket.prototype, Duplex.prototype);
Object.setPrototypeOf(Socket, Duplex);
for (const part of [transferMembers, endMembers, timeoutMembers, optionMembers, connectMembers, readMembers, nameMembers]) {
  const members = Object.getOwnPropertyDescriptors(part) as Record<string, PropertyDescriptor>;
  for (const key of Object.keys(members)) {
    const member = members[key] as PropertyDescriptor;
    member.configurable = true;
  }
  Object.defineProperties(Socket.prototype, members);
}
