/**
 * The process that answers for a project while it is built: loads its config, makes replies, runs its plugins' hooks, as
 * `fulmar run` would (`packages/fulmar/src/routes/project/build-project.ts`). Speaks with it by messages.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { BuildFacts, BuildMessage, BuildRequest } from '../../../../fulmar/src/routes/project/index.ts';
import { CommandError } from '../../errors.ts';

export class ProjectChild {
  readonly #child: ChildProcess;
  readonly #messages: BuildMessage[] = [];
  #isOver = false;
  #wake: () => void = () => {};

  /** `bin`: the folder of what is started. */
  constructor(bin: string, request: BuildRequest) {
    const argv = [join(bin, 'fulmar.cjs'), 'run', join(bin, 'build-project.mjs'), request.root, JSON.stringify(request)];
    this.#child = spawn(process.execPath, argv, { cwd: process.cwd(), stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.#child.on('message', (message) => {
      this.#messages.push(message as BuildMessage);
      this.#wake();
    });
    const end = (): void => {
      this.#isOver = true;
      this.#wake();
    };
    this.#child.once('error', end).once('close', end);
    process.once('exit', this.stop);
  }

  /** Rejects with a `CommandError` that says what the project's own code has said. */
  async facts(): Promise<BuildFacts> {
    const message = await this.#next();
    if ('facts' in message) return message.facts;
    throw unexpected();
  }

  /** The file is written: runs the hooks of its end. */
  async end(): Promise<void> {
    this.#child.send({ done: true }, () => {});
    await this.#next();
  }

  readonly stop = (): void => {
    process.off('exit', this.stop);
    if (!this.#isOver) this.#child.kill('SIGKILL');
  };

  async #next(): Promise<BuildMessage> {
    while (this.#messages.length === 0) {
      if (this.#isOver) throw unexpected();
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    const message = this.#messages.shift() as BuildMessage;
    if ('failed' in message) throw new CommandError('FULMAR_CLI_BUILD_FAILED', message.failed);
    return message;
  }
}

const unexpected = (): CommandError =>
  new CommandError(
    'FULMAR_CLI_BUILD_FAILED',
    'the process that reads the project ended before it was done: does its config, or a route with prerender, exit?',
  );
