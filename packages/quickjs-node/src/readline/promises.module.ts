/**
 * `node:readline/promises`
 */
import type * as NodeReadlinePromises from 'node:readline/promises';
import { invalidArgType } from '../shared/errors.ts';
import { CLEAR_DOWN, clearText, cursorText, moveText } from './cursor.ts';
import { aborted, Interface as Base, type InterfaceOptions } from './interface.ts';
import { validateAbortSignal, validateBoolean, validateInteger } from '../shared/validators.ts';

class Interface extends Base {
  question(query: string, options: { signal?: AbortSignal } = {}): Promise<string> {
    return new Promise((resolve, reject) => {
      const { signal } = options;
      if (signal === undefined) {
        this.ask(query, resolve);
        return;
      }
      validateAbortSignal(signal, 'options.signal');
      if (signal.aborted) {
        reject(aborted(signal));
        return;
      }
      const abort = (): void => {
        this.forget();
        reject(aborted(signal));
      };
      signal.addEventListener('abort', abort, { once: true });
      this.ask(query, (line) => {
        signal.removeEventListener('abort', abort);
        resolve(line);
      });
    });
  }
}

type Target = { write(text: string, callback?: (error?: Error | null) => void): unknown };

/** Moves that are collected until `commit`. */
class Readline {
  readonly #stream: Target;
  readonly #autoCommit: boolean;
  #waiting: string[] = [];

  constructor(stream: Target, options: { autoCommit?: boolean } = {}) {
    if (typeof stream?.write !== 'function') throw invalidArgType('stream', 'Writable', stream);
    if (options.autoCommit !== undefined) validateBoolean(options.autoCommit, 'options.autoCommit');
    this.#stream = stream;
    this.#autoCommit = options.autoCommit === true;
  }

  #add(text: string): this {
    if (this.#autoCommit) process.nextTick(() => this.#stream.write(text));
    else this.#waiting.push(text);
    return this;
  }

  cursorTo(x: number, y?: number): this {
    validateInteger(x, 'x');
    if (y !== undefined && y !== null) validateInteger(y, 'y');
    return this.#add(cursorText(x, y));
  }

  moveCursor(dx: number, dy: number): this {
    if (dx !== 0) validateInteger(dx, 'dx');
    if (dy !== 0) validateInteger(dy, 'dy');
    return this.#add(moveText(dx, dy));
  }

  clearLine(direction: -1 | 0 | 1): this {
    validateInteger(direction, 'dir', -1, 1);
    return this.#add(clearText(direction));
  }

  clearScreenDown(): this {
    return this.#add(CLEAR_DOWN);
  }

  commit(): Promise<void> {
    return new Promise((resolve) => {
      const text = this.#waiting.join('');
      this.#waiting = [];
      this.#stream.write(text, () => resolve());
    });
  }

  rollback(): this {
    this.#waiting = [];
    return this;
  }
}

function createInterface(input: unknown, output?: unknown, completer?: unknown, terminal?: unknown): Interface {
  return new Interface(input as InterfaceOptions, output, completer, terminal);
}

export default { Interface, Readline, createInterface } as unknown as typeof NodeReadlinePromises;
