/**
 * `Event`, `CustomEvent` and `EventTarget`, without a tree: an event has one target and does not bubble.
 */
import { coded, invalidArgType, invalidThis, missingArgs } from '../shared/errors.ts';
import { validateAbortSignal, validateObject } from '../shared/validators.ts';
import { exposed, inspectCustom, shown, type Inspect, type InspectOptions } from './idl.later.ts';

/** Gives the target's listeners of one type, for `events.getEventListeners`. */
export const listenersOf: unique symbol = Symbol.for('fulmar.listeners') as never;
/** Called when listeners were added or removed; for `AbortSignal`. */
export const listenersChanged: unique symbol = Symbol('listenersChanged') as never;
interface EventOptions {
  readonly bubbles?: boolean;
  readonly cancelable?: boolean;
  readonly composed?: boolean;
}

/** What the dispatcher sees of an event. */
interface Dispatch {
  start(event: Event, target: EventTarget): void;
  end(event: Event): void;
  isRunning(event: Event): boolean;
  isStopped(event: Event): boolean;
  trust(event: Event): void;
}
let dispatch: Dispatch;

export class Event {
  #type: string;
  #bubbles: boolean;
  #cancelable: boolean;
  readonly #composed: boolean;
  readonly #timeStamp = performance.now();
  #target: EventTarget | null = null;
  #running = false;
  #prevented = false;
  #stopped = false;
  #stoppedNow = false;
  #trusted = false;

  declare static readonly NONE: number;
  declare static readonly CAPTURING_PHASE: number;
  declare static readonly AT_TARGET: number;
  declare static readonly BUBBLING_PHASE: number;

  static {
    dispatch = {
      start(event, target) {
        event.#target = target;
        event.#running = true;
      },
      end(event) {
        event.#running = false;
      },
      isRunning: (event) => event.#running,
      isStopped: (event) => event.#stoppedNow,
      trust(event) {
        event.#trusted = true;
      },
    };
  }

  constructor(type: string, options?: EventOptions) {
    if (arguments.length === 0) throw missingArgs('type');
    if (options !== undefined && options !== null) validateObject(options, 'options');
    this.#type = `${type}`;
    this.#bubbles = Boolean(options?.bubbles);
    this.#cancelable = Boolean(options?.cancelable);
    this.#composed = Boolean(options?.composed);
  }

  static #check(value: unknown): void {
    if (typeof value !== 'object' || value === null || !(#type in value)) throw invalidThis('Event');
  }

  initEvent(type: string, bubbles = false, cancelable = false): void {
    if (arguments.length === 0) throw missingArgs('type');
    if (this.#running) return;
    this.#type = `${type}`;
    this.#bubbles = Boolean(bubbles);
    this.#cancelable = Boolean(cancelable);
  }

  stopImmediatePropagation(): void {
    Event.#check(this);
    this.#stopped = true;
    this.#stoppedNow = true;
  }
  preventDefault(): void {
    Event.#check(this);
    this.#prevented = true;
  }
  get target(): EventTarget | null {
    Event.#check(this);
    return this.#target;
  }
  get currentTarget(): EventTarget | null {
    Event.#check(this);
    return this.#running ? this.#target : null;
  }
  get srcElement(): EventTarget | null {
    Event.#check(this);
    return this.#target;
  }
  get type(): string {
    Event.#check(this);
    return this.#type;
  }
  get cancelable(): boolean {
    Event.#check(this);
    return this.#cancelable;
  }
  get defaultPrevented(): boolean {
    Event.#check(this);
    return this.#cancelable && this.#prevented;
  }
  get timeStamp(): number {
    Event.#check(this);
    return this.#timeStamp;
  }
  composedPath(): EventTarget[] {
    Event.#check(this);
    return this.#running && this.#target !== null ? [this.#target] : [];
  }
  get returnValue(): boolean {
    Event.#check(this);
    return !this.#cancelable || !this.#prevented;
  }
  get bubbles(): boolean {
    Event.#check(this);
    return this.#bubbles;
  }
  get composed(): boolean {
    Event.#check(this);
    return this.#composed;
  }
  get eventPhase(): number {
    Event.#check(this);
    return this.#running ? Event.AT_TARGET : Event.NONE;
  }
  get cancelBubble(): boolean {
    Event.#check(this);
    return this.#stopped;
  }
  set cancelBubble(value: boolean) {
    Event.#check(this);
    if (value) this.#stopped = true;
  }
  stopPropagation(): void {
    Event.#check(this);
    this.#stopped = true;
  }
  get isTrusted(): boolean {
    Event.#check(this);
    return this.#trusted;
  }

  [inspectCustom](depth: number, options: InspectOptions, inspect: Inspect): string {
    Event.#check(this);
    if (depth < 0) return this.constructor.name;
    const members = {
      type: this.#type,
      defaultPrevented: this.#prevented,
      cancelable: this.#cancelable,
      timeStamp: this.#timeStamp,
    };
    return shown(this, members, depth, options, inspect);
  }
}

exposed(Event);
for (const [value, name] of ['NONE', 'CAPTURING_PHASE', 'AT_TARGET', 'BUBBLING_PHASE'].entries()) {
  Object.defineProperty(Event, name, { value, enumerable: true });
}

export class CustomEvent extends Event {
  readonly #detail: unknown;

  constructor(type: string, options?: EventOptions & { readonly detail?: unknown }) {
    if (arguments.length === 0) throw missingArgs('type');
    super(type, options);
    this.#detail = options?.detail ?? null;
  }

  get detail(): unknown {
    if (typeof this !== 'object' || this === null || !(#detail in this)) throw invalidThis('CustomEvent');
    return this.#detail;
  }
}

exposed(CustomEvent);

type Callback = ((event: Event) => unknown) | { handleEvent?(event: Event): unknown };

interface Listener {
  readonly callback: Callback;
  readonly capture: boolean;
  readonly once: boolean;
  readonly passive: boolean;
  removed: boolean;
}

interface ListenerOptions {
  readonly capture?: boolean;
  readonly once?: boolean;
  readonly passive?: boolean;
  readonly signal?: AbortSignal;
}

function isCallback(callback: unknown): callback is Callback {
  if (typeof callback === 'function') return true;
  if (callback === null || callback === undefined) return false;
  if (typeof callback === 'object') return true;
  throw invalidArgType('listener', 'EventListener', callback);
}

function listenerOptions(options: unknown): ListenerOptions {
  if (options === undefined || options === null) return {};
  if (typeof options === 'boolean') return { capture: options };
  validateObject(options, 'options', { allowArray: true, allowFunction: true });
  const given = options as ListenerOptions;
  validateAbortSignal(given.signal, 'options.signal');
  const base = { capture: Boolean(given.capture), once: Boolean(given.once), passive: Boolean(given.passive) };
  return given.signal === undefined ? base : { ...base, signal: given.signal };
}

/** What a listener throws is an uncaught exception; the other listeners still run. */
function rethrow(error: unknown): void {
  process.nextTick(() => {
    throw error;
  });
}

function warn(name: string, message: string, more: object): void {
  process.emitWarning(Object.assign(new Error(message), { name, ...more }));
}

export class EventTarget {
  readonly #listeners = new Map<string, Listener[]>();
  #warned = false;

  static #check(value: unknown): void {
    if (typeof value !== 'object' || value === null || !(#listeners in value)) throw invalidThis('EventTarget');
  }

  addEventListener(type: string, callback: Callback | null, options?: ListenerOptions | boolean): void {
    EventTarget.#check(this);
    if (arguments.length < 2) throw missingArgs('type', 'listener');
    const { capture = false, once = false, passive = false, signal } = listenerOptions(options);
    if (signal?.aborted === true) return;
    if (!isCallback(callback)) {
      warn('AddEventListenerArgumentTypeWarning', `addEventListener called with ${String(callback)} which has no effect.`, {
        target: this,
        type,
      });
      return;
    }
    signal?.addEventListener('abort', () => this.removeEventListener(type, callback, { capture }), { once: true });
    const name = `${type}`;
    let list = this.#listeners.get(name);
    if (list === undefined) this.#listeners.set(name, (list = []));
    else if (list.some((one) => one.callback === callback && one.capture === capture)) return;
    list.push({ callback, capture, once, passive, removed: false });
    this.#limit(name, list.length);
    this[listenersChanged]?.(name, list.length);
  }

  #limit(type: string, count: number): void {
    if (count < 2 || this.#warned) return;
    const events = process.getBuiltinModule('node:events') as unknown as { kMaxEventTargetListeners: symbol; defaultMaxListeners: number };
    // `events.setMaxListeners` keeps the number on the target.
    const limit = (this as unknown as Record<symbol, number | undefined>)[events.kMaxEventTargetListeners] ?? events.defaultMaxListeners;
    if (limit === 0 || count <= limit) return;
    this.#warned = true;
    warn(
      'MaxListenersExceededWarning',
      `Possible EventTarget memory leak detected. ${count} ${type} listeners added to ${this.constructor.name}. ` +
        `MaxListeners is ${limit}. Use events.setMaxListeners() to increase limit`,
      { target: this, type, count },
    );
  }

  removeEventListener(type: string, callback: Callback | null, options?: ListenerOptions | boolean): void {
    EventTarget.#check(this);
    if (arguments.length < 2) throw missingArgs('type', 'listener');
    if (!isCallback(callback)) return;
    const capture = typeof options === 'boolean' ? options : options?.capture === true;
    const name = `${type}`;
    const found = this.#listeners.get(name)?.find((one) => one.callback === callback && one.capture === capture);
    if (found !== undefined) this.#remove(name, found);
  }

  #remove(type: string, listener: Listener): void {
    const list = this.#listeners.get(type);
    if (list === undefined) return;
    listener.removed = true;
    // A new list: a dispatch may be going through the old one.
    const rest = list.filter((one) => one !== listener);
    if (rest.length === 0) this.#listeners.delete(type);
    else this.#listeners.set(type, rest);
    this[listenersChanged]?.(type, rest.length);
  }

  dispatchEvent(event: Event): boolean {
    EventTarget.#check(this);
    if (arguments.length < 1) throw missingArgs('event');
    if (!(event instanceof Event)) throw invalidArgType('event', 'Event', event);
    if (dispatch.isRunning(event)) {
      throw coded(Error, 'ERR_EVENT_RECURSION', `The event "${event.type}" is already being dispatched`);
    }
    dispatch.start(event, this);
    const list = this.#listeners.get(event.type);
    // Those that are added meanwhile wait for the next event.
    for (const listener of list === undefined ? [] : [...list]) {
      if (dispatch.isStopped(event)) break;
      if (!listener.removed) this.#call(listener, event);
    }
    dispatch.end(event);
    return !event.defaultPrevented;
  }

  #call(listener: Listener, event: Event): void {
    if (listener.once) this.#remove(event.type, listener);
    const { callback } = listener;
    try {
      const result = typeof callback === 'function' ? callback.call(this, event) : callback.handleEvent?.(event);
      if (typeof (result as PromiseLike<unknown> | undefined | null)?.then === 'function') {
        (result as PromiseLike<unknown>).then(undefined, rethrow);
      }
    } catch (error) {
      rethrow(error);
    }
  }

  [listenersChanged]?(type: string, count: number): void;

  [listenersOf](type: string): Callback[] {
    return (this.#listeners.get(type) ?? []).map((one) => one.callback);
  }

  [inspectCustom](depth: number, options: InspectOptions, inspect: Inspect): string {
    EventTarget.#check(this);
    return depth < 0 ? this.constructor.name : shown(this, {}, depth, options, inspect);
  }
}

exposed(EventTarget);

/** An event that the host itself made. */
export function trusted<T extends Event>(event: T): T {
  dispatch.trust(event);
  return event;
}

/** Defines `on<type>` on a class: one listener that can be replaced. */
export function defineHandler(Class: { readonly prototype: EventTarget }, type: string): void {
  const handlers = new WeakMap<EventTarget, { current: unknown; listener: (this: EventTarget, event: Event) => unknown }>();
  const name = `on${type}`;
  Object.defineProperty(Class.prototype, name, {
    configurable: true,
    enumerable: true,
    get(this: EventTarget) {
      return handlers.get(this)?.current ?? null;
    },
    set(this: EventTarget, value: unknown) {
      const current = typeof value === 'function' || (typeof value === 'object' && value !== null) ? value : null;
      const known = handlers.get(this);
      if (known !== undefined) {
        known.current = current;
        if (current === null) {
          this.removeEventListener(type, known.listener);
          handlers.delete(this);
        }
        return;
      }
      if (current === null) return;
      const handler = {
        current: current as unknown,
        listener(this: EventTarget, event: Event): unknown {
          return typeof handler.current === 'function' ? (handler.current.call(this, event) as unknown) : undefined;
        },
      };
      handlers.set(this, handler);
      this.addEventListener(type, handler.listener);
    },
  });
}
