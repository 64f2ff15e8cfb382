/**
 * Events that a function sends, for a stream that asks for them: `send` resolves when its event has been taken,
 * and what waits has a bound.
 */
import type { AnyContext } from './context.ts';
import type { ServerEvent } from './event-text.ts';

/** What a function is given. */
export interface EventSender {
  /**
   * Resolves when there is room for more; rejects when the client has left, and for who sends on and on without
   * waiting.
   */
  send(event: ServerEvent | string): Promise<void>;
  readonly signal: AbortSignal;
  /** What the client had last, when it connects again. */
  readonly lastEventId: string | undefined;
}

type Event = ServerEvent | string;
type Result = IteratorResult<Event>;

interface Waiting {
  readonly event: Event;
  readonly taken: () => void;
  readonly refused: (error: Error) => void;
}

/** Events that nobody has waited for. */
const WAITING_MAX = 1000;
const nop = (): void => {};

export class EventChannel implements AsyncIterableIterator<Event>, EventSender {
  readonly signal: AbortSignal;
  readonly lastEventId: string | undefined;
  readonly send: EventSender['send'];
  readonly #run: () => void | Promise<void>;
  readonly #waiting: Waiting[] = [];
  #current: Waiting | null = null;
  #isBegun = false;
  #outcome: { readonly error: unknown } | 'over' | null = null;
  #wake: () => void = nop;

  constructor(c: AnyContext, run: (sender: EventSender) => void | Promise<void>) {
    this.signal = c.signal;
    this.lastEventId = c.header('last-event-id');
    this.send = (event) => this.#send(event);
    this.#run = () => run(this);
    this.signal.addEventListener('abort', () => this.#left(), { once: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #send(event: Event): Promise<void> {
    const sent = new Promise<void>((taken, refused) => {
      if (this.signal.aborted) return refused(this.signal.reason as Error);
      if (this.#waiting.length >= WAITING_MAX)
        return refused(new Error(`${WAITING_MAX} events wait for the client: await send() before the next.`));
      this.#waiting.push({ event, taken, refused });
      this.#wake();
    });
    // Who does not wait for it does not want to know.
    sent.catch(nop);
    return sent;
  }

  async next(): Promise<Result> {
    this.#current?.taken();
    this.#current = null;
    if (!this.#isBegun) this.#begin();
    for (;;) {
      const first = this.#waiting.shift();
      if (first !== undefined) {
        this.#current = first;
        return { done: false, value: first.event };
      }
      if (this.#outcome !== null) return this.#end();
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  return(): Promise<Result> {
    return Promise.resolve({ done: true, value: undefined });
  }

  #begin(): void {
    this.#isBegun = true;
    void Promise.resolve()
      .then(this.#run)
      .then(
        () => (this.#outcome = 'over'),
        (error: unknown) => (this.#outcome = { error }),
      )
      .then(() => this.#wake());
  }

  #end(): Result {
    if (typeof this.#outcome === 'object' && this.#outcome !== null && !this.signal.aborted) throw this.#outcome.error;
    return { done: true, value: undefined };
  }

  #left(): void {
    const all = this.#current === null ? this.#waiting.splice(0) : [this.#current, ...this.#waiting.splice(0)];
    for (const { refused } of all) refused(this.signal.reason as Error);
  }
}
