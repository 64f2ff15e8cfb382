/**
 * `node:tty`: terminals.
 */
import ops from 'fulmar:ops';
import net, { type Socket } from 'node:net';
import type * as NodeTty from 'node:tty';
import { errnoException, uvException } from '../shared/errno.ts';
import { coded } from '../shared/errors.ts';
import { writeNow } from '../process/stdio.ts';
import { colorDepth, hasColors } from './colors.ts';

let terminals: ReturnType<typeof ops.tty> | undefined;
const tty = (): ReturnType<typeof ops.tty> => (terminals ??= ops.tty());

function isatty(fd: unknown): boolean {
  return Number.isInteger(fd) && (fd as number) >= 0 && (fd as number) <= 2147483647 && tty().isTerminal(fd as number);
}

function checkTerminal(fd: number): void {
  if (fd >> 0 !== fd || fd < 0) throw coded(RangeError, 'ERR_INVALID_FD', `"fd" must be a positive integer: ${fd}`);
  if (tty().isTerminal(fd)) return;
  const EINVAL = -22;
  const error = coded(Error, 'ERR_TTY_INIT_FAILED', `TTY initialization failed: uv_tty_init returned EINVAL (invalid argument)`);
  error.name = 'SystemError';
  throw Object.assign(error, { info: { errno: EINVAL, code: 'EINVAL', message: 'invalid argument', syscall: 'uv_tty_init' } });
}

interface ReadStream extends Socket {
  isRaw: boolean;
  isTTY: boolean;
  fd: number;
}

function ReadStream(this: ReadStream | undefined, fd: number, options?: object): ReadStream {
  if (!(this instanceof ReadStream)) return new (ReadStream as unknown as new (fd: number, options?: object) => ReadStream)(fd, options);
  checkTerminal(fd);
  const stream = Reflect.construct(
    net.Socket,
    [{ fd, readable: true, writable: false, ...options }],
    new.target ?? ReadStream,
  ) as ReadStream;
  Object.assign(stream, { isRaw: false, isTTY: true, fd });
  stream.unref();
  stream.on('pause', () => stream.unref());
  stream.on('resume', () => stream.ref());
  return stream;
}
Object.setPrototypeOf(ReadStream.prototype, net.Socket.prototype);
Object.setPrototypeOf(ReadStream, net.Socket);

Object.assign(ReadStream.prototype, {
  setRawMode(this: ReadStream, flag: boolean): ReadStream {
    const errno = tty().setRaw(this.fd, Boolean(flag));
    if (errno < 0) this.emit('error', errnoException(errno, 'setRawMode'));
    else this.isRaw = Boolean(flag);
    return this;
  },
});

interface WriteStream extends Socket {
  columns: number;
  rows: number;
  isTTY: boolean;
  fd: number;
  _refreshSize(): void;
}

function WriteStream(this: WriteStream | undefined, fd: number): WriteStream {
  if (!(this instanceof WriteStream)) return new (WriteStream as unknown as new (fd: number) => WriteStream)(fd);
  checkTerminal(fd);
  // Written to directly: the terminal is not made non-blocking for others that have it open.
  const stream = Reflect.construct(net.Socket, [{ readable: false, writable: true }], new.target ?? WriteStream) as WriteStream;
  stream.fd = fd;
  const [columns, rows] = tty().size(fd);
  if (columns !== undefined && rows !== undefined) Object.assign(stream, { columns, rows });
  stream._write = (chunk: string | Uint8Array, encoding: BufferEncoding, callback) =>
    writeNow(fd, typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk, callback);
  Object.assign(stream, { _writev: null });
  return stream;
}
Object.setPrototypeOf(WriteStream.prototype, net.Socket.prototype);
Object.setPrototypeOf(WriteStream, net.Socket);

const readline = (): typeof import('node:readline') => process.getBuiltinModule('node:readline');

Object.assign(WriteStream.prototype, {
  isTTY: true,
  getColorDepth: colorDepth,
  hasColors,
  _refreshSize(this: WriteStream) {
    const [columns, rows] = tty().size(this.fd);
    if (columns === undefined || rows === undefined) {
      this.emit('error', uvException(-25, 'getWindowSize'));
      return;
    }
    if (columns === this.columns && rows === this.rows) return;
    Object.assign(this, { columns, rows });
    this.emit('resize');
  },
  cursorTo(this: WriteStream, x: number, y?: number, callback?: () => void) {
    return readline().cursorTo(this, x, y, callback);
  },
  moveCursor(this: WriteStream, dx: number, dy: number, callback?: () => void) {
    return readline().moveCursor(this, dx, dy, callback);
  },
  clearLine(this: WriteStream, direction: -1 | 0 | 1, callback?: () => void) {
    return readline().clearLine(this, direction, callback);
  },
  clearScreenDown(this: WriteStream, callback?: () => void) {
    return readline().clearScreenDown(this, callback);
  },
  getWindowSize(this: WriteStream) {
    return [this.columns, this.rows];
  },
});

export default { isatty, ReadStream, WriteStream } as unknown as typeof NodeTty;
