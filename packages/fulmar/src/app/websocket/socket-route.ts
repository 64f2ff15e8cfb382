/**
 * What a WebSocket route is made of when it is registered: its options checked, its limits set, and the
 * handler that answers its handshake. Loads nothing of `ws`.
 */
import type { Middleware } from '../chain.ts';
import type { AnyContext } from '../context.ts';
import { checkOptions, type Checks, isCount, isFunction, isListOf, isMs, isToken, shown, TIMER_MS_MAX } from '../checked-options.ts';
import { anOriginRule, type OriginMatcher, toOriginMatcher } from '../origins.ts';
import { ROUTE_OPTIONS } from '../route-option-names.ts';
import type { RouteOptions } from '../route-types.ts';
import { isSchema } from '../standard-schema.ts';
import { handshake } from './handshake.ts';
import { readThrough, type SchemaRead } from './read-message.ts';
import type { SocketHandlers, SocketLimits, SocketOptions } from './socket-types.ts';

/** What makes a socket of a request. */
export type Become = (c: AnyContext, upgrading: { readonly route: SocketRoute; readonly protocol: string; readonly data: unknown }) => void;

export interface SocketRoute {
  /** Loads it. */
  readonly become: () => Become;
  readonly handlers: SocketHandlers<unknown, unknown>;
  readonly schema: SchemaRead | null;
  readonly limits: { readonly [Name in keyof SocketLimits]-?: NonNullable<SocketLimits[Name]> };
  readonly protocols: readonly string[];
  /** Null: from pages of the host that was asked. */
  readonly isFrom: OriginMatcher | null;
  readonly perMessageDeflate: NonNullable<SocketOptions['perMessageDeflate']>;
}

/** Those of any route but of what a handshake has not; `response` is that of the handler `request`. */
type Inherited = Exclude<keyof RouteOptions, 'body'>;

/** On the handler of a route whose path answers requests, too, which documents describe. */
export interface SocketHandler {
  (c: AnyContext): unknown;
  readonly answersRequests: boolean;
}

const CHECKS: Checks<Omit<SocketOptions, Inherited>> = {
  message: [(value) => isSchema(value), 'a schema of each message (Standard Schema), as zod, valibot and arktype make them'],
  use: [(value) => isListOf((one) => typeof one === 'function', value), 'a list of middleware (c, next)'],
  protocols: [(value) => isListOf(isToken, value) && value.length > 0, 'a list of names of subprotocols'],
  origin: anOriginRule,
  perMessageDeflate: [(value) => typeof value === 'boolean' || (typeof value === 'object' && value !== null), 'true, false or its options'],
  maxPayload: [(value) => isCount(1, value), 'a number of bytes, at least 1'],
  backpressureLimit: [(value) => isCount(1, value), 'a number of bytes, at least 1'],
  slow: [(value) => value === 'close' || value === 'drop', "'close' or 'drop'"],
  queueMax: [(value) => isCount(1, value), 'a number of messages, at least 1'],
  topicsMax: [(value) => isCount(0, value), 'a number of topics'],
  heartbeatMs: [(value) => isMs(0, value), 'a number of milliseconds, or 0 for none'],
  timeoutMs: [(value) => isMs(1, value), 'a number of milliseconds, at least 1'],
  closeTimeoutMs: [(value) => isMs(1, value), 'a number of milliseconds, at least 1'],
};

const HANDLERS: Checks<SocketHandlers> = {
  upgrade: isFunction('(c)'),
  open: isFunction('(socket)'),
  message: isFunction('(socket, message)'),
  close: isFunction('(socket, code, reason)'),
  drain: isFunction('(socket)'),
  error: isFunction('(socket, error)'),
  invalid: isFunction('(socket, errors)'),
  request: isFunction('(c)'),
};

const INHERITED = ROUTE_OPTIONS.filter((name): name is Inherited => name !== 'body');
const MIB = 1024 * 1024;
const HEARTBEAT_MS = 30_000;
const CLOSE_TIMEOUT_MS = 5000;
const QUEUE_MAX = 64;
const TOPICS_MAX = 100;

/**
 * What stands behind the path of the route that it becomes. @throws TypeError for handlers or options that are
 * none
 */
export function socketRoute(handlers: SocketHandlers<never, never, never>, options: SocketOptions = {}, become: () => Become): unknown[] {
  checkOptions('websocket', handlers as object, HANDLERS as Checks<object>);
  if (Object.keys(handlers).length === 0)
    throw new TypeError(
      `websocket() needs handlers behind its path: { ${Object.keys(HANDLERS).join(', ')} }, of which any may be left out.`,
    );
  const { own, ofRoute } = split(options);
  checkOptions('websocket', own, CHECKS);
  const answersRequests = handlers.request !== undefined;
  if (ofRoute.response !== undefined && !answersRequests)
    throw new TypeError('websocket(): response is what the handler request returns, and there is none.');
  const { use = [], message, protocols = [], origin, perMessageDeflate = false } = own;
  const heartbeatMs = own.heartbeatMs ?? HEARTBEAT_MS;
  if (handlers.invalid !== undefined && message === undefined)
    throw new TypeError('websocket(): the handler invalid is told what does not fit a schema, and there is no option message.');
  const route: SocketRoute = {
    become,
    handlers: handlers as unknown as SocketHandlers<unknown, unknown>,
    schema: message === undefined ? null : readThrough(message),
    protocols,
    isFrom: origin === undefined ? null : toOriginMatcher('websocket', origin),
    perMessageDeflate,
    limits: {
      maxPayload: own.maxPayload ?? MIB,
      backpressureLimit: own.backpressureLimit ?? MIB,
      slow: own.slow ?? 'close',
      queueMax: own.queueMax ?? QUEUE_MAX,
      topicsMax: own.topicsMax ?? TOPICS_MAX,
      heartbeatMs,
      timeoutMs: own.timeoutMs ?? Math.min(2 * heartbeatMs, TIMER_MS_MAX),
      closeTimeoutMs: own.closeTimeoutMs ?? CLOSE_TIMEOUT_MS,
    },
  };
  if (own.timeoutMs !== undefined && heartbeatMs === 0)
    throw new TypeError('websocket(): timeoutMs is how long pings may stay unanswered, and heartbeatMs: 0 sends none.');
  const answer: SocketHandler = Object.assign((c: AnyContext): unknown => handshake(c, route), { answersRequests });
  return [ofRoute, ...(use as readonly Middleware[]), answer];
}

function split(options: SocketOptions): { own: Omit<SocketOptions, Inherited>; ofRoute: RouteOptions } {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new TypeError(`websocket() takes options behind its handlers, an object, and this is ${shown(options)}.`);
  const own: Record<string, unknown> = { ...options };
  const ofRoute: Record<string, unknown> = {};
  for (const name of INHERITED) {
    if (name in own) ofRoute[name] = own[name];
    Reflect.deleteProperty(own, name);
  }
  return { own, ofRoute };
}
