/**
 * What the compiler has made of the types of a class with `@typed()` of `fulmar/types`: for each method schemas of its
 * parameters, by their places.
 */
import { TYPED_PARAMETERS } from '../../shape/typed-parameters.ts';

export interface TypedParameter {
  readonly schema: unknown;
  /** What is not there is no mistake. */
  readonly isOptional: boolean;
}
export type TypedParameters = Readonly<Record<number, TypedParameter>>;

type Table = Readonly<Record<string, TypedParameters>>;

/** Of the class that declares the method: what inherits it has its types. */
export function typedParametersOf(controller: Function, name: string): TypedParameters | undefined {
  // Inherited as static members are: of most classes the first look is the last.
  if (!(TYPED_PARAMETERS in controller)) return undefined;
  for (let one: Function | null = controller; typeof one === 'function'; one = Object.getPrototypeOf(one) as Function | null) {
    const { prototype } = one as { prototype?: unknown };
    if (typeof prototype !== 'object' || prototype === null || !Object.hasOwn(prototype, name)) continue;
    const table = Object.getOwnPropertyDescriptor(one, TYPED_PARAMETERS)?.value as Table | undefined;
    return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
  }
  return undefined;
}
