/**
 * `node:readline`
 */
import later from 'fulmar:later';
import type * as NodeReadline from 'node:readline';
import { clearLine, clearScreenDown, cursorTo, moveCursor } from './cursor.ts';
import { aborted, Interface as Base, type InterfaceOptions } from './interface.ts';
import { validateAbortSignal } from '../shared/validators.ts';

type Answer = (line: string) => void;

class Interface extends Base {
  question(query: string, options: { signal?: AbortSignal } | Answer, callback?: Answer): void {
    const answer = typeof options === 'function' ? options : callback;
    const { signal } = typeof options === 'object' && options !== null ? options : {};
    if (signal === undefined) {
      if (typeof answer === 'function') this.ask(query, answer);
      return;
    }
    validateAbortSignal(signal, 'options.signal');
    if (signal.aborted) return;
    const forget = (): void => this.forget();
    signal.addEventListener('abort', forget, { once: true });
    this.ask(query, (line) => {
      signal.removeEventListener('abort', forget);
      answer?.(line);
    });
  }
}

/** `util.promisify` of `question` gives the answer. */
Object.defineProperty(Interface.prototype.question, Symbol.for('nodejs.util.promisify.custom'), {
  value(this: Interface, query: string, options: { signal?: AbortSignal } = {}) {
    const { signal } = options;
    if (signal?.aborted) return Promise.reject(aborted(signal));
    return new Promise((resolve, reject) => {
      if (signal === undefined) {
        this.question(query, options, resolve);
        return;
      }
      const abort = (): void => reject(aborted(signal));
      signal.addEventListener('abort', abort, { once: true });
      this.question(query, options, (line) => {
        signal.removeEventListener('abort', abort);
        resolve(line);
      });
    });
  },
});

/** As a class of Node's kind: callable without `new`. */
const CallableInterface = new Proxy(Interface, {
  apply: (Target, _this, args: ConstructorParameters<typeof Interface>) => new Target(...args),
});

function createInterface(input: unknown, output?: unknown, completer?: unknown, terminal?: unknown): Interface {
  return new Interface(input as InterfaceOptions, output, completer, terminal);
}

const readline = {
  Interface: CallableInterface,
  clearLine,
  clearScreenDown,
  createInterface,
  cursorTo,
  emitKeypressEvents: (stream: never) => later<typeof import('./keys.later.ts')>().emitKeypressEvents(stream),
  moveCursor,
};
Object.defineProperty(readline, 'promises', {
  enumerable: true,
  configurable: true,
  get: () => process.getBuiltinModule('node:readline/promises'),
});

export default readline as unknown as typeof NodeReadline;
