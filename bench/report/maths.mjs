/**
 * The arithmetic of the report: medians, spread, noise floor, verdicts, and what makes a measured row void.
 * Pure functions over numbers and single records; every other file of this folder takes its figures from
 * here. It never reads a file and never rounds.
 */

/**
 * Little's law: a closed loop whose rate × latency misses its connections by more than this was disturbed
 * (measurement rule 2).
 */
export const littleDeviationMax = 0.05;

/** A difference below this many noise floors is no difference (measurement rule 4). */
export const noiseFactor = 2;

/** Quantile of numbers in any order, between neighbours; `undefined` without numbers. */
export function quantile(values, q) {
  if (values.length === 0) return undefined;
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * q;
  const low = Math.floor(position);
  return sorted[low] + (sorted[Math.ceil(position)] - sorted[low]) * (position - low);
}

export function median(values) {
  return quantile(values, 0.5);
}

/** Median with the spread (lowest and highest) and how many values there were; `undefined` without values. */
export function summarise(values) {
  if (values.length === 0) return undefined;
  return { count: values.length, median: median(values), low: Math.min(...values), high: Math.max(...values), p95: quantile(values, 0.95) };
}

/**
 * From this many rounds on (cold starts: 20 and more) a round is a single event, and noise is judged on
 * medians of batches.
 */
export const batchedFrom = 10;
const batches = 5;

/**
 * A series (Map from round to number) of many single events as five rounds of medians: consecutive rounds,
 * the same ones for every series of the same `rounds`. The largest of 20 single differences says nothing
 * about how well their median is known.
 */
export function batchMedians(series, rounds) {
  if (rounds.length < batchedFrom) return series;
  const grouped = new Map();
  for (const [at, round] of rounds.toSorted((a, b) => a - b).entries()) {
    const batch = Math.floor((at * batches) / rounds.length);
    if (series.has(round)) grouped.set(batch, [...(grouped.get(batch) ?? []), series.get(round)]);
  }
  return new Map([...grouped].map(([batch, values]) => [batch, median(values)]));
}

/** Quotients of two series (Map from round to number), in the rounds that have both. Never across rounds. */
export function ratiosWithinRounds(of, to) {
  return [...of].filter(([round]) => to.has(round) && to.get(round) !== 0).map(([round, value]) => value / to.get(round));
}

/** Differences of two series, in the rounds that have both. */
export function differencesWithinRounds(of, to) {
  return [...of].filter(([round]) => to.has(round)).map(([round, value]) => value - to.get(round));
}

/**
 * The largest distance from 1 that the same program, measured twice, showed in a round; `undefined` without
 * A/A rounds.
 */
export function noiseFloor(ratios) {
  return ratios.length === 0 ? undefined : Math.max(...ratios.map((ratio) => Math.abs(ratio - 1)));
}

/** `better`, `worse`, `no difference`, or `not judged` when nothing says how noisy the row is. */
export function judge({ ratio, noise, better = 'lower' }) {
  if (ratio === undefined || noise === undefined) return 'not judged';
  if (Math.abs(ratio - 1) < noiseFactor * noise) return 'no difference';
  return ratio < 1 === (better === 'lower') ? 'better' : 'worse';
}

/** Why a record may not be ranked, or `null`. */
export function voidReason(record) {
  if (record.problem !== null && record.problem !== undefined) return String(record.problem);
  const errors = errorCount(record);
  if (errors > 0) return `${errors} wrong or missing replies${namedErrors(record.errors)}`;
  if (record.unsent > 0) return `${record.unsent} requests were never sent`;
  // While connections still open one after the other the law does not hold.
  const deviation = record.kind === 'connections' ? 0 : littleDeviation(record);
  if (deviation > littleDeviationMax) return `Little's law missed by ${(deviation * 100).toFixed(1)} %`;
  return null;
}

/** Errors of a record, whether it holds a number or counts by kind. */
export function errorCount({ errors }) {
  if (typeof errors === 'number') return errors;
  return errors?.total ?? 0;
}

function littleDeviation({ little }) {
  const deviation = typeof little === 'object' ? little?.deviation : little;
  return Math.abs(deviation ?? 0);
}

function namedErrors(errors) {
  if (typeof errors !== 'object') return '';
  const named = Object.entries(errors).filter(([kind, count]) => kind !== 'total' && kind !== 'before_measurement' && count > 0);
  return named.length === 0 ? '' : ` (${named.map(([kind, count]) => `${kind.replaceAll('_', ' ')} ${count}`).join(', ')})`;
}

/** Share of requests that got their right reply. */
export function successShare(record) {
  const errors = errorCount(record);
  const asked = record.verified + errors;
  return asked === 0 ? 0 : record.verified / asked;
}
