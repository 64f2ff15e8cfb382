/**
 * Interceptors around a handler, the first outermost. Each is given what is behind it as a promise, `next()`, or as an
 * Observable, `next.handle()`, and returns a value, a promise or an Observable.
 */
import type { CallHandler, NestInterceptor } from '../nest-types.ts';
import { isThenable } from '../../host/thenable.ts';
import { rxjs } from '../lazy.ts';
import { placesOf } from '../metadata/place.ts';
import type { Host } from './host.ts';
import { isObservable, settled } from './values.ts';

/** The value, a promise or an Observable of it. */
export function throughInterceptors(interceptors: readonly NestInterceptor[], host: Host, handler: () => unknown, at = 0): unknown {
  const interceptor = interceptors[at];
  if (interceptor === undefined) return handler();
  let hasRun = false;
  let isObserved = false;
  const behind = (): unknown => {
    hasRun = true;
    return throughInterceptors(interceptors, host, handler, at + 1);
  };
  const observe = (): unknown => {
    isObserved = true;
    return observed(behind);
  };
  const result = interceptor.intercept(host, callHandler(behind, observe, host.route.isSse === true)) as unknown;
  if (hasRun || (result !== undefined && !isThenable(result))) return result;
  // A promise of nothing is an answer, but for who has asked for an Observable and forgotten it.
  const check = (value: unknown): unknown => (hasRun || !isObserved || value !== undefined ? value : refuseNothing(interceptor, host));
  return isThenable(result) ? result.then(check) : refuseNothing(interceptor, host);
}

/** The handler has not run, and nobody meant it so. @throws TypeError */
function refuseNothing(interceptor: NestInterceptor, host: Host): undefined {
  if (host.c.isBegun || (host.hasMessages && host.messages.res.headersSent)) return undefined;
  throw new TypeError(
    `${interceptor.constructor.name}.intercept() has returned nothing, and nothing behind it has run: return next.handle(), ` +
      'await next(), or return what stands for it.' +
      placesOf([interceptor.constructor]),
  );
}

/** Of events the Observable itself is what comes of the handler: its last one is not the reply. */
function callHandler(behind: () => unknown, handle: () => unknown, isSse: boolean): CallHandler {
  const next = async (): Promise<unknown> => (isSse ? behind() : settled(behind()));
  return Object.assign(next, { handle }) as CallHandler;
}

/** Nothing runs before somebody subscribes, and again for each that does. */
function observed(behind: () => unknown): unknown {
  return rxjs()((subscriber) => {
    let inner: { unsubscribe(): void } | null = null;
    const give = (value: unknown): void => {
      if (isObservable(value)) inner = value.subscribe(subscriber);
      else {
        subscriber.next(value);
        subscriber.complete();
      }
    };
    const fail = (error: unknown): void => subscriber.error(error);
    try {
      const value = behind();
      if (isThenable(value)) value.then(give, fail);
      else give(value);
    } catch (error) {
      fail(error);
    }
    return () => inner?.unsubscribe();
  });
}
