/**
 * What is known of a route at start: its handler with all around it. `run.ts` makes of it the function that answers.
 */
import type { ContextId } from '../container/context-id.ts';
import { instanceOf } from '../container/injector.ts';
import type { Wrapper } from '../container/wrapper.ts';
import { ParameterKind, parametersOf } from '../decorators/parameters.ts';
import { RequestMethod } from '../enums.ts';
import type { HeaderMetadata, RouteMethodOptions } from '../decorators/routes.ts';
import { KEYS } from '../metadata/keys.ts';
import { ownKeys, read, readOwn } from '../metadata/reflect.ts';
import { typedParametersOf } from '../metadata/typed.ts';
import type { CanActivate, ExceptionFilter, NestInterceptor, PipeTransform, Type } from '../nest-types.ts';
import { abandon, isThenable } from '../../host/thenable.ts';
import { needsMessages, type ParameterPlan, type PipedParameter, planOf } from './arguments.ts';
import { declared, ownDeclared, type Enhancer, type AllGlobals, named } from './enhancers.ts';
import { type Catching, catching } from './filters.ts';
import type { RouteFace } from './host.ts';
import { type ReplyCheck, replyCheck } from '../../app/validate-reply.ts';
import { checkStatuses, type InputCheck, inputCheckOf, type RefusalRules, routeOptionsOf } from './schemas.ts';
import type { UseFunction } from './uses.ts';

export type Redirect = { readonly url: string; readonly statusCode: number | undefined };

/** The instances of a request, or of all. */
export interface Instances {
  readonly controller: object;
  readonly guards: readonly CanActivate[];
  readonly interceptors: readonly NestInterceptor[];
  readonly parameters: readonly PipedParameter[];
  readonly filters: readonly Catching[];
}

export interface RoutePlan extends RouteFace {
  readonly name: string;
  readonly parameters: readonly ParameterPlan[];
  readonly redirect: Redirect | null;
  readonly render: string | null;
  readonly isSse: boolean;
  /** The handler answers by `res`; what it returns is nothing. */
  readonly ownsReply: boolean;
  readonly needsMessages: boolean;
  readonly readsBody: boolean;
  /** Of the options of its decorator; null without schemas. */
  readonly input: InputCheck | null;
  readonly checkReply: ReplyCheck | null;
  /** Of `@Use()`. */
  readonly uses: readonly UseFunction[];
  /** Null: they are made for each request, by `make`. */
  readonly instances: Instances | null;
  readonly isDurable: boolean;
  make(context: ContextId): Instances | PromiseLike<Instances>;
}

interface Parts {
  readonly wrapper: Wrapper;
  readonly name: string;
  readonly globals: AllGlobals;
  readonly rules: RefusalRules;
}

type Makers = {
  readonly guards: Enhancer<CanActivate>[];
  readonly interceptors: Enhancer<NestInterceptor>[];
  readonly pipes: Enhancer<PipeTransform>[];
  readonly filters: Enhancer<ExceptionFilter>[];
  readonly parameterPipes: Enhancer<PipeTransform>[][];
};

/** Of the connection, or in the first lines of every reply: the app's context refuses them, or would say them twice. */
const FIELDS_OF_RES: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
  'x-powered-by',
]);
const CREATED = 201;
const OK = 200;

/** A POST without a status of its own is 201. @throws TypeError for schemas that are none */
export function planRoute(parts: Parts, path: string, requestMethod: number): RoutePlan {
  const { wrapper, name, rules } = parts;
  const controller = wrapper.metatype as Type;
  const prototype = controller.prototype as Record<string, Function>;
  const method = prototype[name] as Function;
  const types = read<readonly Type[]>(KEYS.parameterTypes, prototype, name) ?? [];
  const declaredParameters = parametersOf(prototype, name);
  const member = `${controller.name}.${name}`;
  const typed = typedParametersOf(controller, name);
  const parameters = declaredParameters.map((one) => planOf(one, { metatype: types[one.index], typed: typed?.[one.index], member, rules }));
  const given = readOwn<RouteMethodOptions>(KEYS.routeOptions, method);
  const options = given === undefined ? null : routeOptionsOf(given, { member, method: requestMethod, path });
  const input = options === null ? null : inputCheckOf(options, rules);
  const makers = makersOf(parts, method, parameters);
  const kinds = new Set(declaredParameters.map(({ kind }) => kind));
  const reply = replyMetadataOf(method);
  const uses = [
    ...(read<readonly UseFunction[]>(KEYS.uses, controller) ?? []),
    ...(readOwn<readonly UseFunction[]>(KEYS.uses, method) ?? []),
  ];
  // Whatever the handler takes, its decorators say how it is answered.
  const isAnswered = reply.redirect !== null || reply.render !== null || reply.isSse;
  const isPassed = read(KEYS.passthrough, controller, name) === true;
  const isOfRequest = wrapper.isRequestScoped || isAnyOfRequest(makers);
  const set = (context: ContextId | null): Instances | PromiseLike<Instances> => instancesOf(wrapper, makers, parameters, context);
  const status = reply.status ?? (requestMethod === RequestMethod.POST ? CREATED : OK);
  if (options !== null && !isAnswered && !mayChangeStatus(method, kinds)) checkStatuses(options, status, member);
  return {
    controller,
    method,
    name,
    path,
    parameters,
    ...reply,
    status,
    ownsReply: !isAnswered && !isPassed && (kinds.has(ParameterKind.response) || kinds.has(ParameterKind.next)),
    needsMessages: isAnswered || [...kinds].some(needsMessages),
    // Whoever is given `req` may look at its body.
    readsBody:
      input?.readsBody === true || kinds.has(ParameterKind.body) || kinds.has(ParameterKind.custom) || isAround(makers) || uses.length > 0,
    input,
    checkReply: options === null ? null : replyCheck(options),
    uses,
    instances: isOfRequest ? null : (set(null) as Instances),
    isDurable: wrapper.isTreeDurable,
    make: set,
  };
}

/** A handler that is given the response or the context may say itself which status its reply has. */
function mayChangeStatus(method: Function, kinds: ReadonlySet<unknown>): boolean {
  if (kinds.size === 0) return method.length > 0;
  return [ParameterKind.response, ParameterKind.next, ParameterKind.context].some((kind) => kinds.has(kind));
}

/** What decorators say of the reply. */
function replyMetadataOf(
  method: Function,
): Pick<RoutePlan, 'headers' | 'hasFieldsOfRes' | 'redirect' | 'render' | 'isSse'> & { readonly status: number | undefined } {
  const redirect = readOwn<Redirect>(KEYS.redirect, method);
  const headers = readOwn<readonly HeaderMetadata[]>(KEYS.headers, method) ?? [];
  return {
    status: readOwn<number>(KEYS.httpCode, method),
    headers,
    hasFieldsOfRes: headers.some(({ name }) => FIELDS_OF_RES.has(name.toLowerCase())),
    redirect: redirect?.url === undefined ? null : redirect,
    render: readOwn<string>(KEYS.render, method) ?? null,
    isSse: readOwn(KEYS.sse, method) === true,
  };
}

/** What a method may have whose mistakes are to be told at start. */
const TOLD_EARLY: ReadonlySet<unknown> = new Set([
  KEYS.guards,
  KEYS.interceptors,
  KEYS.pipes,
  KEYS.filters,
  KEYS.routeOptions,
  KEYS.checksParameters,
]);

/** Something stands around the method, or it has schemas. Of its class others know. */
export function isToldEarly(controller: Type, name: string): boolean {
  const method = (controller.prototype as Record<string, Function>)[name] as Function;
  return ownKeys(method).some((key) => TOLD_EARLY.has(key)) || typedParametersOf(controller, name) !== undefined;
}

function makersOf({ wrapper, globals }: Parts, method: Function, parameters: readonly ParameterPlan[]): Makers {
  const controller = wrapper.metatype as Type;
  const { host } = wrapper;
  const all = <T>(key: Parameters<typeof named>[2]): Enhancer<T>[][] => [
    globals[key] as Enhancer<T>[],
    named<T>(declared(key, controller), host, key),
    named<T>(ownDeclared(key, method), host, key),
  ];
  const [ofAll = [], ofClass = [], own = []] = all<ExceptionFilter>(KEYS.filters);
  return {
    guards: all<CanActivate>(KEYS.guards).flat(),
    interceptors: all<NestInterceptor>(KEYS.interceptors).flat(),
    pipes: all<PipeTransform>(KEYS.pipes).flat(),
    // The nearest first; of one place the last first, as Nest's.
    filters: [...own.toReversed(), ...ofClass.toReversed(), ...ofAll.toReversed()],
    parameterPipes: parameters.map(({ pipes }) => named<PipeTransform>(pipes, host, KEYS.pipes)),
  };
}

const isAround = ({ guards, interceptors, filters }: Makers): boolean => guards.length + interceptors.length + filters.length > 0;

function isAnyOfRequest({ guards, interceptors, pipes, filters, parameterPipes }: Makers): boolean {
  return [guards, interceptors, pipes, filters, ...parameterPipes].some((list) => list.some(({ wrapper }) => wrapper !== null));
}

function instancesOf(
  wrapper: Wrapper,
  makers: Makers,
  plans: readonly ParameterPlan[],
  context: ContextId | null,
): Instances | PromiseLike<Instances> {
  const waiting: PromiseLike<unknown>[] = [];
  const one = (from: Wrapper): unknown => {
    const made = instanceOf(from, context);
    if (isThenable(made)) waiting.push(made);
    return made;
  };
  const list = <T>(enhancers: readonly Enhancer<T>[]): unknown[] =>
    enhancers.map((enhancer) => (enhancer.wrapper === null ? enhancer.instance : one(enhancer.wrapper)));
  try {
    const made = {
      controller: wrapper.isRequestScoped ? one(wrapper) : wrapper.isTransient ? wrapper.transients[0] : wrapper.holder.value,
      guards: list(makers.guards),
      interceptors: list(makers.interceptors),
      pipes: list(makers.pipes),
      filters: list(makers.filters),
      parameterPipes: makers.parameterPipes.map(list),
    };
    if (waiting.length === 0) return assembled(made as Made, plans);
    return allOf(made).then((settledOnes) => assembled(settledOnes, plans));
  } catch (error) {
    abandon(waiting);
    throw error;
  }
}

interface Made {
  readonly controller: object;
  readonly guards: readonly CanActivate[];
  readonly interceptors: readonly NestInterceptor[];
  readonly pipes: readonly PipeTransform[];
  readonly filters: readonly ExceptionFilter[];
  readonly parameterPipes: readonly (readonly PipeTransform[])[];
}

/** Waits for all at once: one that fails while another is waited for has somebody who hears of it. */
async function allOf(made: Record<keyof Made, unknown>): Promise<Made> {
  const lists = made as Record<'guards' | 'interceptors' | 'pipes' | 'filters', unknown[]> & { parameterPipes: unknown[][] };
  const [controller, guards, interceptors, pipes, filters, parameterPipes] = await Promise.all([
    made.controller,
    Promise.all(lists.guards),
    Promise.all(lists.interceptors),
    Promise.all(lists.pipes),
    Promise.all(lists.filters),
    Promise.all(lists.parameterPipes.map((list) => Promise.all(list))),
  ]);
  return { controller, guards, interceptors, pipes, filters, parameterPipes } as Made;
}

function assembled({ controller, guards, interceptors, pipes, filters, parameterPipes }: Made, plans: readonly ParameterPlan[]): Instances {
  return {
    controller,
    guards,
    interceptors,
    parameters: plans.map((plan, at) => ({ plan, pipes: plan.metadata === null ? [] : [...pipes, ...(parameterPipes[at] ?? [])] })),
    filters: filters.map(catching),
  };
}
