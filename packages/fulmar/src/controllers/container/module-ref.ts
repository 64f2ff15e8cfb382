/**
 * `ModuleRef`: providers by their token, while the application runs. Each module has one; that of the application sees
 * all modules.
 */
import type { InjectionToken, Type } from '../nest-types.ts';
import { Scope } from '../enums.ts';
import { KEYS } from '../metadata/keys.ts';
import { read } from '../metadata/reflect.ts';
import type { Container } from './container.ts';
import { ContainerError, UnknownElementException } from './container-error.ts';
import { ContextId, ContextIdFactory } from './context-id.ts';
import { instanceOf } from './injector.ts';
import type { ModuleRecord } from './module-record.ts';
import { ofClass } from './provider-given.ts';
import { tokenName, type Wrapper } from './wrapper.ts';

export interface GetOptions {
  /** Whether it has to be of this module, or one that this module sees. */
  strict?: boolean;
  /** All there are, as a list. */
  each?: boolean;
}

export class ModuleRef {
  readonly #container: Container;
  readonly #module: ModuleRecord;
  /** What `strict` is where nobody says it: that of `select()` looks everywhere, as Nest's. */
  readonly #isStrict: boolean;

  constructor(container: Container, module: ModuleRecord, isStrict = true) {
    this.#container = container;
    this.#module = module;
    this.#isStrict = isStrict;
  }

  /** @throws UnknownElementException for what nothing provides; ContainerError for what is made for each request or consumer */
  get<T = any, R = T>(token: InjectionToken<T>, options: GetOptions = {}): R {
    if (options.each === true) return this.#all(token, options.strict ?? this.#isStrict).map(shared) as R;
    return shared(this.#find(token, options.strict ?? this.#isStrict)) as R;
  }

  /** A provider that is made for a request or a consumer: a new one, or that of a context. Others are one for all. */
  async resolve<T = any, R = T>(token: InjectionToken<T>, contextId?: ContextId, options: GetOptions = {}): Promise<R> {
    const context = contextId ?? new ContextId();
    if (options.each === true)
      return (await Promise.all(this.#all(token, options.strict ?? this.#isStrict).map((wrapper) => resolved(wrapper, context)))) as R;
    return (await resolved(this.#find(token, options.strict ?? this.#isStrict), context)) as R;
  }

  /** An instance of a class that no module provides, with its dependencies. */
  async create<T = any>(type: Type<T>, contextId?: ContextId): Promise<T> {
    if (typeof type !== 'function') throw new ContainerError(`create() takes a class, and this is ${String(type)}.`);
    const wrapper = ofClass(type, this.#module);
    this.#container.linker.linkOne(wrapper);
    if (wrapper.isRequestScoped && contextId === undefined)
      throw new ContainerError(`${type.name} depends on a provider of requests: call create(type, contextId).`);
    return (await instanceOf(wrapper, contextId ?? null)) as T;
  }

  /** What REQUEST is in a context that the application has made. */
  registerRequestByContextId<T = any>(request: T, contextId: ContextId): void {
    contextId.setRequest(() => request);
  }

  introspect(token: InjectionToken): { scope: number } {
    const wrapper = this.#find(token, false);
    return { scope: wrapper.isRequestScoped ? Scope.REQUEST : wrapper.isTransient ? Scope.TRANSIENT : Scope.DEFAULT };
  }

  #find(token: unknown, isStrict: boolean): Wrapper {
    const own = lookIn(this.#module, token) ?? (isStrict ? null : this.#container.linker.visible(this.#module, token));
    if (own !== null) return own;
    if (!isStrict) {
      const others = [...this.#container.modules.values()].flatMap((module) => lookIn(module, token) ?? []);
      // The one that came last, as Nest's.
      const last = others.at(-1);
      if (last !== undefined) return last;
    }
    const where = isStrict
      ? `in ${this.#module.name}; get(token, { strict: false }) looks in all modules`
      : 'in any module of this application';
    throw new UnknownElementException(`There is no provider ${tokenName(token)} ${where}.`);
  }

  #all(token: unknown, isStrict: boolean): Wrapper[] {
    const modules = isStrict ? [this.#module] : [...this.#container.modules.values()];
    const found = modules.flatMap((module) => lookIn(module, token) ?? []);
    if (found.length === 0) throw new UnknownElementException(`There is no provider ${tokenName(token)}.`);
    return found;
  }
}

function lookIn(module: ModuleRecord, token: unknown): Wrapper | null {
  return module.providers.get(token) ?? module.controllers.get(token) ?? module.injectables.get(token) ?? null;
}

function shared(wrapper: Wrapper): unknown {
  const { scope = Scope.DEFAULT } =
    typeof wrapper.metatype === 'function' ? (read<{ scope?: number }>(KEYS.scope, wrapper.metatype) ?? {}) : {};
  if (wrapper.isRequestScoped || wrapper.isTransient || scope !== Scope.DEFAULT)
    throw new ContainerError(`${wrapper.name} is made for each request or consumer: take it with resolve() instead of get().`);
  return wrapper.holder.value;
}

/** Asked for by nobody's constructor, a transient one is one for its context as well. */
function resolved(wrapper: Wrapper, context: ContextId): unknown {
  if (!wrapper.isTransient) return instanceOf(wrapper, context);
  const holder = context.holderOf(wrapper);
  return (holder.loading ??= Promise.resolve(instanceOf(wrapper, context)));
}

export { ContextIdFactory };
