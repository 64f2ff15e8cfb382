/**
 * An Observable without `rxjs`, for executables, whose application carries its own copy where nobody else finds it: the
 * operators of any copy can be put on it, as they ask for `lift()` and for subscribers by their methods.
 */

export interface PlainObserver {
  next?: (value: unknown) => void;
  error?: (error: unknown) => void;
  complete?: () => void;
}
type Teardown = (() => void) | { unsubscribe(): void } | undefined;
interface Operator {
  call(subscriber: PlainSubscriber, source: PlainObservable): Teardown;
}
type OperatorFunction = (source: PlainObservable) => PlainObservable;

/** What operators of `rxjs` take for a subscriber of theirs. */
class PlainSubscriber {
  closed = false;
  readonly #observer: PlainObserver;
  readonly #teardowns = new Set<NonNullable<Teardown>>();

  constructor(observer: PlainObserver) {
    this.#observer = observer;
  }

  next(value: unknown): void {
    if (!this.closed) this.#observer.next?.(value);
  }
  error(error: unknown): void {
    if (this.closed) return;
    this.unsubscribe();
    if (this.#observer.error === undefined) queueMicrotask(() => Promise.reject(error as Error));
    else this.#observer.error(error);
  }
  complete(): void {
    if (this.closed) return;
    this.unsubscribe();
    this.#observer.complete?.();
  }
  add(teardown: Teardown): void {
    if (teardown === undefined || teardown === null || teardown === (this as unknown)) return;
    if (this.closed) run(teardown);
    else this.#teardowns.add(teardown);
  }
  remove(teardown: NonNullable<Teardown>): void {
    this.#teardowns.delete(teardown);
  }
  unsubscribe(): void {
    if (this.closed) return;
    this.closed = true;
    for (const teardown of this.#teardowns) run(teardown);
    this.#teardowns.clear();
  }
}

function run(teardown: NonNullable<Teardown>): void {
  if (typeof teardown === 'function') teardown();
  else teardown.unsubscribe();
}

export class PlainObservable {
  source: PlainObservable | null = null;
  operator: Operator | null = null;
  readonly #start: (subscriber: PlainSubscriber) => Teardown;

  constructor(start: (subscriber: PlainSubscriber) => Teardown) {
    this.#start = start;
  }

  subscribe(given: PlainObserver | ((value: unknown) => void) = {}): { unsubscribe(): void } {
    const { operator, source } = this;
    const observer: PlainObserver =
      typeof given === 'function'
        ? { next: given }
        : {
            next: (value) => given.next?.(value),
            ...(given.error && { error: (error) => given.error?.(error) }),
            complete: () => given.complete?.(),
          };
    const subscriber = new PlainSubscriber(observer);
    // Who leaves an operator's subscriber leaves what it stands on.
    (given as { add?: (teardown: unknown) => void }).add?.(subscriber);
    try {
      subscriber.add(operator !== null && source !== null ? operator.call(subscriber, source) : this.#start(subscriber));
    } catch (error) {
      subscriber.error(error);
    }
    return subscriber;
  }

  lift(operator: Operator): PlainObservable {
    const lifted = new PlainObservable(() => undefined);
    lifted.source = this;
    lifted.operator = operator;
    return lifted;
  }

  pipe(...operators: OperatorFunction[]): PlainObservable {
    return operators.reduce<PlainObservable>((source, operator) => operator(source), this);
  }

  /** By this name other libraries take it for one. */
  '@@observable'(): this {
    return this;
  }
}
const { observable } = Symbol as { readonly observable?: symbol };
if (observable !== undefined)
  Object.defineProperty(PlainObservable.prototype, observable, {
    configurable: true,
    writable: true,
    value: PlainObservable.prototype['@@observable'],
  });
