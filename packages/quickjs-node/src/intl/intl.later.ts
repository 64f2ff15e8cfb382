/**
 * `Intl` and the methods that stand on it (`toLocaleString` …): American English, whatever locale is asked
 * for.
 */
import { DateFormat, type DateOptions } from './date-format.ts';
import { ListFormatter, type ListOptions } from './list-format.ts';
import { NumberFormatter, type NumberOptions } from './number-format.ts';

const LOCALE = 'en-US';

/** Throws for what is no language tag, as `Intl` does. */
function checkLocales(locales: unknown): void {
  for (const tag of Array.isArray(locales) ? locales : [locales]) {
    if (tag === undefined) continue;
    if (typeof tag !== 'string' && typeof tag !== 'object') throw new TypeError('Incorrect locale information provided');
    if (!/^[A-Za-z]{2,8}(?:[-_][A-Za-z\d]{1,8})*$/.test(String(tag))) throw new RangeError(`Incorrect locale information provided`);
  }
}

const toDate = (value: unknown): Date => (value === undefined ? new Date() : new Date(value as number));

class DateTimeFormat {
  readonly #format: DateFormat;
  /** Bound, as `Intl`'s own is. */
  readonly format: (date?: unknown) => string;

  constructor(locales?: unknown, options?: DateOptions) {
    checkLocales(locales);
    this.#format = new DateFormat(options, 'any', 'date');
    this.format = (date) => textOf(this.#format, toDate(date));
  }

  formatToParts(date?: unknown): object[] {
    return this.#format.parts(toDate(date));
  }

  resolvedOptions(): object {
    const { options, zone, is24 } = this.#format;
    const hours = options.hour === undefined ? {} : { hourCycle: is24 ? 'h23' : 'h12', hour12: !is24 };
    return { locale: LOCALE, calendar: 'gregory', numberingSystem: 'latn', timeZone: zone.name, ...hours, ...shown(options) };
  }

  static supportedLocalesOf(locales?: unknown): string[] {
    return supported(locales);
  }
}

function supported(locales: unknown): string[] {
  checkLocales(locales);
  return (Array.isArray(locales) ? locales : [locales]).filter((tag) => tag === LOCALE || tag === 'en') as string[];
}

const SHOWN = ['weekday', 'year', 'month', 'day', 'hour', 'minute', 'second', 'fractionalSecondDigits', 'timeZoneName'] as const;

function shown(options: DateOptions): object {
  if (options.dateStyle !== undefined || options.timeStyle !== undefined) {
    return Object.fromEntries(
      Object.entries({ dateStyle: options.dateStyle, timeStyle: options.timeStyle }).filter(([, value]) => value !== undefined),
    );
  }
  return Object.fromEntries(SHOWN.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]));
}

class NumberFormat {
  readonly format: (value: number | bigint) => string;

  constructor(locales?: unknown, options?: NumberOptions) {
    checkLocales(locales);
    const formatter = new NumberFormatter(options);
    this.format = (value) => formatter.format(typeof value === 'bigint' ? value : Number(value));
  }

  resolvedOptions(): object {
    return { locale: LOCALE, numberingSystem: 'latn', style: 'decimal' };
  }
}

class ListFormat {
  readonly #formatter: ListFormatter;

  constructor(locales?: unknown, options?: ListOptions) {
    checkLocales(locales);
    this.#formatter = new ListFormatter(options);
  }

  format(list: Iterable<unknown> = []): string {
    return this.#formatter.parts(list).reduce((text, { value }) => text + value, '');
  }

  formatToParts(list: Iterable<unknown> = []): object[] {
    return this.#formatter.parts(list);
  }

  resolvedOptions(): object {
    return { locale: LOCALE, type: this.#formatter.type, style: this.#formatter.style };
  }

  get [Symbol.toStringTag](): string {
    return 'Intl.ListFormat';
  }

  static supportedLocalesOf(locales?: unknown): string[] {
    return supported(locales);
  }
}

/** These two may be called without `new`, and old libraries do. */
const callable = <T extends new (...given: never[]) => object>(type: T): T =>
  new Proxy(type, { apply: (_type, _self, given) => new type(...(given as never[])) });

export const Intl = Object.create(Object.prototype, {
  DateTimeFormat: { value: callable(DateTimeFormat), writable: true, configurable: true },
  ListFormat: { value: ListFormat, writable: true, configurable: true },
  NumberFormat: { value: callable(NumberFormat), writable: true, configurable: true },
  [Symbol.toStringTag]: { value: 'Intl', configurable: true },
}) as object;

function textOf(format: DateFormat, date: Date): string {
  return format.parts(date).reduce((text, { value }) => text + value, '');
}

/** `toLocaleString` and its kin; `kind` says what is shown. */
export function dateText(date: Date, kind: 'all' | 'date' | 'time', locales: unknown, options: DateOptions | undefined): string {
  checkLocales(locales);
  if (Number.isNaN(date.getTime())) return 'Invalid Date';
  return textOf(new DateFormat(options, kind === 'all' ? 'any' : kind, kind), date);
}

export function numberText(value: number | bigint, locales: unknown, options: NumberOptions | undefined): string {
  checkLocales(locales);
  return new NumberFormatter(options).format(value);
}
