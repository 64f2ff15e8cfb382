/**
 * `LoggingInterceptor`: a line for each reply when it has left, and for each that its client did not wait for: method,
 * path, status and time. Streams, events and what filters answer are told when they end. Never tells a query, which may
 * hold what is nobody's business, and no path ends a line.
 */
import { observe } from '../../app/observing.ts';
import { watchReply } from '../../app/middleware/watch-reply.ts';
import { Injectable } from '../decorators/modules.ts';
import { Logger } from '../logging/logger.ts';
import type { LoggerService } from '../logger.ts';
import type { CallHandler, ExecutionContext, NestInterceptor } from '../nest-types.ts';
import { asked, isEventRoute } from '../pipeline/around.ts';
import { Host } from '../pipeline/host.ts';

type Log = Pick<LoggerService, 'log' | 'error'>;

/** Of a path in a log: more than this says nothing more. */
const PATH_CHARACTERS_MAX = 2048;

export class LoggingInterceptor implements NestInterceptor {
  readonly #log: Log;

  /** Replies of 500 and more are errors. Default: `new Logger('HTTP')`. @throws TypeError for what is no logger */
  constructor(log: Log = new Logger('HTTP')) {
    if (typeof log?.log !== 'function' || typeof log.error !== 'function')
      throw new TypeError(`LoggingInterceptor takes an object with log() and error(), and this is of type ${typeof log}.`);
    this.#log = log;
  }

  intercept(context: ExecutionContext, next: CallHandler): Promise<unknown> | object {
    const { method, url } = asked(context);
    const began = performance.now();
    const told = (status: number | null): void => {
      const line = `${escaped(method)} ${escaped(url.split('?', 1)[0] as string)} ${status ?? '-'} ${(performance.now() - began).toFixed(1)} ms`;
      if (status !== null && status >= 500) this.#log.error(line);
      else this.#log.log(line);
    };
    if (context instanceof Host) whenSent(context, told);
    else return next().finally(() => told(context.getResponse<{ statusCode?: number }>().statusCode ?? null));
    return isEventRoute(context) ? next.handle() : next();
  }
}

/** Once, with the status that has left; null: none has. */
function whenSent({ c }: Host, told: (status: number | null) => void): void {
  const { exchange } = c;
  const sent = watchReply(exchange);
  let isTold = false;
  const tell = (): void => {
    if (isTold) return;
    isTold = true;
    told(sent.status);
  };
  const { sents, aborts } = observe(exchange);
  sents.add(tell);
  aborts.add(tell);
  exchange.notifySent();
}

function escaped(text: string): string {
  const shown = text.length > PATH_CHARACTERS_MAX ? `${text.slice(0, PATH_CHARACTERS_MAX)}…` : text;
  return shown.replaceAll(/[^\x21-\x7e…]|["\\]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

Injectable()(LoggingInterceptor);
