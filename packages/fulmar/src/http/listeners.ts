/**
 * `_events` and `_eventsCount`, the fields in which Node's emitters keep listeners, as accessors: a message
 * has a store when somebody asks for it, and knows at once of every listener, whichever of Node's functions
 * adds it. Never calls a listener.
 */
import type { Exchange } from '../exchange/types.ts';
import { settleLeft } from './incoming-stream.ts';
import type { IncomingState } from './incoming-state.ts';
import { watchSent } from './lifecycle.ts';
import { setOwn } from './node-http.ts';
import type { ResponseState } from './response-state.ts';

interface Listening {
  readonly _exchange: Exchange | undefined;
  readonly _response?: ResponseState | null;
  _listeners: Record<PropertyKey, unknown> | undefined;
  _listened: number;
}

// Somebody listens to one more event: perhaps to the end of a reply that is given already.
function heard(message: Listening): void {
  const res = message._response === undefined ? (message as unknown as ResponseState) : message._response;
  if (res === null || !res.finished) return;
  const { finish, close, end } = message._listeners as Record<string, unknown>;
  if (finish !== undefined || close !== undefined || end !== undefined) watchSent(res, message._exchange as Exchange);
}

const self = (message: unknown): Listening => message as Listening;

export const listenerFields = {
  get _events() {
    const message = self(this);
    if (message._exchange === undefined) return undefined;
    return (message._listeners ??= Object.create(null) as Record<PropertyKey, unknown>);
  },
  set _events(value: unknown) {
    const message = self(this);
    if (message._exchange === undefined) setOwn(message, '_events', value);
    else message._listeners = value as Record<PropertyKey, unknown>;
  },
  get _eventsCount() {
    return self(this)._listened;
  },
  set _eventsCount(value: number) {
    const message = self(this);
    if (message._exchange === undefined) setOwn(message, '_eventsCount', value);
    else {
      const isMore = value > message._listened;
      if (isMore && message._listened === 0 && message._response !== undefined) settleLeft(message as unknown as IncomingState);
      message._listened = value;
      if (isMore) heard(message);
    }
  },
};
