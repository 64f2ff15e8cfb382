/**
 * One call: parameters judged, middleware, the procedure, its result as text, or what is told of its error.
 * Knows nothing of the request it came in.
 */
import { type AnyContext, HttpError } from '../app/index.ts';
import type { Resolve } from '../shape/wire-hints.ts';
import { type ErrorLog, toTold } from './errors.ts';
import { RpcFailure } from './failure.ts';
import { type Asked, argsOf } from './request.ts';
import { type CallMiddleware, through } from './scoped.ts';
import { isThenable } from '../host/thenable.ts';
import { isAsyncIterable } from './standard.ts';
import type { Endpoint } from './tree.ts';

/** What calls of one request share. */
export interface Request {
  readonly c: AnyContext;
  readonly log: ErrorLog;
  readonly middleware: readonly CallMiddleware[];
  /** The context of procedures, made once. */
  context(): unknown;
}

/** Members of a reply behind its version, each with a comma before it; or what is sent item by item. */
export type Outcome =
  | { readonly status: number; readonly members: string; readonly stream?: undefined }
  | { readonly status: 200; readonly stream: AsyncIterable<unknown> }
  | { readonly status: 200; readonly file: Blob; readonly stream?: undefined; readonly members: '' };

/** A promise of it only where something of the call takes its time. */
export function runCall(endpoint: Endpoint, asked: Asked, request: Request, resolve?: Resolve): Outcome | Promise<Outcome> {
  try {
    const args = endpoint.params(argsOf(asked, resolve));
    if (isThenable(args)) return runLater(endpoint, asked, request, args);
    const context = request.context();
    if (isThenable(context)) return runLater(endpoint, asked, request, args);
    const result = invoke(endpoint, asked, request, { args, context });
    if (isThenable(result)) return endLater(endpoint, request, result);
    const outcome = outcomeOf(endpoint, request, result);
    return isThenable(outcome) ? outcome.catch((error: unknown) => failed(error, endpoint.name, request.log)) : outcome;
  } catch (error) {
    return failed(error, endpoint.name, request.log);
  }
}

async function runLater(
  endpoint: Endpoint,
  asked: Asked,
  request: Request,
  given: readonly unknown[] | Promise<readonly unknown[]>,
): Promise<Outcome> {
  try {
    const args = await given;
    const context = await request.context();
    return await endLater(endpoint, request, invoke(endpoint, asked, request, { args, context }));
  } catch (error) {
    return failed(error, endpoint.name, request.log);
  }
}

async function endLater(endpoint: Endpoint, request: Request, given: unknown): Promise<Outcome> {
  try {
    return await outcomeOf(endpoint, request, await given);
  } catch (error) {
    return failed(error, endpoint.name, request.log);
  }
}

interface Given {
  readonly args: readonly unknown[];
  readonly context: unknown;
}

/** The procedure within its middleware and its time. */
function invoke(endpoint: Endpoint, asked: Asked, request: Request, { args, context }: Given): unknown {
  const { name: path, kind, middleware, timeoutMs } = endpoint;
  const { c } = request;
  const ms = shorter(timeoutMs, asked.timeoutMs);
  if (request.middleware.length === 0 && middleware.length === 0) {
    const given = endpoint.run(context, ...args);
    return ms === 0 ? given : within(ms, c, given);
  }
  const call = { c, context: context as AnyContext, path, kind, args, values: asked.values };
  return within(
    ms,
    c,
    through([...request.middleware, ...middleware], call, () => endpoint.run(context, ...args)),
  );
}

function outcomeOf(endpoint: Endpoint, request: Request, result: unknown): Outcome | Promise<Outcome> {
  if (result instanceof RpcFailure) return failed(result, endpoint.name, request.log);
  if (result instanceof Blob) return { status: 200, file: result, members: '' };
  if (isAsyncIterable(result)) return { status: 200, stream: result };
  const members = endpoint.encode(result);
  return isThenable(members) ? writtenLater(members) : { status: 200, members };
}

const writtenLater = async (members: PromiseLike<string>): Promise<Outcome> => ({ status: 200, members: await members });

export function failed(error: unknown, where: string, log: ErrorLog): Outcome & { readonly members: string } {
  const told = toTold(error, where, log);
  return { status: told.status, members: `,"error":${JSON.stringify(told)}` };
}

const shorter = (a: number, b: number): number => (a === 0 ? b : b === 0 ? a : Math.min(a, b));

/** @throws HttpError 504 when it takes longer; its signal fires then */
function within(ms: number, c: AnyContext, given: unknown): unknown {
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
