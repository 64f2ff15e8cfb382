/**
 * What a function sends, one piece at a time, as an iterable: `send` resolves when its piece has been taken. Of
 * streams and server-sent events; it knows neither. The function runs when the first piece is asked for.
 */

/** Pieces that wait because nobody awaits `send()`. */
const WAITING_MAX = 16_384;

export type Send<Piece> = (piece: Piece) => Promise<void>;

interface Waiting<Piece> {
  readonly piece: Piece;
  readonly taken: () => void;
  readonly refused: (reason: unknown) => void;
}

const nop = (): void => {};

/** Ends when `run` has, and when nobody takes any more: what waits then is refused, with `signal`'s reason if it has one. */
export class Channel<Piece> implements AsyncIterableIterator<Piece> {
  readonly #signal: AbortSignal;
  readonly #run: (send: Send<Piece>) => unknown;
  readonly #waiting: Waiting<Piece>[] = [];
  /** Handed out last, and taken when the next is asked for. */
  #current: Waiting<Piece> | null = null;
  #isBegun = false;
  /** Nobody takes anything any more. */
  #isLeft = false;
  #outcome: { readonly error: unknown } | 'over' | null = null;
  #wake: () => void = nop;

  constructor(signal: AbortSignal, run: (send: Send<Piece>) => unknown) {
    this.#signal = signal;
    this.#run = run;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Piece, undefined>> {
    this.#current?.taken();
    this.#current = null;
    if (!this.#isBegun) this.#begin();
    for (;;) {
      if (this.#isLeft) return { done: true, value: undefined };
      const first = this.#waiting.shift();
      if (first !== undefined) {
        this.#current = first;
        return { done: false, value: first.piece };
      }
      if (this.#outcome !== null) break;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    this.#leave();
    if (this.#outcome === 'over') return { done: true, value: undefined };
    throw this.#outcome.error;
  }

  return(): Promise<IteratorResult<Piece, undefined>> {
    this.#leave();
    return Promise.resolve({ done: true, value: undefined });
  }

  #begin(): void {
    this.#isBegun = true;
    if (this.#signal.aborted) return this.#leave();
    // One listener, however much is sent: a stream may live for days.
    this.#signal.addEventListener('abort', this.#leave, { once: true });
    void Promise.resolve((piece: Piece) => this.#send(piece))
      .then(this.#run)
      .then(
        () => (this.#outcome = 'over'),
        (error: unknown) => (this.#outcome = { error }),
      )
      .then(() => this.#wake());
  }

  #send(piece: Piece): Promise<void> {
    const sent = new Promise<void>((taken, refused) => {
      if (this.#isLeft) return refused(this.#reason());
      if (this.#waiting.length >= WAITING_MAX)
        return refused(new RangeError(`${WAITING_MAX} pieces wait to be taken: await each before the next is sent.`));
      this.#waiting.push({ piece, taken, refused });
      this.#wake();
    });
    // Who does not wait for it does not want to know: a client that leaves would end the process.
    sent.catch(nop);
    return sent;
  }

  readonly #leave = (): void => {
    this.#isLeft = true;
    this.#signal.removeEventListener('abort', this.#leave);
    // The piece that was handed out last as well, where nobody came for more.
    const all = this.#current === null ? this.#waiting.splice(0) : [this.#current, ...this.#waiting.splice(0)];
    this.#current = null;
    for (const { refused } of all) refused(this.#reason());
    this.#wake();
  };

  #reason(): unknown {
    return this.#signal.aborted ? this.#signal.reason : new Error('Nobody takes what is sent any more.');
  }
}
