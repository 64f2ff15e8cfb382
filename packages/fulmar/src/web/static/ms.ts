/**
 * Durations written as text ("2 days", "1h") in milliseconds, as the `ms` package reads them. Configuration
 * time only.
 */

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
const YEAR_MS = 365.25 * DAY_MS;
/** Longer texts are no durations. */
const TEXT_CHARS_MAX = 100;

const DURATION =
  /^(-?(?:\d+)?\.?\d+) *(milliseconds?|msecs?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w|years?|yrs?|y)?$/i;

/** Milliseconds of a duration; `undefined` when the text is none. Throws for an empty text, as `ms` does. */
export function parseDurationMs(text: string): number | undefined {
  if (text.length === 0) {
    throw new Error(`val is not a non-empty string or a valid number. val=${JSON.stringify(text)}`);
  }
  if (text.length > TEXT_CHARS_MAX) return undefined;
  const found = DURATION.exec(text);
  return found ? Number.parseFloat(found[1] as string) * unitMs((found[2] || 'ms').toLowerCase()) : undefined;
}

function unitMs(unit: string): number {
  if (unit.startsWith('ms') || unit.startsWith('milli')) return 1;
  switch (unit[0]) {
    case 's':
      return SECOND_MS;
    case 'm':
      return MINUTE_MS;
    case 'h':
      return HOUR_MS;
    case 'd':
      return DAY_MS;
    case 'w':
      return WEEK_MS;
    default:
      return YEAR_MS;
  }
}
