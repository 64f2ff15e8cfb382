/** Choices from a seed: the same seed gives the same choices on every machine. */

/** Mulberry32: small, fast and good enough to choose with. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 0x9e3779b1) | 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  int(below: number): number {
    return Math.floor(this.next() * below);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.int(values.length)] as T;
  }

  list<T>(min: number, max: number, make: () => T): T[] {
    return Array.from({ length: min + this.int(max - min + 1) }, make);
  }
}
