/**
 * Requests of one client within a time, as middleware and interceptors count them: what is left of them, and the fields
 * that say so (draft-ietf-httpapi-ratelimit-headers-06, which clients know).
 */
import { memoryStore } from './memory-store.ts';
import type { RateLimitStore } from './rate-limit.ts';

export interface Counted {
  readonly isOver: boolean;
  /** By name: those of a reply, and `Retry-After` of a refusal. */
  readonly fields: Readonly<Record<string, string>>;
  readonly retryAfter: string;
}

export class RateWindow {
  readonly #max: number;
  readonly #windowMs: number;
  readonly #store: RateLimitStore;
  readonly #policy: string;

  constructor(max: number, windowMs: number, store: RateLimitStore = memoryStore()) {
    this.#max = max;
    this.#windowMs = windowMs;
    this.#store = store;
    this.#policy = `${max};w=${seconds(windowMs)}`;
  }

  /** @throws what the store throws */
  async count(client: string): Promise<Counted> {
    const key = client.length > KEY_MAX ? await digestOf(client) : client;
    const { count, resetMs } = await this.#store.hit(key, this.#windowMs);
    const reset = String(seconds(resetMs));
    const fields = {
      'RateLimit-Policy': this.#policy,
      'RateLimit-Limit': String(this.#max),
      'RateLimit-Remaining': String(Math.max(0, this.#max - count)),
      'RateLimit-Reset': reset,
    };
    return { isOver: count > this.#max, fields, retryAfter: reset };
  }
}

/** Stores are bounded by numbers of keys: a longer key is its hash, SHA-256. */
const KEY_MAX = 64;

async function digestOf(key: string): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(key));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}

export const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

const GROUPS = 8;
const GROUPS_OF_NETWORK = 4;

/** An address as it is counted: of IPv6 the network (/64), which one client has all of. */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined) return mapped;
  if (!ip.includes(':')) return ip;
  const [head = '', tail] = (ip.split('%')[0] as string).split('::');
  const groupsOf = (text: string): string[] => text.split(':').filter((group) => group !== '');
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const missing = Math.max(0, GROUPS - before.length - after.length);
  const groups = [...before, ...Array.from({ length: missing }, () => '0'), ...after].slice(0, GROUPS_OF_NETWORK);
  return `${groups.map((group) => group.toLowerCase().replace(/^0+(?=.)/, '')).join(':')}::/64`;
}
