/**
 * Checks of `health()`: each within its time, so many at once, and none begun again while it runs or its outcome is
 * fresh, however many ask. What has changed is for the log.
 */
export interface HealthCheck {
  /** Throws, rejects or gives `false` where something is wrong. `signal` fires when its time is over. */
  readonly check: (signal: AbortSignal) => unknown;
  /** `false`: where it fails, the app is ready all the same (`warn`). Default: true. */
  readonly critical?: boolean;
  readonly timeoutMs?: number;
}

export interface Outcome {
  readonly name: string;
  readonly status: 'pass' | 'warn' | 'fail';
  /** When it was known. */
  readonly at: number;
  readonly ms: number;
  readonly error?: unknown;
}

type Tell = (line: string, error: unknown) => void;

/** One check, with what is known of it. */
class Known {
  readonly name: string;
  readonly #check: Required<HealthCheck>;
  #last: Outcome | null = null;
  #running: Promise<Outcome> | null = null;
  /** It has not ended, though its time is over. */
  #isStuck = false;

  constructor(name: string, check: Required<HealthCheck>) {
    this.name = name;
    this.#check = check;
  }

  outcome(cacheMs: number, tell: Tell): Outcome | Promise<Outcome> {
    const last = this.#last;
    if (last !== null && (this.#isStuck || Date.now() - last.at < cacheMs)) return last;
    return (this.#running ??= this.#run(tell).finally(() => (this.#running = null)));
  }

  async #run(tell: Tell): Promise<Outcome> {
    const began = performance.now();
    let error: unknown;
    try {
      await this.#within();
    } catch (reason) {
      error = reason ?? new Error('It was rejected without a reason.');
    }
    const status = error === undefined ? 'pass' : this.#check.critical ? 'fail' : 'warn';
    const ms = Math.round(performance.now() - began);
    const before = this.#last?.status ?? 'pass';
    this.#last = { name: this.name, status, at: Date.now(), ms, ...(error === undefined ? {} : { error }) };
    if (status !== before) tell(`health: ${this.name} is ${status}, and was ${before}`, error ?? '');
    return this.#last;
  }

  async #within(): Promise<void> {
    const controller = new AbortController();
    const { check, timeoutMs } = this.#check;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const error = new Error(`It took longer than ${timeoutMs} ms.`);
        this.#isStuck = true;
        reject(error);
        controller.abort(error);
      }, timeoutMs);
    });
    const made = Promise.resolve(controller.signal).then(check);
    const forget = (): void => void (this.#isStuck = false);
    made.then(forget, forget);
    try {
      if ((await Promise.race([made, late])) === false) throw new Error('It gave false.');
    } finally {
      clearTimeout(timer);
    }
  }
}

export class HealthChecks {
  readonly #known: readonly Known[];
  readonly #limits: { readonly cacheMs: number; readonly concurrency: number };

  constructor(
    given: readonly (readonly [name: string, check: Required<HealthCheck>])[],
    limits: { readonly cacheMs: number; readonly concurrency: number },
  ) {
    this.#known = given.map(([name, check]) => new Known(name, check));
    this.#limits = limits;
  }

  /** In the order in which the checks were given. */
  async outcomes(tell: Tell): Promise<readonly Outcome[]> {
    const { cacheMs, concurrency } = this.#limits;
    const outcomes: Outcome[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      for (let at = next++; at < this.#known.length; at = next++) {
        outcomes[at] = await (this.#known[at] as Known).outcome(cacheMs, tell);
      }
    };
    await Promise.all(Array.from({ length: Math.min(concurrency, this.#known.length) }, work));
    return outcomes;
  }
}
