/**
 * An exchange whose reply is seen on its way: when it begins and ends, its status and size; whole replies may be
 * changed. The methods stand on the exchange itself, above those of its class, and call them; what an application or a
 * framework does with the exchange it does as before.
 */
import { ReplyFlag } from '../exchange/format.ts';
import type { Exchange } from '../exchange/types.ts';
import { type Head, HeldPage } from './held-page.ts';
import type { WholeReply } from './reply-change.ts';
import type { RequestEntry } from './request-log.ts';

export interface ReplyWatch {
  readonly entry: RequestEntry;
  /** The reply is about to be given; what is returned is given instead. */
  change(reply: WholeReply): WholeReply;
  /** A reply begins that comes in pieces, or from a file, and is to be changed as a whole. */
  wantsPage(head: Head): boolean;
  changed(entry: RequestEntry): void;
}

/** What the engine's exchange has besides: it is told that its connection has ended. */
interface Abortable {
  aborted?(reason: number): void;
}

export function watchReply(exchange: Exchange, watch: ReplyWatch): void {
  const { entry } = watch;
  const startedAt = performance.now();
  const begin = (status: number): void => {
    entry.status = status;
    entry.handlersMs = performance.now() - startedAt;
  };
  const end = (state: RequestEntry['state']): void => {
    if (entry.state !== 'open') return;
    entry.state = state;
    entry.totalMs = performance.now() - startedAt;
    watch.changed(entry);
  };
  Object.assign(exchange, { ...wholeReply(exchange, watch, { begin, end }), ...streamedReply(exchange, watch, { begin, end }) });
  const { aborted } = exchange as Exchange & Abortable;
  if (aborted !== undefined)
    Object.assign(exchange, {
      aborted(reason: number): void {
        aborted.call(exchange, reason);
        end('aborted');
      },
    });
}

interface Steps {
  readonly begin: (status: number) => void;
  readonly end: (state: RequestEntry['state']) => void;
}

const lengthOf = (body: string | Uint8Array | null, encoding: 'utf8' | 'latin1'): number =>
  body === null ? 0 : typeof body === 'string' ? Buffer.byteLength(body, encoding) : body.byteLength;

function wholeReply(exchange: Exchange, { entry, change }: ReplyWatch, { begin, end }: Steps): Pick<Exchange, 'reply'> {
  const { reply } = exchange;
  return {
    // oxlint-disable-next-line max-params -- as the exchange has it
    reply(status, reason, block, flags, body, encoding = 'utf8') {
      if (exchange.begun) return reply.call(exchange, status, reason, block, flags, body, encoding);
      const given = change({ status, reason, block, flags, body, encoding });
      const tag = reply.call(exchange, given.status, given.reason, given.block, given.flags, given.body, given.encoding);
      begin(status);
      entry.bytes = (given.flags & ReplyFlag.noContent) === 0 ? lengthOf(given.body, given.encoding) : 0;
      end('answered');
      return given.digest ?? tag;
    },
  };
}

type Streamed = Pick<Exchange, 'start' | 'write' | 'end' | 'sendFile' | 'acceptUpgrade'>;

const SWITCHING = 101;

function streamedReply(exchange: Exchange, watch: ReplyWatch, { begin, end }: Steps): Streamed {
  const { entry } = watch;
  const { start, write, end: finish, sendFile, acceptUpgrade } = exchange;
  const whole = wholeReply(exchange, watch, { begin, end });
  const page = new HeldPage(exchange, (head, content) => void whole.reply(head[0], head[1], head[2], head[3], content));
  let bytes = 0;
  return {
    start(...head) {
      const [status, , , , length] = head;
      if (exchange.begun) return start.apply(exchange, head);
      begin(status);
      entry.bytes = length < 0 ? null : length;
      if (!watch.wantsPage(head)) return start.apply(exchange, head);
      return page.hold(head);
    },
    write(chunk, encoding) {
      bytes += typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.byteLength;
      return page.take(chunk, encoding) || write.call(exchange, chunk, encoding);
    },
    end(trailers = '') {
      if (page.finish(trailers)) return;
      finish.call(exchange, trailers);
      entry.bytes ??= bytes;
      end('answered');
    },
    sendFile(fd, offset, length) {
      if (page.fill(fd, offset, length)) return;
      sendFile.call(exchange, fd, offset, length);
      entry.bytes = length;
      end('answered');
    },
    acceptUpgrade() {
      entry.status ??= SWITCHING;
      end('upgraded');
      return acceptUpgrade.call(exchange);
    },
  };
}
