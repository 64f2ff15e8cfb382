/**
 * Does a request ask for a WebSocket, and is there one of ours at its path? Asked of upgrades alone, before
 * anything else is done about them.
 */
import type { Exchange } from '../../exchange/types.ts';
import type { Scope } from '../scope.ts';
import { findVariant } from '../variants.ts';

export function wantsSocket(request: Pick<Exchange, 'header'>): boolean {
  const asked = request.header('upgrade');
  return (
    asked !== undefined &&
    asked
      .toLowerCase()
      .split(',')
      .some((name) => name.trim() === 'websocket')
  );
}

/** Those that are not are for others who listen, or are plain requests. */
export function takesUpgrade(scope: Scope, exchange: Exchange): boolean {
  if (exchange.method !== 'GET' || !wantsSocket(exchange)) return false;
  try {
    return findVariant(scope, new scope.contexts(exchange, scope.settings), 'GET')?.value.hubOf != null;
  } catch {
    // A path that cannot be decoded: 400, as for any request.
    return false;
  }
}
