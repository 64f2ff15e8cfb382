/**
 * Where an application's messages go: to the console, to an object of its own, or nowhere.
 */

export type LogLevel = 'log' | 'error' | 'warn' | 'debug' | 'verbose' | 'fatal';

export interface LoggerService {
  log(message: any, ...more: any[]): any;
  error(message: any, ...more: any[]): any;
  warn(message: any, ...more: any[]): any;
  debug?(message: any, ...more: any[]): any;
  verbose?(message: any, ...more: any[]): any;
  fatal?(message: any, ...more: any[]): any;
}

/** What the app's own messages need. */
export interface ErrorLog {
  error(...what: unknown[]): void;
}

export function toErrorLog(given: LoggerService | readonly LogLevel[] | false | undefined): ErrorLog {
  if (given === false) return { error: () => undefined };
  if (given === undefined) return console;
  if (Array.isArray(given)) return given.includes('error') ? console : { error: () => undefined };
  return { error: (message, ...more) => void (given as LoggerService).error(message, ...more) };
}
