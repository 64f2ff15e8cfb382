/**
 * One engine per JavaScript thread: shared memory, the batch loop, and who is who. Called by the host for
 * each batch of events, in as many calls as clients need turns.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { binding as loadBinding, type Binding } from './binding.ts';
import { EngineConnection } from './connection.ts';
import { attachLoop, EngineExchange, leaveSlab } from './exchange.ts';
import { BegunExchanges } from './begun-exchanges.ts';
import { closeError } from './errors.ts';
import { nativeView, wordsOf } from './node-buffer.ts';
import { Control, Event, EVENT_KIND_LAST_OF_EXCHANGE, EVENT_WORDS, EventKind } from './format.ts';
import type { EngineListener } from './listener.ts';
import { ReplyArena } from './reply-arena.ts';
import { Slab } from './slab.ts';
import type { SocketAddress } from './types.ts';
import { readGlobal } from '../host/globals.ts';

/** A batch that has run this long lets the engine send what is answered before it goes on, in ms. */
const BATCH_TIME_MAX_MS = 1;
/**
 * After how many events the clock is read, which costs more than their ticks; after each one where a batch
 * was found to run long.
 */
const EVENTS_PER_LOOK = 4;

/** Instead of a connection's slot: nobody's handler has run; one has, of no request. */
const NOTHING = -1;
const ELSEWHERE = -2;

/**
 * Runs Node's ticks and promise callbacks without an end of the call into JavaScript, which costs more than a
 * small request. Undefined where there is no such function, or not Node's (with `--pending-deprecation` a
 * call of it would be told of): then calls end.
 */
const runTicks = ticksOfNode();

function ticksOfNode(): (() => void) | undefined {
  const { _tickCallback: ticks } = process as { _tickCallback?: () => void };
  return ticks?.name === 'runNextTicks' ? ticks : undefined;
}

/** Since this version of Node contexts are frames. */
const FRAMES_SINCE = 24;

/** A runner of functions in the context of now; none where contexts are no frames. */
function contextOfNow(): ((call: () => void) => void) | undefined {
  return Number.parseInt(process.versions.node, 10) < FRAMES_SINCE ? undefined : AsyncLocalStorage.snapshot();
}

/** Not for a start's first replies, nor for a probe now and then at once. */
const BATCHES_BEFORE_TRAFFIC = 32;

function tellOfTraffic(): void {
  readGlobal('fulmar.traffic')?.();
}

export class BatchLoop {
  readonly binding: Binding;
  readonly replies: ReplyArena;
  readonly methods: readonly string[];
  readonly #events: Uint32Array;
  readonly #control: Uint32Array;
  readonly #exchanges: (EngineExchange | undefined)[] = [];
  readonly #connections: (EngineConnection | undefined)[] = [];
  readonly #listeners: (EngineListener | undefined)[] = [];
  /** Closed listeners whose slot was reused before they were told of their end. */
  #replaced: EngineListener[] = [];
  /** Of the batch that runs. */
  #count = 0;
  #eventsPerLook = EVENTS_PER_LOOK;
  /** A call of this batch ran long. */
  #ranLong = false;
  /** The current turn has handlers that did more than answer at once. */
  #hasOpen = false;
  #untilTraffic = BATCHES_BEFORE_TRAFFIC;
  #slab = new Slab();
  /**
   * Runs a call in the context of the first `listen`: Node leaves the context of a tick that throws behind,
   * for whoever comes next.
   */
  readonly #root: ((call: () => void) => void) | undefined;
  /** Of the current slab, and of the one before. */
  #begun = new BegunExchanges();
  #begunBefore = new BegunExchanges();
  #rejectReasons: readonly (readonly [string, string])[] | undefined;

  constructor(binding: Binding) {
    this.binding = binding;
    this.methods = binding.methods();
    this.#root = binding.settle === undefined ? contextOfNow() : undefined; // The QuickJS host puts contexts right by itself.
    const onBatch = (count: number, slabBytes: number): void => {
      if (this.#root === undefined || this.#control[Control.failed] === 0) this.#onBatch(count, slabBytes);
      else this.#root(() => this.#onBatchReporting(count, slabBytes));
    };
    // By index, here and in `#replaceSlab`: to destructure is to call the iterator of arrays, which may be
    // the application's.
    const memories = binding.setup(this, onBatch);
    this.#control = wordsOf(memories[0]);
    this.#events = wordsOf(memories[1]);
    this.replies = new ReplyArena(binding, { control: this.#control, commands: wordsOf(memories[2]), arena: nativeView(memories[3]) });
    binding.setSlab(this.#slab.bytes);
    attachLoop(this);
    // Replies given right before process.exit() must leave, as they do from node:http.
    process.on('exit', () => binding.collect());
    readGlobal('fulmar.request-watcher')?.(() => this.#openRequests());
  }

  #openRequests(): { method: string; target: string }[] {
    const requests: { method: string; target: string }[] = [];
    for (let slot = 0; slot < this.#exchanges.length; slot++) {
      const exchange = this.#exchanges[slot];
      if (exchange?.open === true) requests.push({ method: exchange.method, target: exchange.target });
    }
    return requests;
  }

  addListener(listener: EngineListener): void {
    const before = this.#listeners[listener.slot];
    // The engine has reused the slot of a listener that is closed; the notice of its end is still on its way.
    if (before !== undefined) this.#replaced.push(before);
    this.#listeners[listener.slot] = listener;
  }

  connection(slot: number, generation: number): EngineConnection {
    const known = this.#connections[slot];
    if (known !== undefined && known.generation === generation) return known;
    const made = new EngineConnection(this.binding, slot, generation);
    if (made.open) this.#connections[slot] = made;
    return made;
  }

  /** No further events are expected for this exchange. */
  forget(exchange: EngineExchange): void {
    if (this.#exchanges[exchange.slot] === exchange) this.#exchanges[exchange.slot] = undefined;
  }

  remember(exchange: EngineExchange): void {
    this.#exchanges[exchange.slot] = exchange;
  }

  /**
   * All connections of a listener are gone: requests of theirs that have come in this batch, behind the
   * present one, are not begun.
   */
  dropRequests(listener: number): void {
    const events = this.#events;
    for (let at = this.#control[Control.cursor]! * EVENT_WORDS; at < this.#count * EVENT_WORDS; at += EVENT_WORDS) {
      const kind = events[at]! & 0xff;
      const isBegin = kind === EventKind.request || kind === EventKind.upgrade;
      // News of an exchange that nobody knows.
      if (isBegin && events[at + Event.listener] === listener) events[at] = EventKind.sent;
    }
  }

  /**
   * Ticks and promises of a client's handlers run before the next client's handler, as where each read has a
   * turn of its own: here, or at the end of the call, and the host calls again from the cursor. `slabBytes`:
   * another slab is needed, of so many bytes at the least; 0: the slab stays. Only ever between two batches.
   */
  #onBatch(count: number, slabBytes: number): void {
    const control = this.#control;
    const from = control[Control.cursor]!;
    const events = this.#events;
    const last = count - 1;
    this.#count = count;
    // Not `performance.now()`: the QuickJS host would load `node:perf_hooks` for it.
    const start = from < last ? Date.now() : 0;
    let look = from + this.#eventsPerLook - 1;
    let turn = NOTHING;
    for (let i = from; i < count; i++) {
      // Set before the event is handled: should a handler throw, the batch goes on behind it.
      control[Control.cursor] = i + 1;
      const at = i * EVENT_WORDS;
      const kind = events[at]! & 0xff;
      const left = kind === EventKind.request ? this.#begin(kind, at) : this.#dispatch(kind, at);
      if (i === last) break;
      if (left !== NOTHING) turn = left;
      if (turn !== NOTHING && !this.#isOfOneTurn(turn, kind, at + EVENT_WORDS)) {
        if (!this.#endTurn()) return;
        turn = NOTHING;
        i = control[Control.cursor]! - 1; // News of an end may stand there now.
        if (this.#hasOpen) look = i;
        this.#hasOpen = false;
      }
      // Not within a turn: in Node, too, nothing comes between requests of one read.
      if (i >= look && turn === NOTHING) {
        if (Date.now() - start > BATCH_TIME_MAX_MS) {
          this.#eventsPerLook = 1;
          this.#ranLong = true;
          return;
        }
        look = i + this.#eventsPerLook;
      }
    }
    this.#count = 0;
    if (!this.#ranLong) this.#eventsPerLook = EVENTS_PER_LOOK;
    this.#ranLong = false;
    if (this.#untilTraffic > 0 && --this.#untilTraffic === 0) setImmediate(tellOfTraffic);
    if (slabBytes > 0) this.#replaceSlab(slabBytes);
  }

  /** As `#onBatch`, within a context that an error would leave on its way to the host. */
  #onBatchReporting(count: number, slabBytes: number): void {
    try {
      this.#onBatch(count, slabBytes);
    } catch (error) {
      this.binding.reportUncaught?.(error);
      throw error;
    }
  }

  /** Runs ticks and promises. False: the host is to do it. */
  #endTurn(): boolean {
    const { binding } = this;
    if (binding.settle !== undefined) binding.settle();
    else if (runTicks === undefined || binding.reportUncaught === undefined) return false;
    else {
      try {
        runTicks();
      } catch (error) {
        // Here and not at the end of the call: Node takes its stack of asynchronous contexts for broken if a
        // tick's error comes that way.
        binding.reportUncaught(error);
        throw error;
      }
    }
    if (this.#control[Control.sentAwaited] !== 0) {
      if (this.#eventsPerLook === 1) binding.collect(); // Who is told may take long, and the reply is not to wait for it.
      binding.tellAwaited();
    }
    return true;
  }

  /**
   * Do Node's handlers get the event at `next` in the same turn as those of connection `slot` before it, the
   * last of which had this kind? So it is with heads of one read and with content behind its head; behind
   * each piece of content, and behind news of what was sent, ticks run.
   */
  #isOfOneTurn(slot: number, kind: number, next: number): boolean {
    const events = this.#events;
    const nextKind = events[next]! & 0xff;
    if (nextKind === EventKind.listenerClosed) return true; // The server hears at once of the end of its last connection.
    if (kind === EventKind.content || kind === EventKind.drain || kind === EventKind.sent) return false;
    if (nextKind === EventKind.request) return events[next + Event.connectionSlot] === slot;
    if (nextKind !== EventKind.content && nextKind !== EventKind.contentEnd) return false;
    return this.#exchanges[events[next + Event.slot]!]?.connectionSlot === slot;
  }

  /** The connection whose handlers have run. */
  #begin(kind: number, at: number): number {
    const events = this.#events;
    const exchange = new EngineExchange(this.#slab, events, at);
    const slot = exchange.slot;
    this.#exchanges[slot] = exchange;
    this.#begun.add(slot);
    const listener = this.#listeners[events[at + Event.listener]!];
    if (listener === undefined) return NOTHING;
    if (kind === EventKind.request) listener.observer.onRequest(exchange);
    else listener.observer.onUpgrade(exchange);
    if (this.#exchanges[slot] === exchange) this.#hasOpen = true;
    return exchange.connectionSlot;
  }

  /** As `#begin`; `ELSEWHERE` for what belongs to no request. */
  #dispatch(kind: number, at: number): number {
    const events = this.#events;
    if (kind === EventKind.upgrade) return this.#begin(kind, at);
    this.#hasOpen = true;
    if (kind <= EVENT_KIND_LAST_OF_EXCHANGE) {
      const exchange = this.#exchanges[events[at + Event.slot]!];
      if (exchange?.generation !== events[at + Event.generation]!) return NOTHING;
      this.#dispatchExchange(kind, exchange, at);
      return exchange.connectionSlot;
    }
    if (kind === EventKind.drop || kind === EventKind.listenerClosed) this.#dispatchListener(kind, at);
    else this.#dispatchConnection(kind, at);
    return ELSEWHERE;
  }

  #dispatchExchange(kind: number, exchange: EngineExchange, at: number): void {
    const events = this.#events;
    if (kind === EventKind.content) {
      exchange.receive(this.#slab.chunk(events[at + Event.contentStart]!, events[at + Event.contentLen]!));
    } else if (kind === EventKind.contentEnd) {
      leaveSlab(exchange, this.#slab);
      exchange.receiveEnd(this.#trailers(at));
    } else if (kind === EventKind.abort) {
      // Soon it is garbage, which may lie about for long: not with a slab for each upload that was broken
      // off.
      leaveSlab(exchange, this.#slab);
      exchange.aborted(events[at + Event.headStart]!);
    } else if (kind === EventKind.drain) {
      exchange.drained();
    } else {
      exchange.sent();
    }
  }

  #trailers(at: number): string[] {
    const events = this.#events;
    const count = events[at + Event.fieldsLen]!;
    if (count === 0) return [];
    return this.#slab.trailers(events[at + Event.headStart]!, events[at + Event.headLen]!, events[at + Event.fieldsStart]!, count);
  }

  #dispatchListener(kind: number, at: number): void {
    const events = this.#events;
    const slot = events[at + Event.listener]!;
    const generation = events[at + Event.generation]!;
    const current = this.#listeners[slot];
    if (kind === EventKind.listenerClosed) {
      if (current?.generation === generation) this.#listeners[slot] = undefined;
      this.#finishListener(slot, generation, current);
      return;
    }
    if (current?.generation !== generation) return;
    const local = ipv4(events[at + Event.headStart]!, events[at + Event.headLen]!);
    current.observer.onDrop(local, ipv4(events[at + Event.targetStart]!, events[at + Event.targetLen]!));
  }

  #finishListener(slot: number, generation: number, current: EngineListener | undefined): void {
    const isClosed = (one: EngineListener): boolean => one.slot === slot && one.generation === generation;
    const closed = current !== undefined && isClosed(current) ? current : this.#replaced.find(isClosed);
    if (this.#replaced.length > 0) this.#replaced = this.#replaced.filter((one) => one !== closed);
    closed?.finished();
  }

  #dispatchConnection(kind: number, at: number): void {
    const events = this.#events;
    const slot = events[at + Event.slot]!;
    const generation = events[at + Event.generation]!;
    if (kind === EventKind.connectionClosed) {
      const known = this.#connections[slot];
      if (known?.generation !== generation) return;
      this.#connections[slot] = undefined;
      const received = wide(events[at + Event.lengthLow]!, events[at + Event.lengthHigh]!);
      const sent = wide(events[at + Event.contentStart]!, events[at + Event.contentLen]!);
      known.closed(events[at + Event.headStart]!, received, sent);
      return;
    }
    const connection = this.connection(slot, generation);
    const start = events[at + Event.contentStart]!;
    if (kind === EventKind.rawData) {
      connection.observer?.onData(this.#slab.chunk(start, events[at + Event.contentLen]!));
    } else if (kind === EventKind.rawEnd) {
      connection.observer?.onEnd();
    } else if (kind === EventKind.connectionDrain) {
      connection.observer?.onDrain();
    } else {
      this.#dispatchServer(kind, connection, at);
    }
  }

  #dispatchServer(kind: number, connection: EngineConnection, at: number): void {
    const events = this.#events;
    const observer = this.#listeners[events[at + Event.listener]!]?.observer;
    if (observer === undefined) return;
    if (kind === EventKind.connection) {
      observer.onConnection(connection);
    } else if (kind === EventKind.timeout) {
      const exchange = this.#exchanges[events[at + Event.contentStart]!];
      observer.onTimeout(connection, exchange?.generation === events[at + Event.contentLen]! ? exchange : null);
    } else if (kind === EventKind.connectionLost) {
      const error = closeError(events[at + Event.headStart]!);
      if (error !== null) observer.onLost(connection, error);
    } else {
      const start = events[at + Event.headStart]!;
      const raw = this.#slab.chunk(start, events[at + Event.headLen]!);
      const [code, reason] = this.#reject(events[at + Event.targetStart]!);
      observer.onReject(connection, { status: events[at + Event.targetLen]!, code, reason, raw });
    }
  }

  #reject(index: number): readonly [string, string] {
    this.#rejectReasons ??= this.binding.rejectReasons();
    return this.#rejectReasons[index]!;
  }

  /**
   * Exchanges that outlive the slab after theirs copy their heads, so that slabs do not pile up behind slow
   * handlers.
   */
  #replaceSlab(bytesMin: number): void {
    const slab = new Slab(bytesMin); // What fails here leaves everything as it was.
    this.binding.setSlab(slab.bytes);
    const before = this.#slab;
    const old = this.#begunBefore;
    this.#slab = slab;
    this.#begunBefore = this.#begun;
    this.#begun = old;
    old.drain((slot) => {
      const exchange = this.#exchanges[slot];
      if (exchange !== undefined) leaveSlab(exchange, before);
    });
    tellOfTraffic();
  }
}

const WORD = 0x1_0000_0000;

/** A number of two words. */
function wide(low: number, high: number): number {
  return high * WORD + low;
}

function ipv4(address: number, port: number): SocketAddress | null {
  if (address === 0) return null;
  const text = [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff).join('.');
  return { address: text, port, family: 'IPv4' };
}

let loop: BatchLoop | undefined;

/** The thread's loop, made on first use. */
export function sharedLoop(): BatchLoop {
  loop ??= new BatchLoop(loadBinding());
  return loop;
}
