/**
 * The functions that run for requests: a record of each, and the wrappers that watch them once the doctor
 * sends requests.
 *
 * A wrapper has the name, the number of parameters and the properties of what it wraps. Until `watch` nothing
 * is wrapped.
 */
import type { Effect, HandlerFacts, Place } from '../protocol-types.ts';
import { placesOf } from '../../../../fulmar/src/launch/function-places.ts';

type AnyFunction = (...args: unknown[]) => unknown;

export interface HandlerRecord {
  readonly id: string;
  readonly fn: unknown;
  name: string;
  place: Place | undefined;
  isPlaceKnown: boolean;
  hits: number;
  readonly effects: Map<string, Effect>;
}

const records = new Map<string, HandlerRecord>();
const wrapped = new WeakMap<object, HandlerRecord>();

/** The record of a function at its position; of a wrapper, that of what it wraps. */
export function recordOf(fn: unknown, id: string): HandlerRecord {
  const known = typeof fn === 'function' ? wrapped.get(fn) : undefined;
  if (known !== undefined) return known;
  const before = records.get(id);
  if (before !== undefined && before.fn === fn) return before;
  const record = {
    id,
    fn,
    name: fn === undefined ? id : nameOf(fn),
    place: undefined,
    isPlaceKnown: false,
    hits: 0,
    effects: new Map<string, Effect>(),
  };
  records.set(id, record);
  return record;
}

function nameOf(fn: unknown): string {
  return typeof fn === 'function' && fn.name !== '' ? fn.name : '';
}

/** Looks for the places of all records that have none yet. */
export function findPlaces(): void {
  const missing = [...records.values()].filter(({ isPlaceKnown }) => !isPlaceKnown);
  const places = placesOf(missing.map(({ fn }) => fn));
  for (const [index, record] of missing.entries()) {
    record.isPlaceKnown = true;
    record.place = places[index];
  }
}

export function toHandlerFacts({ id, name, place, hits, effects }: HandlerRecord): HandlerFacts {
  return { id, name, ...(place && { place }), hits, effects: [...effects.values()] };
}

export interface Watcher {
  /**
   * A handler begins. Returns what to call when it goes on to the next one (true), and when it returns
   * (false).
   */
  enter(record: HandlerRecord, args: readonly unknown[]): (goesOn: boolean) => void;
}

/** `nextAt`: where among its arguments the handler finds `next`. */
export function wrap(record: HandlerRecord, nextAt: number, watcher: Watcher): AnyFunction {
  const fn = record.fn as AnyFunction;
  const wrapper = function (this: unknown, ...args: unknown[]): unknown {
    const leave = watcher.enter(record, args);
    const next = args[nextAt];
    if (typeof next === 'function') {
      args[nextAt] = (...values: unknown[]): unknown => {
        leave(true);
        return (next as AnyFunction)(...values);
      };
    }
    try {
      return Reflect.apply(fn, this, args);
    } finally {
      leave(false);
    }
  };
  return imitate(wrapper, record);
}

type Enter = (record: HandlerRecord, message: unknown, isBack?: boolean) => (goesOn: boolean) => void;

/**
 * Middleware of Koa: `(context, next)`. What it does when `next()` has come back is its own doing as well.
 */
export function wrapKoa(record: HandlerRecord, enter: Enter, isWatching: () => boolean): AnyFunction {
  const fn = record.fn as AnyFunction;
  const wrapper = function (this: unknown, context: unknown, next: unknown): unknown {
    if (!isWatching()) return Reflect.apply(fn, this, [context, next]);
    const request = (context as { req?: unknown } | null)?.req;
    let leave = enter(record, request);
    const watchedNext = (): unknown => {
      leave(true);
      const behind = (next as AnyFunction)() as Promise<unknown>;
      const comeBack = (): void => void (leave = enter(record, request, true));
      behind.then(comeBack, comeBack);
      return behind;
    };
    const result = Reflect.apply(fn, this, [context, watchedNext]);
    // What comes then is the doing of who stands before it, who comes back next, or of Koa, which gives the
    // reply.
    const end = (): void => leave(true);
    if (result instanceof Promise) result.then(end, end);
    return result;
  };
  return imitate(wrapper, record);
}

/** Gives a wrapper what can be seen of the function it wraps. */
function imitate(wrapper: AnyFunction, record: HandlerRecord): AnyFunction {
  const fn = record.fn as AnyFunction;
  for (const key of Reflect.ownKeys(fn)) {
    if (key === 'prototype' || key === 'arguments' || key === 'caller') continue;
    Object.defineProperty(wrapper, key, Object.getOwnPropertyDescriptor(fn, key) as PropertyDescriptor);
  }
  wrapped.set(wrapper, record);
  return wrapper;
}

export function isWrapped(fn: unknown): boolean {
  return typeof fn === 'function' && wrapped.has(fn);
}
