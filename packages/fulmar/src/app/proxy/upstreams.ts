/**
 * Upstreams that answer alike: each in turn. One that cannot be asked several times in a row rests for a
 * while; where all of them rest, they are asked all the same.
 */

export interface HealthRules {
  /** Failures in a row before an upstream rests. Default: 3. */
  readonly failures?: number;
  /** For how long, in ms. Default: 10 s. */
  readonly restMs?: number;
}

const FAILURES_MAX = 3;
const REST_MS = 10_000;

export interface Upstream {
  readonly target: URL;
  failures: number;
  /** By `performance.now()`. */
  restsUntil: number;
}

export class Upstreams {
  readonly #all: readonly Upstream[];
  readonly #rules: Required<HealthRules>;
  #next = 0;

  constructor(targets: readonly URL[], { failures = FAILURES_MAX, restMs = REST_MS }: HealthRules = {}) {
    this.#all = targets.map((target) => ({ target, failures: 0, restsUntil: 0 }));
    this.#rules = { failures, restMs };
  }

  /** The next one; not one of `tried` where there are others. */
  pick(tried: ReadonlySet<Upstream>): Upstream {
    const now = performance.now();
    const order = this.#all.map((_, index) => this.#all[(this.#next + index) % this.#all.length] as Upstream);
    const picked =
      order.find((one) => one.restsUntil <= now && !tried.has(one)) ?? order.find((one) => !tried.has(one)) ?? (order[0] as Upstream);
    this.#next = (this.#all.indexOf(picked) + 1) % this.#all.length;
    return picked;
  }

  worked(one: Upstream): void {
    one.failures = 0;
    one.restsUntil = 0;
  }

  failed(one: Upstream): void {
    one.failures += 1;
    if (one.failures >= this.#rules.failures) one.restsUntil = performance.now() + this.#rules.restMs;
  }
}
