/**
 * Messages from the bytes of a connection: makes `IncomingMessage`s, fills them and says what goes wrong. One
 * per connection, for requests (sockets that are not the engine's) or responses (the client). The bytes are
 * parsed by the host (`ops/http.rs`).
 */
import ops from 'fulmar:ops';
import type { HttpParser } from 'fulmar:ops';
import type { Socket } from 'node:net';
import { IncomingMessageClass } from './message-classes.ts';
import type { IncomingState } from './incoming.ts';

/** First element of what a step returns. */
const Kind = { more: 0, head: 1, data: 2, end: 3, failed: 4 } as const;
/** What is decided about the content after a head. */
export const Content = { asDeclared: 0, none: 1, stop: 2 } as const;

const HEAD_BYTES_MAX = 16 * 1024;
const FIELDS_MAX = 2000;

export interface ParseError extends Error {
  code: string;
  reason: string;
  bytesParsed: number;
  rawPacket?: Buffer | undefined;
}

export type Step = readonly [kind: number, consumed: number, ...rest: unknown[]];
type IncomingConstructor = new (socket: unknown) => IncomingState;

/** `bytes` of a socket → `onIncoming`, content, ends. */
export class MessageParser {
  readonly socket: Socket;
  readonly core: HttpParser;
  readonly isResponse: boolean;
  readonly Incoming: IncomingConstructor;
  readonly fieldsMax: number;
  joinDuplicateHeaders = false;
  incoming: IncomingState | null = null;
  outgoing: unknown = null;
  /** Given a head; says what is to become of its content. */
  onIncoming: (message: IncomingState, keepAlive: boolean) => number = () => Content.asDeclared;
  /** Received bytes that wait while the message's reader does not take more. */
  waiting: Buffer | null = null;
  isFreed = false;

  constructor(
    socket: Socket,
    isResponse: boolean,
    options: { headBytesMax?: number | undefined; fieldsMax?: number | null | undefined; Incoming?: unknown },
  ) {
    this.socket = socket;
    this.isResponse = isResponse;
    this.fieldsMax = options.fieldsMax ?? FIELDS_MAX;
    this.core = ops.httpParser(isResponse, options.headBytesMax || HEAD_BYTES_MAX, FIELDS_MAX);
    this.Incoming = (options.Incoming ?? IncomingMessageClass) as IncomingConstructor;
  }

  /** Bytes consumed, all of them unless the connection was upgraded; or the error. */
  execute(chunk: Buffer): number | ParseError {
    let at = 0;
    for (;;) {
      const step: Step = this.core.step(chunk, at);
      if (step[0] === Kind.failed) return parseError(step, at, chunk);
      const from = at;
      at += step[1];
      if (step[0] === Kind.more) return at;
      if (step[0] === Kind.head) this.head(step);
      else if (step[0] === Kind.data) this.content(chunk.subarray(from + (step[2] as number), from + (step[3] as number)));
      else this.end(step[2] as string[] | undefined);
      if (this.isFreed) return at;
    }
  }

  /** The peer has ended the connection. */
  finish(): ParseError | undefined {
    const step: Step = this.core.finish();
    if (step[0] === Kind.failed) return parseError(step, 0, undefined);
    if (step[0] === Kind.end) this.end(undefined);
    return undefined;
  }

  head(step: Step): void {
    const [, , minor, first, target, status, keepAlive, upgrade, raw] = step as unknown as [
      number,
      number,
      number,
      string,
      string,
      number,
      boolean,
      boolean,
      string[],
    ];
    const message = new this.Incoming(this.socket);
    this.incoming = message;
    message.httpVersionMajor = 1;
    message.httpVersionMinor = minor;
    message.httpVersion = minor === 1 ? '1.1' : '1.0';
    message.joinDuplicateHeaders = this.joinDuplicateHeaders;
    message.url = target;
    message.upgrade = upgrade;
    message._addHeaderLines(raw, this.fieldsMax > 0 ? Math.min(raw.length, this.fieldsMax * 2) : raw.length);
    if (this.isResponse) {
      message.statusCode = status;
      message.statusMessage = first;
    } else message.method = first;
    this.core.decide(this.onIncoming(message, keepAlive));
  }

  content(bytes: Buffer): void {
    const message = this.incoming;
    if (message === null || message._dumped || bytes.length === 0) return;
    if (!message.push(bytes)) this.socket.pause();
  }

  end(trailers: string[] | undefined): void {
    const message = this.incoming;
    if (message !== null) {
      message.complete = true;
      if (trailers !== undefined && trailers.length > 0) message._addHeaderLines(trailers, trailers.length);
      message.push(null);
    }
    const { socket } = this;
    if (socket.readable && !(socket as { _paused?: boolean })._paused) socket.resume();
  }
}

function parseError(step: Step, consumed: number, chunk: Buffer | undefined): ParseError {
  const reason = step[3] as string;
  const error = new Error(`Parse Error: ${reason}`) as ParseError;
  error.bytesParsed = consumed;
  error.code = step[2] as string;
  error.reason = reason;
  if (chunk !== undefined) error.rawPacket = chunk;
  return error;
}
