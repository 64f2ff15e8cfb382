/**
 * Where an application's messages go: to an object of its own, nowhere, or to `Logger`, as those of its classes do. What an
 * error carries, its `cause` above all, goes along as text.
 */
import { inspect } from 'node:util';
import { isShownInDev } from '../host/dev.ts';
import { ConsoleLogger } from './logging/console-logger.ts';
import { Logger } from './logging/logger.ts';

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

const PLACE = 'Application';

export function toErrorLog(given: LoggerService | readonly LogLevel[] | false | undefined): ErrorLog {
  if (given === false) return { error: () => undefined };
  if (given !== undefined && !isLevels(given)) return { error: (message, ...more) => void given.error(message, ...more) };
  const logger = given === undefined ? new Logger() : new ConsoleLogger({ logLevels: [...given] });
  return { error: (message, ...more) => logger.error(message, ...more.filter((one) => !isShownInDev(one)).map(asStack), PLACE) };
}

const isLevels = (given: LoggerService | readonly LogLevel[]): given is readonly LogLevel[] => Array.isArray(given);
const asStack = (one: unknown): unknown => (one instanceof Error ? inspect(one) : one);
