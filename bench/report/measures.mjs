/**
 * Figures described as data (claims.json, targets.json, the summary): a quotient, a difference or a value of
 * the raw records, and what to think of it beside a figure somebody named. Says why when a figure cannot be
 * had.
 */
import { differenceOf, metrics, noiseOf, ratioOf, rowOf } from './data.mjs';
import { noiseFactor } from './maths.mjs';
import { number, percent, ratio, times } from './format.mjs';

const places = ['scenario', 'routes', 'connections', 'pool', 'target_rate'];

/** How a value is written, and in which direction it is good. `less` is one minus the quotient. */
const shows = {
  times: { write: times, higher: true },
  less: { write: (value) => (value < 0 ? `${percent(-value)} more` : `${percent(value)} less`), higher: true },
  percent: { write: (value) => percent(value), higher: true },
  ratio: { write: ratio, higher: false },
  duration: { write: (value) => `${number(value)} ms`, higher: false },
  mb: { write: (value) => `${number(value / 1e6)} MB`, higher: false },
  ms: { write: (value) => `${value < 0 ? '' : '+'}${number(value)} ms`, higher: false },
  kib: { write: (value) => `${number(value / 1024)} KiB`, higher: false },
};

/**
 * `{ value, low, high, noise, written }`, or `{ missing }` with the reason.
 * @param measure `{ op: 'quotient' | 'difference' | 'value', metric, of, to, show, per }` with conditions, `ofAt` and `toAt` overriding them;
 *   the result is divided by `per`
 */
export function evaluate(data, measure) {
  const { op = 'quotient', show } = measure;
  const [of, to] = [reference(measure, 'of'), reference(measure, 'to')];
  const missing = reasonMissing(data, of) ?? (op === 'value' ? undefined : reasonMissing(data, to));
  if (missing !== undefined) return { missing };
  const summary = { quotient: ratioOf, difference: differenceOf, value: valueOf }[op](data, of, to);
  if (summary === undefined) return { missing: 'the two were never measured in the same round' };
  const { per = 1 } = measure;
  const turn = show === 'less' ? (value) => 1 - value : (value) => value / per;
  const [value, ...ends] = [summary.median, summary.low, summary.high].map(turn);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const noise = op === 'quotient' ? noiseOf(data, of).floor : undefined;
  const { write } = shows[show];
  return { value, low, high, noise, written: write(value), spread: `${write(low)} – ${write(high)}` };
}

function reference(measure, side) {
  const conditions = Object.fromEntries(places.filter((name) => measure[name] !== undefined).map((name) => [name, measure[name]]));
  return { metric: measure.metric, ...conditions, entrant: measure[side], ...measure[`${side}At`] };
}

function valueOf(data, ref) {
  return rowOf(data, ref).summary;
}

function reasonMissing(data, ref) {
  const row = rowOf(data, ref);
  const where = ref.scenario === undefined ? metrics[ref.metric].title : ref.scenario;
  if (row === undefined) return `no ${where} row of ${ref.entrant} in this run`;
  if (row.isVoid && !metrics[ref.metric].keepVoid) return `${where} of ${ref.entrant} is void: ${row.reasons.join('; ') || 'no figures'}`;
  return undefined;
}

/**
 * `beaten`, `matched` or `missed`: the value beside a claimed figure or range `[low, high]`. Inside the
 * range, or closer to it than twice the noise floor, is matched.
 */
export function judgeClaim({ value, noise = 0, target, show }) {
  const scale = show === 'less' ? (share) => 1 / (1 - share) : (figure) => figure;
  const [low, high] = (Array.isArray(target) ? target : [target, target]).map(scale);
  const margin = noiseFactor * noise;
  const at = scale(value);
  if (shows[show].higher) {
    if (at > high * (1 + margin)) return 'beaten';
    return at < low * (1 - margin) ? 'missed' : 'matched';
  }
  if (at < low * (1 - margin)) return 'beaten';
  return at > high * (1 + margin) ? 'missed' : 'matched';
}

/** `met` or `missed`, to the letter: `{ max }`, `{ below }` or `{ min }`. */
export function judgeTarget({ value, max = Number.POSITIVE_INFINITY, below = Number.POSITIVE_INFINITY, min = Number.NEGATIVE_INFINITY }) {
  const isMet = value <= max && value >= min && (value < below || below === Number.POSITIVE_INFINITY);
  return isMet ? 'met' : 'missed';
}
