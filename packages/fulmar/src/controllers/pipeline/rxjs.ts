/**
 * Observables of the application's own `rxjs`: loaded when an interceptor calls `next.handle()`.
 */
import type { Observable as ObservableType } from 'rxjs';
import { requireFromApplication } from '../../app/openapi/application-package.ts';

/** Of whoever made it. */
type Observable = typeof import('rxjs').Observable;
let found: Observable | null = null;

/** @throws Error that says how to get it */
export default function toObservable(subscribe: ConstructorParameters<typeof ObservableType<unknown>>[0]): ObservableType<unknown> {
  found ??= (requireFromApplication('rxjs', 'next.handle() of an interceptor gives an Observable') as typeof import('rxjs')).Observable;
  return new found(subscribe);
}
