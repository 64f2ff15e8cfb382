/**
 * Dates, times and durations as texts (RFC 3339): whether they are some. They are never converted here.
 */

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const MINUTES_OF_DAY = 24 * 60;
const LAST_MINUTE = MINUTES_OF_DAY - 1;

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const DIGIT_0 = 0x30;
const DASH = 0x2d;
const COLON = 0x3a;
const DATE_CHARACTERS = 10;
const TIME_CHARACTERS = 8;
const OFFSET_CHARACTERS = 6;

/** Two digits as a number, less than 0 where there is another character. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - DIGIT_0;
  const ones = text.charCodeAt(at + 1) - DIGIT_0;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1;
}

export const isDate = (text: string): boolean => text.length === DATE_CHARACTERS && startsWithDate(text);

/** By places, without a pattern: lists of replies are full of dates. */
function startsWithDate(text: string): boolean {
  if (text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) return false;
  const century = twoDigits(text, 0);
  const rest = twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  if (century < 0 || rest < 0 || month < 1 || month > 12 || day < 1) return false;
  return day <= (month === 2 && isLeap(century * 100 + rest) ? 29 : (DAYS[month - 1] as number));
}

export const isTime = (text: string): boolean => isTimeFrom(text, 0);

/** With an offset. The 60th second is where UTC has leap seconds: behind 23:59. */
function isTimeFrom(text: string, at: number): boolean {
  if (text.charCodeAt(at + 2) !== COLON || text.charCodeAt(at + 5) !== COLON) return false;
  const hour = twoDigits(text, at);
  const minute = twoDigits(text, at + 3);
  const second = twoDigits(text, at + 6);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return false;
  const offset = offsetFrom(text, afterFraction(text, at + TIME_CHARACTERS));
  if (Number.isNaN(offset)) return false;
  return second < 60 || (hour * 60 + minute - offset + MINUTES_OF_DAY) % MINUTES_OF_DAY === LAST_MINUTE;
}

/** Where the digits behind the point end; behind the text where there are none. */
function afterFraction(text: string, at: number): number {
  if (text[at] !== '.') return at;
  let end = at + 1;
  while (end < text.length && text.charCodeAt(end) >= DIGIT_0 && text.charCodeAt(end) <= DIGIT_0 + 9) end += 1;
  return end === at + 1 ? text.length : end;
}

/** The offset that the rest of a time is, in minutes; NaN where it is none. */
function offsetFrom(text: string, at: number): number {
  const sign = text[at];
  if (sign === 'Z' || sign === 'z') return at + 1 === text.length ? 0 : NaN;
  if ((sign !== '+' && sign !== '-') || text.length !== at + OFFSET_CHARACTERS || text.charCodeAt(at + 3) !== COLON) return NaN;
  const hour = twoDigits(text, at + 1);
  const minute = twoDigits(text, at + 4);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return NaN;
  return (hour * 60 + minute) * (sign === '-' ? -1 : 1);
}

export function isDateTime(text: string): boolean {
  const separator = text[DATE_CHARACTERS];
  return (separator === 'T' || separator === 't') && startsWithDate(text) && isTimeFrom(text, DATE_CHARACTERS + 1);
}

/** ISO 8601 as RFC 3339 has it: units in their order, weeks alone. */
export function isDuration(text: string): boolean {
  if (/^P\d+W$/.test(text)) return true;
  const found = /^P((?:\d+Y)?(?:\d+M)?(?:\d+D)?)(?:T((?:\d+H)?(?:\d+M)?(?:\d+S)?))?$/.exec(text);
  return found !== null && found[2] !== '' && (found[1] !== '' || found[2] !== undefined);
}
