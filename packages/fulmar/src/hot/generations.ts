/**
 * Which run of the application's code is at work: each reload begins one. What code does later (it listens when its
 * database has answered) still belongs to the run it was started in.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

export class Generations {
  #current = 0;
  readonly #store = new AsyncLocalStorage<number>();

  get newest(): number {
    return this.#current;
  }

  /** The one whose code asks. */
  get running(): number {
    return this.#store.getStore() ?? this.#current;
  }

  /** As newer than what was, and older than what is. */
  standIn<Value>(work: () => Value): Value {
    return this.#store.run(this.#current - 1 / 2, work);
  }

  begin<Value>(work: () => Value): Value {
    this.#current += 1;
    return this.#store.run(this.#current, work);
  }
}
