/**
 * A client's session in one request: what is done with it, and what of that is to be kept when the reply
 * leaves. Loaded with the first question for it. Never asks the store for what has not changed.
 */
import type { AnyContext } from '../../context.ts';
import { cookieLine, parseCookies } from '../../cookies.ts';
import { HttpError } from '../../http-error.ts';
import { toJson } from '../../json.ts';
import type { CookieScope } from '../cookie-options.ts';
import { parseObject, RESERVED } from './record.ts';
import { TooLargeForCookie } from './sealed-sessions.ts';
import type { Found, Keeper, Kept, Session } from './session-types.ts';

export interface VisitSettings {
  readonly keeper: Keeper;
  readonly name: string;
  readonly scope: CookieScope;
  readonly isPersistent: boolean;
  readonly isRolling: boolean;
  readonly idleTimeoutMs: number;
  readonly absoluteTimeoutMs: number;
  readonly dataBytesMax: number;
  /** Goes on without a session when the store fails. */
  readonly isLenient: boolean;
}

const MS_PER_S = 1000;
/** 192 bits. */
const ID_BYTES = 24;
const encoder = new TextEncoder();

export class Visit<Data extends object> implements Session<Data> {
  readonly #c: AnyContext;
  readonly #settings: VisitSettings;
  /** Whether it is too late for a cookie. */
  readonly #isLate: () => boolean;
  #id: string;
  #data: Partial<Data> = empty();
  #createdMs = Date.now();
  /** JSON of the data as it is kept; null: nothing is kept. */
  #kept: string | null = null;
  #isTouched = false;
  /** `save()` has extended it: the reply does not do so again. */
  #isExtended = false;
  /** Kept even where it is empty, or nothing has changed. */
  #isForced = false;
  /** What a handler may have forgotten to wait for: the reply does not leave with the old id. */
  #pending: Promise<void> | null = null;
  /** Ended by `destroy()`. */
  #isOver = false;
  /** The store does not answer, or another request has ended the session: nothing is kept of this one. */
  #isDetached = false;

  constructor(c: AnyContext, settings: VisitSettings, isLate: () => boolean) {
    this.#c = c;
    this.#isLate = isLate;
    this.#settings = settings;
    this.#id = newId();
  }

  /** The session that the request's cookie names, or a new one. @throws HttpError 503 when the store fails */
  static async begin<Data extends object>(c: AnyContext, settings: VisitSettings, isLate: () => boolean): Promise<Visit<Data>> {
    const visit = new Visit<Data>(c, settings, isLate);
    const cookie = parseCookies(c.exchange.header('cookie'))[settings.name];
    if (cookie !== undefined) await visit.#load(cookie);
    return visit;
  }

  get id(): string {
    return this.#id;
  }

  get isNew(): boolean {
    return this.#kept === null;
  }

  get data(): Partial<Data> {
    if (this.#isOver) throw new Error('This session has been ended by destroy(): regenerate() begins another.');
    return this.#data;
  }

  set data(value: Partial<Data>) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new TypeError('The data of a session is an object: what it is to hold is one of its members.');
    if (this.#isOver) throw new Error('This session has been ended by destroy(): regenerate() begins another.');
    this.#data = value;
  }

  regenerate({ keep = true }: { readonly keep?: boolean } = {}): Promise<void> {
    return this.#keepPending(this.#regenerate(keep));
  }

  destroy(): Promise<void> {
    return this.#keepPending(this.#destroy());
  }

  #keepPending(done: Promise<void>): Promise<void> {
    this.#pending = done;
    // A handler that does not wait has its failure told by `settle()`, which may be too late for the process.
    done.catch(() => {});
    return done;
  }

  async #regenerate(keep: boolean): Promise<void> {
    this.#mustBeOpen('regenerate');
    await this.#endKept();
    if (!keep || this.#isOver) this.#data = empty();
    this.#id = newId();
    this.#createdMs = Date.now();
    this.#isForced = true;
    this.#isOver = false;
  }

  async #destroy(): Promise<void> {
    this.#mustBeOpen('destroy');
    await this.#endKept();
    this.#data = empty();
    this.#isOver = true;
    setCookie(this.#c, this.#settings, null);
  }

  touch(): void {
    this.#isTouched = true;
  }

  flash(name: string, value: unknown): void;
  flash(name: string): readonly unknown[];
  flash(name: string, ...given: readonly unknown[]): readonly unknown[] | void {
    const data = this.data as { flash?: Record<string, unknown[]> };
    const messages = new Map(Object.entries(data.flash ?? {}));
    const there = messages.get(name);
    const of = Array.isArray(there) ? there : [];
    if (given.length > 0) messages.set(name, [...of, given[0]]);
    else messages.delete(name);
    if (messages.size > 0) data.flash = Object.assign(Object.create(null) as object, Object.fromEntries(messages));
    else delete data.flash;
    return given.length > 0 ? undefined : of;
  }

  /** When the handler is done. @throws as `save()` */
  async settle(): Promise<void> {
    if (!this.#c.isBegun) this.#c.header('Vary', 'Cookie', { append: true });
    await this.#pending;
    await this.save();
  }

  /** @throws TypeError for data that JSON cannot say, RangeError for too much of it, HttpError 503 when the store fails */
  async save(): Promise<void> {
    if (this.#isOver || this.#isDetached) return;
    const kept: Kept = { data: this.#text(), createdMs: this.#createdMs };
    const isNew = this.#kept === null;
    const isChanged = this.#isForced || kept.data !== (this.#kept ?? '{}');
    if (!isChanged && (isNew || !this.#isToBeExtended())) return;
    const { keeper, isPersistent } = this.#settings;
    const needsCookie = isNew || keeper.isCookie;
    if (needsCookie && this.#isLate()) {
      if (!isChanged) return;
      throw new Error('The session cannot be kept: its cookie stands in the head, which is made before a stream begins. Change it before.');
    }
    const ttlMs = this.#ttlMs();
    const cookie = await this.#ask(() => (isChanged ? keeper.keep(this.#id, kept, ttlMs, isNew) : keeper.touch(this.#id, kept, ttlMs)));
    if (cookie === undefined) {
      this.#isDetached = true;
      return;
    }
    this.#kept = kept.data;
    this.#isForced = false;
    this.#isExtended = true;
    if ((needsCookie || isPersistent) && !this.#isLate()) setCookie(this.#c, this.#settings, cookie, ttlMs);
  }

  async #load(cookie: string): Promise<void> {
    const { keeper, absoluteTimeoutMs } = this.#settings;
    const found = await this.#ask(() => keeper.find(cookie));
    if (found === undefined) return;
    if (found.createdMs + absoluteTimeoutMs <= Date.now()) {
      await this.#ask(() => keeper.end(found.id));
      return;
    }
    this.#take(found);
  }

  #take({ id, data, createdMs }: Found): void {
    this.#id = id;
    this.#data = parseObject(data) as Partial<Data>;
    this.#kept = data;
    // One that an Express application has begun: it counts from now on.
    if (Number.isNaN(createdMs)) this.#isForced = true;
    else this.#createdMs = createdMs;
  }

  async #endKept(): Promise<void> {
    if (this.#kept === null) return;
    const id = this.#id;
    await this.#ask(() => this.#settings.keeper.end(id));
    this.#kept = null;
  }

  #isToBeExtended(): boolean {
    return this.#isTouched || (this.#settings.isRolling && !this.#isExtended);
  }

  /** At least a second: less would be no time at all to some stores. */
  #ttlMs(): number {
    const { idleTimeoutMs, absoluteTimeoutMs } = this.#settings;
    return Math.max(MS_PER_S, Math.min(idleTimeoutMs, this.#createdMs + absoluteTimeoutMs - Date.now()));
  }

  #text(): string {
    for (const name of RESERVED)
      if (Object.hasOwn(this.#data, name))
        throw new TypeError(`session(): the data of a session has no member ${name}: that name is taken.`);
    const text = toJson(this.#data);
    if (!text.startsWith('{')) throw new TypeError('session(): the data of a session is an object, as JSON too.');
    const { dataBytesMax } = this.#settings;
    const length = text.length > dataBytesMax ? text.length : encoder.encode(text).byteLength;
    if (length > dataBytesMax)
      throw new RangeError(`session(): the data of a session is ${dataBytesMax} bytes at most (dataBytesMax), and this is ${length}.`);
    return text;
  }

  /** Undefined where the store fails and the application goes on without. */
  async #ask<Answer>(question: () => Promise<Answer>): Promise<Answer | undefined> {
    if (this.#isDetached) return undefined;
    try {
      return await question();
    } catch (cause) {
      if (cause instanceof TooLargeForCookie) throw cause;
      if (!this.#settings.isLenient) throw new HttpError(503, 'The store of sessions does not answer.', { cause });
      this.#isDetached = true;
      this.#c.settings.logger.error(`${this.#c.method} ${this.#c.pathname}: the store of sessions fails; this goes on without one`, cause);
      return undefined;
    }
  }

  #mustBeOpen(what: string): void {
    if (this.#isLate()) throw new Error(`${what}() comes too late: the head of the reply, with the cookie, is made.`);
  }
}

const empty = <Data extends object>(): Partial<Data> => Object.create(null) as Partial<Data>;

function newId(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(ID_BYTES));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}

/** In place of one that was set before. `null` ends it. */
function setCookie(c: AnyContext, { name, scope, isPersistent }: VisitSettings, value: string | null, ttlMs = 0): void {
  const time = isPersistent && value !== null ? { maxAge: Math.ceil(ttlMs / MS_PER_S) } : {};
  c.lines?.deleteCookie(name);
  c.header('Set-Cookie', cookieLine(name, value, { ...scope, ...time }), { append: true });
}
