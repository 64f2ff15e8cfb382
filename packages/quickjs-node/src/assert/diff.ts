/**
 * What differs between two lists of lines, by a package that takes the shortest way as Node does, and how a
 * message shows it.
 */
import { diffArrays } from 'diff';

export type Change = readonly [kind: '+' | '-' | ' ', line: string];

/** More equal lines in a row are left out. */
const EQUAL_LINES_SHOWN = 5;

function sameButComma(a: string, b: string): boolean {
  return a === b || `${a},` === b || a === `${b},`;
}

/** From the first line to the last. With `commas`, a comma at the end of a line makes no difference. */
export function differences(actual: readonly string[], expected: readonly string[], commas: boolean): Change[] {
  const changes: Change[] = [];
  let x = 0;
  let y = 0;
  for (const { added, removed, count } of diffArrays([...actual], [...expected], commas ? { comparator: sameButComma } : {})) {
    for (let index = 0; index < count; index += 1) {
      const line = actual[x] as string;
      const other = expected[y] as string;
      // Of two lines that are equal but for the comma, the one that has it.
      changes.push(added ? ['-', other] : removed ? ['+', line] : [' ', commas && !line.endsWith(',') ? other : line]);
      if (!added) x += 1;
      if (!removed) y += 1;
    }
  }
  return changes;
}

/** The lines with what changed; long runs of equal lines are cut. */
export function printed(changes: readonly Change[]): { text: string; skipped: boolean } {
  const lines: string[] = [];
  let skipped = false;
  let run: string[] = [];
  const flush = (): void => {
    const more = run.slice(EQUAL_LINES_SHOWN);
    lines.push(...run.slice(0, EQUAL_LINES_SHOWN));
    if (more.length <= 2) {
      lines.push(...more);
    } else {
      lines.push('...', more[more.length - 1] as string);
      skipped = true;
    }
    run = [];
  };
  for (const [kind, line] of changes) {
    if (kind === ' ') {
      run.push(`  ${line}`);
      continue;
    }
    flush();
    lines.push(`${kind} ${line}`);
  }
  // What is equal at the end is shown up to the limit, without a mark for the rest.
  lines.push(...run.slice(0, EQUAL_LINES_SHOWN));
  return { text: `\n${lines.join('\n').trimEnd()}`, skipped };
}
