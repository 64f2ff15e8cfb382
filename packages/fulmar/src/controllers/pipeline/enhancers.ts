/**
 * The guards, interceptors, pipes and filters around a handler: those of all, of its class and its own, as instances
 * or, where they are made for each request, as what makes them.
 */
import type { Container } from '../container/container.ts';
import { inject } from '../container/container.ts';
import type { ModuleRecord } from '../container/module-record.ts';
import type { Wrapper } from '../container/wrapper.ts';
import { placesOf } from '../metadata/place.ts';
import { read, readOwn } from '../metadata/reflect.ts';
import type { Type } from '../nest-types.ts';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '../container/tokens.ts';
import type { KEYS } from '../metadata/keys.ts';

/** An instance, or a provider of one for each request. */
export type Enhancer<T> = { readonly instance: T; readonly wrapper: null } | { readonly instance: null; readonly wrapper: Wrapper };

export type EnhancerKey = (typeof KEYS)['guards' | 'interceptors' | 'pipes' | 'filters'];

const METHODS: Readonly<Record<EnhancerKey, string>> = {
  __guards__: 'canActivate',
  __interceptors__: 'intercept',
  __pipes__: 'transform',
  __exceptionFilters__: 'catch',
};
const TOKENS: Readonly<Record<EnhancerKey, string>> = {
  __guards__: APP_GUARD,
  __interceptors__: APP_INTERCEPTOR,
  __pipes__: APP_PIPE,
  __exceptionFilters__: APP_FILTER,
};

/** What `app.useGlobalGuards()` and its like have been given. */
export type GlobalEnhancers = Readonly<Record<EnhancerKey, readonly unknown[]>>;

const has = (instance: unknown, method: string): boolean => typeof (instance as Record<string, unknown> | null)?.[method] === 'function';

/** @throws TypeError for one that has not the method it is asked for */
function ofWrapper<T>(wrapper: Wrapper, method: string): Enhancer<T> {
  if (wrapper.isRequestScoped) return { instance: null, wrapper };
  // One with a consumer of its own is asked for here, by nobody else.
  const instance = wrapper.isTransient ? (wrapper.transients[0] as unknown) : wrapper.holder.value;
  if (!has(instance, method))
    throw new TypeError(
      `${wrapper.name} of ${wrapper.host.name} has no ${method}(), for which it is used.${placesOf([wrapper.metatype, wrapper.host.metatype])}`,
    );
  return { instance: instance as T, wrapper: null };
}

/** Of `APP_GUARD` and its like, then what was given to the application, then those that are made for each request. */
function globalsOf<T>(container: Container, key: EnhancerKey, given: GlobalEnhancers): Enhancer<T>[] {
  const provided = (container.enhancers.get(TOKENS[key]) ?? []).map((wrapper) => ofWrapper<T>(wrapper, METHODS[key]));
  return [
    ...provided.filter(({ wrapper }) => wrapper === null),
    ...given[key].map((instance) => ({ instance: instance as T, wrapper: null })),
    ...provided.filter(({ wrapper }) => wrapper !== null),
  ];
}

/** What a decorator has been given: instances, and classes of its module. */
export function named<T>(given: readonly unknown[], module: ModuleRecord, key: EnhancerKey): Enhancer<T>[] {
  return given.map((one) => {
    if (typeof one !== 'function') return { instance: one as T, wrapper: null };
    return ofWrapper<T>(inject(module, one as Type), METHODS[key]);
  });
}

/** Those around every route. */
export type AllGlobals = Readonly<Record<EnhancerKey, readonly Enhancer<unknown>[]>>;

export function allGlobals(container: Container, given: GlobalEnhancers): AllGlobals {
  const keys = Object.keys(METHODS) as EnhancerKey[];
  return Object.fromEntries(keys.map((key) => [key, globalsOf<unknown>(container, key, given)])) as unknown as AllGlobals;
}

const NONE: readonly unknown[] = [];

/** Of a method. */
export function ownDeclared(key: EnhancerKey, method: object): readonly unknown[] {
  return readOwn<readonly unknown[]>(key, method) ?? NONE;
}

/** A class has some of its own. */
export const hasEnhancers = (controller: Type): boolean =>
  (Object.keys(METHODS) as EnhancerKey[]).some((key) => declared(key, controller).length > 0);

export function declared(key: EnhancerKey, target: object): readonly unknown[] {
  return read<readonly unknown[]>(key, target) ?? NONE;
}
