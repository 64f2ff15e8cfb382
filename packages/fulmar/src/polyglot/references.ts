/**
 * Objects of JavaScript's that a guest has by number: functions that it may call, and what only comes back. Each is
 * kept until the guest has let go of it as often as it was lent.
 */
import { AsyncResource } from 'node:async_hooks';

interface Entry {
  readonly value: object;
  /** Of a function: the asynchronous context of who lent it first. */
  readonly resource: AsyncResource | undefined;
  lent: number;
}

export class References {
  readonly #byId = new Map<number, Entry>();
  readonly #ids = new Map<object, number>();
  #last = 0;

  /** Its number; the same for the same object, as long as the guest has it. */
  lend(value: object): number {
    const known = this.#ids.get(value);
    const entry = known === undefined ? undefined : this.#byId.get(known);
    if (known !== undefined && entry !== undefined) {
      entry.lent += 1;
      return known;
    }
    this.#last += 1;
    this.#byId.set(this.#last, { value, resource: typeof value === 'function' ? new AsyncResource('fulmar.guest') : undefined, lent: 1 });
    this.#ids.set(value, this.#last);
    return this.#last;
  }

  get(id: number): object | undefined {
    return this.#byId.get(id)?.value;
  }

  /** Calls a function that was lent, in its own asynchronous context. */
  call(id: number, args: readonly unknown[]): unknown {
    const entry = this.#byId.get(id);
    if (entry?.resource === undefined) throw new TypeError('this function was let go of, or is none');
    return entry.resource.runInAsyncScope(entry.value as (...given: readonly unknown[]) => unknown, undefined, ...args);
  }

  letGo(id: number): void {
    const entry = this.#byId.get(id);
    if (entry === undefined) return;
    entry.lent -= 1;
    if (entry.lent > 0) return;
    this.#byId.delete(id);
    this.#ids.delete(entry.value);
  }

  /** The guest has ended: it has only what messages lend that it has not read, each by its number, as often as it is there. */
  keepOnly(lent: readonly number[]): void {
    for (const entry of this.#byId.values()) entry.lent = 0;
    for (const id of lent) {
      const entry = this.#byId.get(id);
      if (entry !== undefined) entry.lent += 1;
    }
    for (const [id, entry] of this.#byId) {
      if (entry.lent > 0) continue;
      this.#byId.delete(id);
      this.#ids.delete(entry.value);
    }
  }
}
