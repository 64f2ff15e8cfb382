/**
 * A context with what middleware has added to it, for what stands behind that middleware alone: calls of one
 * request share the context, and none sees the additions of another.
 */

export function extended(context: unknown, additions: object | undefined): unknown {
  if (additions === undefined) return context;
  if (typeof additions !== 'object' || additions === null)
    throw new TypeError(`next() takes an object of what is added to the context, and this is of type ${typeof additions}.`);
  if (typeof context !== 'object' || context === null) return additions;
  const prototype: unknown = Object.getPrototypeOf(context);
  if (prototype === Object.prototype || prototype === null) return { ...context, ...additions };
  return over(context, additions);
}

/** An object with state of its own, such as the app's context: its methods go on working on that. */
function over(context: object, additions: object): object {
  return new Proxy(context, {
    get(target, name) {
      if (Object.hasOwn(additions, name)) return (additions as Readonly<Record<PropertyKey, unknown>>)[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
    set: (target, name, value) => Reflect.set(Object.hasOwn(additions, name) ? additions : target, name, value),
    has: (target, name) => Object.hasOwn(additions, name) || name in target,
  });
}
