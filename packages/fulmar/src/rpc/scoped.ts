/**
 * Middleware of procedures: around what stands in one part of an API, or around all of it. It sees calls, not
 * requests, so that calls of a batch meet it one by one.
 */
import type { AnyContext } from '../app/index.ts';
import type { Kind } from './api-types.ts';

/** One call on its way to its procedure. */
export interface Call<Ctx = AnyContext> {
  readonly c: AnyContext;
  /** What procedures are given first: that of the option `context`, else `c`. */
  readonly context: Ctx;
  /** As in `users.get`. */
  readonly path: string;
  readonly kind: Kind;
  /** As the procedure is given them. */
  readonly args: readonly unknown[];
  /** What the client sends with every call, by name, as it came. */
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Goes on by `next()`, which gives what the procedure returned, an RPC error included, and throws what it threw.
 * What it returns is the result; `undefined` leaves the result as it is.
 */
export type CallMiddleware<Ctx = AnyContext> = (call: Call<Ctx>, next: () => Promise<unknown>) => unknown;

const used = new WeakMap<object, readonly CallMiddleware[]>();
/** Goes along where a scoped part is spread into another object, which its middleware does not. */
const IS_SCOPED = Symbol('scoped');

/** A part of an API with middleware around its procedures, the first one outermost. @throws TypeError for what is no function */
export function scoped<const Tree extends object, Ctx = AnyContext>(
  middleware: CallMiddleware<Ctx> | readonly CallMiddleware<Ctx>[],
  tree: Tree,
): Tree {
  const list = toMiddleware('scoped', middleware);
  if (typeof tree !== 'object' || tree === null)
    throw new TypeError('scoped() takes middleware and a part of an API: an object of procedures.');
  const copy = { ...tree };
  used.set(copy, [...list, ...middlewareOf(tree)]);
  Object.assign(copy, { [IS_SCOPED]: true });
  return copy;
}

/** @throws TypeError for a part that would lose the middleware it was given */
export function middlewareOf(tree: object): readonly CallMiddleware[] {
  const found = used.get(tree);
  if (found === undefined && Object.hasOwn(tree, IS_SCOPED))
    throw new TypeError(
      'A part that scoped() has made loses its middleware where it is spread: give it a name ({ admin: scoped(…) }), or put scoped() around all of the object.',
    );
  return found ?? [];
}

export function toMiddleware(factory: string, given: unknown): readonly CallMiddleware[] {
  const list: unknown[] = [given].flat();
  const wrong = list.find((one) => typeof one !== 'function');
  if (list.length === 0 || wrong !== undefined)
    throw new TypeError(
      `${factory}() takes functions (call, next) as middleware, and this is ${wrong === undefined ? 'none' : `of type ${typeof wrong}`}.`,
    );
  return list as CallMiddleware[];
}

export function through(middleware: readonly CallMiddleware[], call: Call, run: () => unknown): unknown {
  if (middleware.length === 0) return run();
  const step = async (at: number): Promise<unknown> => {
    const one = middleware[at];
    if (one === undefined) return run();
    let behind: Promise<unknown> | undefined;
    const given = await one(call, () => {
      if (behind !== undefined) return Promise.reject(new Error('next() was called twice by one middleware.'));
      return (behind = step(at + 1));
    });
    return given === undefined ? behind : given;
  };
  return step(0);
}
