/**
 * The function that answers a route, put together at start from what the route has: one without guards, interceptors,
 * pipes and parameters is its handler and the reply, and nothing else. What needs no promise makes none.
 */
import type { AnyContext } from '../../app/index.ts';
import { ANSWERED } from '../../app/mount.ts';
import { ContextId, ContextIdFactory } from '../container/context-id.ts';
import type { Environment } from '../http/environment.ts';
import { lightBody, SLOW } from '../http/light-body.ts';
import { isThenable } from '../../host/thenable.ts';
import { withArguments } from './arguments.ts';
import { answerByFilters, type Catching } from './filters.ts';
import { throughGuards } from './guards.ts';
import { Host } from './host.ts';
import { throughInterceptors } from './interceptors.ts';
import type { Instances, RoutePlan } from './plan.ts';
import { markingRejected } from './rejected.ts';
import type { InputCheck } from './schemas.ts';
import { replierOf } from './reply.ts';
import { armSignal } from './sse.ts';
import { throughUses } from './uses.ts';
import { after, settled } from './values.ts';

type Hosts = Readonly<Record<string, string>>;
export type Run = (c: AnyContext, hosts?: Hosts) => unknown;
/** Goes on where another route has been, with its request and response. */
export type GoOn = (c: AnyContext, before: Host, hosts: Hosts | undefined) => unknown;
/** Gives the value of a handler to who asks. */
export type Reply = (c: AnyContext, host: Host | null, value: unknown) => unknown;

interface Parts {
  readonly plan: RoutePlan;
  readonly environment: Environment;
  readonly reply: Reply;
  /** What `next()` of the handler leads to. */
  readonly onward: (host: Host) => void;
  /** Filters of all, for what fails before the route has its own. */
  readonly filters: () => readonly Catching[];
}

export function runOf(
  plan: RoutePlan,
  { environment, onward, filters }: Pick<Parts, 'environment' | 'onward' | 'filters'>,
): { readonly run: Run; readonly goOn: GoOn } {
  const parts: Parts = { plan, environment, reply: replierOf(plan, environment), onward, filters };
  const run = isBare(plan, environment) ? bareRun(parts, plan.instances as Instances) : fullRun(parts);
  return { run, goOn: (c, before, hosts) => pipeline(parts, continued(parts, c, before, hosts)) };
}

function continued(parts: Parts, c: AnyContext, before: Host, hosts: Hosts | undefined): Host {
  const host = hostOf(parts, c);
  if (hosts !== undefined) host.hosts = hosts;
  host.take(before.messages);
  return host;
}

function isBare(plan: RoutePlan, environment: Environment): boolean {
  const { instances } = plan;
  if (instances === null || plan.needsMessages || environment.hasMiddleware || plan.headers.length + plan.uses.length > 0) return false;
  if (instances.guards.length + instances.interceptors.length > 0) return false;
  if (plan.input?.isSync === false) return false;
  return instances.parameters.every(({ plan: { needsHost, mayWait }, pipes }) => pipes.length === 0 && !needsHost && !mayWait);
}

/** No host is made unless something fails. */
function bareRun(parts: Parts, { controller, filters }: Instances): Run {
  const { plan, reply, environment } = parts;
  const call = checked(plan.input, callOf(controller, plan));
  const failed = (c: AnyContext, error: unknown): unknown => answerByFilters(hostOf(parts, c), error, filters);
  const answer = (c: AnyContext, body: unknown): unknown => {
    try {
      const value = call(c, body);
      if (typeof value !== 'object' || value === null) return reply(c, null, value);
      const given = settled(value);
      if (!isThenable(given)) return reply(c, null, given);
      return given.then((later) => reply(c, null, later)).then(undefined, (error: unknown) => failed(c, error));
    } catch (error) {
      return failed(c, error);
    }
  };
  if (!plan.readsBody || !environment.parsesBody) return (c) => answer(c, undefined);
  const slow = fullRun(parts);
  return (c) => {
    const body = environment.keepsRawBody ? SLOW : lightBody(c);
    return body === SLOW ? slow(c) : answer(c, body);
  };
}

type Call = (c: AnyContext, body: unknown) => unknown;

const checked = (input: InputCheck | null, call: Call): Call => (input === null ? call : (c, body) => call(c, input.check(c, body)));

/** Without parameters that say what they take, a handler is given the context. */
function callOf(controller: object, { method, parameters }: RoutePlan): Call {
  const sorted = parameters.toSorted((one, other) => one.index - other.index);
  const extracts = sorted.map(({ extract }) => extract);
  const isWhole = sorted.every(({ index }, at) => index === at);
  const [first, second] = extracts;
  const none = null as unknown as Host;
  if (first === undefined) return (c) => method.call(controller, c) as unknown;
  if (isWhole && second === undefined) return (c, body) => method.call(controller, first(c, body, none)) as unknown;
  if (isWhole && extracts.length === 2 && second !== undefined)
    return (c, body) => method.call(controller, first(c, body, none), second(c, body, none)) as unknown;
  return (c, body) => {
    const given: unknown[] = [];
    for (const { index, extract } of sorted) given[index] = extract(c, body, none);
    return method.apply(controller, given) as unknown;
  };
}

const hostOf = ({ plan, environment, onward }: Parts, c: AnyContext): Host => new Host(c, plan, environment, onward);

function fullRun(parts: Parts): Run {
  const { plan, environment } = parts;
  const needsParsers = plan.readsBody || plan.needsMessages;
  return (c, hosts) => {
    const host = hostOf(parts, c);
    if (hosts !== undefined) host.hosts = hosts;
    if (environment.hasMiddleware) return throughMiddleware(parts, host);
    if (!needsParsers || !environment.parsesBody) return pipeline(parts, host);
    const body = environment.keepsRawBody && c.exchange.contentState !== 'none' ? SLOW : lightBody(c);
    if (body === SLOW) return throughMiddleware(parts, host);
    host.body = body;
    return pipeline(parts, host);
  };
}

/** Middleware of Express's kind calls back when it is done, if at all. */
function throughMiddleware(parts: Parts, host: Host): typeof ANSWERED {
  const { environment } = parts;
  environment.through(
    host.c,
    (messages) => {
      host.take(messages);
      void pipeline(parts, host);
    },
    (messages, error) => {
      host.take(messages);
      environment.fail(host, error);
    },
  );
  return ANSWERED;
}

/** Never throws, and what it returns does not reject. */
function pipeline(parts: Parts, host: Host): unknown {
  const { plan } = parts;
  let filters: readonly Catching[] | null = null;
  const failed = (error: unknown): unknown => answerByFilters(host, error, filters ?? parts.filters());
  try {
    const instances = plan.instances ?? plan.make(contextOf(host));
    const done = after(instances, (made) => {
      ({ filters } = made);
      return throughAll(parts, host, made);
    });
    return isThenable(done) ? done.then(undefined, failed) : done;
  } catch (error) {
    return failed(error);
  }
}

/** With a strategy the request is seen before anything is made for it. */
function contextOf(host: Host): ContextId {
  if (ContextIdFactory.hasStrategy) {
    const request: object = host.getRequest();
    const context = ContextIdFactory.getByRequest(request);
    context.setRequest(() => (context.payload === undefined ? request : Object.assign(request, context.payload)));
    return context;
  }
  const context = new ContextId();
  context.setRequest(() => {
    const request: object = host.getRequest();
    ContextIdFactory.keep(request, context);
    return request;
  });
  return context;
}

function throughAll(parts: Parts, host: Host, { guards, interceptors, parameters, controller }: Instances): unknown {
  const { plan, reply } = parts;
  const { method, input } = plan;
  const handler = (): unknown => {
    if (input === null) return called();
    return after(input.check(host.c, host.content), (body) => {
      host.content = body;
      return called();
    });
  };
  const called = (): unknown => {
    if (parameters.length === 0) return method.call(controller, host.c) as unknown;
    const through = interceptors.length === 0 ? withArguments : markingRejected;
    return through(parameters, host, (given) => method.apply(controller, given) as unknown);
  };
  const intercepted = (): unknown => {
    if (plan.isSse) armSignal(host.messages);
    host.prepare();
    return throughInterceptors(interceptors, host, handler);
  };
  if (plan.uses.length > 0) {
    const inner = (): unknown => (guards.length === 0 ? intercepted() : after(throughGuards(guards, host), intercepted));
    return throughUses(plan.uses, host, inner).then((given) => reply(host.c, host, given));
  }
  const handle = (): unknown => {
    const value = intercepted();
    return after(plan.isSse ? value : settled(value), (given) => reply(host.c, host, given));
  };
  return guards.length === 0 ? handle() : after(throughGuards(guards, host), handle);
}
