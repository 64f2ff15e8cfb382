/**
 * Numbers from a seed (mulberry32): the same on the client's and on the server's side, on every host. No
 * cryptography.
 */

export class Random {
  #state: number;

  constructor(...parts: readonly number[]) {
    this.#state = 0x9e3779b9;
    for (const part of parts) {
      this.#state = Math.imul(this.#state ^ part, 0x85ebca6b) >>> 0;
      this.below(2);
    }
  }

  /** A whole number from 0 to `limit - 1`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % limit;
  }

  /** True in `percent` of a hundred cases. */
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }

  /** From 1 to `max`, small ones as often as large ones: evenly over the powers of two. */
  size(max: number): number {
    const top = 1 << this.below(Math.floor(Math.log2(max)) + 1);
    return Math.min(max, top + this.below(top));
  }
}
