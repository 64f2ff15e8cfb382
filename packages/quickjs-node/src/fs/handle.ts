/**
 * `FileHandle`: an open file of `node:fs/promises`.
 */
import { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { type Deferred, deferred } from '../shared/deferred.ts';
import { coded } from '../shared/errors.ts';
import { type Options, optionsOf } from './arguments.ts';
import * as plans from './plans.ts';
import { promised, throwIfAborted } from './run.ts';
import type { Stats } from './stats.ts';
import { gathered, readTransfer, scattered, writeTransfer } from './transfer.ts';

export class FileHandle extends EventEmitter {
  #fd: number;
  #users = 1;
  #closing: Deferred<void> | undefined;

  constructor(fd: number) {
    super();
    this.#fd = fd;
  }

  get fd(): number {
    return this.#fd;
  }

  /** Runs an operation; the file is not closed before it is over. */
  async #use<T>(syscall: string, work: (fd: number) => Promise<T>): Promise<T> {
    if (this.#fd === -1) throw Object.assign(new Error('file closed'), { code: 'EBADF', syscall });
    this.#users++;
    try {
      return await work(this.#fd);
    } finally {
      this.#users--;
      if (this.#users === 0) this.#closeNow();
    }
  }

  #closeNow(): void {
    const fd = this.#fd;
    this.#fd = -1;
    const closing = this.#closing as Deferred<void>;
    promised(plans.close(fd)).then(closing.resolve, closing.reject);
  }

  async close(): Promise<void> {
    if (this.#fd === -1) return;
    if (this.#closing === undefined) {
      this.#closing = deferred();
      this.#users--;
      if (this.#users === 0) this.#closeNow();
      this.emit('close');
    }
    await this.#closing.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async appendFile(data: unknown, options?: unknown): Promise<void> {
    await this.writeFile(data, options);
  }
  async chmod(mode: unknown): Promise<void> {
    await this.#use('fchmod', (fd) => promised(plans.fchmod(fd, mode)));
  }
  async chown(uid: unknown, gid: unknown): Promise<void> {
    await this.#use('fchown', (fd) => promised(plans.fchown(fd, uid, gid)));
  }
  async datasync(): Promise<void> {
    await this.#use('fdatasync', (fd) => promised(plans.sync(fd, 'fdatasync')));
  }
  async sync(): Promise<void> {
    await this.#use('fsync', (fd) => promised(plans.sync(fd, 'fsync')));
  }
  async stat(options?: Options): Promise<Stats> {
    return this.#use('fstat', (fd) => promised(plans.fstat(fd, options)));
  }
  async truncate(length: unknown = 0): Promise<void> {
    await this.#use('ftruncate', (fd) => promised(plans.ftruncate(fd, length)));
  }
  async utimes(accessed: unknown, modified: unknown): Promise<void> {
    await this.#use('futimes', (fd) => promised(plans.futimes(fd, accessed, modified)));
  }

  async read(...args: unknown[]): Promise<{ bytesRead: number; buffer: unknown }> {
    return this.#use('read', async (fd) => {
      const transfer = readTransfer(fd, args);
      return { bytesRead: await promised(transfer.plan), buffer: transfer.buffer };
    });
  }
  async readv(buffers: unknown, position?: unknown): Promise<{ bytesRead: number; buffers: unknown }> {
    return this.#use('read', async (fd) => ({ bytesRead: await promised(scattered(fd, buffers, position)), buffers }));
  }
  async write(...args: unknown[]): Promise<{ bytesWritten: number; buffer: unknown }> {
    return this.#use('write', async (fd) => {
      const transfer = writeTransfer(fd, args);
      return { bytesWritten: await promised(transfer.plan), buffer: transfer.buffer };
    });
  }
  async writev(buffers: unknown, position?: unknown): Promise<{ bytesWritten: number; buffers: unknown }> {
    return this.#use('write', async (fd) => ({ bytesWritten: await promised(gathered(fd, buffers, position)), buffers }));
  }

  async readFile(given?: unknown): Promise<Buffer | string> {
    const options = optionsOf(given);
    throwIfAborted(options.signal);
    return this.#use('read', (fd) => promised(plans.readFile(fd, options)));
  }

  async writeFile(data: unknown, given?: unknown): Promise<void> {
    const options = optionsOf(given, { encoding: 'utf8' });
    throwIfAborted(options.signal);
    await this.#use('write', async (fd) => {
      for await (const chunk of chunksOf(data)) {
        throwIfAborted(options.signal);
        await writeAll(fd, plans.bytes(chunk, options.encoding));
      }
    });
  }

  readLines(options?: Parameters<FileHandle['createReadStream']>[0]): AsyncIterable<string> {
    const { createInterface } = process.getBuiltinModule('node:readline');
    return createInterface({ input: this.createReadStream(options), crlfDelay: Infinity });
  }

  createReadStream(options?: Options): Readable {
    return process.getBuiltinModule('node:fs').createReadStream('', { ...options, fd: this } as never);
  }

  createWriteStream(options?: Options): Writable {
    return process.getBuiltinModule('node:fs').createWriteStream('', { ...options, fd: this } as never);
  }

  readableWebStream(options?: { autoClose?: boolean }): ReadableStream {
    if (this.#fd === -1) throw coded(Error, 'ERR_INVALID_STATE', 'Invalid state: The FileHandle is closed');
    const ended = async (): Promise<void> => {
      if (options?.autoClose === true) await this.close();
    };
    return new ReadableStream({
      pull: async (controller) => {
        const { bytesRead, buffer } = await this.read(Buffer.alloc(16384));
        if (bytesRead > 0) {
          controller.enqueue(new Uint8Array((buffer as Buffer).subarray(0, bytesRead)));
          return;
        }
        controller.close();
        await ended();
      },
      cancel: ended,
    });
  }
}

async function* chunksOf(data: unknown): AsyncGenerator<unknown> {
  const isWhole = typeof data !== 'object' || data === null || ArrayBuffer.isView(data);
  const iterable = !isWhole && (Symbol.asyncIterator in data || Symbol.iterator in data);
  if (iterable) yield* data as AsyncIterable<unknown>;
  else yield data;
}

async function writeAll(fd: number, bytes: Uint8Array): Promise<void> {
  for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await promised(plans.write(fd, rest, -1)));
}

export async function openHandle(path: unknown, flags?: unknown, mode?: unknown): Promise<FileHandle> {
  return new FileHandle(await promised(plans.open(path, flags, mode)));
}
