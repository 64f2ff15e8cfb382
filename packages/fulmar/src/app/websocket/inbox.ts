/**
 * What comes over one socket and waits for its handler: one after the other, each waited for. Beyond a number
 * of them the connection is not read on. Knows neither connections nor schemas.
 */
export interface InboxOptions {
  readonly queueMax: number;
  /** Deals with one; what it returns is waited for. It never throws and never rejects. */
  readonly handle: (item: unknown) => void | Promise<void>;
  readonly pause: () => void;
  readonly resume: () => void;
}

export class Inbox {
  readonly #options: InboxOptions;
  readonly #items: unknown[] = [];
  /** Nothing is handled while something is: the first thing is `open`. */
  #isBusy = false;
  #isPaused = false;

  constructor(options: InboxOptions) {
    this.#options = options;
  }

  /** The connection is not read, because of what waits here. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  push(item: unknown): void {
    if (!this.#isBusy && this.#items.length === 0) this.#begin(item);
    else {
      this.#items.push(item);
      if (this.#isPaused || this.#items.length < this.#options.queueMax) return;
      this.#isPaused = true;
      this.#options.pause();
    }
  }

  #begin(item: unknown): void {
    const handled = this.#options.handle(item);
    if (handled === undefined) return;
    this.#isBusy = true;
    void handled.then(() => this.#next());
  }

  #next(): void {
    this.#isBusy = false;
    while (!this.#isBusy && this.#items.length > 0) {
      this.#begin(this.#items.shift());
      if (this.#items.length <= this.#options.queueMax / 2) this.#resume();
    }
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#options.resume();
  }
}
