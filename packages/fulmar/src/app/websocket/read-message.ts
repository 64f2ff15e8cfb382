/**
 * A message as its handler is given it: text or bytes, or what a schema makes of it.
 */
import { pathOf, type StandardIssue, type StandardSchemaV1 } from '../standard-schema.ts';
import type { MessageError } from './socket-types.ts';
import { isThenable } from '../../host/thenable.ts';

export type ReadMessage = string | Uint8Array;

const decoder = new TextDecoder();

/** Errors that are told of one message. */
const ERRORS_MAX = 100;

/** Text has been checked for UTF-8 when it came; a mark at its begin is part of it. */
export function read(data: Uint8Array, isBinary: boolean): ReadMessage {
  if (isBinary) return data;
  return hasMark(data) ? `\uFEFF${decoder.decode(data)}` : decoder.decode(data);
}

const hasMark = (data: Uint8Array): boolean => data[0] === 0xef && data[1] === 0xbb && data[2] === 0xbf;

type Give = (value: unknown) => unknown;
type Refuse = (errors: readonly MessageError[]) => unknown;
export type SchemaRead = (message: ReadMessage, give: Give, refuse: Refuse) => unknown;

/** Text is JSON to a schema; bytes are what they are. */
export function readThrough(schema: StandardSchemaV1): SchemaRead {
  return (message, give, refuse) => {
    let value: unknown = message;
    if (typeof message === 'string') {
      try {
        value = JSON.parse(message);
      } catch (error) {
        return refuse([{ path: [], message: `The message is not JSON: ${(error as Error).message}` }]);
      }
    }
    const result = schema['~standard'].validate(value);
    const settle = (settled: Awaited<typeof result>): unknown =>
      settled.issues === undefined ? give(settled.value) : refuse(errorsOf(settled.issues));
    return isThenable(result) ? result.then(settle) : settle(result);
  };
}

const errorsOf = (issues: readonly StandardIssue[]): MessageError[] =>
  issues.slice(0, ERRORS_MAX).map((issue) => ({ path: pathOf(issue), message: issue.message }));
