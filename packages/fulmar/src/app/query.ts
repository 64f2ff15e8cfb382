/**
 * The query of a target as an object: a string for each name, an array where a name comes more than once.
 */

export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

const NOTHING: Query = Object.freeze(Object.create(null) as Query);

/** `search`: without the question mark. */
export function parseQuery(search: string): Query {
  if (search === '') return NOTHING;
  const query = Object.create(null) as Record<string, string | string[]>;
  for (const [name, value] of new URLSearchParams(search)) {
    const before = query[name];
    if (before === undefined) query[name] = value;
    else if (typeof before === 'string') query[name] = [before, value];
    else before.push(value);
  }
  return query;
}
