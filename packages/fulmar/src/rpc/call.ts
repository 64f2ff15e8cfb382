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
import { isAsyncIterable, isBlob } from './standard.ts';
import type { Endpoint } from './tree.ts';

/** What calls of one request share. */
export interface Request {
  readonly c: AnyContext;
  readonly log: ErrorLog;
  readonly middleware: readonly CallMiddleware[];
  /** The context of procedures, made once. */
  readonly context: () => unknown;
}

/** Members of a reply behind its version, each with a comma before it; or what is sent item by item. */
export type Outcome =
  | { readonly status: number; readonly members: string; readonly stream?: undefined }
  | { readonly status: 200; readonly stream: AsyncIterable<unknown> }
  | { readonly status: 200; readonly file: Blob; readonly stream?: undefined; readonly members: '' };

export async function runCall(endpoint: Endpoint, asked: Asked, request: Request, resolve?: Resolve): Promise<Outcome> {
  const { c, log } = request;
  try {
    const args = await endpoint.params(argsOf(asked, resolve));
    const context = await request.context();
    const { name: path, kind } = endpoint;
    const call = { c, context: context as AnyContext, path, kind, args, values: asked.values };
    const run = (): unknown => through([...request.middleware, ...endpoint.middleware], call, () => endpoint.run(context, ...args));
    const result = await within(shorter(endpoint.timeoutMs, asked.timeoutMs), c, run);
    if (result instanceof RpcFailure) return failed(result, path, log);
    if (isBlob(result)) return { status: 200, file: result, members: '' };
    if (isAsyncIterable(result)) return { status: 200, stream: result };
    return { status: 200, members: await endpoint.encode(result) };
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
  let isLate = false;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => {
        isLate = true;
        const error = new HttpError(504, `No result within ${ms} ms.`);
        reject(error);
        c.abort(error);
      },
      Math.min(ms, 2 ** 31 - 1),
    );
    void Promise.resolve(given)
      .then((result) => (isLate ? leave(result) : resolve(result)), reject)
      .finally(() => clearTimeout(timer));
  });
}

/** A stream that comes when nobody waits for it any more. */
function leave(result: unknown): void {
  if (!isAsyncIterable(result)) return;
  void Promise.resolve(result[Symbol.asyncIterator]().return?.()).catch(() => {});
}
