/**
 * Middleware of procedures: around what stands in one part of an API, or around all of it. It sees calls, not
 * requests, so that calls of a batch meet it one by one.
 */
import type { AnyContext } from '../app/index.ts';
import { kindText } from '../app/checked-options.ts';
import type { Kind } from './api-types.ts';
import { extended } from './extended.ts';
import { Made } from './middleware.ts';
import type { Middleware, Scoped } from './middleware-types.ts';

/** One call on its way to its procedure. */
export interface Call<Ctx = AnyContext> {
  readonly c: AnyContext;
  /** What procedures are given first: that of the option `context`, else `c`, with what middleware before has added. */
  readonly context: Ctx;
  /** As in `users.get`. */
  readonly path: string;
  readonly kind: Kind;
  /** As the procedure is given them; with `alwaysRun`, as they came. */
  readonly args: readonly unknown[];
  /** What the client sends with every call, by name, as it came. */
  readonly values: Readonly<Record<string, unknown>>;
  /** @internal What middleware tells the client, as members of JSON. */
  readonly added: (string | Promise<string>)[];
}

/**
 * Goes on by `next()`, which gives what the procedure returned, an RPC error included, and throws what it threw.
 * What it returns is the result; `undefined` leaves the result as it is.
 */
export type CallMiddleware<Ctx = AnyContext> = (call: Call<Ctx>, next: () => Promise<unknown>) => unknown;

/** In the order in which they are met. */
export type Layer = CallMiddleware | Made;
/** Goes along where a scoped part is spread into another object, which its middleware does not. */
const IS_SCOPED = Symbol('scoped');

/** `(call, next)`. */
const PARAMETERS_MAX = 2;

const used = new WeakMap<object, readonly Layer[]>();

/** A part of an API with middleware around its procedures, the first one outermost. @throws TypeError for what is none */
export function scoped<const Tree extends object, const M extends Middleware | readonly Middleware[]>(
  middleware: M,
  tree: Tree,
): Scoped<Tree, M>;
export function scoped<const Tree extends object, Ctx = AnyContext>(
  middleware: CallMiddleware<Ctx> | readonly (CallMiddleware<Ctx> | Middleware)[],
  tree: Tree,
): Scoped<Tree, CallMiddleware>;
export function scoped(middleware: unknown, tree: object): object {
  const list = toMiddleware('scoped', middleware);
  if (typeof tree !== 'object' || tree === null)
    throw new TypeError('scoped() takes middleware and a part of an API: an object of procedures.');
  const copy = { ...tree };
  used.set(copy, [...list, ...middlewareOf(tree)]);
  Object.assign(copy, { [IS_SCOPED]: true });
  return copy;
}

/** @throws TypeError for a part that would lose the middleware it was given */
export function middlewareOf(tree: object): readonly Layer[] {
  const found = used.get(tree);
  if (found === undefined && Object.hasOwn(tree, IS_SCOPED))
    throw new TypeError(
      'A part that scoped() has made loses its middleware where it is spread: give it a name ({ admin: scoped(…) }), or put scoped() around all of the object.',
    );
  return found ?? [];
}

export const isLayer = (given: unknown): given is Layer => typeof given === 'function' || given instanceof Made;

export function toMiddleware(factory: string, given: unknown): readonly Layer[] {
  const list: unknown[] = [given].flat();
  const wrong = list.find((one) => !isLayer(one));
  if (list.length === 0 || wrong !== undefined)
    throw new TypeError(
      `${factory}() takes functions (call, next) as middleware, or what middleware() makes, and this is ${wrong === undefined ? 'none' : kindText(wrong)}.`,
    );
  const foreign = list.find((one) => typeof one === 'function' && one.length > PARAMETERS_MAX) as CallMiddleware | undefined;
  if (foreign !== undefined)
    throw new TypeError(
      `${factory}() takes functions (call, next) as middleware, and ${foreign.name === '' ? 'this one' : foreign.name} has ${foreign.length} parameters, as (req, res, next) of Express: the option raw of rpc() takes it.`,
    );
  return list as Layer[];
}

/** Stands around everything else of a call. */
export const isAlways = (layer: Layer): boolean => layer instanceof Made && layer.options.alwaysRun === true;

export function through(layers: readonly Layer[], call: Call, run: (context: unknown) => unknown): unknown {
  if (layers.length === 0) return run(call.context);
  const step = async (at: number, context: unknown): Promise<unknown> => {
    const layer = layers[at];
    if (layer === undefined) return run(context);
    let behind: Promise<unknown> | undefined;
    const next = (additions?: object): Promise<unknown> => {
      if (behind !== undefined) return Promise.reject(new Error('next() was called twice by one middleware.'));
      return (behind = step(at + 1, additions === undefined ? context : extended(context, additions)));
    };
    const own = context === call.context ? call : { ...call, context: context as AnyContext };
    const given = await (layer instanceof Made ? layer.run((await layer.judge(own)) as never, next as never) : layer(own, next));
    return given === undefined ? behind : given;
  };
  return step(0, call.context);
}
