/**
 * Medians, spreads and the verdict on a difference. Pure functions.
 */

/** The middle value, or the mean of the two in the middle. NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle] ?? Number.NaN;
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

export type Direction = 'lower' | 'higher';
export type Verdict = 'better' | 'worse' | 'no difference';

/** One host against the first. */
export interface Comparison {
  /** Its column ÷ the first, the median of the rounds' own ratios. */
  readonly ratio: number | null;
  /** Largest ÷ smallest of the rounds' ratios: 1 where all agree. */
  readonly spread: number | null;
  readonly verdict: Verdict | null;
}

/**
 * What each host got and, where there are several, what may be said about them: first of the second column.
 */
export interface Figure extends Comparison {
  readonly better: Direction;
  /** The median of each column; null where there was nothing to measure. */
  readonly values: readonly (number | null)[];
  /** The same of the columns after the second. */
  readonly more: readonly Comparison[];
}

/**
 * Compares round by round: `columns[0][i]` and `columns[1][i]` were measured one after the other. A
 * difference that is smaller than the spread of the rounds is none; one round alone has no spread and gets no
 * verdict.
 */
export function compare(columns: readonly (readonly number[])[], better: Direction): Figure {
  const values = columns.map(median).map((value) => (Number.isNaN(value) ? null : value));
  const [first = [], second = [], ...others] = columns;
  return { better, values, ...toFirst(first, second, better), more: others.map((column) => toFirst(first, column, better)) };
}

function toFirst(first: readonly number[], column: readonly number[], better: Direction): Comparison {
  const ratios = first.flatMap((value, round) => {
    const other = column[round];
    return other === undefined || value === 0 ? [] : [other / value];
  });
  if (ratios.length === 0) return { ratio: null, spread: null, verdict: null };
  const ratio = median(ratios);
  if (ratios.length === 1) return { ratio, spread: null, verdict: null };
  const spread = Math.max(...ratios) / Math.min(...ratios);
  return { ratio, spread, verdict: judge(ratio, spread, better) };
}

/**
 * Factors, not differences: half and double are equally far from 1, so gains and losses need the same
 * evidence.
 */
function judge(ratio: number, spread: number, better: Direction): Verdict {
  const difference = Math.max(ratio, 1 / ratio);
  if (ratio === 1 || difference < spread) return 'no difference';
  return ratio < 1 === (better === 'lower') ? 'better' : 'worse';
}
