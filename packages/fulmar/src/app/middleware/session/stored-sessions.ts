/**
 * Sessions in a store: the cookie has a signed id and nothing else. An id that is not signed here never
 * reaches the store, and one that the store does not know is not taken over.
 */
import type { CookieScope } from '../cookie-options.ts';
import { Signer } from '../signature.ts';
import { fromRecord, toRecord } from './record.ts';
import type { Found, Keeper, Kept, SessionStore } from './session-types.ts';

/** Longer than any id that others make. */
const ID_LENGTH_MAX = 256;

export interface StoredSettings {
  readonly scope: CookieScope;
  readonly isPersistent: boolean;
}

export class StoredSessions implements Keeper {
  readonly isCookie = false;
  readonly #store: SessionStore;
  readonly #signer: Signer;
  readonly #settings: StoredSettings;

  constructor(store: SessionStore, secret: string | readonly string[], settings: StoredSettings) {
    this.#store = store;
    this.#signer = new Signer(secret);
    this.#settings = settings;
  }

  async find(cookie: string): Promise<Found | undefined> {
    if (!cookie.startsWith('s:')) return undefined;
    const id = await this.#signer.unsign(cookie.slice(2));
    if (id === undefined || id === '' || id.length > ID_LENGTH_MAX) return undefined;
    const record: unknown = await this.#store.get(id);
    if (record === undefined || record === null) return undefined;
    if (typeof record !== 'string') throw new TypeError(`A store of sessions gives text, and this one gave ${typeof record}.`);
    const kept = fromRecord(record);
    return kept === undefined ? undefined : { id, ...kept };
  }

  async keep(id: string, kept: Kept, ttlMs: number, isNew: boolean): Promise<string | undefined> {
    const { scope, isPersistent } = this.#settings;
    const isKept = await this.#store.set(id, toRecord(kept, scope, { ttlMs, isPersistent }), ttlMs, !isNew);
    return isKept === false ? undefined : this.#cookie(id);
  }

  async touch(id: string, _kept: Kept, ttlMs: number): Promise<string | undefined> {
    const isThere = await this.#store.touch(id, ttlMs);
    return isThere === false ? undefined : this.#cookie(id);
  }

  async end(id: string): Promise<void> {
    await this.#store.delete(id);
  }

  async #cookie(id: string): Promise<string> {
    return `s:${await this.#signer.sign(id)}`;
  }
}
