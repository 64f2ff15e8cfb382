/**
 * What would end the process outside of `fulmar dev` is shown, and it goes on: errors that nobody caught, and an
 * application that ends itself. When a signal has come it ends as it would otherwise.
 */
import { describeUncaught } from '../../../fulmar/src/launch/errors.ts';
import { tell } from '../../../fulmar/src/launch/terminal/tell.ts';
import { readGlobal } from '../../../fulmar/src/host/globals.ts';
import type { Inspector } from '../../../fulmar/src/dev/index.ts';

const FAILED = 1;
const HOPELESS: ReadonlySet<string> = new Set(['EADDRINUSE', 'FULMAR_CLI_NOT_INSTALLED']);

/** Thrown where code has asked for the process's end, which it must not outlive. */
class Ended extends Error {
  constructor() {
    super('process.exit() was called: under `fulmar dev` the process goes on, and only what called it ends.');
    this.name = 'Ended';
  }
}

export class Survival {
  readonly #inspector: Inspector;
  #isOver = false;
  #isTold = false;

  constructor(inspector: Inspector) {
    this.#inspector = inspector;
    process.on('uncaughtException', (error) => this.show(error));
    process.on('unhandledRejection', (error) => this.show(error));
    const exit = process.exit.bind(process);
    process.exit = ((code?: number) => {
      if (this.#isOver) return exit(code);
      tell(`the application has asked to end with ${code ?? process.exitCode ?? 0}; it runs again when a file changes`);
      process.exitCode = undefined;
      throw new Ended();
    }) as typeof process.exit;
  }

  /** A signal has come. */
  over(): void {
    this.#isOver = true;
  }

  end(code: number): never {
    this.#isOver = true;
    process.exit(code);
  }

  isEnd(error: unknown): boolean {
    return error instanceof Ended;
  }

  /** Before anything listens: no file that is edited makes a port free, or has a package there. */
  endIfHopeless(error: unknown): void {
    const { code } = (error ?? {}) as { code?: string };
    if (code === undefined || !HOPELESS.has(code) || (readGlobal('fulmar.servers')?.size ?? 0) > 0) return;
    tell(describeUncaught(error) ?? String(error));
    this.end(FAILED);
  }

  show(error: unknown): void {
    if (this.isEnd(error)) return;
    this.endIfHopeless(error);
    const text = describeUncaught(error);
    if (text !== undefined) tell(text);
    if (text !== undefined || this.#inspector.uncaught(error) || this.#isTold) return;
    this.#isTold = true;
    tell('outside of fulmar dev this ends the process; here it goes on');
  }
}
