/**
 * `AbortController` and `AbortSignal`.
 */
import { coded, invalidArgType, invalidThis } from '../shared/errors.ts';
import { validateUint32 } from '../shared/validators.ts';
import { defineHandler, Event, EventTarget, listenersChanged, trusted } from './events.later.ts';
import { exposed, inspectCustom, shown, type Inspect, type InspectOptions } from './idl.later.ts';

/** Says to the constructor that the host calls it. */
const OURS = Symbol('ours');
/** Signals that a listener waits for and that nobody else may hold: those of `timeout` and `any`. */
const awaited = new Set<AbortSignal>();

let abort: (signal: AbortSignal, reason: unknown) => void;

function abortError(): DOMException {
  return new DOMException('This operation was aborted', 'AbortError');
}

export class AbortSignal extends EventTarget {
  #aborted = false;
  #reason: unknown;
  /** Something else than a controller aborts it. */
  #lonely = false;
  /** For `any`: the signals it follows, none of them made by `any`. */
  #sources: Set<AbortSignal> | undefined;
  #followers: Set<WeakRef<AbortSignal>> | undefined;

  declare onabort: ((event: Event) => unknown) | null;

  static {
    abort = (signal, reason) => {
      if (signal.#aborted) return;
      signal.#set(reason);
      const followers = [...(signal.#followers ?? [])].map((follower) => follower.deref());
      const waiting = followers.filter((follower) => follower !== undefined && !follower.#aborted) as AbortSignal[];
      // All are aborted before any listener hears of it.
      for (const follower of waiting) follower.#set(reason);
      signal.#tell();
      for (const follower of waiting) follower.#tell();
    };
  }

  constructor(key?: unknown) {
    if (key !== OURS) throw coded(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');
    super();
  }

  #set(reason: unknown): void {
    this.#aborted = true;
    this.#reason = reason;
  }

  #tell(): void {
    awaited.delete(this);
    this.#sources = undefined;
    this.dispatchEvent(trusted(new Event('abort')));
  }

  static #check(value: unknown): void {
    if (typeof value !== 'object' || value === null || !(#aborted in value)) throw invalidThis('AbortSignal');
  }

  get aborted(): boolean {
    AbortSignal.#check(this);
    return this.#aborted;
  }

  get reason(): unknown {
    AbortSignal.#check(this);
    return this.#reason;
  }

  throwIfAborted(): void {
    AbortSignal.#check(this);
    if (this.#aborted) throw this.#reason;
  }

  static abort(reason: unknown = abortError()): AbortSignal {
    const signal = new AbortSignal(OURS);
    signal.#set(reason);
    return signal;
  }

  static timeout(delay: number): AbortSignal {
    validateUint32(delay, 'delay');
    const signal = new AbortSignal(OURS);
    signal.#lonely = true;
    const reference = new WeakRef(signal);
    const timer = setTimeout(() => {
      const target = reference.deref();
      if (target !== undefined) abort(target, new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    }, delay);
    timer.unref();
    return signal;
  }

  static any(signals: Iterable<AbortSignal>): AbortSignal {
    if (typeof (signals as Partial<Iterable<unknown>> | null | undefined)?.[Symbol.iterator] !== 'function') {
      throw invalidArgType('signals', 'Array', signals);
    }
    const all = [...signals];
    for (const [at, one] of all.entries()) {
      if (typeof one !== 'object' || one === null || !(#aborted in one))
        throw coded(TypeError, 'ERR_INVALID_ARG_TYPE', `signals[${at}] is not of type AbortSignal.`);
    }
    const signal = new AbortSignal(OURS);
    const aborted = all.find((one) => one.#aborted);
    if (aborted !== undefined) {
      signal.#set(aborted.#reason);
      return signal;
    }
    signal.#follow(all.flatMap((one) => (one.#sources === undefined ? [one] : [...one.#sources])));
    return signal;
  }

  #follow(sources: readonly AbortSignal[]): void {
    this.#sources = new Set(sources);
    this.#lonely = sources.length > 0;
    const reference = new WeakRef(this);
    for (const source of this.#sources) {
      source.#followers ??= new Set();
      for (const follower of source.#followers) if (follower.deref() === undefined) source.#followers.delete(follower);
      source.#followers.add(reference);
    }
  }

  override [listenersChanged](type: string, count: number): void {
    if (type !== 'abort' || !this.#lonely || this.#aborted) return;
    if (count > 0) awaited.add(this);
    else awaited.delete(this);
  }

  override [inspectCustom](depth: number, options: InspectOptions, inspect: Inspect): string {
    return shown(this, { aborted: this.aborted }, depth, options, inspect);
  }
}

exposed(AbortSignal);
defineHandler(AbortSignal, 'abort');

export class AbortController {
  readonly #signal = new AbortSignal(OURS);

  get signal(): AbortSignal {
    if (typeof this !== 'object' || this === null || !(#signal in this)) throw invalidThis('AbortController');
    return this.#signal;
  }

  abort(reason: unknown = abortError()): void {
    if (typeof this !== 'object' || this === null || !(#signal in this)) throw invalidThis('AbortController');
    abort(this.#signal, reason);
  }

  [inspectCustom](depth: number, options: InspectOptions, inspect: Inspect): string {
    return shown(this, { signal: this.signal }, depth, options, inspect);
  }
}

exposed(AbortController);
