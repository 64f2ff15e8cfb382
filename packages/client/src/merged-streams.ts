/**
 * Items of several streams as lines of one content, in the order in which they come. Of each stream one item is asked
 * for at a time, and the next one when somebody takes more: none runs ahead of the network.
 */

interface Numbered {
  readonly part: number;
  readonly items: AsyncIterator<unknown>;
}

interface Came {
  readonly from: Numbered;
  readonly result: IteratorResult<unknown, unknown>;
}

/** As long as nothing comes, in ms, and what is sent then: a server takes content slower than 240 bytes a second for an attack. */
const REST_MS = 3000;
const REST_LINE = `${' '.repeat(2047)}\n`;

/** Of a stream; undefined: it is something else. */
export function iteratorOf(value: object): AsyncIterator<unknown> | undefined {
  const { [Symbol.asyncIterator]: make } = value as Partial<AsyncIterable<unknown>>;
  if (typeof make === 'function') return make.call(value);
  if (typeof (value as Partial<ReadableStream>).getReader !== 'function') return undefined;
  const reader = (value as ReadableStream<unknown>).getReader();
  return {
    next: () => reader.read() as Promise<IteratorResult<unknown>>,
    return: async () => (await reader.cancel(), { done: true, value: undefined }),
  };
}

export class Merged {
  /** To be asked for their next item. */
  #idle: Numbered[];
  readonly #came: Came[] = [];
  readonly #membersOf: (value: unknown) => string;
  readonly #tell: (error: unknown) => void;
  #open: number;
  #error: { readonly cause: unknown } | undefined;
  #isLeft = false;
  #wake: () => void = () => {};

  /** `tell`: of what a stream throws, or what of it cannot be sent. */
  constructor(streams: readonly Numbered[], membersOf: (value: unknown) => string, tell: (error: unknown) => void) {
    this.#idle = [...streams];
    this.#open = streams.length;
    this.#membersOf = membersOf;
    this.#tell = tell;
  }

  /** A line with its end; undefined behind the last one; `keepsAlive`: one of spaces where none comes. @throws what a stream throws */
  async next(keepsAlive = false): Promise<string | undefined> {
    for (const one of this.#idle.splice(0)) this.#ask(one);
    for (;;) {
      if (this.#error !== undefined) throw this.#error.cause;
      const came = this.#came.shift();
      if (came !== undefined) return this.#lineOf(came);
      if (this.#open === 0 || this.#isLeft) return undefined;
      if (!(await this.#wait(keepsAlive))) return REST_LINE;
    }
  }

  /** Nobody waits any more. */
  leave(): void {
    this.#isLeft = true;
    this.#wake();
  }

  /** Whether something has come. */
  #wait(keepsAlive: boolean): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = keepsAlive ? setTimeout(() => resolve(false), REST_MS) : undefined;
      this.#wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }

  #ask(from: Numbered): void {
    const take = (result: IteratorResult<unknown, unknown>): void => {
      this.#came.push({ from, result });
      this.#wake();
    };
    Promise.resolve(from.items.next()).then(take, (error: unknown) => {
      this.#fail(error);
      this.#wake();
    });
  }

  #lineOf({ from, result: { done, value } }: Came): string {
    if (done === true) {
      this.#open -= 1;
      return `{"part":${from.part},"done":true}\n`;
    }
    this.#idle.push(from);
    try {
      return `{"part":${from.part},${this.#membersOf(value)}}\n`;
    } catch (error) {
      throw this.#fail(error);
    }
  }

  #fail(cause: unknown): unknown {
    this.#error ??= { cause };
    this.#tell(cause);
    return cause;
  }
}
