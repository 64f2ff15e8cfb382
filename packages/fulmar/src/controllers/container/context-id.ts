/**
 * What is made for one request stands here; `ContextIdFactory` says which requests share what is durable.
 */
import { Holder, type Wrapper } from './wrapper.ts';

export interface HostComponentInfo {
  token: unknown;
  isTreeDurable: boolean;
}
type Resolve = (info: HostComponentInfo) => ContextId;
export interface ContextIdStrategy<T = any> {
  attach(contextId: ContextId, request: T): Resolve | { resolve: Resolve; payload: unknown } | undefined;
}

export class ContextId {
  readonly id = Math.random();
  getParent: Resolve | undefined;
  payload: unknown;
  readonly #holders = new Map<Wrapper, Holder>();
  #makeRequest: (() => unknown) | null = null;
  #request: unknown;

  /** What is injected as REQUEST; made when it is asked for. */
  get request(): unknown {
    if (this.#makeRequest !== null) {
      this.#request = this.#makeRequest();
      this.#makeRequest = null;
    }
    return this.#request;
  }

  setRequest(make: () => unknown): void {
    this.#makeRequest = make;
  }

  holderOf(wrapper: Wrapper): Holder {
    let holder = this.#holders.get(wrapper);
    if (holder === undefined) this.#holders.set(wrapper, (holder = new Holder()));
    return holder;
  }

  /** Of what is durable. */
  parentFor(token: unknown): ContextId {
    const parent = this.getParent?.({ token, isTreeDurable: true });
    if (parent === undefined) return this;
    const { payload } = this;
    if (parent !== this && payload !== undefined) parent.setRequest(() => payload);
    return parent;
  }
}

/** What `ContextIdFactory.create()` does. */
export const createContextId = (): ContextId => new ContextId();

const contexts = new WeakMap<object, ContextId>();

export class ContextIdFactory {
  static #strategy: ContextIdStrategy | null = null;

  static create(): ContextId {
    return new ContextId();
  }

  /** The one of a request, made with the first that asks; a new one where there is none, as for an event without a payload. */
  static getByRequest(request: object | null | undefined): ContextId {
    if (typeof request !== 'object' || request === null) return new ContextId();
    const known = contexts.get(request);
    if (known !== undefined) return known;
    const context = new ContextId();
    contexts.set(request, context);
    ContextIdFactory.attach(context, request);
    return context;
  }

  static apply(strategy: ContextIdStrategy): void {
    this.#strategy = strategy;
  }

  /** @internal Whether somebody wants to see each request. */
  static get hasStrategy(): boolean {
    return this.#strategy !== null;
  }

  /** @internal */
  static keep(request: object, context: ContextId): void {
    contexts.set(request, context);
  }

  /** @internal */
  static attach(context: ContextId, request: object): void {
    const found = this.#strategy?.attach(context, request);
    if (typeof found === 'function') context.getParent = found;
    else if (found !== undefined) {
      context.getParent = found.resolve;
      context.payload = found.payload;
    }
  }
}
