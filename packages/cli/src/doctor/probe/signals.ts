/** Who listens to the signals that end a process, besides Fulmar: while they do, Fulmar leaves the end to them first. */
import type { OWN_LISTENERS_KEY } from '../../../../fulmar/src/launch/lifecycle/signals.ts';
import type { SignalListenerFacts } from '../protocol-types.ts';
import { placesOf } from './place.ts';

/** Written out, so that this bundle shares no file with the command's. */
const ownKey: typeof OWN_LISTENERS_KEY = 'fulmar.signal-listeners';
const signals = ['SIGTERM', 'SIGINT'] as const;

export function describeSignals(): SignalListenerFacts[] {
  const own = (globalThis as Record<symbol, unknown>)[Symbol.for(ownKey)] as WeakSet<object> | undefined;
  const found = signals.flatMap((signal) => {
    const others = process.listeners(signal).filter((listener) => !own?.has(listener));
    return others.map((listener) => ({ signal, listener }));
  });
  const places = placesOf(found.map(({ listener }) => listener));
  return found.map(({ signal, listener }, index) => {
    const place = places[index];
    return { signal, name: listener.name, ...(place && { place }) };
  });
}
