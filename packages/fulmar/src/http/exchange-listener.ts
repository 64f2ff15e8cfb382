/**
 * The door for applications that need neither request nor response: a `request` listener that carries, under
 * this symbol, a function of the exchange itself. Read once per listener change. Where somebody else has to
 * see a request (diagnostics, refusals of Node's own), the listener is called with both as any other.
 */
import type { Exchange } from '../exchange/types.ts';

/** Property under which a request listener exposes its {@link ExchangeListener}. */
export const kExchangeListener: unique symbol = Symbol('fulmar.exchangeListener');

/**
 * Property under which such a listener says which upgrades it takes as well, as exchanges whose reply is a
 * refusal; the others are emitted as `upgrade`, or are plain requests where nobody listens to that.
 */
export const kUpgradeListener: unique symbol = Symbol('fulmar.upgradeListener');

export type ExchangeListener = (exchange: Exchange) => void;
export type UpgradeListener = (exchange: Exchange) => boolean;

export interface ExchangeListenerOwner {
  readonly [kExchangeListener]?: ExchangeListener | undefined;
  readonly [kUpgradeListener]?: UpgradeListener | undefined;
}
