/**
 * What decorators say of a controller and of its methods in a document. They write metadata; `operation.ts` reads it.
 */
import { KEYS } from '../metadata/keys.ts';
import { methodNames } from '../metadata/methods.ts';
import { onClass, onClassOrMethod, onMethod } from '../metadata/placed.ts';
import { define, extend, has, read } from '../metadata/reflect.ts';
import { API } from './keys.ts';
import { enumSchema, type Given, said, unlisted, without } from './given.ts';

type Both = MethodDecorator & ClassDecorator;

export interface ApiOperationOptions {
  summary?: string;
  description?: string;
  operationId?: string;
  deprecated?: boolean;
  tags?: string[];
  [member: string]: unknown;
}

export interface ApiParameterOptions {
  name?: string;
  type?: unknown;
  isArray?: boolean;
  enum?: unknown;
  enumName?: string;
  required?: boolean;
  description?: string;
  schema?: Given;
  [member: string]: unknown;
}
export type ApiBodyOptions = ApiParameterOptions;

export interface ApiHeaderOptions {
  name: string;
  description?: string;
  required?: boolean;
  deprecated?: boolean;
  example?: unknown;
  enum?: unknown;
  schema?: Given;
}

export const ApiTags = (...tags: string[]): Both => listed('ApiTags', API.tags, tags);
export const ApiConsumes = (...types: string[]): Both => listed('ApiConsumes', API.consumes, types);
export const ApiProduces = (...types: string[]): Both => listed('ApiProduces', API.produces, types);
/** Classes that stand in a document although nothing there is of them. */
export const ApiExtraModels = (...models: Function[]): Both => listed('ApiExtraModels', API.extraModels, models);

function listed(decorator: string, key: string, values: readonly unknown[]): Both {
  return onClassOrMethod(decorator, (target) => extend(key, values, target));
}

export const ApiOperation = (options: ApiOperationOptions): MethodDecorator =>
  onMethod('ApiOperation', (method) =>
    define(API.operation, { ...read<Given>(API.operation, method), ...said({ summary: '', ...options }) }, method),
  );

export const ApiExcludeEndpoint = (disable = true): MethodDecorator =>
  onMethod('ApiExcludeEndpoint', (method) => define(API.excludedEndpoint, { disable }, method));
export const ApiExcludeController = (disable = true): ClassDecorator =>
  onClass('ApiExcludeController', (target) => define(API.excludedController, [disable], target));

export function ApiParam(options: ApiParameterOptions): Both {
  return parameter('ApiParam', { name: '', required: true }, { in: 'path', ...without(options, 'enum'), ...ofEnum(options) });
}
export function ApiQuery(options: ApiParameterOptions): Both {
  const { type, isArray } = unlisted(options.type, options.isArray);
  const rest = { ...without(options, 'enum', 'isArray'), type, ...(isArray === true && options.enum === undefined && { isArray }) };
  return parameter('ApiQuery', { name: '', required: true }, { in: 'query', ...rest, ...ofEnum(options) });
}
export function ApiBody(options: ApiBodyOptions): Both {
  const { type, isArray } = unlisted(options.type, options.isArray);
  const rest = { ...without(options, 'enum'), type, isArray: options.enum === undefined ? isArray : undefined };
  return parameter('ApiBody', { type: String, required: true }, { in: 'body', ...rest, ...ofEnum(options) });
}

function ofEnum({ enum: values, isArray, schema }: ApiParameterOptions): Given {
  if (values === undefined) return {};
  const own = enumSchema(values);
  return { schema: { ...schema, ...(isArray === true ? { type: 'array', items: own } : own) } };
}

/** On a class it is one of all its routes. */
function parameter(decorator: string, defaults: Given, options: Given): Both {
  const one = { ...defaults, ...said(options) };
  return onClassOrMethod(decorator, (target, owner) => {
    if (isMethod(owner)) return extend(API.parameters, [one], target);
    const prototype = target.prototype as Record<string, Function>;
    for (const name of methodNames(prototype))
      if (has(KEYS.method, prototype[name] as Function)) extend(API.parameters, [one], prototype[name] as Function);
    return undefined;
  });
}

/** As `onClassOrMethod` names what it stands on. */
const isMethod = (owner: string): boolean => owner.endsWith('()');

/** Several of `@ApiHeader()`. */
export function ApiHeaders(headers: readonly ApiHeaderOptions[]): Both {
  return ((target: object, ...place: never[]) => {
    for (const header of headers) (ApiHeader(header) as (...given: unknown[]) => void)(target, ...place);
  }) as Both;
}

export function ApiHeader(options: ApiHeaderOptions): Both {
  const { name, description, required, deprecated, example, enum: values, schema } = options;
  if (typeof name !== 'string' || name === '') throw new TypeError('@ApiHeader() needs the name of a field: { name }.');
  const own = { type: 'string', ...(example !== undefined && { example }), ...schema, ...(values !== undefined && enumSchema(values)) };
  const one = said({ name, in: 'header', description, required, deprecated, schema: own });
  return onClassOrMethod('ApiHeader', (target, owner) => extend(isMethod(owner) ? API.parameters : API.headers, [one], target));
}

export function ApiSecurity(name: string | Record<string, string[]>, requirements: string[] = []): Both {
  return listed('ApiSecurity', API.security, [typeof name === 'string' ? { [name]: requirements } : name]);
}
export const ApiBearerAuth = (name = 'bearer'): Both => ApiSecurity(name);
export const ApiBasicAuth = (name = 'basic'): Both => ApiSecurity(name);
export const ApiCookieAuth = (name = 'cookie'): Both => ApiSecurity(name);
export const ApiOAuth2 = (scopes: string[], name = 'oauth2'): Both => ApiSecurity(name, scopes);
