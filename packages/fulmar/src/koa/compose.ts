/**
 * Middleware as one function. The stack is checked once, when the application is told to answer requests; a
 * request costs one object and, for each middleware it enters, its `next`. Semantics of koa-compose: of the
 * version that stands beside the Koa we stand for.
 */
import type { Composed, KoaContext, Middleware, Next } from './types.ts';
import { readGlobal } from '../host/globals.ts';

type Nested = Middleware | readonly Nested[];

/**
 * What `next()` gives behind a middleware that is not asynchronous: nothing waits for it, so one serves all.
 */
const DONE: Promise<undefined> = Promise.resolve(undefined);

function flatten(stack: readonly Nested[]): Middleware[] {
  return stack.flatMap((one) => (Array.isArray(one) ? flatten(one as readonly Nested[]) : [one as Middleware]));
}

const BEFORE_COPIES = /^[0-3]\.|^4\.[01]\./;

/**
 * Versions before 4.2 keep the array they are given, so that middleware which is added or removed later
 * counts.
 */
function keepsArray(): boolean {
  const version = readGlobal('fulmar.koaCompose');
  return version !== undefined && BEFORE_COPIES.test(version);
}

/** The way of one request through the stack. */
class Passage {
  declare private readonly _stack: readonly Middleware[];
  declare private readonly _context: KoaContext;
  declare private readonly _next: Next | undefined;
  /** Index of the innermost middleware that was called. */
  declare private _last: number;

  constructor(stack: readonly Middleware[], context: KoaContext, next: Next | undefined) {
    this._stack = stack;
    this._context = context;
    this._next = next;
    this._last = -1;
  }

  enter(index: number): Promise<unknown> {
    if (index <= this._last) return Promise.reject(new Error('next() called multiple times'));
    this._last = index;
    const middleware = index === this._stack.length ? (this._next as Middleware | undefined) : this._stack[index];
    if (!middleware) return DONE;
    try {
      const result = middleware(this._context, () => this.enter(index + 1));
      return result === undefined ? DONE : Promise.resolve(result);
    } catch (error) {
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- whatever was thrown is what the middleware in front gets
      return Promise.reject(error);
    }
  }
}

/** Composes middleware; each calls the one behind it with `next()`, once. */
export function compose(middleware: Middleware[]): Composed {
  if (!Array.isArray(middleware)) throw new TypeError('Middleware stack must be an array!');
  const stack = keepsArray() ? middleware : flatten(middleware);
  for (const one of stack) if (typeof one !== 'function') throw new TypeError('Middleware must be composed of functions!');
  return (context, next) => new Passage(stack, context, next).enter(0);
}
