/** How calls of a guest are made, and what is wrong with options that are none. */
import { nearest } from '../host/suggest.ts';

export interface CallOptions {
  /** Milliseconds until a call is given up (`ERR_GUEST_TIMEOUT`) and its code interrupted. Default: none; 5,000 where `sync`. */
  readonly timeout?: number | undefined;
  /** Gives the call up when it is aborted, and interrupts its code. */
  readonly signal?: AbortSignal | undefined;
  /** Calls return their result instead of a promise, and the JavaScript thread waits for it. */
  readonly sync?: boolean | undefined;
  /** `'handle'`: results stay with the guest, also those that have a counterpart in JavaScript. */
  readonly result?: 'value' | 'handle' | undefined;
}

export const SYNC_TIMEOUT_MS = 5_000;
/** What timers of JavaScript take. */
const TIMEOUT_MS_MAX = 2 ** 31 - 1;

const NAMES = ['timeout', 'signal', 'sync', 'result'] as const;

/**
 * @param more names that are taken there beside those of all calls, and are not among `options` any more
 * @throws TypeError for a name or a value that is none of them
 */
export function checkCallOptions(options: CallOptions, where: string, more: readonly string[] = []): CallOptions {
  for (const name of Object.keys(options)) {
    if ((NAMES as readonly string[]).includes(name)) continue;
    const all = [...more, ...NAMES];
    const near = nearest(name, all);
    const hint = near === undefined ? `they are ${all.join(', ')}` : `did you mean ${near}?`;
    throw new TypeError(`${where} knows no option ${JSON.stringify(name)}: ${hint}`);
  }
  const { timeout, signal, sync, result } = options;
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0 && timeout <= TIMEOUT_MS_MAX)) {
    const given = typeof timeout === 'string' ? JSON.stringify(timeout) : String(timeout);
    throw new TypeError(`${where}: timeout is a number of milliseconds from 1 to ${TIMEOUT_MS_MAX}, and this is ${given}`);
  }
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw new TypeError(`${where}: signal is an AbortSignal`);
  if (sync !== undefined && typeof sync !== 'boolean') throw new TypeError(`${where}: sync is true or false`);
  if (result !== undefined && result !== 'value' && result !== 'handle') throw new TypeError(`${where}: result is 'value' or 'handle'`);
  return options;
}
