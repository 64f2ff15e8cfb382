// What a reader wants to know in half a minute: the headline ratios, cold start, memory, and what is lost, all in the same type size.
import { heading, text, tiles } from '../blocks.mjs';
import { baseEntrant, noiseOf, oursEntrant, ratioOf, rowOf } from '../data.mjs';
import { labelOf } from '../entrants.mjs';
import { megabytes, micros, number, percent, times } from '../format.mjs';
import { judge } from '../maths.mjs';
import { claimResult, claims } from './claims.mjs';
import { lossesOf } from './losses.mjs';
import { typicalNoise } from './scenarios.mjs';

/** Express 5 on Fulmar against itself on Node, in the order of reading. */
export const headline = [
  {
    label: 'Hello JSON',
    ref: { metric: 'cpu_us', scenario: 'hello-json' },
    write: micros,
    what: 'CPU per reply',
    word: 'replies per CPU second',
  },
  {
    label: 'Chain of five middleware',
    ref: { metric: 'cpu_us', scenario: 'chain-5' },
    write: micros,
    what: 'CPU per reply',
    word: 'replies per CPU second',
  },
  {
    label: 'POST JSON',
    ref: { metric: 'cpu_us', scenario: 'post-json' },
    write: micros,
    what: 'CPU per reply',
    word: 'replies per CPU second',
  },
  {
    label: 'Cold start',
    ref: { metric: 'first_reply_ms', routes: 0 },
    write: (v) => `${number(v)} ms`,
    what: 'to the first reply',
    word: ['faster', 'slower'],
  },
  { label: 'Idle memory', ref: { metric: 'rss_idle' }, write: megabytes, what: 'resident', word: ['less', 'more'] },
  { label: 'Memory under load', ref: { metric: 'rss_loaded' }, write: megabytes, what: 'resident', word: ['less', 'more'] },
];

export function summarySection(data) {
  const noise = typicalNoise(data);
  const items = [...headline.map((item) => headlineTile(data, item)), lossesTile(data), claimsTile(data)];
  return [
    heading(2, 'In short'),
    text(
      `The same unmodified Express 5 program, ${labelOf(data, oursEntrant)} against ${labelOf(data, baseEntrant)}: CPU time, start and memory of the whole server process, every reply checked. Medians over interleaved rounds${noise === undefined ? '' : `; the same server measured twice differs by ${percent(noise, 1)} (noise floor, median over the scenarios)`}.`,
    ),
    tiles(items),
  ];
}

/** `{ label, value, detail, tone }` of Express on Fulmar against Express on Node. */
export function headlineTile(data, { label, ref, write, what, word }) {
  const [ours, base] = [oursEntrant, baseEntrant].map((entrant) => ({ ...ref, entrant }));
  const quotient = ratioOf(data, ours, base);
  if (quotient === undefined) return { label, value: '–', detail: 'not measured in this run, or void', tone: 'same' };
  const verdict = judge({ ratio: quotient.median, noise: noiseOf(data, ours).floor });
  const detail = `${write(rowOf(data, ours).summary.median)} instead of ${write(rowOf(data, base).summary.median)} ${what}`;
  if (verdict === 'no difference') return { label, value: 'no difference', detail, tone: 'same' };
  const isBetter = quotient.median < 1;
  const tone = verdict === 'not judged' ? 'same' : isBetter ? 'good' : 'bad';
  // Twice the replies per second of CPU time is half the time per reply.
  if (!Array.isArray(word)) return { label, value: times(1 / quotient.median), detail: `the ${word}: ${detail}`, tone };
  const value = `${size(quotient.median, ref.metric)} ${word[isBetter ? 0 : 1]}`;
  return { label, value, detail, tone };
}

/** Memory reads as a share, time as a factor. */
function size(quotient, metric) {
  if (metric.startsWith('rss')) return percent(Math.abs(1 - quotient));
  return times(quotient < 1 ? 1 / quotient : quotient);
}

function lossesTile(data) {
  const losses = lossesOf(data).filter((loss) => loss.certain);
  if (losses.length === 0)
    return { label: 'Losses', value: 'none found', detail: 'beyond the noise; see “Where Fulmar loses”', tone: 'same' };
  const places = new Set(losses.map(({ where, metric }) => `${where} ${metric}`));
  const [{ where, metric, peer, factor }] = losses;
  const detail = `${losses.length} figures of peers are ahead beyond the noise; the largest: ${labelOf(data, peer)} is ${times(factor)} ahead in ${metric}, ${where}; all in “Where Fulmar loses”`;
  return { label: 'Losses', value: `${places.size} ${places.size === 1 ? 'place' : 'places'}`, detail, tone: 'bad' };
}

function claimsTile(data) {
  const words = claims.map((claim) => claimResult(data, claim).word);
  const count = (wanted) => words.filter((word) => word === wanted).length;
  const detail = `${count('matched')} matched, ${count('missed')} missed, ${count('not measured yet')} not measured yet, of ${words.length}`;
  return { label: 'Claims of other reports', value: `${count('beaten')} beaten`, detail, tone: count('missed') > 0 ? 'same' : 'good' };
}
