/**
 * One guest of this environment: opens it with its first use, sends calls as messages, and settles promises as replies
 * come. Knows values as bytes (`wire`), and nothing of handles but their numbers.
 */
import { isMainThread } from 'node:worker_threads';
import { guestBinding } from '../exchange/binding.ts';
import { SYNC_TIMEOUT_MS } from './call-options.ts';
import { GuestError, showAwaiting } from './errors.ts';
import { Incoming } from './guest-incoming.ts';
import { writeImport } from './guest-messages.ts';
import { type Opened, Opening } from './guest-opening.ts';
import { Outgoing } from './guest-outgoing.ts';
import type { Caller, HandleMaker, Language, Named, Pending, SentOptions, Settings, Siblings, Write } from './guest-types.ts';
import { References } from './references.ts';
import { IsolatedKind, Kind } from './wire/tags.ts';

/** What the end of a process waits for. */
const EXIT_MS = 1_000;
/** Between two looks at the deadline while a call is waited for. */
const SYNC_LOOK_MS = 1_000;
/** Handles that are let go of in one message. */
const RELEASED_PER_MESSAGE = 1_000;

export class Guest implements Caller, Opened {
  readonly language: Language;
  readonly keepsModules = false;
  generation = 0;
  readonly #opening: Opening;
  readonly #outgoing: Outgoing;
  readonly #incoming: Incoming;
  readonly #pending = new Map<number, Pending>();
  readonly #siblings: Siblings | undefined;
  #lastCall = 0;
  #released: number[] = [];
  /** Of the siblings' modules: how many this process knows. */
  #defined = 0;
  /** Calls that wait for the start. */
  #coming = 0;
  #onSettled: (() => void)[] = [];

  constructor(language: Language, maker: HandleMaker, siblings?: Siblings) {
    this.language = language;
    this.#siblings = siblings;
    const references = new References();
    this.#opening = new Opening(this);
    const settings = (): Settings => this.#opening.settings;
    this.#outgoing = new Outgoing({ guest: this, maker, references, siblings, settings });
    this.#incoming = new Incoming(
      { guest: this, maker, references, siblings, settings },
      {
        take: (call) => this.#take(call),
        lent: () => [...this.#pending.values()].flatMap((pending) => pending.lent),
        tell: (kind, write) => this.#tell(kind, write),
      },
    );
  }

  get name(): string {
    return this.language.name;
  }

  get isStarted(): boolean {
    return this.#opening.isStarted;
  }

  get isOpen(): boolean {
    return this.#opening.isOpen;
  }

  get hasCalls(): boolean {
    return this.#pending.size > 0;
  }

  /** Calls that have no result yet. */
  get load(): number {
    return this.#pending.size + this.#coming;
  }

  /** What `configure()` has asked for. */
  get configured(): Settings {
    return this.#opening.configured;
  }

  // Its start

  /**
   * What is fixed when the language starts. Checked by the caller.
   * @throws Error once it has been started
   */
  configure(settings: Settings): void {
    this.#opening.configure(settings);
  }

  open(): Promise<void> {
    return this.#opening.open();
  }

  encode(settings: Settings): Uint8Array {
    return this.#outgoing.encode(settings);
  }

  begun(): void {
    // Closed meanwhile: whoever waits is told so by what it sends.
    if (this.#opening.isClosed) this.close();
    // What a thread's end leaves is the process's; a process of its own writes it when it ends.
    if (isMainThread && this.#siblings === undefined) process.once('exit', () => this.finish(EXIT_MS));
  }

  get #index(): number {
    return this.#opening.index as number;
  }

  // Calls

  async request(kind: number, write: Write, options: SentOptions = {}): Promise<unknown> {
    if (!this.isOpen) {
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

  requestOpen(kind: number, write: Write, options: SentOptions): Promise<unknown> {
    return this.isOpen ? this.#send(kind, write, options) : this.request(kind, write, options);
  }

  #send(kind: number, write: Write, options: SentOptions): Promise<unknown> {
    return new Promise((resolve) => {
      const { signal, timeout, what } = options;
      signal?.throwIfAborted();
      const [call, pending] = this.#submit(kind, write, resolve, (error) => resolve(thrownLater(error)));
      if (timeout !== undefined) pending.timer = setTimeout(() => this.#giveUp(call, this.#late(timeout, what)), timeout);
      if (signal !== undefined) {
        pending.signal = signal;
        pending.onAbort = () => this.#giveUp(call, signal.reason);
        signal.addEventListener('abort', pending.onAbort, { once: true });
      }
    });
  }

  requestNow(kind: number, write: Write, options: SentOptions = {}): unknown {
    const timeout = options.timeout ?? SYNC_TIMEOUT_MS;
    const end = performance.now() + timeout;
    this.#opening.openNow(timeout);
    options.signal?.throwIfAborted();
    let outcome: { readonly value?: unknown; readonly error?: unknown } | undefined;
    const [call] = this.#submit(
      kind,
      write,
      (value) => (outcome = { value }),
      (error) => (outcome = { error }),
    );
    while (outcome === undefined) {
      const left = end - performance.now();
      // By a function that the guest has called.
      if (options.signal?.aborted === true) this.#giveUp(call, options.signal.reason);
      else if (left <= 0) this.#giveUp(call, this.#late(timeout, options.what));
      else if (guestBinding().guestWait(this.#index, Math.ceil(Math.min(left, SYNC_LOOK_MS)))) this.receive(true);
    }
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }

  #submit(kind: number, write: Write, resolve: Pending['resolve'], reject: Pending['reject']): readonly [call: number, pending: Pending] {
    const { definitions = [] } = this.#siblings ?? {};
    for (; this.#defined < definitions.length; this.#defined += 1) this.#tell(IsolatedKind.DEFINE, definitions[this.#defined] as Write);
    this.#lastCall += 1;
    const call = this.#lastCall;
    const { lent, owners } = this.#outgoing.post(this.#index, call, kind, write);
    for (const owner of owners) owner.hold();
    const pending: Pending = { resolve, reject, timer: undefined, signal: undefined, onAbort: undefined, lent, owners };
    if (this.#pending.size === 0) guestBinding().guestReferenced(this.#index, true);
    this.#pending.set(call, pending);
    return [call, pending];
  }

  /** A message that has no reply. */
  #tell(kind: number, write: Write): Named {
    return this.#outgoing.post(this.#index, 0, kind, write);
  }

  #late(timeoutMs: number, what: SentOptions['what']): GuestError {
    const called = what === undefined ? 'the call' : `the call of ${what()}`;
    return new GuestError('ERR_GUEST_TIMEOUT', this.name, `${called} was given up after ${timeoutMs} ms`);
  }

  #giveUp(call: number, error: unknown): void {
    const pending = this.#take(call);
    if (pending === undefined) return;
    this.#incoming.givenUp(call, pending.lent);
    guestBinding().guestCancel(this.#index, call);
    pending.reject(error);
  }

  #take(call: number): Pending | undefined {
    const pending = this.#pending.get(call);
    if (pending === undefined) return undefined;
    this.#pending.delete(call);
    for (const owner of pending.owners) owner.rest();
    if (pending.timer !== undefined) clearTimeout(pending.timer);
    if (pending.onAbort !== undefined) pending.signal?.removeEventListener('abort', pending.onAbort);
    if (this.#pending.size === 0) {
      if (!this.#opening.isAwaited) guestBinding().guestReferenced(this.#index, false);
      for (const settled of this.#onSettled.splice(0)) settled();
    }
    return pending;
  }

  receive(isWaitedFor = false): void {
    this.#incoming.receive(this.#index, isWaitedFor);
  }

  // Handles

  importing(specifier: string, options: Readonly<Record<string, unknown>> | undefined): readonly [kind: number, write: Write] {
    return [Kind.IMPORT, (outbox) => writeImport(outbox, specifier, options)];
  }

  release(id: number): void {
    if (!this.isOpen) return;
    this.#released.push(id);
    if (this.#released.length === 1) setImmediate(() => this.#flushReleased());
  }

  #flushReleased(): void {
    const released = this.#released;
    this.#released = [];
    for (let from = 0; from < released.length; from += RELEASED_PER_MESSAGE) {
      const some = released.slice(from, from + RELEASED_PER_MESSAGE);
      this.#tell(Kind.RELEASE, (outbox) => {
        outbox.size(some.length);
        for (const id of some) outbox.id(id);
      });
    }
  }

  // Its end

  /** Waits until no call has to be waited for, for so long at most. */
  async settled(timeoutMs: number): Promise<void> {
    if (this.load === 0 || timeoutMs <= 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#onSettled.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Its process ends, and calls of it are an error; for one that is isolated. */
  close(): void {
    this.#opening.isClosed = true;
    if (this.isOpen) this.#tell(IsolatedKind.CLOSE, () => undefined);
  }

  /** What is buffered is written, and what is to be done at the end of the process: for so long at most. */
  finish(timeoutMs: number): void {
    if (this.isOpen) guestBinding().guestFinish(this.#index, timeoutMs);
  }
}

/** Rejects once the promise of the call listens: then it is known which functions await that. Calls with a result pay nothing for it. */
async function thrownLater(error: unknown): Promise<never> {
  // One turn until the call's promise has taken this one's outcome for its own, one until it listens to it.
  await undefined;
  await undefined;
  if (error instanceof GuestError) showAwaiting(error, thrownLater);
  throw error;
}
