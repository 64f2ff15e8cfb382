/**
 * One call: parameters judged, middleware, the procedure, its result as text, or what is told of its error.
 * Knows nothing of the request it came in.
 */
import { type AnyContext, HttpError } from '../app/index.ts';
import { toBinary } from '../shape/binary/values.ts';
import type { Resolve } from '../shape/wire-hints.ts';
import { type ErrorLog, toTold } from './errors.ts';
import { RpcFailure } from './failure.ts';
import { TIMER_MS_MAX } from './procedure.ts';
import { type Asked, argsOf, VERSION } from './request.ts';
import { type Call, through } from './scoped.ts';
import { isThenable } from '../host/thenable.ts';
import { isAsyncIterable, isBlob } from './standard.ts';
import type { Endpoint } from './tree.ts';

/** What calls of one request share. */
export interface Request {
  readonly c: AnyContext;
  readonly log: ErrorLog;
  /** Results are wanted in the binary form. */
  readonly isBinary: boolean;
  /** A batch: its signal is that of all its calls. */
  readonly isShared: boolean;
  /** The context of procedures, made once. */
  context(): unknown;
}

/**
 * Members of a reply behind its version, each with a comma before it; a whole reply in the binary form, which errors
 * never are; or what is sent item by item.
 */
export type Outcome =
  | { readonly status: number; readonly members: string; readonly bytes?: undefined; readonly stream?: undefined }
  | InBytes
  | { readonly status: 200; readonly stream: AsyncIterable<unknown> }
  | { readonly status: 200; readonly file: Blob; readonly bytes?: undefined; readonly stream?: undefined; readonly members: '' };

interface InBytes {
  readonly status: 200;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What is in them. */
  readonly value: unknown;
  readonly stream?: undefined;
}

interface Failed {
  readonly status: number;
  readonly members: string;
}

/** A promise of it only where something of the call takes its time, or stands around it. */
export function runCall(endpoint: Endpoint, asked: Asked, request: Request, resolve?: Resolve): Outcome | Promise<Outcome> {
  const asks = { endpoint, asked, request, resolve };
  return endpoint.always.length === 0 && endpoint.middleware.length === 0 ? runAlone(asks) : runWithin({ ...asks, added: [] });
}

interface Asks {
  readonly endpoint: Endpoint;
  readonly asked: Asked;
  readonly request: Request;
  readonly resolve: Resolve | undefined;
}

/** No middleware is around it. */
function runAlone(asks: Asks): Outcome | Promise<Outcome> {
  const { endpoint, asked, request, resolve } = asks;
  try {
    const args = endpoint.params(argsOf(asked, resolve));
    if (isThenable(args)) return runLater(asks, args);
    const context = request.context();
    if (isThenable(context)) return runLater(asks, args);
    const result = invoke(asks, args, context);
    if (isThenable(result)) return endLater(asks, result);
    const outcome = outcomeOf(asks, result);
    return isThenable(outcome) ? outcome.catch((error: unknown) => failed(error, endpoint.name, request.log)) : outcome;
  } catch (error) {
    return failed(error, endpoint.name, request.log);
  }
}

async function runLater(asks: Asks, given: readonly unknown[] | Promise<readonly unknown[]>): Promise<Outcome> {
  const { endpoint, request } = asks;
  try {
    const args = await given;
    const context = await request.context();
    return await outcomeOf(asks, await invoke(asks, args, context));
  } catch (error) {
    return failed(error, endpoint.name, request.log);
  }
}

async function endLater(asks: Asks, given: unknown): Promise<Outcome> {
  try {
    return await outcomeOf(asks, await given);
  } catch (error) {
    return failed(error, asks.endpoint.name, asks.request.log);
  }
}

/** The procedure within its time. */
function invoke({ endpoint, asked, request }: Timed, args: readonly unknown[], context: unknown): unknown {
  const given = endpoint.run(context, ...args);
  return endpoint.timeoutMs === 0 && asked.timeoutMs === 0 ? given : within({ endpoint, asked, request }, given);
}

interface Around extends Asks {
  /** What middleware has said to the reply. */
  readonly added: Call['added'];
}

async function runWithin(asks: Around): Promise<Outcome> {
  const { endpoint, request, added } = asks;
  let outcome: Outcome;
  try {
    outcome = endpoint.always.length === 0 ? await outcomeOf(asks, await judgedAndRun(asks)) : await withAlways(asks);
  } catch (error) {
    outcome = failed(error, endpoint.name, request.log);
  }
  return added.length === 0 ? outcome : withAdded(outcome, asks);
}

/** The result. @throws what stands in its way */
async function judgedAndRun({ endpoint, asked, request, resolve, added }: Around, extended?: unknown): Promise<unknown> {
  const { c } = request;
  const args = await endpoint.params(argsOf(asked, resolve));
  const made = await request.context();
  const context = extended === undefined ? made : extended;
  const { name: path, kind } = endpoint;
  const call = { c, context: context as AnyContext, path, kind, args, values: asked.values, added };
  const given = through(endpoint.middleware, call, (own) => endpoint.run(own, ...args));
  return within({ endpoint, asked, request }, given);
}

/** Around judging and writing too, so that what fails there is told to it: a result is written before `next()` gives it. */
async function withAlways(asks: Around): Promise<Outcome> {
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

function outcomeOf({ endpoint, request }: Asks, result: unknown): Outcome | Promise<Outcome> {
  if (result instanceof RpcFailure) return failed(result, endpoint.name, request.log);
  if (isBlob(result)) return { status: 200, file: result, members: '' };
  if (isAsyncIterable(result)) return { status: 200, stream: result };
  if (request.isBinary && endpoint.result !== undefined) {
    const value = endpoint.result(result);
    return isThenable(value) ? inBytesLater(value) : inBytes(value);
  }
  const members = endpoint.encode(result);
  return isThenable(members) ? writtenLater(members) : { status: 200, members };
}

const inBytesLater = async (value: PromiseLike<unknown>): Promise<Outcome> => inBytes(await value);

const inBytes = (value: unknown): InBytes => ({ status: 200, bytes: toBinary({ rpc: VERSION, value }), value });

const writtenLater = async (members: PromiseLike<string>): Promise<Outcome> => ({ status: 200, members: await members });

/** A stream has left before anything could be said behind it, and a file has no place for it. */
async function withAdded(outcome: Outcome, { endpoint, request, added }: Around): Promise<Outcome> {
  try {
    const texts = await Promise.all(added);
    if (outcome.stream !== undefined || 'file' in outcome) {
      await outcome.stream?.[Symbol.asyncIterator]().return?.();
      throw new TypeError('addResults() is for results that are there as a whole, and this one is a stream or a file.');
    }
    const list = `[${texts.map((text) => `{${text.slice(1)}}`).join(',')}]`;
    if (outcome.bytes === undefined) return { ...outcome, members: `${outcome.members},"added":${list}` };
    return { ...outcome, bytes: toBinary({ rpc: VERSION, value: outcome.value, added: JSON.parse(list) }) };
  } catch (error) {
    return failed(error, endpoint.name, request.log);
  }
}

export function failed(error: unknown, where: string, log: ErrorLog): Failed {
  const told = toTold(error, where, log);
  return { status: told.status, members: `,"error":${JSON.stringify(told)}` };
}

const shorter = (a: number, b: number): number => (a === 0 ? b : b === 0 ? a : Math.min(a, b));

type Timed = Pick<Asks, 'endpoint' | 'asked' | 'request'>;

/**
 * @throws HttpError 504 when it takes longer. The signal fires then, unless it is that of other calls as well which
 * have more time.
 */
function within({ endpoint, asked, request: { c, isShared } }: Timed, given: unknown): unknown {
  const ms = shorter(endpoint.timeoutMs, asked.timeoutMs);
  if (ms === 0 || !isThenable(given)) return given;
  let isLate = false;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => {
        isLate = true;
        const error = new HttpError(504, `No result within ${ms} ms.`);
        reject(error);
        if (!isShared || ms === asked.timeoutMs) c.abort(error);
      },
      Math.min(ms, TIMER_MS_MAX),
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
