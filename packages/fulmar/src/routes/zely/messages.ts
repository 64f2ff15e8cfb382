/**
 * Request and response of Node's for functions of Zely: of one request the same for all of them, so that what middleware
 * leaves on them is there behind it.
 */
import type { ServerResponse } from 'node:http';
import type { AnyContext } from '../../app/index.ts';
import { nodeMiddleware } from '../../app/middleware/index.ts';
import { ANSWERED } from '../../app/mount.ts';
import { isThenable } from '../../host/thenable.ts';
import type { ZelyRequest } from './context.ts';

type GoOn = (error?: unknown) => void;
type Run = (request: ZelyRequest, response: ServerResponse, goOn: GoOn) => unknown;

interface Pair {
  readonly request: ZelyRequest;
  readonly response: ServerResponse;
}

/** Of requests that are being answered. */
const pairs = new WeakMap<AnyContext, Pair>();

/** Settles when the response has left, or with what is behind it, where `run` goes on. */
export function throughMessages(c: AnyContext, run: Run, next: () => Promise<unknown>): unknown {
  const pair = pairs.get(c);
  if (pair !== undefined) return onThese(pair, run, next);
  const first: Run = (request, response, goOn) => {
    pairs.set(c, { request, response });
    return run(request, response, goOn);
  };
  return nodeMiddleware(first as never)(c as never, next);
}

function onThese({ request, response }: Pair, run: Run, next: () => Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let isBehind = false;
    response.once('close', () => {
      if (!isBehind) resolve(ANSWERED);
    });
    const fail = (error: unknown): void => {
      isBehind = true;
      reject(error as Error);
    };
    const goOn: GoOn = (error) => {
      if (error !== undefined && error !== null) return fail(error);
      isBehind = true;
      next().then(resolve, reject);
    };
    try {
      const value = run(request, response, goOn);
      if (isThenable(value)) value.then(undefined, fail);
    } catch (error) {
      fail(error);
    }
  });
}
