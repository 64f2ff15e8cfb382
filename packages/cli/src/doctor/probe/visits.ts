/**
 * What happens to one request: which handlers it passes, and what each does to request and reply.
 *
 * Looks at the objects before and after each handler and at what reaches the exchange. Replaces nothing that
 * the short way of a reply asks for, so that watching does not change the way.
 */
import type { ReplyFlag } from '../../../../fulmar/src/exchange/format.ts';
import type { Exchange } from '../../../../fulmar/src/exchange/types.ts';
import type { IncomingState } from '../../../../fulmar/src/http/incoming-state.ts';
import type { ResponseState } from '../../../../fulmar/src/http/response-state.ts';
import type { Effect, EffectCode, ReplyWay, RequestFacts } from '../protocol-types.ts';
import { type HandlerRecord, recordOf } from './handlers.ts';
import { watchSockets } from './private-fields.ts';

/** The value itself, so that this bundle shares no file with the engine's; the type keeps both equal. */
const DIGEST_FLAG: typeof ReplyFlag.digest = 512;
/** Requests that are remembered: more than the doctor ever sends. */
const VISITS_MAX = 1_000;

interface Step {
  readonly record: HandlerRecord;
  readonly effects: Effect[];
}

interface Visit {
  readonly req: IncomingState;
  readonly res: ResponseState;
  readonly method: string;
  readonly target: string;
  readonly server: string;
  readonly steps: Step[];
  before: Snapshot;
  way: ReplyWay;
  /** The last handler has gone on and no other has begun: what happens now is the framework's doing. */
  isBetween: boolean;
}

/** What of a request and its reply can be seen to change. */
interface Snapshot {
  readonly requestPrototype: unknown;
  readonly responsePrototype: unknown;
  readonly requestMembers: ReadonlyMap<string, unknown>;
  readonly responseMembers: ReadonlyMap<string, unknown>;
  readonly requestEvents: ReadonlyMap<string, number>;
  readonly responseEvents: ReadonlyMap<string, number>;
  readonly hasStream: boolean;
  readonly hasSocket: boolean;
  readonly hasHeaders: boolean;
}

/**
 * Stands for what runs when every handler has gone on: the answer for nobody's path, and the default error
 * page.
 */
const AFTER = 'final handler';
/** The same of Koa, which gives every reply itself when its middleware is done. */
const AFTER_KOA = 'Koa itself';

const visits: Visit[] = [];
const byResponse = new WeakMap<object, Visit>();
const byRequest = new WeakMap<object, Visit>();
const byExchange = new WeakMap<object, Visit>();
const patched = new WeakSet<object>();

/** A request has come; `listener` is whom the server gives it to. */
export function beginVisit(req: IncomingState, res: ResponseState, server: string, listener: HandlerRecord): void {
  const exchange = req._exchange;
  if (exchange === undefined) return;
  const before = takeSnapshot(req, res);
  const visit: Visit = { req, res, method: req.method, target: req.url, server, steps: [], before, way: 'none', isBetween: false };
  if (visits.push(visit) > VISITS_MAX) visits.shift();
  byRequest.set(req, visit);
  byResponse.set(res, visit);
  byExchange.set(exchange, visit);
  watchExchanges(exchange);
  watchHeaderReads(res);
  watchSockets(req);
  enterStep(visit, listener);
}

/**
 * A handler begins for a request or response, or `isBack` at work after those behind it. Returns what to call
 * when it has done its part.
 */
export function enterHandler(record: HandlerRecord, message: unknown, isBack = false): (goesOn: boolean) => void {
  const visit = typeof message === 'object' && message !== null ? (byRequest.get(message) ?? byResponse.get(message)) : undefined;
  if (visit === undefined) return () => undefined;
  account(visit);
  if (isBack) record.hits -= 1;
  const step = enterStep(visit, record);
  return (goesOn) => {
    if (visit.steps.at(-1) !== step) return;
    account(visit);
    if (goesOn) visit.isBetween = true;
  };
}

export function requestFacts(): RequestFacts[] {
  return visits.map(({ method, target, server, way, res, steps }) => ({
    method,
    target,
    server,
    way,
    status: res.statusCode,
    handlers: mergeSteps(steps),
  }));
}

/** A handler that was at work twice is told of once, where it began. */
function mergeSteps(steps: readonly Step[]): RequestFacts['handlers'] {
  const merged = new Map<HandlerRecord, Effect[]>();
  for (const { record, effects } of steps) merged.set(record, [...(merged.get(record) ?? []), ...effects]);
  return [...merged].map(([{ id, name }, effects]) => ({ id, name, effects }));
}

function enterStep(visit: Visit, record: HandlerRecord): Step {
  const step: Step = { record, effects: [] };
  record.hits += 1;
  visit.isBetween = false;
  visit.steps.push(step);
  return step;
}

/** Gives what has changed since the last look to the handler that is at work. */
function account(visit: Visit): void {
  const after = takeSnapshot(visit.req, visit.res);
  const { before } = visit;
  visit.before = after;
  for (const effect of differences(before, after)) note(visit, effect.code, effect.detail);
}

function note(visit: Visit, code: EffectCode, detail: string): void {
  const last = visit.steps.at(-1);
  const after = last?.record.id.startsWith('koa') === true ? AFTER_KOA : AFTER;
  const step = visit.isBetween ? enterStep(visit, recordOf(undefined, after)) : last;
  if (step === undefined) return;
  const key = `${code} ${detail}`;
  if (!step.effects.some((effect) => `${effect.code} ${effect.detail}` === key)) step.effects.push({ code, detail });
  step.record.effects.set(key, { code, detail });
}

function takeSnapshot(req: IncomingState, res: ResponseState): Snapshot {
  return {
    requestPrototype: Object.getPrototypeOf(req),
    responsePrototype: Object.getPrototypeOf(res),
    requestMembers: replacedMembers(req),
    responseMembers: replacedMembers(res),
    requestEvents: countListeners(req._listeners),
    responseEvents: countListeners(res._listeners),
    hasStream: req._stream !== null,
    hasSocket: req._socket !== null,
    hasHeaders: req._headers !== null,
  };
}

/** Own functions that stand in front of a method of the prototype. */
function replacedMembers(message: object): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const prototype = Object.getPrototypeOf(message) as Record<string, unknown>;
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(message))) {
    if (typeof value === 'function' && name in prototype && typeof prototype[name] === 'function') found.set(name, value);
  }
  return found;
}

function countListeners(events: Record<PropertyKey, unknown> | undefined): Map<string, number> {
  const counts = Object.entries(events ?? {}).map(([name, listeners]): [string, number] => [name, [listeners].flat().length]);
  return new Map(counts.filter(([, count]) => count > 0));
}

function* differences(before: Snapshot, after: Snapshot): Generator<Effect> {
  if (before.requestPrototype !== after.requestPrototype) yield { code: 'request-prototype-changed', detail: '' };
  if (before.responsePrototype !== after.responsePrototype) yield { code: 'response-prototype-changed', detail: '' };
  for (const [name, value] of after.responseMembers) {
    if (before.responseMembers.get(name) !== value) yield { code: 'response-member-replaced', detail: name };
  }
  for (const [name, value] of after.requestMembers) {
    if (before.requestMembers.get(name) !== value) yield { code: 'request-member-replaced', detail: name };
  }
  for (const [name, count] of after.responseEvents) {
    if (count > (before.responseEvents.get(name) ?? 0)) yield { code: 'response-listener', detail: name };
  }
  for (const [name, count] of after.requestEvents) {
    if (count > (before.requestEvents.get(name) ?? 0)) yield { code: 'request-listener', detail: name };
  }
  if (after.hasStream && !before.hasStream) yield { code: 'request-stream', detail: '' };
  if (after.hasSocket && !before.hasSocket) yield { code: 'socket-made', detail: '' };
  if (after.hasHeaders && !before.hasHeaders) yield { code: 'request-headers-made', detail: '' };
}

/** All exchanges share a prototype: its methods are what every reply and all content goes through. */
function watchExchanges(exchange: Exchange): void {
  const prototype = Object.getPrototypeOf(exchange) as Exchange;
  if (patched.has(prototype)) return;
  patched.add(prototype);
  onCall(prototype, 'reply', (visit, args) => {
    account(visit);
    visit.way = (Number(args[3]) & DIGEST_FLAG) !== 0 ? 'packed with engine ETag' : 'packed';
  });
  onCall(prototype, 'start', (visit) => {
    account(visit);
    visit.way = 'streamed';
    note(visit, 'reply-streamed', '');
  });
  onCall(prototype, 'readContent', (visit) => note(visit, 'request-content-streamed', ''));
  onCall(prototype, 'inlineContent', (visit) => note(visit, 'request-content-inline', ''));
  onCall(prototype, 'inlineText', (visit) => note(visit, 'request-content-inline', ''));
}

function onCall(prototype: Exchange, name: 'reply' | 'start' | 'readContent' | 'inlineContent' | 'inlineText', see: See): void {
  const original = prototype[name] as (...args: unknown[]) => unknown;
  const watched = function (this: object, ...args: unknown[]): unknown {
    const visit = byExchange.get(this);
    if (visit !== undefined) see(visit, args);
    return Reflect.apply(original, this, args);
  };
  Object.defineProperty(prototype, name, { value: watched, writable: true, configurable: true });
}

type See = (visit: Visit, args: readonly unknown[]) => void;

/** Methods that copy all fields of a reply. The short way never asks whose they are. */
const headerReads = ['getHeaders', 'getHeaderNames', 'getRawHeaderNames'] as const;

function watchHeaderReads(res: ResponseState): void {
  let prototype: object | null = res;
  while (prototype !== null && !(Object.hasOwn(prototype, 'getHeaders') && Object.hasOwn(prototype, '_implicitHeader'))) {
    prototype = Object.getPrototypeOf(prototype) as object | null;
  }
  if (prototype === null || patched.has(prototype)) return;
  patched.add(prototype);
  for (const name of headerReads) {
    const original = (prototype as Record<string, unknown>)[name] as (...args: unknown[]) => unknown;
    const value = function (this: object, ...args: unknown[]): unknown {
      const visit = byResponse.get(this);
      if (visit !== undefined) note(visit, 'reply-headers-read', name);
      return Reflect.apply(original, this, args);
    };
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true, enumerable: true });
  }
}
