/**
 * What goes out on an exchange, whoever sends it: the app, or an application that is mounted in it.
 */
import { ReplyFlag } from '../../exchange/format.ts';
import type { Exchange } from '../../exchange/types.ts';

export interface Sent {
  /** Null: no reply yet. */
  status: number | null;
  /** Of the content, before it is divided into chunks. */
  bytes: number;
}

const SWITCHING_PROTOCOLS = 101;
const encoder = new TextEncoder();

/** The result is kept true until the reply is complete. */
export function watchReply(exchange: Exchange): Sent {
  const sent: Sent = { status: null, bytes: 0 };
  const { reply, start, write, sendFile } = exchange;
  let isBare = false;
  const add = (piece: string | Uint8Array | null, encoding?: string): void => {
    if (piece !== null && !isBare) sent.bytes += typeof piece === 'string' ? lengthOf(piece, encoding) : piece.byteLength;
  };
  // oxlint-disable-next-line max-params -- the exchange's own
  exchange.reply = (status, reason, block, flags, body, encoding) => {
    if (!exchange.begun) {
      sent.status = status;
      isBare = (flags & ReplyFlag.noContent) !== 0 || exchange.method === 'HEAD';
      add(body, encoding);
    }
    return reply.call(exchange, status, reason, block, flags, body, encoding);
  };
  exchange.start = (...head) => {
    if (!exchange.begun) {
      sent.status = head[0];
      isBare = (head[3] & ReplyFlag.noContent) !== 0 || exchange.method === 'HEAD';
    }
    start.apply(exchange, head);
  };
  exchange.write = (chunk, encoding) => {
    add(chunk, encoding);
    return write.call(exchange, chunk, encoding);
  };
  exchange.sendFile = (fd, offset, length) => {
    sent.bytes += length;
    sendFile.call(exchange, fd, offset, length);
  };
  const { acceptUpgrade } = exchange;
  exchange.acceptUpgrade = () => {
    sent.status = SWITCHING_PROTOCOLS;
    return acceptUpgrade.call(exchange);
  };
  return sent;
}

function lengthOf(text: string, encoding: string | undefined): number {
  return encoding === 'latin1' || encoding === 'binary' || encoding === 'ascii' ? text.length : encoder.encode(text).byteLength;
}
