/**
 * An error to the first filter that catches it: those of the method, then of the class, then of all; without any the
 * reply that there is then.
 */
import { ANSWERED } from '../../app/mount.ts';
import { answerError, answerUntold, toErrorReply } from '../exceptions/base-filter.ts';
import { HttpException } from '../exceptions/http-exception.ts';
import { KEYS } from '../metadata/keys.ts';
import { read } from '../metadata/reflect.ts';
import type { ExceptionFilter, Type } from '../nest-types.ts';
import { isThenable } from '../../host/thenable.ts';
import type { Host } from './host.ts';
import { isObservable } from './values.ts';

/** A filter with what it catches; all without any. */
export interface Catching {
  readonly filter: ExceptionFilter;
  readonly types: readonly Type[];
}

export function catching(filter: ExceptionFilter): Catching {
  return { filter, types: read<readonly Type[]>(KEYS.catches, filter.constructor) ?? [] };
}

const catches = ({ types }: Catching, error: unknown): boolean => types.length === 0 || types.some((type) => error instanceof type);

/**
 * Never throws, and what it returns does not reject: nobody is left who would answer. `isLast`: the filters are those of
 * all.
 */
export function answerByFilters(host: Host, error: unknown, filters: readonly Catching[], isLast = false): unknown {
  return surely(host, () => throughFilters(host, error, filters, isLast));
}

/** Of an error that cannot be told, as one whose body is no JSON, the status. */
export function surely(host: Host, answer: () => unknown): unknown {
  const failed = (error: unknown): unknown => answerUntold(host, error);
  try {
    const done = answer();
    return isThenable(done) ? done.then(undefined, failed) : done;
  } catch (error) {
    return failed(error);
  }
}

/**
 * What a filter of a route throws is for those of all, and is told to the log. `isLast`: these are they, and what one of
 * them throws is answered as if there were none.
 */
function throughFilters(host: Host, error: unknown, filters: readonly Catching[], isLast: boolean): unknown {
  const found = filters.find((one) => catches(one, error));
  if (found === undefined) return answerError(host, error);
  const failed = (second: unknown): unknown => {
    host.environment.logger.error(`${found.filter.constructor.name} of ${host.title} has thrown`, second);
    return isLast ? answerError(host, second) : host.environment.fail(host, second);
  };
  try {
    const { filter } = found;
    const answer: (failure: unknown, of: Host) => unknown = filter.catch.bind(filter);
    const result = answer(error, host);
    return isThenable(result) ? result.then((later) => answered(host, error, later), failed) : answered(host, error, result);
  } catch (second) {
    return failed(second);
  }
}

/**
 * A filter may return the body in place of answering by `res`. An error or an Observable is the answer of a filter that is
 * written for another transport: nobody has answered here.
 */
function answered(host: Host, error: unknown, body: unknown): typeof ANSWERED {
  if ((body instanceof Error || isObservable(body)) && !isBegun(host)) return answerError(host, error);
  if (typeof body !== 'object' || body === null || Object.getPrototypeOf(body) !== Object.prototype || isBegun(host)) return ANSWERED;
  const { statusCode } = body as { statusCode?: unknown };
  const isError = Number.isInteger(statusCode) && (statusCode as number) >= 400 && (statusCode as number) < 600;
  return answerError(host, new HttpException(body, isError ? (statusCode as number) : toErrorReply(error).status));
}

function isBegun(host: Host): boolean {
  return host.c.isBegun || (host.hasMessages && (host.messages.res.headersSent || host.messages.res.writableEnded));
}
