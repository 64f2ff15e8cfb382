/**
 * Requests that a pipe has refused, so that no handler saw them: marked as Nest marks them, for interceptors that have
 * prepared something for the handler.
 */
import { isThenable } from '../../host/thenable.ts';
import { type PipedParameter, withArguments } from './arguments.ts';
import type { Host } from './host.ts';

const REJECTED = Symbol.for('nestjs:rejected-by-pipes');

export const isRejectedByPipes = (request: object): boolean => (request as Record<symbol, unknown>)[REJECTED] === true;

/** `withArguments()`, noting whether `use` was reached. */
export function markingRejected(parameters: readonly PipedParameter[], host: Host, use: (given: unknown[]) => unknown): unknown {
  let isReached = false;
  const failed = (error: unknown): never => {
    if (!isReached && host.hasMessages) Object.defineProperty(host.messages.req, REJECTED, { value: true, configurable: true });
    throw error;
  };
  try {
    const value = withArguments(parameters, host, (given) => {
      isReached = true;
      return use(given);
    });
    return isThenable(value) && !isReached ? value.then(undefined, failed) : value;
  } catch (error) {
    return failed(error);
  }
}
