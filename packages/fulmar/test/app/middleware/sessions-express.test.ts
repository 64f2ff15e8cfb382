/**
 * `expressSessions()`: stores that were made for `express-session`, shared with an Express application or not.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createApp } from '../../../src/app/index.ts';
import { type ExpressStore, expressSessions, session, type SessionStore } from '../../../src/app/middleware/index.ts';
import { defineRefusals } from './refused.ts';
import { defineShared, expressSession } from './shared-sessions.ts';

for (const maxAge of [undefined, 60_000]) {
  defineShared(
    `sessions in a store of Express, ${maxAge === undefined ? 'whose cookie has no time' : 'whose cookie has a time'}`,
    () => {
      const store = new expressSession.MemoryStore();
      return [store, expressSessions(store)];
    },
    maxAge,
  );
}

const record = (expires: string | null): string => JSON.stringify({ cookie: { originalMaxAge: 60_000, expires, path: '/' }, a: { b: 1 } });
const LATER = new Date(Date.now() + 60_000).toISOString();

/** A store that tells what it is given. */
function watched(without: readonly string[] = []): { store: SessionStore; given: [name: string, session: Record<string, never>][] } {
  const inner = new expressSession.MemoryStore() as unknown as Record<string, (...args: unknown[]) => void>;
  const given: [string, Record<string, never>][] = [];
  const watching = Object.fromEntries(
    ['get', 'set', 'destroy', 'touch']
      .filter((name) => !without.includes(name))
      .map((name) => [
        name,
        (...args: unknown[]) => {
          given.push([name, args[1] as never]);
          inner[name]?.(...args);
        },
      ]),
  );
  return { store: expressSessions(watching as unknown as ExpressStore), given };
}

describe('a store of Express', () => {
  it('keeps, extends and forgets', async () => {
    const { store } = watched();
    assert.equal(await store.get('x'), null);
    assert.equal(await store.set('x', record(LATER), 60_000, false), true);
    const { a, cookie } = JSON.parse(String(await store.get('x'))) as { a: unknown; cookie: { path: string } };
    assert.deepEqual([a, cookie.path], [{ b: 1 }, '/']);
    assert.equal(await store.touch('x', 120_000), true);
    assert.deepEqual((JSON.parse(String(await store.get('x'))) as { a: unknown }).a, { b: 1 });
    await store.delete('x');
    assert.equal(await store.get('x'), null);
  });
  it('brings nothing back that is not there', async () => {
    const { store } = watched();
    assert.equal(await store.set('gone', record(LATER), 60_000, true), false);
    assert.equal(await store.touch('gone', 60_000), false);
    assert.equal(await store.get('gone'), null);
  });
  it('is told the time as Express tells it, and keeps none of that', async () => {
    const { store, given } = watched();
    await store.set('x', record(LATER), 90_000, false);
    const { cookie } = (given[0] as [string, object])[1] as { cookie: { maxAge: number; expires: Date } };
    assert.equal(cookie.maxAge, 90_000);
    assert.ok(Math.abs(cookie.expires.getTime() - Date.now() - 90_000) < 10_000);
    assert.doesNotMatch(JSON.stringify(cookie), /maxAge/);
  });
  it('is told no time where the cookie has none', async () => {
    const { store, given } = watched();
    await store.set('x', record(null), 90_000, false);
    await store.touch('x', 90_000);
    for (const [name, kept] of given.filter(([, kept]) => typeof kept === 'object'))
      assert.equal((kept as { cookie?: { expires?: unknown } }).cookie?.expires, null, name);
  });
  it('is given the whole session where it has no touch', async () => {
    const { store, given } = watched(['touch']);
    await store.set('x', record(LATER), 60_000, false);
    await store.touch('x', 60_000);
    assert.deepEqual(
      given.map(([name]) => name),
      ['set', 'get', 'set'],
    );
    assert.deepEqual((given[2] as [string, Record<string, unknown>])[1]['a'], { b: 1 });
  });
  it('may have no file of a session', async () => {
    const none: ExpressStore = {
      get: (_id, done) => done(Object.assign(new Error('no file'), { code: 'ENOENT' })),
      set() {},
      destroy() {},
    };
    assert.equal(await expressSessions(none).get('x'), null);
  });
  it('that fails is 503', async () => {
    const fails = (...args: unknown[]): void => (args.at(-1) as (error: Error) => void)(new Error('of the store'));
    const app = createApp({ logger: { error: () => {} } });
    const sessions = session({ secret: 'x', store: expressSessions({ get: fails, set: fails, destroy: fails } as ExpressStore) });
    app.use(sessions);
    app.get('/', async (c) => {
      (await sessions.of(c)).data['a'] = 1;
    });
    assert.equal((await app.inject('/')).status, 503);
  });
});

defineRefusals('expressSessions', [
  ['no store', () => expressSessions(undefined as never), /takes a store of express-session/],
  ['a store of ours', () => expressSessions({ get() {}, set() {}, delete() {}, touch() {} } as never), /with get, set and destroy/],
  [
    'session() a store of Express as it is',
    () => session({ secret: 'x', store: new expressSession.MemoryStore() }),
    /expressSessions\(\) makes one of a store of express-session/,
  ],
]);
