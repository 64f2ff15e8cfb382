/**
 * Errors of the app, in Vite's terminal and over the pages that are open. Those of handlers as well: of a 500 a page
 * says nothing.
 */
import { stripVTControlCharacters } from 'node:util';
import type { App } from '../app/index.ts';
import type { DevServer, HotChannel } from './vite-types.ts';

/** As Vite has it where a source cannot be transformed. */
interface ToldError {
  readonly message: string;
  readonly stack?: string | undefined;
  readonly id?: string | undefined;
  readonly frame?: string | undefined;
  readonly plugin?: string | undefined;
  readonly loc?: object | undefined;
}

interface Logger {
  error(...what: unknown[]): void;
}

export class Overlay {
  readonly #server: DevServer;
  #shown: string | null = null;

  constructor(server: DevServer) {
    this.#server = server;
  }

  /** An error that keeps the app from being loaded, once for all requests that meet it. */
  tell(error: unknown): void {
    const { message, stack = '', frame = '' } = toldError(error);
    if (this.#shown === message) return;
    const text = stack.includes(message) ? stack : `${message}\n${stack}`;
    this.#server.config.logger.error([text, frame].filter((part) => part !== '').join('\n'), { timestamp: true });
    this.#show(error);
  }

  /** From now on what the app logs is shown as well; who logs it stays its logger. */
  follow({ scope: { settings } }: App): void {
    const { logger } = settings;
    const both: Logger = {
      error: (...what) => {
        logger.error(...what);
        const error = what.find((one) => one instanceof Error);
        if (error !== undefined) this.#show(error);
      },
    };
    Object.assign(settings, { logger: both });
  }

  /** What was wrong is right: an update of nothing takes the overlay away. */
  clear(): void {
    if (this.#shown !== null) this.#send({ type: 'update', updates: [] });
    this.#shown = null;
  }

  #show(error: unknown): void {
    const { message, stack = '', id, frame, plugin, loc } = toldError(error);
    this.#shown = message;
    const plain = stripVTControlCharacters;
    this.#send({ type: 'error', err: { message: plain(message), stack: plain(stack), id, frame: plain(frame ?? ''), plugin, loc } });
  }

  #send(payload: object): void {
    (this.#server.environments['client'] as { readonly hot: HotChannel }).hot.send(payload);
  }
}

/** Frames of Vite, which carries all out, say nothing of the app. */
const OF_VITE = /\n {4}at [^\n]*[\\/]node_modules[\\/]vite[\\/][^\n]*/g;

function toldError(error: unknown): ToldError {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, stack, id, frame, plugin, loc } = error as ToldError;
  return { message, stack: stack?.replaceAll(OF_VITE, ''), id, frame, plugin, loc };
}
