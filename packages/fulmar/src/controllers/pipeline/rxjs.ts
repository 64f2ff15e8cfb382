/**
 * Observables of the application's own `rxjs`, loaded when an interceptor calls `next.handle()`; where it cannot be
 * found, as in an executable, plain ones, which take its operators too.
 */
import { requireFromApplication } from '../../app/openapi/application-package.ts';
import { PlainObservable } from './plain-observable.ts';

type Subscriber = { next(value: unknown): void; error(error: unknown): void; complete(): void };
type Subscribe = (subscriber: Subscriber & object) => () => void;
type Observable = new (subscribe: Subscribe) => object;

let found: Observable | null = null;

export default function toObservable(subscribe: Subscribe): object {
  found ??= find();
  return new found(subscribe);
}

function find(): Observable {
  try {
    return (requireFromApplication('rxjs', 'next.handle() of an interceptor') as { Observable: Observable }).Observable;
  } catch {
    return PlainObservable as unknown as Observable;
  }
}
