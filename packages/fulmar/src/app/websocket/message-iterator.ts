/**
 * The messages of a socket in a `for await`: each is handed over when it is asked for, and until then the
 * socket's inbox waits.
 */
type Result = IteratorResult<unknown>;

export class MessageIterator implements AsyncIterableIterator<unknown> {
  /** Those that ask, in their order. */
  readonly #asking: ((result: Result) => void)[] = [];
  #offered: { readonly message: unknown; readonly taken: () => void } | null = null;
  #isOver = false;

  /** Resolves when it is taken, or nobody will take it. */
  offer(message: unknown): void | Promise<void> {
    if (this.#isOver) return undefined;
    const ask = this.#asking.shift();
    if (ask !== undefined) return ask({ done: false, value: message });
    return new Promise((taken) => (this.#offered = { message, taken }));
  }

  next(): Promise<Result> {
    const offered = this.#offered;
    if (offered !== null) {
      this.#offered = null;
      offered.taken();
      return Promise.resolve({ done: false, value: offered.message });
    }
    if (this.#isOver) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => this.#asking.push(resolve));
  }

  /** Whoever leaves the loop wants no more: what comes is read and forgotten. */
  return(): Promise<Result> {
    this.#offered?.taken();
    this.#offered = null;
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** No more will come. */
  end(): void {
    this.#isOver = true;
    for (const ask of this.#asking.splice(0)) ask({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
