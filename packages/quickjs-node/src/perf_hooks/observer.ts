/**
 * `PerformanceObserver`: told of new entries in a later turn.
 */
import { missingArgs } from '../shared/errors.ts';
import { validateArray, validateFunction, validateObject } from '../shared/validators.ts';
import { ALLOWED, illegalConstructor, type PerformanceEntry } from './entries.ts';
import { listen, select, sorted, unlisten } from './timeline.ts';

const SUPPORTED = ['function', 'mark', 'measure'];

export class PerformanceObserverEntryList {
  readonly #entries: PerformanceEntry[];

  constructor(allowed?: symbol, entries: PerformanceEntry[] = []) {
    if (allowed !== ALLOWED) throw illegalConstructor();
    this.#entries = sorted(entries);
  }

  getEntries(): PerformanceEntry[] {
    return [...this.#entries];
  }

  getEntriesByType(...args: [type?: string]): PerformanceEntry[] {
    if (args.length === 0) throw missingArgs('type');
    return this.#entries.filter((entry) => entry.entryType === `${args[0]}`);
  }

  getEntriesByName(...args: [name?: string, type?: string]): PerformanceEntry[] {
    if (args.length === 0) throw missingArgs('name');
    const [name, type] = args;
    return this.#entries.filter((entry) => entry.name === `${name}` && (type === undefined || entry.entryType === `${type}`));
  }
}

interface ObserveOptions {
  entryTypes?: string[];
  type?: string;
  buffered?: boolean;
}

export class PerformanceObserver {
  #waiting: PerformanceEntry[] = [];
  #types = new Set<string>();
  #scheduled = false;
  readonly #callback: (list: PerformanceObserverEntryList, observer: PerformanceObserver) => void;
  readonly #onEntry = (entry: PerformanceEntry): void => {
    if (this.#types.has(entry.entryType)) this.#add(entry);
  };

  constructor(callback: (list: PerformanceObserverEntryList, observer: PerformanceObserver) => void) {
    validateFunction(callback, 'callback');
    this.#callback = callback;
  }

  static get supportedEntryTypes(): readonly string[] {
    return SUPPORTED;
  }

  observe(options: ObserveOptions = {}): void {
    validateObject(options, 'options');
    const { entryTypes, type, buffered } = options;
    if (entryTypes === undefined && type === undefined) throw missingArgs('options.entryTypes', 'options.type');
    if (entryTypes === undefined) {
      this.#types.add(type as string);
      if (buffered) for (const entry of select(undefined, type)) this.#add(entry);
    } else {
      validateArray(entryTypes, 'options.entryTypes');
      this.#types = new Set(entryTypes.filter((name) => SUPPORTED.includes(name)));
    }
    listen(this.#onEntry);
  }

  disconnect(): void {
    unlisten(this.#onEntry);
    this.#waiting = [];
    this.#types.clear();
  }

  takeRecords(): PerformanceEntry[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }

  #add(entry: PerformanceEntry): void {
    this.#waiting.push(entry);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      const entries = this.takeRecords();
      if (entries.length > 0) this.#callback.call(this, new PerformanceObserverEntryList(ALLOWED, entries), this);
    });
  }
}
