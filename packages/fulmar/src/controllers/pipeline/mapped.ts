/**
 * What is behind an interceptor, changed on its way out: a value when it is there, of server-sent events each as it
 * comes.
 */
import type { CallHandler, ExecutionContext } from '../nest-types.ts';
import { isEventRoute } from './around.ts';
import { eachOf } from './values.ts';

export function mapped(context: ExecutionContext, next: CallHandler, change: (value: unknown) => unknown): Promise<unknown> | object {
  return isEventRoute(context) ? eachOf(next.handle(), change) : next().then(change);
}
