/**
 * Node's constructors are functions, which can be called without `new`.
 */

/** A class that can be called without `new`. */
export function callable<T extends new (...args: never[]) => object>(Class: T): T {
  function construct(...args: ConstructorParameters<T>): object {
    return Reflect.construct(Class, args, new.target === undefined ? construct : new.target) as object;
  }
  Object.defineProperty(construct, 'name', { value: Class.name });
  Object.setPrototypeOf(construct, Object.getPrototypeOf(Class) as object);
  construct.prototype = Class.prototype as object;
  for (const [member, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(Class))) {
    if (!Object.hasOwn(construct, member)) Object.defineProperty(construct, member, descriptor);
  }
  Object.defineProperty(Class.prototype, 'constructor', { value: construct, writable: true, configurable: true });
  return construct as unknown as T;
}

/** The prototype of what a function makes that may have been called without `new`. */
export function prototypeFor(constructor: { readonly prototype: object }, target: unknown): object {
  return target === undefined ? constructor.prototype : (target as { readonly prototype: object }).prototype;
}
