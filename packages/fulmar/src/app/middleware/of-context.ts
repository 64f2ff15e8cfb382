/**
 * What middleware has left for a request, by its context: the typed way to what stands in `c.state` as well. Never
 * asked by the middleware itself.
 */
import type { AnyContext } from '../context.ts';
import type { OfContext } from './session/session-types.ts';

export interface KeptByContext<Value> {
  set(c: AnyContext, value: Value): void;
  /** @throws Error for a request that the middleware was not around */
  readonly of: (c: OfContext) => Value;
}

/** `factory`: as the error names it. */
export function keepByContext<Value>(factory: string): KeptByContext<Value> {
  const kept = new WeakMap<object, { readonly value: Value }>();
  return {
    set: (c, value) => void kept.set(c, { value }),
    of(c) {
      const found = kept.get(c);
      if (found !== undefined) return found.value;
      throw new Error(`${factory}() was not around this request: app.use() what it returned before the route, and give of() its c.`);
    },
  };
}
