/**
 * The start of a guest, once for all calls of this environment: with the first of them, on a thread of the guest's own or,
 * where the JavaScript thread waits, while it does. What fails is tried again a little later.
 */
import { guestBinding, guestLibrary } from '../exchange/binding.ts';
import { GuestError } from './errors.ts';
import type { Language, Settings } from './guest-types.ts';

/** A language that is not here is looked for by starting a program: not for each request. */
const RETRY_MS = 2_000;

/** What is opened. */
export interface Opened {
  readonly language: Language;
  /** Calls that have no result yet: the process stays for them. */
  readonly hasCalls: boolean;
  /** Its settings as bytes. */
  encode(settings: Settings): Uint8Array;
  /** It is there. */
  begun(): void;
  /** Something was replied. */
  receive(): void;
}

export class Opening {
  readonly #guest: Opened;
  /** The host's number of it. */
  index: number | undefined;
  isOpen = false;
  isClosed = false;
  /** What `configure()` has asked for. */
  configured: Settings = {};
  /** What it is started with. */
  settings: Settings = {};
  #opening: Promise<void> | undefined;
  #settle: { resolve: () => void; reject: (error: unknown) => void } | undefined;
  #failure: { readonly error: unknown; readonly until: number } | undefined;

  constructor(guest: Opened) {
    this.#guest = guest;
  }

  get isStarted(): boolean {
    return this.#opening !== undefined || this.isOpen;
  }

  /** Somebody waits for its start. */
  get isAwaited(): boolean {
    return this.#settle !== undefined;
  }

  /** @throws Error once it has been started */
  configure(settings: Settings): void {
    const { name } = this.#guest.language;
    if (this.isStarted || this.index !== undefined)
      throw new Error(`${name}.configure(): ${name} has been started already, and what it is started with cannot be changed`);
    this.configured = { ...this.configured, ...settings };
  }

  open(): Promise<void> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  async #open(): Promise<void> {
    if (this.isOpen) return;
    try {
      this.#rethrow();
      const settings = await this.#guest.language.find(this.configured);
      if (this.isOpen) return;
      await new Promise<void>((resolve, reject) => {
        this.#settle = { resolve, reject };
        this.#begin(settings);
        guestBinding().guestReferenced(this.index as number, true);
      });
    } catch (error) {
      this.#opening = undefined;
      throw this.#failed(error);
    } finally {
      this.#settle = undefined;
      if (this.index !== undefined) guestBinding().guestReferenced(this.index, this.#guest.hasCalls);
    }
  }

  /** Opens it while the JavaScript thread waits. */
  openNow(timeoutMs: number): void {
    if (this.isOpen) return;
    try {
      this.#rethrow();
      if (this.index === undefined) this.#begin(this.#guest.language.findNow(this.configured));
      this.#look(timeoutMs);
    } catch (error) {
      throw this.#failed(error);
    }
    if (this.isOpen) return;
    // It has failed, and whoever waited for it has been told.
    if (this.index === undefined) throw this.#failure?.error;
    const { name } = this.#guest.language;
    throw new GuestError('ERR_GUEST_TIMEOUT', name, `${name} did not start within ${timeoutMs} ms`);
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
    if (this.index !== undefined) return;
    const { language } = this.#guest;
    if (this.isClosed) throw new GuestError('ERR_GUEST_UNAVAILABLE', language.name, `this process of ${language.name} was closed`);
    this.settings = { ...this.configured, ...settings };
    // The same settings are the same guest, whatever led to them.
    const { version: _version, reason: _reason, ...needed } = this.settings;
    const bytes = this.#guest.encode(needed);
    this.index = guestBinding().guestOpen(guestLibrary(language.library ?? language.name), bytes, () => this.#onWake());
  }

  /** Has the opening ended? A failure is told to who waits for it, and kept for who comes. */
  #look(timeoutMs: number): void {
    const outcome = guestBinding().guestOpened(this.index as number, timeoutMs);
    if (outcome === undefined) return;
    if (outcome === true) {
      this.isOpen = true;
      this.#guest.begun();
      this.#settle?.resolve();
      return;
    }
    guestBinding().guestReferenced(this.index as number, false);
    this.index = undefined;
    const error = this.#failed(new GuestError('ERR_GUEST_UNAVAILABLE', this.#guest.language.name, outcome));
    this.#settle?.reject(error);
  }

  #onWake(): void {
    if (!this.isOpen && this.index !== undefined) this.#look(0);
    if (this.isOpen) this.#guest.receive();
  }
}
