/** A request as the page lists it, and what is sent to the page of each. */
import type { RequestEntry } from './request-log.ts';

const DECIMALS = 100;
const toMs = (ms: number | null): number | null => (ms === null ? null : Math.round(ms * DECIMALS) / DECIMALS);

export function toRow({ id, method, target, at, state, status, handlersMs, totalMs, bytes, failure }: RequestEntry): object {
  const error = failure === null ? null : `${failure.name}: ${failure.message}`.split('\n', 1)[0]?.slice(0, 200);
  return { id, method, target, at, state, status, handlersMs: toMs(handlersMs), totalMs: toMs(totalMs), bytes, error };
}
