/**
 * Histograms, the event loop's delay and its utilization.
 */
import ops from 'fulmar:ops';
import { coded, invalidArgType, outOfRange } from '../shared/errors.ts';
import { validateInteger, validateNumber, validateObject } from '../shared/validators.ts';

/** What an empty histogram gives as its least value, as Node's does. */
const EMPTY_MIN = 9223372036854776000;

export class Histogram {
  #counts = new Map<number, number>();
  #count = 0;
  #exceeds = 0;
  readonly #lowest: number;
  readonly #highest: number;
  #last: number | undefined;

  constructor(lowest = 1, highest: number = Number.MAX_SAFE_INTEGER) {
    this.#lowest = lowest;
    this.#highest = highest;
  }

  get count(): number {
    return this.#count;
  }

  get countBigInt(): bigint {
    return BigInt(this.#count);
  }

  get exceeds(): number {
    return this.#exceeds;
  }

  get exceedsBigInt(): bigint {
    return BigInt(this.#exceeds);
  }

  get min(): number {
    return this.#count === 0 ? EMPTY_MIN : Math.min(...this.#counts.keys());
  }

  get minBigInt(): bigint {
    return BigInt(this.min);
  }

  get max(): number {
    return this.#count === 0 ? 0 : Math.max(...this.#counts.keys());
  }

  get maxBigInt(): bigint {
    return BigInt(this.max);
  }

  get mean(): number {
    let sum = 0;
    for (const [value, count] of this.#counts) sum += value * count;
    return sum / this.#count;
  }

  get stddev(): number {
    const { mean } = this;
    let sum = 0;
    for (const [value, count] of this.#counts) sum += (value - mean) ** 2 * count;
    return Math.sqrt(sum / this.#count);
  }

  percentile(percentile: number): number {
    validateNumber(percentile, 'percentile');
    if (Number.isNaN(percentile) || percentile <= 0 || percentile > 100) throw outOfRange('percentile', '> 0 && <= 100', percentile);
    return this.#at(percentile);
  }

  percentileBigInt(percentile: number): bigint {
    return BigInt(this.percentile(percentile));
  }

  get percentiles(): Map<number, number> {
    const all = new Map<number, number>();
    if (this.#count > 0) all.set(0, this.min);
    for (let rest = 50, at = 50; this.#count > 1 && rest > 0.1; rest /= 2, at += rest) all.set(at, this.#at(at));
    all.set(100, this.max);
    return all;
  }

  get percentilesBigInt(): Map<number, bigint> {
    return new Map([...this.percentiles].map(([key, value]) => [key, BigInt(value)]));
  }

  record(value: number | bigint): void {
    if (typeof value !== 'number' && typeof value !== 'bigint') throw invalidArgType('val', ['integer', 'bigint'], value);
    const number = Number(value);
    if (!Number.isSafeInteger(number) || number < 1) throw outOfRange('val', '>= 1 && <= 9007199254740991', value);
    this._add(number);
  }

  recordDelta(): void {
    const now = ops.now() * 1e6;
    if (this.#last !== undefined) this._add(Math.max(1, Math.round(now - this.#last)));
    this.#last = now;
  }

  add(other: Histogram): void {
    if (!(other instanceof Histogram)) throw invalidArgType('other', 'RecordableHistogram', other);
    for (const [value, count] of other.#counts) this._add(value, count);
    this.#exceeds += other.#exceeds;
  }

  reset(): void {
    this.#counts.clear();
    this.#count = 0;
    this.#exceeds = 0;
  }

  toJSON(): Record<string, unknown> {
    const { count, min, max, mean, exceeds, stddev } = this;
    return { count, min, max, mean, exceeds, stddev, percentiles: Object.fromEntries(this.percentiles) };
  }

  /** Values beyond the range are only counted. */
  _add(value: number, times = 1): void {
    if (value > this.#highest) {
      this.#exceeds += times;
      return;
    }
    const place = Math.max(value, this.#lowest);
    this.#counts.set(place, (this.#counts.get(place) ?? 0) + times);
    this.#count += times;
  }

  #at(percentile: number): number {
    const wanted = Math.max(1, Math.ceil((percentile / 100) * this.#count));
    let seen = 0;
    for (const value of [...this.#counts.keys()].toSorted((a, b) => a - b)) {
      seen += this.#counts.get(value) as number;
      if (seen >= wanted) return value;
    }
    return 0;
  }
}

export function createHistogram(options: { lowest?: number; highest?: number; figures?: number } = {}): Histogram {
  validateObject(options, 'options');
  const { lowest = 1, highest = Number.MAX_SAFE_INTEGER, figures = 3 } = options;
  validateInteger(lowest, 'options.lowest', 1);
  validateInteger(highest, 'options.highest', 2 * lowest);
  validateInteger(figures, 'options.figures', 1, 5);
  return new Histogram(lowest, highest);
}

/** How late a timer of `resolution` ms runs, in ns. */
class DelayHistogram extends Histogram {
  readonly #resolution: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(resolution: number) {
    super();
    this.#resolution = resolution;
  }

  enable(): boolean {
    if (this.#timer !== undefined) return false;
    let last = ops.now();
    this.#timer = setInterval(() => {
      const now = ops.now();
      this._add(Math.max(1, Math.round((now - last) * 1e6)));
      last = now;
    }, this.#resolution).unref();
    return true;
  }

  disable(): boolean {
    if (this.#timer === undefined) return false;
    clearInterval(this.#timer);
    this.#timer = undefined;
    return true;
  }

  [Symbol.dispose](): void {
    this.disable();
  }
}

export function monitorEventLoopDelay(options: { resolution?: number } = {}): DelayHistogram {
  validateObject(options, 'options');
  const { resolution = 10 } = options;
  validateInteger(resolution, 'options.resolution', 1);
  return new DelayHistogram(resolution);
}

interface Utilization {
  idle: number;
  active: number;
  utilization: number;
}

/** By the processor time of the process: this loop does not count how long it waits. */
export function eventLoopUtilization(first?: Utilization, second?: Utilization): Utilization {
  if (first !== undefined && second !== undefined) return difference(first, second);
  const [user = 0, system = 0] = ops.usage();
  const active = (user + system) / 1000;
  const idle = Math.max(0, ops.now() - active);
  const current = { idle, active, utilization: active / (active + idle) };
  return first === undefined ? current : difference(current, first);
}

function difference(later: Utilization, earlier: Utilization): Utilization {
  if (typeof earlier !== 'object') throw coded(TypeError, 'ERR_INVALID_ARG_TYPE', 'The "utilization" argument must be an object');
  const idle = later.idle - earlier.idle;
  const active = later.active - earlier.active;
  return { idle, active, utilization: active / (active + idle) };
}
