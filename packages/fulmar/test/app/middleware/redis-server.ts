/**
 * A Redis of its own for tests: on a socket in a folder that goes with it, no port. Debian's `redis-server`.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Why there is none; false where there is one. */
export function missingRedis(): string | false {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return false;
  } catch {
    return 'redis-server is not installed (apt-get install redis-server)';
  }
}

export class RedisServer {
  readonly path: string;
  readonly #folder: string;
  readonly #process: ChildProcess;

  private constructor(folder: string) {
    this.#folder = folder;
    this.path = join(folder, 'redis.sock');
    const options = ['--port', '0', '--unixsocket', this.path, '--save', '', '--appendonly', 'no', '--dir', folder];
    this.#process = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] });
  }

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(mkdtempSync(join(tmpdir(), 'fulmar-redis-')));
    let printed = '';
    for await (const piece of server.#process.stdout as AsyncIterable<Buffer>) {
      printed += piece.toString();
      if (/ready to accept connections/i.test(printed)) break;
    }
    if (server.#process.exitCode !== null) throw new Error(`redis-server ended: ${printed}`);
    return server;
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.kill()) await once(this.#process, 'exit');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
