/**
 * One guest of this environment: opens it with its first use, sends calls as messages, and settles promises as replies
 * come. Knows values as bytes (`wire`), and nothing of handles but their numbers.
 */
import { isMainThread } from 'node:worker_threads';
import { guestBinding, guestLibrary } from '../exchange/binding.ts';
import { type CallOptions, SYNC_TIMEOUT_MS } from './call-options.ts';
import { type Described, errorOf, GuestError } from './errors.ts';
import type { Caller, HandleMaker, Language, Pending, Settings, Siblings, Write } from './guest-types.ts';
import { Lent, refuseThen, writeAnswer, writeImport } from './guest-messages.ts';
import { References } from './references.ts';
import { Inbox } from './wire/inbox.ts';
import { Outbox } from './wire/outbox.ts';
import { IsolatedKind, Kind, MODULES_MIN, Reply } from './wire/tags.ts';

/** A language that is not here is looked for by starting a program: not for each request. */
const RETRY_MS = 2_000;
/** What the end of a process waits for. */
const EXIT_MS = 1_000;
const INBOX_BYTES = 65_536;
/** Between two looks at the deadline while a call is waited for. */
const SYNC_LOOK_MS = 1_000;
/** Handles that are let go of in one message. */
const RELEASED_PER_MESSAGE = 1_000;

export class Guest implements Caller {
  readonly language: Language;
  readonly #maker: HandleMaker;
  readonly #references = new References();
  readonly #pending = new Map<number, Pending>();
  #index: number | undefined;
  #opening: Promise<void> | undefined;
  #settle: { resolve: () => void; reject: (error: unknown) => void } | undefined;
  #failure: { readonly error: unknown; readonly until: number } | undefined;
  #isOpen = false;
  #isClosed = false;
  generation = 0;
  readonly keepsModules = false;
  #lastCall = 0;
  #outbox: Outbox | undefined;
  #inbox: Uint8Array<ArrayBuffer> | undefined;
  #released: number[] = [];
  #configured: Settings = {};
  readonly #siblings: Siblings | undefined;
  #defined = 0;
  #coming = 0;
  /** Processes that have ended: what they asked is not answered. */
  #ended = 0;
  #onSettled: (() => void) | undefined;
  /** What calls have lent that were given up, until it is known whether the guest has it. */
  readonly #givenUp = new Map<number, readonly number[]>();

  constructor(language: Language, maker: HandleMaker, siblings?: Siblings) {
    this.language = language;
    this.#maker = maker;
    this.#siblings = siblings;
  }

  get name(): string {
    return this.language.name;
  }

  get isStarted(): boolean {
    return this.#opening !== undefined || this.#isOpen;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Calls that have no result yet. */
  get load(): number {
    return this.#pending.size + this.#coming;
  }

  /** What `configure()` has asked for. */
  get configured(): Settings {
    return this.#configured;
  }

  // Opening

  /**
   * What is fixed when the language starts. Checked by the caller.
   * @throws Error once it has been started
   */
  configure(settings: Settings): void {
    if (this.isStarted || this.#index !== undefined)
      throw new Error(`${this.name}.configure(): ${this.name} has been started already, and what it is started with cannot be changed`);
    this.#configured = { ...this.#configured, ...settings };
  }

  open(): Promise<void> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  async #open(): Promise<void> {
    if (this.#isOpen) return;
    try {
      this.#rethrow();
      const settings = await this.language.find(this.#configured);
      if (this.#isOpen) return;
      await new Promise<void>((resolve, reject) => {
        this.#settle = { resolve, reject };
        this.#begin(settings);
        guestBinding().guestReferenced(this.#index as number, true);
      });
    } catch (error) {
      this.#opening = undefined;
      throw this.#failed(error);
    } finally {
      this.#settle = undefined;
      if (this.#index !== undefined) guestBinding().guestReferenced(this.#index, this.#pending.size > 0);
    }
  }

  /** Tried again a little later: somebody may install it. */
  #failed(error: unknown): unknown {
    if (this.#failure?.error !== error) this.#failure = { error, until: performance.now() + RETRY_MS };
    return error;
  }

  #rethrow(): void {
    if (this.#failure !== undefined && performance.now() < this.#failure.until) throw this.#failure.error;
  }

  #begin(settings: Settings): void {
    if (this.#index !== undefined) return;
    if (this.#isClosed) throw new GuestError('ERR_GUEST_UNAVAILABLE', this.name, `this process of ${this.name} was closed`);
    const outbox = this.#newOutbox();
    // The same settings are the same guest, whatever led to them.
    const { version: _version, reason: _reason, ...needed } = settings;
    outbox.value({ ...this.#configured, ...needed });
    const bytes = outbox.bytes.subarray(0, outbox.at);
    this.#index = guestBinding().guestOpen(guestLibrary(this.language.library ?? this.name), bytes, () => this.#onWake());
  }

  /** Opens it while the JavaScript thread waits. */
  openNow(timeoutMs: number): void {
    if (this.#isOpen) return;
    try {
      this.#rethrow();
      if (this.#index === undefined) this.#begin(this.language.findNow(this.#configured));
      this.#look(timeoutMs);
    } catch (error) {
      throw this.#failed(error);
    }
    if (!this.#isOpen) throw new GuestError('ERR_GUEST_TIMEOUT', this.name, `${this.name} did not start within ${timeoutMs} ms`);
  }

  /** Has the opening ended? */
  #look(timeoutMs: number): void {
    const outcome = guestBinding().guestOpened(this.#index as number, timeoutMs);
    if (outcome === undefined) return;
    if (outcome === true) {
      this.#isOpen = true;
      // Closed meanwhile: whoever waits is told so by what it sends.
      if (this.#isClosed) this.close();
      // What a thread's end leaves is the process's; a process of its own writes it when it ends.
      if (isMainThread && this.#siblings === undefined) process.once('exit', () => this.finish(EXIT_MS));
      this.#settle?.resolve();
      return;
    }
    guestBinding().guestReferenced(this.#index as number, false);
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

  async request(kind: number, write: Write, options: CallOptions = {}): Promise<unknown> {
    if (!this.#isOpen) {
      options.signal?.throwIfAborted();
      this.#coming += 1;
      try {
        await this.open();
      } finally {
        this.#coming -= 1;
      }
    }
    return this.#send(kind, write, options);
  }

  requestOpen(kind: number, write: Write, options: CallOptions): Promise<unknown> {
    return this.#isOpen ? this.#send(kind, write, options) : this.request(kind, write, options);
  }

  #send(kind: number, write: Write, options: CallOptions): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const { signal, timeout } = options;
      signal?.throwIfAborted();
      const [call, lent] = this.#submit(kind, write);
      const pending: Pending = { resolve, reject, timer: undefined, signal: undefined, onAbort: undefined, lent };
      if (this.#pending.size === 0) guestBinding().guestReferenced(this.#index as number, true);
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
    if (pending.lent.length > 0) this.#givenUp.set(call, pending.lent);
    guestBinding().guestCancel(this.#index as number, call);
    pending.reject(error);
  }

  #take(call: number): Pending | undefined {
    const pending = this.#pending.get(call);
    if (pending === undefined) return undefined;
    this.#pending.delete(call);
    if (pending.timer !== undefined) clearTimeout(pending.timer);
    if (pending.onAbort !== undefined) pending.signal?.removeEventListener('abort', pending.onAbort);
    if (this.#pending.size === 0) {
      if (this.#settle === undefined) guestBinding().guestReferenced(this.#index as number, false);
      this.#onSettled?.();
    }
    return pending;
  }

  requestNow(kind: number, write: Write, options: CallOptions = {}): unknown {
    const timeout = options.timeout ?? SYNC_TIMEOUT_MS;
    const end = performance.now() + timeout;
    this.openNow(timeout);
    options.signal?.throwIfAborted();
    const [call, lent] = this.#submit(kind, write);
    let outcome: { readonly value?: unknown; readonly error?: unknown } | undefined;
    const pending: Pending = {
      resolve: (value) => (outcome = { value }),
      reject: (error) => (outcome = { error }),
      timer: undefined,
      signal: undefined,
      onAbort: undefined,
      lent,
    };
    if (this.#pending.size === 0) guestBinding().guestReferenced(this.#index as number, true);
    this.#pending.set(call, pending);
    while (outcome === undefined) {
      const left = end - performance.now();
      // By a function that the guest has called.
      if (options.signal?.aborted === true) this.#giveUp(call, options.signal.reason);
      else if (left <= 0) this.#giveUp(call, this.#late(timeout));
      else if (guestBinding().guestWait(this.#index as number, Math.ceil(Math.min(left, SYNC_LOOK_MS)))) this.#receive(true);
    }
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }

  #submit(kind: number, write: Write): readonly [call: number, lent: readonly number[]] {
    const { definitions = [] } = this.#siblings ?? {};
    for (; this.#defined < definitions.length; this.#defined += 1)
      this.#post(0, IsolatedKind.DEFINE, definitions[this.#defined] as Write, false);
    this.#lastCall += 1;
    const call = this.#lastCall;
    return [call, this.#post(call, kind, write, true)];
  }

  /** Gives the numbers of what it lends. */
  #post(call: number, kind: number, write: Write, isCounted: boolean): readonly number[] {
    // A getter or a `toJSON` may come here again.
    const outbox = this.#outbox ?? this.#newOutbox();
    this.#outbox = undefined;
    outbox.start(call, kind);
    let code = -1;
    try {
      write(outbox);
      const attached = outbox.attached.length === 0 ? undefined : outbox.attached;
      code = guestBinding().guestSubmit(this.#index as number, outbox.bytes, outbox.at, isCounted, attached);
    } finally {
      // What did not go over lends nothing.
      if (code !== 0) for (const id of outbox.lent) this.#references.letGo(id);
      outbox.rest();
      this.#outbox = outbox;
    }
    // Nothing has to be told to what is no more.
    if (code === 0 || (code === 2 && !isCounted)) return outbox.lent;
    if (code === 1) throw new GuestError('ERR_GUEST_BUSY', this.name, `as many calls of ${this.name} wait as may: try again later`);
    throw new GuestError('ERR_GUEST_UNAVAILABLE', this.name, `${this.name} has ended`);
  }

  #newOutbox(): Outbox {
    return new Outbox({
      language: this.name,
      handleOf: (value) => {
        const owner = this.#maker.ownerOf(value);
        if (owner !== undefined && owner.id === undefined)
          throw new GuestError('ERR_GUEST_HANDLE', this.name, 'an object that was let go of cannot be given to a call');
        if (owner?.guest === this) return owner.id;
        if (owner !== undefined) this.#siblings?.refuse(owner.guest);
        return undefined;
      },
      isLent: (value) => typeof value === 'function' || value instanceof Lent || this.#maker.ownerOf(value) !== undefined,
      lend: (value) => this.#references.lend(value instanceof Lent ? value.value : value),
    });
  }

  // Replies

  #receive(isWaitedFor = false): void {
    const inbox = (this.#inbox ??= new Uint8Array(INBOX_BYTES));
    const received = guestBinding().guestReceive(this.#index as number, inbox);
    if (received === 0) return;
    const isPlaced = typeof received === 'number';
    const bytes = isPlaced ? inbox.slice(0, received) : new Uint8Array(received[0] as ArrayBuffer);
    const messages = new Inbox(bytes, isPlaced ? [] : received, {
      // Modules are those of all processes.
      handle: (id, className) => this.#maker.make(id < MODULES_MIN ? this : (this.#siblings ?? this), id, className),
      borrowed: (id) => this.#references.get(id),
    });
    while (messages.at < messages.end) {
      const length = messages.uint32();
      const attached = messages.uint32();
      const start = messages.at;
      const taken = messages.taken + attached;
      try {
        this.#settleOne(messages, isWaitedFor);
      } catch (error) {
        messages.at = start;
        this.#misread(messages, error);
      }
      // Whatever was made of it, the next one begins there.
      messages.at = start + length;
      messages.taken = taken;
    }
  }

  /** A message that holds what JavaScript has no value for, as a list that is too long. Of another process it may be broken. */
  #misread(messages: Inbox, cause: unknown): void {
    const kind = messages.byte();
    const id = messages.id();
    const isIsolated = this.#siblings !== undefined;
    const text = isIsolated
      ? `the process of ${this.name} in which the call ran sent what is no value, and is replaced`
      : `what ${this.name} gives cannot be a value of JavaScript's: ${(cause as Error).message}`;
    const error = new GuestError(isIsolated ? 'ERR_GUEST_CRASHED' : 'ERR_GUEST_VALUE', this.name, text, {}, { cause });
    if (kind === Reply.VALUE || kind === Reply.ERROR) this.#take(id)?.reject(error);
    if (isIsolated) this.#post(0, IsolatedKind.DOUBT, () => undefined, false);
    else if (kind === Reply.CALLBACK) this.#answer(id, false, error);
  }

  #settleOne(messages: Inbox, isWaitedFor: boolean): void {
    const kind = messages.byte();
    const id = messages.id();
    switch (kind) {
      case Reply.VALUE: {
        const value = refuseThen(messages.value(), this.name);
        // A handle that nobody waits for is let go of by the registry.
        this.#take(id)?.resolve(value);
        this.#givenUp.delete(id);
        return;
      }
      case Reply.ERROR: {
        const described = messages.value() as Described;
        const error = errorOf(this.name, described);
        this.#take(id)?.reject(error);
        // It waited when it was given up: the guest has not had it.
        if (described.code === 'ERR_GUEST_TIMEOUT') for (const one of this.#givenUp.get(id) ?? []) this.#references.letGo(one);
        this.#givenUp.delete(id);
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
      case Reply.ENDED:
        this.#references.keepOnly([...this.#pending.values()].flatMap((pending) => pending.lent));
        this.#givenUp.clear();
        this.#ended += 1;
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
    const ended = this.#ended;
    (result as PromiseLike<unknown>).then(
      (value) => this.#answer(number, true, value, ended),
      (error: unknown) => this.#answer(number, false, error, ended),
    );
  }

  #answer(number: number, hasReturned: boolean, value: unknown, ended = this.#ended): void {
    if (ended !== this.#ended) return;
    const post = (returned: boolean, answer: unknown): unknown =>
      this.#post(0, Kind.RESOLVE, (outbox) => writeAnswer(outbox, number, returned, answer), false);
    try {
      post(hasReturned, value);
    } catch (error) {
      try {
        post(false, error);
      } catch {
        // An error that throws when it is looked at.
        post(false, 'an error that cannot be read');
      }
    }
  }

  // Handles

  importing(specifier: string, options: Readonly<Record<string, unknown>> | undefined): readonly [kind: number, write: Write] {
    return [Kind.IMPORT, (outbox) => writeImport(outbox, specifier, options)];
  }

  release(id: number): void {
    if (this.#index === undefined || !this.#isOpen) return;
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
        for (const id of some) outbox.id(id);
      };
      this.#post(0, Kind.RELEASE, write, false);
    }
  }

  /** Waits until no call has to be waited for, for so long at most. */
  async settled(timeoutMs: number): Promise<void> {
    if (this.load === 0 || timeoutMs <= 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#onSettled = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Its process ends, and calls of it are an error; for one that is isolated. */
  close(): void {
    this.#isClosed = true;
    if (this.#isOpen) this.#post(0, IsolatedKind.CLOSE, () => undefined, false);
  }

  /** What is buffered is written, and what is to be done at the end of the process: for so long at most. */
  finish(timeoutMs: number): void {
    if (this.#isOpen) guestBinding().guestFinish(this.#index as number, timeoutMs);
  }
}
