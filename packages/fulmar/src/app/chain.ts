/**
 * Middleware around a handler, as an onion: each is given the context and `next`, whose result is that of
 * everything behind it.
 */
import type { RawContext } from './context.ts';
import { isThenable } from '../host/thenable.ts';

export type Next = () => Promise<unknown>;
/** What it returns is the value; `undefined` and the context itself leave the value as it is. */
export type Middleware<C = RawContext> = (c: C, next: Next) => unknown;
export type Handler<C = RawContext> = (c: C) => unknown;
/** Under this key middleware has a function that makes of it what it is below a prefix. */
export const kBound: unique symbol = Symbol('bound');

const FORGOTTEN =
  'Middleware has returned nothing and not called next(): return next(), or a value, or null with a status for a reply without content.';

/** Most middleware is the same everywhere. */
export function boundTo(prefix: string, middleware: Middleware): Middleware {
  const bind = (middleware as Middleware & { readonly [kBound]?: (prefix: string) => Middleware })[kBound];
  return bind === undefined ? middleware : bind(prefix);
}

/** Runs a chain; the value, or a promise of it. */
export type Run = (c: RawContext) => unknown;

/** `middleware` around `handler`, made once for each route. */
export function chainOf(middleware: readonly Middleware[], handler: Run): Run {
  return middleware.reduceRight<Run>((inner, outer, index) => layer(outer, inner, index + 1), handler);
}

/** `next()` always gives a promise: who awaits it and who returns it get the same. */
function layer(outer: Middleware, inner: Run, step: number): Run {
  return (c) => {
    // What next() gave where everything behind it has been done already: who returns just that need not wait.
    let done: Promise<unknown> | null = null;
    const given = outer(c, () => {
      if (c.step >= step) return Promise.reject(new Error('next() was called twice by one middleware.'));
      c.step = step;
      try {
        const value = inner(c);
        if (isThenable(value)) return arrived(c, value);
        c.value = valueOf(c, value);
        return (done = Promise.resolve(c.value));
      } catch (error) {
        return Promise.reject(error as Error);
      }
    });
    if (given === done && done !== null) return c.value;
    const settle = (value: unknown): unknown => (goesOn(c, value, step) ? ((c.step = step), inner(c)) : settled(c, value, step));
    return isThenable(given) ? given.then(settle) : settle(given);
  };
}

/** The context, as its setters give it (`c => c.status(201)`), is no value. */
const valueOf = (c: RawContext, value: unknown): unknown => (value === c ? undefined : value);

/** `use((c) => c.header('X-A', 'b'))` has set a field and asks for nothing else; a status that was set is a reply. */
const goesOn = (c: RawContext, value: unknown, step: number): boolean => value === c && c.step < step && c.statusCode === 0;

async function arrived(c: RawContext, promised: PromiseLike<unknown>): Promise<unknown> {
  c.value = valueOf(c, await promised);
  return c.value;
}

function settled(c: RawContext, value: unknown, step: number): unknown {
  if (value !== undefined && value !== c) return value;
  // A forgotten next() would answer everything behind it with an empty reply, and nobody would be told.
  if (c.step < step && c.statusCode === 0) throw new Error(FORGOTTEN);
  return c.value;
}
