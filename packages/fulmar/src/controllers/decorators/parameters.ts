/**
 * What a parameter of a controller's method is given. They write metadata; `pipeline/arguments.ts` reads it.
 */
import { KEYS } from '../metadata/keys.ts';
import { onParameter, refuseUncalled } from '../metadata/placed.ts';
import { define, read, readOwn } from '../metadata/reflect.ts';
import type { StandardSchemaV1 } from '../../app/index.ts';
import type { RouteSchema } from '../../app/route-types.ts';
import { isSchema } from '../../app/standard-schema.ts';
import type { ExecutionContext, PipeTransform, Type } from '../nest-types.ts';

type Pipe = Type<PipeTransform> | PipeTransform;

export interface ParameterDecoratorOptions {
  /** What pipes find as `metadata.schema`. */
  schema?: StandardSchemaV1;
  pipes?: Pipe[];
}

/** Numbers as Nest has them, by which its libraries find what they look for; names for ours alone. */
export const ParameterKind = {
  request: 0,
  response: 1,
  next: 2,
  body: 3,
  query: 4,
  param: 5,
  headers: 6,
  session: 7,
  file: 8,
  files: 9,
  host: 10,
  ip: 11,
  rawBody: 12,
  cookies: 14,
  signedCookies: 15,
  context: 'context',
  user: 'user',
  custom: 'custom',
} as const;
export type ParameterKind = (typeof ParameterKind)[keyof typeof ParameterKind];

export interface ParameterMetadata {
  readonly index: number;
  readonly kind: ParameterKind;
  readonly data: unknown;
  readonly pipes: readonly Pipe[];
  readonly schema?: StandardSchemaV1 | undefined;
  /** Given in the place of a pipe: the value is what it makes of what came. */
  readonly check?: unknown;
  readonly factory?: (data: any, context: ExecutionContext) => unknown;
}

/** In the order in which they were decorated, the last parameter first: so their pipes run. */
export function parametersOf(target: object, member: string | symbol): readonly ParameterMetadata[] {
  const known = read<Readonly<Record<string, ParameterMetadata>>>(KEYS.routeArguments, target.constructor, member) ?? {};
  return Object.values(known);
}

/** The class that has the method says something of its parameters: one that overrides it inherits that, and may mean none. */
export function declaresParameters(prototype: object, member: string): boolean {
  let owner: object | null = prototype;
  while (owner !== null && !Object.hasOwn(owner, member)) owner = Object.getPrototypeOf(owner) as object | null;
  return owner !== null && readOwn(KEYS.routeArguments, owner.constructor, member) !== undefined;
}

function keep(target: object, member: string | symbol, parameter: ParameterMetadata): void {
  const known = read<Readonly<Record<string, ParameterMetadata>>>(KEYS.routeArguments, target.constructor, member) ?? {};
  define(KEYS.routeArguments, { ...known, [`${String(parameter.kind)}:${parameter.index}`]: parameter }, target.constructor, member);
  const method = (target as Record<string | symbol, unknown>)[member];
  if (parameter.check !== undefined && typeof method === 'function') define(KEYS.checksParameters, true, method);
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isPipe = (value: unknown): value is Pipe =>
  (typeof value === 'function' && typeof (value.prototype as Partial<PipeTransform> | undefined)?.transform === 'function') ||
  (isObject(value) && typeof (value as Partial<PipeTransform>).transform === 'function');

function checkPipes(decorator: string, pipes: readonly unknown[]): void {
  for (const pipe of pipes)
    if (!isPipe(pipe))
      throw new TypeError(
        `@${decorator}() takes a name, then a schema, { schema, pipes } or pipes: classes or objects with transform(value, metadata).`,
      );
}

/** Words of which one stands in each JSON Schema that says something; TypeBox's are such schemas. */
const SCHEMA_WORDS = ['type', '$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const', 'properties', 'not'];
const isRouteSchema = (value: unknown): value is RouteSchema =>
  isSchema(value) || (isObject(value) && !isPipe(value) && !isOptions(value) && SCHEMA_WORDS.some((word) => Object.hasOwn(value, word)));

const plain =
  (decorator: string, kind: ParameterKind) =>
  (...given: [data?: string]): ParameterDecorator => {
    refuseUncalled(decorator, given);
    const [data] = given;
    return onParameter(decorator, (target, member, index) => keep(target, member, { index, kind, data, pipes: [] }));
  };

/** No pipe sees these, as in Nest; a schema may. */
const plainOrChecked =
  (decorator: string, kind: ParameterKind) =>
  (...given: [first?: string | RouteSchema, second?: RouteSchema]): ParameterDecorator => {
    if (given.length > 1) refuseUncalled(decorator, given);
    const [first, second] = given;
    const data = typeof first === 'string' ? first : undefined;
    const check = typeof first === 'string' ? second : first;
    if (check !== undefined && !isRouteSchema(check)) throw new TypeError(`@${decorator}() takes a name, then a schema, and no pipes.`);
    return onParameter(decorator, (target, member, index) => keep(target, member, { index, kind, data, pipes: [], check }));
  };

const isOptions = (value: unknown): value is ParameterDecoratorOptions =>
  isObject(value) && !isPipe(value) && ('schema' in value || 'pipes' in value);

type Given = Pipe | ParameterDecoratorOptions | RouteSchema;

const piped =
  (decorator: string, kind: ParameterKind) =>
  (first?: string | Given, ...rest: (Given | undefined)[]): ParameterDecorator => {
    // One alone is a pipe or a schema, of which both may be classes or functions.
    if (rest.length > 0) refuseUncalled(decorator, [first, ...rest]);
    const data = typeof first === 'string' ? first : undefined;
    const given = [typeof first === 'string' ? undefined : first, ...rest].filter((one) => one !== undefined && one !== null);
    const [check, ...others] = given.filter(isRouteSchema);
    if (others.length > 0) throw new TypeError(`@${decorator}() is given ${others.length + 1} schemas, and takes one.`);
    const pipes = given.filter((one) => !isRouteSchema(one)).flatMap((one) => (isOptions(one) ? (one.pipes ?? []) : [one as Pipe]));
    checkPipes(decorator, pipes);
    const schema = given.find(isOptions)?.schema;
    return onParameter(decorator, (target, member, index) => keep(target, member, { index, kind, data, pipes, schema, check }));
  };

export const Body = piped('Body', ParameterKind.body);
export const Query = piped('Query', ParameterKind.query);
export const Param = piped('Param', ParameterKind.param);
export const Cookies = piped('Cookies', ParameterKind.cookies);
/** `req.signedCookies`, as `cookie-parser` with a secret leaves them. */
export const SignedCookies = piped('SignedCookies', ParameterKind.signedCookies);
export const RawBody = (...pipes: Pipe[]): ParameterDecorator => piped('RawBody', ParameterKind.rawBody)(...pipes);
/** With a schema: what it makes of the fields, by their names in lower case, or of one. */
export const Headers = plainOrChecked('Headers', ParameterKind.headers);
export const HostParam = plain('HostParam', ParameterKind.host);
export const Req = plain('Req', ParameterKind.request);
export const Next = plain('Next', ParameterKind.next);
export const Ip = plain('Ip', ParameterKind.ip);
export const Session = plain('Session', ParameterKind.session);
/** What an interceptor for uploads has left at `req.file`, or at another member. */
export const UploadedFile = piped('UploadedFile', ParameterKind.file);
export const UploadedFiles = (...pipes: Pipe[]): ParameterDecorator => piped('UploadedFiles', ParameterKind.files)(...pipes);
/** `req.user`, or one member of it. */
export const User = plain('User', ParameterKind.user);
/** The app's own context. */
export const Context = plain('Context', ParameterKind.context);

/** The response, which the method answers by itself; with `passthrough` what it returns is sent as ever. */
export function Res(...given: [options?: { passthrough?: boolean }]): ParameterDecorator {
  refuseUncalled('Res', given);
  const [options = {}] = given;
  return onParameter('Res', (target, member, index) => {
    if (options.passthrough === true) define(KEYS.passthrough, true, target.constructor, member);
    keep(target, member, { index, kind: ParameterKind.response, data: undefined, pipes: [] });
  });
}

export { Req as Request, Res as Response };

export type CustomParamFactory<Data = unknown, Output = unknown> = (data: Data, context: ExecutionContext) => Output;

/** Decorators of parameters where a language has none: the first is that of the first parameter. */
export function Bind(...decorators: ParameterDecorator[]): MethodDecorator {
  return (target, member) => {
    for (const [index, decorate] of decorators.entries()) decorate(target, member, index);
  };
}

let customs = 0;

/** A decorator of one's own: what `factory` returns is what the parameter is given. */
export function createParamDecorator<Data = any, Output = any>(
  factory: CustomParamFactory<Data, Output>,
  enhancers: ParameterDecorator[] = [],
): (data?: Data | Pipe, ...pipes: (Data | Pipe)[]) => ParameterDecorator {
  if (typeof factory !== 'function') throw new TypeError('createParamDecorator() takes a function (data, context).');
  customs += 1;
  const kind = `custom${customs}`;
  return (first, ...rest) => {
    if (typeof rest[1] === 'number') refuseUncalled('decorator of createParamDecorator', [first, ...rest]);
    const isData = !isPipe(first);
    const pipes = (isData ? rest : [first, ...rest]) as Pipe[];
    checkPipes('a decorator of createParamDecorator', pipes);
    return (target, member, index) => {
      onParameter('a decorator of createParamDecorator', (owner, name, at) => {
        const known = read<Readonly<Record<string, ParameterMetadata>>>(KEYS.routeArguments, owner.constructor, name) ?? {};
        const parameter = { index: at, kind: ParameterKind.custom, data: isData ? first : undefined, pipes, factory };
        define(KEYS.routeArguments, { ...known, [`${kind}:${at}`]: parameter }, owner.constructor, name);
      })(target, member, index);
      for (const enhancer of enhancers) enhancer(target, member, index);
    };
  };
}
