/** What of others' values this layer has to tell apart: streams, files, Standard Schemas. Looks, never calls. */
import type { StandardSchemaV1 } from '../app/index.ts';

export const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as { [Symbol.asyncIterator]?: unknown })[Symbol.asyncIterator] === 'function';

/** Asks for the class last: QuickJS loads it with its first use. */
export const isBlob = (value: unknown): value is Blob =>
  typeof value === 'object' && value !== null && 'arrayBuffer' in value && value instanceof Blob;

export function standardOf(schema: object): StandardSchemaV1['~standard'] | undefined {
  const props = (schema as Partial<StandardSchemaV1>)['~standard'];
  return props?.version === 1 && typeof props.validate === 'function' ? props : undefined;
}

export const isSchemaLike = (value: unknown): boolean =>
  (typeof value === 'object' && value !== null && !Array.isArray(value)) || typeof value === 'function';
