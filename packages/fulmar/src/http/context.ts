/**
 * Async contexts: each request starts in the context of `listen()`, and nothing a handler enters leaks into
 * the next request of the batch. Newer Nodes restore a frame cheaply; older ones need a resource per request.
 */
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import type { Exchange } from '../exchange/types.ts';
import { quickjsHost } from './quickjs-host.ts';
import type { HostFrames } from './quickjs-host.ts';

/**
 * Calls a method in the context it was captured in. `report` is told there of an error, which is then thrown.
 */
export type Scope = (method: (this: never) => void, receiver: object, report?: (error: unknown) => void) => void;

/** Runs `call(a, b, exchange)` in a fresh context. */
export type RequestScope = <A, B>(call: (a: A, b: B, exchange: Exchange) => void, a: A, b: B, exchange: Exchange) => void;

/** Whether a snapshot isolates `enterWith`, as it does where contexts are frames instead of resources. */
function framesIsolate(): boolean {
  const [major = 0] = process.versions.node.split('.').map(Number);
  if (major < 24 || typeof AsyncLocalStorage.snapshot !== 'function') return false;
  const probe = new AsyncLocalStorage<number>();
  const root = AsyncLocalStorage.snapshot();
  root(() => probe.enterWith(1));
  const isolated = root(() => probe.getStore()) === undefined;
  probe.disable();
  return isolated;
}

let isolating: boolean | undefined;

/** Asked when the first server listens. */
const isIsolating = (): boolean => (isolating ??= framesIsolate());

/** What `enter` is to call: not as arguments, of which `runInAsyncScope` makes lists. */
let enteredCall: ((a: never, b: never, c: never) => void) | undefined;
let enteredA: unknown;
let enteredB: unknown;
let enteredC: unknown;

function enter(): void {
  const call = enteredCall as (a: unknown, b: unknown, c: unknown) => void;
  const a = enteredA;
  const b = enteredB;
  const c = enteredC;
  enteredCall = enteredA = enteredB = enteredC = undefined; // Requests are not kept here.
  call(a, b, c);
}

/** Runs `call(a, b, c)` in the context that `resource` was made in. */
function runIn<A, B, C>(resource: AsyncResource, call: (a: A, b: B, c: C) => void, a: A, b: B, c: C): void {
  enteredCall = call as never;
  enteredA = a;
  enteredB = b;
  enteredC = c;
  resource.runInAsyncScope(enter);
}

/** Node tells `destroy` hooks of its collection, if there are such hooks. */
const makeResource = (): AsyncResource => new AsyncResource('HTTPINCOMINGMESSAGE');

const runInResource: RequestScope = (call, a, b, c) => runIn(makeResource(), call, a, b, c);

/**
 * By one resource for each connection, as in Node, made in the context of now: what an application keeps on
 * `executionAsyncResource()`, or by `executionAsyncId()`, is one client's. Kept until another connection has
 * its place in the engine.
 */
function resourceScope(): RequestScope {
  const root = makeResource();
  const resources: AsyncResource[] = [];
  const generations: number[] = [];
  return (call, a, b, exchange) => {
    const { connectionSlot: slot, connectionGeneration: generation } = exchange;
    if (generations[slot] !== generation) {
      resources[slot] = root.runInAsyncScope(makeResource);
      generations[slot] = generation;
    }
    runIn(resources[slot] as AsyncResource, call, a, b, exchange);
  };
}

function hostScope(frames: HostFrames): RequestScope {
  const frame = frames.active ? frames.get() : undefined;
  return (call, a, b, c) => {
    const before = frames.active ? frames.swap(frame) : undefined;
    call(a, b, c);
    // The handler may have been the first to use a storage. Not where it throws: the host tells of the error
    // in this frame.
    if (frames.active) frames.set(before);
  };
}

/** A runner for requests, bound to the context of the caller where the running Node can. */
export function requestScope(): RequestScope {
  if (quickjsHost !== undefined) return hostScope(quickjsHost.frames);
  return isIsolating() ? resourceScope() : runInResource;
}

/** Keeps the current context for a later notice from the engine; null when there is none to keep. */
export function captureScope(): Scope | null {
  if (quickjsHost !== undefined) return quickjsHost.frames.active ? captureFrame(quickjsHost.frames) : null;
  const resource = makeResource();
  return (method, receiver, report) => runIn(resource, callOn, method, receiver, report);
}

function captureFrame(frames: HostFrames): Scope {
  const frame = frames.get();
  return (method, receiver) => {
    const before = frames.swap(frame);
    method.call(receiver as never);
    frames.set(before); // Not where it throws, as above.
  };
}

/** An error leaves the context on its way to the host: it is reported before. */
function callOn(method: (this: never) => void, receiver: object, report?: (error: unknown) => void): void {
  try {
    method.call(receiver as never);
  } catch (error) {
    report?.(error);
    throw error;
  }
}
