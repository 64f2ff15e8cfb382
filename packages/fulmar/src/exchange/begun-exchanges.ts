/**
 * The slots of the exchanges that began in one slab, so that those which are still open can let go of it when
 * it is replaced. Slots, not exchanges: it must not keep those alive that are answered.
 */
export class BegunExchanges {
  readonly #slots: number[] = [];
  #count = 0;

  add(slot: number): void {
    this.#slots[this.#count++] = slot;
  }

  /** Hands out the slots and forgets them. A slot may have changed hands since. */
  drain(take: (slot: number) => void): void {
    const count = this.#count;
    this.#count = 0;
    for (let i = 0; i < count; i++) take(this.#slots[i]!);
  }
}
