/**
 * Contents on the disk: `incoming` while they are received, then `kept`. Names there are made here; what a client calls its
 * file is never part of a path.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Injectable, type OnModuleInit } from 'fulmar/controllers';
import { Settings } from '../settings/settings.ts';

/** What is older was being received by a process that is gone. */
const INCOMING_MS_MAX = 60 * 60 * 1000;

@Injectable()
export class Disk implements OnModuleInit {
  readonly incoming: string;
  readonly #kept: string;

  constructor({ folder }: Settings) {
    this.incoming = join(folder, 'incoming');
    this.#kept = join(folder, 'kept');
  }

  async onModuleInit(): Promise<void> {
    for (const folder of [this.incoming, this.#kept]) await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.incoming)) {
      const file = join(this.incoming, name);
      const age = Date.now() - (await stat(file).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs;
      if (age > INCOMING_MS_MAX) await this.drop(file);
    }
  }

  /** Gives its name from now on. */
  async keep(received: string): Promise<string> {
    const stored = randomUUID();
    await rename(received, join(this.#kept, stored));
    return stored;
  }

  /** `last` is the last byte that is read. @throws an error of the code ENOENT where it is gone */
  async read(stored: string, first: number, last: number): Promise<Readable> {
    const file = join(this.#kept, stored);
    await stat(file);
    return createReadStream(file, { start: first, end: last });
  }

  async firstBytes(file: string, count: number): Promise<Buffer> {
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(count), 0, count, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  }

  /** One that is being received. */
  drop(received: string): Promise<void> {
    return rm(received, { force: true });
  }

  remove(stored: string): Promise<void> {
    return rm(join(this.#kept, stored), { force: true });
  }
}
