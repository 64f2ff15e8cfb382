/**
 * Sessions in a real Redis, through `ioredis` and `redis`, and shared with an Express application that has
 * `express-session` and `connect-redis`.
 */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import { createApp } from '../../../src/app/index.ts';
import {
  type IoredisClient,
  memorySessions,
  type NodeRedisClient,
  redisSessions,
  session,
  type SessionStore,
} from '../../../src/app/middleware/index.ts';
import { Jar } from '../flow.ts';
import { missingRedis, RedisServer } from './redis-server.ts';
import { defineRefusals } from './refused.ts';
import { defineShared } from './shared-sessions.ts';

const require = createRequire(import.meta.url);
const SECRET = 'a secret of more than thirty-two characters';
const skip = missingRedis();

interface Ioredis extends IoredisClient {
  pttl(key: string): Promise<number>;
  keys(pattern: string): Promise<string[]>;
  quit(): Promise<unknown>;
}
interface NodeRedis extends NodeRedisClient {
  connect(): Promise<unknown>;
  close(): Promise<void>;
  destroy(): void;
  on(event: string, listener: () => void): void;
}
const { Redis } = require('ioredis') as { Redis: new (path: string) => Ioredis };
const { createClient } = require('redis') as { createClient: (options: object) => NodeRedis };
const { RedisStore } = require('connect-redis') as { RedisStore: new (options: object) => object };

describe('sessions in Redis', { skip }, () => {
  let server: RedisServer;
  let ioredis: Ioredis;
  let nodeRedis: NodeRedis;
  before(async () => {
    server = await RedisServer.start();
    ioredis = new Redis(server.path);
    nodeRedis = createClient({ socket: { path: server.path } });
    await nodeRedis.connect();
  });
  after(async () => {
    await ioredis.quit();
    await nodeRedis.close();
    await server.stop();
  });

  const clients: [name: string, make: () => SessionStore][] = [
    ['ioredis', () => redisSessions(ioredis, { prefix: 'a:' })],
    ['redis', () => redisSessions(nodeRedis, { prefix: 'a:' })],
    ['memory, which is to do the same', () => memorySessions()],
  ];
  for (const [name, make] of clients) {
    describe(name, () => {
      it('keeps, extends and forgets', async () => {
        const store = make();
        assert.equal((await store.get('x')) ?? null, null);
        assert.equal(await store.set('x', '{"a":"ü"}', 60_000, false), true);
        assert.equal(await store.get('x'), '{"a":"ü"}');
        assert.equal(await store.touch('x', 120_000), true);
        if (!name.startsWith('memory')) assert.ok((await ioredis.pttl('a:x')) > 60_000);
        assert.equal(await store.set('x', '{"a":2}', 60_000, true), true);
        assert.equal(await store.get('x'), '{"a":2}');
        await store.delete('x');
        assert.equal((await store.get('x')) ?? null, null);
      });
      it('brings nothing back that is not there', async () => {
        const store = make();
        assert.equal(await store.set('gone', '{}', 60_000, true), false);
        assert.equal(await store.touch('gone', 60_000), false);
        assert.equal((await store.get('gone')) ?? null, null);
      });
      it('takes times that are no whole milliseconds', async () => {
        const store = make();
        assert.equal(await store.set('part', '{}', 1000.25, false), true);
        assert.equal(await store.touch('part', 1000.5), true);
        await store.delete('part');
      });
    });
  }

  it('serves an app', async () => {
    const app = createApp();
    const sessions = session({ secret: SECRET, store: redisSessions(ioredis) });
    app.use(sessions);
    app.get('/', async (c) => {
      const { data } = await sessions.of(c);
      data['count'] = Number(data['count'] ?? 0) + 1;
      return data['count'];
    });
    app.get('/out', async (c) => (await sessions.of(c)).destroy());
    const jar = new Jar();
    const ask = async (url: string): Promise<string> => {
      const reply = await app.inject({ url, headers: jar.header() });
      for (const line of [reply.headers['set-cookie'] ?? []].flat()) jar.take(line);
      return reply.text;
    };
    assert.deepEqual([await ask('/'), await ask('/')], ['1', '2']);
    const [key = ''] = await ioredis.keys('sess:*');
    assert.match(key, /^sess:[\w-]{32}$/);
    assert.ok((await ioredis.pttl(key)) > 86_000_000);
    await ask('/out');
    assert.deepEqual(await ioredis.keys('sess:*'), []);
  });

  defineShared('beside Express with connect-redis', () => [new RedisStore({ client: nodeRedis }), redisSessions(nodeRedis)], 60_000);
  defineShared('beside Express, whose cookie has no time', () => [new RedisStore({ client: nodeRedis }), redisSessions(ioredis)]);

  it('is 503 when Redis has gone', async () => {
    const other = await RedisServer.start();
    const client = createClient({ socket: { path: other.path, reconnectStrategy: false }, disableOfflineQueue: true });
    client.on('error', () => {});
    await client.connect();
    const app = createApp({ logger: { error: () => {} } });
    const sessions = session({ secret: SECRET, store: redisSessions(client) });
    app.use(sessions);
    app.get('/', async (c) => {
      (await sessions.of(c)).data['a'] = 1;
    });
    const first = await app.inject('/');
    assert.equal(first.status, 204);
    await other.stop();
    const cookie = String([first.headers['set-cookie']].flat()[0]).split(';')[0] as string;
    assert.equal((await app.inject({ url: '/', headers: { cookie } })).status, 503);
    client.destroy();
  });
});

defineRefusals('redisSessions', [
  ['no client', () => redisSessions(undefined as never), /takes a client of ioredis or of redis from version 4 on, and this is undefined/],
  ['an address', () => redisSessions('redis://localhost' as never), /and this is "redis/],
  [
    'a client of an old redis',
    () => redisSessions({ get() {}, set() {}, pexpire() {} } as never),
    /from version 4 on, and this is a Object/,
  ],
  ['an option that is none', () => redisSessions({ pExpire() {} } as never, { prefx: '' } as never), /did you mean prefix/],
]);
