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
  readonly secure: boolean;
  readonly target: string;
}

/** Resolves when the reply is given, or nobody waits for it any more. Rejects with what no reply could be made of. */
export type MessageDoor = (req: IncomingMessage, res: ServerResponse, from: MessageFrom) => Promise<void>;

export function toMessageDoor({ answer, ready }: Answering): MessageDoor {
  return async (req, res, from) => {
    const waiting = ready();
    if (waiting !== null) await waiting;
    // Nobody is there to be answered, and no event would tell of it any more.
    if (res.destroyed) return undefined;
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

function toRequest(req: IncomingMessage, res: ServerResponse, { content, remoteAddress, secure, target }: MessageFrom): MemoryRequest {
  const { rawHeaders } = req;
  const hasContent = rawHeaders.some((name, index) => index % 2 === 0 && /^(?:content-length|transfer-encoding)$/i.test(name));
  return {
    method: req.method ?? 'GET',
    target,
    rawHeaders,
    content: content ?? (hasContent ? req : null),
    remote: remoteOf(remoteAddress ?? req.socket.remoteAddress),
    secure,
    platform: { req, res },
  };
}

function exchangeOf(request: MemoryRequest, res: ServerResponse): MemoryExchange {
  const exchange = new MemoryExchange(request, {
    onHead: (status, reason, rawHeaders) => {
      // What the platform has set before is replaced, as by the application's own response.
      for (const [name, values] of byName(withoutConnection(rawHeaders))) res.setHeader(name, values);
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

/** Several lines of one name stay several. */
function byName(lines: readonly (readonly [string, string])[]): Map<string, string | string[]> {
  const fields = new Map<string, string | string[]>();
  const spellings = new Map<string, string>();
  for (const [name, value] of lines) {
    const spelling = spellings.get(name.toLowerCase()) ?? name;
    spellings.set(name.toLowerCase(), spelling);
    const before = fields.get(spelling);
    fields.set(spelling, before === undefined ? value : [before, value].flat());
  }
  return fields;
}
