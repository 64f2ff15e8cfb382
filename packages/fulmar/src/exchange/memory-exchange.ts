/**
 * An exchange without a connection: a request that is given, a reply that is collected. For `app.fetch`,
 * `app.inject` and serverless platforms; it runs where there is neither an engine nor `node:http`.
 *
 * What it makes of a reply's head are the lines that the engine puts on the wire, in the same order.
 */
import { abortError } from './abort-error.ts';
import { fieldIn } from './field-value.ts';
import { AbortReason, DIGEST_CHARS, DIGEST_PLACE_SHIFT, ReplyFlag } from './format.ts';
import type { Connection, ContentSink, ContentState, Exchange, ExchangeObserver, ReplyFlags, SocketAddress } from './types.ts';

/** What is asked for. */
export interface MemoryRequest {
  readonly method: string;
  readonly target: string;
  /** `[name, value, …]` */
  readonly rawHeaders: readonly string[];
  /** All of the content, or a source of it. */
  readonly content: Uint8Array | AsyncIterable<Uint8Array> | null;
  /** The address of who asks; none: nobody is known. */
  readonly remoteAddress?: string | undefined;
  /** It came to whoever hands it on over TLS. */
  readonly secure?: boolean;
  /** What a platform gives beside the request. */
  readonly platform?: unknown;
}

/** Who takes the reply. */
export interface MemoryReplySink {
  onHead(status: number, reason: string | null, rawHeaders: string[]): void;
  /** False: no more until the exchange's `drained()` is called. */
  onContent(chunk: Uint8Array): boolean;
  onEnd(rawTrailers: string[]): void;
  /** The reply does not come, or not to its end. */
  onAbort(): void;
  /** 100, 102, 103. */
  onInterim?(status: number, rawHeaders: string[]): void;
}

const EMPTY = new Uint8Array(0);
const STATUS_WITHOUT_CONTENT: ReadonlySet<number> = new Set([204, 304]);
const KEEP_ALIVE_SECONDS = 72;
const text = new TextEncoder();
const fromUtf8 = new TextDecoder();

const toBytes = (chunk: string | Uint8Array, encoding: string | undefined): Uint8Array => {
  if (typeof chunk !== 'string') return chunk.slice();
  return encoding === 'latin1' || encoding === 'binary'
    ? Uint8Array.from(chunk, (character) => character.charCodeAt(0))
    : text.encode(chunk);
};

/** A copy of a source's piece, which may be text, or bytes of another realm (a test runner's, a `vm` context's). */
function bytesOfPiece(piece: unknown): Uint8Array {
  return ArrayBuffer.isView(piece) ? new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength).slice() : text.encode(String(piece));
}

/** `[name, value, …]` of a block of field lines. */
function linesOf(block: string): string[] {
  const lines: string[] = [];
  for (const line of block.split('\r\n')) {
    if (line === '') continue;
    const colon = line.indexOf(':');
    lines.push(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return lines;
}

/**
 * The digest that the engine writes into an entity tag. Only messages of `node:http`'s kind leave it to the
 * exchange: where they are, Node's modules are.
 */
function digestOf(content: Uint8Array): string {
  const crypto = process.getBuiltinModule('node:crypto');
  return crypto.createHash('sha1').update(content).digest('base64').slice(0, DIGEST_CHARS);
}

/** The block with `digest` at the place that the flags say. */
function withDigest(block: string, flags: number, digest: string): string {
  const at = block.length - (flags >>> DIGEST_PLACE_SHIFT);
  return block.slice(0, at) + digest + block.slice(at + DIGEST_CHARS);
}

/** A connection that is none. */
class MemoryConnection implements Connection {
  readonly remote: SocketAddress | null;
  readonly local = null;
  readonly bytesRead = 0;
  readonly bytesWritten = 0;
  readonly bufferedBytes = 0;
  observer = null;
  readonly secure: boolean;
  readonly #exchange: MemoryExchange;

  constructor(exchange: MemoryExchange, { remoteAddress = '', secure = false }: MemoryRequest) {
    this.#exchange = exchange;
    this.remote = remoteAddress === '' ? null : { address: remoteAddress, family: remoteAddress.includes(':') ? 'IPv6' : 'IPv4', port: 0 };
    this.secure = secure;
  }

  get open(): boolean {
    return this.#exchange.open;
  }
  write(): boolean {
    throw new TypeError('A request that has no connection cannot become a raw stream: listen on a port for upgrades.');
  }
  destroy(): void {
    this.#exchange.abort();
  }
  end(): void {}
  pause(): void {}
  resume(): void {}
  setTimeout(): void {}
  setNoDelay(): void {}
  setKeepAlive(): void {}
  ref(): void {}
  unref(): void {}
}

export class MemoryExchange implements Exchange {
  readonly method: string;
  readonly target: string;
  readonly httpVersionMinor = 1;
  readonly isPlain = true;
  readonly keepAlive = true;
  readonly requestLimit = 0;
  readonly expectContinue = false;
  readonly expectOther = false;
  readonly upgrade = false;
  readonly takesFiles = false;
  readonly connectionSlot = -1;
  readonly connectionGeneration = -1;
  observer: ExchangeObserver | null = null;
  readonly #request: MemoryRequest;
  readonly #sink: MemoryReplySink;
  #connection: MemoryConnection | null = null;
  #content: AsyncIterator<Uint8Array> | null = null;
  #isReading = false;
  #isPaused = false;
  #reader: ContentSink | null = null;
  #state: 'pending' | 'streaming' | 'given' | 'gone' = 'pending';
  #flags = 0;
  #wantsSent = false;
  #isFull = false;

  constructor(request: MemoryRequest, sink: MemoryReplySink) {
    this.method = request.method;
    this.target = request.target;
    this.#request = request;
    this.#sink = sink;
  }

  get headerCount(): number {
    return this.#request.rawHeaders.length / 2;
  }

  rawHeaders(): string[] {
    return [...this.#request.rawHeaders];
  }

  header(name: string): string | undefined {
    return fieldIn(this.#request.rawHeaders, name);
  }

  get platform(): unknown {
    return this.#request.platform;
  }

  get conditional(): boolean {
    return ['if-none-match', 'if-modified-since', 'if-match', 'if-unmodified-since', 'if-range'].some(
      (name) => this.header(name) !== undefined,
    );
  }

  get connection(): Connection {
    return (this.#connection ??= new MemoryConnection(this, this.#request));
  }

  get open(): boolean {
    return this.#state === 'pending' || this.#state === 'streaming';
  }

  get begun(): boolean {
    return this.#state !== 'pending';
  }

  get gone(): boolean {
    return this.#state === 'gone';
  }

  get contentState(): ContentState {
    const { content } = this.#request;
    if (content === null || (content instanceof Uint8Array && content.byteLength === 0)) return 'none';
    return content instanceof Uint8Array ? 'inline' : 'streamed';
  }

  get isStreamed(): boolean {
    return this.contentState === 'streamed';
  }

  inlineContent(): Buffer {
    const { content } = this.#request;
    return (content instanceof Uint8Array ? content : EMPTY) as Buffer;
  }

  inlineText(): string {
    return fromUtf8.decode(this.inlineContent());
  }

  get inlineBytes(): number {
    return this.inlineContent().byteLength;
  }

  readContent(sink: ContentSink): void {
    const { content } = this.#request;
    this.#reader = sink;
    this.#isPaused = false;
    if (content === null || content instanceof Uint8Array || this.#isReading) return;
    this.#content ??= content[Symbol.asyncIterator]();
    this.#isReading = true;
    void this.#read(this.#content);
  }

  /** One piece after the other, until somebody pauses. */
  async #read(content: AsyncIterator<Uint8Array>): Promise<void> {
    try {
      while (!this.#isPaused && this.#state !== 'gone') {
        const { done, value } = await content.next();
        if (done === true) {
          this.#reader?.onContentEnd([]);
          return;
        }
        this.#reader?.onContent(bytesOfPiece(value) as Buffer);
      }
    } catch {
      this.abort();
    } finally {
      this.#isReading = false;
    }
  }

  pauseContent(): void {
    this.#isPaused = true;
  }

  keepContent(sink: ContentSink): void {
    this.#reader = sink;
  }

  discardContent(): void {
    this.#isPaused = true;
    this.#reader = null;
    void this.#content?.return?.();
  }

  // oxlint-disable-next-line max-params -- the exchange's own
  reply(
    status: number,
    reason: string | null,
    block: string,
    flags: ReplyFlags,
    body: string | Uint8Array | null,
    encoding: 'utf8' | 'latin1' = 'utf8',
  ): string | null {
    if (this.#state !== 'pending') return null;
    const content = body === null ? EMPTY : toBytes(body, encoding);
    const digest = (flags & ReplyFlag.digest) === 0 ? null : digestOf(content);
    this.#head(status, reason, digest === null ? block : withDigest(block, flags, digest), flags, content.byteLength);
    if (this.#hasContent(status) && content.byteLength > 0) this.#sink.onContent(content);
    this.#finish([]);
    return digest;
  }

  start(status: number, reason: string | null, block: string, flags: ReplyFlags, contentLength: number): void {
    if (this.#state !== 'pending') return;
    this.#state = 'streaming';
    this.#head(status, reason, block, flags, contentLength);
  }

  write(chunk: string | Uint8Array, encoding?: BufferEncoding): boolean {
    if (this.#state !== 'streaming' || (this.#flags & ReplyFlag.noContent) !== 0) return true;
    this.#isFull = !this.#sink.onContent(toBytes(chunk, encoding));
    return !this.#isFull;
  }

  /** Who takes the reply has room again. */
  drained(): void {
    if (!this.#isFull) return;
    this.#isFull = false;
    this.observer?.onDrain();
  }

  end(trailers = ''): void {
    if (this.#state === 'streaming') this.#finish(linesOf(trailers));
  }

  sendFile(): void {
    throw new TypeError('A request that has no connection cannot be answered by a descriptor.');
  }

  cutFile(): boolean {
    return false;
  }

  sendInterim(status: number, block: string): void {
    this.#sink.onInterim?.(status, linesOf(block));
  }

  get bufferedBytes(): number {
    return this.#isFull ? 1 : 0;
  }

  notifySent(): void {
    this.#wantsSent = true;
  }

  abort(): void {
    this.#abort(AbortReason.host);
  }

  /** The client has lost interest. */
  left(): void {
    this.#abort(AbortReason.peerClosed);
  }

  #abort(reason: number): void {
    if (this.#state === 'given' || this.#state === 'gone') return;
    this.#state = 'gone';
    this.discardContent();
    this.#sink.onAbort();
    this.observer?.onAbort(abortError(reason), null, false);
  }

  acceptUpgrade(): Buffer {
    throw new TypeError('A request that has no connection cannot be upgraded: listen on a port for WebSockets.');
  }

  declineUpgrade(): void {}

  #hasContent(status: number): boolean {
    return (this.#flags & ReplyFlag.noContent) === 0 && this.method !== 'HEAD' && !STATUS_WITHOUT_CONTENT.has(status);
  }

  // oxlint-disable-next-line max-params -- those of `start`
  #head(status: number, reason: string | null, block: string, flags: ReplyFlags, length: number): void {
    this.#flags = flags;
    const lines = linesOf(block);
    if ((flags & ReplyFlag.date) !== 0) lines.push('Date', new Date().toUTCString());
    if ((flags & ReplyFlag.keepAlive) !== 0) {
      lines.push('Connection', 'keep-alive');
      if ((flags & ReplyFlag.noKeepAliveHint) === 0) lines.push('Keep-Alive', `timeout=${KEEP_ALIVE_SECONDS}`);
    } else if ((flags & ReplyFlag.closeField) !== 0) lines.push('Connection', 'close');
    if ((flags & ReplyFlag.contentLength) !== 0 && length >= 0) lines.push('Content-Length', String(length));
    else if ((flags & ReplyFlag.chunkedField) !== 0) lines.push('Transfer-Encoding', 'chunked');
    this.#sink.onHead(status, reason, lines);
  }

  #finish(trailers: string[]): void {
    this.#state = 'given';
    this.discardContent();
    this.#sink.onEnd(trailers);
    if (this.#wantsSent) queueMicrotask(() => this.observer?.onSent());
  }
}
