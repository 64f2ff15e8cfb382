/**
 * A session as text in a store: JSON in the form of `express-session`, so that an Express application and the
 * app can share one. What is no such record is no session.
 */
import type { CookieScope } from '../cookie-options.ts';
import type { Kept } from './session-types.ts';

/** Beside the data: `express-session` keeps what it does not know. */
const CREATED = '_createdAt';
/** Members of a record that are not data. */
export const RESERVED: readonly string[] = ['cookie', CREATED];

export interface RecordTimes {
  readonly ttlMs: number;
  /** The cookie has a time, too. */
  readonly isPersistent: boolean;
}

export function toRecord({ data, createdMs }: Kept, scope: CookieScope, { ttlMs, isPersistent }: RecordTimes): string {
  const cookie = {
    originalMaxAge: isPersistent ? ttlMs : null,
    expires: isPersistent ? new Date(Date.now() + ttlMs).toISOString() : null,
    ...scope,
  };
  const head = `{"cookie":${JSON.stringify(cookie)},"${CREATED}":${createdMs}`;
  return data === '{}' ? `${head}}` : `${head},${data.slice(1)}`;
}

/**
 * Undefined for what is none. When it is over is the store's to know: the time in a record is that of its last
 * change, and not of its last use.
 */
export function fromRecord(text: string): Kept | undefined {
  const record = parseObject(text);
  if (record === undefined) return undefined;
  const created = record[CREATED];
  for (const name of RESERVED) delete record[name];
  return { data: JSON.stringify(record), createdMs: typeof created === 'number' ? created : NaN };
}

/**
 * Undefined for what is no object. Without a prototype, and without members called `__proto__` at any depth:
 * whoever merges such data into an object of theirs would change every object.
 */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = text.includes('__proto__') ? JSON.parse(text, withoutProto) : JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
    return Object.assign(Object.create(null) as object, parsed) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function withoutProto(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}
