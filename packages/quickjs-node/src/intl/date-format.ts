/**
 * `Intl.DateTimeFormat` in the words and order of American English: QuickJS has no data of other languages,
 * so that every locale is answered like `en-US`, and `resolvedOptions()` says so.
 */
import type { Fields } from './date-fields.ts';
import { Zone } from './date-fields.ts';

export type DateOptions = Intl.DateTimeFormatOptions;
interface Part {
  readonly type: string;
  readonly value: string;
}

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const DATE_FIELDS = ['weekday', 'year', 'month', 'day'] as const;
const TIME_FIELDS = ['hour', 'minute', 'second', 'fractionalSecondDigits', 'dayPeriod'] as const;

const DATE_STYLES: Readonly<Record<string, DateOptions>> = {
  full: { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
  long: { year: 'numeric', month: 'long', day: 'numeric' },
  medium: { year: 'numeric', month: 'short', day: 'numeric' },
  short: { year: '2-digit', month: 'numeric', day: 'numeric' },
};
const TIME_STYLES: Readonly<Record<string, DateOptions>> = {
  full: { hour: 'numeric', minute: '2-digit', second: '2-digit', timeZoneName: 'long' },
  long: { hour: 'numeric', minute: '2-digit', second: '2-digit', timeZoneName: 'short' },
  medium: { hour: 'numeric', minute: '2-digit', second: '2-digit' },
  short: { hour: 'numeric', minute: '2-digit' },
};

const literal = (value: string): Part => ({ type: 'literal', value });
const two = (value: number): string => String(value).padStart(2, '0');

/** What is needed, and what is added when nothing of it is asked for. */
export type Required = 'date' | 'time' | 'any';
export type Defaults = 'date' | 'time' | 'all';

function withStyles(options: DateOptions): DateOptions {
  const { dateStyle, timeStyle } = options;
  if (dateStyle === undefined && timeStyle === undefined) return options;
  const fields = [...DATE_FIELDS, ...TIME_FIELDS, 'timeZoneName'] as const;
  const other = fields.find((name) => options[name] !== undefined);
  if (other !== undefined)
    throw new TypeError(`Can't set option ${other} when ${dateStyle === undefined ? 'timeStyle' : 'dateStyle'} is used`);
  return { ...options, ...styleOf(DATE_STYLES, 'dateStyle', dateStyle), ...styleOf(TIME_STYLES, 'timeStyle', timeStyle) };
}

function styleOf(styles: Readonly<Record<string, DateOptions>>, name: string, value: string | undefined): DateOptions {
  if (value === undefined) return {};
  const found = styles[value];
  if (found === undefined) throw new RangeError(`Value ${value} out of range for Intl.DateTimeFormat options property ${name}`);
  return found;
}

function completed(options: DateOptions, required: Required, defaults: Defaults): DateOptions {
  const has = (names: readonly (keyof DateOptions)[]): boolean => names.some((name) => options[name] !== undefined);
  const isGiven = (required !== 'time' && has(DATE_FIELDS)) || (required !== 'date' && has(TIME_FIELDS));
  if (isGiven) return options;
  return {
    ...options,
    ...(defaults === 'time' ? {} : { year: 'numeric', month: 'numeric', day: 'numeric' }),
    ...(defaults === 'date' ? {} : { hour: 'numeric', minute: '2-digit', second: '2-digit' }),
  };
}

export class DateFormat {
  readonly zone: Zone;
  readonly options: DateOptions;
  readonly is24: boolean;

  constructor(given: DateOptions | undefined, required: Required, defaults: Defaults) {
    const options = { ...given };
    this.zone = new Zone(options.timeZone === undefined ? undefined : String(options.timeZone));
    const shown = withStyles(options);
    this.options = shown === options ? completed(options, required, defaults) : shown;
    this.is24 = options.hour12 === undefined ? options.hourCycle === 'h23' || options.hourCycle === 'h24' : !options.hour12;
  }

  parts(date: Date): Part[] {
    if (Number.isNaN(date.getTime())) throw new RangeError('Invalid time value');
    const fields = this.zone.fields(date);
    const day = this.#date(fields);
    const time = this.#time(fields, date);
    if (day.length === 0 || time.length === 0) return [...day, ...time];
    const isWeekdayOnly = day.length === 1 && day[0]?.type === 'weekday';
    return [...day, literal(this.options.month === 'long' ? ' at ' : isWeekdayOnly ? ' ' : ', '), ...time];
  }

  #date({ year, month, day, weekday }: Fields): Part[] {
    const { options } = this;
    const monthPart = options.month === undefined ? undefined : { type: 'month', value: monthText(month, options.month) };
    const dayPart = options.day === undefined ? undefined : { type: 'day', value: options.day === '2-digit' ? two(day) : String(day) };
    const yearText = options.year === '2-digit' ? two(year % 100) : String(year);
    const yearPart = options.year === undefined ? undefined : { type: 'year', value: yearText };
    const parts: Part[] = [];
    const isText = options.month !== undefined && options.month !== 'numeric' && options.month !== '2-digit';
    if (isText) {
      if (monthPart) parts.push(monthPart);
      if (dayPart) parts.push(literal(' '), dayPart);
      if (yearPart) parts.push(literal(dayPart ? ', ' : ' '), yearPart);
    } else {
      for (const part of [monthPart, dayPart, yearPart]) {
        if (part === undefined) continue;
        if (parts.length > 0) parts.push(literal('/'));
        parts.push(part);
      }
    }
    if (options.weekday === undefined) return parts;
    const name = DAYS[weekday] ?? '';
    const text = options.weekday === 'long' ? name : name.slice(0, options.weekday === 'short' ? 3 : 1);
    return [{ type: 'weekday', value: text }, ...(parts.length > 0 ? [literal(', ')] : []), ...parts];
  }

  #time({ hour, minute, second, millisecond }: Fields, date: Date): Part[] {
    const { options, is24 } = this;
    const parts: Part[] = [];
    const add = (type: string, value: string, before: string): void => {
      if (parts.length > 0) parts.push(literal(before));
      parts.push({ type, value });
    };
    if (options.hour !== undefined) {
      const shown = is24 ? hour : hour % 12 || 12;
      add('hour', options.hour === '2-digit' || is24 ? two(shown) : String(shown), '');
    }
    if (options.minute !== undefined)
      add('minute', options.hour === undefined && options.second === undefined ? String(minute) : two(minute), ':');
    if (options.second !== undefined) add('second', options.minute === undefined ? String(second) : two(second), ':');
    if (options.fractionalSecondDigits !== undefined)
      add('fractionalSecond', String(millisecond).padStart(3, '0').slice(0, options.fractionalSecondDigits), '.');
    if (options.hour !== undefined && !is24) add('dayPeriod', hour < 12 ? 'AM' : 'PM', ' ');
    if (options.timeZoneName !== undefined) add('timeZoneName', this.#zoneName(date), ' ');
    return parts;
  }

  #zoneName(date: Date): string {
    const offset = this.zone.offset(date);
    if (offset === 0) return this.options.timeZoneName === 'long' ? 'Coordinated Universal Time' : 'UTC';
    const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60];
    return `GMT${offset < 0 ? '-' : '+'}${hours}${minutes === 0 ? '' : `:${two(minutes)}`}`;
  }
}

function monthText(month: number, style: string): string {
  if (style === 'numeric') return String(month);
  if (style === '2-digit') return two(month);
  const name = MONTHS[month - 1] ?? '';
  return style === 'long' ? name : name.slice(0, style === 'short' ? 3 : 1);
}
