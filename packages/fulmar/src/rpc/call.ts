/**
 * One call: parameters judged, middleware, the procedure, its result as text, or what is told of its error.
 * Knows nothing of the request it came in.
 */
import { type AnyContext, HttpError } from '../app/index.ts';
import type { Resolve } from '../shape/wire-hints.ts';
import { type ErrorLog, toTold } from './errors.ts';
import { RpcFailure } from './failure.ts';
import { type Asked, argsOf } from './request.ts';
import { type Call, through } from './scoped.ts';
import { isThenable } from '../host/thenable.ts';
import { isAsyncIterable } from './standard.ts';
import type { Endpoint } from './tree.ts';

/** What calls of one request share. */
export interface Request {
  readonly c: AnyContext;
  readonly log: ErrorLog;
  /** The context of procedures, made once. */
  readonly context: () => unknown;
}

/** Members of a reply behind its version, each with a comma before it; or what is sent item by item. */
export type Outcome =
  | { readonly status: number; readonly members: string; readonly stream?: undefined }
  | { readonly status: 200; readonly stream: AsyncIterable<unknown> };

export async function runCall(endpoint: Endpoint, asked: Asked, request: Request, resolve?: Resolve): Promise<Outcome> {
  const added: Call['added'] = [];
  let outcome: Outcome;
  try {
    const asks: Asks = { endpoint, asked, request, resolve, added };
    outcome = endpoint.always.length === 0 ? await outcomeOf(asks, await judgedAndRun(asks)) : await withAlways(asks);
  } catch (error) {
    outcome = failed(error, endpoint.name, request.log);
  }
  return added.length === 0 ? outcome : withAdded(outcome, added, { endpoint, log: request.log });
}

interface Asks {
  readonly endpoint: Endpoint;
  readonly asked: Asked;
  readonly request: Request;
  readonly resolve: Resolve | undefined;
  readonly added: Call['added'];
}

/** The result. @throws what stands in its way */
async function judgedAndRun({ endpoint, asked, request, resolve, added }: Asks, extended?: unknown): Promise<unknown> {
  const { c } = request;
  const args = await endpoint.params(argsOf(asked, resolve));
  const made = await request.context();
  const context = extended === undefined ? made : extended;
  const { name: path, kind } = endpoint;
  const call = { c, context: context as AnyContext, path, kind, args, values: asked.values, added };
  return within(shorter(endpoint.timeoutMs, asked.timeoutMs), c, () =>
    through(endpoint.middleware, call, (own) => endpoint.run(own, ...args)),
  );
}

/** Around judging and writing too, so that what fails there is told to it: a result is written before `next()` gives it. */
async function withAlways(asks: Asks): Promise<Outcome> {
  const { endpoint, asked, request, added } = asks;
  let written: { readonly result: unknown; readonly outcome: Outcome } | undefined;
  const inside = async (own: unknown): Promise<unknown> => {
    const result = await judgedAndRun(asks, own);
    written = { result, outcome: await outcomeOf(asks, result) };
    return result;
  };
  // One that cannot be made is told where it is needed, by what stands inside.
  const context = await Promise.resolve(request.context()).catch(() => undefined);
  const { name: path, kind } = endpoint;
  const call = { c: request.c, context: context as AnyContext, path, kind, args: asked.params, values: asked.values, added };
  const result = await through(endpoint.always, call, inside);
  return written !== undefined && Object.is(written.result, result) ? written.outcome : outcomeOf(asks, result);
}

/** At once where the result is text at once, as it is with types. */
function outcomeOf({ endpoint, request }: Asks, result: unknown): Outcome | Promise<Outcome> {
  if (result instanceof RpcFailure) return failed(result, endpoint.name, request.log);
  if (isAsyncIterable(result)) return { status: 200, stream: result };
  const members = endpoint.encode(result);
  return typeof members === 'string' ? { status: 200, members } : members.then((text) => ({ status: 200, members: text }));
}

/** A stream has left before anything could be said behind it. */
async function withAdded(
  outcome: Outcome,
  added: Call['added'],
  { endpoint, log }: { endpoint: Endpoint; log: ErrorLog },
): Promise<Outcome> {
  try {
    const texts = await Promise.all(added);
    if (outcome.stream !== undefined) {
      await outcome.stream[Symbol.asyncIterator]().return?.();
      throw new TypeError('addResults() is for results that are there as a whole, and this one is a stream.');
    }
    return { ...outcome, members: `${outcome.members},"added":[${texts.map((text) => `{${text.slice(1)}}`).join(',')}]` };
  } catch (error) {
    return failed(error, endpoint.name, log);
  }
}

export function failed(error: unknown, where: string, log: ErrorLog): Outcome & { readonly members: string } {
  const told = toTold(error, where, log);
  return { status: told.status, members: `,"error":${JSON.stringify(told)}` };
}

const shorter = (a: number, b: number): number => (a === 0 ? b : b === 0 ? a : Math.min(a, b));

/** @throws HttpError 504 when it takes longer; its signal fires then */
function within(ms: number, c: AnyContext, run: () => unknown): unknown {
  const given = run();
  if (ms === 0 || !isThenable(given)) return given;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => {
        const error = new HttpError(504, `No result within ${ms} ms.`);
        reject(error);
        c.abort(error);
      },
      Math.min(ms, 2 ** 31 - 1),
    );
    void Promise.resolve(given)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
