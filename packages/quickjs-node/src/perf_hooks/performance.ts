/**
 * The global `performance`.
 */
import ops from 'fulmar:ops';
import { coded, missingArgs } from '../shared/errors.ts';
import { validateFunction } from '../shared/validators.ts';
import {
  ALLOWED,
  enumerable,
  illegalConstructor,
  type MarkOptions,
  PerformanceEntry,
  PerformanceMark,
  PerformanceMeasure,
} from './entries.ts';
import { createHistogram, eventLoopUtilization, type Histogram } from './event-loop.ts';
import { clear, lastMark, record, select } from './timeline.ts';

interface MeasureOptions {
  start?: string | number;
  end?: string | number;
  duration?: number;
  detail?: unknown;
}

const timeOrigin = ops.wallClock() - ops.now();

/** A mark's time, or a number. */
function timeOf(mark: string | number): number {
  if (typeof mark === 'number') {
    if (mark < 0) throw coded(TypeError, 'ERR_PERFORMANCE_INVALID_TIMESTAMP', `${mark} is not a valid timestamp`);
    return mark;
  }
  const found = lastMark(`${mark}`);
  if (found === undefined) throw new DOMException(`The "${mark}" performance mark has not been set`, 'SyntaxError');
  return found.startTime;
}

function measureSpan(
  startOrOptions: string | MeasureOptions | undefined,
  endMark: string | undefined,
): [start: number, end: number, detail: unknown] {
  if (typeof startOrOptions !== 'object' || startOrOptions === null) {
    const end = endMark === undefined ? ops.now() : timeOf(endMark);
    return [startOrOptions === undefined ? 0 : timeOf(startOrOptions), end, undefined];
  }
  const { start, end, duration, detail } = startOrOptions;
  if (Object.keys(startOrOptions).length > 0 && endMark !== undefined) throw invalidOptions('endMark must not be specified');
  if (start !== undefined && end !== undefined && duration !== undefined) {
    throw invalidOptions('Must not have options.start, options.end, and options.duration specified');
  }
  const to = endOf(end ?? endMark, start, duration);
  const from = start === undefined ? (duration === undefined ? 0 : to - duration) : timeOf(start);
  return [from, to, detail];
}

function endOf(end: string | number | undefined, start: string | number | undefined, duration: number | undefined): number {
  if (end !== undefined) return timeOf(end);
  return start === undefined || duration === undefined ? ops.now() : timeOf(start) + duration;
}

function invalidOptions(message: string): Error {
  return coded(TypeError, 'ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS', message);
}

/** Times of the host's start; this host has fewer of them. */
class PerformanceNodeTiming extends PerformanceEntry {
  constructor() {
    super(ALLOWED, 'node', 'node', 0, 0);
  }

  override get duration(): number {
    return ops.now();
  }

  readonly nodeStart = 0;
  readonly v8Start = 0;
  readonly environment = 0;
  readonly bootstrapComplete = 0;
  readonly loopStart = 0;
  readonly loopExit = -1;
  readonly idleTime = 0;
}

export function timerify<F extends (...args: never[]) => unknown>(fn: F, options: { histogram?: Histogram } = {}): F {
  validateFunction(fn, 'fn');
  const { histogram } = options;
  const timed = function (this: unknown, ...args: never[]): unknown {
    const start = ops.now();
    const done = (): void => {
      const duration = ops.now() - start;
      histogram?.record(Math.max(1, Math.ceil(duration * 1e6)));
      record(new FunctionEntry(fn.name, start, duration, args));
    };
    const result = new.target ? (Reflect.construct(fn, args, fn) as unknown) : fn.apply(this, args);
    if (typeof (result as Promise<unknown> | undefined)?.finally === 'function') return (result as Promise<unknown>).finally(done);
    done();
    return result;
  };
  Object.defineProperties(timed, {
    length: { configurable: false, enumerable: true, value: fn.length },
    name: { configurable: false, enumerable: true, value: `timerified ${fn.name}` },
  });
  return timed as unknown as F;
}

class FunctionEntry extends PerformanceEntry {
  readonly detail: unknown[];

  constructor(name: string, start: number, duration: number, args: unknown[]) {
    super(ALLOWED, name, 'function', start, duration);
    this.detail = args;
    args.forEach((value, at) => Object.defineProperty(this, at, { value, enumerable: true }));
  }
}

export class Performance {
  #nodeTiming: PerformanceNodeTiming | undefined;
  onresourcetimingbufferfull: unknown = null;

  constructor(allowed?: symbol) {
    if (allowed !== ALLOWED) throw illegalConstructor();
  }

  get timeOrigin(): number {
    return timeOrigin;
  }

  get nodeTiming(): PerformanceNodeTiming {
    this.#nodeTiming ??= new PerformanceNodeTiming();
    return this.#nodeTiming;
  }

  now(): number {
    return ops.now();
  }

  mark(...args: [name?: string, options?: MarkOptions]): PerformanceMark {
    if (args.length === 0) throw missingArgs('name');
    const mark = new PerformanceMark(args[0] as string, args[1]);
    record(mark);
    return mark;
  }

  measure(...args: [name?: string, startOrOptions?: string | MeasureOptions, end?: string]): PerformanceMeasure {
    if (args.length === 0) throw missingArgs('name');
    const [start, end, detail] = measureSpan(args[1], args[2]);
    const measure = new PerformanceMeasure(ALLOWED, `${args[0]}`, start, end - start, detail);
    record(measure);
    return measure;
  }

  clearMarks(name?: string): void {
    clear('mark', name === undefined ? undefined : `${name}`);
  }

  clearMeasures(name?: string): void {
    clear('measure', name === undefined ? undefined : `${name}`);
  }

  clearResourceTimings(name?: string): void {
    clear('resource', name === undefined ? undefined : `${name}`);
  }

  getEntries(): PerformanceEntry[] {
    return select();
  }

  getEntriesByName(...args: [name?: string, type?: string]): PerformanceEntry[] {
    if (args.length === 0) throw missingArgs('name');
    return select(`${args[0]}`, args[1] === undefined ? undefined : `${args[1]}`);
  }

  getEntriesByType(...args: [type?: string]): PerformanceEntry[] {
    if (args.length === 0) throw missingArgs('type');
    return select(undefined, `${args[0]}`);
  }

  setResourceTimingBufferSize(_size: number): void {}

  /** undici, where an application brings it, tells of each of its requests. */
  markResourceTiming(..._args: unknown[]): void {}

  eventLoopUtilization(...args: Parameters<typeof eventLoopUtilization>): ReturnType<typeof eventLoopUtilization> {
    return eventLoopUtilization(...args);
  }

  timerify<F extends (...args: never[]) => unknown>(fn: F, options?: { histogram?: Histogram }): F {
    return timerify(fn, options);
  }

  toJSON(): Record<string, unknown> {
    return { nodeTiming: this.nodeTiming, timeOrigin: this.timeOrigin, eventLoopUtilization: this.eventLoopUtilization() };
  }
}

for (const name of [
  'mark',
  'measure',
  'now',
  'clearMarks',
  'clearMeasures',
  'getEntries',
  'getEntriesByName',
  'getEntriesByType',
  'toJSON',
  'timeOrigin',
]) {
  enumerable(Performance.prototype, name);
}

export { createHistogram };
export const performance = new Performance(ALLOWED);
