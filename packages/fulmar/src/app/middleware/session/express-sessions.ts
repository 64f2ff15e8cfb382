/**
 * Sessions in a store that was made for `express-session` (its own in memory, connect-pg-simple, connect-mongo
 * …). Such a store has no change on a condition: that a session is still there is asked just before. Where the
 * cookie ends with the browser the store's own time holds.
 */
import { shown } from '../../checked-options.ts';
import { parseObject } from './record.ts';
import type { SessionStore } from './session-types.ts';

/** What of such a store is used. */
export interface ExpressStore {
  get(id: string, callback: (error: unknown, session?: object | null) => void): unknown;
  set(id: string, session: never, callback: (error?: unknown) => void): unknown;
  destroy(id: string, callback: (error?: unknown) => void): unknown;
  touch?(id: string, session: never, callback: (error?: unknown) => void): unknown;
}

interface Cookie {
  expires?: string | Date | null;
  originalMaxAge?: number | null;
}
type StoredSession = Record<string, unknown> & { cookie?: Cookie };

/** @throws TypeError for what is no such store */
export function expressSessions(store: ExpressStore): SessionStore {
  const methods = ['get', 'set', 'destroy'] as const;
  if (typeof store !== 'object' || store === null || !methods.every((name) => typeof store[name] === 'function'))
    throw new TypeError(`expressSessions() takes a store of express-session, with get, set and destroy, and this is ${shown(store)}.`);
  const load = (id: string): Promise<object | null> =>
    new Promise((resolve, reject) => {
      // A file that is not there is no session, as express-session has it.
      store.get(id, (error, session) => {
        if (isError(error) && (error as { code?: unknown }).code !== 'ENOENT') reject(error as Error);
        else resolve(session ?? null);
      });
    });
  const keep = (id: string, session: StoredSession, how: 'set' | 'touch'): Promise<void> =>
    settled((done) => (store[how] as ExpressStore['set']).call(store, id, session as never, done));
  return {
    async get(id) {
      const session = await load(id);
      return session === null ? null : JSON.stringify(session);
    },
    async set(id, record, ttlMs, mustExist) {
      if (mustExist && (await load(id)) === null) return false;
      await keep(id, withTime(parseObject(record) as StoredSession, ttlMs), 'set');
      return true;
    },
    delete: (id) => settled((done) => store.destroy(id, done)),
    async touch(id, ttlMs) {
      const session = await load(id);
      if (session === null) return false;
      const copy = withTime(parseObject(JSON.stringify(session)) as StoredSession, ttlMs);
      await keep(id, copy, typeof store.touch === 'function' ? 'touch' : 'set');
      return true;
    },
  };
}

const isError = (error: unknown): boolean => error !== undefined && error !== null;

function settled(start: (done: (error?: unknown) => void) => unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => (isError(error) ? reject(error as Error) : resolve()));
  });
}

/** The cookie as stores read it: `maxAge` is a getter of Express's own, and is not kept. */
function withTime(session: StoredSession, ttlMs: number): StoredSession {
  const cookie = (session.cookie ??= {});
  if (cookie.expires === undefined || cookie.expires === null) return session;
  cookie.expires = new Date(Date.now() + ttlMs);
  Object.defineProperty(cookie, 'maxAge', { value: ttlMs, enumerable: false });
  return session;
}
