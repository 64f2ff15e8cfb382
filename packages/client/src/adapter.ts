/** What adapters of query libraries share: the variable of a mutation, and parts of an API by their names. */

/** What a procedure takes first is the variable; one that takes more needs a function that gives all of it. */
export type Variable<Args extends readonly unknown[]> = Args extends readonly []
  ? void
  : Args extends readonly [infer One, ...infer Rest]
    ? [] extends Rest
      ? One
      : never
    : Args extends readonly [(infer One)?, ...unknown[]]
      ? One | void
      : never;

/** Something of each part of an API, and of each of its procedures. */
export type PartsOf<Api, Value> = (() => Value) & {
  readonly [Name in keyof Api]: Api[Name] extends { readonly kind: unknown; readonly run: unknown } | ((...args: never) => unknown)
    ? () => Value
    : PartsOf<Api[Name], Value>;
};

export function argsOf(params: unknown, variables: unknown): readonly unknown[] {
  if (typeof params === 'function') return (params as (given: unknown) => readonly unknown[])(variables);
  return variables === undefined ? [] : [variables];
}
