/**
 * The request against the schemas of its route, just before its handler: middleware has seen it as it came.
 * What fits goes into the context in the form that the schemas give it; of what does not, all places are told
 * at once.
 */
import type { Run } from './chain.ts';
import type { AnyContext, RawContext } from './context.ts';
import { HttpError } from './http-error.ts';
import { wordsOf } from './issue-words.ts';
import { INPUTS, type InputPlace } from './route-options.ts';
import type { RouteOptions } from './route-types.ts';
import { isOwn, pathOf, type StandardResult, type StandardSchemaV1 } from './standard-schema.ts';
import { isThenable } from '../host/thenable.ts';

/** What is told of a value that does not fit. */
export interface InputError {
  readonly in: InputPlace;
  readonly path: readonly (string | number)[];
  /** What the schema asks for, where its library tells. */
  readonly expected?: string;
  /** What came: a type, never a value. */
  readonly received?: string;
  readonly message: string;
}

/** Errors that are told of one request: an array of wrong elements is a short request with a long answer. */
const ERRORS_MAX = 100;

type Result = StandardResult<unknown>;
type Checked = readonly [place: InputPlace, schema: StandardSchemaV1];

/** `handler` behind the validation of its input; `handler` itself where no schema asks for one. */
export function withValidInput(handler: Run, options: RouteOptions): Run {
  const checked = INPUTS.flatMap((place): Checked[] => {
    // Those that were none have been made some where the route was registered.
    const schema = options[place] as StandardSchemaV1 | undefined;
    return schema === undefined ? [] : [[place, schema]];
  });
  const [only, second] = checked;
  if (only === undefined) return handler;
  if (second === undefined) return withOneInput(handler, only);
  const then = (c: RawContext, results: readonly Result[]): unknown => {
    if (results.some(({ issues }) => issues !== undefined)) return refuse(c, checked, results);
    take(c, checked, results);
    return handler(c);
  };
  return (c) => {
    const results = checked.map(([place, schema]) => resultOf(c, place, schema));
    if (results.some(isThenable)) {
      return Promise.all(results).then((settled) => then(c, settled));
    }
    return then(c, results as Result[]);
  };
}

function withOneInput(handler: Run, only: Checked): Run {
  const [place, schema] = only;
  const then = (c: RawContext, result: Result): unknown => {
    if (result.issues !== undefined) return refuse(c, [only], [result]);
    c.take(place, result.value);
    return handler(c);
  };
  return (c) => {
    const result = resultOf(c, place, schema);
    return isThenable(result) ? result.then((settled) => then(c, settled)) : then(c, result);
  };
}

/**
 * A schema that throws is a promise that is rejected: those of other places are waited for, and none is left
 * unhandled.
 */
function resultOf(c: AnyContext, place: InputPlace, schema: StandardSchemaV1): Result | Promise<Result> {
  try {
    if (place === 'body') return bodyResult(c, schema);
    return schema['~standard'].validate(c[place]);
  } catch (error) {
    return Promise.reject(error as Error);
  }
}

/** Of a form the values are texts: a schema of ours knows what they stand for. */
function bodyResult(c: AnyContext, schema: StandardSchemaV1): Result | Promise<Result> {
  const { reader } = c;
  const value = reader.value();
  const { validate } = (isOwn(schema) && reader.isForm ? schema.ofForms : schema)['~standard'];
  return value instanceof Promise ? value.then((come: unknown) => validate(come)) : validate(value);
}

function take(c: AnyContext, checked: readonly Checked[], results: readonly Result[]): void {
  for (const [at, [place]] of checked.entries()) c.take(place, (results[at] as { value: unknown }).value);
}

/** @throws HttpError with the errors of all places; a promise of it where the content is looked at once more */
function refuse(c: AnyContext, checked: readonly Checked[], results: readonly Result[]): Promise<never> {
  const isOfBody = checked.some(([place], at) => place === 'body' && results[at]?.issues !== undefined);
  if (!isOfBody) throw refusal(c, checked, results, undefined);
  return Promise.resolve(c.reader.value()).then((body) => {
    throw refusal(c, checked, results, body);
  });
}

function refusal(c: AnyContext, checked: readonly Checked[], results: readonly Result[], body: unknown): HttpError {
  const errors: InputError[] = [];
  for (const [at, [place, schema]] of checked.entries()) {
    for (const issue of results[at]?.issues ?? []) {
      if (errors.length >= ERRORS_MAX) break;
      const path = pathOf(issue);
      const words = wordsOf(issue, place === 'body' ? body : c[place], path, isOwn(schema));
      errors.push({ in: place, path, ...words, message: issue.message });
    }
  }
  return new HttpError(c.settings.invalidInput, 'The input is not valid.', { details: { errors } });
}
