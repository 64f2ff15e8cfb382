/**
 * `EventEmitter`. Listeners of one event are a function, or an array when there are several, as in Node:
 * applications and streams look at `_events`.
 */
import { coded, inspected } from '../shared/errors.ts';
import { validateBoolean, validateFunction, validateNumber } from '../shared/validators.ts';

export type Listener = ((...args: never[]) => unknown) & { listener?: Listener };
type Name = string | symbol;
type List = Listener[] & { warned?: boolean };
type Events = Record<Name, Listener | List | undefined>;

export interface Emitter {
  _events: Events | undefined;
  _eventsCount: number;
  _maxListeners: number | undefined;
  [shapeMode]: boolean;
  [captures]: boolean;
  [rejection]?: (error: unknown, name: Name, ...args: unknown[]) => void;
  emit(name: Name, ...args: unknown[]): boolean;
  on(name: Name, listener: Listener): this;
  once(name: Name, listener: Listener): this;
  prependListener(name: Name, listener: Listener): this;
  removeListener(name: Name, listener: Listener): this;
  removeAllListeners(name?: Name): this;
  setMaxListeners(count: number): this;
  getMaxListeners(): number;
}

export interface EmitterOptions {
  readonly captureRejections?: boolean;
}

interface EmitterClass {
  new (options?: EmitterOptions): Emitter;
  (this: Emitter, options?: EmitterOptions): void;
  prototype: Emitter;
  defaultMaxListeners: number;
  init(this: Emitter, options?: EmitterOptions): void;
  [key: string]: unknown;
}

const captures: unique symbol = Symbol('kCapture');
const shapeMode: unique symbol = Symbol('shapeMode');
export const errorMonitor: unique symbol = Symbol('events.errorMonitor');
export const rejection: unique symbol = Symbol.for('nodejs.rejection') as never;

/**
 * Taken now: an application may replace the functions that call functions, and would see what passes between
 * others.
 */
const { apply } = Reflect;

/** How many listeners an event may have before a warning; 0 is no limit. */
const LISTENERS_MAX = 10;
let defaultMaxListeners = LISTENERS_MAX;

function construct(this: Emitter, options?: EmitterOptions): void {
  EventEmitter.init.call(this, options);
}
Object.defineProperty(construct, 'name', { value: 'EventEmitter' });
export const EventEmitter = construct as unknown as EmitterClass;

EventEmitter.init = function init(this: Emitter, options?: EmitterOptions): void {
  if (this._events === undefined || this._events === (Object.getPrototypeOf(this) as Emitter)._events) {
    this._events = Object.create(null) as Events;
    this._eventsCount = 0;
    this[shapeMode] = false;
  } else {
    this[shapeMode] = true;
  }
  this._maxListeners ||= undefined;
  const capture = options?.captureRejections;
  if (capture) {
    validateBoolean(capture, 'options.captureRejections');
    this[captures] = true;
  } else {
    this[captures] = EventEmitter.prototype[captures];
  }
};

/** The limit that holds for emitters without their own. */
export function maxListenersDefault(): number {
  return defaultMaxListeners;
}

export function setMaxListenersDefault(count: unknown, name: string): void {
  validateNumber(count, name, 0);
  defaultMaxListeners = count;
}

export function maxListenersOf(emitter: Emitter): number {
  return emitter._maxListeners ?? EventEmitter.defaultMaxListeners;
}

/** Whether the prototype's default catches rejections. */
export function capturesByDefault(value?: unknown): boolean {
  if (value !== undefined) {
    validateBoolean(value, 'EventEmitter.captureRejections');
    EventEmitter.prototype[captures] = value;
  }
  return EventEmitter.prototype[captures];
}

/**
 * A listener returned something: a promise's rejection becomes an `error` event when the emitter captures
 * them.
 */
function captured(emitter: Emitter, result: unknown, name: Name, args: unknown[]): void {
  if (!emitter[captures]) return;
  try {
    const then = (result as { then?: unknown }).then;
    if (typeof then !== 'function') return;
    then.call(result, undefined, (error: unknown) => process.nextTick(emitRejection, emitter, error, name, args));
  } catch (error) {
    emitter.emit('error', error);
  }
}

function emitRejection(emitter: Emitter, error: unknown, name: Name, args: unknown[]): void {
  const own = emitter[rejection];
  if (typeof own === 'function') {
    own.call(emitter, error, name, ...args);
    return;
  }
  const before = emitter[captures];
  // Not captured while `error` is emitted: its listener's own rejection would come here again without end.
  try {
    emitter[captures] = false;
    emitter.emit('error', error);
  } finally {
    emitter[captures] = before;
  }
}

function unhandled(args: unknown[]): unknown {
  const [error] = args;
  if (error instanceof Error) return error;
  let text: unknown;
  try {
    text = inspected(error);
  } catch {
    text = error;
  }
  const thrown = coded(Error, 'ERR_UNHANDLED_ERROR', `Unhandled error. (${String(text)})`) as Error & { context?: unknown };
  thrown.context = error;
  return thrown;
}

function call(emitter: Emitter, listener: Listener, name: Name, args: unknown[]): void {
  const result: unknown = apply(listener, emitter, args);
  if (result !== undefined && result !== null) captured(emitter, result, name, args);
}

function emit(this: Emitter, type: Name, ...args: unknown[]): boolean {
  const events = this._events;
  if (type === 'error') {
    if (events?.[errorMonitor] !== undefined) this.emit(errorMonitor, ...args);
    if (events?.['error'] === undefined) throw unhandled(args);
  }
  const listeners = events?.[type];
  if (listeners === undefined) return false;
  if (typeof listeners === 'function') {
    call(this, listeners, type, args);
  } else {
    // A copy: listeners that are added or removed meanwhile count from the next event on.
    for (const listener of listeners.slice()) call(this, listener, type, args);
  }
  return true;
}

function add(emitter: Emitter, name: Name, listener: Listener, first: boolean): void {
  validateFunction(listener, 'listener');
  let events = emitter._events;
  if (events === undefined) {
    events = emitter._events = Object.create(null) as Events;
    emitter._eventsCount = 0;
  } else if (events['newListener'] !== undefined) {
    emitter.emit('newListener', name, listener.listener ?? listener);
    events = emitter._events as Events;
  }
  const existing = events[name];
  if (existing === undefined) {
    events[name] = listener;
    emitter._eventsCount += 1;
    return;
  }
  let list: List;
  if (typeof existing === 'function') {
    list = events[name] = first ? [listener, existing] : [existing, listener];
  } else {
    list = existing;
    if (first) list.unshift(listener);
    else list.push(listener);
  }
  const max = maxListenersOf(emitter);
  if (max > 0 && list.length > max && list.warned !== true) warnOfLeak(emitter, name, list, max);
}

function warnOfLeak(emitter: Emitter, name: Name, list: List, max: number): void {
  list.warned = true;
  const warning = new Error(
    `Possible EventEmitter memory leak detected. ${list.length} ${String(name)} listeners added to ${inspected(emitter, { depth: -1 })}. ` +
      `MaxListeners is ${max}. Use emitter.setMaxListeners() to increase limit`,
  );
  process.emitWarning(Object.assign(warning, { name: 'MaxListenersExceededWarning', emitter, type: name, count: list.length }));
}

function onceWrapped(emitter: Emitter, name: Name, listener: Listener): Listener {
  let fired = false;
  const wrapper = function wrapper(...args: unknown[]): unknown {
    if (fired) return undefined;
    fired = true;
    emitter.removeListener(name, wrapper as Listener);
    return Reflect.apply(listener, emitter, args);
  };
  (wrapper as Listener).listener = listener;
  return wrapper as Listener;
}

function drop(emitter: Emitter, events: Events, name: Name): void {
  emitter._eventsCount -= 1;
  if (emitter[shapeMode]) events[name] = undefined;
  else if (emitter._eventsCount === 0) emitter._events = Object.create(null) as Events;
  else delete events[name];
}

function removeListener(this: Emitter, type: Name, listener: Listener): Emitter {
  validateFunction(listener, 'listener');
  const events = this._events;
  const list = events?.[type];
  if (events === undefined || list === undefined) return this;
  if (list === listener || (list as Listener).listener === listener) {
    drop(this, events, type);
    if (events['removeListener'] !== undefined) this.emit('removeListener', type, (list as Listener).listener ?? listener);
  } else if (typeof list !== 'function') {
    let position = list.length - 1;
    while (position >= 0 && list[position] !== listener && list[position]?.listener !== listener) position -= 1;
    if (position < 0) return this;
    list.splice(position, 1);
    if (list.length === 1) events[type] = list[0];
    if (events['removeListener'] !== undefined) this.emit('removeListener', type, listener);
  }
  return this;
}

function removeAllListeners(this: Emitter, type?: Name): Emitter {
  const events = this._events;
  if (events === undefined) return this;
  const all = arguments.length === 0;
  if (events['removeListener'] === undefined) {
    if (all) forget(this);
    else if (events[type as Name] !== undefined) {
      this._eventsCount -= 1;
      if (this._eventsCount === 0) this._events = Object.create(null) as Events;
      else delete events[type as Name];
    }
    this[shapeMode] = false;
    return this;
  }
  if (all) {
    for (const name of Reflect.ownKeys(events)) if (name !== 'removeListener') this.removeAllListeners(name);
    this.removeAllListeners('removeListener');
    forget(this);
    return this;
  }
  const listeners = events[type as Name];
  if (typeof listeners === 'function') this.removeListener(type as Name, listeners);
  else for (const listener of listeners?.slice().toReversed() ?? []) this.removeListener(type as Name, listener);
  return this;
}

function forget(emitter: Emitter): void {
  emitter._events = Object.create(null) as Events;
  emitter._eventsCount = 0;
  emitter[shapeMode] = false;
}

function rawListeners(emitter: Emitter, name: Name): Listener[] {
  const listeners = emitter._events?.[name];
  return listeners === undefined ? [] : typeof listeners === 'function' ? [listeners] : listeners.slice();
}

const prototype = EventEmitter.prototype as unknown as Record<string, unknown>;
// Enumerable, as applications copy them by `for … in` and `Object.assign` (Express makes its application so).
Object.assign(prototype, {
  _events: undefined,
  _eventsCount: 0,
  _maxListeners: undefined,
  setMaxListeners(this: Emitter, n: number) {
    validateNumber(n, 'setMaxListeners', 0);
    this._maxListeners = n;
    return this;
  },
  getMaxListeners(this: Emitter) {
    return maxListenersOf(this);
  },
  emit,
  addListener(this: Emitter, type: Name, listener: Listener) {
    add(this, type, listener, false);
    return this;
  },
  on: undefined,
  prependListener(this: Emitter, type: Name, listener: Listener) {
    add(this, type, listener, true);
    return this;
  },
  once(this: Emitter, type: Name, listener: Listener) {
    validateFunction(listener, 'listener');
    return this.on(type, onceWrapped(this, type, listener));
  },
  prependOnceListener(this: Emitter, type: Name, listener: Listener) {
    validateFunction(listener, 'listener');
    return this.prependListener(type, onceWrapped(this, type, listener));
  },
  removeListener,
  off: removeListener,
  removeAllListeners,
  listeners(this: Emitter, type: Name) {
    return rawListeners(this, type).map((listener) => listener.listener ?? listener);
  },
  rawListeners(this: Emitter, type: Name) {
    return rawListeners(this, type);
  },
  listenerCount(this: Emitter, type: Name, listener?: Listener | null) {
    const found = this._events?.[type];
    if (found === undefined) return 0;
    if (listener === undefined || listener === null) return typeof found === 'function' ? 1 : found.length;
    return rawListeners(this, type).filter((one) => one === listener || one.listener === listener).length;
  },
  eventNames(this: Emitter) {
    if (this._eventsCount === 0) return [];
    const events = this._events as Events;
    return Reflect.ownKeys(events).filter((name) => events[name] !== undefined);
  },
});
prototype['on'] = prototype['addListener'];
Object.defineProperty(prototype, captures, { value: false, writable: true, enumerable: false });
