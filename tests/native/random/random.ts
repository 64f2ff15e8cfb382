/** Random numbers from a seed, and what is made of them. */

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to below `limit`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  chance(one: number): boolean {
    return this.below(one) === 0;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** `text` with one mistake: a byte more, less, another one, or an end too early. */
  spoiled(bytes: Buffer): Buffer {
    const at = this.below(bytes.length + 1);
    const [before, behind] = [bytes.subarray(0, at), bytes.subarray(at)];
    switch (this.below(5)) {
      case 0:
        return before;
      case 1:
        return Buffer.concat([before, behind.subarray(1)]);
      case 2:
        return Buffer.concat([before, Buffer.from([this.below(256)]), behind]);
      case 3:
        return Buffer.concat([before, Buffer.from([this.below(256)]), behind.subarray(1)]);
      default:
        return Buffer.concat([bytes, Buffer.from('rubbish').subarray(this.below(7))]);
    }
  }

  /** `bytes` in a few pieces. */
  pieces(bytes: Buffer, most: number): Buffer[] {
    const cuts = Array.from({ length: this.below(most) }, () => this.below(bytes.length + 1)).sort((a, b) => a - b);
    return [0, ...cuts].map((cut, index) => bytes.subarray(cut, cuts[index] ?? bytes.length));
  }
}
