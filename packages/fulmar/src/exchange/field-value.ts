/**
 * The value of a field that stands in several lines (RFC 9110, 5.3): a list, but for `Cookie`, whose pairs
 * have a separator of their own.
 */

/** `before`: of the lines so far. */
export function joined(name: string, before: string | undefined, value: string): string {
  if (before === undefined) return value;
  return `${before}${name === 'cookie' ? '; ' : ', '}${value}`;
}

/** The value of a field in `[name, value, …]`, by its name in lower case. */
export function fieldIn(rawHeaders: readonly string[], name: string): string | undefined {
  let found: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] as string;
    if (given.length === name.length && (given === name || given.toLowerCase() === name))
      found = joined(name, found, rawHeaders[at + 1] as string);
  }
  return found;
}
