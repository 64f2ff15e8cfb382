/**
 * The helper functions that compiled sources call: legacy decorators and lowered private fields.
 *
 * The compiler names them `babelHelpers.<name>`; the prelude of a source that needs them binds that name to
 * this object, so that the application's global scope stays as it is. Present in processes that load a
 * compiled source, never on the path of a request.
 */
import { setGlobal } from '../../host/globals.ts';

type Decorator = (target: object, key?: PropertyKey, descriptor?: PropertyDescriptor) => unknown;
type ParameterDecorator = (target: object, key: PropertyKey | undefined, index: number) => void;
/** What the package `reflect-metadata` adds. */
interface MetadataReflect {
  metadata?: (key: unknown, value: unknown) => Decorator;
  decorate?: (decorators: readonly Decorator[], target: object, key?: PropertyKey, descriptor?: PropertyDescriptor) => unknown;
}

export const decoratorHelpers = {
  /**
   * TypeScript's `__decorate`: `(decorators, class)` or
   * `(decorators, target, key, descriptor | null | undefined)`.
   */
  decorate(
    decorators: readonly Decorator[],
    target: object,
    ...member: [key?: PropertyKey, descriptor?: PropertyDescriptor | null]
  ): unknown {
    const reflect = Reflect as unknown as MetadataReflect;
    const isMember = member.length > 0;
    const key = member[0] as PropertyKey;
    const descriptor = isMember && member[1] === null ? Object.getOwnPropertyDescriptor(target, key) : (member[1] ?? undefined);
    let result: unknown = isMember ? descriptor : target;
    if (typeof reflect.decorate === 'function') {
      result = isMember ? reflect.decorate(decorators, target, key, descriptor) : reflect.decorate(decorators, target);
    } else {
      for (const apply of decorators.toReversed()) {
        if (!apply) continue;
        result = (isMember ? apply(target, key, result as PropertyDescriptor) : apply(result as object)) || result;
      }
    }
    if (isMember && result) Object.defineProperty(target, key, result);
    return result;
  },

  decorateParam(index: number, apply: ParameterDecorator): Decorator {
    return (target, key) => apply(target, key, index);
  },

  /** `reflect-metadata` may be absent: then metadata is not kept, as with TypeScript. */
  decorateMetadata(key: unknown, value: unknown): Decorator | undefined {
    return (Reflect as unknown as MetadataReflect).metadata?.(key, value);
  },

  classPrivateFieldInitSpec(self: object, field: WeakMap<object, unknown>, value: unknown): void {
    if (field.has(self)) throw new TypeError('Cannot initialize the same private elements twice on an object');
    field.set(self, value);
  },

  classPrivateMethodInitSpec(self: object, brand: WeakSet<object>): void {
    if (brand.has(self)) throw new TypeError('Cannot initialize the same private elements twice on an object');
    brand.add(self);
  },

  classPrivateFieldGet2(field: WeakMap<object, unknown>, self: object): unknown {
    return field.get(decoratorHelpers.assertClassBrand(field, self) as object);
  },

  classPrivateFieldSet2(field: WeakMap<object, unknown>, self: object, value: unknown): unknown {
    field.set(decoratorHelpers.assertClassBrand(field, self) as object, value);
    return value;
  },

  assertClassBrand(brand: unknown, self: object, ...value: unknown[]): unknown {
    const hasBrand = typeof brand === 'function' ? brand === self : (brand as WeakSet<object>).has(self);
    if (!hasBrand) throw new TypeError('Private element is not present on this object');
    return value.length === 0 ? self : value[0];
  },

  checkInRHS(value: unknown): unknown {
    if (Object(value) === value) return value;
    throw new TypeError(`right-hand side of 'in' should be an object, got ${value === null ? 'null' : typeof value}`);
  },
};

export function installHelpers(): void {
  setGlobal('fulmar.helpers', decoratorHelpers);
}
