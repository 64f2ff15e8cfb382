/**
 * What servers and frameworks tell `fulmar dev`, if that is what runs them (`dev/index.ts`): who listens, and which
 * error a reply of 500 stands for. Asked where a server listens and where a reply has failed, never for a request that
 * goes well; without `fulmar dev` nothing happens here.
 */
import { readGlobal } from './globals.ts';

/** What of a logger is used. */
interface ErrorLogger {
  error(...what: unknown[]): void;
}

/**
 * The last resort of a framework answers 500 because of `error`. `key`: the exchange, or a message made of one. True:
 * the terminal shows it already.
 */
export const failedInDev = (key: object, error: unknown, params?: unknown): boolean =>
  readGlobal('fulmar.dev')?.failed(key, error, params) === true;

/** The terminal has shown this error. */
export const isShownInDev = (error: unknown): boolean => readGlobal('fulmar.dev')?.isShown(error) === true;

/** Logs such an error: on a console that shows it already, its title alone. */
export function logFailure(logger: ErrorLogger, key: object, title: string, { error, params }: { error: unknown; params?: unknown }): void {
  if (failedInDev(key, error, params) && logger === console) logger.error(title);
  else logger.error(title, error);
}
