/**
 * The door for applications that need neither request nor response: a `request` listener that carries, under
 * this symbol, a function of the exchange itself. Read once per listener change. Where somebody else has to
 * see a request (diagnostics, refusals of Node's own), the listener is called with both as any other.
 */
import type { Exchange } from '../exchange/types.ts';

/** Property under which a request listener exposes its {@link ExchangeListener}. */
export const kExchangeListener: unique symbol = Symbol('fulmar.exchangeListener');

export type ExchangeListener = (exchange: Exchange) => void;

export interface ExchangeListenerOwner {
  readonly [kExchangeListener]?: ExchangeListener | undefined;
}
