/**
 * One guest of this environment: opens it with its first use, sends calls as messages, and settles promises as replies
 * come. Knows values as bytes (`wire`), and nothing of handles but their numbers.
 */
import { isMainThread } from 'node:worker_threads';
import { binding, guestLibrary } from '../exchange/binding.ts';
import { type CallOptions, SYNC_TIMEOUT_MS } from './call-options.ts';
import { type Described, errorOf, GuestError } from './errors.ts';
import { References } from './references.ts';
import { Inbox } from './wire/inbox.ts';
import { Outbox } from './wire/outbox.ts';
import { Kind, Reply } from './wire/tags.ts';

/** What the end of a process waits for. */
const EXIT_MS = 1_000;
const INBOX_BYTES = 65_536;
/** Between two looks at the deadline while a call is waited for. */
const SYNC_LOOK_MS = 1_000;
/** Handles that are let go of in one message. */
const RELEASED_PER_MESSAGE = 1_000;

/**
 * What a language needs to be opened: what `Settings` of `crates/guest/src/language.rs` reads. `version` and `reason` (what
 * chose it) are for people (`look.ts`), and not sent.
 */
export type Settings = Readonly<Record<string, string | number | readonly string[]>>;

export interface Language {
  readonly name: 'python' | 'ruby' | 'java';
  /** Finds the language on this machine. Rejects with what to install. */
  find(): Promise<Settings>;
  /** The same, waiting for it. */
  findNow(): Settings;
}

/** What handles are made by (`handle.ts`). */
export interface HandleMaker {
  make(guest: Guest, id: number, abilities: number, className: string): object;
  /** Whose handle that is. */
  ownerOf(value: object): { readonly guest: Guest; readonly id: number | undefined } | undefined;
}

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  timer: NodeJS.Timeout | undefined;
  signal: AbortSignal | undefined;
  onAbort: (() => void) | undefined;
}

/** Writes what follows the kind of a message. */
export type Write = (outbox: Outbox) => void;

export class Guest {
  readonly language: Language;
  readonly #maker: HandleMaker;
  readonly #references = new References();
  readonly #pending = new Map<number, Pending>();
  #index: number | undefined;
  #opening: Promise<void> | undefined;
  #settle: { resolve: () => void; reject: (error: unknown) => void } | undefined;
  #isOpen = false;
  #lastCall = 0;
  #outbox: Outbox | undefined;
  #inbox: Uint8Array<ArrayBuffer> | undefined;
  #released: number[] = [];

  constructor(language: Language, maker: HandleMaker) {
    this.language = language;
    this.#maker = maker;
  }

  get name(): string {
    return this.language.name;
  }

  /** Whether it was opened, or is being. */
  get isStarted(): boolean {
    return this.#opening !== undefined || this.#isOpen;
  }

  // Opening

  open(): Promise<void> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  async #open(): Promise<void> {
    if (this.#isOpen) return;
    try {
      const settings = await this.language.find();
      if (this.#isOpen) return;
      await new Promise<void>((resolve, reject) => {
        this.#settle = { resolve, reject };
        this.#begin(settings);
        binding().guestReferenced(this.#index as number, true);
      });
    } catch (error) {
      // The next call tries again: somebody may have installed it.
      this.#opening = undefined;
      throw error;
    } finally {
      this.#settle = undefined;
      if (this.#index !== undefined) binding().guestReferenced(this.#index, this.#pending.size > 0);
    }
  }

  #begin(settings: Settings): void {
    if (this.#index !== undefined) return;
    const outbox = this.#newOutbox();
    // The same settings are the same guest, whatever led to them.
    const { version: _version, reason: _reason, ...needed } = settings;
    outbox.value(needed);
    const bytes = outbox.bytes.subarray(0, outbox.at);
    this.#index = binding().guestOpen(guestLibrary(this.name), bytes, () => this.#onWake());
  }

  /** Opens it while the JavaScript thread waits. */
  openNow(timeoutMs: number): void {
    if (this.#isOpen) return;
    if (this.#index === undefined) this.#begin(this.language.findNow());
    this.#look(timeoutMs);
    if (!this.#isOpen) throw new GuestError('ERR_GUEST_TIMEOUT', this.name, `${this.name} did not start within ${timeoutMs} ms`);
  }

  /** Has the opening ended? */
  #look(timeoutMs: number): void {
    const outcome = binding().guestOpened(this.#index as number, timeoutMs);
    if (outcome === undefined) return;
    if (outcome === true) {
      this.#isOpen = true;
      // What a thread's end leaves is the process's.
      if (isMainThread) process.once('exit', () => this.finish(EXIT_MS));
      this.#settle?.resolve();
      return;
    }
    this.#index = undefined;
    const error = new GuestError('ERR_GUEST_UNAVAILABLE', this.name, outcome);
    if (this.#settle === undefined) throw error;
    this.#settle.reject(error);
  }

  #onWake(): void {
    if (!this.#isOpen) {
      if (this.#index !== undefined) this.#look(0);
      if (!this.#isOpen) return;
    }
    this.#receive();
  }

  // Calls

  /** Sends a message, and gives what is replied. */
  async request(kind: number, write: Write, options: CallOptions = {}): Promise<unknown> {
    if (!this.#isOpen) {
      options.signal?.throwIfAborted();
      await this.open();
    }
    return this.#send(kind, write, options);
  }

  /** The same for a guest that is open, without a step between. */
  requestOpen(kind: number, write: Write, options: CallOptions): Promise<unknown> {
    return this.#isOpen ? this.#send(kind, write, options) : this.request(kind, write, options);
  }

  #send(kind: number, write: Write, options: CallOptions): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const { signal, timeout } = options;
      signal?.throwIfAborted();
      const call = this.#submit(kind, write);
      const pending: Pending = { resolve, reject, timer: undefined, signal: undefined, onAbort: undefined };
      if (this.#pending.size === 0) binding().guestReferenced(this.#index as number, true);
      this.#pending.set(call, pending);
      if (timeout !== undefined) pending.timer = setTimeout(() => this.#giveUp(call, this.#late(timeout)), timeout);
      if (signal !== undefined) {
        pending.signal = signal;
        pending.onAbort = () => this.#giveUp(call, signal.reason);
        signal.addEventListener('abort', pending.onAbort, { once: true });
      }
    });
  }

  #late(timeoutMs: number): GuestError {
    return new GuestError('ERR_GUEST_TIMEOUT', this.name, `the call was given up after ${timeoutMs} ms`);
  }

  #giveUp(call: number, error: unknown): void {
    const pending = this.#take(call);
    if (pending === undefined) return;
    binding().guestCancel(this.#index as number, call);
    pending.reject(error);
  }

  #take(call: number): Pending | undefined {
    const pending = this.#pending.get(call);
    if (pending === undefined) return undefined;
    this.#pending.delete(call);
    if (pending.timer !== undefined) clearTimeout(pending.timer);
    if (pending.onAbort !== undefined) pending.signal?.removeEventListener('abort', pending.onAbort);
    if (this.#pending.size === 0 && this.#settle === undefined) binding().guestReferenced(this.#index as number, false);
    return pending;
  }

  /** Sends a message, and waits for the reply. Functions that the guest calls meanwhile run. */
  requestNow(kind: number, write: Write, options: CallOptions = {}): unknown {
    const timeout = options.timeout ?? SYNC_TIMEOUT_MS;
    const end = performance.now() + timeout;
    this.openNow(timeout);
    options.signal?.throwIfAborted();
    const call = this.#submit(kind, write);
    let outcome: { readonly value?: unknown; readonly error?: unknown } | undefined;
    const pending: Pending = {
      resolve: (value) => (outcome = { value }),
      reject: (error) => (outcome = { error }),
      timer: undefined,
      signal: undefined,
      onAbort: undefined,
    };
    this.#pending.set(call, pending);
    while (outcome === undefined) {
      const left = end - performance.now();
      if (left <= 0) this.#giveUp(call, this.#late(timeout));
      else if (binding().guestWait(this.#index as number, Math.ceil(Math.min(left, SYNC_LOOK_MS)))) this.#receive(true);
    }
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }

  #submit(kind: number, write: Write): number {
    this.#lastCall += 1;
    const call = this.#lastCall;
    this.#post(call, kind, write, true);
    return call;
  }

  #post(call: number, kind: number, write: Write, isCounted: boolean): void {
    // A getter or a `toJSON` may come here again.
    const outbox = this.#outbox ?? this.#newOutbox();
    this.#outbox = undefined;
    outbox.start(call, kind);
    let code: number;
    try {
      write(outbox);
      const attached = outbox.attached.length === 0 ? undefined : outbox.attached;
      code = binding().guestSubmit(this.#index as number, outbox.bytes, outbox.at, isCounted, attached);
    } finally {
      outbox.rest();
      this.#outbox = outbox;
    }
    if (code === 1) throw new GuestError('ERR_GUEST_BUSY', this.name, `as many calls of ${this.name} wait as may: try again later`);
    if (code === 2) throw new GuestError('ERR_GUEST_UNAVAILABLE', this.name, `${this.name} has ended`);
  }

  #newOutbox(): Outbox {
    return new Outbox({
      language: this.name,
      handleOf: (value) => {
        const owner = this.#maker.ownerOf(value);
        if (owner !== undefined && owner.id === undefined)
          throw new GuestError('ERR_GUEST_HANDLE', this.name, 'an object that was let go of cannot be given to a call');
        return owner?.guest === this ? owner.id : undefined;
      },
      isLent: (value) => typeof value === 'function' || value instanceof Lent || this.#maker.ownerOf(value) !== undefined,
      lend: (value) => this.#references.lend(value instanceof Lent ? value.value : value),
    });
  }

  // Replies

  #receive(isWaitedFor = false): void {
    const inbox = (this.#inbox ??= new Uint8Array(INBOX_BYTES));
    const received = binding().guestReceive(this.#index as number, inbox);
    if (received === 0) return;
    const isPlaced = typeof received === 'number';
    const bytes = isPlaced ? inbox.slice(0, received) : new Uint8Array(received[0] as ArrayBuffer);
    const messages = new Inbox(bytes, isPlaced ? [] : received, {
      handle: (id, abilities, className) => this.#maker.make(this, id, abilities, className),
      borrowed: (id) => this.#references.get(id),
    });
    while (messages.at < messages.end) {
      const length = messages.uint32();
      messages.uint32();
      const end = messages.at + length;
      this.#settleOne(messages, isWaitedFor);
      // Whatever was made of it, the next one begins there.
      messages.at = end;
    }
  }

  #settleOne(messages: Inbox, isWaitedFor: boolean): void {
    const kind = messages.byte();
    const id = messages.size();
    switch (kind) {
      case Reply.VALUE: {
        const pending = this.#take(id);
        const value = messages.value();
        // A handle that nobody waits for is let go of by the registry.
        pending?.resolve(value);
        return;
      }
      case Reply.ERROR: {
        const pending = this.#take(id);
        const described = messages.value() as Described;
        pending?.reject(errorOf(this.name, described));
        return;
      }
      case Reply.CALLBACK: {
        const target = messages.size();
        const args = Array.from({ length: messages.size() }, () => messages.value());
        this.#called(id, target, args, isWaitedFor);
        return;
      }
      case Reply.LET_GO:
        this.#references.letGo(id);
        return;
      default:
        throw new Error(`a message of the kind ${kind} from ${this.name}`);
    }
  }

  /** The guest calls a function of JavaScript's. */
  #called(number: number, target: number, args: readonly unknown[], isWaitedFor: boolean): void {
    let result: unknown;
    try {
      result = this.#references.call(target, args);
    } catch (error) {
      return this.#answer(number, false, error);
    }
    if (typeof (result as PromiseLike<unknown> | undefined)?.then !== 'function' || this.#maker.ownerOf(result as object) !== undefined)
      return this.#answer(number, true, result);
    if (isWaitedFor) {
      const reason = 'a function that is called while the JavaScript thread waits (sync: true) cannot return a promise';
      return this.#answer(number, false, new TypeError(reason));
    }
    (result as PromiseLike<unknown>).then(
      (value) => this.#answer(number, true, value),
      (error: unknown) => this.#answer(number, false, error),
    );
  }

  #answer(number: number, hasReturned: boolean, value: unknown): void {
    try {
      this.#post(0, Kind.RESOLVE, (outbox) => this.#writeAnswer(outbox, number, hasReturned, value), false);
    } catch (error) {
      this.#post(0, Kind.RESOLVE, (outbox) => this.#writeAnswer(outbox, number, false, error), false);
    }
  }

  #writeAnswer(outbox: Outbox, number: number, hasReturned: boolean, value: unknown): void {
    outbox.size(number);
    outbox.byte(hasReturned ? 1 : 0);
    if (hasReturned) outbox.value(value);
    else if (value instanceof Error) {
      outbox.value({ name: value.name, message: value.message, stack: value.stack, reference: new Lent(value) });
    } else outbox.value({ name: 'Error', message: String(value) });
  }

  // Handles

  /** A handle is not used any more. */
  release(id: number): void {
    if (this.#index === undefined) return;
    this.#released.push(id);
    if (this.#released.length === 1) setImmediate(() => this.#flushReleased());
  }

  #flushReleased(): void {
    const released = this.#released;
    this.#released = [];
    for (let from = 0; from < released.length; from += RELEASED_PER_MESSAGE) {
      const some = released.slice(from, from + RELEASED_PER_MESSAGE);
      const write: Write = (outbox) => {
        outbox.size(some.length);
        for (const id of some) outbox.size(id);
      };
      this.#post(0, Kind.RELEASE, write, false);
    }
  }

  /** Objects of JavaScript's that the guest has. */
  get lentCount(): number {
    return this.#references.size;
  }

  /** What is buffered is written, and what is to be done at the end of the process: for so long at most. */
  finish(timeoutMs: number): void {
    if (this.#isOpen) binding().guestFinish(this.#index as number, timeoutMs);
  }
}

/** An object that goes over as itself, though it could be a value. */
class Lent {
  readonly value: object;

  constructor(value: object) {
    this.value = value;
  }
}
