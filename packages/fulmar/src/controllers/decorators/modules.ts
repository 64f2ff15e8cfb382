/**
 * `@Module`, `@Global`, `@Injectable`, `@Inject` and their like: how classes depend on one another. They write
 * metadata; `container/` reads it.
 */
import type { InjectableOptions, InjectionToken, ForwardReference, ModuleMetadata, Type } from '../nest-types.ts';
import { KEYS } from '../metadata/keys.ts';
import { onClass, onDependency, refuseUncalled } from '../metadata/placed.ts';
import { define, has, read, readOwn } from '../metadata/reflect.ts';
import { nameOfMember } from './member-name.ts';

const MODULE_KEYS: readonly string[] = ['imports', 'exports', 'controllers', 'providers'];

/** @throws TypeError for what a module does not have, and for what is no list */
export function Module(metadata: ModuleMetadata): ClassDecorator {
  refuseUncalled('Module', [metadata]);
  if (typeof metadata !== 'object' || metadata === null)
    throw new TypeError(`@Module() takes { ${MODULE_KEYS.join(', ')} }, and this is ${String(metadata)}: an empty one is @Module({}).`);
  for (const [key, value] of Object.entries(metadata)) {
    if (!MODULE_KEYS.includes(key)) throw new TypeError(`@Module() has no ${key}: a module has ${MODULE_KEYS.join(', ')}.`);
    if (value !== undefined && !Array.isArray(value)) throw new TypeError(`@Module({ ${key} }) takes a list, and this is ${typeof value}.`);
  }
  return onClass('Module', (target) => {
    for (const [key, value] of Object.entries(metadata)) define(key, value, target);
  });
}

/** What it exports is there for all modules, without an import. */
export function Global(...given: []): ClassDecorator {
  refuseUncalled('Global', given);
  return onClass('Global', (target) => define(KEYS.global, true, target));
}

export function Injectable(options?: InjectableOptions): ClassDecorator {
  refuseUncalled('Injectable', [options]);
  return onClass('Injectable', (target) => {
    define(KEYS.injectable, true, target);
    define(KEYS.scope, options, target);
  });
}

/** What of a class is injected, and where. */
export interface DeclaredDependency {
  readonly index: number;
  readonly param: unknown;
}
export interface PropertyDependency {
  readonly key: string | symbol;
  readonly type: unknown;
}

/** By a token; without one by the type that stands there. */
export function Inject<T = any>(...given: [token?: InjectionToken<T> | ForwardReference]): PropertyDecorator & ParameterDecorator {
  if (given.length > 1) refuseUncalled('Inject', given);
  const [token] = given;
  const isGiven = given.length > 0;
  return onDependency('Inject', (target, at) => {
    if ('index' in at) {
      const type = token ?? (isGiven ? undefined : read<unknown[]>(KEYS.parameterTypes, target)?.[at.index]);
      const declared = read<DeclaredDependency[]>(KEYS.declaredDependencies, target) ?? [];
      define(KEYS.declaredDependencies, [...declared, { index: at.index, param: type }], target);
      return;
    }
    const { property: key } = at;
    const type = token ?? read(KEYS.propertyType, target, key);
    const properties = read<PropertyDependency[]>(KEYS.propertyDependencies, target.constructor) ?? [];
    define(KEYS.propertyDependencies, [...properties.filter((one) => one.key !== key), { key, type }], target.constructor);
  });
}

/** `undefined` where nothing provides it. */
export function Optional(...given: []): PropertyDecorator & ParameterDecorator {
  refuseUncalled('Optional', given);
  return onDependency('Optional', (target, at) => {
    if ('index' in at)
      define(KEYS.optionalDependencies, [...(readOwn<number[]>(KEYS.optionalDependencies, target) ?? []), at.index], target);
    else {
      const known = read<(string | symbol)[]>(KEYS.optionalProperties, target.constructor) ?? [];
      define(KEYS.optionalProperties, [...known, at.property], target.constructor);
    }
  });
}

/** For sources without types: the dependencies of the constructor, in order. */
export const Dependencies = (...dependencies: unknown[]): ClassDecorator =>
  onClass('Dependencies', (target) => define(KEYS.parameterTypes, dependencies.flat(Infinity), target));

/** A class made by a function, with a name of its own, to be injected into. */
export function mixin<T>(mixinClass: Type<T>): Type<T> {
  Object.defineProperty(mixinClass, 'name', { value: nameOfMember('Mixin') });
  Injectable(read(KEYS.scope, mixinClass))(mixinClass);
  if (!has(KEYS.parameterTypes, mixinClass)) define(KEYS.parameterTypes, [], mixinClass);
  return mixinClass;
}

/** A class that is declared further down, or in a module that is being loaded. */
export const forwardRef = <T = any>(fn: () => T): ForwardReference<T> => ({ forwardRef: fn });
