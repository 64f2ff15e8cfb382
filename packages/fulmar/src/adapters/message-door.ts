/**
 * Platforms that call with messages of Node's own, `(req, res)`: the request becomes an exchange, the reply
 * goes out as fast as the platform takes it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { MemoryExchange, type MemoryRequest } from '../exchange/memory-exchange.ts';
import { remoteOf, withoutConnection } from './fields.ts';
import type { Answering } from './application-types.ts';

export interface MessageFrom {
  /** Content that the platform has read already. */
  readonly content: Uint8Array | null;
  readonly remoteAddress: string | undefined;
  readonly isSecure: boolean;
  readonly target: string;
}

/** Resolves when the reply is given, or nobody waits for it any more. Rejects with what no reply could be made of. */
export type MessageDoor = (req: IncomingMessage, res: ServerResponse, from: MessageFrom) => Promise<void>;

export function toMessageDoor({ answer, ready }: Answering): MessageDoor {
  return async (req, res, from) => {
    const waiting = ready();
    if (waiting !== null) await waiting;
    return new Promise<void>((resolve, reject) => {
      const exchange = exchangeOf(toRequest(req, res, from), res);
      res.once('close', () => {
        if (!res.writableFinished) exchange.left();
        resolve();
      });
      answer(exchange, (error) => {
        reject(error as Error);
        exchange.abort();
      });
    });
  };
}

function toRequest(req: IncomingMessage, res: ServerResponse, { content, remoteAddress, isSecure, target }: MessageFrom): MemoryRequest {
  const { rawHeaders } = req;
  const hasContent = rawHeaders.some((name, index) => index % 2 === 0 && /^(?:content-length|transfer-encoding)$/i.test(name));
  return {
    method: req.method ?? 'GET',
    target,
    rawHeaders,
    content: content ?? (hasContent ? req : null),
    remote: remoteOf(remoteAddress ?? req.socket.remoteAddress),
    isSecure,
    platform: { req, res },
  };
}

function exchangeOf(request: MemoryRequest, res: ServerResponse): MemoryExchange {
  const exchange = new MemoryExchange(request, {
    onHead: (status, reason, rawHeaders) => {
      for (const [name, value] of withoutConnection(rawHeaders)) res.appendHeader(name, value);
      if (reason !== null) res.statusMessage = reason;
      res.statusCode = status;
    },
    onContent: (piece) => res.write(piece),
    onEnd: () => res.end(),
    onAbort: () => res.destroy(),
  });
  res.on('drain', () => exchange.drained());
  return exchange;
}
