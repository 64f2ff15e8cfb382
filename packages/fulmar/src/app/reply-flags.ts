/**
 * How the engine ends the fields of every reply of an app.
 */
import { ReplyFlag } from '../exchange/format.ts';
import type { Exchange } from '../exchange/types.ts';

/** Date and what follows from the connection. */
export function flagsOf(exchange: Exchange): number {
  return ReplyFlag.date | (exchange.keepAlive ? ReplyFlag.keepAlive : ReplyFlag.closeField | ReplyFlag.closeAfter);
}
