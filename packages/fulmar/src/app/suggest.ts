/**
 * Which of the names that there are is meant by one that there is not.
 */

/** Changes of a letter beyond which two names have nothing to do with each other. */
const CHANGES_MAX = 2;

/** Undefined where none is alike. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  let found: string | undefined;
  let fewest = CHANGES_MAX + 1;
  for (const one of known) {
    if (Math.abs(one.length - name.length) > CHANGES_MAX) continue;
    const changes = changesBetween(lower, one.toLowerCase());
    if (changes < fewest) [found, fewest] = [one, changes];
  }
  return found;
}

/** Letters to put in, take out or replace: Levenshtein's distance, a row at a time. */
function changesBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let line = 1; line <= one.length; line += 1) {
    const above = row;
    row = [line];
    for (let at = 1; at <= other.length; at += 1) {
      const replaced = (above[at - 1] as number) + (one[line - 1] === other[at - 1] ? 0 : 1);
      row.push(Math.min(replaced, (above[at] as number) + 1, (row[at - 1] as number) + 1));
    }
  }
  return row[other.length] as number;
}
