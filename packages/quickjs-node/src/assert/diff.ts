/**
 * The shortest way from one list of lines to another (E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986).
 */
export type Change = readonly [kind: '+' | '-' | ' ', line: string];

/** More equal lines in a row are left out. */
const EQUAL_LINES_SHOWN = 5;

function sameLine(a: string, b: string, commas: boolean): boolean {
  return a === b || (commas && (`${a},` === b || a === `${b},`));
}

/** From the first line to the last. With `commas`, a comma at the end of a line makes no difference. */
export function differences(actual: readonly string[], expected: readonly string[], commas: boolean): Change[] {
  const max = actual.length + expected.length;
  const furthest = new Int32Array(2 * max + 1);
  const trace: Int32Array[] = [];
  for (let level = 0; level <= max; level += 1) {
    trace.push(furthest.slice());
    for (let diagonal = -level; diagonal <= level; diagonal += 2) {
      let x = step(furthest, diagonal, level, max) ? at(furthest, diagonal + 1 + max) : at(furthest, diagonal - 1 + max) + 1;
      while (
        x < actual.length &&
        x - diagonal < expected.length &&
        sameLine(actual[x] as string, expected[x - diagonal] as string, commas)
      ) {
        x += 1;
      }
      furthest[diagonal + max] = x;
      if (x >= actual.length && x - diagonal >= expected.length) return walkedBack(trace, actual, expected, commas);
    }
  }
  return [];
}

function at(list: Int32Array, index: number): number {
  return list[index] ?? 0;
}

/** Whether the diagonal is reached from the one above. */
function step(furthest: Int32Array, diagonal: number, level: number, max: number): boolean {
  return diagonal === -level || (diagonal !== level && at(furthest, diagonal - 1 + max) < at(furthest, diagonal + 1 + max));
}

function walkedBack(trace: Int32Array[], actual: readonly string[], expected: readonly string[], commas: boolean): Change[] {
  const max = actual.length + expected.length;
  const changes: Change[] = [];
  let [x, y] = [actual.length, expected.length];
  for (let level = trace.length - 1; level >= 0; level -= 1) {
    const furthest = trace[level] as Int32Array;
    const diagonal = x - y;
    const before = step(furthest, diagonal, level, max) ? diagonal + 1 : diagonal - 1;
    const beforeX = at(furthest, before + max);
    const beforeY = beforeX - before;
    while (x > beforeX && y > beforeY) {
      const line = actual[x - 1] as string;
      changes.push([' ', commas && !line.endsWith(',') ? (expected[y - 1] as string) : line]);
      x -= 1;
      y -= 1;
    }
    if (level === 0) break;
    if (x > beforeX) changes.push(['+', actual[(x -= 1)] as string]);
    else changes.push(['-', expected[(y -= 1)] as string]);
  }
  return changes.toReversed();
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
