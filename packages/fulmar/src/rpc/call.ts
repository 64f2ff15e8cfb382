/**
 * One call: parameters judged, middleware, the procedure, its result as text, or what is told of its error.
 * Knows nothing of the request it came in.
 */
import { type AnyContext, HttpError } from '../app/index.ts';
import { toBinary } from '../shape/binary/values.ts';
import type { Resolve } from '../shape/wire-hints.ts';
import { type ErrorLog, toTold } from './errors.ts';
import { RpcFailure } from './failure.ts';
import { type Asked, argsOf, VERSION } from './request.ts';
import { type CallMiddleware, through } from './scoped.ts';
import { isThenable } from '../host/thenable.ts';
import { isAsyncIterable } from './standard.ts';
import type { Endpoint } from './tree.ts';

/** What calls of one request share. */
export interface Request {
  readonly c: AnyContext;
  readonly log: ErrorLog;
  readonly middleware: readonly CallMiddleware[];
  /** Results are wanted in the binary form. */
  readonly isBinary: boolean;
  /** The context of procedures, made once. */
  readonly context: () => unknown;
}

/**
 * Members of a reply behind its version, each with a comma before it; a whole reply in the binary form, which errors
 * never are; or what is sent item by item.
 */
export type Outcome =
  | { readonly status: number; readonly members: string; readonly bytes?: undefined; readonly stream?: undefined }
  | { readonly status: 200; readonly bytes: Uint8Array<ArrayBuffer>; readonly stream?: undefined }
  | { readonly status: 200; readonly stream: AsyncIterable<unknown> };

export interface Failed {
  readonly status: number;
  readonly members: string;
}

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
    if (isAsyncIterable(result)) return { status: 200, stream: result };
    if (request.isBinary) return { status: 200, bytes: toBinary({ rpc: VERSION, value: await endpoint.result(result) }) };
    return { status: 200, members: await endpoint.encode(result) };
  } catch (error) {
    return failed(error, endpoint.name, log);
  }
}

export function failed(error: unknown, where: string, log: ErrorLog): Failed {
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
