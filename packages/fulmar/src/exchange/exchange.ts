/**
 * One request and its reply, reading the engine's memory when asked and not before.
 *
 * Made for every request, so: one hidden class, no closures, strings only on demand. The head stays readable for as long as the
 * object lives (`detach` copies it out of the slab when the exchange turns out to be long-lived).
 */
import { ContentFlow } from './content-flow.ts';
import type { Runtime } from './runtime.ts';
import { Event, EventFlag, ReplyFlag } from './format.ts';
import { alignToWord, type Slab } from './slab.ts';
import { abortError, closeError } from './errors.ts';
import type { Connection, ContentSink, ContentState, Exchange, ExchangeObserver, ReplyFlags } from './types.ts';

const EMPTY = Buffer.alloc(0);
/** Above this a double of two 32-bit halves is no longer exact; it also marks "no declared length". */
const LENGTH_HIGH_MAX = 0x1f_ffff;
const ROOM = 0;

/** Bodies from here on rarely fit into what the system buffers for a connection, in bytes or characters. */
const LARGE_BODY = 16 * 1024;

/** How far the reply has come. */
const PENDING = 0;
const STREAMING = 1;
const GIVEN = 2;
const GONE = 3;

export class EngineExchange implements Exchange {
  declare observer: ExchangeObserver | null;
  declare readonly slot: number;
  declare readonly generation: number;
  declare readonly listener: number;
  declare readonly contentLength: number;
  declare readonly headerCount: number;
  declare private readonly _runtime: Runtime;
  declare private _slab: Slab;
  /** kind | method << 8 | flags << 16 */
  declare private _head: number;
  declare private _headStart: number;
  declare private readonly _headLength: number;
  declare private readonly _targetStart: number;
  declare private readonly _targetLength: number;
  declare private _fieldsStart: number;
  declare private readonly _contentStart: number;
  declare private readonly _contentBytes: number;
  declare private readonly _connectionSlot: number;
  declare private readonly _connectionGeneration: number;
  declare private _headText: string | null;
  declare private _content: Buffer | null;
  declare private _state: number;
  /** Index of the reply's command while it waits in the arena. */
  declare private _command: number;
  declare private _wantsSent: boolean;
  declare private _flow: ContentFlow | null;

  constructor(runtime: Runtime, slab: Slab, events: Uint32Array, at: number) {
    this._runtime = runtime;
    this._slab = slab;
    this._head = events[at]!;
    this.slot = events[at + Event.slot]!;
    this.generation = events[at + Event.generation]!;
    this.listener = events[at + Event.listener]!;
    this._headStart = events[at + Event.headStart]!;
    this._headLength = events[at + Event.headLen]!;
    this._targetStart = events[at + Event.targetStart]!;
    this._targetLength = events[at + Event.targetLen]!;
    this._fieldsStart = events[at + Event.fieldsStart]!;
    this.headerCount = events[at + Event.fieldsLen]!;
    this._contentStart = events[at + Event.contentStart]!;
    this._contentBytes = events[at + Event.contentLen]!;
    const high = events[at + Event.lengthHigh]!;
    this.contentLength = high > LENGTH_HIGH_MAX ? -1 : high * 0x1_0000_0000 + events[at + Event.lengthLow]!;
    this._connectionSlot = events[at + Event.connectionSlot]!;
    this._connectionGeneration = events[at + Event.connectionGeneration]!;
    this.observer = null;
    this._headText = null;
    this._content = null;
    this._state = PENDING;
    this._command = -1;
    this._wantsSent = false;
    this._flow = null;
  }

  get method(): string {
    return this._runtime.methods[(this._head >>> 8) & 0xff]!;
  }

  get target(): string {
    const start = this._headStart + this._targetStart;
    return this._slab.bytes.latin1Slice(start, start + this._targetLength);
  }

  get httpVersionMinor(): 0 | 1 {
    return this._has(EventFlag.minor1) ? 1 : 0;
  }

  rawHeaders(): string[] {
    const text = (this._headText ??= this._slab.bytes.latin1Slice(this._headStart, this._headStart + this._headLength));
    return this._slab.fields(text, this._fieldsStart, this.headerCount);
  }

  get keepAlive(): boolean {
    return this._has(EventFlag.keepAlive);
  }

  get requestLimit(): 0 | 1 | 2 {
    if (this._has(EventFlag.limitBeyond)) return 2;
    return this._has(EventFlag.limitLast) ? 1 : 0;
  }

  get conditional(): boolean {
    return this._has(EventFlag.conditional);
  }

  get expectContinue(): boolean {
    return this._has(EventFlag.expectContinue);
  }

  get expectOther(): boolean {
    return this._has(EventFlag.expectOther);
  }

  get upgrade(): boolean {
    return this._has(EventFlag.upgrade);
  }

  get connection(): Connection {
    return this._runtime.connection(this._connectionSlot, this._connectionGeneration);
  }

  get open(): boolean {
    return this._state < GIVEN;
  }

  get contentState(): ContentState {
    if (this._has(EventFlag.contentInline)) return 'inline';
    return this._has(EventFlag.contentStreamed) ? 'streamed' : 'none';
  }

  inlineContent(): Buffer {
    if (this._contentBytes === 0) return EMPTY;
    this._content ??= this._slab.chunk(this._contentStart, this._contentBytes);
    return this._content;
  }

  /** A trailer section makes content `streamed`, so inline content has none. */
  inlineTrailers(): string[] {
    return [];
  }

  readContent(sink: ContentSink): void {
    const flow = (this._flow ??= new ContentFlow());
    if (flow.resume(sink) && this._state !== GONE) this._runtime.binding.readContent(this.slot, this.generation);
  }

  pauseContent(): void {
    if (this._flow?.pause() === true) this._runtime.binding.pauseContent(this.slot, this.generation);
  }

  /** The engine throws unread content away when the reply is complete; until then it stays with the peer. */
  discardContent(): void {
    if (this._flow === null) return;
    this._flow.pause();
    this._flow.discard();
    if (this._state !== GONE) this._runtime.binding.discardContent(this.slot, this.generation);
  }

  reply(
    status: number,
    reason: string | null,
    block: string,
    flags: ReplyFlags,
    body: string | Uint8Array | null,
    encoding: 'utf8' | 'latin1' = 'utf8',
  ): void {
    if (this._state !== PENDING) return;
    this._state = GIVEN;
    // A large body may stay here for long, and somebody may ask for its end only then.
    if (body !== null && body.length > LARGE_BODY) this._wantsSent = true;
    if (this._wantsSent) flags |= ReplyFlag.wantsSent;
    this._command = this._runtime.replies.put(this.slot, this.generation, status, reason, block, flags, body, encoding);
    if (!this._wantsSent && !this._isReceiving()) this._runtime.forget(this);
  }

  start(status: number, reason: string | null, block: string, flags: ReplyFlags, contentLength: number): void {
    if (this._state !== PENDING) return;
    this._state = STREAMING;
    if (this._wantsSent) flags |= ReplyFlag.wantsSent;
    this._runtime.binding.start(this.slot, this.generation, status, reason, block, flags, contentLength);
  }

  write(chunk: string | Uint8Array, encoding?: BufferEncoding): boolean {
    if (this._state !== STREAMING) return false;
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
    return this._runtime.binding.write(this.slot, this.generation, bytes) === ROOM;
  }

  end(trailers = ''): void {
    if (this._state !== STREAMING) return;
    this._given();
    this._runtime.binding.end(this.slot, this.generation, trailers);
  }

  sendFile(fd: number, offset: number, length: number): void {
    if (this._state !== STREAMING) return;
    this._given();
    this._runtime.binding.sendFile(this.slot, this.generation, fd, offset, length);
  }

  sendInterim(status: number, block: string): void {
    if (this._state === PENDING) this._runtime.binding.sendInterim(this.slot, this.generation, status, block);
  }

  get bufferedBytes(): number {
    const runtime = this._runtime;
    if (this._state === GONE) return 0;
    if (runtime.replies.isWaiting(this._command, this.slot, this.generation)) return 1;
    if (this._state === GIVEN) return runtime.binding.bufferedRaw(this._connectionSlot, this._connectionGeneration);
    return runtime.binding.buffered(this.slot, this.generation);
  }

  notifySent(): void {
    if (this._wantsSent || this._state === GONE) return;
    this._wantsSent = true;
    if (this._state === PENDING) return;
    const runtime = this._runtime;
    if (this._state === STREAMING) {
      runtime.binding.notifySent(this.slot, this.generation);
    } else if (runtime.replies.isWaiting(this._command, this.slot, this.generation)) {
      runtime.replies.requestSent(this._command);
      runtime.remember(this);
    } else {
      process.nextTick(sentLate, this);
    }
  }

  abort(): void {
    if (this._state === GONE) return;
    const given = this._state === GIVEN;
    this._runtime.binding.collect();
    this._runtime.binding.abort(this.slot, this.generation);
    if (given) this.connection.destroy();
  }

  acceptUpgrade(): Buffer {
    this._state = GONE;
    this._runtime.forget(this);
    return this._runtime.binding.acceptUpgrade(this.slot, this.generation);
  }

  declineUpgrade(): void {
    const streamed = this._runtime.binding.declineUpgrade(this.slot, this.generation) === 1;
    if (streamed) this._head |= EventFlag.contentStreamed << 16;
  }

  // What the runtime calls, in the engine's order.

  receive(slab: Slab, start: number, length: number): void {
    (this._flow ??= new ContentFlow()).receive(slab.chunk(start, length));
  }

  receiveEnd(trailers: string[]): void {
    const flow = (this._flow ??= new ContentFlow());
    flow.ended = true;
    if (this._state === GIVEN && !this._wantsSent) this._runtime.forget(this);
    flow.receiveEnd(trailers);
  }

  drained(): void {
    this.observer?.onDrain();
  }

  sent(): void {
    this._wantsSent = false;
    if (!this._isReceiving()) this._runtime.forget(this);
    this.observer?.onSent();
  }

  aborted(reason: number): void {
    if (this._state === GONE) return;
    this._state = GONE;
    this._runtime.forget(this);
    this.observer?.onAbort(abortError(reason), closeError(reason));
  }

  /** Copies the head out of its slab, unless that is the current one, so that a long-lived exchange does not keep a slab alive. */
  detach(current: Slab): void {
    if (this._slab === current || this._slab.isDetached) return;
    if (this._contentBytes > 0) this._content ??= Buffer.from(this.inlineContent());
    this._slab = this._slab.detached(this._headStart, this._headLength, this._fieldsStart, this.headerCount);
    this._headStart = 0;
    this._fieldsStart = alignToWord(this._headLength);
  }

  private _has(flag: number): boolean {
    return ((this._head >>> 16) & flag) !== 0;
  }

  /** Content is still coming and somebody takes it, now or when it goes on. */
  _isReceiving(): boolean {
    return this._flow !== null && this._flow.isTaken && this._has(EventFlag.contentStreamed);
  }

  /** A streamed reply is about to be complete. Its end is always asked for: somebody may want to know while it is still on its way. */
  private _given(): void {
    if (!this._wantsSent) {
      this._wantsSent = true;
      this._runtime.binding.notifySent(this.slot, this.generation);
    }
    this._state = GIVEN;
  }
}

function sentLate(exchange: EngineExchange): void {
  exchange.observer?.onSent();
}
