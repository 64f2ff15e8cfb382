/**
 * Several who want to know of one exchange's drain, end and abort: made only when somebody asks.
 */
import type { Exchange, ExchangeObserver } from '../exchange/types.ts';

/** Calls `listener` when the connection ends before the exchange is complete; the result takes it back. */
export function onAbort(exchange: Exchange, listener: (error: Error) => void): () => void {
  const listeners = observe(exchange).aborts;
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Those who want to know, and the observer that a mounted application has put in: it is told first. */
class Observing implements ExchangeObserver {
  readonly aborts = new Set<(error: Error) => void>();
  readonly drains = new Set<() => void>();
  readonly sents = new Set<() => void>();
  /** Somebody keeps the status of what is sent. */
  keepsStatus = false;
  mounted: ExchangeObserver | null;

  constructor(mounted: ExchangeObserver | null) {
    this.mounted = mounted;
  }

  onDrain(): void {
    this.mounted?.onDrain();
    for (const listener of this.drains) listener();
  }

  onSent(report?: (error: unknown) => void): void {
    this.mounted?.onSent(report);
    for (const listener of this.sents) listener();
  }

  onAbort(error: Error, connectionError: Error | null, isBroken: boolean): void {
    this.mounted?.onAbort(error, connectionError, isBroken);
    for (const listener of this.aborts) listener(error);
  }
}

/** The one observer of an exchange, which tells several. */
export function observe(exchange: Exchange): Observing {
  const before = exchange.observer;
  if (before instanceof Observing) return before;
  const observing = new Observing(before);
  exchange.observer = observing;
  return observing;
}

/** The reply is no longer the mounted application's: its response closes, though the client has not left. */
export function abortMounted(exchange: Exchange, error: Error): void {
  const observing = observe(exchange);
  const { mounted } = observing;
  observing.mounted = null;
  mounted?.onTaken?.(error);
}

/**
 * Before an exchange is handed to messages, which put an observer of their own in: who has asked so far
 * stays.
 */
export function keepObserving(exchange: Exchange): void {
  const { observer } = exchange;
  if (!(observer instanceof Observing)) return;
  Object.defineProperty(exchange, 'observer', {
    configurable: true,
    enumerable: true,
    get: () => observer,
    set(mounted: ExchangeObserver | null) {
      observer.mounted = mounted;
    },
  });
}
