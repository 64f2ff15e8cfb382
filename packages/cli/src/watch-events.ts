/**
 * Applications that are noted nowhere, for probes: every Express application of npm listens for `mount` on itself,
 * every Koa application that serves for `error`.
 */
import { EventEmitter } from 'node:events';

/** From now on they are put into `found`. */
export function watchEvents(found: Set<object>): void {
  const { prototype } = EventEmitter;
  const { on } = prototype;
  const watched = function on_(this: EventEmitter, event: string | symbol, listener: (...args: unknown[]) => void) {
    if (event === 'mount' && typeof this === 'function') found.add(this);
    if (event === 'error' && Array.isArray((this as { middleware?: unknown }).middleware)) found.add(this);
    return Reflect.apply(on, this, [event, listener]) as EventEmitter;
  };
  prototype.on = watched as typeof on;
  prototype.addListener = watched as typeof on;
}
