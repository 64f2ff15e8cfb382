/**
 * The request against the schemas of its route, just before its handler: middleware has seen it as it came.
 * What fits goes into the context in the form that the schemas give it; of what does not, all places are told
 * at once.
 */
import type { Run } from './chain.ts';
import type { AnyContext } from './context.ts';
import { HttpError } from './http-error.ts';
import { INPUTS, type InputPlace } from './route-options.ts';
import type { RouteOptions } from './route-types.ts';
import { pathOf, type StandardResult, type StandardSchemaV1 } from './standard-schema.ts';

/** What is told of a value that does not fit. */
export interface InputError {
  readonly in: InputPlace;
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Errors that are told of one request: an array of wrong elements is a short request with a long answer. */
const ERRORS_MAX = 100;

type Result = StandardResult<unknown>;
type Checked = readonly [place: InputPlace, schema: StandardSchemaV1];

/** `handler` behind the validation of its input; `handler` itself where no schema asks for one. */
export function withValidInput(handler: Run, options: RouteOptions): Run {
  const checked = INPUTS.flatMap((place): Checked[] => {
    const schema = options[place];
    return schema === undefined ? [] : [[place, schema]];
  });
  if (checked.length === 0) return handler;
  return (c) => {
    const results = checked.map(([place, schema]) => resultOf(c, place, schema));
    if (results.some((result) => result instanceof Promise)) {
      return Promise.all(results).then((settled) => {
        take(c, checked, settled);
        return handler(c);
      });
    }
    take(c, checked, results as Result[]);
    return handler(c);
  };
}

/**
 * A schema that throws is a promise that is rejected: those of other places are waited for, and none is left
 * unhandled.
 */
function resultOf(c: AnyContext, place: InputPlace, schema: StandardSchemaV1): Result | Promise<Result> {
  try {
    if (place === 'body') return c.reader.value().then((value) => schema['~standard'].validate(value));
    return schema['~standard'].validate(c[place]);
  } catch (error) {
    return Promise.reject(error as Error);
  }
}

function take(c: AnyContext, checked: readonly Checked[], results: readonly Result[]): void {
  if (results.some(({ issues }) => issues !== undefined)) throw refusal(c, checked, results);
  for (const [at, [place]] of checked.entries()) c.take(place, (results[at] as { value: unknown }).value);
}

function refusal(c: AnyContext, checked: readonly Checked[], results: readonly Result[]): HttpError {
  const errors: InputError[] = [];
  for (const [at, [place]] of checked.entries()) {
    for (const issue of results[at]?.issues ?? []) {
      if (errors.length < ERRORS_MAX) errors.push({ in: place, path: pathOf(issue), message: issue.message });
    }
  }
  return new HttpError(c.settings.invalidInput, 'The input is not valid.', { details: { errors } });
}
