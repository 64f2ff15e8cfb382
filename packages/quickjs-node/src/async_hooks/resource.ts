/**
 * `AsyncResource`, the ids of what runs, and hooks for them.
 */
import later from 'fulmar:later';
import { coded } from '../shared/errors.ts';
import { validateBoolean, validateFunction, validateObject, validateString } from '../shared/validators.ts';

const { context } = later<typeof import('../start/setup.ts')>();

/** The main script's id. */
const ROOT_ID = 1;

type Func = (...args: never[]) => unknown;

export interface HookCallbacks {
  init?(id: number, type: string, trigger: number, resource: object): void;
  before?(id: number): void;
  after?(id: number): void;
  destroy?(id: number): void;
  promiseResolve?(id: number): void;
}

interface Scope {
  readonly id: number;
  readonly trigger: number;
  readonly resource: object;
}

const root: Scope = { id: ROOT_ID, trigger: 0, resource: {} };
let lastId = ROOT_ID;
let scope = root;
const hooks = new Set<HookCallbacks>();
let told = false;

export function executionAsyncId(): number {
  return scope.id;
}

export function triggerAsyncId(): number {
  return scope.trigger;
}

export function executionAsyncResource(): object {
  return scope.resource;
}

export class AsyncResource {
  readonly #id: number;
  readonly #trigger: number;
  readonly #frame: unknown;

  constructor(type: string, options: number | { triggerAsyncId?: number; requireManualDestroy?: boolean } = {}) {
    validateString(type, 'type');
    let trigger: unknown = options;
    if (typeof options !== 'number') {
      trigger = options.triggerAsyncId ?? executionAsyncId();
      if (options.requireManualDestroy !== undefined) validateBoolean(options.requireManualDestroy, 'options.requireManualDestroy');
    }
    if (!Number.isSafeInteger(trigger) || (trigger as number) < -1) {
      throw coded(RangeError, 'ERR_INVALID_ASYNC_ID', `Invalid triggerAsyncId value: ${String(trigger)}`);
    }
    if (type.length === 0 && hooks.size > 0) throw coded(TypeError, 'ERR_ASYNC_TYPE', `Invalid name for async "type": ${type}`);
    this.#id = ++lastId;
    this.#trigger = trigger as number;
    this.#frame = context.active ? context.get() : undefined;
    for (const hook of hooks) hook.init?.(this.#id, type, this.#trigger, this);
  }

  static bind<F extends Func>(fn: F, type?: string, thisArg?: unknown): F {
    const resource = new AsyncResource(type || fn.name || 'bound-anonymous-fn');
    return resource.bind(fn, thisArg);
  }

  runInAsyncScope<R>(fn: (...args: never[]) => R, thisArg?: unknown, ...args: unknown[]): R {
    const outer = scope;
    scope = { id: this.#id, trigger: this.#trigger, resource: this };
    for (const hook of hooks) hook.before?.(this.#id);
    const before = context.active ? context.swap(this.#frame) : undefined;
    try {
      return fn.apply(thisArg, args as never[]);
    } finally {
      if (context.active) context.set(before);
      for (const hook of hooks) hook.after?.(this.#id);
      scope = outer;
    }
  }

  emitDestroy(): this {
    for (const hook of hooks) hook.destroy?.(this.#id);
    return this;
  }

  asyncId(): number {
    return this.#id;
  }

  triggerAsyncId(): number {
    return this.#trigger;
  }

  bind<F extends Func>(fn: F, thisArg?: unknown): F {
    validateFunction(fn, 'fn');
    const run = this.runInAsyncScope.bind(this, fn as never);
    const bound = function (this: unknown, ...args: unknown[]): unknown {
      return run(thisArg === undefined ? this : thisArg, ...args);
    };
    Object.defineProperties(bound, {
      length: { configurable: true, enumerable: false, value: fn.length, writable: false },
    });
    return bound as unknown as F;
  }
}

interface Hook {
  enable(): Hook;
  disable(): Hook;
}

export function createHook(callbacks: HookCallbacks): Hook {
  validateObject(callbacks, 'callbacks');
  for (const name of ['init', 'before', 'after', 'destroy', 'promiseResolve'] as const) {
    if (callbacks[name] !== undefined && typeof callbacks[name] !== 'function') {
      throw coded(TypeError, 'ERR_ASYNC_CALLBACK', `hook.${name} must be a function`);
    }
  }
  const hook: Hook = {
    enable() {
      hooks.add(callbacks);
      tell();
      return hook;
    },
    disable() {
      hooks.delete(callbacks);
      return hook;
    },
  };
  return hook;
}

/** Said once: it is less than what Node gives. */
function tell(): void {
  if (told) return;
  told = true;
  process.emitWarning('async_hooks.createHook() only sees AsyncResource objects on the native host; use AsyncLocalStorage for contexts', {
    code: 'FULMAR_ASYNC_HOOKS',
  });
}
