/**
 * Koa 2's old-style middleware: generator functions, which yield what they wait for. They are wrapped once,
 * in `app.use`.
 */
import { co } from './lazy.ts';
import type { KoaContext, Middleware, Next } from './types.ts';

const GeneratorFunction: unknown = Object.getPrototypeOf(function* () {
  // Only its prototype is wanted.
});
const LOOKS_LIKE_GENERATOR = /^\s*(?:function)?\*/;

type Generator = (this: KoaContext, next: Iterator<unknown>) => Iterator<unknown>;

function isGeneratorFunction(middleware: unknown): boolean {
  return LOOKS_LIKE_GENERATOR.test(Function.prototype.toString.call(middleware)) || Object.getPrototypeOf(middleware) === GeneratorFunction;
}

function* resumption(next: Next): Iterator<unknown> {
  return yield next();
}

function convert(middleware: Middleware & { readonly _name?: string }): Middleware {
  const { name } = middleware.constructor;
  if (name !== 'GeneratorFunction' && name !== 'AsyncGeneratorFunction') return middleware;
  const converted = (ctx: KoaContext, next: Next): unknown =>
    co().call(ctx as never, (middleware as unknown as Generator).call(ctx, resumption(next)) as never);
  return Object.assign(converted, { _name: middleware._name || middleware.name });
}

/** What `app.use` stores for a generator function; null for any other. */
export function convertGenerator(middleware: Middleware): Middleware | null {
  return isGeneratorFunction(middleware) ? convert(middleware) : null;
}
