/** Levels of messages, and which of them text names: for whoever sets a logger by a variable of the environment. */
import type { LogLevel } from '../logger.ts';

/** From the least to the most severe. */
export const LOG_LEVELS: readonly LogLevel[] = ['verbose', 'debug', 'log', 'warn', 'error', 'fatal'];

/** Of text such as `error,warn`, `>=warn` or `log`. All of them where that names none. @throws Error for `>` of no level */
export function filterLogLevels(text = ''): LogLevel[] {
  const asked = text.replaceAll(' ', '').toLowerCase();
  const isLevel = (one: string): one is LogLevel => (LOG_LEVELS as readonly string[]).includes(one);
  if (asked.startsWith('>')) {
    const isOrEqual = asked[1] === '=';
    const index = LOG_LEVELS.indexOf(asked.slice(isOrEqual ? 2 : 1) as LogLevel);
    if (index < 0) throw new Error(`parse error (unknown log level): ${asked}`);
    return LOG_LEVELS.slice(isOrEqual ? index : index + 1);
  }
  if (asked.includes(',')) return asked.split(',').filter(isLevel);
  return isLevel(asked) ? [asked] : [...LOG_LEVELS];
}
