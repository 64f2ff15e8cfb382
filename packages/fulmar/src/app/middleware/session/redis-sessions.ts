/**
 * Sessions in Redis, through the application's own client: `ioredis` or `redis` (node-redis 4 and later). The
 * keys and records are those of `connect-redis`. Never opens or closes a connection.
 */
import { checkOptions, type Checks, shown } from '../../checked-options.ts';
import type { SessionStore } from './session-types.ts';

export interface RedisSessionsOptions {
  /** In front of each id. Default: `sess:`. */
  readonly prefix?: string;
}

/** What of a client of `ioredis` is used. */
export interface IoredisClient {
  get(key: string): Promise<string | null>;
  set(key: string, value: string, unit: 'PX', ms: number): Promise<unknown>;
  set(key: string, value: string, unit: 'PX', ms: number, condition: 'XX'): Promise<unknown>;
  del(key: string): Promise<unknown>;
  pexpire(key: string, ms: number): Promise<unknown>;
  defineCommand: unknown;
}

/** What of a client of `redis` is used. */
export interface NodeRedisClient {
  get(key: string): Promise<unknown>;
  set(key: string, value: string, options: { PX: number; XX?: true }): Promise<unknown>;
  del(key: string): Promise<unknown>;
  pExpire(key: string, ms: number): Promise<unknown>;
}

const CHECKS: Checks<RedisSessionsOptions> = { prefix: [(value) => typeof value === 'string', 'a text'] };

export function redisSessions(client: IoredisClient | NodeRedisClient, options: RedisSessionsOptions = {}): SessionStore {
  checkOptions('redisSessions', options, CHECKS);
  const { prefix = 'sess:' } = options;
  const has = (name: string): boolean => typeof (client as unknown as Record<string, unknown> | null)?.[name] === 'function';
  if (has('pExpire')) return ofNodeRedis(client as NodeRedisClient, prefix);
  if (has('pexpire') && has('defineCommand')) return ofIoredis(client as IoredisClient, prefix);
  const given = typeof client === 'object' && client !== null ? `a ${client.constructor?.name ?? 'object'}` : shown(client);
  throw new TypeError(`redisSessions() takes a client of ioredis or of redis from version 4 on, and this is ${given}.`);
}

function ofIoredis(client: IoredisClient, prefix: string): SessionStore {
  return {
    get: (id) => client.get(prefix + id),
    async set(id, record, ttlMs, mustExist) {
      const ms = Math.ceil(ttlMs);
      const answer = mustExist ? client.set(prefix + id, record, 'PX', ms, 'XX') : client.set(prefix + id, record, 'PX', ms);
      return (await answer) !== null;
    },
    async delete(id) {
      await client.del(prefix + id);
    },
    touch: async (id, ttlMs) => Number(await client.pexpire(prefix + id, Math.ceil(ttlMs))) === 1,
  };
}

function ofNodeRedis(client: NodeRedisClient, prefix: string): SessionStore {
  return {
    get: async (id) => (await client.get(prefix + id)) as string | null,
    async set(id, record, ttlMs, mustExist) {
      const PX = Math.ceil(ttlMs);
      return (await client.set(prefix + id, record, mustExist ? { PX, XX: true } : { PX })) !== null;
    },
    async delete(id) {
      await client.del(prefix + id);
    },
    touch: async (id, ttlMs) => Number(await client.pExpire(prefix + id, Math.ceil(ttlMs))) === 1,
  };
}
