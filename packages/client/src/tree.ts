/** Names that are read one after the other, as in `client.query.users.get`, until something is called. Knows no server. */

export type Names = readonly string[];

/** A promise has `then`, and this is none. */
export function tree(call: (names: Names, args: readonly unknown[]) => unknown, names: Names = []): unknown {
  return new Proxy(() => {}, {
    get: (_, name) => (typeof name === 'symbol' || name === 'then' ? undefined : tree(call, [...names, name])),
    apply: (_, __, args: unknown[]) => call(names, args),
  });
}

/** Calls what the names lead to in a part of a client. */
export function callAt(part: unknown, names: Names, args: readonly unknown[]): Promise<unknown> {
  const found = names.reduce((node, name) => (node as Readonly<Record<string, unknown>>)[name], part);
  return (found as (...given: readonly unknown[]) => Promise<unknown>)(...args);
}
