/**
 * `process.stdin`, `process.stdout` and `process.stderr`. Output is written before `write` returns, whatever
 * it goes to, as Node does on POSIX for terminals, files and pipes. Input is read as it comes: files by the
 * pool's threads, all else when it is ready.
 */
import ops from 'fulmar:ops';
import { type Readable, Writable } from 'node:stream';
import { errnoException } from '../shared/errno.ts';
import { setStandardStream } from '../stream/process.ts';

type Done = (error?: Error | null) => void;

interface Output extends Writable {
  fd: number;
  _type: string;
  _isStdio: boolean;
}

/** Writes at once; a failure is the stream's. */
export function writeNow(fd: number, chunk: string | Uint8Array, callback: Done): void {
  const errno = ops.writeSync(fd, chunk);
  callback(errno < 0 ? errnoException(errno, 'write') : null);
}

/** As Node's for files; for pipes and sockets too, which in Node are of class `Socket`. */
class SyncWriteStream extends Writable {
  readonly fd: number;
  readonly readable = false;

  constructor(fd: number) {
    super({ autoDestroy: true, decodeStrings: false });
    this.fd = fd;
  }

  override _write(chunk: string | Uint8Array, encoding: BufferEncoding, callback: Done): void {
    const data = typeof chunk === 'string' && encoding !== 'utf8' ? Buffer.from(chunk, encoding) : chunk;
    writeNow(this.fd, data, callback);
  }
}

function createOutput(fd: 1 | 2): Output {
  const kind = ops.tty().kind(fd);
  const stream = (kind === 'tty'
    ? new (process.getBuiltinModule('node:tty').WriteStream)(fd)
    : new SyncWriteStream(fd)) as unknown as Output;
  stream._type = kind === 'tty' ? 'tty' : kind === 'file' || kind === 'device' ? 'fs' : 'pipe';
  stream.fd = fd;
  stream._isStdio = true;
  // The descriptor stays open: others may write to it still.
  stream._destroy = (error: Error | null, callback: Done) => callback(error);
  Object.assign(stream, { destroySoon: stream.destroy });
  setStandardStream(fd, stream as unknown as NodeJS.WritableStream);
  return stream;
}

function createInput(): Readable {
  const fd = 0;
  const kind = ops.tty().kind(fd);
  if (kind === 'tty') return new (process.getBuiltinModule('node:tty').ReadStream)(fd) as unknown as Readable;
  if (kind === 'pipe' || kind === 'socket') {
    const { Socket } = process.getBuiltinModule('node:net');
    const socket = new Socket({ fd, readable: true, writable: false });
    Object.assign(socket, { _type: 'pipe' });
    return pausable(socket);
  }
  const { ReadStream } = process.getBuiltinModule('node:fs') as unknown as { ReadStream: new (path: null, options: object) => Readable };
  return new ReadStream(null, { fd, autoClose: false });
}

/** A standard input that nobody reads does not keep the process alive. */
function pausable<S extends Readable & { unref?(): void; ref?(): void }>(stream: S): S {
  stream.unref?.();
  stream.on('pause', () => stream.unref?.());
  stream.on('resume', () => stream.ref?.());
  return stream;
}

let [stdin, stdout, stderr]: [Readable | undefined, Output | undefined, Output | undefined] = [undefined, undefined, undefined];

/** What `process` has; each is made when it is first read. */
export const members = {
  get stdin(): Readable {
    if (stdin === undefined) {
      stdin = createInput();
      Object.assign(stdin, { fd: 0 });
    }
    return stdin;
  },
  get stdout(): Output {
    return (stdout ??= createOutput(1));
  },
  get stderr(): Output {
    return (stderr ??= createOutput(2));
  },
};
