/**
 * `useCache(handler, options)`: a handler of the app whose replies are kept, as `config.cache` says it of those of a file.
 */
import type { AnyContext } from '../../app/index.ts';
import { kindText } from '../../app/checked-options.ts';
import { cached } from './cached.ts';
import type { CacheOptions } from './options.ts';

/** With a schema of replies what is kept is what the handler has returned. */
const isChecked = (c: AnyContext): boolean =>
  (c.entry as { readonly options?: { readonly response?: unknown } | null } | null)?.options?.response !== undefined;

/** @throws TypeError for what is no handler of the app, and for options that are none */
export function useCache<C = any>(handler: (c: C) => unknown, options: CacheOptions = {}): (c: C) => unknown {
  if (typeof handler !== 'function' || handler.length > 1)
    throw new TypeError(
      `useCache() takes a handler (c) whose replies are kept, and this is ${kindText(handler)}${typeof handler === 'function' ? ' (req, res)' : ''}.`,
    );
  return cached(handler as (c: AnyContext) => unknown, options, isChecked) as (c: C) => unknown;
}
