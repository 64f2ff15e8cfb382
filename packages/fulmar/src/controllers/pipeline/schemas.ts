/**
 * Schemas of routes and of parameters: options of `@Post({ body, response })`, `@Body(schema)`, and the types of a class
 * with `@typed()`. Read when a route is planned, so that what is wrong with them is told at start.
 */
import type { AnyContext } from '../../app/index.ts';
import { type InputPlace, INPUTS, schemaOf, splitRoute } from '../../app/route-options.ts';
import type { RouteOptions } from '../../app/route-types.ts';
import { isOwn, isSchema, pathOf, type StandardResult, type StandardSchemaV1 } from '../../app/standard-schema.ts';
import { abandon, isThenable } from '../../host/thenable.ts';
import { withBody } from '../exceptions/by-status.ts';
import { BadRequestException } from '../exceptions/family.ts';
import type { HttpException } from '../exceptions/http-exception.ts';
import { OMITTED, type FieldError, type ValidationErrorFormatter } from '../pipes/validation-errors.ts';
import { RequestMethod } from '../enums.ts';
import type { RouteMethodOptions } from '../decorators/routes.ts';

/** Errors that are told of one request: a list of wrong items is a short request with a long answer. */
const ERRORS_MAX = 100;
const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

type Result = StandardResult<unknown>;
type Validate = (c: AnyContext, value: unknown) => Result | Promise<Result>;

/** What `createApplication({ validationErrorFormatter })` says; read with each refusal. */
export interface RefusalRules {
  readonly errorFormatter: ValidationErrorFormatter | null;
}

/** A value as its schema makes it. @throws BadRequestException */
export type ValueCheck = (c: AnyContext, value: unknown) => unknown;

export interface InputCheck {
  readonly readsBody: boolean;
  /** No schema takes its time. */
  readonly isSync: boolean;
  /** The content as its schema makes it; what else is checked goes into the context. @throws BadRequestException */
  readonly check: ValueCheck;
}

/** Options of a route as the app has them. @throws TypeError that names the method of the class */
export function routeOptionsOf(
  given: RouteMethodOptions,
  where: { readonly member: string; readonly method: number; readonly path: string },
): RouteOptions {
  const method = (RequestMethod as unknown as Readonly<Record<number, string>>)[where.method] ?? 'GET';
  try {
    return splitRoute([given, () => undefined], { method, path: where.path, place: undefined }).options ?? {};
  } catch (error) {
    throw new TypeError(`${where.member}(): ${(error as Error).message}`, { cause: error });
  }
}

/** Null: no schema looks at the request. */
export function inputCheckOf(options: RouteOptions, rules: RefusalRules): InputCheck | null {
  const checked = INPUTS.flatMap((place): Checked[] => {
    const schema = options[place] as StandardSchemaV1 | undefined;
    return schema === undefined ? [] : [{ place, schema, name: '', validate: validateBy(schema, place) }];
  });
  if (checked.length === 0) return null;
  const take = (c: AnyContext, body: unknown, results: readonly Result[]): unknown => {
    if (results.some(({ issues }) => issues !== undefined)) throw refusal(c, checked, results, body, rules);
    let content = body;
    for (const [at, { place }] of checked.entries()) {
      const { value } = results[at] as { value: unknown };
      c.take(place, value);
      if (place === 'body') content = value;
    }
    return content;
  };
  return {
    readsBody: checked.some(({ place }) => place === 'body'),
    isSync: checked.every(({ schema }) => isOwn(schema)),
    check: (c, body) => {
      const results = resultsOf(c, checked, body);
      if (results.some(isThenable)) return Promise.all(results).then((settled) => take(c, body, settled));
      return take(c, body, results as Result[]);
    },
  };
}

interface Checked {
  readonly place: InputPlace;
  readonly schema: StandardSchemaV1;
  /** Of the member that a parameter takes. */
  readonly name: string;
  readonly validate: Validate;
}

/** @throws what a schema throws that should not; others that take their time are left */
function resultsOf(c: AnyContext, checked: readonly Checked[], body: unknown): (Result | Promise<Result>)[] {
  const results: (Result | Promise<Result>)[] = [];
  try {
    for (const { place, validate } of checked) results.push(validate(c, place === 'body' ? body : c[place]));
  } catch (error) {
    abandon(results);
    throw error;
  }
  return results;
}

/** Of a form the values are texts: a schema of ours knows what they stand for. */
function validateBy(schema: StandardSchemaV1, place: InputPlace): Validate {
  const { '~standard': own } = schema;
  if (place !== 'body' || !isOwn(schema)) return (_c, value) => own.validate(value);
  // That of forms is made with the first of them.
  return (c, value) => (FORM.test(c.exchange.header('content-type') ?? '') ? schema.ofForms['~standard'] : own).validate(value);
}

/** @throws TypeError that names the parameter, for what is no schema */
export function valueCheckOf(
  given: unknown,
  { place, name, where }: { readonly place: InputPlace; readonly name: string; readonly where: string },
  rules: RefusalRules,
): { readonly isSync: boolean; readonly check: ValueCheck } {
  const schema = schemaOf(given, place, (why) => new TypeError(`${where} has no schema: ${why}`));
  const validate = validateBy(schema, place);
  const one: Checked = { place, schema, name, validate };
  const take = (c: AnyContext, value: unknown, result: Result): unknown => {
    if (result.issues !== undefined) throw refusal(c, [one], [result], value, rules);
    return result.value;
  };
  return {
    isSync: isOwn(schema),
    check: (c, value) => {
      const result = validate(c, value);
      return isThenable(result) ? result.then((settled) => take(c, value, settled)) : take(c, value, result);
    },
  };
}

/** `body`: what a body, or one parameter, is. */
function refusal(
  c: AnyContext,
  checked: readonly Checked[],
  results: readonly Result[],
  body: unknown,
  { errorFormatter }: RefusalRules,
): HttpException {
  const errors: FieldError[] = [];
  let told = 0;
  for (const [at, { place, name }] of checked.entries()) {
    for (const issue of results[at]?.issues ?? []) {
      told += 1;
      if (told > ERRORS_MAX) break;
      const path = pathOf(issue);
      const field = [...(name === '' ? [] : [name]), ...path].join('.');
      const value = valueAt(place === 'body' || name !== '' ? body : c[place], path);
      const same = errors.find((error) => error.field === field);
      if (same === undefined) errors.push({ field, messages: [issue.message], value });
      else (same.messages as string[]).push(issue.message);
    }
  }
  const messages = errors.flatMap(({ field, messages: all }) => all.map((message) => (field === '' ? message : `${field}: ${message}`)));
  if (told > ERRORS_MAX) messages.push(OMITTED);
  if (errorFormatter === null) return new BadRequestException(messages);
  if (told > ERRORS_MAX) errors.push({ field: '...', messages: [OMITTED], value: undefined });
  return withBody(BadRequestException, errorFormatter.format(errors, { statusCode: 400, error: 'Bad Request' }), 400);
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let found = value;
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as Readonly<Record<string | number, unknown>>)[step];
  }
  return found;
}

/**
 * Schemas of replies by status say nothing of a reply whose status none is for. One of success that the route does not have
 * by itself is a mistake: what was to be left out would leave. @throws TypeError that names the method
 */
export function checkStatuses({ response }: RouteOptions, status: number, member: string): void {
  if (response === undefined || isSchema(response)) return;
  const statuses = Object.keys(response);
  const successes = statuses.filter((one) => one.startsWith('2'));
  if (successes.length === 0 || statuses.includes(String(status))) return;
  throw new TypeError(
    `${member}() replies with ${status}, and its response has schemas of ${statuses.join(', ')} alone: add one of ${status}, or write @HttpCode(${successes[0]}).`,
  );
}
