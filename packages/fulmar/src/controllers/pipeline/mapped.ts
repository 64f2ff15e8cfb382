/**
 * What is behind an interceptor, changed on its way out: a value when it is there, of server-sent events each as it
 * comes.
 */
import type { Observable } from 'rxjs';
import { rxjs } from '../lazy.ts';
import type { CallHandler, ExecutionContext } from '../nest-types.ts';
import { isEventRoute } from './around.ts';

export function mapped(context: ExecutionContext, next: CallHandler, change: (value: unknown) => unknown): Promise<unknown> | object {
  return isEventRoute(context) ? eachOf(next.handle(), change) : next().then(change);
}

function eachOf(source: Observable<unknown>, change: (value: unknown) => unknown): object {
  return rxjs()((subscriber) => {
    const inner = source.subscribe({
      next(value) {
        let changed: unknown;
        try {
          changed = change(value);
        } catch (error) {
          return subscriber.error(error);
        }
        subscriber.next(changed);
      },
      error: (error: unknown) => subscriber.error(error),
      complete: () => subscriber.complete(),
    });
    return () => inner.unsubscribe();
  });
}
