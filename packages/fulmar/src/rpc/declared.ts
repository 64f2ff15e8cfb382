/**
 * What one middleware declares, at a call: values and fields of the request judged and converted, results and
 * fields of the reply checked before they leave. Made at the start, of what the compiler knows or of schemas.
 */
import { isThenable } from '../host/thenable.ts';
import type { ShapeDocument } from '../shape/shape.ts';
import { compileShape } from '../shape/validate/compile.ts';
import { fromJsonSchema } from '../shape/from-json-schema.ts';
import type { CompiledProcedure } from './api-types.ts';
import { InvalidParams, type RpcIssue } from './errors.ts';
import type { MiddlewareOptions } from './middleware-types.ts';
import type { Call } from './scoped.ts';
import { standardOf } from './standard.ts';
import { resultsOf as writtenOf, schemaOf, type Validate } from './validators.ts';

/** What is written to the client when a result is added. */
type Encode = (value: unknown) => string | Promise<string>;

/** What the compiler writes as the last argument of `middleware()`. */
export interface CompiledDeclared {
  readonly values?: CompiledProcedure['params'];
  readonly headers?: ShapeDocument;
  readonly results?: Omit<CompiledProcedure, 'params'>;
  readonly replyHeaders?: Pick<CompiledProcedure, 'errors'>;
}

/** The call as the middleware is given it. @throws InvalidParams for values and fields that do not fit */
export type Judge = (call: Call) => object | Promise<object>;

export function declaredOf(options: MiddlewareOptions, compiled: CompiledDeclared = {}): Judge {
  const values =
    options.values === undefined ? compiled.values?.['~standard'].validate : schemaOf(options.values, 'values of middleware()', 'value');
  const headers = headersOf(options.headers, compiled.headers);
  const encode = resultsOf(options.results, compiled.results);
  const check = fieldsOf(options.replyHeaders, compiled.replyHeaders);
  return (call) => {
    const own = {
      ...call,
      addResults: (given: object) => addTo(call, encode, given),
      setHeaders: (given: object) => setFields(call, check, given),
    };
    if (values === undefined && headers === undefined) return { ...own, values: {}, headers: {} };
    const read = judged(values as Validate | undefined, call.values, 'values');
    const fields = judged(headers?.validate, call.c.headers, 'headers');
    // What a cache keeps of a query is for who sends the same (RFC 9110, 12.5.5).
    if (headers !== undefined && call.c.method !== 'POST') call.c.header('Vary', headers.vary, { append: true });
    if (!isThenable(read) && !isThenable(fields)) return { ...own, values: read, headers: fields };
    return Promise.all([read, fields]).then(([one, other]) => ({ ...own, values: one, headers: other }));
  };
}

function judged(validate: Validate | undefined, given: unknown, what: 'values' | 'headers'): unknown {
  if (validate === undefined) return {};
  const settle = (result: Awaited<ReturnType<Validate>>): unknown => {
    if (result.issues !== undefined) throw new InvalidParams(result.issues, what);
    return result.value;
  };
  const result = validate(given);
  return isThenable(result) ? result.then(settle) : settle(result);
}

interface Headers {
  readonly validate: Validate;
  /** The fields that the reply depends on; of a schema that does not tell, all. */
  readonly vary: string;
}

/** Names of fields have no case: a member `X-Tenant` is the field `x-tenant`. */
function headersOf(schema: object | undefined, compiled: ShapeDocument | undefined): Headers | undefined {
  if (schema !== undefined && standardOf(schema) !== undefined)
    return { validate: schemaOf(schema, 'headers of middleware()', 'fields'), vary: '*' };
  const document = schema === undefined ? compiled : asDocument(schema, 'headers');
  if (document === undefined) return undefined;
  const names = namesIn(document);
  if (names.length === 0)
    throw new TypeError('middleware(): headers is an object with a member for each field, as in { "x-tenant": string }.');
  const { parse } = compileShape(document, 'fields');
  const validate: Validate = (given) => {
    const fields: Record<string, unknown> = {};
    for (const name of names) {
      const value = (given as Readonly<Record<string, unknown>>)[name.toLowerCase()];
      if (value !== undefined) fields[name] = value;
    }
    return parse(fields);
  };
  return { validate, vary: names.join(', ') };
}

function namesIn({ root, definitions }: ShapeDocument): readonly string[] {
  const shape = root.kind === 'reference' && Object.hasOwn(definitions, root.name) ? definitions[root.name] : root;
  return shape?.kind === 'object' ? shape.properties.map(({ name }) => name) : [];
}

function asDocument(schema: object, name: string): ShapeDocument {
  try {
    return fromJsonSchema(schema);
  } catch (cause) {
    throw new TypeError(`middleware(): ${name} is no schema: ${(cause as Error).message}`, { cause });
  }
}

function resultsOf(schema: object | undefined, compiled: CompiledDeclared['results']): Encode | undefined {
  if (schema === undefined && compiled === undefined) return undefined;
  const options = schema === undefined ? {} : { returns: schema };
  return writtenOf({ name: 'addResults()', options, compiled, validateReturn: true }).encode;
}

/** Waited for with the reply: a schema may take its time. */
function addTo(call: Call, encode: Encode | undefined, given: object): void {
  if (encode === undefined) throw new TypeError('addResults(): this middleware declares no results.');
  const text = encode(given);
  // It is told with the reply; until then nobody waits for it, and it is no unhandled rejection.
  if (typeof text !== 'string') text.catch(() => {});
  call.added.push(text);
}

type Check = (value: unknown) => readonly RpcIssue[];

function fieldsOf(schema: object | undefined, compiled: CompiledDeclared['replyHeaders']): Check | undefined {
  if (schema === undefined) return compiled?.errors;
  if (standardOf(schema) !== undefined)
    throw new TypeError(
      'middleware(): replyHeaders is a JSON Schema or a type; fields are set at once, and no other schema can tell at once.',
    );
  const validator = compileShape(asDocument(schema, 'replyHeaders'), 'value');
  return (value) => validator.parse(value).issues ?? [];
}

function setFields({ c }: Call, check: Check | undefined, given: object): void {
  if (check === undefined) throw new TypeError('setHeaders(): this middleware declares no replyHeaders.');
  const issues = check(given);
  if (issues.length > 0) throw new TypeError(`setHeaders(): the fields do not fit what is declared: ${JSON.stringify(issues)}`);
  for (const [name, value] of Object.entries(given)) if (value !== undefined) c.header(name, textOf(value));
}

/** A date as fields have it (RFC 9110, 5.6.7). */
const textOf = (value: unknown): string => (value instanceof Date ? value.toUTCString() : String(value));
