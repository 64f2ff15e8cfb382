/**
 * What a class or a factory depends on, by its metadata.
 */
import type { DeclaredDependency, PropertyDependency } from '../decorators/modules.ts';
import { KEYS } from '../metadata/keys.ts';
import { read, readOwn } from '../metadata/reflect.ts';
import { tsconfigPlace } from '../metadata/tsconfig-place.ts';
import type { Type } from '../nest-types.ts';
import { ContainerError } from './container-error.ts';
import type { Dependency, Wrapper } from './wrapper.ts';

interface Given {
  readonly forwardRef?: () => unknown;
  readonly token?: unknown;
  readonly optional?: boolean;
}

const isForward = (value: unknown): value is { forwardRef: () => unknown } =>
  typeof value === 'object' && value !== null && typeof (value as Given).forwardRef === 'function';

function toDependency(at: Dependency['at'], given: unknown, isOptional: boolean): Dependency {
  if (isForward(given)) return { at, token: given.forwardRef(), isOptional, isForward: true, wrapper: null };
  return { at, token: given, isOptional, isForward: false, wrapper: null };
}

export function dependenciesOf({ making, host }: Wrapper): Dependency[] {
  if (making.kind === 'class') return ofClass(making.type, host.name);
  if (making.kind !== 'factory') return [];
  return making.inject.map((given, index) => {
    const isWithOptions = typeof given === 'object' && given !== null && 'token' in given && !isForward(given);
    const { token, optional } = isWithOptions ? (given as Given) : { token: given, optional: false };
    return toDependency(index, token, optional === true);
  });
}

function ofClass(type: Type, module: string): Dependency[] {
  const types = read<readonly unknown[]>(KEYS.parameterTypes, type);
  const declared = read<readonly DeclaredDependency[]>(KEYS.declaredDependencies, type) ?? [];
  const optional = readOwn<readonly number[]>(KEYS.optionalDependencies, ownerOfConstructor(type)) ?? [];
  const tokens: unknown[] = [...(types ?? [])];
  for (const { index, param } of declared) tokens[index] = param;
  if (types === undefined) checkTypes(type, module, tokens);
  const parameters = Array.from(tokens, (token, index) => toDependency(index, token, optional.includes(index)));
  const properties = read<readonly PropertyDependency[]>(KEYS.propertyDependencies, type) ?? [];
  const optionalProperties = read<readonly (string | symbol)[]>(KEYS.optionalProperties, type) ?? [];
  return [...parameters, ...properties.map(({ key, type: given }) => toDependency(key, given, optionalProperties.includes(key)))];
}

/** The class that says something of the constructor by which `type` is made: parameters of another one are others. */
function ownerOfConstructor(type: Type): object {
  const keys = [KEYS.parameterTypes, KEYS.optionalDependencies, KEYS.declaredDependencies];
  for (
    let one: object | null = type;
    typeof one === 'function' && one !== Function.prototype;
    one = Object.getPrototypeOf(one) as object | null
  )
    if (keys.some((key) => readOwn(key, one as object) !== undefined)) return one;
  return type;
}

/** A compiler that leaves the types out would inject nothing, silently. @throws ContainerError */
function checkTypes(type: Type, module: string, tokens: readonly unknown[]): void {
  for (let index = 0; index < type.length; index += 1) {
    if (tokens[index] !== undefined) continue;
    throw new ContainerError(
      `${type.name} of ${module} has no types of its constructor's parameters: nothing says what its argument at index [${index}] is. ` +
        `Set "emitDecoratorMetadata": true and "experimentalDecorators": true ${tsconfigPlace('emitDecoratorMetadata')}, ` +
        `see that ${type.name} has @Injectable(), or name each dependency with @Inject().`,
      [type],
    );
  }
}
