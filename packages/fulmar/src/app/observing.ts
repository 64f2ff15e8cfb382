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

export interface Observing extends ExchangeObserver {
  readonly aborts: Set<(error: Error) => void>;
  readonly drains: Set<() => void>;
  readonly sents: Set<() => void>;
}

/** The one observer of an exchange, which tells several. */
export function observe(exchange: Exchange): Observing {
  const before = exchange.observer as Observing | null;
  if (before !== null) return before;
  const aborts = new Set<(error: Error) => void>();
  const drains = new Set<() => void>();
  const sents = new Set<() => void>();
  const observing: Observing = {
    aborts,
    drains,
    sents,
    onDrain: () => {
      for (const listener of drains) listener();
    },
    onSent: () => {
      for (const listener of sents) listener();
    },
    onAbort: (error) => {
      for (const listener of aborts) listener(error);
    },
  };
  exchange.observer = observing;
  return observing;
}
