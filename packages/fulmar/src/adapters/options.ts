/**
 * Options of the adapters, checked when an adapter is called and not with the first request.
 */

/** What an option may be, in words, where a value is something else. */
export type Check = (value: unknown) => string | undefined;

export const expected = (isRight: boolean, what: string): string | undefined => (isRight ? undefined : what);

const STYLE: Check = (value) => expected(value === 'fetch' || value === 'messages', "'fetch' or 'messages'");

/** What stands before an application's paths. */
export const BASE_PATH: Check = (value) => expected(typeof value === 'string' && /^\/.*[^/]$/.test(value), "a path such as '/v1'");

/** @throws TypeError for an option that is none, or is something else than it may be */
export function checkOptions(who: string, options: object, own: Readonly<Record<string, Check>> = {}): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`The options of ${who} are an object, and this is ${String(options)}.`);
  const known = new Map(Object.entries({ style: STYLE, ...own }));
  for (const [name, value] of Object.entries(options)) {
    const check = known.get(name);
    if (check === undefined) throw new TypeError(`${who} has no option ${name}; it has ${[...known.keys()].join(', ')}.`);
    const wanted = value === undefined ? undefined : check(value);
    if (wanted !== undefined) throw new TypeError(`${name} of ${who} is ${wanted}, and this is ${JSON.stringify(value) ?? typeof value}.`);
  }
}
