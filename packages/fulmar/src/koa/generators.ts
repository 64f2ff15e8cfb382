// Koa 2's old-style middleware: generator functions, which yield what they wait for. They are wrapped once, in `app.use`.
import depd from 'depd';
import { co } from './lazy.ts';
import type { KoaContext, Middleware, Next } from './shapes.ts';

const deprecate = depd('koa');

const NOTICE =
  'Support for generators will be removed in v3. ' +
  'See the documentation for examples of how to convert old middleware ' +
  'https://github.com/koajs/koa/blob/master/docs/migration.md';

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

/** What `app.use` stores. */
export function adoptGenerator(middleware: Middleware): Middleware {
  if (!isGeneratorFunction(middleware)) return middleware;
  deprecate(NOTICE);
  return convert(middleware);
}
