/**
 * One request and its reply, reading the engine's memory when asked and not before.
 *
 * Made for every request, so: few fields, no closures, of the head's text only the target, which every
 * request is asked for. The head stays readable for as long as the object lives (`detach` makes strings of it
 * when the exchange turns out to be long-lived).
 *
 * The application can reach this object through its requests. Where the slab is and where in it this head
 * stands are therefore private fields: nothing that is written to or read from the object leads to another
 * client's bytes.
 */
import { fieldIn } from './field-value.ts';
import { ContentFlow } from './content-flow.ts';
import { toContent } from './content-text.ts';
import type { BatchLoop } from './batch-loop.ts';
import { AbortReason, Event, EventFlag, ReplyFlag } from './format.ts';
import { BODY_INLINE_MAX } from './reply-arena.ts';
import { bytesIn } from './node-buffer.ts';
import { targetText } from './known-targets.ts';
import type { Slab } from './slab.ts';
import { abortError } from './abort-error.ts';
import { closeError } from './errors.ts';
import type { Connection, ContentSink, ContentState, Exchange, ExchangeObserver, ReplyFlags } from './types.ts';

const EMPTY = Buffer.alloc(0);
const ROOM = 0;

/** How far the reply has come. */
const PENDING = 0;
const STREAMING = 1;
const GIVEN = 2;
const GONE = 3;

/** The thread's loop, for all exchanges: one field less in each. */
let engine: BatchLoop;

/** Called by the loop before it makes the first exchange. */
export function attachLoop(loop: BatchLoop): void {
  engine = loop;
}

/**
 * On the prototype until an exchange needs its own: most have no content, no observer, and are answered at
 * once.
 */
interface RareFields {
  observer: ExchangeObserver | null;
  _state: number;
  _wantsSent: boolean;
  _contentBytes: number;
  _content: Buffer | null;
  _rawHeaders: readonly string[];
  _flow: ContentFlow | null;
}

const rareDefaults: RareFields = {
  observer: null,
  _state: PENDING,
  _wantsSent: false,
  _contentBytes: 0,
  _content: null,
  _rawHeaders: [],
  _flow: null,
};

/**
 * As `detach`, unless the slab is one that is still received into. No method: an application that replaced it
 * would be given the slab.
 */
export let leaveSlab: (exchange: EngineExchange, current: Slab) => void;

/** What a plain HTTP/1.1 request has of these: the version alone. */
const UNUSUAL = EventFlag.minor1 | EventFlag.expectContinue | EventFlag.expectOther | EventFlag.limitLast | EventFlag.limitBeyond;

export class EngineExchange implements Exchange {
  declare observer: ExchangeObserver | null;
  declare readonly target: string;
  declare readonly slot: number;
  declare readonly generation: number;
  /** Null once the head and the content that came with it are copied. */
  #slab: Slab | null;
  /** Where in the slab the head's record is. */
  readonly #record: number;
  /** The bits of `EventFlag`. */
  declare private _flags: number;
  declare private readonly _method: number;
  declare readonly connectionSlot: number;
  declare readonly connectionGeneration: number;
  declare private _contentBytes: number;
  declare private _content: Buffer | null;
  declare private _rawHeaders: readonly string[];
  declare private _state: number;
  declare private _wantsSent: boolean;
  declare private _flow: ContentFlow | null;

  static {
    leaveSlab = (exchange, current) => {
      if (exchange.#slab !== current) exchange.detach();
    };
  }

  constructor(slab: Slab, events: Uint32Array, at: number) {
    const head = events[at]!;
    const targetStart = events[at + Event.headStart]! + events[at + Event.targetStart]!;
    this.#slab = slab;
    this.#record = events[at + Event.fieldsStart]!;
    this._flags = head >>> 16;
    this._method = (head >>> 8) & 0xff;
    this.slot = events[at + Event.slot]!;
    this.generation = events[at + Event.generation]!;
    this.target = targetText(slab.bytes, targetStart, events[at + Event.targetLen]!);
    this.connectionSlot = events[at + Event.connectionSlot]!;
    this.connectionGeneration = events[at + Event.connectionGeneration]!;
    const contentBytes = events[at + Event.contentLen]!;
    if (contentBytes > 0) this._contentBytes = contentBytes;
  }

  get method(): string {
    return engine.methods[this._method]!;
  }

  get httpVersionMinor(): 0 | 1 {
    return (this._flags & EventFlag.minor1) !== 0 ? 1 : 0;
  }

  get isPlain(): boolean {
    return (this._flags & UNUSUAL) === EventFlag.minor1;
  }

  get headerCount(): number {
    return this.#slab === null ? this._rawHeaders.length / 2 : this.#slab.lineCount(this.#record);
  }

  rawHeaders(): string[] {
    return this.#slab === null ? [...this._rawHeaders] : this.#slab.head(this.#record);
  }

  header(name: string): string | undefined {
    return this.#slab === null ? fieldIn(this._rawHeaders, name) : this.#slab.field(this.#record, name);
  }

  get keepAlive(): boolean {
    return (this._flags & EventFlag.keepAlive) !== 0;
  }

  get requestLimit(): 0 | 1 | 2 {
    if ((this._flags & EventFlag.limitBeyond) !== 0) return 2;
    return (this._flags & EventFlag.limitLast) !== 0 ? 1 : 0;
  }

  get conditional(): boolean {
    return (this._flags & EventFlag.conditional) !== 0;
  }

  get expectContinue(): boolean {
    return (this._flags & EventFlag.expectContinue) !== 0;
  }

  get expectOther(): boolean {
    return (this._flags & EventFlag.expectOther) !== 0;
  }

  get upgrade(): boolean {
    return (this._flags & EventFlag.upgrade) !== 0;
  }

  get connection(): Connection {
    return engine.connection(this.connectionSlot, this.connectionGeneration);
  }

  get open(): boolean {
    return this._state < GIVEN;
  }

  /** An upgrade that was accepted has ended the exchange, and not the connection. */
  get gone(): boolean {
    return this._state === GONE && !this.upgrade;
  }

  get takesFiles(): boolean {
    return true;
  }

  get begun(): boolean {
    return this._state !== PENDING;
  }

  get contentState(): ContentState {
    if ((this._flags & EventFlag.contentInline) !== 0) return 'inline';
    return (this._flags & EventFlag.contentStreamed) !== 0 ? 'streamed' : 'none';
  }

  get isStreamed(): boolean {
    return (this._flags & EventFlag.contentStreamed) !== 0;
  }

  get inlineBytes(): number {
    return this._contentBytes;
  }

  inlineText(): string {
    if (this._content !== null) return this._content.toString();
    return this._contentBytes === 0 || this.#slab === null ? '' : this.#slab.contentText(this.#record);
  }

  inlineContent(): Buffer {
    if (this._contentBytes > 0 && this.#slab !== null) this._content ??= this.#slab.content(this.#record);
    return this._content ?? EMPTY;
  }

  readContent(sink: ContentSink): void {
    const flow = (this._flow ??= new ContentFlow());
    if (flow.resume(sink) && this._state !== GONE) engine.binding.readContent(this.slot, this.generation);
  }

  keepContent(sink: ContentSink): void {
    if (this._state === GONE) return;
    const flow = (this._flow ??= new ContentFlow());
    if (flow.isTaken || flow.ended) return;
    flow.hold(sink);
    engine.binding.readContent(this.slot, this.generation);
    engine.binding.pauseContent(this.slot, this.generation);
  }

  pauseContent(): void {
    if (this._flow?.pause() === true) engine.binding.pauseContent(this.slot, this.generation);
  }

  /** The engine throws unread content away when the reply is complete; until then it stays with the peer. */
  discardContent(): void {
    if (this._flow === null) return;
    this._flow.pause();
    this._flow.discard();
    if (this._state !== GONE) engine.binding.discardContent(this.slot, this.generation);
  }

  // oxlint-disable-next-line max-params -- a record of them would be garbage with each reply
  reply(
    status: number,
    reason: string | null,
    block: string,
    flags: ReplyFlags,
    body: string | Uint8Array | null,
    encoding: 'utf8' | 'latin1' = 'utf8',
  ): string | null {
    if (this._state !== PENDING) return null;
    // A large body may stay here for long, and somebody may ask for its end only then.
    if (body !== null && (typeof body === 'string' ? body.length : bytesIn(body)) > BODY_INLINE_MAX) this._wantsSent = true;
    if (this._wantsSent) {
      flags |= ReplyFlag.wantsSent;
      engine.replies.awaitSent();
    }
    const tag = engine.replies.put(this.slot, this.generation, status, reason, block, flags, body, encoding);
    this._state = GIVEN; // Not before: what cannot be given (the stack or the memory is full) leaves the exchange to another reply.
    if (!this._wantsSent && (this._flow === null || !this._isReceiving())) engine.forget(this);
    return tag;
  }

  start(status: number, reason: string | null, block: string, flags: ReplyFlags, contentLength: number): void {
    if (this._state !== PENDING) return;
    if (this._wantsSent) flags |= ReplyFlag.wantsSent;
    engine.binding.start(this.slot, this.generation, status, reason, block, flags, contentLength);
    this._state = STREAMING;
  }

  write(chunk: string | Uint8Array, encoding?: BufferEncoding): boolean {
    if (this._state !== STREAMING) return false;
    return engine.binding.write(this.slot, this.generation, toContent(chunk, encoding)) === ROOM;
  }

  end(trailers = ''): void {
    if (this._state !== STREAMING) return;
    this._given();
    engine.binding.end(this.slot, this.generation, trailers);
  }

  sendFile(fd: number, offset: number, length: number): void {
    if (this._state !== STREAMING) {
      process.getBuiltinModule('node:fs').closeSync(fd); // It was given up to us.
      return;
    }
    this._given();
    engine.binding.sendFile(this.slot, this.generation, fd, offset, length);
  }

  cutFile(): boolean {
    return this._state === GIVEN && engine.binding.cutFile(this.slot, this.generation) === 1;
  }

  sendInterim(status: number, block: string): void {
    if (this._state === PENDING) engine.binding.sendInterim(this.slot, this.generation, status, block);
  }

  get bufferedBytes(): number {
    if (this._state === GONE) return 0;
    if (this._state === GIVEN && engine.replies.find(this.slot, this.generation) >= 0) return 1;
    if (this._state === GIVEN && !this._isHeld()) return this.connection.bufferedBytes;
    return engine.binding.buffered(this.slot, this.generation);
  }

  notifySent(): void {
    if (this._wantsSent || this._state === GONE) return;
    this._wantsSent = true;
    if (this._state === PENDING) return;
    if (this._state === STREAMING) {
      engine.binding.notifySent(this.slot, this.generation);
    } else if (engine.replies.requestSent(this.slot, this.generation)) {
      engine.replies.awaitSent();
      engine.remember(this);
    } else if (this._isHeld()) {
      engine.remember(this);
      engine.binding.notifySent(this.slot, this.generation);
    } else {
      process.nextTick(sentLate, this);
    }
  }

  abort(): void {
    if (this._state === GONE) return;
    const given = this._state === GIVEN;
    engine.binding.collect();
    engine.binding.abort(this.slot, this.generation);
    if (given) this.connection.destroy();
  }

  acceptUpgrade(): Buffer {
    this._state = GONE;
    engine.forget(this);
    this.detach(); // Who keeps the request for as long as the socket lives keeps its head alone.
    return engine.binding.acceptUpgrade(this.slot, this.generation);
  }

  declineUpgrade(): void {
    const streamed = engine.binding.declineUpgrade(this.slot, this.generation) === 1;
    if (streamed) this._flags |= EventFlag.contentStreamed;
  }

  // What the loop calls, in the engine's order.

  receive(chunk: Buffer): void {
    (this._flow ??= new ContentFlow()).receive(chunk);
  }

  receiveEnd(trailers: string[]): void {
    const flow = (this._flow ??= new ContentFlow());
    flow.ended = true;
    if (this._state === GIVEN && !this._wantsSent) engine.forget(this);
    flow.receiveEnd(trailers);
  }

  drained(): void {
    this.observer?.onDrain();
  }

  sent(): void {
    this._wantsSent = false;
    if (!this._isReceiving()) engine.forget(this);
    this.observer?.onSent(engine.binding.reportUncaught);
  }

  aborted(reason: number): void {
    if (this._state === GONE) return;
    this._state = GONE;
    engine.forget(this);
    this.observer?.onAbort(abortError(reason), closeError(reason), reason === AbortReason.framing);
  }

  /** Copies head and content out of their slab, so that a long-lived exchange does not keep it alive. */
  detach(): void {
    if (this.#slab === null) return;
    this.inlineContent();
    this._rawHeaders = this.rawHeaders();
    this.#slab = null;
  }

  /** Content is still coming and somebody takes it, now or when it goes on. */
  _isReceiving(): boolean {
    return this._flow !== null && this._flow.isTaken && (this._flags & EventFlag.contentStreamed) !== 0;
  }

  /** The reply is given and with the engine, and waits there for that of an earlier request. */
  private _isHeld(): boolean {
    return engine.binding.buffered(this.slot, this.generation) > 0;
  }

  /**
   * A streamed reply is about to be complete. Its end is always asked for: somebody may want to know while it
   * is still on its way.
   */
  private _given(): void {
    if (!this._wantsSent) {
      this._wantsSent = true;
      engine.binding.notifySent(this.slot, this.generation);
    }
    this._state = GIVEN;
    engine.replies.awaitSent();
  }
}

Object.assign(EngineExchange.prototype, rareDefaults);

function sentLate(exchange: EngineExchange): void {
  exchange.observer?.onSent();
}
