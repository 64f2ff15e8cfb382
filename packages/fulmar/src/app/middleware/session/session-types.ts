/** What a session is to handlers, to stores and to the middleware itself. */
import type { Middleware } from '../../chain.ts';
import type { CookieScope } from '../cookie-options.ts';

/** What a client's requests have in common. */
export interface Session<Data extends object = Record<string, unknown>> {
  /** Changes with `regenerate()`. Who has it has the session: it belongs in no log. */
  readonly id: string;
  /** Nothing of it has been kept yet. */
  readonly isNew: boolean;
  /** Whatever JSON can say; changes of it are kept before the reply leaves. Not under `cookie`. */
  data: Partial<Data>;
  /**
   * Another id, and the old one is worth nothing: at a login and wherever else rights change. The data stays
   * unless `keep` is false.
   */
  regenerate(options?: { readonly keep?: boolean }): Promise<void>;
  /** Ends it, here and at the client. */
  destroy(): Promise<void>;
  /** Extends it, also where `rolling` is false and nothing has changed. */
  touch(): void;
  /** Keeps changes now: for what changes behind the handler, as in a stream. Without changes nothing is done. */
  save(): Promise<void>;
  /** With a value adds it for a later request; without takes all that is there. */
  flash(name: string, value: unknown): void;
  flash(name: string): readonly unknown[];
}

/** Where sessions are kept. Records are text of JSON, times are milliseconds. */
export interface SessionStore {
  /** Nothing for one that is unknown or over. */
  get(id: string): Promise<string | null | undefined> | string | null | undefined;
  /**
   * With `mustExist` a session that is there no more stays away, and the answer is false: another request has
   * ended it in the meantime.
   */
  set(id: string, record: string, ttlMs: number, mustExist: boolean): Promise<boolean> | boolean;
  delete(id: string): Promise<void> | void;
  /** Only the time of its end, not the record. False for one that is there no more. */
  touch(id: string, ttlMs: number): Promise<boolean> | boolean;
}

export interface SessionOptions {
  /** Of a list the first signs and all are accepted. With `store: 'cookie'` of 32 characters at least. */
  readonly secret: string | readonly string[];
  /** `cookie`: in the cookie itself, encrypted. Default: `memorySessions()`. */
  readonly store?: SessionStore | 'cookie';
  /** Of the cookie. Default: `__Host-sid` where such a name is allowed, else `sid`. */
  readonly name?: string;
  /** Attributes of the cookie beside those of time. */
  readonly cookie?: CookieScope;
  /** The cookie outlives the browser. Default: true. */
  readonly persistent?: boolean;
  /** Each request that asks for a session extends it. Default: true. */
  readonly rolling?: boolean;
  /** A session ends so long after it was last extended. Default: a day. */
  readonly idleTimeoutMs?: number;
  /** A session ends so long after it began, whatever is done with it. Default: 30 days. */
  readonly absoluteTimeoutMs?: number;
  /** The most that one may be, as JSON. Default: 64 KiB. */
  readonly dataBytesMax?: number;
  /**
   * When the store fails: `error` answers 503, `anonymous` goes on with an empty session that is not kept.
   * Default: `error`.
   */
  readonly onStoreFailure?: 'error' | 'anonymous';
}

/** What `of()` takes: the context of any route. */
export interface OfContext {
  readonly method: string;
  readonly path: string;
}

export interface SessionMiddleware<Data extends object> extends Middleware {
  /** The client's session; the store is asked when this is first called. */
  of(c: OfContext): Promise<Session<Data>>;
}

/** What is kept of one. */
export interface Kept {
  /** JSON of an object. */
  readonly data: string;
  /** When it began; NaN where the one who kept it did not say. */
  readonly createdMs: number;
}

export interface Found extends Kept {
  readonly id: string;
}

/** Keeps sessions: by their id in a store, or as the cookie itself. The results are values of the cookie. */
export interface Keeper {
  /** The cookie has the session itself: what changes is lost unless the cookie is set. */
  readonly isCookie: boolean;
  find(cookie: string): Promise<Found | undefined>;
  /** Undefined: it has been ended by another request. */
  keep(id: string, kept: Kept, ttlMs: number, isNew: boolean): Promise<string | undefined>;
  touch(id: string, kept: Kept, ttlMs: number): Promise<string | undefined>;
  end(id: string): Promise<void>;
}
