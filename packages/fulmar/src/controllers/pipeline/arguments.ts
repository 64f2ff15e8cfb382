/**
 * What a handler is called with: a function for each parameter, picked at start, and the pipes its value goes through.
 */
import type { AnyContext } from '../../app/index.ts';
import { ParameterKind, type ParameterMetadata } from '../decorators/parameters.ts';
import type { InputPlace } from '../../app/route-options.ts';
import type { ArgumentMetadata, Paramtype, PipeTransform, Type } from '../nest-types.ts';
import { isThenable } from '../../host/thenable.ts';
import type { TypedParameter } from '../metadata/typed.ts';
import type { Host } from './host.ts';
import { type RefusalRules, valueCheckOf } from './schemas.ts';

/** From the context and the content alone; without `host` where a route makes none. */
export type Extract = (c: AnyContext, body: unknown, host: Host) => unknown;

export interface ParameterPlan {
  readonly index: number;
  readonly extract: Extract;
  /** It asks the host, which a route without anything around it does not make. */
  readonly needsHost: boolean;
  /** `null`: no pipe sees it, as in Nest. */
  readonly metadata: ArgumentMetadata | null;
  /** What it is may be a promise, of a schema that takes its time. */
  readonly mayWait: boolean;
  readonly pipes: readonly (PipeTransform | Type<PipeTransform>)[];
}

type Named = Readonly<Record<string, unknown>>;

const PIPED: ReadonlyMap<ParameterKind, Paramtype> = new Map<ParameterKind, Paramtype>([
  [ParameterKind.body, 'body'],
  [ParameterKind.rawBody, 'rawBody'],
  [ParameterKind.query, 'query'],
  [ParameterKind.param, 'param'],
  [ParameterKind.cookies, 'cookies'],
  [ParameterKind.signedCookies, 'custom'],
  [ParameterKind.file, 'custom'],
  [ParameterKind.files, 'custom'],
  [ParameterKind.custom, 'custom'],
]);

/** Kinds for which `req` and `res` have to be there. */
const OF_MESSAGES: ReadonlySet<ParameterKind> = new Set<ParameterKind>([
  ParameterKind.request,
  ParameterKind.response,
  ParameterKind.next,
  ParameterKind.session,
  ParameterKind.user,
  ParameterKind.file,
  ParameterKind.files,
  ParameterKind.rawBody,
  ParameterKind.signedCookies,
]);

export const needsMessages = (kind: ParameterKind): boolean => OF_MESSAGES.has(kind);

/** Places whose values a schema may be for. */
export const SCHEMA_PLACES: ReadonlyMap<ParameterKind, InputPlace> = new Map<ParameterKind, InputPlace>([
  [ParameterKind.body, 'body'],
  [ParameterKind.query, 'query'],
  [ParameterKind.param, 'params'],
  [ParameterKind.headers, 'headers'],
  [ParameterKind.cookies, 'cookies'],
]);

export interface ParameterParts {
  readonly metatype: Type | undefined;
  /** What `@typed()` says of its type. */
  readonly typed: TypedParameter | undefined;
  /** `CatsController.add` */
  readonly member: string;
  readonly rules: RefusalRules;
}

/** @throws TypeError for a schema that is none */
export function planOf(parameter: ParameterMetadata, { metatype, typed, member, rules }: ParameterParts): ParameterPlan {
  const { index, kind, data, pipes, schema } = parameter;
  const place = SCHEMA_PLACES.get(kind);
  const given = parameter.check ?? (place === undefined ? undefined : typed?.schema);
  const isOptional = parameter.check === undefined && typed?.isOptional === true;
  const type = PIPED.get(kind) ?? (given === undefined ? undefined : 'custom');
  const asked = { metatype, type, data: data as string | undefined, ...(schema !== undefined && { schema }) };
  const metadata = type === undefined ? null : (asked as ArgumentMetadata);
  const needsHost = kind === ParameterKind.custom || kind === ParameterKind.host || needsMessages(kind);
  const extract = extractOf(parameter);
  const plan = { index, extract, needsHost, metadata, pipes, mayWait: false };
  if (given === undefined || place === undefined) return plan;
  const name = typeof data === 'string' ? data : '';
  const { isSync, check } = valueCheckOf(given, { place, name, where: `parameter ${index + 1} of ${member}()` }, rules);
  return {
    ...plan,
    mayWait: !isSync,
    extract: (c, body, host) => {
      const value = extract(c, body, host);
      return isOptional && value === undefined ? undefined : check(c, value);
    },
  };
}

function extractOf({ kind, data, factory }: ParameterMetadata): Extract {
  if (factory !== undefined) return (_c, _body, host) => factory(data, host);
  const name = typeof data === 'string' && data !== '' ? data : null;
  switch (kind) {
    case ParameterKind.context:
      return (c) => c;
    case ParameterKind.param:
      return name === null ? (c) => c.params : (c) => (c.params as Named)[name];
    case ParameterKind.query:
      return name === null ? (c) => c.query : (c) => (c.query as Named)[name];
    case ParameterKind.body:
      return name === null ? (_c, body) => body : (_c, body) => memberOf(body, name);
    case ParameterKind.headers:
      return headerOf(name);
    case ParameterKind.ip:
      return (c) => c.ip;
    case ParameterKind.cookies:
      return name === null ? (c) => ({ ...(c.cookies as Named) }) : (c) => (c.cookies as Named)[name];
    case ParameterKind.host:
      return (_c, _body, { hosts }) => (name === null ? (hosts ?? {}) : hosts?.[name]);
    default:
      return ofMessages(kind, name);
  }
}

function headerOf(name: string | null): Extract {
  if (name === null) return (c) => c.headers;
  const lower = name.toLowerCase();
  return (c) => (c.headers as Named)[lower];
}

function ofMessages(kind: ParameterKind, name: string | null): Extract {
  switch (kind) {
    case ParameterKind.request:
      return (_c, _body, host) => host.getRequest();
    case ParameterKind.response:
      return (_c, _body, host) => host.getResponse();
    case ParameterKind.next:
      return (_c, _body, host) => host.getNext();
    case ParameterKind.session:
      return (_c, _body, host) => host.messages.req['session'] as unknown;
    case ParameterKind.user:
      return (_c, _body, host) => {
        const user = host.messages.req['user'] as Named | null | undefined;
        return name === null ? user : user?.[name];
      };
    case ParameterKind.signedCookies:
      return (_c, _body, host) => signedCookies(host.messages.req['signedCookies'], name);
    case ParameterKind.rawBody:
      return (_c, _body, host) => host.messages.req['rawBody'] as unknown;
    case ParameterKind.file:
      return (_c, _body, host) => host.messages.req[name ?? 'file'] as unknown;
    default:
      return (_c, _body, host) => host.messages.req['files'] as unknown;
  }
}

/** Those whose signature `cookie-parser` has found right. @throws Error where nobody has looked */
function signedCookies(found: unknown, name: string | null): unknown {
  if (typeof found !== 'object' || found === null)
    throw new Error('@SignedCookies() finds no req.signedCookies: app.use(cookieParser(secret)) of the package cookie-parser fills it.');
  const right = Object.entries(found).filter(([, value]) => value !== false);
  return name === null ? Object.fromEntries(right) : right.find(([key]) => key === name)?.[1];
}

/** Members that bytes and lists have of their prototypes are nobody's input. */
function memberOf(body: unknown, name: string): unknown {
  if (body === undefined || body === null) return body;
  const isPlain = typeof body === 'object' && !Array.isArray(body) && !ArrayBuffer.isView(body);
  return isPlain || Object.hasOwn(Object(body) as object, name) ? (body as Named)[name] : undefined;
}

/** A parameter with the instances of its pipes. */
export interface PipedParameter {
  readonly plan: ParameterPlan;
  readonly pipes: readonly PipeTransform[];
}

/**
 * All that a handler takes, then `use`. Each value goes through its first pipe before the next is looked at, then each
 * through its second: as Nest's promises come about. What is thrown while some value takes its time is the failure of a
 * promise: left alone, that value would end the process if it failed as well.
 */
export function withArguments(parameters: readonly PipedParameter[], host: Host, use: (given: unknown[]) => unknown): unknown {
  const given: unknown[] = [];
  let rounds = 0;
  let isWaiting = false;
  for (const one of parameters) {
    const { index, metadata } = one.plan;
    given[index] = isWaiting ? attempted(one, host) : taken(one, host);
    // A promise that a pipe is to see is waited for, without pipes as well.
    isWaiting ||= metadata !== null && isThenable(given[index]);
    rounds = Math.max(rounds, one.pipes.length);
  }
  for (let round = 1; round < rounds; round += 1) if (throughRound(parameters, given, round, isWaiting)) isWaiting = true;
  return isWaiting
    ? Promise.all(given.map((value, index) => settledAt(parameters, value, index))).then((values) => use(values.map(unheld)))
    : use(given);
}

/** The value of a parameter behind its first pipe. */
function taken({ plan: { extract, metadata }, pipes: [pipe] }: PipedParameter, host: Host): unknown {
  const value = extract(host.c, host.content, host);
  return pipe === undefined || metadata === null ? value : piped(pipe, value, metadata);
}

function attempted(parameter: PipedParameter, host: Host): unknown {
  try {
    return taken(parameter, host);
  } catch (error) {
    return Promise.reject(error as Error);
  }
}

function piped(pipe: PipeTransform, value: unknown, metadata: ArgumentMetadata): unknown {
  return isThenable(value)
    ? value.then((later) => pipe.transform(later, metadata) as unknown)
    : (pipe.transform(value, metadata) as unknown);
}

/** True: some value takes its time. */
function throughRound(parameters: readonly PipedParameter[], given: unknown[], round: number, isWaiting: boolean): boolean {
  let waits = isWaiting;
  for (const { plan, pipes } of parameters) {
    const pipe = pipes[round];
    const { index, metadata } = plan;
    if (pipe === undefined || metadata === null) continue;
    try {
      given[index] = piped(pipe, given[index], metadata);
    } catch (error) {
      if (!waits) throw error;
      given[index] = Promise.reject(error as Error);
    }
    waits ||= isThenable(given[index]);
  }
  return waits;
}

/** A promise that no pipe sees is the handler's, as a promise. */
class Held {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}

function settledAt(parameters: readonly PipedParameter[], value: unknown, index: number): unknown {
  const isPiped = parameters.some(({ plan }) => plan.index === index && plan.metadata !== null);
  return isThenable(value) && !isPiped ? new Held(value) : value;
}

const unheld = (value: unknown): unknown => (value instanceof Held ? value.value : value);
