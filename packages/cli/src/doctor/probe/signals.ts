/**
 * Who listens to the signals that end a process, besides Fulmar: while they do, Fulmar leaves the end to them
 * first.
 */
import { readGlobal } from '../../../../fulmar/src/host/globals.ts';
import type { SignalListenerFacts } from '../protocol-types.ts';
import { placesOf } from '../../../../fulmar/src/launch/function-places.ts';

const signals = ['SIGTERM', 'SIGINT'] as const;

export function describeSignals(): SignalListenerFacts[] {
  const own = readGlobal('fulmar.signal-listeners');
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
