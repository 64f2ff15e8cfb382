/**
 * JSON of a request. Never one that is nested so deep that what goes through it afterwards (a schema that
 * contains itself, `JSON.stringify`) has no stack left.
 */
import { isNestedDeeper } from '../shape/json-nesting.ts';
import { HttpError } from './http-error.ts';

/** Some ten times what people write; libraries of schemas take a few thousand. */
const DEPTH_MAX = 1000;

/** @throws HttpError 400 for what is no JSON, or nested too deep */
export function parseJson(text: string): unknown {
  if (isNestedDeeper(text, DEPTH_MAX)) throw new HttpError(400, `The JSON of the content is nested more than ${DEPTH_MAX} deep.`);
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new HttpError(400, `The content is not JSON: ${(cause as Error).message}`, { cause });
  }
}
