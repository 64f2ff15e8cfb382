/**
 * Dates, times and durations as texts (RFC 3339): whether they are some. They are never converted here.
 */

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const MINUTES_OF_DAY = 24 * 60;
const LAST_MINUTE = MINUTES_OF_DAY - 1;

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

export function isDate(text: string): boolean {
  const found = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (found === null) return false;
  const [year, month, day] = found.slice(1).map(Number) as [number, number, number];
  const days = month === 2 && isLeap(year) ? 29 : DAYS[month - 1];
  return days !== undefined && day >= 1 && day <= days;
}

/** With an offset. The 60th second is where UTC has leap seconds: behind 23:59. */
export function isTime(text: string): boolean {
  const found = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i.exec(text);
  if (found === null) return false;
  const [hour, minute, second] = found.slice(1, 4).map(Number) as [number, number, number];
  const [offsetHour, offsetMinute] = [Number(found[5] ?? 0), Number(found[6] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  const offset = (offsetHour * 60 + offsetMinute) * (found[4] === '-' ? -1 : 1);
  return (hour * 60 + minute - offset + MINUTES_OF_DAY) % MINUTES_OF_DAY === LAST_MINUTE;
}

export function isDateTime(text: string): boolean {
  const at = text.search(/t/i);
  return at > 0 && isDate(text.slice(0, at)) && isTime(text.slice(at + 1));
}

/** ISO 8601 as RFC 3339 has it: units in their order, weeks alone. */
export function isDuration(text: string): boolean {
  if (/^P\d+W$/.test(text)) return true;
  const found = /^P((?:\d+Y)?(?:\d+M)?(?:\d+D)?)(?:T((?:\d+H)?(?:\d+M)?(?:\d+S)?))?$/.exec(text);
  return found !== null && found[2] !== '' && (found[1] !== '' || found[2] !== undefined);
}
