/**
 * The options of a route as they are registered: what is wrong with them is said there, with the place of the
 * route. Never met by a request.
 */
import { type Placed, RouteError } from './router/route-error.ts';
import type { RouteOptions } from './route-types.ts';
import { isSchema, standardOf } from './standard-schema.ts';
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

const aSchema: Check = (value) => (isSchema(value) ? undefined : `is no schema: ${whyNoSchema(value)}`);
const kind = (isRight: (value: unknown) => boolean, what: string): Check => {
  return (value) => (isRight(value) ? undefined : `is ${what}, and this is ${describe(value)}.`);
};

const CHECKS: Readonly<Record<keyof RouteOptions, Check>> = {
  params: aSchema,
  query: aSchema,
  headers: aSchema,
  cookies: aSchema,
  body: aSchema,
  response: (value) => (isSchema(value) ? undefined : whyNoResponse(value)),
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
    throw fault(name, `${show(name)} takes options (an object) or a handler behind its path, and this is ${describe(first)}.`);
  }
  for (const [key, value] of Object.entries(first)) {
    const check = Object.hasOwn(CHECKS, key) ? CHECKS[key as keyof RouteOptions] : undefined;
    if (check === undefined) throw fault(name, unknownKey(key, name));
    const wrong = value === undefined ? undefined : check(value);
    if (wrong !== undefined) throw fault(name, `${key} of ${show(name)} ${wrong}`);
  }
  return { options: Object.freeze({ ...first }), handlers: given.slice(1) };
}

function unknownKey(key: string, name: RouteName): string {
  const known = Object.keys(CHECKS);
  const meant = nearest(key, known);
  return `${show(name)} has no option ${key}${meant === undefined ? '.' : `; ${meant} is meant?`} There are ${known.join(', ')}.`;
}

function whyNoResponse(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return aSchema(value);
  const entries = Object.entries(value);
  if (entries.length === 0 || entries.some(([status]) => !/^[2-5]\d\d$/.test(status))) {
    return `is neither a schema nor an object of one for each status, as in { 200: schema }: ${whyNoSchema(value)}`;
  }
  for (const [status, one] of entries) if (!isSchema(one)) return `is no schema for ${status}: ${whyNoSchema(one)}`;
  return undefined;
}

function whyNoSchema(value: unknown): string {
  const props = standardOf(value) as { version?: unknown } | undefined;
  if (props !== undefined) return `it is a Standard Schema of version ${String(props.version)}, and version 1 is expected.`;
  const members = typeof value === 'object' && value !== null ? Object.values(value) : [];
  if (members.length > 0 && members.every((member) => isSchema(member))) {
    return 'it is an object of schemas; make one of them, as with z.object({ … }) of zod.';
  }
  return `it is ${describe(value)} without '~standard'. Schemas are made by zod, valibot, arktype and others (Standard Schema).`;
}

const describe = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'an array' : `of type ${typeof value}`);

const show = ({ method, path, place }: RouteName): string => `${method} ${path}${place === undefined ? '' : ` (${place.toString()})`}`;

const fault = ({ path, place }: RouteName, message: string): RouteError => new RouteError(message, path, place);
