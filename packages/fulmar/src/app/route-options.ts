/**
 * The options of a route as they are registered: what is wrong with them is said there, with the place of the
 * route. Never met by a request.
 */
import { kindText } from './checked-options.ts';
import { type Placed, RouteError } from './router/route-error.ts';
import { jsonSchema, typeSchema } from './lazy.ts';
import type { ResponseSchemas, RouteOptions } from './route-types.ts';
import { isSchema, isTyped, standardOf, type StandardSchemaV1 } from './standard-schema.ts';
import { nearest } from '../host/suggest.ts';

/** Places of a request that a schema may be for, in the order in which errors are told. */
export const INPUTS = ['params', 'query', 'headers', 'cookies', 'body'] as const;
export type InputPlace = (typeof INPUTS)[number];

export interface RouteName {
  readonly method: string;
  readonly path: string;
  readonly place: Placed | undefined;
}

type Check = (value: unknown) => string | undefined;

/** Judged where they are read. */
const aSchema: Check = () => undefined;
const kind = (isRight: (value: unknown) => boolean, what: string): Check => {
  return (value) => (isRight(value) ? undefined : `is ${what}, and this is ${kindText(value)}.`);
};

const CHECKS: Readonly<Record<keyof RouteOptions, Check>> = {
  params: aSchema,
  query: aSchema,
  headers: aSchema,
  cookies: aSchema,
  body: aSchema,
  response: aSchema,
  host: kind((value) => typeof value === 'string', 'the name of a host'),
  version: kind(
    (value) => [value].flat().every((one) => typeof one === 'string') && [value].flat().length > 0,
    'a version, or a list of them',
  ),
  summary: kind((value) => typeof value === 'string', 'a text'),
  tags: kind((value) => Array.isArray(value) && value.every((tag) => typeof tag === 'string'), 'an array of texts'),
  deprecated: kind((value) => typeof value === 'boolean', 'true or false'),
  description: kind((value) => typeof value === 'string', 'a text'),
  operationId: kind((value) => typeof value === 'string' && value !== '', 'a text that is not empty'),
  security: kind(isSecurity, 'an array of objects with scopes by the name of a scheme, as in [{ bearerAuth: [] }]'),
  hidden: kind((value) => typeof value === 'boolean', 'true or false'),
};

function isSecurity(value: unknown): boolean {
  const isTexts = (one: unknown): boolean => Array.isArray(one) && one.every((scope) => typeof scope === 'string');
  const isRequirement = (one: unknown): boolean =>
    typeof one === 'object' && one !== null && !Array.isArray(one) && Object.values(one).every(isTexts);
  return Array.isArray(value) && value.every(isRequirement);
}

/** Splits what stands behind a path. @throws RouteError for options that are none, with their place */
export function splitRoute(given: readonly unknown[], name: RouteName): { options: RouteOptions | null; handlers: readonly unknown[] } {
  const [first] = given;
  if (standardOf(first) !== undefined) {
    throw fault(name, `${show(name)} is given a schema where its options are expected: say what it is of, as in { body: schema }.`);
  }
  if (typeof first === 'function' || given.length === 0) return { options: null, handlers: given };
  if (typeof first !== 'object' || first === null || Array.isArray(first)) {
    throw fault(name, `${show(name)} takes options (an object) or a handler behind its path, and this is ${kindText(first)}.`);
  }
  for (const [key, value] of Object.entries(first)) {
    const check = Object.hasOwn(CHECKS, key) ? CHECKS[key as keyof RouteOptions] : undefined;
    if (check === undefined) throw fault(name, unknownKey(key, name));
    const wrong = value === undefined ? undefined : check(value);
    if (wrong !== undefined) throw fault(name, `${key} of ${show(name)} ${wrong}`);
  }
  return { options: Object.freeze({ ...first, ...schemasOf(first, name) }), handlers: given.slice(1) };
}

/** Schemas of any kind as Standard Schemas. @throws RouteError */
function schemasOf(options: RouteOptions, name: RouteName): RouteOptions {
  const schemas: Partial<Record<InputPlace | 'response', StandardSchemaV1 | ResponseSchemas>> = {};
  for (const place of INPUTS) {
    const given: unknown = options[place];
    if (given !== undefined)
      schemas[place] = schemaOf(given, place, (why) => fault(name, `${place} of ${show(name)} is no schema: ${why}`));
  }
  const { response } = options;
  if (response !== undefined) schemas.response = responseOf(response, name);
  return schemas as RouteOptions;
}

type Fail = (why: string) => Error;

/** A schema of any kind for a place. @throws what `fail` makes of the reason why it is none */
export function schemaOf(given: unknown, place: InputPlace | 'response', fail: Fail): StandardSchemaV1 {
  if (isSchema(given)) return isTyped(given) ? made(() => typeSchema()(given, place), fail) : given;
  if (!isPlain(given) || standardOf(given) !== undefined || Object.values(given).some(isSchema)) throw fail(whyNoSchema(given));
  return made(() => jsonSchema()(given, place), fail);
}

function made(make: () => StandardSchemaV1, fail: Fail): StandardSchemaV1 {
  try {
    return make();
  } catch (error) {
    if (error instanceof TypeError) throw fail(error.message);
    throw error;
  }
}

/** JSON Schemas are objects as they are written; TypeBox's are, too. */
const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value) as null);

function responseOf(response: unknown, name: RouteName): StandardSchemaV1 | ResponseSchemas {
  const fail = (status: string) => (why: string) => fault(name, `response of ${show(name)} is no schema${status}: ${why}`);
  const entries = isPlain(response) && !isSchema(response) ? Object.entries(response) : [];
  if (entries.length > 0 && entries.every(([status]) => /^[2-5]\d\d$/.test(status)))
    return Object.fromEntries(entries.map(([status, one]) => [status, schemaOf(one, 'response', fail(` for ${status}`))]));
  if (entries.some(([status, one]) => isSchema(one) || /^\d+$/.test(status))) {
    const why = `is neither a schema nor an object of one for each status, as in { 200: schema }: ${whyNoSchema(response)}`;
    throw fault(name, `response of ${show(name)} ${why}`);
  }
  return schemaOf(response, 'response', fail(''));
}

function unknownKey(key: string, name: RouteName): string {
  const known = Object.keys(CHECKS);
  const meant = nearest(key, known);
  return `${show(name)} has no option ${key}${meant === undefined ? '.' : `; ${meant} is meant?`} There are ${known.join(', ')}.`;
}

function whyNoSchema(value: unknown): string {
  const props = standardOf(value) as { version?: unknown } | undefined;
  if (props !== undefined) return `it is a Standard Schema of version ${String(props.version)}, and version 1 is expected.`;
  const members = typeof value === 'object' && value !== null ? Object.values(value) : [];
  if (members.some((member) => isSchema(member))) {
    return 'it is an object of schemas; make one of them, as with z.object({ … }) of zod.';
  }
  return `it is ${kindText(value)}. Schemas are made by zod, valibot, arktype and others (Standard Schema) or TypeBox, or are JSON Schema as it is.`;
}

const show = ({ method, path, place }: RouteName): string => `${method} ${path}${place === undefined ? '' : ` (${place.toString()})`}`;

const fault = ({ path, place }: RouteName, message: string): RouteError => new RouteError(message, path, place);
