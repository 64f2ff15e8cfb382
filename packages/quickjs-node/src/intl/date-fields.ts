/**
 * A moment as the fields of a calendar in a time zone. Zones other than the process's own are LLRT's.
 */
import ops from 'fulmar:ops';

export interface Fields {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
}

interface Zoned {
  formatToParts(date: Date): readonly { type: string; value: string }[];
  resolvedOptions(): { timeZone: string };
}
type ZonedClass = new (locale: string, options: object) => Zoned;

const ALL = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' };

let made: ZonedClass | undefined;

/** LLRT's class puts itself on the global object, in place of ours: that is put back. */
function zonedClass(): ZonedClass {
  if (made !== undefined) return made;
  const before = Object.getOwnPropertyDescriptor(globalThis, 'Intl');
  const methods = Object.getOwnPropertyDescriptors(Date.prototype);
  ops.initialiseIntl();
  made = (globalThis as unknown as { Intl: { DateTimeFormat: ZonedClass } }).Intl.DateTimeFormat;
  if (before !== undefined) Object.defineProperty(globalThis, 'Intl', before);
  Object.defineProperties(Date.prototype, methods);
  return made;
}

function zonedIn(name: string): Zoned {
  try {
    return new (zonedClass())('en-US', { ...ALL, timeZone: name });
  } catch (error) {
    if (error instanceof RangeError) throw new RangeError(`Invalid time zone specified: ${name}`);
    throw error;
  }
}

/** Reads the fields of dates in one zone; throws a `RangeError` for a zone that does not exist. */
export class Zone {
  readonly #zoned: Zoned | undefined;

  constructor(name: string | undefined) {
    this.#zoned = name === undefined ? undefined : zonedIn(name);
  }

  get name(): string {
    return (this.#zoned ?? new (zonedClass())('en-US', ALL)).resolvedOptions().timeZone;
  }

  fields(date: Date): Fields {
    if (this.#zoned === undefined) return localFields(date);
    const found: Record<string, number> = {};
    for (const { type, value } of this.#zoned.formatToParts(date)) found[type] = Number(value);
    const [year = 0, month = 1, day = 1] = [found['year'], found['month'], found['day']];
    return {
      year,
      month,
      day,
      weekday: new Date(Date.UTC(year, month - 1, day)).getUTCDay(),
      hour: (found['hour'] ?? 0) % 24,
      minute: found['minute'] ?? 0,
      second: found['second'] ?? 0,
      millisecond: date.getUTCMilliseconds(),
    };
  }

  /** How far the zone's clock is ahead of UTC at that moment, in minutes. */
  offset(date: Date): number {
    const { year, month, day, hour, minute, second } = this.fields(date);
    return Math.round((Date.UTC(year, month - 1, day, hour, minute, second) - Math.trunc(date.getTime() / 1000) * 1000) / 60_000);
  }
}

function localFields(date: Date): Fields {
  return {
    year: date.getFullYear(),
    month: date.getMonth() + 1,
    day: date.getDate(),
    weekday: date.getDay(),
    hour: date.getHours(),
    minute: date.getMinutes(),
    second: date.getSeconds(),
    millisecond: date.getMilliseconds(),
  };
}
