/**
 * Entries of the timeline: marks and measures.
 */
import ops from 'fulmar:ops';
import { coded, invalidArgValue, missingArgs } from '../shared/errors.ts';
import { validateNumber } from '../shared/validators.ts';

/** Only this module's callers may construct entries. */
export const ALLOWED = Symbol('allowed');

/** Names that belong to `nodeTiming`. */
const RESERVED: ReadonlySet<string> = new Set(['nodeStart', 'v8Start', 'environment', 'loopStart', 'loopExit', 'bootstrapComplete']);

export function illegalConstructor(): Error {
  return coded(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');
}

export class PerformanceEntry {
  readonly #name: string;
  readonly #type: string;
  readonly #start: number;
  readonly #duration: number;

  constructor(allowed?: symbol, name = '', type = '', start = 0, duration = 0) {
    if (allowed !== ALLOWED) throw illegalConstructor();
    this.#name = name;
    this.#type = type;
    this.#start = start;
    this.#duration = duration;
  }

  get name(): string {
    return this.#name;
  }

  get entryType(): string {
    return this.#type;
  }

  get startTime(): number {
    return this.#start;
  }

  get duration(): number {
    return this.#duration;
  }

  toJSON(): Record<string, unknown> {
    return { name: this.name, entryType: this.entryType, startTime: this.startTime, duration: this.duration };
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth: number, options: object, inspect: (value: unknown, options: object) => string): string {
    if (depth < 0) return this.constructor.name;
    return `${this.constructor.name} ${inspect(this.toJSON(), options)}`;
  }
}

export interface MarkOptions {
  startTime?: number;
  detail?: unknown;
}

export class PerformanceMark extends PerformanceEntry {
  readonly #detail: unknown;

  constructor(name: string, options: MarkOptions = {}) {
    if (arguments.length === 0) throw missingArgs('name');
    const text = `${name}`;
    if (RESERVED.has(text)) throw invalidArgValue('name', text);
    const start = options?.startTime ?? ops.now();
    validateNumber(start, 'startTime');
    if (start < 0) throw coded(TypeError, 'ERR_PERFORMANCE_INVALID_TIMESTAMP', `${start} is not a valid timestamp`);
    super(ALLOWED, text, 'mark', start, 0);
    this.#detail = copied(options?.detail);
  }

  get detail(): unknown {
    return this.#detail;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), detail: this.#detail };
  }
}

export class PerformanceMeasure extends PerformanceEntry {
  readonly #detail: unknown;

  constructor(allowed?: symbol, name?: string, start?: number, duration?: number, detail?: unknown) {
    super(allowed, name, 'measure', start, duration);
    this.#detail = copied(detail);
  }

  get detail(): unknown {
    return this.#detail;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), detail: this.#detail };
  }
}

function copied(detail: unknown): unknown {
  if (detail === undefined || detail === null) return null;
  return typeof detail === 'object' ? structuredClone(detail) : detail;
}

/** Accessors of a class are enumerable, as WebIDL wants. */
export function enumerable(target: object, ...names: string[]): void {
  for (const name of names) Object.defineProperty(target, name, { enumerable: true });
}

enumerable(PerformanceEntry.prototype, 'name', 'entryType', 'startTime', 'duration');
enumerable(PerformanceMark.prototype, 'detail');
enumerable(PerformanceMeasure.prototype, 'detail');
