/**
 * One session that the app and an Express application in it both see: whichever began it, changes it, ends
 * it.
 */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import express from '../../../src/express/index.ts';
import { type App, createApp } from '../../../src/app/index.ts';
import { session, type SessionStore } from '../../../src/app/middleware/index.ts';
import { Jar } from '../flow.ts';

type Handler = (req: never, res: never, next: () => void) => void;
interface ExpressRequest {
  readonly session: { user?: string; seen?: number; destroy(done: () => void): void };
  readonly sessionID: string;
}
interface ExpressResponse {
  json(value: unknown): void;
}

const require = createRequire(import.meta.url);
/** Upstream's. */
export const expressSession = require('express-session') as ((options: object) => Handler) & { MemoryStore: new () => never };

const SECRET = 'a secret of more than thirty-two characters';

/** `stores`: of Express, of the app. `maxAge` is that of Express's cookie. */
export function defineShared(title: string, stores: () => readonly [object, SessionStore], maxAge?: number): void {
  describe(title, () => {
    const start = (): ((url: string) => Promise<unknown>) => browser(both(...stores(), maxAge));
    it('are shared with Express, which began', async () => {
      const ask = start();
      await ask('/shop/in');
      assert.deepEqual(await ask('/read'), { user: 'ada' });
      await ask('/bird');
      assert.deepEqual(await ask('/shop/read'), { user: 'ada', birds: ['fulmar'] });
      assert.equal(await ask('/shop/see'), 1);
      assert.deepEqual(await ask('/read'), { user: 'ada', birds: ['fulmar'], seen: 1 });
    });
    it('are shared with Express, which came second', async () => {
      const ask = start();
      const id = await ask('/in');
      assert.equal(await ask('/shop/in'), id);
      assert.deepEqual(await ask('/shop/read'), { user: 'ada' });
      assert.equal(await ask('/shop/see'), 1);
      assert.deepEqual(await ask('/read'), { user: 'ada', seen: 1 });
    });
    it('are shared with Express behind another id', async () => {
      const ask = start();
      const id = await ask('/shop/in');
      await ask('/login');
      assert.deepEqual(await ask('/shop/read'), { user: 'ada' });
      assert.notEqual(await ask('/shop/in'), id);
    });
    for (const [end, other] of [
      ['/shop/out', '/read'],
      ['/out', '/shop/read'],
    ] as const) {
      it(`are over for both after ${end}`, async () => {
        const ask = start();
        await ask('/shop/in');
        await ask(end);
        assert.deepEqual(await ask(other), {});
      });
    }
  });
}

/** The app with an Express application in it, both with the same sessions. */
function both(store: object, ours: SessionStore, maxAge: number | undefined): App {
  const shop = (express as unknown as () => Record<'use' | 'get', (...given: unknown[]) => void>)();
  const cookie = { httpOnly: true, sameSite: 'lax', ...(maxAge === undefined ? {} : { maxAge }) };
  shop.use(expressSession({ secret: SECRET, store, cookie, resave: false, saveUninitialized: false }));
  shop.get('/in', (req: ExpressRequest, res: ExpressResponse) => {
    req.session.user = 'ada';
    res.json(req.sessionID);
  });
  shop.get('/read', (req: ExpressRequest, res: ExpressResponse) => res.json({ ...req.session, cookie: undefined, _createdAt: undefined }));
  shop.get('/see', (req: ExpressRequest, res: ExpressResponse) => {
    req.session.seen = (req.session.seen ?? 0) + 1;
    res.json(req.session.seen);
  });
  shop.get('/out', (req: ExpressRequest, res: ExpressResponse) => req.session.destroy(() => res.json('out')));
  const sessions = session<{ user: string; birds: string[] }>({
    secret: SECRET,
    store: ours,
    name: 'connect.sid',
    cookie: { secure: false },
  });
  const app = createApp();
  app.mount('/shop', shop as never);
  app.use(sessions);
  app.get('/in', async (c) => {
    const visit = await sessions.of(c);
    visit.data.user = 'ada';
    return visit.id;
  });
  app.get('/read', async (c) => ({ ...(await sessions.of(c)).data }));
  app.get('/bird', async (c) => {
    const { data } = await sessions.of(c);
    data.birds = [...(data.birds ?? []), 'fulmar'];
  });
  app.get('/login', async (c) => (await sessions.of(c)).regenerate());
  app.get('/out', async (c) => (await sessions.of(c)).destroy());
  return app;
}

function browser(app: App): (url: string) => Promise<unknown> {
  const jar = new Jar();
  return async (url) => {
    const reply = await app.inject({ url, headers: jar.header() });
    assert.ok(reply.status < 300, reply.text);
    for (const line of [reply.headers['set-cookie'] ?? []].flat()) jar.take(line);
    return parsed(reply.text);
  };
}

/** JSON, or the text itself: what an app says is text, and what Express says is JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
