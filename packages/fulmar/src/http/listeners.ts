// `_events` and `_eventsCount`, the fields in which Node's emitters keep listeners, as accessors: a message has a store when somebody
// asks for it, and knows at once of every listener, whichever of Node's functions adds it. Never calls a listener.
import type { Exchange } from '../exchange/types.ts';

interface Listening {
  readonly _exchange: Exchange | undefined;
  _listeners: Record<PropertyKey, unknown> | undefined;
  _listened: number;
}

function own(message: object, key: string, value: unknown): void {
  Object.defineProperty(message, key, { value, writable: true, enumerable: true, configurable: true });
}

/** The two fields for messages of a kind; `added` is called when a message has a first listener for one more event. */
export function listenerFields<M extends object>(added: (message: M) => void): object {
  return {
    get _events() {
      const message = this as unknown as Listening;
      if (message._exchange === undefined) return undefined;
      return (message._listeners ??= Object.create(null) as Record<PropertyKey, unknown>);
    },
    set _events(value: unknown) {
      const message = this as unknown as Listening;
      if (message._exchange === undefined) own(message, '_events', value);
      else message._listeners = value as Record<PropertyKey, unknown>;
    },
    get _eventsCount() {
      return (this as unknown as Listening)._listened;
    },
    set _eventsCount(value: number) {
      const message = this as unknown as Listening;
      if (message._exchange === undefined) {
        own(message, '_eventsCount', value);
        return;
      }
      const before = message._listened;
      message._listened = value;
      if (value > before) added(message as unknown as M);
    },
  };
}
