/** What of others' values this layer has to tell apart: promises, Standard Schemas. Looks, never calls. */
import type { StandardSchemaV1 } from '../app/index.ts';

export const isThenable = <Value>(value: Value | Promise<Value>): value is Promise<Value> =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';

export const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as { [Symbol.asyncIterator]?: unknown })[Symbol.asyncIterator] === 'function';

export function standardOf(schema: object): StandardSchemaV1['~standard'] | undefined {
  const props = (schema as Partial<StandardSchemaV1>)['~standard'];
  return props?.version === 1 && typeof props.validate === 'function' ? props : undefined;
}
