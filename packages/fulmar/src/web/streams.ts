/**
 * What counts as a stream: Node's own, and for Koa 3 what has all members of a readable one (streams of
 * another copy of a library).
 */
import { Stream } from 'node:stream';

/** Koa 2's rule. */
export const isNodeStream = (value: unknown): value is Stream => value instanceof Stream;

/** Koa 3's rule. */
export function isStream(value: unknown): boolean {
  if (value instanceof Stream) return true;
  if (value === null || typeof value !== 'object') return false;
  const one = value as Record<string, unknown>;
  return (
    Boolean(one['readable']) &&
    typeof one['pipe'] === 'function' &&
    typeof one['read'] === 'function' &&
    typeof one['readable'] === 'boolean' &&
    typeof one['readableObjectMode'] === 'boolean' &&
    typeof one['destroy'] === 'function' &&
    typeof one['destroyed'] === 'boolean'
  );
}
