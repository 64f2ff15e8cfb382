/**
 * The forms of arguments that `connect()` and `listen()` take.
 */

export type Callback = (...args: never[]) => void;
export type Options = Record<string, unknown>;
export type Normalized = [Options, Callback | null];

const normalized = Symbol('normalizedArgs');

export function toNumber(value: unknown): number | false {
  const number = Number(value);
  return number >= 0 ? number : false;
}

const isPipeName = (value: unknown): value is string => typeof value === 'string' && toNumber(value) === false;

/** `(options, cb)`, `(path, cb)` or `(port, host, cb)` as `[options, cb]`. */
export function normalizeArgs(args: readonly unknown[]): Normalized {
  const [first] = args;
  let options: Options = {};
  if (typeof first === 'object' && first !== null) options = first as Options;
  else if (isPipeName(first)) options['path'] = first;
  else if (args.length > 0) {
    options['port'] = first;
    if (typeof args[1] === 'string') options['host'] = args[1];
  }
  const last = args.at(-1);
  const pair: Normalized = [options, typeof last === 'function' ? (last as Callback) : null];
  return Object.defineProperty(pair, normalized, { value: true });
}

/** Whether `value` was made by `normalizeArgs` already. */
export const isNormalized = (value: unknown): value is Normalized => Array.isArray(value) && Object.hasOwn(value, normalized);
