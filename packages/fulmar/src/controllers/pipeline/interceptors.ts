/**
 * Interceptors around a handler, the first outermost. Each is given what is behind it as a promise, `next()`, or as an
 * Observable, `next.handle()`, and returns a value, a promise or an Observable.
 */
import type { CallHandler, NestInterceptor } from '../nest-types.ts';
import { isThenable } from '../../host/thenable.ts';
import { rxjs } from '../lazy.ts';
import type { Host } from './host.ts';
import { isObservable, settled } from './values.ts';

/** The value, a promise or an Observable of it. */
export function throughInterceptors(interceptors: readonly NestInterceptor[], host: Host, handler: () => unknown, at = 0): unknown {
  const interceptor = interceptors[at];
  if (interceptor === undefined) return handler();
  const behind = (): unknown => throughInterceptors(interceptors, host, handler, at + 1);
  return interceptor.intercept(host, callHandler(behind, host.route.isSse === true)) as unknown;
}

/** Of events the Observable itself is what comes of the handler: its last one is not the reply. */
function callHandler(behind: () => unknown, isSse: boolean): CallHandler {
  const next = async (): Promise<unknown> => (isSse ? behind() : settled(behind()));
  return Object.assign(next, { handle: () => observed(behind) }) as CallHandler;
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
