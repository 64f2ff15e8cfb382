/**
 * `JSON.stringify` for replies, quicker where there are dates in them.
 *
 * V8 needs 2 to 3 µs for the text of a date, most of it in `toISOString` and in finding out that nobody has
 * replaced anything: of a list of a hundred rows with two dates each, more than the rest of the reply. So for
 * as long as one call of `JSON.stringify` lasts, `Date.prototype.toJSON` is a function of ours, which makes
 * the same text by itself and gives everything unusual to V8's. Only code that runs within that call (a
 * getter, somebody's `toJSON`) could see it there. Values are not looked at, copied or read twice.
 */
import { quickjsHost } from './quickjs-host.ts';

const prototype = Date.prototype as Omit<Date, 'toJSON'> & { toJSON: unknown };
const ownToJson: unknown = prototype.toJSON;
const ownToIso: unknown = prototype.toISOString;
const ownValueOf: unknown = prototype.valueOf;
const ownToPrimitive: unknown = prototype[Symbol.toPrimitive];

const call = Function.prototype.call;
const { floor } = Math;
const Days = Float64Array;
const soon = queueMicrotask;
const timeOf = call.bind(prototype.getTime as never) as (date: unknown) => number;
const jsonOf = call.bind(prototype.toJSON as never) as (value: unknown, key: unknown) => unknown;
const yearOf = call.bind(prototype.getUTCFullYear as never) as (date: Date) => number;
const monthOf = call.bind(prototype.getUTCMonth as never) as (date: Date) => number;
const dayOf = call.bind(prototype.getUTCDate as never) as (date: Date) => number;
const { fromCharCode: textOfCodes } = String;

/** V8's, as far as it says so: who has replaced or removed one before this file was loaded keeps that. */
const isNative = (member: unknown, name: string): boolean =>
  typeof member === 'function' && Function.prototype.toString.call(member) === `function ${name}() { [native code] }`;

/**
 * A member of its own: of the prototype of a class that stands for `Date`, what is written there would stay.
 */
const isMember = Object.getOwnPropertyDescriptor(prototype, 'toJSON')?.value !== undefined;

/** The QuickJS host's is quick by itself. */
const isOwn =
  quickjsHost === undefined &&
  isMember &&
  isNative(ownToJson, 'toJSON') &&
  isNative(ownToIso, 'toISOString') &&
  isNative(ownValueOf, 'valueOf') &&
  isNative(ownToPrimitive, '[Symbol.toPrimitive]') &&
  isNative(prototype.getTime, 'getTime');

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Years of four digits: from 0000 up to, not including, 10000. In ms since 1970. */
const FIRST_MS = -62_167_219_200_000;
const END_MS = 253_402_300_800_000;

/** How many days' calendar dates are kept, by the day's lowest bits. */
const DAYS = 256;

/** Calendar dates of days met before. */
class Calendar {
  readonly numbers = new Days(DAYS);
  readonly years = new Uint16Array(DAYS);
  readonly months = new Uint8Array(DAYS);
  readonly days = new Uint8Array(DAYS);

  constructor() {
    this.numbers[0] = Number.NaN; // Day 0 is not known; at other places it is not looked for.
  }
}

/** Made with the first date. */
let calendar: Calendar | undefined;

const ZERO = 48;
const DASH = 45;
const COLON = 58;
const POINT = 46;
const T = 84;
const Z = 90;

const tens = (value: number): number => ZERO + ((value / 10) | 0);
const ones = (value: number): number => ZERO + (value % 10);

/**
 * As `toISOString`, of a date whose time is within the years of four digits. Made of its characters in one
 * step: a text that is put together of parts is copied once more when it is read.
 */
function isoText(date: Date, time: number): string {
  const { numbers, years, months, days } = (calendar ??= new Calendar());
  const number = floor(time / DAY_MS);
  const place = number & (DAYS - 1);
  if (numbers[place] !== number) {
    years[place] = yearOf(date);
    months[place] = monthOf(date) + 1;
    days[place] = dayOf(date);
    numbers[place] = number;
  }
  const year = years[place] as number;
  const month = months[place] as number;
  const day = days[place] as number;
  const ofDay = time - number * DAY_MS;
  const hour = (ofDay / HOUR_MS) | 0;
  const ofHour = ofDay - hour * HOUR_MS;
  const minute = (ofHour / MINUTE_MS) | 0;
  const ofMinute = ofHour - minute * MINUTE_MS;
  const second = (ofMinute / 1000) | 0;
  const ms = ofMinute - second * 1000;
  const century = (year / 100) | 0;
  const ofCentury = year - century * 100;
  const tenth = (ms / 100) | 0;
  const ofTenth = ms - tenth * 100;
  // oxfmt-ignore
  return textOfCodes(
    tens(century), ones(century), tens(ofCentury), ones(ofCentury), DASH, tens(month), ones(month), DASH, tens(day), ones(day),
    T, tens(hour), ones(hour), COLON, tens(minute), ones(minute), COLON, tens(second), ones(second),
    POINT, ZERO + tenth, tens(ofTenth), ones(ofTenth), Z,
  );
}

/** Dates that were met since the last look. */
let dates = 0;

/** Stands for `Date.prototype.toJSON`. */
const { toJSON: quickToJson } = {
  toJSON(this: Date, key?: unknown): unknown {
    dates++;
    let ms;
    try {
      ms = timeOf(this);
    } catch {
      return jsonOf(this, key); // No date: lent to another object.
    }
    if (!(ms >= FIRST_MS && ms < END_MS)) return jsonOf(this, key); // Or no time at all.
    // What `toJSON` would call, in its own words: a subclass, or the date itself, may have replaced any of
    // them.
    const isPlain =
      this.toISOString === ownToIso && this.valueOf === ownValueOf && (this[Symbol.toPrimitive] as unknown) === ownToPrimitive;
    return isPlain ? isoText(this, ms) : jsonOf(this, key);
  },
};

/** After so many texts without a date, the next ones are made without a look, except for one of so many. */
const MISSES_MAX = 16;
const PAUSE = 64;
let misses = 0;
let pause = 0;
let canReplace = isOwn;

/** As `JSON.stringify`. */
export function jsonText(value: unknown, replacer?: unknown, spaces?: unknown): string | undefined {
  if (pause > 0) pause--;
  else if (canReplace && typeof value === 'object') {
    const { toJSON } = prototype;
    if (toJSON === ownToJson) return textWithDates(value, replacer, spaces);
    if (toJSON === quickToJson && !isRestoring) restoreLater();
  }
  return textOf(value, replacer, spaces);
}

/**
 * With as many arguments as there are: whoever has replaced `JSON.stringify` sees what a framework gives it.
 */
function textOf(value: unknown, replacer: unknown, spaces: unknown): string | undefined {
  if (replacer || spaces) return JSON.stringify(value, replacer as never, spaces as never) as string | undefined;
  return JSON.stringify(value) as string | undefined;
}

function textWithDates(value: unknown, replacer: unknown, spaces: unknown): string | undefined {
  try {
    prototype.toJSON = quickToJson;
  } catch {
    canReplace = false; // Frozen, as by `--frozen-intrinsics`.
    return textOf(value, replacer, spaces);
  }
  dates = 0;
  try {
    return textOf(value, replacer, spaces);
  } finally {
    if (prototype.toJSON === quickToJson) restore();
    if (dates > 0) misses = 0;
    else if (++misses >= MISSES_MAX) pause = PAUSE;
  }
}

let isRestoring = false;

/**
 * Ours is there before a call: this call is within another one, or ours has been left there, by a limit of
 * time (of `vm`), which runs no `finally`, or by somebody who has kept it.
 */
function restoreLater(): void {
  isRestoring = true;
  soon(() => {
    isRestoring = false;
    if (prototype.toJSON === quickToJson) restore();
  });
}

function restore(): void {
  try {
    prototype.toJSON = ownToJson;
  } catch {
    canReplace = false; // Frozen by what ran within the call: ours stays, and makes the same text.
  }
}
