/**
 * Platforms that call with messages of Node's own, `(req, res)`: the request becomes an exchange, the reply
 * goes out as fast as the platform takes it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type MessageFrom, messageExchange } from '../exchange/message-exchange.ts';
import type { Answering } from './application-types.ts';

/** Resolves when the reply is given, or nobody waits for it any more. Rejects with what no reply could be made of. */
export type MessageDoor = (req: IncomingMessage, res: ServerResponse, from: MessageFrom) => Promise<void>;

export function toMessageDoor({ answer, ready }: Answering): MessageDoor {
  return async (req, res, from) => {
    const waiting = ready();
    if (waiting !== null) await waiting;
    // Nobody is there to be answered, and no event would tell of it any more.
    if (res.destroyed) return undefined;
    return new Promise<void>((resolve, reject) => {
      const exchange = messageExchange(req, res, { ...from, platform: { req, res } });
      res.once('close', resolve);
      answer(exchange, (error) => {
        reject(error as Error);
        exchange.abort();
      });
    });
  };
}
